"""Formats a model and a page as text that a person can read line by line."""

from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from tenure.model.dates import Date, Period
from tenure.model.names import Authors
from tenure.model.site import Site
from tenure.problems import Place
from tenure.record import NODEFAULT, FieldInfo, Record, fields

LEFT_OUT = {"active_theme", "bibtex", "files", "language_paths", "places"}
"""Fields with golden files or tests of their own."""

WORDS = {
    "month_short_1": "Jan", "month_short_2": "Feb", "month_short_3": "Mar", "month_short_4": "Apr",
    "month_short_5": "May", "month_short_6": "Jun", "month_short_7": "Jul", "month_short_8": "Aug",
    "month_short_9": "Sep", "month_short_10": "Oct", "month_short_11": "Nov", "month_short_12": "Dec",
    "date_day": "{day} {month} {year}", "date_month": "{month} {year}", "date_season": "{season} {year}",
    "date_year": "{year}", "date_period": "{start} – {end}", "date_until": "until {date}", "date_approximate": "~{date}",
    "date_expected": "{date} (expected)", "present": "present",
}  # fmt: skip


def format_model(site: Site) -> str:
    """Return a site as indented lines; fields with their default are left out."""
    return "\n".join(_format_lines("site", site, 0)) + "\n"


def _format_lines(name: str, value: Any, depth: int) -> Iterator[str]:
    indent = "  " * depth
    if isinstance(value, Date | Period):
        yield f"{indent}{name}: {value.format_text(WORDS)}"
    elif isinstance(value, Authors):
        people = [f"{'ME ' if a.me else ''}{a.name.inverted_name}{a.marks}" for a in value.people]
        yield f"{indent}{name}: {' | '.join(people)}{' | others' if value.others else ''}"
    elif isinstance(value, Record) and not isinstance(value, Place):
        yield f"{indent}{name}: {type(value).__name__}"
        for field in fields(value):
            child = getattr(value, field.name)
            if field.name not in LEFT_OUT and child != _find_default(field):
                yield from _format_lines(field.name, child, depth + 1)
    elif isinstance(value, tuple | frozenset):
        yield f"{indent}{name}:"
        for child in value if isinstance(value, tuple) else sorted(value):
            yield from _format_lines("-", child, depth + 1)
    elif isinstance(value, Mapping):
        yield f"{indent}{name}:"
        for key, child in value.items():
            yield from _format_lines(key, child, depth + 1)
    else:
        yield f"{indent}{name}: {value!r}" if "\n" in str(value) else f"{indent}{name}: {value}"


def _find_default(field: FieldInfo) -> Any:
    if field.default is not NODEFAULT:
        return field.default
    return field.default_factory() if field.default_factory is not NODEFAULT else NODEFAULT


BLOCKS = {"h1", "h2", "h3", "h4", "h5", "p", "li", "dt", "dd", "summary", "pre", "tr", "figcaption", "blockquote", "main",
          "section", "nav", "header", "footer", "article", "ul", "ol", "dl", "div", "details", "table", "title"}  # fmt: skip
SHOWN = {
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "li",
    "dt",
    "dd",
    "summary",
    "title",
    "nav",
    "main",
    "footer",
    "section",
    "article",
}


class _Outline(HTMLParser):
    """Collects the lines of a page: one for each block, links and images with their URLs, anchors as #id."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._line = ""
        self._hidden = 0
        self._links: list[str] = []

    def end_line(self, start: str = "") -> None:
        line = " ".join(self._line.split())
        if line and line not in SHOWN:
            self.lines.append(line)
        self._line = start

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        result = {key: value or "" for key, value in attrs}
        if tag in ("script", "style", "svg"):
            self._hidden += 1
        elif tag in BLOCKS:
            anchor = f"#{result['id']}" if "id" in result else ""
            self.end_line(f"{tag if tag in SHOWN else ''}{anchor} ")
        if tag == "a":
            self._links.append(result.get("href", ""))
            self._line += "["
        elif tag == "img":
            self._line += f"![{result.get('alt')}]({result.get('src')})"
        elif tag == "meta" and "name" in result:
            self.lines.append(f"{result['name']}: {result.get('content', '')}")
        elif tag == "link" and result.get("rel") not in ("stylesheet", "preload", "icon"):
            self.lines.append(f"link {result.get('rel')}: {result.get('href')}")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style", "svg"):
            self._hidden -= 1
        elif tag == "a" and self._links:
            self._line += f"]({self._links.pop()})"
        elif tag in BLOCKS:
            self.end_line()

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self._line += data


def outline_page(page: str) -> str:
    """Return a page as lines: its content in order, with the target of each link."""
    reader = _Outline()
    reader.feed(page)
    reader.end_line()
    return "\n".join(reader.lines) + "\n"


def compare_with_file(path: Path, expected: str, *, update: bool) -> None:
    """Compare a text with its golden file, or write the file."""
    if update:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(expected, encoding="utf-8")
    assert path.is_file(), f"{path} does not exist; run the tests with --update and read it"
    assert expected == path.read_text(encoding="utf-8")
