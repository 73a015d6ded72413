"""The import of a site of academicpages: publications with authors from their citations, CV lists, menu and URLs."""

from pathlib import Path

import pytest
from test_import import import_and_build, read_report

from tenure.importers.bibliography.prose_references import parse_reference
from tenure.importers.cv_entries import normalize_date
from tenure.importers.detect import detect_system
from tenure.importers.resume.markdown_cv import parse_bullet_list, split_date_from_text
from tenure.model.entries import Course, Education, Experience, Talk
from tenure.model.names import Authors

SITE = """\
-- old/_config.yml --
title: Your Name / Site Title
name: &name "Ada Example"
url: https://ada.example.org # the base
locale: en-US
author:
  name: Ada
  bio: "Analyst"
  avatar: me.png
  employer: Engine Works
  github: ada
  twitter: #"replacethistwitterhandle"
  googlescholar: "https://scholar.google.com/citations?user=ABC"
  orcid: "http://orcid.org/yourorcidurl"
  shoe_size: 38
-- old/_data/navigation.yml --
main:
  - title: "Talks"
    url: /talks/
  - title: "Papers"
    url: /publications/
  - title: "Guide to looms"
    url: /looms/
  - title: "Elsewhere"
    url: https://elsewhere.example.org
  - title: "Shop"
    url: /shop/
-- old/_publications/notes.md --
---
title: "Notes on the *Engine* & its $x^2$"
collection: publications
permalink: /publication/notes
date: 1843-08-01
venue: 'Scientific Memoirs'
paperurl: '/files/notes.pdf'
link: 'https://doi.org/10.1234/notes'
citation: '<b>Example, A. A.</b>, &amp; Babbage, C. (1843). Notes on the Engine &amp; its x^2. <i>Scientific Memoirs</i>, 3(2), 666-731.'
errata: https://errata.example.org/1
grade: 1.0
---
See [the talk](/talks/loom).

- one
- two
-- old/files/notes.pdf --
%PDF-1.4
-- old/_publications/2009-10-01-paper-title-number-1.md --
---
title: "Paper Title Number 1"
venue: 'Journal 1'
---
-- old/_publications/broken.md --
---
title: "A Broken One"
venue: 'Proceedings of Looms'
date: 2020-03-04
excerpt: 'It isn't closed'
tags: [looms
citation: 'In preparation.'
---
-- old/_talks/loom.md --
---
title: "Looms"
type: "Talk"
permalink: /talks/loom
venue: "Royal Society"
date: 25/11/1842
location: "London"
slides: https://ada.example.org/slides.pdf
---
-- old/_talks/2012-03-01-talk-1.md --
---
title: "Talk 1 on Relevant Topic in Your Field"
---
-- old/_teaching/course.md --
---
title: "Analysis"
type: "Course"
venue: "University of London"
date: 1841-01-01
---
-- old/_portfolio/engine.md --
---
title: "The Engine"
excerpt: "A machine<br/><img src='/images/engine.svg'>"
---
Of brass.
-- old/images/engine.svg --
<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><path d="M0 0h4"/></svg>
-- old/_pages/about.md --
---
permalink: /
title: "About"
redirect_from:
  - /about/
---
{% include base_path %}
I analyse; see [my paper]({{ base_path }}/publication/notes).
-- old/_pages/cv.md --
---
layout: archive
title: "CV"
permalink: /cv/
redirect_from:
  - /resume
---
{% include base_path %}

Education
======
* Ph.D in Mathematics, University of London, 1842
* B.S. in GitHub, GitHub University, 2012

Work experience
======
* 1842 - 1843: Analyst
  * Engine Institute, London
  * Duties included: notes

Skills
======
* Looms
  * Cards

Publications
======
  <ul>{% for post in site.publications %}{% endfor %}</ul>

Hobbies
======
I play the harp.
-- old/_pages/looms.md --
---
title: Looms
permalink: /looms/
---
How they work.
"""


def test_a_site_of_academicpages_is_imported(tmp_path: Path) -> None:
    imported = import_and_build(tmp_path, SITE)
    site = imported.site
    assert site.profile.name == "Ada Example"
    assert (site.profile.role, site.profile.affiliation[0].name) == ("Analyst", "Engine Works")
    assert {link.label for link in site.profile.links} == {"GitHub", "Google Scholar", "Elsewhere"}
    notes = next(paper for paper in site.publications if paper.doi)
    assert list_full_names(notes.authors) == ["A. A. Example", "C. Babbage"]
    assert notes.authors.people[0].me
    assert site.profile.aliases == ("A. A. Example",)
    assert notes.title == "Notes on the *Engine* & its $x^2$"
    assert (notes.venue.name, notes.venue.volume, notes.venue.number) == ("Scientific Memoirs", "3", "2")
    assert notes.doi == "10.1234/notes"
    assert "See [the talk](/talks/)." in notes.body
    assert {"PDF", "Errata"} <= {link.label for link in notes.links}
    assert "See the talk. one two" in imported.read_words("/publications/example1843notes/")
    broken = next(paper for paper in site.publications if paper is not notes)
    assert (broken.title, broken.kind, broken.note) == ("A Broken One", "inproceedings", "In preparation.")
    (talk,) = site.collections["talks"].entries
    assert isinstance(talk, Talk)
    assert (talk.event, talk.place, talk.date and talk.date.start and talk.date.start.iso) == (
        "Royal Society",
        "London",
        "1842-11-25",
    )
    (course,) = site.collections["teaching"].entries
    assert isinstance(course, Course)
    assert (course.institution, course.term[0].start and course.term[0].start.iso) == (
        "University of London",
        "1841",
    )
    (project,) = site.collections["projects"].entries
    assert (project.name, project.image) == ("The Engine", "files/engine.svg")


def test_the_lists_of_a_cv_in_markdown_are_its_collections(tmp_path: Path) -> None:
    site = import_and_build(tmp_path, SITE).site
    (school,) = site.collections["education"].entries
    assert isinstance(school, Education)
    assert (school.degree, school.institution) == ("Ph.D in Mathematics", "University of London")
    (work,) = site.collections["experience"].entries
    assert isinstance(work, Experience)
    assert (work.role, work.organization, work.location) == ("Analyst", "Engine Institute", "London")
    assert [point.text for point in work.details] == ["Duties included: notes"]
    assert [entry.name for entry in site.collections["skills"].entries] == ["Looms"]


def test_the_menu_keeps_its_order_and_old_urls_redirect(tmp_path: Path) -> None:
    imported = import_and_build(tmp_path, SITE)
    order = [page.name for page in imported.site.settings.pages or () if page.menu]
    assert order == ["home", "talks", "publications", "looms"]
    assert imported.site.settings.pages is not None
    assert imported.site.settings.pages[2].title == "Papers"
    assert '<a href="../../publications/example1843notes/">' in imported.read_page("/publication/notes/")
    assert imported.read_words("/about/") == "Home" or "url=../" in imported.read_page("/about/")
    assert 'href="publications/example1843notes/"' in imported.read_page("/")
    assert "I play the harp." in imported.read_words("/vita/")


@pytest.mark.parametrize(
    "line",
    [
        "`_publications/2009-10-01-paper-title-number-1.md`: sample content of the template",
        "`_talks/2012-03-01-talk-1.md`: sample content of the template",
        "sample content of the template: 1 entry of Education",
        "sample content of the template: http://orcid.org/yourorcidurl",
        "`_config.yml:14`: shoe_size: 38",
        "`_config.yml:6`: photo: me.png is not in the source",
        "`_publications/notes.md:11`: grade: 1.0",
        "`_publications/broken.md:1`: its front matter is broken, and was read line by line",
        "its authors are read from its citation: Example, A. A.; Babbage, C.",
        "its authors cannot be recognized in the citation",
        "the menu item Shop (/shop/)",
        "Publications of the CV comes from the site's data",
        "/publication/notes is now /publications/example1843notes/",
    ],
)
def test_conversions_are_reported(tmp_path: Path, line: str) -> None:
    import_and_build(tmp_path, SITE)
    assert line in read_report(tmp_path)


def test_a_plain_jekyll_site_is_imported(tmp_path: Path) -> None:
    imported = import_and_build(
        tmp_path,
        """\
-- old/_config.yml --
title: Ada Example's homepage
author: Ada Example
-- old/index.md --
---
layout: home
---
Hello.
-- old/research.md --
---
title: Research
---
Looms.
-- old/_posts/2020-02-03-cards.md --
---
title: Cards
---
Punched.
""",
    )
    assert imported.site.profile.name == "Ada Example"
    assert "Hello." in imported.read_words("/")
    assert "Looms." in imported.read_words("/research/")
    assert "Punched." in imported.read_words("/posts/cards/")


def test_academicpages_is_detected_by_its_folders(tmp_path: Path) -> None:
    import_and_build(tmp_path, SITE)
    assert detect_system(tmp_path / "old") == "academicpages"


@pytest.mark.parametrize(
    ("written", "title", "authors"),
    [
        ("Koks, E. E., de Moel, H., & Bouwer, L. M. (2014). A title. J, 1.", "A title", ["Koks, E. E.", "de Moel, H.", "Bouwer, L. M."]),
        ("Àvila Callau, A.; Pérez-Albert, Y. (2020). “A title.”", "A title", ["Àvila Callau, A.", "Pérez-Albert, Y."]),
        ("Ada Example, Charles Babbage and <b>Eva Müller</b>. A Title. In Proc.", "A title", ["Ada Example", "Charles Babbage", "Eva Müller"]),
        ("Regoli, L. H., Raptis, S., et al. (2024). A title.", "A title", ["Regoli, L. H.", "Raptis, S.", "others"]),
        ("Submitted to a journal in 2020", "A title", []),
        ("A title. Journal of Things (2020).", "A title", []),
    ],
)  # fmt: skip
def test_authors_are_read_from_a_reference_if_unambiguous(
    written: str, title: str, authors: list[str]
) -> None:
    assert list(parse_reference(written, title).authors) == authors


@pytest.mark.parametrize(
    ("words", "when", "remainder"),
    [
        ("**2019 – 2023**: Ph.D., School", "2019 – 2023", "Ph.D., School"),
        ("[07/2026]: Best Paper", "2026-07", "Best Paper"),
        ("Sep 2023 - Present, Scholar, University", "Sep 2023 - Present", "Scholar, University"),
        ("B.S. in X, University, Sep 2015 - Jun 2019", "Sep 2015 - Jun 2019", "B.S. in X, University"),
        ("M.S., MIT (2012)", "2012", "M.S., MIT"),
        ("Ph.D, 2025, Hamburg University", "2025", "Ph.D, Hamburg University"),
        ("Prize of GDC 2026, Hohhot", "", "Prize of GDC 2026, Hohhot"),
    ],
)
def test_dates_are_found_in_lines_of_a_cv(words: str, when: str, remainder: str) -> None:
    assert split_date_from_text(words) == (when, remainder)


def test_a_hyphen_list_below_a_number_belongs_to_it() -> None:
    actual = parse_bullet_list("1. One\n- a\n- b\n\n2. Two\n   - c\n")
    assert actual is not None
    assert [(element.text, [point.text for point in element.children]) for element in actual] == [
        ("One", ["a", "b"]),
        ("Two", ["c"]),
    ]
    assert parse_bullet_list("- One\n\nWords.") is None


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("1/1/2018", "2018"),
        ("25/12/2018", "2018-12-25"),
        ("12/25/2018", "2018-12-25"),
        ("3/4/2018", "2018"),
        ("30-06-2021", "2021-06-30"),
        ("Aug-15", "Aug 2015"),
        ("12/2020", "2020-12"),
        ("2019-03-24T19:00:00Z", "2019-03-24"),
        ("2015-10-22 15:59:00-0400", "2015-10-22"),
        ("14-Sep", ""),
    ],
)
def test_dates_are_only_as_precise_as_the_source(written: str, read: str) -> None:
    assert normalize_date(written) == read


def list_full_names(authors: Authors) -> list[str]:
    return [author.name.full_name for author in authors.people]
