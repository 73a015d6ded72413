"""YAML and Markdown with front matter become Nodes; finding the files, and their encodings."""

import codecs
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from tenure.problems import Place, Problems
from tenure.sources.tree import Node

MOST_NODES = 200_000
"""A source may unfold to this many nodes; beyond it, aliases are multiplying ("billion laughs")."""

BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(frozen=True, slots=True)
class Prose:
    """A Markdown file: its front matter, its text, and the line where the text begins."""

    front: Node
    body: str
    line: int


def find(folder: Path) -> Iterator[Path]:
    """Every file below a folder in a fixed order; names with a leading dot or an editor's marks are passed over."""
    for base, folders, files in os.walk(folder, followlinks=True):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__pycache__")))
        for name in sorted(files):
            if not name.startswith((".", "#")) and not name.endswith(("~", ".swp", ".tmp", ".bak")):
                yield Path(base, name)


def read_text(path: Path, name: str, problems: Problems) -> str | None:
    """A file's text with plain line ends; told and None where it cannot be read as UTF-8 (or by its mark)."""
    try:
        data = path.read_bytes()
    except OSError as reason:
        problems.tell("unreadable", Place(name), f"cannot be read: {reason.strerror}")
        return None
    encoding = next((encoding for mark, encoding in BOMS if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as reason:
        line = data.count(b"\n", 0, reason.start) + 1
        problems.tell(
            "encoding", Place(name, line), "this file is not UTF-8", "save it as UTF-8 in your editor"
        )
        return None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    problems.know(name, text)
    return text


def read_yaml(text: str, name: str, problems: Problems) -> Node | None:
    """The YAML of a file as a Node; told and None where it is no YAML."""
    return _Composer(name, problems).compose(text)


def read_prose(text: str, name: str, problems: Problems) -> Prose | None:
    """A Markdown file with or without front matter; told and None where the front matter is broken."""
    nothing = Node({}, Place(name, 1, 1))
    lines = text.split("\n")
    if lines[0].rstrip() != "---":
        return Prose(nothing, text.strip("\n"), 1)
    end = next((i for i, line in enumerate(lines[1:], 1) if line.rstrip() in ("---", "...")), None)
    if end is None:
        problems.tell(
            "front-matter",
            Place(name, 1, 1, 3),
            "front matter is never closed",
            "put a line --- after its last key",
        )
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
"""Composes with the C parser where PyYAML was built with it, and resolves no type from a scalar's looks."""

PLAIN_TAGS = frozenset(f"tag:yaml.org,2002:{kind}" for kind in ("str", "seq", "map"))
NULLS = frozenset({"", "~", "null", "Null", "NULL"})
HINTS = (
    ("mapping values are not allowed", 'put the value in quotes: "… : …"'),
    ("cannot start any token", "put the value in quotes, and indent with spaces"),
    ("expected <block end>", "the indentation of this line does not fit the lines above"),
    ("could not find expected ':'", "a key needs a colon and a space after it"),
    ("while scanning a quoted", "the closing quote is missing"),
    ("expected ',' or ']'", "a list in brackets is not closed, or lacks a comma"),
    ("expected ',' or '}'", "a mapping in braces is not closed, or lacks a comma"),
    ("unknown escape character", "use single quotes where a backslash is meant"),
    ("undefined alias", "a value that begins with * must be put in quotes"),
    ("expected alphabetic or numeric", "a value that begins with * or & must be put in quotes"),
)


class _Composer:
    """One file's YAML on its way to Nodes."""

    def __init__(self, name: str, problems: Problems) -> None:
        self._name = name
        self._problems = problems
        self._left = MOST_NODES

    def compose(self, text: str) -> Node | None:
        try:
            documents = list(yaml.compose_all(text, Loader=LOADER))
        except yaml.MarkedYAMLError as error:
            self._tell_syntax(error)
            return None
        except yaml.YAMLError as error:
            position = getattr(error, "position", 0)
            line = text.count("\n", 0, position) + 1
            self._problems.tell(
                "yaml-syntax",
                Place(self._name, line, 1),
                f"a character that YAML does not allow: {getattr(error, 'reason', error)}",
                "delete the invisible character in this line",
            )
            return None
        if len(documents) > 1:
            place = self._place(documents[1])
            self._problems.tell(
                "yaml-documents", place, "a second document begins here", "remove the line --- before it"
            )
        if not documents or documents[0] is None:
            return Node(None, Place(self._name, 1, 1))
        node = self._node(documents[0])
        if self._left < 0:
            self._problems.tell(
                "yaml-alias",
                node.place,
                "the aliases in this file unfold beyond measure",
                "write the values out",
            )
            return None
        return node

    def _tell_syntax(self, error: yaml.MarkedYAMLError) -> None:
        mark = error.problem_mark or error.context_mark
        words = " ".join(part for part in (error.context, error.problem) if part)
        hint = next((hint for sign, hint in HINTS if sign in words), "")
        place = Place(self._name, mark.line + 1, mark.column + 1) if mark else Place(self._name)
        self._problems.tell("yaml-syntax", place, f"this is not YAML: {words}", hint)

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
            tag = raw.tag.replace("tag:yaml.org,2002:", "!!")
            self._problems.tell("yaml-tag", place, f"the tag {tag} is not read", "remove the tag")
        if isinstance(raw, yaml.MappingNode):
            return self._mapping(raw.value, place)
        if isinstance(raw, yaml.SequenceNode):
            return Node(tuple(self._node(item) for item in raw.value), place)
        plain = isinstance(raw, yaml.ScalarNode) and not raw.style
        return Node(None if plain and raw.value in NULLS else raw.value, place)

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
