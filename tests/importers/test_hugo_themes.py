"""The import of Hugo sites with other themes than Academic, and of the parts that all themes have: pages, menus, links and cards."""

from pathlib import Path

import pytest
from test_import import import_and_build, read_report

from tenure.importers.profile import choose_owner_name

PAPERMOD = """\
-- old/config.yml --
baseURL: https://ada.example.net/
title: Ada Example
theme: PaperMod
menu:
  main:
    - {name: Research, identifier: research, weight: 1}
    - {name: Job paper, url: jmp/, parent: research, weight: 1}
    - {name: Tags, url: tags/, weight: 2}
    - {name: Search, identifier: search, weight: 3, params: {action: search}}
params:
  author: Ada Example
  info: not shown
  profileMode:
    enabled: true
    title: Ada Example
    subtitle: |
      I study **looms**.
    imageUrl: ada.svg
  socialIcons:
    - {name: CV, url: vita.pdf}
    - {name: Email, url: "mailto:ada@example.edu"}
    - {name: Office hours, url: hours/}
    - {name: Github, url: https://github.com/ada-example}
-- old/static/vita.pdf --
%PDF-1.4
-- old/static/ada.svg --
<svg xmlns="http://www.w3.org/2000/svg"/>
-- old/content/hours.md --
---
title: Office hours
---
Each Monday; see [the course](../courses/looms/).
-- old/content/courses/looms/index.md --
---
title: Looms 101
url: /l1/
showToc: true
---
A course.
-- old/content/courses/looms/notes.md --
---
title: A resource of the page
---
Not a page.
-- old/content/courses/old/_index.md --
---
title: Old courses
---
Text of a nested list.
-- old/content/courses/elsewhere.md --
---
title: Elsewhere
externalUrl: https://mooc.example.org/
summary: Online
---
-- old/content/working-papers/jmp/index.md --
---
title: On Cards
date: 2024-05-01
author: [Ada Example, Bob Roe]
summary: A summary
url: /jmp/
cover: {image: card.svg, alt: A card}
editPost: {URL: "https://doi.org/10.1000/182", Text: Journal of Looms}
media: [{name: The Times, url: "https://times.example.org/"}]
---
##### Abstract

Cards were punched.

---

##### Citation

```BibTeX
@article{cards24, title = {On {Cards}}, author = {Example, Ada and Roe, Bob}, journal = {Loom Letters}, volume = 7, year = 2024}
```
-- old/content/working-papers/jmp/card.svg --
<svg xmlns="http://www.w3.org/2000/svg"/>
"""


def test_the_owner_and_the_papers_of_papermod(tmp_path: Path) -> None:
    built = import_and_build(tmp_path, PAPERMOD)
    profile, (paper,) = built.site.profile, built.site.publications
    assert (profile.photo, profile.cv, profile.email) == (
        "files/ada.svg",
        "files/vita.pdf",
        ("ada@example.edu",),
    )
    assert [(link.label, str(link.url)) for link in profile.links] == [
        ("Office hours", "/hours/"),
        ("GitHub", "https://github.com/ada-example"),
    ]
    assert "I study looms." in built.read_words("/")
    assert (paper.key, paper.venue.name, str(paper.doi), paper.abstract) == (
        "cards24",
        "Loom Letters",
        "10.1000/182",
        "Cards were punched.",
    )
    assert (paper.image_alt, [link.label for link in paper.links]) == ("A card", ["DOI", "The Times"])
    assert "@article" not in (tmp_path / "site/content/publications.yaml").read_text(encoding="utf-8")


def test_pages_lists_and_menus_of_papermod(tmp_path: Path) -> None:
    """A page in the folder of another one is a file; a page without a text is a link in the list of its section."""
    built = import_and_build(tmp_path, PAPERMOD)
    report = read_report(tmp_path)
    assert 'href="../looms/"' in built.read_page("/hours/")
    assert "Text of a nested list." in built.read_words("/old/")
    assert "Elsewhere: Online" in built.read_words("/courses/")
    assert not (tmp_path / "site/content/pages/notes.md").exists()
    assert "`content/courses/looms/notes.md`: a file that is not read" in report
    assert "Job paper (jmp/): its page is now /publications/cards24/, which a menu cannot contain" in report
    assert "Tags (tags/): a list that the old theme made" in report
    assert not any(words in report for words in ("showToc", "menu item Research", "menu item Search"))


CODER = """\
-- old/config.toml --
title = "Ada Example"
theme = "hugo-coder"
[params]
author = "Ada Example"
info = ["Analyst", "Poet"]
avatarurl = "images/ada.svg"
[[params.social]]
name = "Github"
icon = "fa fa-github"
url = "https://github.com/ada-example"
[params.homeInfoParams]
Title = "Hello"
Content = "I weave."
-- old/static/images/ada.svg --
<svg xmlns="http://www.w3.org/2000/svg"/>
-- old/content/about.md --
+++
title = "About"
+++
Write: <a href="mailto:ada@example.edu"><i class="fa fa-envelope"></i></a>, [<i class="ai ai-arxiv"></i>](https://arxiv.org/abs/2001.00001), [](https://looms.example.org/).
See [the post]({{< ref "posts/first.md" >}}).
-- old/content/posts/first.md --
+++
title = "First"
date = "2020-02-01"
slug = "the-first"
image = "loom.svg"
+++
Text.
-- old/content/posts/loom.svg --
<svg xmlns="http://www.w3.org/2000/svg"/>
"""

CONGO = """\
-- old/config/_default/hugo.toml --
theme = "congo"
defaultContentLanguage = "en"
-- old/config/_default/languages.en.toml --
title = "Home"
[params.author]
name = "Ada Example"
image = "ada.svg"
headline = "Analyst, Poet"
bio = "I weave."
links = [ { email = "mailto:ada@example.edu" }, { github = "ada-example" } ]
-- old/assets/ada.svg --
<svg xmlns="http://www.w3.org/2000/svg"/>
-- old/content/_index.md --
---
title: Homepage
---
Welcome to the looms.
"""


def test_the_owner_of_coder(tmp_path: Path) -> None:
    built = import_and_build(tmp_path, CODER)
    profile = built.site.profile
    assert (profile.role, profile.photo) == ("Analyst, Poet", "files/ada.svg")
    assert [link.label for link in profile.links] == ["GitHub"]
    assert "Hello I weave." in built.read_words("/")


def test_links_that_are_icons_and_links_by_the_paths_of_files(tmp_path: Path) -> None:
    built = import_and_build(tmp_path, CODER)
    assert "Write: ada@example.edu, arXiv, looms.example.org." in built.read_words("/about/")
    assert 'href="../posts/first/"' in built.read_page("/about/")
    (post,) = built.site.collections["posts"].entries
    assert (post.image, post.links) == ("files/loom.svg", ())


def test_the_samples_of_congo_are_left_out(tmp_path: Path) -> None:
    files = CONGO.replace("Analyst, Poet", "I'm only human").replace("I weave.", "A little bit about you")
    built = import_and_build(tmp_path, files)
    assert built.site.profile.role == ""
    assert "Welcome to the looms." in built.read_words("/")
    assert "little bit" not in built.read_words("/")


def test_the_owner_of_congo(tmp_path: Path) -> None:
    """The title of the homepage is neither the name of the owner nor a heading."""
    built = import_and_build(tmp_path, CONGO)
    profile = built.site.profile
    assert (profile.name, profile.role, profile.email) == (
        "Ada Example",
        "Analyst, Poet",
        ("ada@example.edu",),
    )
    assert [str(link.url) for link in profile.links] == ["https://github.com/ada-example"]
    assert "I weave." in built.read_words("/")
    assert "Welcome to the looms." in built.read_words("/")


BLOX = """\
-- old/config/_default/hugo.yaml --
title: Ada Example
permalinks: {page: {post: "/:year/:slug/"}}
-- old/data/authors/me.yaml --
name: {display: Ada Example}
is_owner: true
-- old/content/_index.md --
---
sections:
  - block: markdown
    content:
      title: Codes
      text: |
        {{< cards >}}
        {{< card url="/project/loom/" title="Loom" subtitle="Weaves" >}}
        {{< /cards >}}

        {{< button url="https://app.example.org" text="Try it" />}}
  - block: contact-info
    content: {email: ada@example.edu, phone: "555 0100", social: [{icon: brands/github, url: "https://github.com/ada-example"}]}
  - block: slider
    content: {slides: [{title: A slide, content: With a text}]}
---
-- old/content/project/loom/index.md --
---
title: Loom
url_code: https://code.example.org/a
links: [{type: github, url: "https://code.example.org/b", label: Code}]
---
Text.
-- old/content/project/loom/figure.html --
<p>A figure</p>
-- old/content/post/hello/index.md --
---
title: Hello
date: 2021-03-04
---
Text.
-- old/content/publication/notes/index.md --
---
title: Notes
authors: [me]
date: 2024-12-01
publication: {name: Journal of Looms, short_name: JL}
---
"""


def test_cards_contacts_and_venues_of_the_newest_blocks(tmp_path: Path) -> None:
    built = import_and_build(tmp_path, BLOX)
    report, (paper,) = read_report(tmp_path), built.site.publications
    assert "Loom: Weaves Try it" in built.read_words("/")
    assert (paper.venue.name, paper.venue.short) == ("Journal of Looms", "JL")
    (project,) = built.site.collections["projects"].entries
    assert [str(link.url) for link in project.links] == [
        "https://code.example.org/a",
        "https://code.example.org/b",
    ]
    assert [link.label for link in built.site.profile.links] == ["GitHub"]
    assert "phone: 555 0100" in report
    assert "an item of slider: title: A slide, content: With a text" in report
    assert "/2021/hello/ is now /posts/hello/" in report


@pytest.mark.parametrize(
    ("candidates", "name"),
    [
        (["Home", "Ada Example"], "Ada Example"),
        (["ada.example.org", "Ada Example"], "Ada Example"),
        (["Your name here", "Ada Example"], "Ada Example"),
        (["Ada", "Ada Example"], "Ada Example"),
    ],
)
def test_titles_that_are_no_names(candidates: list[str], name: str) -> None:
    assert choose_owner_name(candidates) == name


def test_the_about_widget_and_the_links_of_the_first_versions(tmp_path: Path) -> None:
    """Academic 1 and 2 have the owner in the settings and in a widget, and files instead of folders."""
    built = import_and_build(
        tmp_path,
        """\
-- old/config.toml --
title = "Ada's Website"
theme = "hugo-academic"
[params]
name = "Ada Example"
role = "Analyst"
organization = "Engine Works"
-- old/content/home/about.md --
+++
widget = "about"
active = true
[interests]
interests = ["Looms"]
[[education.courses]]
course = "PhD in Mathematics"
institution = "University of London"
year = 1842
+++
# Biography

I analyse.
-- old/content/publication/notes.md --
+++
title = "Notes"
date = "1843-07-01"
authors = ["A Example"]
publication_types = ["2"]
publication = "*Memoirs*"
selected = true
[[url_custom]]
name = "Errata"
url = "https://errata.example.org/"
+++
-- old/content/talk/looms.md --
+++
title = "On Looms"
date = 1842-01-01T00:00:00
time_start = 1842-05-01T13:00:00
time_end = 1842-05-01T15:00:00
+++
""",
    )
    profile, (paper,) = built.site.profile, built.site.publications
    assert (profile.name, profile.role, profile.interests) == ("Ada Example", "Analyst", ("Looms",))
    assert "I analyse. Interests: Looms Education University of London" in built.read_words("/")
    assert (paper.selected, [link.label for link in paper.links]) == (True, ["Errata"])
    assert "1842-05-01" in (tmp_path / "site/content/talks.yaml").read_text(encoding="utf-8")
