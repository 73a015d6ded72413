""".bib files that programs write: escapes of Mendeley, notes of Zotero, HTML, Markdown, and hostile content."""

from collections.abc import Callable

import pytest
from conftest import Built, Sources

from tenure.markdown.html import render_inline, render_markdown
from tenure.sources.bibtex.latex import latex_to_markdown
from tenure.sources.bibtex.values import MAX_JOINED_LENGTH

Make = Callable[[str], Sources]


def build_entry(site: Make, fields: str, *, kind: str = "article", more: str = "") -> Built:
    """Build a site with one entry."""
    journal = "" if "journal" in fields else "journal = {J}, "
    title = "" if "title" in fields else "title = {Title}, "
    author = "" if "author =" in fields else "author = {Example, Ada}, "
    entry = f"@{kind}{{one, {title}{author}{journal}year = 2020, {fields}}}\n"
    return site(f"-- content/profile.yaml --\nname: Ada Example\n-- bib/papers.bib --\n{entry}{more}").build()


def test_paragraphs_and_urls_in_texts() -> None:
    abstract = "<p>One <i>two</i>.</p><p>See https://x.example/a_b?c=1\\&d=2, or (http://y.example).</p>"
    page = render_markdown(latex_to_markdown(abstract, True).text)
    assert page.count("<p") == 2
    assert 'href="https://x.example/a_b?c=1&amp;d=2"' in page
    assert 'href="http://y.example"' in page
    link = latex_to_markdown("\\href{https://x.example}{https://x.example}", True).text
    assert render_inline(link).count("<a ") == 1


@pytest.mark.parametrize("title", ["~", r"\,", "<b></b>", r"$\hbox{}$", "{}", "\ufeff"])
def test_a_title_without_words_is_a_warning(site: Make, title: str) -> None:
    built = build_entry(site, f"title = {{{title}}}")
    assert built.codes == ["bib-missing-field"]
    assert built.site.publications[0].title == "one"


@pytest.mark.parametrize(
    "title",
    [
        r"A 5$\,$GHz amplifier",
        r"B $\quad$ $\;$ $\hspace{1em}$ $\phantom{}$",
        r"C $\frac{a}$ $\binom{a}$ $\limits$",
        "D " + "$" + r"\sqrt{" * 60 + "x" + "}" * 60 + "$",
        "E\ufeff",
    ],
)
def test_a_formula_does_not_stop_the_pdf(site: Make, title: str) -> None:
    built = build_entry(site, f"title = {{{title}}}")
    assert "cv.pdf" in built.paths
    assert {problem.level for problem in built.build.problems} <= {"warning"}


def test_macros_that_double_are_cut(site: Make) -> None:
    macros = ["@string{k0 = {words}}", *(f"@string{{k{n} = k{n - 1} # k{n - 1}}}" for n in range(1, 40))]
    built = build_entry(site, "journal = k39", more="\n".join(macros))
    assert set(built.codes) <= {"bib-syntax"}
    assert "bib-syntax" in built.codes
    assert len(built.site.publications[0].venue.name) <= MAX_JOINED_LENGTH
