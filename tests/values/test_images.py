"""Images on pages: sizes, versions, lazy loading, copies without metadata, problems, and the cache."""

import io
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from html import unescape

import pytest
from conftest import ROOT, Built, Sources
from PIL import Image, ImageOps
from sample_images import create_exif, draw_picture, encode_image

Make = Callable[[str], Sources]

SITE = """-- content/profile.yaml --
name: Ada Example
photo: me.jpg
-- content/about.md --
I study caches. ![The "lab"](images/lab.png)
-- content/posts/first.md --
---
title: First
date: 2024-05
image: images/lab.png
image_alt: Racks > desks
---
![At half](images/lab.png){width=50%} ![Small](images/lab.png){width=300} ![Icon](icon.svg#part)
![](images/dot.png){role=presentation}

[The whole poster](poster.jpg) ![The poster](poster.jpg)
-- content/icon.svg --
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 30"/>
"""


@pytest.fixture
def sources(site: Make) -> Sources:
    """Write a site with a rotated photo, a drawing, images in texts, and a poster to download."""
    site_sources = site(SITE)
    for name, body in {
        "me.jpg": encode_image(draw_picture(1200, 900), "JPEG", exif=create_exif(6)),
        "poster.jpg": encode_image(draw_picture(2400, 1200), "JPEG", exif=create_exif(1)),
        "files/unshown.jpg": encode_image(draw_picture(1800, 900), "JPEG", exif=create_exif(1)),
        "images/lab.png": encode_image(draw_picture(900, 600), "PNG", exif=create_exif(1)),
        "images/dot.png": encode_image(draw_picture(8, 8), "PNG"),
    }.items():
        path = site_sources.root / "content" / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(body)
    return site_sources


def find_images(built: Built, page: str) -> dict[str, dict[str, str]]:
    """Return the attributes of every <img> of a page, by its alt text."""
    result = {}
    for tag in re.findall(r"<img [^>]*>", built.read_page(page)):
        attributes = {name: unescape(value) for name, value in re.findall(r'([\w-]+)="([^"]*)"', tag)}
        result[attributes["alt"]] = attributes
    return result


def read_built_files(built: Built) -> dict[str, bytes]:
    return {artifact.path: artifact.read() for artifact in built.build.artifacts}


def measure_image(body: bytes) -> tuple[int, int]:
    """Return the size of an image as a browser shows it, upright."""
    with Image.open(io.BytesIO(body)) as image:
        return ImageOps.exif_transpose(image).size


def test_an_image_in_a_text_has_size_and_versions(sources: Sources) -> None:
    built = sources.build()
    assert built.problems == []
    lab = find_images(built, "/")['The "lab"']
    assert (lab["width"], lab["height"], lab["loading"], lab["decoding"]) == ("900", "600", "lazy", "async")
    assert lab["sizes"] == "auto, (min-width: 45rem) 42rem, 100vw"
    assert lab["src"] == "images/lab.png"
    listed = re.findall(r"(assets/pictures/lab-(\d+)\.[0-9a-f]{10}\.webp) (\d+)w", lab["srcset"])
    assert [(w, stated) for _, w, stated in listed] == [(n, n) for n in ("240", "480", "900")]
    for path, width, _ in listed:
        assert measure_image(read_built_files(built)[path]) == (int(width), int(width) * 2 // 3)


def test_the_profile_photo_is_upright_and_loaded_first(sources: Sources) -> None:
    built = sources.build()
    photo = find_images(built, "/")["Portrait of Ada Example"]
    width = int(photo["width"])
    assert (photo["loading"], photo["sizes"]) == ("eager", f"{width}px")
    assert "decoding" not in photo
    assert [
        measure_image(read_built_files(built)[path]) for path in re.findall(r"(\S+) \d+w", photo["srcset"])
    ] == [(240, 320), (480, 640), (900, 1200)]
    assert measure_image(read_built_files(built)[photo["src"]]) == (900, 1200)


def test_widths_that_a_text_gives(sources: Sources) -> None:
    markup = find_images(sources.build(), "/posts/first/")
    half = markup["At half"]
    assert (half["width"], half["height"], half["sizes"]) == ("336", "224", "336px")
    assert "style" not in half
    assert (markup["Small"]["width"], markup["Small"]["height"], markup["Small"]["sizes"]) == (
        "300",
        "200",
        "300px",
    )


def test_svg_images_have_a_size_and_decorative_images_no_role(sources: Sources) -> None:
    markup = find_images(sources.build(), "/posts/first/")
    assert (markup["Icon"]["width"], markup["Icon"]["height"]) == ("40", "30")
    assert markup["Icon"]["src"] == "../../icon.svg#part"
    assert "srcset" not in markup["Icon"]
    assert "role" not in markup[""]


def test_the_first_image_of_a_page_is_not_lazy(sources: Sources) -> None:
    markup = find_images(sources.build(), "/posts/first/")
    first = markup.pop(next(iter(markup)))
    assert first["loading"] == "eager"
    assert "decoding" not in first
    assert "auto" not in first["sizes"]
    assert {picture["loading"] for picture in markup.values()} == {"lazy"}


def test_copied_images_keep_their_urls_and_lose_metadata(sources: Sources) -> None:
    published = read_built_files(sources.build())
    for path, body in published.items():
        assert b"Tenure Camera" not in body, path
        assert b"2024:05:06" not in body, path
    assert measure_image(published["me.jpg"]) == (900, 1200)
    assert measure_image(published["images/lab.png"]) == (900, 600)
    assert measure_image(published["files/unshown.jpg"]) == (1800, 900)
    assert measure_image(published["poster.jpg"]) == (2400, 1200), "a page links to it"


def test_a_huge_image_is_reduced_at_its_own_url(sources: Sources) -> None:
    sources.edit_files("-- content/about.md --\n![The poster](poster.jpg)\n")
    sources.edit_files("-- content/posts/first.md --\n---\ntitle: First\ndate: 2024\n---\nText.\n")
    assert measure_image(read_built_files(sources.build())["poster.jpg"]) == (1600, 800)


def test_a_publication_has_its_image(site: Make) -> None:
    sources = site(
        "-- bib/papers.bib --\n@misc{one, title={One}, author={Example, Ada}, year={2024}, preview={tree.png}}\n"
    )
    (sources.root / "bib/tree.png").write_bytes(
        encode_image(draw_picture(700, 500), "PNG", exif=create_exif(1))
    )
    built = sources.build()
    (tree,) = find_images(built, "/publications/one/").values()
    assert (tree["width"], tree["height"], tree["alt"]) == ("700", "500", "")
    assert tree["src"] == "tree.png"
    assert b"Tenure Camera" not in read_built_files(built)["publications/one/tree.png"]


def test_images_on_the_404_page_work(sources: Sources) -> None:
    """Its URLs begin at the root of the site, as the page is shown at any path."""
    sources.edit_files(
        '-- themes/classic/pages/404.html --\n<p><img src="{{ \'me.jpg\'|url }}" alt="Me"></p>\n'
    )
    attributes = find_images(sources.build(base_url="https://example.edu/~ada/"), "/404.html")["Me"]
    assert attributes["src"] == "/~ada/me.jpg"
    assert re.fullmatch(
        r"(/~ada/assets/pictures/me-\d+\.[0-9a-f]{10}\.webp \d+w(, |$))+", attributes["srcset"]
    )


def test_a_missing_or_damaged_cache_gives_the_same_bytes(sources: Sources) -> None:
    first = read_built_files(sources.build_cached())
    cache = sources.root / ".cache/pictures"
    assert len(list(cache.iterdir())) == 3
    assert read_built_files(sources.build_cached()) == first
    for number, path in enumerate(sorted(cache.iterdir())):
        body = path.read_bytes()
        path.write_bytes((b"", body[:-9], body[:30] + b"!" + body[31:])[number])
    assert read_built_files(sources.build_cached()) == first
    shutil.rmtree(cache)
    assert read_built_files(sources.build_cached()) == first
    shutil.rmtree(cache)
    cache.write_text("in the way")
    assert read_built_files(sources.build_cached()) == first


def test_a_warm_build_does_not_load_pillow(sources: Sources) -> None:
    first = read_built_files(sources.build_cached())
    script = (
        "import sys; from pathlib import Path; from tenure.build import build_site\n"
        f"made = build_site(Path({str(sources.root)!r}))\n"
        "assert not made.has_errors and 'PIL' not in sys.modules, 'loaded'\nprint(len(made.artifacts))"
    )
    result = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )
    assert (result.stdout.strip(), result.stderr) == (str(len(first)), "")


def test_a_site_without_images_imports_no_image_library() -> None:
    script = (
        "import sys; from pathlib import Path; from tenure.build import build_site\n"
        "from tenure.cache.store import CacheStore\n"
        f"build_site(Path({str(ROOT / 'examples/projects-page')!r}), store=CacheStore())\n"
        "print([name for name in sys.modules if name in ('PIL', 'tenure.exports.card')])"
    )
    result = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    assert result.stdout.strip() == "[]"


def test_unused_cached_images_are_removed(sources: Sources, monkeypatch: pytest.MonkeyPatch) -> None:
    from tenure.images import library

    sources.build_cached()
    cache = sources.root / ".cache/pictures"
    before = {path.name for path in cache.iterdir()}
    (sources.root / "content/me.jpg").write_bytes(encode_image(draw_picture(800, 800), "JPEG"))
    sources.build_cached()
    assert before < {path.name for path in cache.iterdir()}
    monkeypatch.setattr(library, "MAX_CACHE_BYTES", 1000)
    (sources.root / "content/me.jpg").write_bytes(encode_image(draw_picture(700, 700), "JPEG"))
    (cache / "gone").symlink_to("as where another build has just dropped it")
    sources.build_cached()
    (cache / "gone").unlink()
    names_after = {path.name for path in cache.iterdir()}
    assert len(names_after) == 3
    assert len(names_after & before) == 2


def test_images_that_cannot_be_shown_are_reported(sources: Sources) -> None:
    content = sources.root / "content"
    (content / "me.jpg").write_bytes((content / "me.jpg").read_bytes()[:900])
    (content / "images/lab.png").write_bytes(b"(a file)")
    (content / "icon.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg">\n<script/>\n</svg>')
    built = sources.build()
    assert [line.split("\n")[0] for line in built.problems] == [
        "content/icon.svg: error: the drawing icon.svg is not shown: it contains a script",
        "content/images/lab.png: error: this image cannot be read",
        "content/me.jpg: error: this image cannot be read",
    ]


def test_a_format_without_metadata_removal_is_reported(sources: Sources) -> None:
    (sources.root / "content/files/desk.avif").write_bytes(
        encode_image(draw_picture(), "AVIF", exif=create_exif())
    )
    assert sources.build().codes == ["picture-data"]


def test_missing_alt_text_is_reported_and_empty_alt_text_is_accepted(site: Make) -> None:
    sources = site("-- content/projects/one.md --\n---\ntitle: One\nimage: a.png\n---\nText.\n")
    (sources.root / "content/a.png").write_bytes(encode_image(draw_picture(), "PNG"))
    assert sources.build().codes == ["missing-alt"]
    sources.edit_files(
        '-- content/projects/one.md --\n---\ntitle: One\nimage: a.png\nimage_alt: ""\n---\nText.\n'
    )
    built = sources.build()
    assert built.codes == []
    assert list(find_images(built, "/projects/one/")) == [""]


def test_external_images_and_own_sources_are_unchanged(sources: Sources) -> None:
    sources.edit_files(
        '-- content/about.md --\n<img src="https://example.org/x.png" alt="x"> '
        '<img src="images/lab.png" alt="y" srcset="me.jpg 2x" width="30" height="20" loading="eager">\n'
    )
    page = sources.build().read_page("/")
    assert '<img src="https://example.org/x.png" alt="x">' in page
    mine = re.search(r'<img src="images/lab.png" alt="y" srcset="me.jpg 2x" width="30" height="20"', page)
    assert mine
