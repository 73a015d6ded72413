"""A cover letter in its three formats, and that it stays out of the site."""

import re
import zipfile
from importlib import import_module
from pathlib import Path

import pytest
from conftest import ROOT, Capture, Make, Patch, read_files, read_site, run_in
from golden import compare_with_file
from pdfs import pages_of, words_of
from PIL import Image

SITE = read_site("letter")
GOLDEN = Path(__file__).parent / "letter/texts.txt"
PRIVATE = ("Xylander", "Zephyrine", "Quillon", "Wyvern")
"""Words that stand in the address, the subject, the text and the name of the letter alone."""


@pytest.fixture
def root(site: Make) -> Path:
    folder = site(SITE).root
    Image.new("RGBA", (400, 120), "navy").save(folder / "letters/signature.png")
    return folder


def export_letter(root: Path, ending: str) -> bytes:
    file = root / f"made.{ending}"
    assert run_in(root, "export", "letter", "wyvern", "--output", str(file)) == 0
    return file.read_bytes()


def test_a_letter_has_its_parts_in_each_format(
    root: Path, capsys: Capture, request: pytest.FixtureRequest
) -> None:
    pdf = export_letter(root, "pdf")
    latex = export_letter(root, "tex").decode().partition("\\begin{document}\n")[2]
    export_letter(root, "docx")
    with zipfile.ZipFile(root / "made.docx") as package:
        document = package.read("word/document.xml").decode()
        assert package.read("word/media/signature.jpg").startswith(b"\xff\xd8\xff")
    paragraphs = re.findall(r'<w:p>.*?<w:pStyle w:val="(\w+)"/>(.*?)</w:p>', document, re.DOTALL)
    word = [f"{style}: {re.sub('<[^>]+>', '', runs).strip()}\n" for style, runs in paragraphs]
    assert capsys.readouterr().err.count("\n") == 3
    assert pages_of(pdf) == 1
    assert b"/Subtype/Image" in pdf.replace(b" ", b"")

    actual = f"==== PDF\n{words_of(pdf)}\n==== Word\n{''.join(word)}==== LaTeX\n{latex}"
    compare_with_file(GOLDEN, actual, update=request.config.getoption("--update"))


def test_s12_no_word_of_a_letter_is_published(root: Path) -> None:
    export_letter(root, "pdf")
    assert run_in(root, "build") == 0
    files = read_files(root / "output")
    published = "\n".join([*files, *(body.decode("latin-1") for body in files.values())]).casefold()
    pdfs = " ".join(words_of(body) for name, body in files.items() if name.endswith(".pdf")).casefold()
    assert "caching" in published
    assert "caching" in pdfs
    assert [word for word in PRIVATE if word.casefold() in published + pdfs] == []


def test_a_letter_of_two_pages_is_reported(root: Path, capsys: Capture) -> None:
    letter = root / "letters/wyvern.md"
    letter.write_text(letter.read_text("utf-8") + "\n\nWords of a long letter.\n" * 75, "utf-8")
    export_letter(root, "pdf")
    message = "letters/wyvern.md:2:1: warning: wyvern.pdf has 2 pages; the limit is 1"
    assert message in capsys.readouterr().err


def test_the_page_try_it_keeps_letters(root: Path, monkeypatch: Patch) -> None:
    """A site that is begun with a zip of sources has them; the zip of the site does not."""
    monkeypatch.syspath_prepend(ROOT / "browser/engine")
    begin = import_module("begin")
    names = (
        "site.yaml",
        "content/profile.yaml",
        "bib/papers.bib",
        "letters/wyvern.md",
        "letters/signature.png",
    )
    sources = {name: (root / name).read_bytes() for name in names}

    taken = begin.read_zip(begin.write_zip(sources))
    assert begin.begin_from_files(taken, "site")["sources"].keys() >= sources.keys()
    packed = begin.read_zip(begin.pack_site(root))
    assert "index.html" in packed
    assert [name for name in packed if "wyvern" in name or "signature" in name] == []
