"""The folder of a source: finds, reads and parses its files (also broken front matter), and notes what was imported."""

import json
import os
import re
import tomllib
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date, time
from itertools import pairwise
from pathlib import Path
from typing import Literal

from tenure.counts import format_count
from tenure.problems import Place, Problem, Problems
from tenure.record import Record
from tenure.sources.files import MarkdownFile, parse_markdown_file, parse_yaml, read_source_text
from tenure.sources.node import Node

ImportOutcome = Literal["imported", "reclassified", "converted", "skipped", "moved"]

IGNORED_PATHS = re.compile(r"(?:^|/)(?:\.|__pycache__|node_modules/|_site/|vendor/bundle/|venv/)")
"""Paths that are not imported: hidden files, generated files and installed packages."""


class ImportNote(Record):
    """The outcome of one imported item: its location in the source ("_news/a.md:3") and a description."""

    outcome: ImportOutcome
    location: str
    description: str


class SourceFolder:
    """Reads the files of one source, and collects the notes of its import."""

    def __init__(self, root: Path) -> None:
        self.root = root if root.is_dir() else root.parent
        self.notes: dict[ImportNote, None] = {}
        self.read_errors: list[Problem] = []
        self.read_files: set[str] = set()
        self.copied_files: dict[Path, str] = {}
        self._source_paths = {path.relative_to(self.root).as_posix(): path for path in list_all_files(root)}
        self._source_parts = [tuple(name.split("/")) for name in self._source_paths]

    def record_imported(self, location: str | Node, description: str) -> None:
        """Record an item that was imported."""
        self._add_note("imported", location, description)

    def record_reclassified(self, location: str | Node, description: str) -> None:
        """Record what was imported as something else than it was in the source."""
        self._add_note("reclassified", location, description)

    def record_converted(self, location: str | Node, description: str) -> None:
        """Record an item that was imported in another form."""
        self._add_note("converted", location, description)

    def record_skipped(self, location: str | Node, description: str) -> None:
        """Record an item that was not imported."""
        self._add_note("skipped", location, description)

    def record_sample(self, location: str | Node, description: str = "") -> None:
        """Record sample content of the template, which is not imported."""
        details = f": {description}" if description else ""
        self._add_note("skipped", location, f"sample content of the template{details}")

    def _add_note(self, outcome: ImportOutcome, location: str | Node, description: str) -> None:
        location = location_of(location) if isinstance(location, Node) else location
        self.notes[ImportNote(outcome, location, " ".join(description.split()))] = None

    def relative_path(self, path: Path) -> str:
        """Return a file's path relative to the imported folder, as used in notes."""
        return path.relative_to(self.root).as_posix()

    def find_files(self, folder: str, *suffixes: str) -> list[Path]:
        """Return the source files below a folder, or the file itself, sorted by path; only those with one of the suffixes, if any are given."""
        parts = tuple(folder.strip("/").split("/")) if folder.strip("/") else ()
        start = bisect_left(self._source_parts, parts)
        after = (*parts[:-1], f"{parts[-1]}\0") if parts else ()
        end = bisect_left(self._source_parts, after) if parts else len(self._source_parts)
        names = map("/".join, self._source_parts[start:end])
        paths = (self._source_paths[name] for name in names)
        return [path for path in paths if not suffixes or path.suffix.casefold() in suffixes]

    def find_siblings(self, path: Path, *suffixes: str) -> list[Path]:
        """Return the source files in the same folder as a file, sorted by path."""
        files = self.find_files(self.relative_path(path.parent), *suffixes)
        return [file for file in files if file.parent == path.parent]

    def find_first_file(self, *names: str) -> Path | None:
        """Return the first of these files that exists in the source."""
        return next((self._source_paths[name] for name in names if name in self._source_paths), None)

    def skip_file(self, path: Path, description: str) -> None:
        """Record a file that is left out, so that it is not reported as unread."""
        self.record_skipped(self.relative_path(path), description)
        self.read_files.add(self.relative_path(path))

    def read_source_text(self, path: Path | None) -> str | None:
        """Return a file's text, decoded as Windows-1252 if not UTF-8; None if there is no file, and None, reported, if unreadable or outside the source."""
        if path is None:
            return None
        name = self.relative_path(path)
        self.read_files.add(name)
        if not is_inside_folder(path, self.root):
            self.record_skipped(name, "a link to a place outside the source, which is not followed")
            return None
        problems = Problems()
        text = read_source_text(path, name, problems)
        if text is None and any(problem.code == "encoding" for problem in problems.sorted_problems()):
            self.record_converted(name, "a text that is not UTF-8 is read as Windows-1252")
            return re.sub(r"\r\n?", "\n", path.read_bytes().decode("cp1252", "replace"))
        self._report_problems(problems)
        return text

    def read_data_file(self, path: Path | None) -> Node | None:
        """Parse a YAML, JSON or TOML file; None if there is no file, and None, reported, if it cannot be parsed."""
        text = self.read_source_text(path)
        if path is None or text is None:
            return None
        problems = Problems()
        name = self.relative_path(path)
        if path.suffix == ".toml":
            node = parse_toml(text, name, problems)
        else:
            node = parse_yaml(_normalize_yaml(text, path.suffix == ".json"), name, problems)
        self.read_errors += [problem for problem in problems.sorted_problems() if node is None]
        self._report_problems(problems)
        return node

    def read_document(self, path: Path | None) -> MarkdownFile | None:
        """Read a document with its front matter; None, and reported, if even line-by-line recovery fails."""
        text = self.read_source_text(path)
        if path is None or text is None:
            return None
        return self.parse_document(text, self.relative_path(path))

    def parse_document(self, text: str, name: str) -> MarkdownFile | None:
        """Parse the text of a document with its front matter; None, and reported, if even line-by-line recovery fails."""
        problems = Problems()
        pattern = re.compile(r"\A\s*---\n.*?^---", re.DOTALL | re.MULTILINE)
        text = pattern.sub(lambda match: _normalize_yaml(match[0], False), text)
        document = read_front_matter(text, name, problems)
        if document is None:
            document = recover_front_matter(text, name)
            if document is not None:
                self.record_converted(f"{name}:1", "its front matter is broken, and was read line by line")
        self._report_problems(problems)
        return document

    def _report_problems(self, problems: Problems) -> None:
        for problem in problems.sorted_problems():
            record = self.record_skipped if problem.level == "error" else self.record_converted
            record(f"{problem.place.file}:{problem.place.line}", f"{problem.message} ({problem.hint})")

    def report_unread_files(self, ignored_files: re.Pattern[str], asset_files: re.Pattern[str]) -> None:
        """Report every unread file: `asset_files` as one note per folder, `ignored_files` not at all, others one by one."""
        folder_counts: Counter[str] = Counter()
        for name in self._source_paths:
            is_used = name in self.read_files or self.resolve_file(name) in self.copied_files
            if is_used or ignored_files.match(name):
                continue
            if asset_files.search(name):
                folder_counts[name.rpartition("/")[0] or "."] += 1
            else:
                self.record_skipped(name, "a file that is not read")
        for folder, count in folder_counts.items():
            self.record_skipped(folder, f"{format_count(count, 'file')} that no imported content uses")

    def resolve_file(self, name: str) -> Path | None:
        """Return the resolved path of a source file; None if it does not exist or is outside the source."""
        try:
            path = (self.root / name.lstrip("/")).resolve()
            return path if path.is_file() and path.is_relative_to(self.root.resolve()) else None
        except (OSError, RuntimeError, ValueError):  # name too long, circular links, NUL character
            return None


def location_of(node: Node) -> str:
    """Return the file and line of a value, as used in notes; data of a service has no line."""
    return f"{node.place.file}:{node.place.line}" if node.place.line else node.place.file


def _normalize_yaml(text: str, is_json: bool) -> str:
    """Normalize a text for YAML 1.1: join surrogate pairs, replace indenting tabs, remove comments in place of a value or, in JSON, in their own lines."""
    if is_json:
        text = re.sub(
            r"\\u(d[89ab][\da-f]{2})\\u(d[c-f][\da-f]{2})",
            lambda pair: bytes.fromhex(pair[1] + pair[2]).decode("utf-16-be"),
            text,
            flags=re.IGNORECASE | re.ASCII,
        )
        text = re.sub(r"\\u(?=d[89a-f]\w\w)", r"\\\\u", text, flags=re.IGNORECASE)
        text = re.sub(r"^[ \t]*(?://.*|/\*.*\*/[ \t]*)$", "", text, flags=re.MULTILINE)
    else:
        text = re.sub(r"^([ \t-]*[\w-]+[ \t]*:)[ \t]+#.*$", r"\1", text, flags=re.MULTILINE)
    return re.sub(r"^[ \t]*\t[ \t]*", lambda m: m[0].replace("\t", "  "), text, flags=re.MULTILINE)


def list_source_files(folder: Path, *suffixes: str) -> list[Path]:
    """Return the files below a folder sorted by path, or the file itself; without ignored paths and links out of the folder."""
    return [
        path
        for path in list_all_files(folder)
        if (not suffixes or path.suffix.casefold() in suffixes) and is_inside_folder(path, folder)
    ]


def list_all_files(source: Path) -> list[Path]:
    """Return the files below a folder sorted by path, or the file itself; links out of the folder are included."""
    if source.is_file():
        return [source]
    paths = []
    for base, folders, names in os.walk(source):
        folders[:] = [
            name
            for name in folders
            if not IGNORED_PATHS.search(f"{name}/") and not Path(base, name).is_symlink()
        ]
        paths += [Path(base, name) for name in names if not name.startswith(".")]
    return sorted(path for path in paths if path.is_file() and not IGNORED_PATHS.search(path.name))


def is_inside_folder(path: Path, root: Path) -> bool:
    """Whether a file is in a folder after symbolic links are resolved."""
    try:
        return path.resolve().is_relative_to((root if root.is_dir() else root.parent).resolve())
    except (OSError, RuntimeError):  # a link to itself
        return False


def normalize_old_url(url: str) -> str:
    """Return an old URL in a form for comparison: no outer slashes, file suffix, `index`, query or fragment."""
    url_path = re.split(r"[?#]", url, maxsplit=1)[0].strip("/")
    return re.sub(r"(?:^|/)index$", "", re.sub(r"\.(?:html?|q?md|ipynb)$", "", url_path)).strip("/")


_YAML_KEY = re.compile(r"([A-Za-z_][\w.-]*)[ \t]*:(?:[ \t]+(.*)|[ \t]*)$")
_TOML_KEY_LINE = re.compile(r"\s*(\"[^\"]+\"|[\w-]+(?:\s*\.\s*[\w-]+)*)\s*=")
_TOML_TABLE_HEADER = re.compile(r"\s*(\[\[?)\s*([\w.\s\"-]+?)\s*\]\]?\s*(?:#.*)?$")


def read_front_matter(text: str, file_name: str, problems: Problems) -> MarkdownFile | None:
    """
    Parse a document with front matter between --- (YAML), +++ (TOML) or braces (JSON).

    None, and reported, if it cannot be parsed. `recover_front_matter` can then read broken YAML line by line.
    """
    text = text.lstrip("\n\ufeff") if re.match(r"[\ufeff\n]+(?:---|\+\+\+)", text) else text
    first_line, _, remaining_text = text.partition("\n")
    if first_line.rstrip() == "+++":
        front_matter, is_closed, body = _split_at_delimiter(remaining_text, "+++")
        node = parse_toml(front_matter, file_name, problems, 1) if is_closed else None
        if not is_closed:
            problems.report(
                "front-matter", Place(file_name, 1, 1, 3), "front matter is never closed", "close it"
            )
        return _build_document(node, body, front_matter) if node is not None else None
    if text.startswith("{") and re.match(r'\{\s*"', text):
        try:
            data, json_end = json.JSONDecoder().raw_decode(text)
        except ValueError:
            return MarkdownFile(Node({}, Place(file_name, 1, 1)), text.strip("\n"), 1)
        return _build_document(_data_to_node(data, file_name, {}, ()), text[json_end:], text[:json_end])
    return parse_markdown_file(text, file_name, problems)


def recover_front_matter(text: str, file_name: str) -> MarkdownFile | None:
    """Parse a document with broken YAML front matter line by line; None if no line has the form `key: value`."""
    first_line, _, remaining_text = text.lstrip("\n\ufeff").partition("\n")
    if not re.fullmatch(r"-{3,}\s*", first_line):
        return None
    front_matter, _, body = _split_at_delimiter(remaining_text, "---")
    values: dict[str, Node] = {}
    for line_index, key, value_text in _split_key_lines(front_matter):
        position = Place(file_name, line_index + 2, 1, len(key))
        flow_list = re.fullmatch(r"\s*\[(.*)\]\s*", value_text)
        if flow_list:
            items = [item for item in re.split(r"\s*,\s*", flow_list[1].strip()) if item]
        else:
            is_list = value_text.startswith("\n")
            items = re.findall(r"^\s*-\s+(.*\S)", value_text, re.MULTILINE) if is_list else []
        item_nodes = tuple(Node(_strip_quotes(item), position) for item in items)
        scalar_text = " ".join(map(_strip_quotes, value_text.split("\n"))).strip()
        values.setdefault(key, Node(item_nodes or scalar_text, position))
    key_places = {key: value.place for key, value in values.items()}
    node = Node(values, Place(file_name, 2, 1), key_places)
    return _build_document(node, body, front_matter) if values else None


def _split_key_lines(front_matter: str) -> Iterator[tuple[int, str, str]]:
    """Yield the line index, the key and the value text of each unindented key, with its continuation lines."""
    lines = front_matter.split("\n")
    starts = [i for i, line in enumerate(lines) if _YAML_KEY.match(line)]
    for start, end in pairwise([*starts, len(lines)]):
        match = _YAML_KEY.match(lines[start])
        if match:
            continuation_lines = [
                line for line in lines[start + 1 : end] if line.strip() and not line.startswith("#")
            ]
            yield start, match[1], "\n".join([match[2] or "", *continuation_lines])


def _strip_quotes(text: str) -> str:
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text.strip("'\"|>")


def _split_at_delimiter(text: str, delimiter: str) -> tuple[str, bool, str]:
    """Split at the first line that is only the delimiter: text before it, whether it exists, text after it."""
    match = re.search(rf"^{re.escape(delimiter)}[ \t]*$\n?", text, re.MULTILINE)
    return (text[: match.start()], True, text[match.end() :]) if match else (text, False, "")


def _build_document(node: Node, body: str, front_matter: str) -> MarkdownFile:
    line = front_matter.count("\n") + 3 + len(body) - len(body.lstrip("\n"))
    return MarkdownFile(node, body.strip("\n"), line)


def parse_toml(text: str, file_name: str, problems: Problems, line_offset: int = 0) -> Node | None:
    """Parse TOML to a Node with the line of each key, `line_offset` added; None, and reported, if it is not valid TOML."""
    try:
        data = tomllib.loads(text)
        key_lines = {path: line + line_offset for path, line in _locate_toml_keys(text)}
        return _data_to_node(data, file_name, key_lines, ())
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        match = re.search(r"at line (\d+)", str(error))
        position = Place(file_name, (int(match[1]) if match else 0) + line_offset, 1)
        message = f"the text is not TOML: {str(error).partition(' (at')[0].casefold()}"
        problems.report("yaml-syntax", position, message, "correct it and import again")
        return None


def _locate_toml_keys(text: str) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield the path and the line of each key of a TOML text; items of an array of tables are numbered."""
    table: tuple[str, ...] = ()
    table_counts: dict[tuple[str, ...], int] = {}
    open_quotes = ""
    for line_number, line in enumerate(text.split("\n"), 1):
        if not open_quotes:
            header_match, key_match = _TOML_TABLE_HEADER.match(line), _TOML_KEY_LINE.match(line)
            if header_match:
                table = tuple(re.findall(r"[\w-]+", header_match[2]))
                if header_match[1] == "[[":
                    table_counts[table] = table_counts.get(table, -1) + 1
                    table = (*table, str(table_counts[table]))
                elif table[:-1] in table_counts:
                    table = (*table[:-1], str(table_counts[table[:-1]]), table[-1])
                yield table, line_number
            elif key_match:
                yield (*table, *re.findall(r"[\w-]+", key_match[1])), line_number
        for quotes in re.findall(r'"""|\'\'\'', line):
            open_quotes = quotes if not open_quotes else "" if quotes == open_quotes else open_quotes


def _data_to_node(
    data: object, file_name: str, key_lines: Mapping[tuple[str, ...], int], key_path: tuple[str, ...]
) -> Node:
    """Convert a TOML or JSON value to the Node that YAML would give; every scalar becomes a string."""
    line_number = next(
        (key_lines[key_path[:i]] for i in range(len(key_path), 0, -1) if key_path[:i] in key_lines), 1
    )
    position = Place(file_name, line_number, 1)
    if isinstance(data, dict):
        values = {
            str(key): _data_to_node(value, file_name, key_lines, (*key_path, str(key)))
            for key, value in data.items()
        }
        return Node(values, position, {key: value.place for key, value in values.items()})
    if isinstance(data, list):
        items = (
            _data_to_node(item, file_name, key_lines, (*key_path, str(i))) for i, item in enumerate(data)
        )
        return Node(tuple(items), position)
    if data is None:
        return Node(None, position)
    if isinstance(data, bool):
        return Node(str(data).casefold(), position)
    return Node(data.isoformat() if isinstance(data, date | time) else str(data), position)
