"""Parsers of sources accept any text: none raises an exception, and none drops text silently."""

from hypothesis import given, settings
from hypothesis import strategies as st
from pieces import read_pieces

from tenure.markdown.html import make_slug, plain_text, render_inline, render_markdown
from tenure.model.dates import parse_date, parse_period
from tenure.model.entries import Markdown, Publication
from tenure.model.names import Name, fold_text
from tenure.plan.citations import CitationLibrary, remove_citations
from tenure.problems import Problems, format_problem
from tenure.sources.bibtex.reader import read_bibtex
from tenure.sources.latex.conversion import latex_to_markdown, latex_to_text, latex_to_url
from tenure.sources.publications.author_names import parse_authors

quick = settings(max_examples=150)

PAPER = Publication(key="k", kind="misc", title=Markdown("T"))


def draw_texts(*samples: str) -> st.SearchStrategy[str]:
    """Draw texts from these samples and any other characters."""
    return st.lists(st.sampled_from(samples) | st.text(max_size=3), max_size=14).map("".join)


LATEX = draw_texts(
    *read_pieces("never raises: latex"),
    *("\\emph", "\\'", '\\"', "\\c", "\\t", "\\i", "\\url", "\\href", "\\(", "\\)", "\\[", "\\ensuremath"),
    *("\\cite", "{\\em ", "\\par", "\\foo", "\\texttt", "\\enquote", "a", "b c", " ", "\n\n", "\0", "1. "),
)
BIBTEX_WORDS = "author|year|and|{A}|2020|jan|@misc{k, title={T}}|%".split("|")
BIBTEX = draw_texts(*read_pieces("never raises: bibtex"), *BIBTEX_WORDS)
NAMES = draw_texts(*read_pieces("never raises: names"), *"family= given= prefix= Jr. \\'e - .".split())
DATE_WORDS = "~|(expected)|to|to date|until|of|th|??|c.".split("|")
DATES = draw_texts(*read_pieces("never raises: dates"), *DATE_WORDS)
MARKS = "* _ ` ``` # - + 1. > | --- : !!! [ ] ( ) [^1] $ $$".split()
MARKDOWN = draw_texts(*MARKS, *read_pieces("never raises: markdown"))


@quick
@given(LATEX)
def test_any_latex_is_accepted(value: str) -> None:
    assert isinstance(latex_to_markdown(value).text, str)
    assert isinstance(latex_to_text(value).text, str)
    assert isinstance(latex_to_url(value), str)


@quick
@given(NAMES | LATEX)
def test_any_author_list_is_accepted(value: str) -> None:
    read = parse_authors(value)
    assert all(author.name.full_name for author in read.authors.people)
    assert read.authors.people or read.authors.others or read.issues


@quick
@given(BIBTEX)
def test_any_bibtex_is_accepted(text: str) -> None:
    problems = Problems()
    problems.add_source("x.bib", text)
    nodes = read_bibtex(text, "x.bib", problems)
    reported = problems.sorted_problems()
    assert len(nodes.entries) <= nodes.entry_count
    assert reported or len(nodes.entries) == nodes.entry_count
    assert all(format_problem(problem) and problem.place.line <= text.count("\n") + 1 for problem in reported)


@quick
@given(DATES)
def test_dates(text: str) -> None:
    date, period = parse_date(text), parse_period(text)
    assert period is None or period.start is not None
    assert date is None or (period is not None and period.start == date)
    assert date is None or date.month is None or 1 <= date.month <= 12


@quick
@given(NAMES)
def test_any_name_is_accepted(text: str) -> None:
    if text.replace(",", " ").strip():
        assert Name.parse(text).full_name
    assert fold_text(fold_text(text)) == fold_text(text)


@quick
@given(MARKDOWN)
def test_any_markdown_is_accepted(text: str) -> None:
    assert isinstance(render_markdown(text, 3), str)
    assert not render_inline(text).startswith(("<p>", "<ul>", "<ol>", "<blockquote>", "<h1"))
    assert plain_text(text) == " ".join(plain_text(text).split())


CITATION_WORDS = "a@b.org|https://|see |p. 3|k|.|/|\n|~~~\n".split("|")
CITATIONS = draw_texts(*read_pieces("never raises: citations"), *CITATION_WORDS)
WORDS_OF_CITATIONS = ("comma", "semicolon", "et_al")


@quick
@given(CITATIONS)
def test_any_citation_is_accepted(text: str) -> None:
    words = {**dict.fromkeys(WORDS_OF_CITATIONS, ", "), "and_two": "{first}{last}", "no_date": "n.d."}
    library = CitationLibrary({"k": PAPER}, words, lambda _: "/k/")
    cited = library.resolve_citations(text)
    assert ("</k/>" in cited.text) == bool(cited.publications)
    assert bool(cited.publications) or "@k" not in (citation for _, citation in cited.unresolved)
    assert len(remove_citations(text)) <= len(text)
    assert "</k/>" not in library.render_without_links(text)


@quick
@given(st.text(max_size=30))
def test_slug(text: str) -> None:
    slug = make_slug(text)
    assert make_slug(slug) == slug
    assert not set(slug) & set(" /\\.?#%&\"'<>:")
    assert slug.strip("-") == slug
