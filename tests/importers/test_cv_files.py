"""CVs as data in the forms that people write: JSON Resume with other types and keys, RenderCV of all versions."""

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Built, write_files
from test_import import import_and_build, read_report

from tenure.importers.bibliography.bibtex_writer import clean_names
from tenure.importers.detect import detect_system
from tenure.importers.publications import guess_entry_type
from tenure.importers.resume.rendercv import convert_text
from tenure.model.entries import Education, Experience

BASICS = {"name": "Ada Example"}


def import_resume(folder: Path, resume: dict[str, Any]) -> Built:
    """Import a resume.json with this data, and build the site."""
    return import_and_build(folder, f"-- old/resume.json --\n{json.dumps({'basics': BASICS, **resume})}\n")


def import_cv(folder: Path, lines: str) -> Built:
    """Import a CV of RenderCV with these lines below its name, and build the site."""
    return import_and_build(folder, f"-- old/cv.yaml --\ncv:\n  name: Ada Example\n{lines}")


def cv_lines(built: Built, heading: str) -> list[str]:
    """The lines of one section of the CV in Markdown."""
    return [
        line
        for line in built.read_page("cv.md")
        .partition(f"## {heading}\n")[2]
        .partition("\n## ")[0]
        .splitlines()
        if line
    ]


def format_period(entry: object) -> str:
    """The period of a position: "2020-03 - present"."""
    assert isinstance(entry, Experience)
    assert entry.period is not None
    dates = (entry.period.start, entry.period.end)
    return " - ".join(date.iso if date else "present" for date in dates)


def test_the_keywords_and_the_level_of_a_skill_are_shown(tmp_path: Path) -> None:
    skills = [
        {"name": "Web", "level": "Master", "keywords": ["HTML", "C#"]},
        {"name": "Looms", "keywords": "cards, silk"},
        {"category": "Tools", "keywords": [{"name": "Git", "years": 3}]},
        "Rust",
    ]
    built = import_resume(
        tmp_path, {"skills": skills, "languages": [{"language": "French", "fluency": "C2"}]}
    )
    assert cv_lines(built, "Skills") == [
        "- Web (Master): HTML, C#", "- Looms: cards, silk", "- Tools: Git", "- Rust",
    ]  # fmt: skip
    assert cv_lines(built, "Languages") == ["- French: C2"]
    exported = json.loads(built.read_page("resume.json"))
    assert exported["languages"] == [{"language": "French", "fluency": "C2"}]
    assert exported["skills"][:2] == [
        {"name": "Web (Master)", "keywords": ["HTML", "C#"]},
        {"name": "Looms", "keywords": ["cards", "silk"]},
    ]


def test_groups_of_texts_and_single_entries_are_read_as_lists(tmp_path: Path) -> None:
    resume = {
        "skills": {"programmingLanguages": ["Python", "R"], "tools": "Git", "hard": [{"name": "Looms"}]},
        "education": {"institution": "University of London", "courses": [{"name": "Logic"}, "Sets"]},
        "volunteer": [[{"organization": "The Club", "position": "Chair"}]],
        "interests": "Chess",
        "softSkills": ["Patience"],
    }
    built = import_resume(tmp_path, resume)
    assert cv_lines(built, "Skills") == ["- Programming languages: Python, R", "- Tools: Git", "- Looms"]
    assert "  - Courses: Logic, Sets" in cv_lines(built, "Education")
    assert cv_lines(built, "Service") == ["- **Chair:** The Club"]
    assert cv_lines(built, "Soft skills") == ["- Patience"]
    assert built.site.profile.interests == ("Chess",)


def test_a_value_of_another_type_harms_no_other_entry(tmp_path: Path) -> None:
    """Every key of an entry has each wrong type once; the entry beside it is imported whole."""
    good = {"name": "Engine Works", "position": "Analyst", "startDate": "2020-03-01", "endDate": "2021-02-28"}
    wrong_values: list[Any] = [None, 7, True, [], {}, "", ["a", {"b": None}], {"c": [1, {}]}, "\0\ud83d"]
    wrong_entries = [{**good, key: value} for key in good for value in wrong_values]
    built = import_resume(tmp_path, {"work": [*wrong_values, *wrong_entries, good]})
    entry = built.site.collections["experience"].entries[-1]
    assert isinstance(entry, Experience)
    assert (entry.organization, entry.role, format_period(entry)) == (
        "Engine Works",
        "Analyst",
        "2020-03 - 2021-02",
    )


def test_names_addresses_and_dates_may_be_mappings_or_lists(tmp_path: Path) -> None:
    work = {
        "company": {"name": "Engine Works", "url": "https://engine.example.org"},
        "startDate": {"year": 2020, "month": 3},
        "endDate": "2021-02-30",
        "summary": ["First.", "Second."],
        "highlights": [{"description": "One"}],
    }
    basics = {
        "name": {"first": "Ada", "last": "Example"},
        "email": ["ada at example", "ada@example.edu"],
        "website": ["https://ada.example.org", "https://lab.example.org"],
    }
    built = import_resume(tmp_path, {"basics": [basics], "work": [work]})
    profile = built.site.profile
    assert (profile.name, profile.email) == ("Ada Example", ("ada@example.edu",))
    assert [link.url for link in profile.links] == ["https://ada.example.org", "https://lab.example.org"]
    (entry,) = built.site.collections["experience"].entries
    assert isinstance(entry, Experience)
    assert (entry.organization, entry.url) == ("Engine Works", "https://engine.example.org")
    assert (format_period(entry), entry.summary) == ("2020-03 - 2021-02", "First.\n\nSecond.")
    assert [point.text for point in entry.details] == ["One"]
    assert "not an e-mail address: ada at example" in read_report(tmp_path)


def test_days_that_only_fill_the_format_are_left_out(tmp_path: Path) -> None:
    periods = [
        ("2016-11-01", "2018-06-30"),
        ("2016-11-01", None),
        ("2016-11-07", "2018-06-30"),
        ("2020-02-30", "2020-05-05"),
    ]
    work = [{"name": "Engine Works", "startDate": start, "endDate": end} for start, end in periods]
    built = import_resume(tmp_path, {"work": work})
    assert [format_period(entry) for entry in built.site.collections["experience"].entries] == [
        "2016-11 - 2018-06", "2016-11 - present", "2016-11-07 - 2018-06-30", "2020-02 - 2020-05",
    ]  # fmt: skip
    assert "has a day that does not exist; the month is kept" in read_report(tmp_path)


def test_an_account_at_an_unknown_service_is_reported_and_removes_nothing_else(tmp_path: Path) -> None:
    networks = ["GitHub", "GitLab", "Reddit", "Telegram", "Skype", "WhatsApp"]
    profiles = [{"network": network, "username": "ada"} for network in networks]
    email = {"email": "ada@example.edu", "label": "Analyst"}
    built = import_resume(tmp_path, {"basics": {**BASICS, **email, "profiles": profiles}})
    assert built.site.profile.email == ("ada@example.edu",)
    assert [link.label for link in built.site.profile.links] == ["GitHub", "GitLab", "Reddit", "Telegram"]
    report_text = read_report(tmp_path)
    assert "profiles: network: Skype, username: ada" in report_text
    assert "profiles: network: WhatsApp, username: ada" in report_text


def test_a_resume_in_yaml_and_one_of_yamlresume_are_imported(tmp_path: Path) -> None:
    resume = "basics: {name: Ada Example}\nwork: [{name: Engine Works, position: Analyst}]\n"
    parts = "location: {city: London}\nprofiles: [{network: GitHub, username: ada}]\n"
    nested = "".join(f"  {line}\n" for line in (resume + parts).splitlines())
    write_files(
        tmp_path,
        f"-- old/resume.yaml --\n{resume}-- new/resume.yml --\n# mine\ncontent:\n{nested}layout: {{}}\n",
    )
    assert [detect_system(tmp_path / name) for name in ("old", "new", "old/resume.yaml")] == [
        "json-resume"
    ] * 3
    built = import_and_build(tmp_path, "", source="new")
    assert (built.site.profile.name, built.site.profile.location) == ("Ada Example", "London")
    assert [link.url for link in built.site.profile.links] == ["https://github.com/ada"]


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("*Ada Example*", "Ada Example"),
        ("***Ada Example***", "Ada Example"),
        ("_Ada Example_", "Ada Example"),
        ("Ada Example*", "Ada Example*"),
        (r"Ada Example\*", "Ada Example*"),
        (r"**Ada Example**\*", "Ada Example*"),
        ("**Ada Example***", "Ada Example*"),
    ],
)
def test_emphasis_of_an_author_is_removed_and_a_mark_stays(source: str, name: str) -> None:
    assert clean_names(source) == name


def test_an_emphasized_owner_is_no_equal_contribution(tmp_path: Path) -> None:
    paper = "{title: Looms, authors: ['*Ada Example*', 'B. Kay, C. Lim & D. Roth'], journal: NeurIPS 2023, date: 2023-07}"
    built = import_cv(tmp_path, f"  sections:\n    preprints:\n      - {paper}\n")
    (publication,) = built.site.publications
    authors = publication.authors.people
    assert [author.name.full_name for author in authors] == ["Ada Example", "B. Kay", "C. Lim", "D. Roth"]
    assert [author.equal for author in authors] == [False] * 4
    assert publication.kind == "inproceedings"


def test_a_journal_may_be_called_proceedings() -> None:
    assert guess_entry_type("Proceedings of the National Academy of Sciences 12(3)") == "article"
    assert guess_entry_type("Proceedings of the IEEE") == "article"
    assert guess_entry_type("Proceedings of the IEEE Symposium on Looms") == "inproceedings"


def test_a_section_keeps_its_heading_if_another_one_is_the_list_of_its_kind(tmp_path: Path) -> None:
    entry = "[{company: Engine Works, position: Analyst, start_date: 2020, end_date: 2021, location: London}]"
    headings = ["research_experience", "experience", "Teaching Experience", "awards", "grants"]
    sections = "".join(
        f"    {heading}: {entry if 'exp' in heading.lower() else '[Gold]'}\n" for heading in headings
    )
    built = import_cv(tmp_path, f"  sections:\n{sections}")
    titles = {name: collection.title for name, collection in built.site.collections.items()}
    assert titles == {
        "research-experience": "Research experience", "experience": "", "teaching-experience": "Teaching Experience",
        "awards": "", "grants": "Grants",
    }  # fmt: skip
    assert "- **Engine Works**, London (2020 – 2021)" in cv_lines(built, "Teaching Experience")


def test_nested_highlights_formulas_and_the_language_of_rendercv(tmp_path: Path) -> None:
    lines = (
        "  sections:\n    education:\n      - institution: University of London\n        area: Looms\n        highlights:\n"
        "          - Papers\n            - One\n            - Two\n          - Chair of Looms 2019 - 2021\n"
        "locale: {language: german}\n"
    )
    built = import_cv(tmp_path, lines)
    (school,) = built.site.collections["education"].entries
    assert isinstance(school, Education)
    assert [(point.text, [p.text for p in point.points]) for point in school.details] == [
        ("Papers", ["One", "Two"]), ("Chair of Looms 2019 - 2021", []),
    ]  # fmt: skip
    assert built.site.settings.language == "de"
    assert convert_text(r"$$O(n \log n)$$ for $5", "") == r"$O(n \log n)$ for \$5"
    assert convert_text("$$5 times$$", "") == r"\$\$5 times\$\$"


CSL_YAML = """\
-- refs.yaml --
---
references:
- id: example2019looms
  author: [{family: Example, given: Ada}]
  container-title: Journal of Plant Looms
  container-title-short: J. Plant Looms
  issued:
  - year: 2019
    month: 9
    day: 16
  title: <span class="nocase">Looms and cards</span>
  type: article-journal
- id: cards
  author: [{family: Example, given: Ada}]
  issued: {date-parts: [2020, 3]}
  title: Cards
  type: report
  publisher: arXiv
  URL: https://arxiv.org/abs/1802.03426
  note: |
    license: https://license.example.org/
    This CSL Item was generated by Manubot v0.5.6 from its persistent identifier.
    standard_id: arxiv:1802.03426
"""


def test_csl_yaml_of_pandoc_and_manubot_is_imported(tmp_path: Path) -> None:
    write_files(tmp_path, f"{CSL_YAML}-- other.yaml --\ntype: novel\nauthor: Ada\n")
    assert detect_system(tmp_path / "other.yaml") == ""
    built = import_and_build(tmp_path, "", source="refs.yaml")
    preprint, article = built.site.publications
    assert (article.title, article.date and article.date.iso) == ("Looms and cards", "2019-09")
    assert article.venue.name == "Journal of Plant Looms"
    assert (preprint.kind, preprint.date and preprint.date.iso) == ("misc", "2020-03")
    assert (preprint.eprint, preprint.note) == ("1802.03426", "")


def test_sections_without_headings_names_of_files_and_comments_are_reported_or_kept(tmp_path: Path) -> None:
    built = import_cv(tmp_path / "cv", "  sections: [education, hello]\n")
    assert built.site.profile.name == "Ada Example"
    assert "sections: education, hello" in read_report(tmp_path / "cv")
    resume = '{\n  // mine\n  "basics": {"name": "Ada Example"},\n  "profile": [{"name": "Shy"}], "publications": [{"name": ""}]\n}\n'
    built = import_and_build(tmp_path, f"-- old/resume.json --\n{resume}")
    assert cv_lines(built, "Profile") == ["- Shy"]
    assert "a publication without a title" in read_report(tmp_path)


def test_publications_of_several_sections_have_their_headings_as_keywords(tmp_path: Path) -> None:
    papers = [
        ("Looms", "**A. Example**", "bioRxiv"),
        ("Cards", "A. Example", "Poster presented at LOOM, London"),
    ]
    sections = "".join(
        f"    {heading}:\n      - {{title: {title}, authors: ['{name}', B. Kay], journal: '{venue}', date: 2020}}\n"
        for heading, (title, name, venue) in zip(("preprints", "Posters"), papers, strict=True)
    )
    built = import_cv(tmp_path, f"  sections:\n{sections}")
    assert [(paper.kind, paper.tags) for paper in built.site.publications] == [
        ("misc", ("Preprints",)), ("misc", ("Posters",)),
    ]  # fmt: skip
    assert all(paper.authors.people[0].me for paper in built.site.publications)


def test_publications_in_the_front_matter_of_a_page_are_written(tmp_path: Path) -> None:
    page = "---\ntitle: Papers\npapers:\n  - {title: Looms, authors: [Ada Example, B. Kay], journal: Memoirs, date: 2020}\n---\n"
    site = f"-- old/_config.yml --\nname: Ada Example\n-- old/_pages/papers.md --\n{page}"
    built = import_and_build(tmp_path, site)
    assert [paper.title for paper in built.site.publications] == ["Looms"]


def test_publications_and_portfolio_of_a_cv_in_data_are_kept_if_the_site_has_no_others(
    tmp_path: Path,
) -> None:
    data = {
        "education": [{"institution": "University of London"}],
        "publications": [{"name": "Looms", "releaseDate": "2020"}],
        "portfolio": [{"name": "Engine"}],
    }
    site = f"-- old/_config.yml --\nname: Ada Example\n-- old/_data/cv.json --\n{json.dumps(data)}\n"
    built = import_and_build(tmp_path, site)
    assert [paper.title for paper in built.site.publications] == ["Looms"]
    assert [entry.name for entry in built.site.collections["projects"].entries] == ["Engine"]


def test_a_cv_of_lists_by_name_in_the_data_of_al_folio_is_read(tmp_path: Path) -> None:
    cv = (
        "skills:\n  - {label: Programming, items: [C++, Python]}\n"
        "awards:\n  - {title: Medal, note: Recipient}\n"
        "projects:\n  - {name: Engine, location: engine.example.org}\n  - {name: Loom, location: London}\n"
    )
    config = "first_name: Ada\nlast_name: Example\nscholar: {last_name: [Example]}\n"
    built = import_and_build(tmp_path, f"-- old/_config.yml --\n{config}-- old/_data/cv.yml --\n{cv}")
    assert cv_lines(built, "Skills") == ["- Programming: C++, Python"]
    assert cv_lines(built, "Awards") == ["- Medal (Recipient)"]
    assert "- **[Engine](https://engine.example.org)**" in cv_lines(built, "Projects")
    assert "  London" in cv_lines(built, "Projects")


def test_brackets_in_a_title_are_no_formula(tmp_path: Path) -> None:
    authors = [{"family": "Example", "given": "Ada"}]
    items = [
        {
            "type": "article-journal",
            "title": "Use of [18F]FDG [1]",
            "author": authors,
            "issued": {"date-parts": [[2020, 13]]},
        },
        {
            "type": "speech",
            "title": "A talk",
            "event-title": "LOOM 2019",
            "author": authors,
            "issued": "2019",
        },
        {
            "type": "software",
            "title": "Loom",
            "version": "1.2",
            "PMCID": "PMC12",
            "author": authors,
            "issued": "2018",
        },
    ]
    built = import_and_build(tmp_path, f"-- items.json --\n{json.dumps(items)}\n", source="items.json")
    article, talk, _ = built.site.publications
    assert "Use of [18F]FDG [1]" in built.read_words("/publications/")
    assert (article.date and article.date.iso) == "2020"
    assert talk.venue.name == "LOOM 2019"
    bibtex = (tmp_path / "site/bib/papers.bib").read_text(encoding="utf-8")
    assert "version = {1.2}" in bibtex
    assert "pmcid = {PMC12}" in bibtex
