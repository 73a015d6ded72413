"""No template and no code contains an English label: with a translation in which every label is marked, every label on a page is marked."""

import html
import re
from collections.abc import Callable, Iterator

import pytest
import yaml
from conftest import ROOT, Built, Sources

Make = Callable[[str], Sources]
THEMES = sorted(path.parent.name for path in (ROOT / "themes").glob("*/theme.yaml"))
UNMARKED = {"comma", "semicolon", "list_comma", "label", "quote", "alphabet"}
NAMES = set("RIS CSL-JSON JSON Resume Markdown iCalendar Atom BibTeX arXiv GitHub DOI PDF CV".split())
"""Names of formats and services, which are the same in every language."""

TEXT_ATTRIBUTES = ("aria-label", "title", "alt", "placeholder", "data-all", "data-some", "data-copied", "data-press", "data-light", "data-dark")  # fmt: skip
SITE = """-- site.yaml --
language: qaa
title: Σίσυφος
url: https://example.edu/
updated: 2026-02-01
footer: Τέλος
checks: {ignore: [cv-letters]}
-- content/profile.yaml --
name: Άδα Παράδειγμα
role: Καθηγήτρια
affiliation: Σχολή
email: 1@2.34
office: Α 12
location: Αθήνα
pronouns: αυτή
photo: 1.png
cv: 2.pdf
interests: [Α, Β]
links: {github: "1"}
-- content/1.png --
x
-- content/2.pdf --
x
-- content/about.md --
Κείμενο [@a1; @a2], @a3.[^1] Και "λόγια".

> [!THEOREM]
> Δόξα.

- [x] ένα

[^1]: Σημείωση.
-- content/education.yaml --
- {institution: Σχολή, location: Αθήνα, degree: Δ, area: Ε, period: Sep 2020 - present, advisors: [Α, Β, Γ], thesis: Θ, grade: 9, rank: 1}
- {institution: Σχολή, grade: Άριστα, end: 2001, advisor: Α}
-- content/experience.yaml --
- {organization: Οίκος, unit: Μ, role: Ρ, mentors: [Α, Β], topic: Θ, period: ~May 2027 (expected), publications: [a1, a2]}
- {organization: Οίκος, mentor: Α, title: Τίτλος, publications: [a1]}
-- content/talks.yaml --
- {title: Ομιλία, kind: invited, event: Σ, place: Α, host: Η, date: Fall 2023, slides: "https://1.23/", video: "https://1.23/4", links: {code: "https://1.23/5"}}
- {title: Ομιλία Β, date: 2023-05}
-- content/awards.yaml --
- {title: Βραβείο, organization: Ο, date: 2024-05-01, amount: 1, note: ν}
-- content/service.yaml --
- {role: Κριτής, conferences: [Α, Β], journals: [Γ]}
- {role: Κριτής, organization: Ο, venues: [Α]}
-- content/teaching.yaml --
- {course: Μάθημα, role: Β, institution: Σ, term: [Fall 2023, Spring 2024]}
-- content/news.yaml --
- {text: Νέο., date: 2024-01, tags: [Ετικέτα]}
- {text: Νέο., tags: [Άλλη]}
-- content/posts/1.md --
---
title: Άρθρο
date: 2024-01-02
updated: 2025-01-02
tags: [Ετικέτα, Άλλη]
publications: [a1]
---
# Α

Κείμενο.

# Β

# Γ

# Δ
-- content/projects/2.md --
---
title: Έργο
date: 2024-01 - 2025-02
role: Ρ
technologies: [Α, Β]
features: [Φ]
url: https://1.23/
links: {code: https://1.23/, data: https://1.23/6}
publications: [a1, a2]
tags: [Τ]
---
Κείμενο.
-- content/patents.yaml --
title: Ευρεσιτεχνίες
entries:
  - {title: Τ, organization: Ο, date: 2020}
-- content/pages/3.md --
---
title: Σελίδα
date: 2024-05
---
Κείμενο.
"""
KINDS = ["article", "inproceedings", "book", "incollection", "phdthesis", "techreport", "misc", "patent", "unpublished", "proceedings"]  # fmt: skip


def generate_papers() -> Iterator[str]:
    """Yield a bibliography with every entry type, and every field that adds a label."""
    for number in range(30):
        kind = KINDS[number % len(KINDS)]
        people = " and ".join(f"{c}, Α" for c in "ΒΓΔΕΖΗΘΙΚΛΜΝΞΟ"[: 14 if number == 0 else 2])
        owner = "Παράδειγμα*, Άδα and " if number % 2 else ""
        venue = {"article": "journal", "inproceedings": "booktitle", "incollection": "booktitle"}.get(
            kind, "publisher"
        )
        status = ", pubstate = {submitted}" if number == 3 else ""
        place = "school" if kind == "phdthesis" else "institution" if kind == "techreport" else venue
        yield (
            f"@{kind}{{a{number}, title = {{Τίτλος {number}}}, author = {{{owner}{people}}}, {place} = {{Τόπος {number}}}, "
            f"volume = {{{number}}}, number = {{3}}, pages = {{1--9}}, edition = {{{number % 4 + 1}}}, year = {{{2000 + number // 3}}}, "
            f"month = {number % 12 + 1}, abstract = {{Σύνοψη.}}, keywords = {{Α, Β}}, code = {{https://1.23/{number}}}, "
            f"pdf = {{https://1.23/}}, slides = {{https://1.23/7}}, poster = {{https://1.23/8}}, doi = {{10.1234/{number}}}, "
            f"eprint = {{2401.0000{number % 10}}}, archiveprefix = {{arXiv}}, url = {{https://1.23/9}}, "
            f"selected = {{{'true' if number % 5 == 0 else 'false'}}}, editor = {{Ω, Ψ}}, award = {{Βραβείο}}, note = {{ν}}{status}}}\n"
        )
    yield "@misc{b1, title = {Χωρίς}, author = {Β, Α and others}, pubstate = {inpreparation}}\n"
    yield "@proceedings{b2, title = {Πρακτικά}, editor = {Β, Α and Γ, Α}, year = {2001}}\n"


def mark_translations() -> str:
    """Return English translations in which each form is between « and »."""
    words = yaml.load(
        (ROOT / "themes/base/translations/en.yaml").read_text(encoding="utf-8"), yaml.BaseLoader
    )
    for key, word in words.items():
        if key not in UNMARKED:
            words[key] = (
                {f: f"«{text}»" for f, text in word.items()} if isinstance(word, dict) else f"«{word}»"
            )
    translations = yaml.safe_dump(words, allow_unicode=True, width=1000)
    assert isinstance(translations, str)
    return translations


def find_unmarked_words(text: str) -> list[str]:
    """Return the words in Latin letters that are outside all marks."""
    bare, count = text, 1
    while count:
        bare, count = re.subn(r"«[^«»]*»", " ", bare)
    return [word for word in re.findall(r"[A-Za-z][A-Za-z-]+", bare) if word not in NAMES]


def read_texts(page: str) -> Iterator[tuple[str, str]]:
    """Yield all texts of a page with their places: its content, its attributes, its description."""
    page = re.sub(r'<span class="Z3988"[^>]*>', "", page)
    page = re.sub(r"<(pre|script|style|svg|math|code)\b.*?</\1>", " ", page, flags=re.DOTALL)
    page = re.sub(r">https://[^<]*<", "><", page)  # a DOI, which is shown as its URL
    for name, value in re.findall(r"\s([\w-]+)=\"([^\"]*)\"", page):
        if name in TEXT_ATTRIBUTES:
            yield name, html.unescape(value)
    for value in re.findall(r'<meta name="description" content="([^"]*)"', page):
        yield "description", html.unescape(value)
    yield "text", html.unescape(re.sub(r"<[^>]*>", " ", page))


@pytest.fixture
def translated_site(site: Make, request: pytest.FixtureRequest) -> Built:
    theme = request.param
    folder = f"-- themes/{theme}/translations/qaa.yaml --\n{mark_translations()}"
    return site(f"{SITE}-- bib/a.bib --\n{''.join(generate_papers())}{folder}").build(theme=theme)


@pytest.mark.parametrize("translated_site", THEMES, indirect=True)
def test_every_label_is_translated(translated_site: Built) -> None:
    assert [
        reported for reported in translated_site.problems if "qaa.yaml" in reported or "language" in reported
    ] == []
    pages = [path for path in translated_site.paths if path.endswith(".html")]
    assert len(pages) > 40
    actual = {
        f"/{path} {where}: {word}"
        for path in pages
        for where, words in read_texts(translated_site.read_page(f"/{path}"))
        for word in find_unmarked_words(words)
    }
    assert actual == set()


@pytest.mark.parametrize("translated_site", ["classic"], indirect=True)
def test_the_marks_are_detected(translated_site: Built) -> None:
    """The marks are on the page; without them the test above could not fail."""
    words = translated_site.read_words("/publications/")
    for expected_text in ("«Publications»", "«Abstract»", "«et al.»", "«32 publications»", "«Code»"):
        assert expected_text in words, expected_text
    assert "««Sep» 2020» – «Present»" in translated_site.read_words("/cv/")
