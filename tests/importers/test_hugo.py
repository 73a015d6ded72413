"""The import of sites of Hugo Academic, Wowchemy and Hugo Blox: four versions, shortcodes, widgets, menu and URLs."""

from pathlib import Path

import pytest
from test_import import import_and_build, read_report

from tenure.importers.detect import detect_system
from tenure.importers.hugo.markdown import HugoTextConverter
from tenure.importers.session import ImportSession
from tenure.importers.source_folder import parse_toml, read_front_matter, recover_front_matter
from tenure.model.entries import Award, CustomEntry, Education, Experience, Post, Project, Talk
from tenure.problems import Problems

ACADEMIC = """\
-- old/config.toml --
title = "Ada Example"
baseurl = "https://ada.example.net/"
-- old/config/_default/params.toml --
email = "ada@example.edu"
phone = "+1 555 0100"
-- old/config/_default/menus.toml --
[[main]]
  name = "Talks"
  url = "#talks"
  weight = 20
[[main]]
  name = "Papers"
  url = "#publications"
  weight = 10
[[main]]
  name = "Contact"
  url = "#contact"
  weight = 30
-- old/content/authors/admin/_index.md --
+++
name = "Ada Example"
superuser = true
role = "Analyst"
organizations = [ { name = "Engine Works", url = "https://engine.example.org" } ]
bio = "Looms and engines."
interests = ["Looms", "Engines"]
shoe_size = 38

[[education.courses]]
  course = "PhD in Mathematics"
  institution = "University of London"
  year = 1842

[[social]]
  icon = "envelope"
  icon_pack = "fas"
  link = "#contact"

[[social]]
  icon = "google-scholar"
  icon_pack = "ai"
  link = "https://scholar.google.com/citations?user=ABC"
+++
I analyse; see [the paper]({{< ref "/publication/notes/index.md" >}}).

{{% alert note %}}
Mind the *cards*.
{{% /alert %}}
-- old/content/authors/charles/_index.md --
+++
name = "Charles Babbage"
role = "Inventor"
[[social]]
  icon = "globe"
  link = "https://charles.example.org"
+++
-- old/content/authors/nelson/_index.md --
---
title: Nelson Bighetti
---
-- old/content/home/about.md --
+++
widget = "about"
active = true
weight = 10
+++
-- old/content/home/experience.md --
+++
widget = "experience"
active = true
weight = 20
title = "Posts held"
[[experience]]
  title = "Analyst"
  company = "Engine Works"
  company_url = "https://engine.example.org"
  date_start = "1842-01-01"
  date_end = ""
  description = '''
  Notes:

  * one
  * two
  '''
[[experience]]
  title = "CEO"
  company = "GenCoin"
  date_start = "2017-01-01"
+++
-- old/content/home/accomplishments.md --
---
widget: accomplishments
active: true
weight: 30
item:
  - title: Medal of Looms
    organization: Royal Society
    date_start: "1843-06-01"
    date_end: ""
---
-- old/content/home/hero.md --
+++
widget = "hero"
active = false
+++
-- old/content/home/outreach.md --
+++
widget = "blank"
active = true
weight = 40
title = "Outreach"
+++
I speak in {{< hl >}}schools{{< /hl >}}.
-- old/content/home/papers.md --
+++
widget = "pages"
active = true
weight = 35
title = "Recent papers"
[content]
  page_type = "publication"
  count = 5
+++
-- old/content/publication/notes/index.md --
+++
title = "Notes on the Engine"
authors = ["admin", "Charles Babbage", "others"]
author_notes = ["Equal contribution", "Equal contribution"]
date = 1843-08-01
publication_types = ["2"]
publication = "In *Scientific Memoirs*, *3*(2)"
publication_short = "*SM*"
abstract = "On looms."
featured = true
doi = "10.1234/notes"
url_code = "https://code.example.org"
url_pdf = "notes.pdf"
projects = ["engine"]
tags = ["looms"]
[image]
  caption = "x"
[[links]]
  name = "Review"
  url = "https://review.example.org"
+++
More, with

- a list
-- old/content/publication/notes/cite.bib --
@article{example1843,
  title = {Notes}, author = {Example, Ada}, journal = {Scientific Memoirs}, pages = {666--731}, month = {August}, year = {1843}
}
-- old/content/publication/notes/notes.pdf --
%PDF-1.4
-- old/content/publication/notes/featured.svg --
<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><path d="M0 0h4"/></svg>
-- old/content/publication/journal-article/index.md --
---
title: An example journal article
---
-- old/content/talk/looms/index.md --
---
title: Looms
event: Royal Society
location: London
date: "1842-11-25T19:00:00Z"
date_end: "1842-11-26T19:00:00Z"
abstract: Of cards.
url_slides: https://slides.example.org
---
-- old/content/project/engine/index.md --
---
title: The Engine
summary: A machine
date: "2016-04-27T00:00:00Z"
tags: [brass]
---
Of brass. {{< youtube abc >}}
-- old/content/post/cards/index.md --
---
title: Cards
date: 2020-02-03
aliases: [/old-cards/]
---
Punched; {{< mystery a="b" >}} and {{< cite page="/publication/notes" view="4" >}}.
-- old/content/post/hidden.md --
---
title: Hidden
date: 2020-02-04
draft: true
---
Not yet.
-- old/content/courses/looms.md --
---
title: A course
---
Weaving.
-- old/content/fr/post/cartes.md --
---
title: Cartes
---
-- old/static/img/unused.png --
x
"""


def test_a_site_of_academic_is_imported(tmp_path: Path) -> None:
    imported = import_and_build(tmp_path, ACADEMIC)
    site = imported.site
    assert (site.profile.name, site.profile.role, site.profile.email) == (
        "Ada Example",
        "Analyst",
        ("ada@example.edu",),
    )
    assert site.profile.affiliation[0].url == "https://engine.example.org"
    assert site.profile.interests == ("Looms", "Engines")
    assert [link.label for link in site.profile.links] == ["Google Scholar"]
    assert site.settings.url == "https://ada.example.net/"
    assert site.settings.description == "Looms and engines."
    (paper,) = site.publications
    assert (paper.key, paper.title, paper.selected, paper.doi) == (
        "example1843",
        "Notes on the Engine",
        True,
        "10.1234/notes",
    )
    assert [author.name.full_name for author in paper.authors.people] == ["Ada Example", "Charles Babbage"]
    assert paper.authors.others
    assert all(author.equal for author in paper.authors.people)
    assert paper.authors.people[1].url == "https://charles.example.org"
    assert (paper.venue.name, paper.venue.short, paper.venue.pages) == ("Scientific Memoirs", "SM", "666–731")
    assert {link.label for link in paper.links} == {"PDF", "DOI", "Code", "Review"}
    assert (paper.body, paper.image) == ("More, with\n\n- a list", "/publications/example1843/featured.svg")
    (talk,) = site.collections["talks"].entries
    assert isinstance(talk, Talk)
    assert (talk.event, talk.place, talk.summary, talk.slides) == (
        "Royal Society", "London", "Of cards.", "https://slides.example.org",
    )  # fmt: skip
    (project,) = site.collections["projects"].entries
    assert isinstance(project, Project)
    assert (project.tagline, project.date, project.publications) == ("A machine", None, ("example1843",))
    assert "[Youtube](https://www.youtube.com/watch?v=abc)" in project.body
    (post, french_post) = sorted(site.collections["posts"].entries, key=lambda entry: entry.id)
    assert isinstance(french_post, Post)
    assert french_post.title == '<span lang="fr">Cartes</span>'
    assert post.body == "Punched;  and [@example1843]."
    assert "Weaving." in imported.read_words("/looms/")


def test_widgets_are_collections_and_sections_in_their_order(tmp_path: Path) -> None:
    imported = import_and_build(tmp_path, ACADEMIC)
    (school,) = imported.site.collections["education"].entries
    assert isinstance(school, Education)
    assert (school.degree, school.period and school.period.start and school.period.start.iso) == (
        "PhD in Mathematics",
        "1842",
    )
    (work,) = imported.site.collections["experience"].entries
    assert isinstance(work, Experience)
    assert (work.role, work.organization, work.summary) == ("Analyst", "Engine Works", "Notes:")
    assert [point.text for point in work.details] == ["one", "two"]
    assert work.period is not None
    assert work.period.ongoing
    (award,) = imported.site.collections["awards"].entries
    assert isinstance(award, Award)
    assert (award.title, award.date and award.date.start and award.date.start.iso) == (
        "Medal of Looms",
        "1843-06",
    )
    pages = imported.site.settings.pages
    assert pages is not None
    sections = [(option.name, option.title) for option in pages[0].sections or ()]
    assert sections == [
        ("about", None), ("education", None), ("experience", "Posts held"), ("awards", None),
        ("publications", "Recent papers"), ("outreach", None),
    ]  # fmt: skip
    assert [page.name for page in pages if page.menu][1:] == ["publications", "talks"]
    assert "I speak in schools." in imported.read_words("/")
    assert 'href="publications/example1843/"' in imported.read_page("/")
    assert "Mind the cards." in imported.read_words("/")
    assert 'url=../../publications/example1843/"' in imported.read_page("/publication/notes/")
    assert 'url=../posts/cards/"' in imported.read_page("/old-cards/")


@pytest.mark.parametrize(
    "line",
    [
        "`content/authors/admin/_index.md:8`: shoe_size: 38",
        "`content/authors/nelson/_index.md`: sample content of the template: Nelson Bighetti",
        "`content/authors/charles/_index.md`: Charles Babbage: role, biography and picture of somebody else",
        "`content/publication/journal-article/index.md`: sample content of the template: An example journal article",
        "`content/home/hero.md`: a disabled part of the home page",
        "`content/home/experience.md:18`: sample content of the template: an entry of experience",
        'a shortcode: {{< mystery a="b" >}}',
        "phone: +1 555 0100",
        "`content/fr/post/cartes.md`: content/posts/cartes.fr.md: a text without an original in en",
        "a video of youtube became a link",
        "the menu item Contact (#contact)",
        "`static/img`: 1 file that no imported content uses",
        "/publication/notes/ is now /publications/example1843/",
    ],
)
def test_conversions_are_reported(tmp_path: Path, line: str) -> None:
    import_and_build(tmp_path, ACADEMIC)
    assert line in read_report(tmp_path)


BLOX = """\
-- old/config/_default/hugo.yaml --
title: Lab
-- old/data/authors/me.yaml --
schema: hugoblox/author/v1
slug: me
is_owner: true
name: {display: Ada Example, alternate: Augusta Example}
role: Analyst
bio: Looms and engines.
affiliations: [{name: Engine Works}]
links:
  - {icon: brands/github, url: "https://github.com/ada"}
  - {icon: at-symbol, url: "mailto:ada@example.edu"}
education:
  - {degree: PhD, institution: University of London, start: 1840-01, end: 1842-06}
experience:
  - {role: Analyst, org: Engine Works, start: 1842-07, end: ""}
skills:
  - {name: Technical, items: [{label: Looms, level: 5}, {label: Cards, level: 3}]}
-- old/content/_index.md --
---
type: landing
sections:
  - block: resume-biography-3
    content: {username: me}
  - block: markdown
    content:
      title: My research
      text: Of *looms*.
  - block: collection
    content:
      title: Featured
      filters: {folders: [publications], featured_only: true}
---
-- old/content/publications/notes/index.md --
---
title: "Notes: the $\\\\beta$ Engine"
authors: [me]
date: "1843-01-01"
publication_types: [paper-conference]
publication: "In *Proceedings of Looms*"
featured: true
links:
  - {type: preprint, provider: arxiv, id: "2101.00001"}
  - {type: code, url: "https://code.example.org"}
hugoblox: {ids: {doi: 10.1234/notes, openreview: xyz}}
---
-- old/content/events/looms/index.md --
---
title: Looms
event_name: Royal Society
event_start: "1842-11-25"
date: "2024-01-01"
---
"""


def test_a_hugo_blox_site_is_imported(tmp_path: Path) -> None:
    imported = import_and_build(tmp_path, BLOX)
    site = imported.site
    assert (site.profile.name, site.profile.aliases, site.profile.email) == (
        "Ada Example",
        ("Augusta Example",),
        ("ada@example.edu",),
    )
    (paper,) = site.publications
    assert (paper.kind, paper.eprint, paper.doi, paper.date and paper.date.iso) == (
        "inproceedings",
        "2101.00001",
        "10.1234/notes",
        "1843",
    )
    assert paper.venue.name == "Proceedings of Looms"
    assert {link.url for link in paper.links} >= {
        "https://code.example.org",
        "https://openreview.net/forum?id=xyz",
    }
    assert paper.authors.people[0].me
    (skill,) = site.collections["skills"].entries
    assert isinstance(skill, CustomEntry)
    assert (skill.title, skill.text) == ("Technical", "Looms (5/5), Cards (3/5)")
    (talk,) = site.collections["talks"].entries
    assert talk.entry_period is not None
    assert talk.entry_period.start is not None
    assert talk.entry_period.start.iso == "1842-11-25"
    pages = site.settings.pages
    assert pages is not None
    assert [(option.name, option.show) for option in pages[0].sections or ()] == [
        ("about", "all"), ("my-research", "all"), ("publications", "selected"),
    ]  # fmt: skip
    assert "Of looms." in imported.read_words("/")


def test_hugo_is_detected_by_its_folders(tmp_path: Path) -> None:
    for name, files in (("a", ACADEMIC), ("b", BLOX)):
        import_and_build(tmp_path / name, files)
        assert detect_system(tmp_path / name / "old") == "hugo"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('[b]({{< ref "/post/foo.md" >}})', "[b](/posts/foo/)"),
        ("{{% callout warning %}}\nHi\n\nyou\n{{% /callout %}}", "> [!WARNING]\n> Hi\n>\n> you"),
        ('{{< spoiler text="More" >}}\nx {{< hl >}}y{{< /hl >}}\n{{< /spoiler >}}', "**More**\n\nx **y**"),
        ("{{< math >}}\n$$a_{{1}}$$\n{{< /math >}}", "$$a_{{1}}$$"),
        ('{{< cta cta_text="Go" cta_link="https://a.example.org" >}}', "[Go](https://a.example.org)"),
        ("{{< highlight python >}}\nx\n{{< /highlight >}}", "```python\nx\n```"),
        ('a {{< icon name="x" pack="fas" >}} b', "a  b"),
        ("{{< box >}}content{{< /box >}}", "content"),
        ("{{< /stray >}} a {{< open", "a {{< open"),
    ],
)  # fmt: skip
def test_shortcodes_are_translated(tmp_path: Path, written: str, expected: str) -> None:
    texts = HugoTextConverter(ImportSession(tmp_path), {"post/foo": "/posts/foo/"})
    assert texts.convert_body(written, "a.md:1") == expected


def test_a_text_with_many_shortcodes_is_fast(tmp_path: Path) -> None:
    texts = HugoTextConverter(ImportSession(tmp_path))
    assert texts.convert_body('{{< a b="c" >}} x ' * 3000, "a.md:1").count("x") == 3000


@pytest.mark.parametrize(
    ("text", "title", "line"),
    [
        ('+++\n# x\ntitle = "A"\n+++\nBody', "A", 3),
        ("---\ntitle: A\n---\nBody", "A", 2),
        ('{\n"title": "A"\n}\nBody', "A", 1),
        ("\n\n---\ntitle: A\n---\nBody", "A", 2),
    ],
)  # fmt: skip
def test_front_matter_is_read_in_each_form(text: str, title: str, line: int) -> None:
    prose = read_front_matter(text, "a.md", Problems())
    assert prose is not None
    assert (prose.front_matter.mapping["title"].text, prose.front_matter.mapping["title"].place.line) == (
        title,
        line,
    )
    assert prose.body == "Body"


def test_broken_front_matter_is_read_line_by_line() -> None:
    prose = recover_front_matter(
        "---\ntitle: 'It isn't'\ntags:\n  - a\n  - b\nmore: |\n  x\n  y\n---\nBody", "a.md"
    )
    assert prose is not None
    assert prose.front_matter.mapping["title"].text == "It isn't"
    assert [node.text for node in prose.front_matter.mapping["tags"].items] == ["a", "b"]
    assert (prose.front_matter.mapping["more"].text, prose.body, prose.body_line) == ("x y", "Body", 10)


def test_front_matter_without_a_key_is_not_front_matter() -> None:
    assert recover_front_matter("---\n: [\n---\nBody", "a.md") is None


def test_toml_values_have_lines_and_mistakes_are_reported() -> None:
    problems = Problems()
    node = parse_toml(
        'a = 1\n[[b]]\nc = """\nx = 2\n"""\n[[b]]\nc = 2020-01-02\n[b.d]\ne = true\n', "a.toml", problems
    )
    assert node is not None
    second = node.mapping["b"].items[1].mapping
    assert (second["c"].text, second["c"].place.line) == ("2020-01-02", 7)
    assert (second["d"].mapping["e"].text, second["d"].mapping["e"].place.line) == ("true", 9)
    assert parse_toml("a = \n", "a.toml", problems) is None
    assert [str(problem.place) for problem in problems.sorted_problems()] == ["a.toml:1:1"]


def test_the_lists_of_sections_and_files_of_the_menu(tmp_path: Path) -> None:
    """A list with a text is a page with links to its pages, or the introduction of the page of the list."""
    built = import_and_build(
        tmp_path,
        """\
-- old/config/_default/hugo.yaml --
title: Ada Example
-- old/config/_default/menus.yaml --
main:
  - {name: Courses, url: /lessons/, weight: 1}
  - {name: Papers, url: /publication/, weight: 2}
  - {name: Vita, url: uploads/vita.pdf, weight: 3}
-- old/static/uploads/vita.pdf --
%PDF-1.4
-- old/data/authors/me.yaml --
name: {display: Ada Example, alternate: ""}
is_owner: true
languages: [{name: English, label: Native}]
-- old/content/publication/_index.md --
---
title: Papers
---
All of them.
-- old/content/publication/notes/index.md --
---
title: Notes
authors: [me]
date: 1843-01-01
---
-- old/content/lessons/_index.md --
---
title: Lessons
---
I teach looms.
-- old/content/lessons/cards/index.md --
---
title: Cards
---
How to punch {{< figure src="card.svg" caption="A *card*" >}}
""",
    )
    assert "I teach looms. Cards" in built.read_words("/lessons/")
    assert 'href="../cards/"' in built.read_page("/lessons/")
    assert "All of them." in built.read_words("/publications/")
    assert "English Native" in built.read_words("/cv/")
    assert not built.site.profile.aliases
    assert [link.label for link in built.site.profile.links] == ["Vita"]
    assert "Courses" in built.read_words("/")
