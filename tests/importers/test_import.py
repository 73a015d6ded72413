"""`import` converts a site, reports the result for each file and value, and overwrites nothing."""

import re
from pathlib import Path

import pytest
from conftest import Built, run_in, write_files

from tenure.build import build_site
from tenure.cli.app import main
from tenure.importers.detect import detect_system
from tenure.importers.samples import is_einstein_entry
from tenure.importers.yaml_writer import format_scalar, format_yaml
from tenure.model.entries import Education, Experience, Project, Service
from tenure.problems import Problems
from tenure.sources.files import parse_yaml

RESUME = """\
-- old/resume.json --
{
\t"basics": {"name": "Ada Example", "label": "Analyst", "email": "ada@example.edu", "phone": "+1 555 0100",
\t\t"summary": "Costs $5 or $6, <b>plainly</b>.", "location": {"city": "London", "countryCode": "GB", "postalCode": "N1"},
\t\t"profiles": [{"network": "GitHub", "username": "ada"}]},
\t"work": [{"company": "Engine Works", "position": "Analyst", "startDate": "2016-11-07", "highlights": ["One \\ud83d\\ude00"]}],
\t"education": [{"institution": "University of London", "studyType": "B.Sc.", "startDate": "some day", "score": "1.0"}],
\t"skills": [{"name": "Looms", "level": "Master", "keywords": ["cards"]}],
\t"publications": [{"name": "Notes on the Engine", "publisher": "Memoirs", "releaseDate": "1843-08", "isbn": "none"}],
\t"talks": [{"location": "London", "startDate": "1843", "endDate": "1843"}],
\t"service": [{"position": "Reviewer", "journals": ["Memoirs", "Notes"]}],
\t"interests": [{"name": "Music", "keywords": ["harp"]}]
}
"""
RENDERCV = """\
-- old/cv.yaml --
cv:
  name: Ada Example
  social_networks: [{network: LinkedIn, username: ada}]
  sections:
    summary: [I analyse.]
    experience:
      - company: Engine Works
        position: Analyst
        start_date: 2020-01
        end_date: present
        highlights: [Loops]
    publications:
      - title: Notes on the Engine
        authors: ["***Ada Example***", C. Babbage]
        journal: Memoirs
        date: 1843-08
    languages_spoken:
      - {label: English, details: native}
    awards:
      - {name: A prize, date: 2020}
      - {bullet: "Gold medal, 2021"}
design: {theme: classic}
"""
ALFOLIO = """\
-- old/_config.yml --
title: blank
first_name: Ada
last_name: Example
url: https://ada.example.org
baseurl: /site
scholar: {last_name: [Example], first_name: [Ada]}
-- old/_data/socials.yml --
email: you@example.com
orcid_id: 0000-0002-1825-0097
mastodon_username: example.social/@ada
rss_icon: true
-- old/_data/cv.yml --
- title: Education
  type: time_table
  contents:
    - {title: PhD, institution: University of London, year: 2010 - 2014, description: [One, {title: Two, contents: [Three]}]}
- title: Experience
  type: time_table
  contents:
    - {title: Professor of Theoretical Physics, institution: "Institute for Advanced Study, Princeton University", year: 1933}
-- old/_bibliography/papers.bib --
---
---
@article{example1843notes,
  title = {Notes on the Engine}, author = {Example, Ada}, journal = {Memoirs}, year = {1843}, pdf = {notes.pdf}
}
@article{PhysRev.47.777,
  title = {Can Reality Be Complete?}, author = {Einstein, A. and Rosen, N.}, journal = {Phys. Rev.}, year = {1935}
}
-- old/assets/pdf/notes.pdf --
%PDF-1.4
-- old/_pages/about.md --
---
title: about
permalink: /
subtitle: <b>Analyst</b> at <a href='https://engine.example.org'>Engine Works</a>
profile: {image: absent.jpg}
---
See {% cite example1843notes %} and [my works]({{ '/publications/' | relative_url }}){:target="_blank"}, not [this](/gone/).
{% include mystery.html %}
-- old/_pages/publications.md --
---
title: publications
---
{% bibliography %}
-- old/_patents/one.md --
A patent.
-- old/_bibliography/talks.bib --
@misc{loom1842, title = {On Looms}, author = {Example, Ada}, year = {1842}, howpublished = {Royal Society}}
-- old/_pages/talks.md --
---
title: talks
permalink: /talks/
nav: true
nav_order: 2
---
{% bibliography -f talks %}
-- old/assets/img/unused.png --
x
-- old/_pages/hobbies.md --
---
title: hobbies
permalink: /fun/
---
I play the <a href="https://harp.example.org" class="x">harp</a>.

<div>In a block: <a href="/publications/">works</a></div>
-- old/_projects/1_project.md --
---
title: project 1
description: a project with a background image
---
Every project has a beautiful feature showcase page.
-- old/_projects/loom.md --
---
title: The Loom
description: Weaving
related_publications: example1843notes, nothing1900
custom: my own words
---
{% include figure.liquid path="assets/img/absent.png" caption="x" %}
Cards.
-- old/_news/a.md --
---
date: 2015-10-22 15:59:00-0400
inline: true
---
A loom <em>works</em>.
-- old/_posts/2015-03-15-formatting-and-links.md --
---
title: sample
---
Text
-- old/_posts/2020-02-03-cards.md --
---
title: Cards
tags: looms cards
---
{% raw %}{{ x }}{% endraw %} Words.
"""


def import_and_build(folder: Path, files: str, *words: str, source: str = "old") -> Built:
    """Write the files, import them, and build the new site."""
    write_files(folder, files)
    assert run_in(folder, "import", source, *words) == 0
    built = Built(build_site(folder / "site"))
    assert [p for p in built.build.problems if p.level == "error"] == []
    return built


def read_report(folder: Path) -> str:
    return (folder / "site/import-report.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("source", [RESUME, ALFOLIO])
def test_the_summary_counts_the_problems_of_check(
    source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only `check` reports a field that is nearly a known one; the summary of the import counts it too."""
    write_files(tmp_path, source)
    write_files(
        tmp_path, "-- site/bib/more.bib --\n@article{a, title={A}, author={B, C}, year=2020, vloume={12}}\n"
    )
    assert run_in(tmp_path, "import", "old") == 0
    summary = re.findall(r"(?<=^check: ).*$", capsys.readouterr().out, re.MULTILINE)
    assert main(["check", "--site", str(tmp_path / "site")]) == 0
    assert summary == capsys.readouterr().out.splitlines()
    assert summary != ["0 problems."]


def test_a_json_resume_is_imported(tmp_path: Path) -> None:
    imported = import_and_build(tmp_path, RESUME)
    assert imported.site.profile.name == "Ada Example"
    assert imported.site.profile.location == "London, GB"
    assert imported.site.profile.interests == ("Music (harp)",)
    assert "Costs $5 or $6, <b>plainly</b>" in imported.read_words("/")
    (work,) = imported.site.collections["experience"].entries
    assert isinstance(work, Experience)
    assert work.period is not None
    assert work.period.ongoing
    assert work.details[0].text == "One 😀"
    (school,) = imported.site.collections["education"].entries
    assert isinstance(school, Education)
    assert (school.grade, school.note) == ("1.0", "some day")
    (duty,) = imported.site.collections["service"].entries
    assert isinstance(duty, Service)
    assert [(group.label, group.items) for group in duty.groups] == [("journals", ("Memoirs", "Notes"))]
    assert [talk.name for talk in imported.site.collections["talks"].entries] == ["London"]
    (paper,) = imported.site.publications
    assert (paper.title, paper.date and paper.date.iso) == ("Notes on the Engine", "1843-08")
    report_text = read_report(tmp_path)
    assert "`resume.json:2`: phone: +1 555 0100" in report_text
    assert "postalCode: N1" in report_text
    assert "isbn: none" in report_text
    assert "add its kind and authors" in report_text


def test_a_rendercv_file_is_imported(tmp_path: Path) -> None:
    imported = import_and_build(tmp_path, RENDERCV)
    (paper,) = imported.site.publications
    assert [author.name.full_name for author in paper.authors.people] == ["Ada Example", "C. Babbage"]
    assert paper.authors.people[0].me
    assert imported.site.collections["languages-spoken"].title == "Languages spoken"
    assert "I analyse." in imported.read_words("/")
    assert "`cv.yaml:22`: design" in read_report(tmp_path)
    assert "awards: Gold medal, 2021" in read_report(tmp_path)


def test_a_site_of_al_folio_is_imported(tmp_path: Path) -> None:
    imported = import_and_build(tmp_path, ALFOLIO)
    site = imported.site
    assert site.profile.name == "Ada Example"
    assert site.profile.role == "**Analyst** at [Engine Works](https://engine.example.org)"
    assert site.profile.email == ()
    assert site.settings.url == "https://ada.example.org/site/"
    assert {link.url for link in site.profile.links} == {
        "https://orcid.org/0000-0002-1825-0097",
        "https://example.social/@ada",
    }
    assert [paper.key for paper in site.publications] == ["example1843notes"]
    assert (tmp_path / "site/content/files/notes.pdf").is_file()
    (school,) = site.collections["education"].entries
    assert [point.text for point in school.details] == ["One", "Two"]
    assert [point.text for point in school.details[1].points] == ["Three"]
    assert "experience" not in site.collections
    (project,) = site.collections["projects"].entries
    assert isinstance(project, Project)
    assert (project.title, project.publications, project.body) == (
        "The Loom",
        ("example1843notes",),
        "Cards.",
    )
    assert 'href="publications/"' in imported.read_page("/")
    assert "not this." in imported.read_words("/")
    assert "A loom works." in imported.read_words("/")
    assert "I play the harp." in imported.read_words("/hobbies/")
    assert '<a href="https://harp.example.org">harp</a>' in imported.read_page("/hobbies/")
    assert 'In a block: <a href="../publications/">works</a>' in imported.read_page("/hobbies/")
    assert imported.paths.count("posts/cards/index.html") == 1
    assert imported.paths.count("posts/formatting-and-links/index.html") == 0
    assert [talk.name for talk in site.collections["talks"].entries] == ["On Looms"]
    assert "Home Talks Talks On Looms Ada Example" in imported.read_words("/talks/")
    assert [page.name for page in site.settings.pages or () if page.menu] == ["home", "talks"]


@pytest.mark.parametrize(
    ("words", "sample"),
    [
        (
            "Professor of Theoretical Physics, Institute for Advanced Study, Princeton University, 1933 - 1955",
            True,
        ),
        ("Director, Kaiser Wilhelm Institute for Physics", True),
        ("Nobel Prize in Physics, 1921", True),
        ("Nobel Prize in Physics, 2022", False),
        ("Professor of Theoretical Physics, University of Somewhere, 2010 - present", False),
    ],
)
def test_only_the_sample_content_of_al_folio_is_skipped(words: str, sample: bool) -> None:
    assert is_einstein_entry(words, "Ada Example") is sample
    assert not is_einstein_entry(words, "Alberta Einstein")


@pytest.mark.parametrize(
    "line",
    [
        "`_bibliography/papers.bib:6`: sample content of the template: PhysRev.47.777",
        "`_data/cv.yml:8`: sample content of the template",
        "`_projects/1_project.md`: sample content of the template",
        "`_posts/2015-03-15-formatting-and-links.md`: sample content of the template",
        "`_projects/loom.md:5`: custom: my own words",
        "related works that no .bib file has: nothing1900",
        "Liquid: {% include mystery.html %}",
        "a link to /gone/, which is neither a file",
        "`_patents/one.md`: a file that is not read",
        "`assets/img`: 1 file that no imported content uses",
        "photo: absent.jpg is not in the source",
        "/fun/ is now /hobbies/",
        "/blog/2020/cards/ is now /posts/cards/",
    ],
)
def test_what_is_not_imported_is_reported_with_its_place(tmp_path: Path, line: str) -> None:
    import_and_build(tmp_path, ALFOLIO)
    assert line in read_report(tmp_path)


def test_an_annotation_of_al_folio_is_an_addendum(tmp_path: Path) -> None:
    """al-folio shows it on the page; in BibTeX it is private, as `annote`."""
    entry = (
        "@article{one, title = {One}, author = {Example, Ada}, year = 2024,\n annotation = {Best reviewed}\n}"
    )
    built = import_and_build(tmp_path, f"{ALFOLIO}-- old/_bibliography/papers.bib --\n{entry}\n")
    assert "Best reviewed" in built.read_words("/publications/one/")
    assert "`_bibliography/papers.bib:1`: annotation is addendum" in read_report(tmp_path)


def test_a_bibliography_is_copied_unchanged(tmp_path: Path) -> None:
    text = (
        '@article{a,\n title = {One}, author = {M{\\"u}ller, Eva and Doe, J.}, year = 2020, journal = {J}}\n'
    )
    text += '@article{b,\n title = {Two}, author = {Eva M{\\"u}ller}, year = 2021, journal = {J}}\n'
    imported = import_and_build(tmp_path, f"-- old/dblp.bib --\n{text}", source="old/dblp.bib")
    assert imported.site.profile.name == "Eva Müller"
    assert (tmp_path / "site/bib/dblp.bib").read_text() == text
    assert "--name sets another" in read_report(tmp_path)


def test_an_import_overwrites_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import_and_build(tmp_path, ALFOLIO)
    folder = tmp_path / "site"
    mine = folder / "content/about.md"
    mine.write_text("Mine.\n")
    before = _read_source_files(folder)
    capsys.readouterr()
    assert run_in(tmp_path, "import", "old") == 0
    assert _read_source_files(folder) == before
    stdout = capsys.readouterr().out
    assert "wrote 0 files" in stdout
    assert "about.md: it differs from the imported file" in stdout


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (
            "-- old/notes.txt --\nx\n",
            "none of the formats that can be imported: bibtex, csl-json, json-resume, rendercv, ",
        ),
        (
            "-- old/refs.ris --\nTY  - JOUR\n",
            "old/refs.ris is a file in RIS, which cannot be imported; convert it to BibTeX",
        ),
        ("-- old/mine.nbib --\nPMID- 1\n", "with the format BibTeX writes mine.bib; then import mine.bib"),
        ("-- old/a.bib --\n@misc{a, title = {X}}\n", "does not give the name of the owner"),
    ],
)
def test_a_source_that_cannot_be_imported_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], files: str, expected: str
) -> None:
    write_files(tmp_path, files)
    assert run_in(tmp_path, "import", "old") == 2
    assert expected in capsys.readouterr().err
    assert not (tmp_path / "site").exists()


def test_the_name_option_is_used(tmp_path: Path) -> None:
    assert (
        import_and_build(tmp_path, RENDERCV, "--name", "Augusta Example").site.profile.name
        == "Augusta Example"
    )


def test_each_system_is_detected_by_its_files(tmp_path: Path) -> None:
    for i, (files, name) in enumerate(
        ((RESUME, "json-resume"), (RENDERCV, "rendercv"), (ALFOLIO, "al-folio"))
    ):
        write_files(tmp_path / str(i), files)
        assert detect_system(tmp_path / str(i) / "old") == name


@pytest.mark.parametrize(
    "words",
    [
        "null",
        "~",
        "a: b",
        "# a",
        "- a",
        "'a",
        'say "x"',
        "$\\beta$ \"q\" 'r'",
        "1e3",
        "two\nlines\n\n  deep",
        " a ",
        "{{ x }}",
    ],
)
def test_text_survives_yaml(words: str) -> None:
    assert _read_first_item(f"- {format_scalar(words, '  ')}\n") == words
    assert _read_first_item(format_yaml([{"a": {words: [words]}}])) == ""


def _read_source_files(folder: Path) -> dict[Path, bytes]:
    """Return the sources of a site without its cache."""
    return {p: p.read_bytes() for p in folder.rglob("*") if p.is_file() and ".cache" not in p.parts}


def _read_first_item(text: str) -> str:
    problems = Problems()
    node = parse_yaml(text, "x.yaml", problems)
    assert node is not None
    assert problems.sorted_problems() == ()
    return node.items[0].text


def test_the_owner_guessed_from_a_bib_file_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, "-- old/a.bib --\n@misc{a, title = {T}, author = {Roe, Bob}}\n")
    guess = "the most frequent author, Bob Roe, is taken as the owner; --name sets another"
    assert run_in(tmp_path, "import", "old", "--to", "guessed") == 0
    assert f"content/profile.yaml: {guess}\n" in capsys.readouterr().out
    assert guess in (tmp_path / "guessed/import-report.md").read_text(encoding="utf-8")
    assert run_in(tmp_path, "import", "old", "--to", "named", "--name", "Ada Example") == 0
    assert "most frequent author" not in capsys.readouterr().out
    assert "most frequent author" not in (tmp_path / "named/import-report.md").read_text(encoding="utf-8")
