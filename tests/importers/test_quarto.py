"""The import of Quarto websites: the person, pages, listings of folders and of YAML files, the menu."""

import json
from pathlib import Path

from conftest import run_in, write_files
from test_right_places import import_and_build, read_site_file

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


def test_a_website_of_quarto_is_imported(tmp_path: Path) -> None:
    imported = import_and_build(tmp_path, QUARTO)
    about = read_site_file(tmp_path, "content/about.md")
    assert "> [!NOTE]\n> **News**\n>\n> I weave." in about
    assert "Draft" not in about
    assert "[my looms](/looms/)" in about
    assert "[that paper](/publications/" in about
    looms = read_site_file(tmp_path, "content/pages/looms.md")
    assert "secret()" not in looms
    assert "```r\nweave(1)\n```" in looms
    assert ":::" not in looms
    bib = read_site_file(tmp_path, "bib/papers.bib")
    assert "author = {Ada Example and Bob Roe}" in bib
    assert "doi = {10.1000/182}" in bib
    assert len(imported.site.publications) == 2
    assert "event: Royal Society" in read_site_file(tmp_path, "content/talks.yaml")
    assert "summary: Each Monday." in read_site_file(tmp_path, "content/teaching.yaml")
    assert "tagline: A machine" in read_site_file(tmp_path, "content/projects/engine.md")
    assert "Holes." in read_site_file(tmp_path, "content/posts/cards.md")
    profile = read_site_file(tmp_path, "content/profile.yaml")
    assert "email: " in profile
    assert "GitHub: https://github.com/ada-example" in profile
    pages = imported.site.settings.pages
    assert pages is not None
    assert [page.name for page in pages if page.menu is not False][:5] == [
        "home", "publications", "talks", "looms", "posts",
    ]  # fmt: skip
    assert "/looms.html" in read_site_file(tmp_path, "site.yaml")


def test_a_book_without_pages_needs_a_name(tmp_path: Path) -> None:
    write_files(tmp_path, "-- old/_quarto.yml --\nproject: {type: website}\n")
    assert run_in(tmp_path, "import", "old") == 2
    assert run_in(tmp_path, "import", "old", "--name", "Ada Example") == 0


QUARTO_VALUES = """\
-- old/_quarto.yml --
project: {type: website}
website:
  title: "{{< var name >}}"
  description: "The {{< meta website.title >}} page"
  navbar: {left: [{text: "Posts {{< fa pen >}}", href: posts.qmd}]}
-- old/_variables.yml --
name: Ada Example
lab: {name: Loom Lab, url: https://loom.example.org}
-- old/index.qmd --
---
title: Ada Example
subtitle: "Head of the {{< var lab.name >}}"
listing: {id: recent, contents: posts}
about: {template: jolla, links: [{text: "{{< ai orcid >}} ORCID", href: https://orcid.org/0000-0002-1825-0097}]}
---
{{< include _bio.qmd >}}
{{< bi geo-alt >}} Write {{{< kbd X >}}} with {{< kbd X >}}, {{< env LOOM cards >}} and {{< meta subtitle >}}.^[At [home](https://a.example).]
{{< unheard-of >}}

$$ x $$ {#eq-x}

See @eq-x.

::: {#recent}
:::
-- old/_bio.qmd --
---
title: Bio
---
Born in the [{{< var lab.name >}}]({{< var lab.url >}}).
-- old/posts.qmd --
---
title: Posts
listing: {contents: posts}
---
-- old/posts/_metadata.yml --
categories: [cards]
freeze: true
-- old/posts/a/index.qmd --
---
title: "On {{< var lab.name >}}"
description: "A {{< fa star >}} text about {{< meta title >}}"
date: 2020-01-01
categories: ["{{< fa star >}} stars"]
---
Words.
-- old/publications/_metadata.yml --
categories: [paper]
-- old/publications/b.qmd --
---
title: "The {{< var lab.name >}} *papers*"
author: [{name: {given: Ada, family: Example}}]
date: 2021-01-02
citation: {type: article-journal, container-title: "J. of {{< var lab.name >}}", volume: 3, page: 1-9, doi: 10.1000/182}
google-scholar: true
---
-- old/talks.qmd --
---
title: Talks
listing: {contents: talks.yml}
---
-- old/talks.yml --
- {title: "Talk {{< fa video >}}", date: 2022-02-02, location: "{{< var lab.name >}}", path: "https://talk.example"}
-- old/idea.qmd --
---
title: Idea
draft: true
---
Not yet.
"""


def test_shortcodes_of_quarto_are_read_in_texts_and_values(tmp_path: Path) -> None:
    imported = import_and_build(tmp_path, QUARTO_VALUES)
    written = {
        path.relative_to(tmp_path / "site").as_posix(): path.read_text()
        for suffix in ("yaml", "md", "bib")
        for path in (tmp_path / "site").rglob(f"*.{suffix}")
    }
    report = written.pop("import-report.md")
    about = written.pop("content/about.md")
    assert [name for name, text in written.items() if "{{" in text or "subtitle" in text] == []
    assert about.startswith("Born in the [Loom Lab](https://loom.example.org).")
    assert (
        "Write {{< kbd X >}} with `X`, cards and Head of the Loom Lab.[^inline-1]\n\n$$ x $$\n\nSee Equation 1."
        in about
    )
    assert about.rstrip().endswith("[^inline-1]: At [home](https://a.example).")
    assert "{{< unheard-of >}}" in report
    assert "description: The Ada Example page" in written["site.yaml"]
    assert "/index.html" not in written["site.yaml"]
    profile = imported.site.profile
    assert (profile.name, profile.role) == ("Ada Example", "Head of the Loom Lab")
    post = written["content/posts/a.md"]
    assert "title: On Loom Lab\n" in post
    assert "summary: A text about On Loom Lab\ntags:\n  - stars\n  - cards\n" in post
    (paper,) = imported.site.publications
    assert (paper.title, paper.doi) == ("The Loom Lab *papers*", "10.1000/182")
    assert (paper.venue.name, paper.venue.volume, paper.tags) == ("J. of Loom Lab", "3", ("paper",))
    assert "place: Loom Lab" in written["content/talks.yaml"]
    assert "url: https://talk.example" in written["content/talks.yaml"]
    assert "content/pages/idea.md" not in written
    assert "`idea.qmd:2`: a draft" in report


HUGO_VALUES = """\
-- old/hugo.yaml --
title: Ada Example
-- old/content/authors/admin/_index.md --
---
title: Ada Example
organizations: [{name: "University {{< crest name=uni >}}", url: ""}]
---
Me. {{</* ref "a" */>}}
-- old/content/publication/a/index.md --
---
title: "Cards {{< emoji >}}"
authors: [Ada Example]
date: 2020-01-01
tags: ["looms {{< icon >}}"]
---
-- old/content/talk/b.md --
---
title: Talk
date: 2020-01-01
location: "London {{< flag >}}"
---
"""


def test_shortcodes_in_values_are_reported_and_not_shown(tmp_path: Path) -> None:
    imported = import_and_build(tmp_path, HUGO_VALUES)
    assert imported.site.profile.affiliation[0].name == "University"
    assert imported.site.publications[0].tags == ("looms",)
    assert "place: London\n" in read_site_file(tmp_path, "content/talks.yaml")
    assert read_site_file(tmp_path, "content/about.md").strip() == 'Me. {{< ref "a" >}}'
    report = read_site_file(tmp_path, "import-report.md")
    assert all(tag in report for tag in ("{{< crest name=uni >}}", "{{< emoji >}}", "{{< flag >}}"))


NOTEBOOK = {
    "nbformat": 4,
    "metadata": {"kernelspec": {"language": "R"}},
    "cells": [
        {
            "cell_type": "markdown",
            "source": ["# Cards & *looms*\n", "\n", "A text about [looms](looms.qmd)."],
        },
        {
            "cell_type": "code",
            "source": "#| label: a\nweave(1)",
            "outputs": [{"output_type": "display_data"}, {}],
        },
        {"cell_type": "code", "source": ["#| echo: false\n", "secret()"], "outputs": []},
        {"cell_type": "raw", "source": "<b>raw</b>"},
        {"cell_type": "markdown", "source": "The end."},
    ],
}


def test_a_notebook_is_a_page_and_its_outputs_are_reported(tmp_path: Path) -> None:
    cells = [
        {"cell_type": "raw", "source": "---\ntitle: With front matter\n---"},
        {"cell_type": "markdown", "source": "Words."},
    ]
    notebooks = f"-- old/cards.ipynb --\n{json.dumps(NOTEBOOK)}\n-- old/front.ipynb --\n{json.dumps({'cells': cells})}\n"
    broken = "-- old/broken.ipynb --\n{]\n-- old/list.ipynb --\n[1]\n"
    imported = import_and_build(
        tmp_path,
        f"{QUARTO}{notebooks}{broken}-- old/more.qmd --\n---\ntitle: More\n---\n[cards](cards.ipynb)\n",
    )
    cards = read_site_file(tmp_path, "content/pages/cards.md")
    assert 'title: "Cards & *looms*"' in cards
    assert "A text about [looms](/looms/)." in cards
    assert "```r\nweave(1)\n```" in cards
    assert "The end." in cards
    assert "secret" not in cards
    assert "raw" not in cards
    assert "title: With front matter" in read_site_file(tmp_path, "content/pages/front.md")
    assert "[cards](/cards/)" in read_site_file(tmp_path, "content/pages/more.md")
    assert [problem for problem in imported.problems if "error" in problem] == []
    report_text = read_site_file(tmp_path, "import-report.md")
    assert "`cards.ipynb`: 2 outputs of its code" in report_text
    for name in ("broken", "list"):
        assert f"`{name}.ipynb`: a file that is not a notebook of Jupyter" in report_text
