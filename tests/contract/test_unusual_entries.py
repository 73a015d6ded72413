"""No text of an entry is lost, even if the entry has only a field that few people use."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import get_type_hints

import pytest
from conftest import visible_text, write_files
from matrix import THEMES

from tenure.build import BuildResult, build_site
from tenure.cache.store import CacheStore
from tenure.exports.cv.data import build_cv_data
from tenure.model import entries as entry_classes
from tenure.plan.pages import plan_pages
from tenure.problems import Problems
from tenure.record import fields
from tenure.site_folder import BuildOptions

KINDS: Mapping[str, tuple[type[entry_classes.Entry], str]] = {
    "education": (entry_classes.Education, "institution"),
    "experience": (entry_classes.Experience, "organization"),
    "projects": (entry_classes.Project, "title"),
    "talks": (entry_classes.Talk, ""),
    "awards": (entry_classes.Award, "title"),
    "service": (entry_classes.Service, "role"),
    "teaching": (entry_classes.Course, "course"),
    "news": (entry_classes.News, ""),
    "items": (entry_classes.CustomEntry, ""),
}
"""The entry types of lists in content/, and the required field of each."""

WITHOUT_WORDS = """id source places draft language body publications people image image_alt media compare date period
    term own_fields links tags updated""".split()
"""Fields that have no text, a URL or a date; `body` is in a file of its own."""

SHOWS_TAGS = frozenset({"news", "projects"})
"""The lists that show their tags; the tags of other lists are only for filters."""

ADDRESSES = frozenset({"url", "slides", "video"})


@dataclass(frozen=True)
class ExpectedEntry:
    """An entry of a list with one field besides the required ones, and the word or URL that a page must show."""

    list: str
    field: str
    given: Mapping[str, str]
    word: str


def generate_entries() -> Iterator[ExpectedEntry]:
    number = count(100)
    for name, (kind, main) in KINDS.items():
        hints = get_type_hints(kind, include_extras=True)
        for field in fields(kind):
            given = {main: f"Main{next(number)}"} if main else {}
            word = f"Word{next(number)}"
            address = f"https://example.org/{word}"
            if field.name in ADDRESSES:
                yield ExpectedEntry(name, field.name, {**given, field.name: address}, address)
            elif field.name == "links":
                yield ExpectedEntry(name, field.name, {**given, "links": f"{{code: {address}}}"}, address)
            elif field.name == "tags" and name in SHOWS_TAGS:
                yield ExpectedEntry(
                    name, field.name, {"title": f"Main{next(number)}", "tags": f"[{word}]"}, word
                )
            elif field.name == "groups":
                yield ExpectedEntry(name, field.name, {**given, "journals": f"[{word}]"}, word)
            elif field.name not in WITHOUT_WORDS:
                many = "tuple" in str(hints[field.name])
                yield ExpectedEntry(
                    name, field.name, {**given, field.name: f"[{word}]" if many else word}, word
                )


ENTRIES = tuple(generate_entries())


def group_by_file(expected: Iterable[ExpectedEntry]) -> dict[str, list[str]]:
    """Return the entries of each list; entries without a type have one list each, as all entries of a list decide its layout."""
    lists: dict[str, list[str]] = {}
    for number, item in enumerate(expected):
        name = f"list{number}" if item.list == "items" else item.list
        written = "\n  ".join(f"{key}: {value}" for key, value in item.given.items() if value)
        lists.setdefault(name, []).append(f"- {written}\n")
    return lists


def format_sources(expected: Iterable[ExpectedEntry]) -> str:
    lists = "".join(
        f"-- content/{name}.yaml --\n{''.join(lines)}" for name, lines in group_by_file(expected).items()
    )
    return f"-- content/profile.yaml --\nname: Ada Example\n{lists}"


def read_html_pages(result: BuildResult) -> list[str]:
    assert [p for p in result.problems if p.level != "info"] == []
    return [a.read().decode() for a in result.artifacts if a.path.endswith(".html")]


def find_missing_entries(result: BuildResult, expected: Iterable[ExpectedEntry]) -> list[ExpectedEntry]:
    """Return the entries whose word or URL is on no page."""
    html = " ".join(read_html_pages(result))
    words = " ".join(map(visible_text, read_html_pages(result)))
    return [item for item in expected if item.word not in words and f'href="{item.word}"' not in html]


@pytest.mark.parametrize("theme", THEMES)
def test_every_field_of_every_kind_is_shown_and_none_as_an_empty_element(theme: str, tmp_path: Path) -> None:
    assert len(ENTRIES) > 80
    write_files(tmp_path, format_sources(ENTRIES))
    built = build_site(tmp_path, options=BuildOptions(theme=theme), store=CacheStore())
    assert find_missing_entries(built, ENTRIES) == []
    empty = (
        r"<h\d[^>]*>\s*</h\d>|<a [^>]*>\s*</a>|<div class=\"what\">\s*</div>|<p[^>]*>\s*</p>|<b[^>]*>\s*</b>"
    )
    assert re.findall(empty, "".join(read_html_pages(built))) == []


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("title", ["", "A title"])
def test_a_few_lines_of_news_are_shown_whole_on_the_home_page(tmp_path: Path, theme: str, title: str) -> None:
    news = [item for item in ENTRIES if item.list == "news" and item.field not in ("tags", "title")]
    for number in range(0, len(news), 4):
        some = [replace(entry, given={**entry.given, "title": title}) for entry in news[number : number + 4]]
        root = tmp_path / str(number)
        write_files(root, format_sources(some))
        assert (
            find_missing_entries(
                build_site(root, options=BuildOptions(theme=theme), store=CacheStore()), some
            )
            == []
        )


@pytest.mark.parametrize("theme", THEMES)
def test_a_brief_list_shows_every_entry(tmp_path: Path, theme: str) -> None:
    bare = [item for item in ENTRIES if item.list in ("news", "talks", "items") and len(item.given) == 1]
    names = sorted(group_by_file(bare))
    sections = ", ".join(f"{{name: {name}, brief: true}}" for name in names)
    write_files(
        tmp_path, f"{format_sources(bare)}-- site.yaml --\npages: [{{path: /, sections: [{sections}]}}]\n"
    )
    assert (
        find_missing_entries(
            build_site(tmp_path, options=BuildOptions(theme=theme), store=CacheStore()), bare
        )
        == []
    )


def test_a_news_entry_with_only_a_note_is_in_the_cv_and_the_feed(tmp_path: Path) -> None:
    cv = "pages: [{name: home}, {name: cv, sections: [{name: news, brief: true}]}]\n"
    write_files(
        tmp_path,
        f"-- site.yaml --\nurl: https://example.org/\n{cv}"
        "-- content/profile.yaml --\nname: Ada Example\n-- content/news.yaml --\n- {date: 2024-12, note: Our *survey* is out}\n",
    )
    built = build_site(tmp_path, store=CacheStore())
    files = {a.path: a.read().decode() for a in built.artifacts if a.path in ("feed.xml", "cv.txt")}
    feed = files["feed.xml"]
    assert "<title>Our survey is out</title>" in feed
    assert "&lt;em&gt;survey&lt;/em&gt;" in feed
    assert "Our survey is out" in files["cv.txt"]
    assert built.site is not None
    (option,) = plan_pages(built.site, Problems()).cvs
    assert "survey" in str(build_cv_data(built.site, option, Problems()).sections)
