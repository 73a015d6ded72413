"""The import of Quarto sites as people write them: patterns of folders, entries in a page, profiles, code, citations and Pandoc's Markdown."""

from pathlib import Path

from conftest import write_files
from test_import import import_and_build, read_report

from tenure.importers.quarto.markdown import QuartoTextConverter
from tenure.importers.session import ImportSession

QUARTO = """\
-- old/_quarto.yml --
project:
  type: website
  output-dir: docs
  render: ["*.qmd", "!research/template.qmd"]
profile: {default: english, group: [english, french]}
website: {title: ada.example.org}
-- old/_quarto-english.yml --
website:
  navbar:
    left:
      - {text: Research, href: research/index.qmd}
      - {text: Teaching, href: teaching/index.qmd}
      - {text: Projects, href: projects.qmd}
      - {text: Vita, href: vita.qmd}
-- old/docs/copy.qmd --
Output.
-- old/index.qmd --
---
pagetitle: "Ada Example, Ph.D."
---
# Ada Example, Ph.D.

::: {.content-visible when-profile="english"}
I weave.
:::

::: {.content-visible when-profile="french"}
Je tisse.
:::

::: {.content-hidden when-format="pdf"}
In a browser.
:::
-- old/about.qmd --
---
title: About
about:
  template: jolla
  image: ada.svg
  links:
    - {icon: github, text: "{{< fa brands github >}}", href: https://github.com/ada-example}
    - {icon: file-earmark-person, text: CV, href: vita.pdf}
    - {icon: person, text: Vita, href: vita.qmd}
---
More about me.
-- old/ada.svg --
<svg xmlns="http://www.w3.org/2000/svg"/>
-- old/vita.pdf --
%PDF-1.4
-- old/vita.qmd --
---
title: Vita
---
A life.
-- old/research/index.qmd --
---
title: Research
listing:
  - {id: work, contents: "in-progress/**/*.qmd"}
  - {id: done, contents: ["published-work/**/*.qmd"]}
---
All of my papers.

## In progress

::: {#work}
:::
-- old/research/template.qmd --
Not rendered.
-- old/research/published-work/cards/index.qmd --
---
title: On Cards
author: [Ada Example, Bob Roe]
date: 1844-01-01
pdf-url: https://press.example.org/cards.pdf
external-url: https://press.example.org/cards
citation: {type: article-journal, container-title: Journal of Looms, page-first: 7}
---
-- old/research/in-progress/looms/index.qmd --
---
title: On Looms
author: Ada Example
---
Soon.
-- old/research/in-progress/none/index.qmd --
---
title: Placeholder
---
-- old/teaching/index.qmd --
---
title: Teaching
listing: {contents: "*.qmd"}
---
I teach.
-- old/teaching/cards/index.qmd --
---
title: Cards 101
---
## Syllabus

- Cards
-- old/projects.qmd --
---
title: Projects
listing:
  contents:
    - {title: The Engine, path: https://engine.example.org, description: A machine, image: ada.svg, categories: [brass]}
    - {title: Life, path: vita.qmd}
---
-- old/posts/first/index.qmd --
---
title: First
date: 1840-01-01
bibliography: refs.bib
---
As @roe1830 and [@roe1830, p. 3] say.

## References

::: {#refs}
:::
-- old/posts/first/refs.bib --
@book{roe1830, title = {Wheels}, author = {Roe, Bob}, year = 1830}
"""


def test_lists_of_papers_courses_and_projects(tmp_path: Path) -> None:
    """All lists of a page with papers are papers; the text of a course with headings is a page."""
    built = import_and_build(tmp_path, QUARTO)
    report = read_report(tmp_path)
    papers = {str(paper.title): paper for paper in built.site.publications}
    assert set(papers) == {"On Cards", "On Looms"}
    assert (papers["On Cards"].kind, papers["On Cards"].venue.name) == ("article", "Journal of Looms")
    (course,) = built.site.collections["teaching"].entries
    assert course.url == "/cards/"
    assert "Syllabus Cards" in built.read_words("/cards/")
    engine, life = built.site.collections["projects"].entries
    assert (engine.url, engine.image, engine.tags) == (
        "https://engine.example.org",
        "files/ada.svg",
        ("brass",),
    )
    assert life.url == "/vita/"
    assert "All of my papers." in built.read_words("/publications/")
    assert "a publication without authors and without a text" in report
    assert "`research/template.qmd`: a file that the old site does not publish" in report
    assert "docs/copy" not in report


def test_the_person_of_another_page_and_the_profile(tmp_path: Path) -> None:
    built = import_and_build(tmp_path, QUARTO)
    profile, words = built.site.profile, built.read_words("/")
    assert (profile.name, profile.photo, profile.cv) == ("Ada Example", "files/ada.svg", "files/vita.pdf")
    assert [link.label for link in profile.links] == ["GitHub", "Vita"]
    assert "I weave. In a browser." in words
    assert "Je tisse" not in words
    assert "I weave." in words
    assert "Research Teaching Projects Vita" in words


def test_cited_works_are_no_publications(tmp_path: Path) -> None:
    built = import_and_build(tmp_path, QUARTO)
    words = built.read_words("/posts/first/")
    assert "As Roe (1830) and (Roe 1830, p. 3) say." in words
    assert "References" not in words
    assert "`posts/first/refs.bib`: a bibliography that pages cite, and that no page lists" in read_report(
        tmp_path
    )


def convert(folder: Path, text: str, **values: str) -> tuple[str, list[str]]:
    """The converted text, and the descriptions of the notes."""
    write_files(folder, "-- index.qmd --\n")
    session = ImportSession(folder)
    converter = QuartoTextConverter(session, values={f"meta.{key}": value for key, value in values.items()})
    converted = converter.convert_body(text, "index.qmd:1")
    return converted, [note.description for note in session.notes]


def test_code_that_only_quarto_computes(tmp_path: Path) -> None:
    text = "```{r}\nload()\n```\n\n## Papers\n\n`r list_papers()`\n\n## Talks\n\nOne, `r code` in words.\n"
    converted, notes = convert(tmp_path, text, **{"execute.echo": "false"})
    assert converted == "## Talks\n\nOne,  in words."
    assert notes[0] == "a hidden code cell, whose result Quarto computes"
    assert "code in a line, whose result Quarto computes: list_papers()" in notes
    assert convert(tmp_path, "`r code` and `{.r}`")[0] == "`r code` and `{.r}`"


def test_markdown_of_pandoc(tmp_path: Path) -> None:
    converted, _ = convert(
        tmp_path,
        "<center>\n### Head\n</center>\nText[{{< ai arxiv >}}](https://arxiv.org/abs/2001.00001)\n\n"
        "H~2~O, 10^th^, $x^2^$ and ~~no~~\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n: A caption {#tbl-a}\n\nSee @tbl-a.\n\n"
        "| One verse\n| and another\n\n(@) First\n(@b) Second\n",
    )
    assert "<center>\n\n### Head\n\n</center>\n\nText[arXiv](https://arxiv.org/abs/2001.00001)" in converted
    assert "H<sub>2</sub>O, 10<sup>th</sup>, $x^2^$ and ~~no~~" in converted
    assert "| 1 | 2 |\n\n*A caption*\n\nSee Table 1." in converted
    assert "One verse\\\nand another" in converted
    assert "1. First\n1. Second" in converted


def test_a_cv_without_entries_is_a_page(tmp_path: Path) -> None:
    files = "-- old/_quarto.yml --\nwebsite: {title: Ada Example, navbar: {left: [{text: CV, href: cv/index.qmd}]}}\n-- old/cv/index.qmd --\n---\ntitle: My CV\n---\nA life.\n-- old/index.qmd --\nSee [my CV](cv/index.qmd).\n"
    built = import_and_build(tmp_path, files)
    assert "A life." in built.read_words("/cv-page/")
    assert 'href="cv-page/">my CV' in built.read_page("/")
