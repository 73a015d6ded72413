"""The examples of docs/content/pages/pictures.md build, and give the described result."""

import re

from conftest import ROOT, Make
from PIL import Image

from tenure.images.resizing import MAX_HEIGHT, MAX_WIDTH

PAGE = (ROOT / "docs/content/pages/pictures.md").read_text("utf-8")


def test_the_examples_build(site: Make) -> None:
    files = ""
    for block in re.findall(r"^```\w+\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE):
        first, _, text = block.partition("\n")
        files += f"-- {first.split()[1]} --\n{text}"
    sources = site(files)
    content = sources.root / "content"
    (content / "hit-rates.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"/>')
    (content / "walk.mp4").write_bytes(b"its name is read")
    bib = "@article{own, title={Marconi}, author={Pan, Rui}, journal={J}, year=2024}\n"
    sources.edit_files(f"-- bib/papers.bib --\n{bib}")
    (content / "talks").mkdir()
    for name in (
        *("rui.jpg", "marconi.png", "rack.jpg", "walk.png", "before.png", "after.png"),
        *("talks/dagstuhl.jpg", "talks/oslo.jpg"),
    ):
        Image.linear_gradient("L").resize((1200, 900)).save(content / name)
    built = sources.build()
    assert built.problems == []
    page = built.read_page("/projects/marconi/")
    for alt_text in ("A tree of prefixes", "Hit rates of three caches", "The testbed"):
        assert re.search(rf'<img [^>]*alt="{alt_text}', page), alt_text
    assert 'width="300" height="225"' in page
    assert built.read_page("/projects/rig/").count('<figure class="media"') == 5
    assert built.read_page("/gallery/").count("data-picture") == 2
    assert "<video" in built.read_page("/publications/own/")


def test_the_limits_are_those_of_the_program() -> None:
    assert f"wider than {MAX_WIDTH} or taller than {MAX_HEIGHT} pixels" in PAGE
