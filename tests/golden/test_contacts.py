"""The head of a CV: the name and the contacts."""

import re

from conftest import Make
from pdfs import pdf_of, tags_of
from PIL import Image

CONTACTS = """\
-- content/profile.yaml --
name: Ada Example
email: name@example.edu
photo: ada.png
links: {github: ada, orcid: 0000-0002-1825-0097, scholar: abc, website: "https://www.ada.example.edu/", My lab: "https://lab.example.edu/x"}
-- content/awards.yaml --
- Prize
"""


def test_a_telephone_is_no_icon_in_a_row_of_icons(site: Make) -> None:
    links = ", ".join(f"{name}: ada" for name in ("bluesky", "dblp", "github", "osf", "kaggle"))
    profile = f'name: Ada\nphoto: ada.png\nlinks: {{{links}, Phone: "tel:+1-555-0100"}}\n'
    sources = site(f"-- content/profile.yaml --\n{profile}")
    Image.effect_noise((500, 600), 80).convert("RGB").save(sources.root / "content/ada.png")
    page = sources.build().read_page("/")
    assert page.count('<span class="vh">') >= 5
    word = r'<span class="word">Phone: \+1-555-0100</span></a>'
    assert re.search(rf'href="tel:[^"]*"[^>]*>(?:<svg.*?</svg>)?{word}', page)


def test_of_more_than_six_links_five_are_in_the_row(site: Make) -> None:
    links = ", ".join(
        f"{name}: ada" for name in ("bluesky", "dblp", "github", "osf", "kaggle", "zotero", "orcid")
    )
    page = site(f"-- content/profile.yaml --\nname: Ada\nlinks: {{{links}}}\n").build().read_page("/")
    row, _, folded = page.partition("<summary>Links</summary>")
    assert (row.count('rel="me"'), folded.count('rel="me"')) == (5, 2)


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
