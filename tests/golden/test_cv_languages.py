"""A CV in another language than its site."""

from collections.abc import Callable

from conftest import Sources
from pdfs import pdf_of, words_of


def test_a_cv_can_have_another_language_than_the_site(site: Callable[[str], Sources]) -> None:
    sources = """-- site.yaml --
cvs: {cv: {}, lebenslauf: {language: de}}
checks: {ignore: [cv-letters]}
-- content/profile.yaml --
name: Ada Example
role: {en: Professor of Physics, de: Professorin für Physik}
-- content/education.yaml --
- {institution: Example University, degree: {en: B.A., de: Bachelor}, start: 2020-09, end: 2024-06}
"""
    built = site(sources).build(pdf=True)
    assert built.problems == []
    assert "Professor of Physics" in built.read_words("/")
    assert not [path for path in built.paths if path.startswith("de/")]
    text = {path: words_of(pdf_of(built.build, path)) for path in ("cv.pdf", "lebenslauf.pdf")}
    assert "Professor of Physics" in text["cv.pdf"]
    assert "Professorin für Physik" in text["lebenslauf.pdf"]
    assert "Ausbildung" in text["lebenslauf.pdf"]


def test_two_cvs_of_one_title_are_labelled_with_the_language(site: Callable[[str], Sources]) -> None:
    sources = """-- site.yaml --
language: de
cvs: {lebenslauf: {}, cv: {language: en}}
-- content/education.yaml --
- {institution: Example University, degree: B.A., start: 2020-09, end: 2024-06}
"""
    words = site(sources).build(pdf=True).read_words("/cv/")
    assert "Lebenslauf (PDF) Lebenslauf, English (PDF)" in words
