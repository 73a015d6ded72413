"""
The files of another system as plain data.

A `Source` is a folder or a file; it gives texts, and `Data`: front matter and data files in YAML, JSON or
TOML, in which every scalar is a string. Data is hostile until it is read as a text, a list or a mapping.
"""

import json
import os
import re
import tomllib
from collections.abc import ItemsView, Iterator, Mapping, Sequence, ValuesView
from pathlib import Path, PurePosixPath
from typing import TypeAlias

from tenure.limits import MAX_NESTING
from tenure.problems import Place, Problems
from tenure.source_paths import FOREIGN_FOLDERS
from tenure.sources.reading.files import parse_yaml
from tenure.sources.reading.node import Node, build_node, parse_json

Data: TypeAlias = "str | list[Data] | dict[str, Data]"
"""A value of a source; hostile until it is read as a text, a list or a mapping."""

Entry: TypeAlias = dict[str, Data]

IGNORED_FOLDERS = FOREIGN_FOLDERS | {
    "_freeze",
    "_site",
    "public",
    "renv",
    "resources",
    "site_libs",
    "vendor",
}
"""Folders that the other systems make again, and those of programs."""

MAX_TEXT_SIZE = 5_000_000
"""Bytes of a text or a data file; larger files are reported and not read."""

MAX_FILE_SIZE = 100_000_000
"""Bytes of a file that is copied: the limit of GitHub."""

MAX_VALUES = 500_000
"""Values of a data file, with those that aliases repeat."""


def get_text(data: Data, *keys: str) -> str:
    """The first text that is not empty under these keys, in one line; "" if there is none."""
    values = (data.get(key, "") for key in keys) if isinstance(data, dict) else ()
    texts = (" ".join(value.split()) for value in values if isinstance(value, str))
    return next((text for text in texts if text), "")


def join_texts(data: Data, *keys: str) -> str:
    """The texts under these keys with spaces between them: the parts of a name."""
    return " ".join(filter(None, (get_text(data, key) for key in keys)))


def get_items(data: Data, *keys: str) -> list[Data]:
    """
    The first list that is not empty under these keys, or the value itself.

    A single value is a list of one: {tags: a} -> ["a"].
    """
    values = [data.get(key, "") for key in keys] if isinstance(data, dict) else []
    value = next((value for value in values if value), "") if keys else data
    if isinstance(value, list):
        return value
    return [value] if value else []


def get_texts(data: Data, *keys: str) -> list[str]:
    """The texts of a list under one of these keys."""
    return [item for item in get_items(data, *keys) if isinstance(item, str)]


def get_entries(data: Data, *keys: str) -> list[Entry]:
    """The mappings of a list under one of these keys."""
    return [item for item in get_items(data, *keys) if isinstance(item, dict)]


def get_mapping(data: Data, *keys: str) -> Entry:
    """The mapping at a path of keys; an empty one if there is none."""
    for key in keys:
        data = data.get(key, "") if isinstance(data, dict) else ""
    return data if isinstance(data, dict) else {}


def flatten_text(data: Data) -> str:
    """All texts of a value in one line: "a, b" for a list, "key: a" for a mapping."""
    if isinstance(data, dict):
        return ", ".join(f"{key}: {flatten_text(value)}" for key, value in data.items() if value)
    if isinstance(data, list):
        return ", ".join(flatten_text(item) for item in data if item)
    return " ".join(data.split())


def describe_entry(data: Data) -> str:
    """A value in one line of at most 90 characters, for a note."""
    line = flatten_text(data)
    if len(line) <= 90:
        return line
    return f"{line[:89]}…"


def drop_empty(entry: Mapping[str, Data]) -> Entry:
    """The keys of an entry that have a value."""
    return {key: value for key, value in entry.items() if value not in ("", [], {})}


def add_second_value(entry: Entry, key: str, value: Data) -> bool:
    """
    Add the value of a second key to that of the first; False if the entry has no place for it.

    {tags: [a]}, "tags", "b" -> {tags: [a, b]}
    """
    known = entry[key]
    if key == "tags":
        entry[key] = [*get_items(known), *get_items(value)]
    elif key == "summary" and isinstance(known, str) and isinstance(value, str):
        entry[key] = f"{known} {value}".strip()
    else:
        return False
    return True


def read_rank(text: str) -> float:
    """The number that orders something; what has none is after all others."""
    return float(text) if re.fullmatch(r"-?\d{1,9}(?:\.\d{1,6})?", text) else 999.0


def keep_keys(entry: Entry, *keys: str) -> Entry:
    """The values of an entry under some keys."""
    return {key: entry[key] for key in keys if key in entry}


def _convert_node(node: Node) -> Data:
    """The data of a node; "" if its aliases make it larger than any data of a site."""
    count = 0

    # an alias is the same node again, so that ten lines can stand for millions of values
    def convert(node: Node) -> Data:
        nonlocal count
        count += 1
        if count > MAX_VALUES:
            return ""
        if node.mapping:
            return {key: convert(child) for key, child in node.mapping.items()}
        if node.items and count < MAX_VALUES:
            return [convert(item) for item in node.items]
        return node.text

    data = convert(node)
    return data if count <= MAX_VALUES else ""


MAX_TOML_LINE = 20_000
"""Characters of a line of TOML: the parser takes quadratic time for a long dotted key."""

_ONLY_COMMENT = re.compile(r"(?m)^(?P<key>[ -]*[\w-]+:) +#[^#\s].*$")
"""A key whose value is only a comment, which the reader of sources takes as a text: `github: #your id`."""


def parse_data(text: str, suffix: str) -> Data:
    """The data of YAML, JSON or TOML, by the ending of its file; "" if it cannot be parsed."""
    place = Place("")
    if suffix == ".toml":
        if any(len(line) > MAX_TOML_LINE for line in text.split("\n")):
            return ""
        try:
            return _convert_node(build_node(tomllib.loads(text), place))
        except (tomllib.TOMLDecodeError, RecursionError):
            return ""
    if suffix == ".json":
        without_comments = re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE)
        json_node = parse_json(without_comments.encode("utf-8", "replace"), "")
        return _convert_node(json_node) if json_node is not None else ""

    # [[[[…, which the parser would follow to its end
    if text.count("[") + text.count("{") > MAX_NESTING and re.search(rf"[\[{{\s]{{{MAX_NESTING},}}", text):
        return ""
    node = parse_yaml(_ONLY_COMMENT.sub(r"\g<key>", text.replace("\t", "  ")), "", Problems())
    return _convert_node(node) if node is not None else ""


def find_mistake(text: str, suffix: str) -> str:
    """Where JSON or YAML cannot be parsed, and why; "" if it can: "line 1: the JSON ends too early"."""
    if suffix == ".json":
        try:
            json.loads(text)
        except json.JSONDecodeError as error:
            is_end = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated")
            reason = "the JSON ends too early" if is_end else f"this is not JSON ({error.msg})"
            return f"line {error.lineno}: {reason}"
        except RecursionError:
            return "the JSON has too many levels"
    elif suffix in (".yaml", ".yml"):
        problems = Problems()
        if parse_yaml(text, "", problems) is None:
            problem = problems.sorted_problems()[0]
            return f"line {problem.place.line}: {problem.message}"
    return ""


_FRONT_MATTER = re.compile(r"\s*(---|\+\+\+)[ \t]*\n(.*?)^\1[ \t]*$\n?", re.DOTALL | re.MULTILINE)
"""The lines between --- and ---, or +++ and +++, and these."""


def split_front_matter(text: str) -> tuple[Entry, str]:
    """The front matter between --- (YAML) or +++ (TOML), and the text; broken YAML is read line by line."""
    text = text.lstrip("\ufeff")
    match = _FRONT_MATTER.match(text)
    if not match:
        # Hugo reads JSON too
        head = re.match(r"\{\n.*?^\}$", text, re.DOTALL | re.MULTILINE)
        data = parse_data(head[0], ".json") if head else ""
        if head and isinstance(data, dict):
            return (data, text[head.end() :].strip("\n"))
        return ({}, text)

    # <!-- a comment of HTML -->, which is no YAML
    front = re.sub(r"^<!--.*$", "", match[2], flags=re.MULTILINE)
    data = parse_data(front, ".toml" if match[1] == "+++" else ".yml")
    if not isinstance(data, dict) or not data:
        # title: "A: B" or title = 'A', a key and its value in one line; others are lost
        lines: list[tuple[str, str]] = re.findall(
            r"^([A-Za-z_]\w*)[ \t]*[:=][ \t]*(.*)$", front, re.MULTILINE
        )
        data = {key: value.strip(" \"'") for key, value in lines}
    return data, text[match.end() :].strip("\n")


def cut_front_matter(text: str) -> str:
    """A .bib file without the front matter that Jekyll asks for, two lines of hyphens at its beginning."""
    return re.sub(r"\A\ufeff?---[ \t]*\n(?:(?!---).*\n)*---[ \t]*\n+", "", text)


def _is_inside(path: Path, folder: Path) -> bool:
    """Whether a symbolic link leads to a place in a folder; not if it leads to itself."""
    try:
        return path.resolve(strict=True).is_relative_to(folder)
    except (OSError, RuntimeError):
        return False


class RecordedEntry(Entry):
    """The mapping of a data file, which remembers the keys that somebody asked for."""

    def __init__(self, data: Entry, asked: set[str]) -> None:
        super().__init__(data)
        self.asked = asked

    def get(self, key: str, default: Data = "") -> Data:  # type: ignore[override]  # the overloads of dict
        self.asked.add(key)
        return super().get(key, default)

    def __getitem__(self, key: str) -> Data:
        self.asked.add(key)
        return super().__getitem__(key)

    # with an iterator of its own, a copy {**entry} asks for each key
    def __iter__(self) -> Iterator[str]:
        return super().__iter__()

    def items(self) -> ItemsView[str, Data]:  # type: ignore[override]  # the views of dict
        self.asked |= self.keys()
        return super().items()

    def values(self) -> ValuesView[Data]:  # type: ignore[override]  # the views of dict
        self.asked |= self.keys()
        return super().values()


class Source:
    """A folder, or one file; remembers which files were read. No symbolic link leads out of it."""

    def __init__(self, path: Path) -> None:
        self.root = (path if path.is_dir() else path.parent).resolve()
        self.files: dict[str, Path] = {}
        self.read: set[str] = set()
        self.refused: dict[str, str] = {}
        paths = [path.resolve()] if path.is_file() else [*self._walk()]
        for file in paths:
            # the bytes of a name may be no UTF-8
            name = os.fsencode(file.relative_to(self.root).as_posix()).decode("utf-8", "replace")
            parts = name.casefold().split("/")
            if any(part.startswith(".") for part in parts) or not IGNORED_FOLDERS.isdisjoint(parts[:-1]):
                continue
            if file.is_symlink() and not _is_inside(file, self.root):
                self.refused[name] = "a link to a place outside the source"
            elif file.is_file():
                self.files[name] = file
        self.mappings: dict[str, RecordedEntry] = {}
        """The mappings of the data files that were read; of {cv: {…}} the inner one."""
        self._texts: dict[str, str] = {}

    def _walk(self) -> list[Path]:
        """All files below the folder, sorted by folder and name."""
        found: list[Path] = []
        for folder, folders, names in os.walk(self.root):
            folders.sort()
            found += [Path(folder, name) for name in sorted(names)]
        return found

    def text(self, name: str) -> str:
        """The text of a file, with line feeds; "" if it does not exist or is too large."""
        self.read |= {name} & self.files.keys()
        return self.look_into(name)

    def look_into(self, name: str) -> str:
        """The text of a file, which does not count as read."""
        if name not in self.files:
            return ""
        if name in self._texts:
            return self._texts[name]

        path = self.files[name]
        if path.stat().st_size > MAX_TEXT_SIZE:
            self.refused[name] = "larger than 5 MB"
            return ""
        data = path.read_bytes()
        encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            text = data.decode("cp1252", "replace")
        # without control characters, which YAML and XML refuse
        lines = text.replace("\r\n", "\n").replace("\r", "\n")
        self._texts[name] = re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]", "", lines)
        return self._texts[name]

    def content(self, name: str) -> bytes | None:
        """The bytes of a file to copy; None if it is too large."""
        self.read.add(name)
        if self.files[name].stat().st_size > MAX_FILE_SIZE:
            self.refused[name] = "larger than 100 MB; copy it to content/files/ if it shall be published"
            return None
        return self.files[name].read_bytes()

    def data(self, *names: str) -> Data:
        """The first of these data files that exists; "" if none does or it cannot be parsed."""
        name = next((name for name in names if name in self.files), "")
        text = self.text(name)
        suffix = PurePosixPath(name).suffix.casefold()
        data = parse_data(text, suffix) if name else ""
        if not data and text.strip():
            self.refused[name] = find_mistake(text, suffix) or "its data cannot be parsed"
        return self._record(name, data) if isinstance(data, dict) else data

    def _record(self, name: str, data: Entry) -> Entry:
        """The mapping of a file, with its keys recorded; of {cv: {…}} those of the inner one."""
        inner = get_mapping(data, "cv")
        asked = self.mappings[name].asked if name in self.mappings else set()
        self.mappings[name] = RecordedEntry(inner or data, asked)
        return {**data, "cv": self.mappings[name]} if inner else self.mappings[name]

    def find(self, pattern: str) -> list[str]:
        """The names of the files that match a pattern as a whole."""
        return [name for name in self.files if re.fullmatch(pattern, name)]


def format_date(text: str, *, is_term: bool) -> str:
    """A date without its time of day: 2020/3/1T10:00 -> 2020-03-01; the term 2020-01-01 -> 2020."""
    match = re.fullmatch(r"(\d{4})[-/](\d\d?)[-/](\d\d?)(?:[T ]\d.*)?", text)
    day = text
    if match:
        day = f"{match[1]}-{int(match[2]):02}-{int(match[3]):02}"
    return day.removesuffix("-01-01") if is_term else day


def sort_by_date(entries: Sequence[Entry]) -> Sequence[Entry]:
    """The entries with the newest first, if all begin with a year."""
    dates = [get_text(entry, "date", "term") for entry in entries]
    if not all(re.match(r"\d{4}", date) for date in dates):
        return entries
    return sorted(entries, key=lambda entry: get_text(entry, "date", "term"), reverse=True)


def is_plain(data: Data) -> bool:
    """Whether data is a text or a list of texts."""
    return isinstance(data, str) or (isinstance(data, list) and all(isinstance(item, str) for item in data))
