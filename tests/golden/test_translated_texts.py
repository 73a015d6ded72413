"""No template and no code contains an English label: with a translation in which every label is marked, every label on a page is marked."""

import html
import re
from collections.abc import Iterator

import pytest
import yaml
from conftest import ROOT, Built, Make, read_site

THEMES = sorted(path.parent.name for path in (ROOT / "themes").glob("*/theme.yaml"))
UNMARKED = {"comma", "semicolon", "list_comma", "label", "quote", "alphabet"}
NAMES = set("RIS CSL-JSON JSON Resume Markdown iCalendar Atom BibTeX arXiv GitHub DOI PDF CV".split())
"""Names of formats and services, which are the same in every language."""

TEXT_ATTRIBUTES = ("aria-label", "title", "alt", "placeholder", "data-all", "data-some", "data-copied", "data-press", "data-light", "data-dark")  # fmt: skip
SITE = read_site("greek")


def mark_translations() -> str:
    """Return English translations in which each form is between « and »."""
    words = yaml.load((ROOT / "themes/base/translations/en.yaml").read_text("utf-8"), yaml.BaseLoader)
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
    return site(f"{SITE}{folder}").build(theme=theme)


@pytest.mark.parametrize("translated_site", THEMES, indirect=True)
def test_every_label_is_translated(translated_site: Built) -> None:
    assert [line for line in translated_site.problems if "qaa.yaml" in line or "language" in line] == []
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
