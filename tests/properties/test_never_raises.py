"""Readers of what people write read anything: nothing raises, and nothing is lost without a word."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tenure.model.dates import read_date, read_period
from tenure.model.names import Name, fold
from tenure.model.scholar import Markdown, Publication
from tenure.problems import Problems, written
from tenure.sources.bibtex import read_bibtex
from tenure.sources.latex import to_address, to_markdown, to_text
from tenure.sources.people import read_authors
from tenure.text import inline, plain, slug, to_html
from tenure.web.citations import Library, without_citations

quick = settings(max_examples=150, deadline=None, derandomize=True)

PAPER = Publication(key="k", kind="misc", title=Markdown("T"))


def texts(*pieces: str) -> st.SearchStrategy[str]:
    """Texts of these pieces, among which anything else may stand."""
    return st.lists(st.sampled_from(pieces) | st.text(max_size=3), max_size=14).map("".join)


LATEX = texts(
    *(
        "\\",
        "{",
        "}",
        "$",
        "$$",
        "~",
        "`",
        "``",
        "'",
        "''",
        "-",
        "--",
        "[",
        "]",
        "<",
        "<i>",
        "_",
        "*",
        "&",
        "#",
    ),
    *("\\emph", "\\'", '\\"', "\\c", "\\t", "\\i", "\\url", "\\href", "\\(", "\\)", "\\[", "\\ensuremath"),
    *("\\cite", "{\\em ", "\\par", "\\foo", "\\texttt", "\\enquote", "a", "b c", " ", "\n\n", "\0", "1. "),
)
BIBTEX = texts(
    *(
        "@",
        "@misc",
        "@string{",
        "@comment",
        "{",
        "}",
        "(",
        ")",
        "k,",
        ",",
        "=",
        '"',
        "#",
        "\n",
        " ",
        "\\",
        "title",
    ),
    *("author", "year", "and", "{A}", "2020", "jan", "@misc{k, title={T}}", "%"),
)
NAMES = texts(
    *(
        " and ",
        ",",
        " ",
        "{",
        "}",
        "\\textbf{",
        "{\\bf ",
        "*",
        "$^*$",
        "~",
        "de",
        "Pan",
        "王",
        "others",
        "et al.",
    ),
    *("family=", "given=", "prefix=", "Jr.", "\\'e", "-", "."),
)
DATES = texts(
    *(
        "2024",
        "20xx",
        "24",
        "09",
        "9",
        "31",
        "-",
        "–",
        "/",
        ".",
        " ",
        ",",
        "'",
        "Sep",
        "sept.",
        "Fall",
        "present",
    ),
    *("~", "(expected)", "to", "to date", "until", "of", "th", "??", "c."),
)
MARKDOWN = texts(
    *(
        "*",
        "_",
        "`",
        "```",
        "#",
        "-",
        "+",
        "1.",
        ">",
        "|",
        "---",
        ":",
        "!!!",
        "[",
        "]",
        "(",
        ")",
        "[^1]",
        "$",
        "$$",
    ),
    *(
        "<",
        "</",
        "<b>",
        "&",
        "\\",
        "\n",
        "\n\n",
        "    ",
        "'",
        '"',
        "{",
        "}",
        "{#a}",
        "a",
        " ",
        "\\frac{",
        "[TOC]",
    ),
)


@quick
@given(LATEX)
def test_latex(value: str) -> None:
    assert isinstance(to_markdown(value).text, str)
    assert isinstance(to_text(value).text, str)
    assert isinstance(to_address(value), str)


@quick
@given(NAMES | LATEX)
def test_authors(value: str) -> None:
    read = read_authors(value)
    assert all(author.name.full for author in read.authors.people)
    assert read.authors.people or read.authors.others or read.complaints


@quick
@given(BIBTEX)
def test_bibtex(text: str) -> None:
    problems = Problems()
    problems.know("x.bib", text)
    found = read_bibtex(text, "x.bib", problems)
    told = problems.told()
    assert len(found.entries) <= found.found
    assert told or len(found.entries) == found.found
    assert all(written(problem) and problem.place.line <= text.count("\n") + 1 for problem in told)


@quick
@given(DATES)
def test_dates(text: str) -> None:
    date, period = read_date(text), read_period(text)
    assert period is None or period.start is not None
    assert date is None or (period is not None and period.start == date)
    assert date is None or date.month is None or 1 <= date.month <= 12


@quick
@given(NAMES)
def test_plain_names(text: str) -> None:
    if text.replace(",", " ").strip():
        assert Name.parse(text).full
    assert fold(fold(text)) == fold(text)


@quick
@given(MARKDOWN)
def test_markdown(text: str) -> None:
    assert isinstance(to_html(text, 3), str)
    assert not inline(text).startswith(("<p>", "<ul>", "<ol>", "<blockquote>", "<h1"))
    assert plain(text) == " ".join(plain(text).split())


CITATIONS = texts(
    *(
        "[",
        "]",
        "@",
        "@k",
        "-@k",
        "[@k",
        "[-@",
        ";",
        ",",
        " ",
        "\\",
        "\\@",
        "(",
        ")",
        "`",
        "```\n",
        "$",
        "$$",
        "<",
        ">",
    ),
    *("a@b.org", "https://", "see ", "p. 3", "k", ".", "/", "\n", "~~~\n"),
)


WORDS_OF_CITATIONS = ("comma", "semicolon", "et_al")


@quick
@given(CITATIONS)
def test_citations(text: str) -> None:
    library = Library(
        {"k": PAPER},
        {**dict.fromkeys(WORDS_OF_CITATIONS, ", "), "and_two": "{first}{last}", "no_date": "n.d."},
        lambda _: "/k/",
    )
    cited = library.cite(text)
    assert ("</k/>" in cited.text) == bool(cited.publications)
    assert bool(cited.publications) or "k" not in (*cited.unknown, *cited.doubtful)
    assert len(without_citations(text)) <= len(text)
    assert "</k/>" not in library.spoken(text)


@quick
@given(st.text(max_size=30))
def test_slug(text: str) -> None:
    made = slug(text)
    assert slug(made) == made
    assert not set(made) & set(" /\\.?#%&\"'<>:")
    assert made.strip("-") == made
