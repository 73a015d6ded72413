"""Jekyll sites of other themes, with their lists in _data, _config.yml and own folders, and sites without a generator."""

from pathlib import Path

import pytest
from test_import import import_and_build, read_report

from tenure.importers.detect import detect_system
from tenure.importers.html_pages import guess_owner, read_html_page
from tenure.importers.jekyll.data_lists import iterate_data_entries
from tenure.importers.liquid_blocks import collection_for_name, extract_static_text, remove_loops
from tenure.importers.resume.markdown_cv import BulletPoint, read_education
from tenure.importers.source_html import remove_empty_elements, remove_unclosed_links
from tenure.model.entries import Person, Publication, Talk
from tenure.problems import Problems
from tenure.sources.files import parse_yaml
from tenure.sources.references import list_people

LAB = """\
-- old/_config.yml --
title: The Tidal Lab
email: office@example.edu
url: https://tides.example.net
-- old/_data/team_members.yml --
- name: Ada Example
  photo: ada.svg
  info: Professor
  email: ada@example.edu
  number_educ: 2
  education1: PhD at <a href="https://a.example.edu">Example University</a>
  education2: MSc in waves
- name: Bo Lee
  info: PhD student
-- old/_data/alumni_members.yml --
- {name: Cai Moon, duration: 2019 - 2021, info: Postdoc}
-- old/images/teampic/ada.svg --
<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><path d="M0 0h4"/></svg>
-- old/_data/publist.yml --
- title: Tides in a cache
  authors: B Lee, A Example
  description: We measure tides.
  link: {url: "https://doi.org/10.1234/tides", display: "J. Tides 12, 45 (2018)"}
  highlight: 1
  news1: Selected by the editors
-- old/_data/news.yml --
- date: 5. February 2025
  headline: Welcome <b> Bo </b> to the lab!
- date: 1. September 2024 - the lab starts
-- old/_data/spare.yml --
- title: Nothing
-- old/_data/old_news.yml --
- {date: 2001, headline: Forgotten}
-- old/_pages/home.md --
---
title: "Tidal Lab - Home"
permalink: /
---
<div id="carousel" class="carousel">
  <ol>
    <li data-target="#carousel"></li>
  </ol>
  <a href="#carousel"><span aria-hidden="true"></span></a>
</div>

We measure the sea.

## Latest
{% assign shown = 0 %}
{% for article in site.data.news limit:3 %}
{% if shown == 0 %}<p>{{ article.headline }}</p>{% endif %}
{% endfor %}

## Visit
By boat.
-- old/_pages/team.md --
---
title: "Tidal Lab - Team"
permalink: /team/
---
# Team

## Staff
{% for member in site.data.team_members %}
<h4>{{ member.name }}</h4>
{% endfor %}
{% for member in site.data.alumni_members %}{{ member.name }}{% endfor %}

## Office
Write to Dee.
-- old/_pages/publications.md --
---
title: "Tidal Lab - Publications"
permalink: /publications/
---
{% for paper in site.data.publist %}{{ paper.title }}{% endfor %}
"""


def test_the_lists_of_a_lab_in_data_files(tmp_path: Path) -> None:
    """People, publications and news come from _data; a page with a list keeps its other text."""
    built = import_and_build(tmp_path, LAB)
    profile = built.site.profile
    assert (profile.kind, profile.name, profile.email) == ("group", "The Tidal Lab", ("office@example.edu",))
    people = {str(person.name): person for person in list_people(built.site.collections)}
    ada, cai = people["Ada Example"], people["Cai Moon"]
    assert isinstance(ada, Person)
    assert (ada.role, ada.image, ada.email) == (
        "Professor",
        "files/ada.svg",
        ("ada@example.edu",),
    )
    assert "Example University" in built.read_words("/people/ada-example/")
    assert (sorted(people), cai.role) == (["Ada Example", "Bo Lee", "Cai Moon"], "Postdoc")
    (paper,) = built.site.publications
    assert (paper.title, paper.doi, paper.note, paper.selected) == (
        "Tides in a cache",
        "10.1234/tides",
        "Selected by the editors",
        True,
    )
    assert "“" not in built.read_words("/news/")
    assert "Welcome Bo to the lab!" in built.read_words("/news/")
    assert "1. September 2024 - the lab starts" in built.read_words("/news/")
    team = built.read_words("/people/")
    assert "Write to Dee." in team
    assert "Staff" not in team
    home = built.read_page("/")
    assert "By boat." in home
    assert ">Latest<" not in home
    assert "<li></li>" not in home
    report = read_report(tmp_path)
    assert "`_data/old_news.yml`: a list that no page of the old site shows" in report
    assert "`_data/spare.yml`: a file that is not read" in report
    assert "a list that Liquid generates from site.data.news limit:3" in report
    assert "/team/ is now /people/" in report


THEME = """\
-- old/_config.yml --
title: Ada Example
tagline: Analyst at the Engine Works
email: ada@example.edu
github_username: ada
social-network-links: {orcid: 0000-0002-1825-0097, twitter: ""}
mastodon_username: ada@example.social
footer:
  links:
    - {label: Mastodon, url: "https://example.social/@ada"}
    - {label: YouTube, url: "#"}
photo: me.svg
interests: [looms, engines]
navbar-links:
  Papers: publications
  More:
    - Looms: looms.html
    - CV: files/cv.pdf
collections: {press: {output: true}, awards: {output: true}}
-- old/me.svg --
<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><path d="M0 0h4"/></svg>
-- old/files/cv.pdf --
%PDF-1.4
-- old/index.md --
# Hello

Write to {{ site.email }}. See [looms](looms), [papers](publications).
-- old/looms.md --
Looms
=====

How they work.
-- old/publications.md --
---
title: Research
---
<h2>Articles</h2>
{% assign papers = site.publications | reverse %}
{% for paper in papers %}{{ paper.title }}{% endfor %}
-- old/_publications/notes.html --
---
title: Notes on the engine
authors: [Ada Example, "**Bo Lee**"]
journal: Memoirs
volume: 3
pages: 66-73
month: August
year: 1843
image: /me.svg
links: {code: "https://code.example.org/1"}
---
[Download paper here](/files/cv.pdf)
-- old/_publications/plan.md --
---
title: A plan
venue: Preprint, arXiv:2401.00001
coauthors: With Cai Moon
links:
  - {name: arXiv, url: "https://arxiv.org/abs/2401.00001"}
---
-- old/_press/2020-radio.md --
---
title: On the radio
date: 2020-05-04
permalink: https://radio.example.org/1
status: The evening show
---
-- old/_press/2021-essay.md --
---
title: An essay
---
First part.

Second part.
-- old/press.html --
---
title: Press
---
{% for item in site.press %}{{ item.title }}{% endfor %}
-- old/_awards/medal.md --
---
title: Gold medal
year: 1850
---
-- old/_projects/mill.md --
---
title: The mill
links: {source: "https://code.example.org/2"}
---
-- old/_teaching/course.md --
---
title: Analysis
date: 1841-03-01
---
"""


def test_accounts_pages_and_collections_of_other_themes(tmp_path: Path) -> None:
    built = import_and_build(tmp_path, THEME)
    profile = built.site.profile
    assert (profile.email, profile.role, profile.photo) == (
        ("ada@example.edu",),
        "Analyst at the Engine Works",
        "files/me.svg",
    )
    assert {link.url for link in profile.links} >= {
        "https://github.com/ada",
        "https://orcid.org/0000-0002-1825-0097",
        "https://example.social/@ada",
    }
    assert "mastodon_username: ada@example.social" in read_report(tmp_path)
    assert "Write to ada@example.edu." in built.read_words("/")
    assert 'href="looms/"' in built.read_page("/")
    assert "How they work." in built.read_words("/looms/")
    order = [page.name for page in built.site.settings.pages or () if page.menu]
    assert order == ["home", "publications", "looms"]
    assert "Research" not in built.read_words("/looms/")
    assert "files/cv.pdf" in {link.url for link in profile.links}
    papers = {str(paper.title): paper for paper in built.site.publications}
    notes, plan = papers["Notes on the engine"], papers["A plan"]
    assert isinstance(notes, Publication)
    assert (notes.kind, notes.venue.name, notes.venue.volume) == ("article", "Memoirs", "3")
    assert notes.date is not None
    assert notes.date.iso == "1843-08"
    assert {"Code", "PDF"} <= {link.label for link in notes.links}
    assert (plan.note, plan.eprint) == ("With Cai Moon", "2401.00001")
    assert "On the radio" in built.read_words("/press/")
    assert "Second part." in built.read_words("/press-2021-essay/")
    assert [award.name for award in built.site.collections["awards"].entries] == ["Gold medal"]
    (project,) = built.site.collections["projects"].entries
    assert [link.url for link in project.links] == ["https://code.example.org/2"]
    (course,) = built.site.collections["teaching"].entries
    assert course.entry_period is not None
    assert course.entry_period.start is not None
    assert course.entry_period.start.iso == "1841-03"
    assert "/portfolio/mill/" not in read_report(tmp_path)


SCHOLAR = """\
-- old/_config.yml --
title: Tidal Group
about: {text: We measure the sea.}
scholar: {bibliography: works}
team:
  - {name: Ada Example, tagline: Professor, avatar: none.png}
  - {name: Bo Lee, tagline: PhD student}
-- old/_bibliography/works.bib --
@article{tides, title={Tides}, author={Lee, Bo}, journal={J}, year={2020}}
-- old/index.html --
---
title: Tidal Group
---
{% include sections/about.html %}
{% include footer.html %}
{% include sections/team.html %}
-- old/_includes/sections/about.html --
<style>p { color: red }</style>
<section><p>{{ site.about.text }}</p><p>Visit us.</p></section>
-- old/_includes/footer.html --
<p>Made with a theme</p>
-- old/_includes/sections/team.html --
{% for member in site.team %}<h3>{{ member.name }}</h3>{% endfor %}
-- old/_posts/2020-01-02-boats.md --
---
title: Boats
---
Read {% cite tides %} and [home]({% link index.html %}).

{% details More %}
Sails.
{% enddetails %}
-- old/research.md --
---
title: Research
---
See [the boats]({% post_url 2020-01-02-boats %}).
"""


def test_a_site_with_jekyll_scholar_is_not_al_folio(tmp_path: Path) -> None:
    """The home page, its includes and the lists of _config.yml are imported as in other Jekyll sites."""
    built = import_and_build(tmp_path, SCHOLAR)
    assert detect_system(tmp_path / "old") == "academicpages"
    home = built.read_words("/")
    assert "We measure the sea. Visit us." in home
    assert "Made with a theme" not in home
    assert "color" not in home
    assert [person.name for person in list_people(built.site.collections)] == ["Ada Example", "Bo Lee"]
    assert [paper.title for paper in built.site.publications] == ["Tides"]
    assert 'href="../posts/boats/"' in built.read_page("/research/")
    post = built.read_page("/posts/boats/")
    assert "<summary>More</summary>" in post
    assert "publications/tides/" in post
    assert "`_config.yml:4`: team" not in read_report(tmp_path)


AL_FOLIO = """\
-- old/_config.yml --
first_name: Ada
last_name: Example
scholar: {last_name: [Example]}
-- old/_pages/about.md --
---
permalink: /
profile:
  more_info: >
    <p><a href="https://github.com/0xada">
      <i class="fa-brands fa-github"></i> 0xada
    </a></p>
---
I analyse.

<!-- Write your biography here. Tell the world about yourself. -->
-- old/_pages/cv.md --
---
permalink: /cv/
cv_pdf: ada.pdf
---
<h2>Certificates</h2>
{% include certificates.liquid %}
-- old/assets/pdf/ada.pdf --
%PDF-1.4
-- old/_talks/loom.md --
---
title: On looms
date: 2024-05-17
event: Engine Day
---
"""


def test_al_folio_with_talks_and_comments(tmp_path: Path) -> None:
    """The sample text in a comment is not the text of the page; lines beside the photo may be links."""
    built = import_and_build(tmp_path, AL_FOLIO)
    profile = built.site.profile
    assert "I analyse." in built.read_words("/")
    assert [link.url for link in profile.links if link.label == "GitHub"] == ["https://github.com/0xada"]
    assert (profile.cv, profile.office) == ("files/ada.pdf", "")
    (talk,) = built.site.collections["talks"].entries
    assert isinstance(talk, Talk)
    assert (talk.name, talk.event) == ("On looms", "Engine Day")


PAGES = """\
-- old/index.html --
<!DOCTYPE html>
<html><head><title>Ada Example | Analyst</title><style>p {}</style></head>
<body>
<nav><ul><li><a href="index.html">Home</a></li><li><a href="sub/looms.html">Looms</a></li><li><a href="papers.html">Papers</a></li></ul></nav>
<main>
<h1>Hello</h1>
<table><tr><td><img src="me.svg" alt="Ada"></td><td><p>I am <b>Ada </b>(<a href="mailto:ada@example.edu">e-mail</a>).</p></td></tr></table>
<ul><li>One<ul><li>Two</li></ul></li><li>See <a href="files/cv.pdf">my CV</a></ul>
<form><button>Search</button></form>
</main>
<footer>2020</footer><script>var x = "<p>no</p>";</script>
</body></html>
-- old/me.svg --
<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><path d="M0 0h4"/></svg>
-- old/files/cv.pdf --
%PDF-1.4
-- old/sub/looms.html --
<html><head><title>Looms - Ada Example</title></head><body><p>Back to <a href="../index.html">home</a>.</p></body></html>
-- old/papers.html --
<html><head><title>Papers</title></head><body><ol><li>A paper</li></ol></body></html>
"""


def test_html_files_without_a_generator(tmp_path: Path) -> None:
    built = import_and_build(tmp_path, PAGES)
    assert detect_system(tmp_path / "old") == "html"
    assert built.site.profile.name == "Ada Example"
    about = (tmp_path / "site/content/about.md").read_text(encoding="utf-8")
    assert "I am **Ada** ([e-mail](mailto:ada@example.edu))." in about
    assert "![Ada](files/me.svg)" in about
    assert "- One\n  - Two\n- See [my CV](files/cv.pdf)" in about
    for text in ("Search", "2020", "var x"):
        assert text not in about
    assert [page.name for page in built.site.settings.pages or () if page.menu] == ["home", "looms", "papers"]
    assert "title: Looms\n" in (tmp_path / "site/content/pages/looms.md").read_text(encoding="utf-8")
    assert "/sub/looms/ is now /looms/" in read_report(tmp_path)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<p>A  <em>b </em>c</p><p>d<br>e</p>", "A *b* c\n\nd  \ne"),
        ("<p>2 * 3 [x] a_b _c_</p>", "2 \\* 3 \\[x\\] a_b \\_c\\_"),
        ("<pre>a\n\n  b</pre><p><code>x</code></p>", "```\na\n\n  b\n```\n\n`x`"),
        ("<ol><li><p>a</p><p>b</p></ol>", "1. a  \n   b"),
        ("<blockquote><p>a</p></blockquote><hr>", "> a\n\n---"),
        ("<div class='navbar'><a href='x'>X</a></div><p>a</p>", "a"),
        ("<p hidden>a</p><h2>b<p>c", "## b c"),
        ("<div>" * 3000 + "a", "a"),
        ("<ul><li>" * 3000, ""),
    ],
)
def test_html_becomes_markdown(source: str, expected: str) -> None:
    assert read_html_page(f"<body>{source}").text == expected


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Home | Ada Example", "Ada Example"),
        ("Ada Example's homepage", "Ada Example"),
        ("Prof. Ada King-Example: Professor of Looms", "Prof. Ada King-Example"),
        ("Tidal Lab", "Tidal Lab"),
    ],
)
def test_the_owner_is_in_the_title_of_the_home_page(title: str, name: str) -> None:
    assert guess_owner([title]) == name


def test_parts_that_liquid_generates_are_found() -> None:
    loops: list[str] = []
    text = "# A\n{% for x in site.a %}{% for y in x %}{{ y }}{% endfor %}{% endfor %}\n\n# B\nb {% endfor %}{% for z in c %}"
    assert remove_loops(text, loops.append) == "# B\nb {% endfor %}{% for z in c %}"
    assert loops == ["site.a"]
    assert extract_static_text("<h2>Papers</h2>\n{% if a %}Yes{% else %}No{% endif %}{% include toc %}") == ""
    assert "kept" in extract_static_text("{% assign a = b %}kept {% if a %}not{% endif %}")
    names = ("publist", "phd_students", "alumni_members", "courses", "portfolio", "coauthors", "venues")
    assert [*map(collection_for_name, names)] == [
        "publications",
        "people",
        "people",
        "teaching",
        "projects",
        "",
        "",
    ]


def test_entries_are_found_in_groups_of_lists() -> None:
    text = "'2024':\n- {title: A}\nentries:\n- {year: 2023, papers: [{title: B, links: [{url: x}]}]}\nada: {title: C}\n"
    node = parse_yaml(text, "a.yml", Problems())
    assert node is not None
    entries = [(entry.mapping["title"].text, group) for entry, group in iterate_data_entries(node)]
    assert entries == [("A", "2024"), ("B", "2023"), ("C", "")]


def test_elements_without_content_are_removed() -> None:
    assert (
        remove_empty_elements("<ul>\n  <li><i class='x'></i></li>\n</ul>\na <a id='t'></a>[b](#t)")
        == "a <a id='t'></a>[b](#t)"
    )
    assert remove_unclosed_links('<a href="x">y</a> z <a href="w">') == '<a href="x">y</a> z '


@pytest.mark.parametrize(
    ("line", "degree", "institution"),
    [
        ("Ph.D. in Looms, UC Exampletown, 2026 (expected)", "Ph.D. in Looms", "UC Exampletown"),
        ("B.S. in Looms, <i>summa cum laude</i>, Caltown, 2021", "B.S. in Looms, summa cum laude", "Caltown"),
        ("M.S. in Looms, Example University, London", "M.S. in Looms", "Example University"),
    ],
)
def test_degrees_of_any_institution_are_read(line: str, degree: str, institution: str) -> None:
    entry = read_education(BulletPoint(line))
    assert (entry["degree"], entry["institution"]) == (degree, institution)
