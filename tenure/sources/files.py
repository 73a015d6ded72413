"""Source files: their search, encodings, and conversion of YAML and front matter to Nodes."""

import codecs
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import yaml

from tenure.frozen import dataclass
from tenure.problems import Edit, Place, Problems
from tenure.sources.slips import NOT_FILLED_IN, Slip, Trouble, edit_at, quoted, slip_of, unescape_edits
from tenure.sources.tree import Node
from tenure.stamp import leads_back

MOST_NODES = 200_000
"""Maximum number of nodes in a source after its aliases are expanded; protects against a "billion laughs" file."""

BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""Byte order marks, each with the encoding of the text after it."""


@dataclass(frozen=True, slots=True)
class Prose:
    """A Markdown file: its front matter, its text, and the number of the first line of the text."""

    front: Node
    body: str
    line: int


def find(folder: Path, named: str, problems: Problems) -> Iterator[Path]:
    """
    Every file below a folder in a fixed order, without hidden files and temporary files of editors.

    `display_name` is the path of the folder in messages. An unreadable folder is reported, and so is a symbolic link
    to a folder that contains it (an endless loop).
    """

    def tell(path: str, message: str, hint: str) -> None:
        inside = Path(path).relative_to(folder).as_posix()
        problems.tell("unreadable", Place(named if inside == "." else f"{named}/{inside}"), message, hint)

    def closed(reason: OSError) -> None:
        if not isinstance(reason, FileNotFoundError):
            message = f"this folder cannot be read: {reason.strerror}"
            tell(str(reason.filename), message, "check its permissions")

    for base, folders, files in os.walk(folder, onerror=closed, followlinks=True):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__pycache__")))
        for link in [Path(base, name) for name in folders]:
            if leads_back(str(link)):
                folders.remove(link.name)
                tell(str(link), "this symbolic link points to a folder that contains it", "delete it")
        for name in sorted(files):
            if not name.startswith((".", "#")) and not name.endswith(("~", ".swp", ".tmp", ".bak")):
                yield Path(base, name)


_DECLARATION = re.compile(rb"(?i)(?:%\s*encoding:|-\*-[^\n]*?coding:|^encoding:)\s*([\w.-]+)", re.MULTILINE)


def _declared(data: bytes) -> str:
    """
    The encoding of a .bib file without a byte order mark: UTF-8 if it is valid, otherwise the declared encoding.

    JabRef writes "% Encoding: ISO8859_1", Emacs "-*- coding: latin-1 -*-". ISO-2022-JP consists of ASCII bytes and is
    detected by its escape sequences.
    """
    if b"\x1b$" in data and data.isascii():
        return "iso2022_jp"
    found = _DECLARATION.search(data[:2000])
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        name = found[1].decode("ascii", "replace") if found else "utf-8"
        try:
            data.decode(name)
        except (LookupError, UnicodeError):
            return "utf-8"  # the declaration is wrong; `read_source_text` reports it
        return name
    return "utf-8"


def encoding_of(data: bytes, suffix: str) -> tuple[bytes, str]:
    """The byte order mark of a file (b"" if it has none) and the encoding of the bytes after it."""
    found = next(((mark, encoding) for mark, encoding in BOMS if data.startswith(mark)), None)
    if found is not None:
        return found
    return b"", _declared(data) if suffix == ".bib" else "utf-8"


def read_text(path: Path, name: str, problems: Problems) -> str | None:
    """The text of a file with LF line ends; None and a report if it cannot be read or decoded."""
    try:
        data = path.read_bytes()
    except OSError as reason:
        lost = path.is_symlink() and not path.exists()
        message = (
            "this symbolic link points to a missing file"
            if lost
            else f"this file cannot be read: {reason.strerror}"
        )
        hint = "restore the file, or delete the link" if lost else "check its permissions"
        problems.tell("unreadable", Place(name), message, hint)
        return None
    mark, encoding = encoding_of(data, path.suffix)
    data = data[len(mark) :]
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as reason:
        text = data.decode("cp1252" if path.suffix == ".bib" else "utf-8", errors="replace")
        problems.know(name, text)
        start = data.rfind(b"\n", 0, reason.start) + 1
        column = len(data[start : reason.start].decode("utf-8", errors="replace")) + 1
        place, hint = (
            Place(name, data.count(b"\n", 0, start) + 1, column, 1),
            "save it as UTF-8 in your editor",
        )
        if path.suffix != ".bib":
            problems.tell("encoding", place, "this file is not UTF-8", hint)
            return None
        problems.tell("bib-encoding", place, "this file is not UTF-8, and is read as Windows-1252", hint)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    problems.know(name, text)
    merge = "<<<<<<< " in text and re.search(r"^<{7} .*$(?=[\s\S]*^>{7} )", text, re.MULTILINE)
    if merge:
        place = Place(name, text.count("\n", 0, merge.start()) + 1, 1, len(merge[0]))
        hint = "keep one version, and delete the lines <<<<<<<, ======= and >>>>>>>"
        problems.tell("merge-marks", place, "this file has both versions of a merge conflict in Git", hint)
        return None
    return text


def _misplaced(lines: list[str], name: str, problems: Problems) -> bool:
    """Return whether front matter would be read as text (it is TOML, or below empty lines); if so, report it."""
    if lines[0].rstrip() == "+++" and "+++" in [line.rstrip() for line in lines[1:]]:
        hint = "write --- instead of +++, and key: value instead of key = value"
        problems.tell("front-matter", Place(name, 1, 1, 3), "this front matter is TOML, not YAML", hint)
        return True
    first = next((i for i, line in enumerate(lines) if line.strip()), 0)
    rest = lines[first + 1 :]
    if first and lines[first].rstrip() == "---" and rest and re.match(r"\w+:(\s|$)", rest[0]):
        hint = "delete the empty lines above it"
        above = sum(len(line) + 1 for line in lines[:first])
        edits = (Edit(Place(name, 1, 1, above), ""),)
        message = "front matter must begin in line 1"
        problems.tell("front-matter", Place(name, first + 1, 1, 3), message, hint, edits)
        return True
    return False


def read_yaml(text: str, name: str, problems: Problems) -> Node | None:
    """The YAML of a file as a Node, the same object for the same text; None and a report if it is not valid YAML."""
    return _sound_yaml(text, name) or _Composer(name, problems).compose(text)


@lru_cache(maxsize=256)
def _sound_yaml(text: str, name: str) -> Node | None:
    """The YAML of a file without problems; None if there are problems (only clean results are cached)."""
    problems = Problems()
    node = _Composer(name, problems).compose(text)
    return None if problems.count() else node


def read_prose(text: str, name: str, problems: Problems) -> Prose | None:
    """Parse a Markdown file with or without front matter; None and a report if the front matter is invalid."""
    nothing = Node({}, Place(name, 1, 1))
    lines = text.split("\n")
    if lines[0].rstrip() != "---":
        return None if _misplaced(lines, name, problems) else Prose(nothing, text.strip("\n"), 1)
    end = next((i for i, line in enumerate(lines[1:], 1) if line.rstrip() in ("---", "...")), None)
    if end is None:
        near = next((i for i, line in enumerate(lines[1:], 1) if re.fullmatch(r"-[- ]*", line.rstrip())), 0)
        place = Place(name, near + 1, 1, len(lines[near].rstrip()))
        hint = "write ---" if near else "add a line --- after the last key"
        edits = (Edit(place, "---"),) if near else ()
        problems.tell("front-matter", place, "front matter is never closed", hint, edits)
        return None
    front = read_yaml("\n" + "\n".join(lines[1:end]), name, problems)
    if front is None:
        return None
    if front.value is None:
        front = nothing
    if not isinstance(front.value, dict):
        problems.tell(
            "wrong-shape", front.place, f"front matter is {front.shape}", 'write "key: value" lines'
        )
        return None
    body = "\n".join(lines[end + 1 :])
    return Prose(front, body.strip("\n"), end + 2 + len(body) - len(body.lstrip("\n")))


LOADER: type[yaml.BaseLoader] = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""Uses the C parser if PyYAML was built with it. Does not convert scalars to types."""

PLAIN_TAGS = frozenset(f"tag:yaml.org,2002:{kind}" for kind in ("str", "seq", "map"))
NULLS = frozenset({"", "~", "null", "Null", "NULL"})
DEEPEST = 1000
TOO_DEEP = ("the brackets are nested too deeply", "close each of them")
_FORBIDDEN = yaml.reader.Reader.NON_PRINTABLE
"""Source: YAML 1.1, section 4.1, the allowed characters."""

_SWALLOWED = re.compile(r"[\a\b\f\v\x1b]|\t(?:imes|heta|au|ext)|\r(?:ho|ight)|\n(?:abla|eq|u\b)")
"""The result of \\beta, \\frac or \\times in double quotes: YAML interprets \\b, \\f and \\t as escapes."""


class _Composer:
    """Converts the YAML of one file to Nodes."""

    def __init__(self, name: str, problems: Problems) -> None:
        self._name = name
        self._problems = problems
        self._left = MOST_NODES

    def compose(self, text: str) -> Node | None:
        self._lines = text.split("\n")
        try:
            return None if self._told_deep(text) else self._composed(text)
        except yaml.MarkedYAMLError as error:
            self._tell(slip_of(_trouble(text, error)))
        except yaml.YAMLError:
            self._tell(_forbidden(text))
        except RecursionError:
            self._tell(Slip(1, 1, 1, *TOO_DEEP))
        return None

    def _told_deep(self, text: str) -> bool:
        """Return whether brackets or hyphens are nested too deeply for the stack of the C parser; if so, report it."""
        depth = 0
        for found in re.finditer(rf"[\[\]{{}}]|(?:- ){{{DEEPEST}}}", text):
            depth += DEEPEST if len(found[0]) > 1 else 1 if found[0] in "[{" else -1
            if depth >= DEEPEST:
                line = text.count("\n", 0, found.start()) + 1
                self._tell(Slip(line, found.start() - text.rfind("\n", 0, found.start()), 1, *TOO_DEEP))
                return True
        return False

    def _composed(self, text: str) -> Node | None:
        documents = list(yaml.compose_all(text, Loader=LOADER))
        if len(documents) > 1:
            second = self._place(documents[1])
            mark = next(
                (n for n in range(second.line, 0, -1) if self._lines[n - 1][:3] == "---"), second.line
            )
            message = "three hyphens begin a second document, which is not read"
            place = Place(self._name, mark, 1, 3)
            self._problems.tell("yaml-documents", place, message, "delete this line")
        if not documents or documents[0] is None:
            return Node(None, Place(self._name, 1, 1))
        node = self._node(documents[0])
        if self._left < 0:
            self._problems.tell(
                "yaml-alias",
                node.place,
                "the YAML aliases in this file expand to too much text",
                "write the values out",
            )
            return None
        return node

    def _tell(self, slip: Slip) -> None:
        place = Place(self._name, slip.line, slip.column, slip.length)
        self._problems.tell("yaml-syntax", place, slip.message, slip.hint, self._placed(slip.edits))

    def _placed(self, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
        """The edits with the name of this file in their places."""
        return tuple(replace(edit, place=replace(edit.place, file=self._name)) for edit in edits)

    def _place(self, node: yaml.Node) -> Place:
        mark, end = node.start_mark, node.end_mark
        length = end.column - mark.column if end.line == mark.line else 0
        return Place(self._name, mark.line + 1, mark.column + 1, max(0, length))

    def _node(self, raw: yaml.Node) -> Node:
        place = self._place(raw)
        self._left -= 1
        if self._left < 0:
            return Node(None, place)
        if raw.tag not in PLAIN_TAGS:
            self._tell_tag(raw.tag.replace("tag:yaml.org,2002:", "!!"), place)
        if isinstance(raw, yaml.MappingNode):
            if any(isinstance(key, yaml.MappingNode) for key, _ in raw.value):
                self._tell(Slip(place.line, place.column, place.length, *NOT_FILLED_IN))
                return Node("{{", place)
            return self._mapping(raw.value, place)
        if isinstance(raw, yaml.SequenceNode):
            return Node(tuple(self._node(item) for item in raw.value), place)
        return self._words(raw, place) if isinstance(raw, yaml.ScalarNode) else Node(None, place)

    def _tell_tag(self, tag: str, place: Place) -> None:
        hint = "remove the tag" if tag.startswith("!!") else "put it in quotes"
        where = Place(place.file, place.line, place.column, len(tag))
        self._problems.tell("yaml-tag", where, f"a value cannot begin with {tag}", hint)

    def _words(self, raw: yaml.ScalarNode, place: Place) -> Node:
        """A scalar; text that a # or a backslash removed from it silently is reported."""
        if raw.style == '"' and _SWALLOWED.search(raw.value):
            line = self._lines[place.line - 1]
            message = "a backslash in double quotes is not kept"
            hint = (
                f"write it in single quotes: {quoted(line[place.column : place.column + place.length - 2])}"
            )
            at = max(line.find("\\", place.column), place.column - 1) + 1
            edits = self._placed(unescape_edits(line, place.line - 1, place.column - 1))
            self._problems.tell("yaml-syntax", Place(place.file, place.line, at, 2), message, hint, edits)
        if raw.style:
            return Node(raw.value, place)
        start, end = raw.start_mark.column, raw.end_mark.column
        line = self._lines[raw.end_mark.line] if raw.end_mark.line < len(self._lines) else ""
        cut = re.match(r"\s+#\d" if raw.value else r"\s*#[^\s#]", line[end:])
        if cut:
            where = Place(place.file, raw.end_mark.line + 1, end + cut.end() - 1, 1)
            value = line[start if raw.start_mark.line == raw.end_mark.line else 0 :]
            hint = f"put the value in quotes: {quoted(value)}"
            self._problems.tell("yaml-syntax", where, "what follows a # is not read", hint)
            return Node(value.strip(), place)
        return Node(None if raw.value in NULLS else raw.value, place)

    def _mapping(self, pairs: list[tuple[yaml.Node, yaml.Node]], place: Place) -> Node:
        values: dict[str, Node] = {}
        keys: dict[str, Place] = {}
        for raw_key, raw_value in pairs:
            key, at = raw_key.value, self._place(raw_key)
            if not isinstance(key, str):
                self._problems.tell(
                    "wrong-shape", at, "a key is not a plain word", "write the key as one word"
                )
                continue
            if key in values:
                self._problems.tell(
                    "yaml-duplicate-key",
                    at,
                    f'"{key}" is given twice here, first in line {keys[key].line}',
                    "keep one of the two",
                )
                continue
            values[key], keys[key] = self._node(raw_value), at
        return Node(values, place, keys)


def _trouble(text: str, error: yaml.MarkedYAMLError) -> Trouble:
    """The reason and the position of a parse error."""
    mark = error.problem_mark or error.context_mark
    at = (mark.line, mark.column) if mark else (0, 0)
    begun = (error.context_mark.line, error.context_mark.column) if error.context_mark else at
    return Trouble(text, " ".join(part for part in (error.context, error.problem) if part), at, begun)


def _forbidden(text: str) -> Slip:
    """The first character that YAML forbids, as a mistake."""
    found = _FORBIDDEN.search(text)
    at = found.start() if found else 0
    column = at - text.rfind("\n", 0, at)
    line = text.count("\n", 0, at)
    edits = edit_at(line, column - 1, 1, "")
    return Slip(line + 1, column, 1, "there is an invisible character here", "delete it", edits)
