"""Parses documents with front matter in YAML, TOML or JSON, and recovers broken YAML."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from datetime import date, time
from itertools import pairwise

from tenure.problems import Place, Problems
from tenure.sources.files import Prose, read_prose
from tenure.sources.tree import Node

_KEY = re.compile(r"([A-Za-z_][\w.-]*)[ \t]*:(?:[ \t]+(.*)|[ \t]*)$")
_TOML_KEY = re.compile(r"\s*(\"[^\"]+\"|[\w-]+(?:\s*\.\s*[\w-]+)*)\s*=")
_TOML_HEAD = re.compile(r"\s*(\[\[?)\s*([\w.\s\"-]+?)\s*\]\]?\s*(?:#.*)?$")


def read_front(text: str, name: str, problems: Problems) -> Prose | None:
    """
    Parse a document with front matter between --- (YAML), +++ (TOML) or braces (JSON).

    None, and reported, if it cannot be parsed. `recover_front_matter` can then read broken YAML line by line.
    """
    text = text.lstrip("\n\ufeff") if re.match(r"[\ufeff\n]+(?:---|\+\+\+)", text) else text
    first, _, rest = text.partition("\n")
    if first.rstrip() == "+++":
        front, found, body = _until(rest, "+++")
        node = read_toml(front, name, problems, 1) if found else None
        if not found:
            problems.tell("front-matter", Place(name, 1, 1, 3), "front matter is never closed", "close it")
        return _prose(node, body, front) if node is not None else None
    if text.startswith("{") and re.match(r'\{\s*"', text):
        try:
            data, end = json.JSONDecoder().raw_decode(text)
        except ValueError:
            return Prose(Node({}, Place(name, 1, 1)), text.strip("\n"), 1)
        return _prose(_node(data, name, {}, ()), text[end:], text[:end])
    return read_prose(text, name, problems)


def mended(text: str, name: str) -> Prose | None:
    """Parse a document with broken YAML front matter line by line; None if no line has the form `key: value`."""
    first, _, rest = text.lstrip("\n\ufeff").partition("\n")
    if not re.fullmatch(r"-{3,}\s*", first):
        return None
    front, _, body = _until(rest, "---")
    values: dict[str, Node] = {}
    keys: dict[str, Place] = {}
    for number, key, words in _pairs(front):
        place = Place(name, number + 2, 1, len(key))
        items = re.findall(r"^\s*-\s+(.*\S)", words, re.MULTILINE)
        listed = tuple(Node(_bare(item), place) for item in items)
        plain = " ".join(_bare(part) for part in words.split("\n"))
        values.setdefault(key, Node(listed if items and words.startswith("\n") else plain.strip(), place))
        keys.setdefault(key, place)
    return _prose(Node(values, Place(name, 2, 1), keys), body, front) if values else None


def _pairs(front: str) -> Iterator[tuple[int, str, str]]:
    """Yield the line index, the key and the value text of each unindented key, with its continuation lines."""
    lines = front.split("\n")
    starts = [i for i, line in enumerate(lines) if _KEY.match(line)]
    for start, end in pairwise([*starts, len(lines)]):
        found = _KEY.match(lines[start])
        if found:
            below = [line for line in lines[start + 1 : end] if line.strip() and not line.startswith("#")]
            yield start, found[1], "\n".join([found[2] or "", *below])


def _bare(words: str) -> str:
    words = words.strip()
    return (
        words[1:-1]
        if len(words) > 1 and words[0] == words[-1] and words[0] in "'\""
        else words.strip("'\"|>")
    )


def _until(text: str, mark: str) -> tuple[str, bool, str]:
    """Split at the first line that is only the delimiter: text before it, whether it exists, text after it."""
    found = re.search(rf"^{re.escape(mark)}[ \t]*$\n?", text, re.MULTILINE)
    return (text[: found.start()], True, text[found.end() :]) if found else (text, False, "")


def _prose(node: Node, body: str, front: str) -> Prose:
    line = front.count("\n") + 3 + len(body) - len(body.lstrip("\n"))
    return Prose(node, body.strip("\n"), line)


def read_toml(text: str, name: str, problems: Problems, above: int = 0) -> Node | None:
    """Parse TOML to a Node with the line of each key, `line_offset` added; None, and reported, if it is not valid TOML."""
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        at = re.search(r"at line (\d+)", str(error))
        place = Place(name, (int(at[1]) if at else 0) + above, 1)
        message = f"the text is not TOML: {str(error).partition(' (at')[0].casefold()}"
        problems.tell("yaml-syntax", place, message, "correct it and import again")
        return None
    return _node(data, name, {path: line + above for path, line in _lines(text)}, ())


def _lines(text: str) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield the path and the line of each key of a TOML text; items of an array of tables are numbered."""
    table: tuple[str, ...] = ()
    counts: dict[tuple[str, ...], int] = {}
    within = ""
    for number, line in enumerate(text.split("\n"), 1):
        if not within:
            head, key = _TOML_HEAD.match(line), _TOML_KEY.match(line)
            if head:
                table = tuple(re.findall(r"[\w-]+", head[2]))
                if head[1] == "[[":
                    counts[table] = counts.get(table, -1) + 1
                    table = (*table, str(counts[table]))
                elif table[:-1] in counts:
                    table = (*table[:-1], str(counts[table[:-1]]), table[-1])
                yield table, number
            elif key:
                yield (*table, *re.findall(r"[\w-]+", key[1])), number
        for quotes in re.findall(r'"""|\'\'\'', line):
            within = quotes if not within else "" if quotes == within else within


def _node(data: object, name: str, lines: Mapping[tuple[str, ...], int], path: tuple[str, ...]) -> Node:
    """Convert a TOML or JSON value to the Node that YAML would give; every scalar becomes a string."""
    known = next((lines[path[:i]] for i in range(len(path), 0, -1) if path[:i] in lines), 1)
    place = Place(name, known, 1)
    if isinstance(data, dict):
        values = {str(key): _node(value, name, lines, (*path, str(key))) for key, value in data.items()}
        return Node(values, place, {key: value.place for key, value in values.items()})
    if isinstance(data, list):
        return Node(tuple(_node(item, name, lines, (*path, str(i))) for i, item in enumerate(data)), place)
    if data is None:
        return Node(None, place)
    if isinstance(data, bool):
        return Node(str(data).casefold(), place)
    return Node(data.isoformat() if isinstance(data, date | time) else str(data), place)
