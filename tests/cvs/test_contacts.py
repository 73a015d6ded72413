"""The head of a CV: who, and where to be found."""

import re
from pathlib import Path

import pytest
from conftest import write
from pdfs import pdf_of, words_of

from tenure.build import build_site

SERVICES = [
    "github",
    "scholar",
    "orcid",
    "linkedin",
    "bluesky",
    "dblp",
    "openreview",
    "huggingface",
    "kaggle",
    "osf",
    "zotero",
    "youtube",
]


@pytest.mark.parametrize("theme", ["base", "classic", "folio"])
def test_no_line_of_contacts_ends_with_a_separator(tmp_path: Path, theme: str) -> None:
    links = ", ".join(f"{name}: ada" for name in SERVICES)
    write(
        tmp_path,
        "-- site.yaml --\nurl: https://ada.example.edu/\n"
        f"-- content/profile.yaml --\nname: Ada Example\nemail: name@example.edu\nlinks: {{{links}}}\nlocation: Springfield\n"
        "-- content/awards.yaml --\n- {title: A prize, date: 2024}\n",
    )
    words = words_of(pdf_of(build_site(tmp_path, theme=theme)))
    assert "ada.example.edu" in words
    assert "Springfield" in words
    lines = [line.strip() for line in words.splitlines()]
    assert [line for line in lines if re.search(r"^[|·]|[|·]$", line)] == []
