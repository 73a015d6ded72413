"""Websites of Quarto come over: the person, pages, listings of folders and of YAML files, the menu."""

from pathlib import Path

from conftest import run_in, write
from test_right_places import bring, read

QUARTO = """\
-- old/_quarto.yml --
project: {type: website}
website:
  title: Ada Example
  site-url: https://ada.example.org
  navbar:
    left:
      - research.qmd
      - {text: Talks, href: talks.qmd}
      - text: More
        menu: [{text: Looms, href: looms.qmd}, {text: Blog, href: blog.qmd}]
    right:
      - {icon: github, href: https://github.com/ada-example}
format: {html: {theme: cosmo}}
-- old/index.qmd --
---
title: Ada Example
subtitle: Analyst
image: ada.jpg
about:
  template: trestles
  links: [{icon: envelope, text: Email, href: mailto:ada@example.edu}, {text: ORCID, href: https://orcid.org/0000-0002-1825-0097}]
---
::: {.callout-note title="News"}
I [weave]{.mark}.
:::

::: {.content-hidden}
Draft.
:::

See [my looms](looms.qmd), {{< fa loom >}} and [that paper](publications/notes/index.qmd){.btn}.
-- old/looms.qmd --
---
title: Looms
toc: true
---
```{python}
#| echo: false
secret()
```

```{r}
#| label: weave
weave(1)
```

::: {#tip .panel}
Cards.
:::
-- old/research.qmd --
---
title: Research
listing: {contents: research/papers.yml, type: table}
---
-- old/research/papers.yml --
- title: "Notes on the Engine"
  author: [Ada Example, {name: {given: Bob, family: Roe}}]
  journal: Memoirs
  date: 1843-08-01
  doi: 10.1000/182
  pdf: https://ada.example.org/notes.pdf
-- old/publications/notes/index.qmd --
---
title: On Cards
author: Ada Example and Bob Roe
date: 1844-01-01
publication: Proceedings of the Loom Symposium
---
An abstract.
-- old/talks.qmd --
---
title: Talks
listing: {contents: talks, sort: "date desc"}
---
-- old/talks/loom.qmd --
---
title: On Looms
date: 1842-05-01
event: Royal Society
location: London
---
-- old/teaching/course.qmd --
---
title: Weaving
date: 1841-09-01
---
Each Monday.
-- old/projects/engine/index.qmd --
---
title: The Engine
description: A machine
categories: [brass]
---
It runs.
-- old/blog.qmd --
---
title: Blog
listing:
  - {id: a, contents: [posts/*/index.qmd]}
---
-- old/posts/cards/index.qmd --
---
title: Cards
date: 1840-02-03
---
Holes.
-- old/_draft.qmd --
---
title: Draft
---
No page.
"""


def test_a_website_of_quarto_comes_over(tmp_path: Path) -> None:
    imported = bring(tmp_path, QUARTO)
    about = read(tmp_path, "content/about.md")
    assert "> [!NOTE]\n> **News**\n>\n> I weave." in about
    assert "Draft" not in about
    assert "[my looms](/looms/)" in about
    assert "[that paper](/publications/" in about
    looms = read(tmp_path, "content/pages/looms.md")
    assert "secret()" not in looms
    assert "```r\nweave(1)\n```" in looms
    assert ":::" not in looms
    bib = read(tmp_path, "bib/papers.bib")
    assert "author = {Ada Example and Bob Roe}" in bib
    assert "doi = {10.1000/182}" in bib
    assert len(imported.site.publications) == 2
    assert "event: Royal Society" in read(tmp_path, "content/talks.yaml")
    assert "summary: Each Monday." in read(tmp_path, "content/teaching.yaml")
    assert "tagline: A machine" in read(tmp_path, "content/projects/engine.md")
    assert "Holes." in read(tmp_path, "content/posts/cards.md")
    profile = read(tmp_path, "content/profile.yaml")
    assert "email: " in profile
    assert "GitHub: https://github.com/ada-example" in profile
    pages = imported.site.settings.pages
    assert pages is not None
    assert [page.name for page in pages if page.menu is not False][:5] == [
        "home", "publications", "talks", "looms", "posts",
    ]  # fmt: skip
    assert "/looms.html" in read(tmp_path, "site.yaml")


def test_a_book_without_pages_needs_a_name(tmp_path: Path) -> None:
    write(tmp_path, "-- old/_quarto.yml --\nproject: {type: website}\n")
    assert run_in(tmp_path, "import", "old") == 2
    assert run_in(tmp_path, "import", "old", "--name", "Ada Example") == 0
