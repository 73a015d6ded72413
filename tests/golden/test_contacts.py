"""The head of a CV: the name and the contacts."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Sources, write_files
from pdfs import pdf_of, tags_of, words_of
from PIL import Image

from tenure.build import build_site

Make = Callable[[str], Sources]

SERVICES = (
    """github scholar orcid linkedin bluesky dblp openreview huggingface kaggle osf zotero youtube""".split()
)


CONTACTS = """\
-- content/profile.yaml --
name: Ada Example
email: name@example.edu
photo: ada.png
links: {github: ada, orcid: 0000-0002-1825-0097, scholar: abc, website: "https://www.ada.example.edu/", My lab: "https://lab.example.edu/x"}
-- content/awards.yaml --
- Prize
"""

SHORT = ["github.com/ada", "orcid.org/0000-0002-1825-0097", "Google Scholar: scholar.google.com/citations?user=abc",
    "ada.example.edu", "My lab: lab.example.edu/x"]  # fmt: skip
NAMES = ["GitHub", "ORCID", "Google Scholar", "Website", "My lab"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("", NAMES),
        ("addresses: names", NAMES),
        ("icons: true", NAMES),
        ("addresses: short", SHORT),
        ("addresses: short, icons: true", [SHORT[0], SHORT[1], SHORT[2].partition(": ")[2], *SHORT[3:]]),
    ],
)
def test_links_are_printed_as_addresses_or_names(site: Make, options: str, expected: list[str]) -> None:
    result = site(f"{CONTACTS}-- site.yaml --\ncvs: {{cv: {{{options}}}}}\n").build(pdf=True)
    text = words_of(pdf_of(result.build))
    head = text.partition("Awards")[0].replace("|", " ").split("name@example.edu")[1]
    assert " ".join(head.split()) == " ".join(expected)


PHONES = """\
-- content/profile.yaml --
name: Ada Example
links: {Phone: "tel:+1-555-0100", github: ada}
-- content/people.yaml --
- {name: Bo Lee, role: PhD student, links: {Mobile: "tel:+1-555-0199"}}
"""


@pytest.mark.parametrize("options", ["", "addresses: names", "icons: true"])
def test_a_telephone_is_its_number_on_pages_and_in_all_cvs(site: Make, options: str) -> None:
    sources = site(f"{PHONES}-- site.yaml --\npages: [home, cv, people]\ncvs: {{cv: {{{options}}}}}\n")
    result = sources.build(pdf=True)
    texts = [
        *map(result.read_words, ("/", "/cv/")),
        words_of(pdf_of(result.build)),
        *map(result.read_page, ("cv.md", "cv.txt")),
    ]
    for text in texts:
        assert "Phone: +1-555-0100" in text
        assert "tel:" not in text
    assert "Mobile: +1-555-0199" in result.read_words("/people/")


def test_a_telephone_is_no_icon_in_a_row_of_icons(site: Make) -> None:
    links = ", ".join(f"{name}: ada" for name in ("bluesky", "dblp", "github", "osf", "kaggle", "zotero"))
    profile = f'name: Ada\nphoto: ada.png\nlinks: {{{links}, Phone: "tel:+1-555-0100"}}\n'
    sources = site(f"-- content/profile.yaml --\n{profile}")
    Image.effect_noise((500, 600), 80).convert("RGB").save(sources.root / "content/ada.png")
    page = sources.build().read_page("/")
    assert page.count('<span class="vh">') >= 6
    assert re.search(
        r'href="tel:[^"]*"[^>]*>(?:<svg.*?</svg>)?<span class="word">Phone: \+1-555-0100</span></a>', page
    )


def image_count(body: bytes) -> int:
    return len(re.findall(rb"/Subtype\s*/Image", body))


def test_the_photo_is_printed_and_described(site: Make) -> None:
    sources = site(f"{CONTACTS}-- site.yaml --\ncvs: {{cv: {{}}, with: {{photo: true}}}}\n")
    Image.effect_noise((500, 600), 80).convert("RGB").save(sources.root / "content/ada.png")
    result = sources.build(pdf=True)
    assert result.problems == []
    without, with_photo = (pdf_of(result.build, f"{name}.pdf") for name in ("cv", "with"))
    assert (image_count(without), image_count(with_photo)) == (0, 1)
    assert "Figure" in tags_of(with_photo)
    assert len(with_photo) - len(without) < 140 * 1024, "noise is the largest of all photos"
    Image.new("RGB", (300, 300)).save(sources.root / "content/ada.png")
    assert pdf_of(sources.build_cached(pdf=True).build, "with.pdf") != with_photo


@pytest.mark.parametrize("theme", ["base", "classic", "folio"])
def test_no_line_of_contacts_ends_with_a_separator(tmp_path: Path, theme: str) -> None:
    links = ", ".join(f"{name}: ada" for name in SERVICES)
    write_files(
        tmp_path,
        "-- site.yaml --\nurl: https://ada.example.edu/\n"
        f"-- content/profile.yaml --\nname: Ada Example\nemail: name@example.edu\nlinks: {{{links}}}\nlocation: Springfield\n"
        "-- content/awards.yaml --\n- {title: A prize, date: 2024}\n",
    )
    text = words_of(pdf_of(build_site(tmp_path, theme=theme)))
    assert "ada.example.edu" in text
    assert "Springfield" in text
    lines = [line.strip() for line in text.splitlines()]
    assert [line for line in lines if re.search(r"^[|·]|[|·]$", line)] == []
