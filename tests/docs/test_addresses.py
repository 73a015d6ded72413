"""README and the documentation have the addresses of `[project.urls]`, and no other address of the project."""

import re
from pathlib import Path

import pytest
from conftest import ROOT, load_module

addresses = load_module("tools/addresses.py")
URLS = {
    "Repository": "https://git.example.org/ada/tenure",
    "Issues": "https://git.example.org/ada/tenure/issues",
    "Try it": "https://ada.example.org/try/",
    "Package": "https://pypi.example.org/tenure/",
    "Template": "https://git.example.org/ada/site",
}


@pytest.mark.parametrize("name", addresses.PAGES)
def test_the_pages_have_the_addresses_of_the_table(name: str) -> None:
    """If this fails, run `python tools/addresses.py`."""
    text = (ROOT / name).read_text("utf-8")
    assert addresses.update_page(text, addresses.read_urls(ROOT)) == text


def test_readme_has_no_other_address() -> None:
    found = re.findall(r"https?://[^\s)>\"`]+", (ROOT / "README.md").read_text("utf-8"))
    assert set(found) <= set(addresses.read_urls(ROOT).values())


def test_every_address_of_the_table_is_in_a_page_and_goes_again() -> None:
    texts = [(ROOT / name).read_text("utf-8") for name in addresses.PAGES]
    published = [addresses.update_page(text, URLS) for text in texts]
    assert [url for url in URLS.values() if url not in "".join(published)] == []
    local = [addresses.update_page(text, {}) for text in texts]
    assert [addresses.update_page(text, {}) for text in published] == local
    assert "example.org" not in local[0]


@pytest.mark.parametrize("page", sorted((ROOT / "docs/content").rglob("*.md")), ids=lambda page: page.stem)
def test_no_link_leads_out_of_the_documentation(page: Path) -> None:
    assert re.findall(r"\]\(/?\.\./\.\.[^)]*\)|\]\(/\.\.[^)]*\)", page.read_text("utf-8")) == []
