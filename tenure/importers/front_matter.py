"""Parses documents with front matter in YAML, TOML or JSON, and recovers broken YAML."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from datetime import date, time
from itertools import pairwise

from tenure.problems import Place, Problems
from tenure.sources.files import MarkdownFile, parse_markdown_file
from tenure.sources.node import Node

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
    key_places: dict[str, Place] = {}
    for line_index, key, value_text in _split_key_lines(front_matter):
        position = Place(file_name, line_index + 2, 1, len(key))
        items = re.findall(r"^\s*-\s+(.*\S)", value_text, re.MULTILINE)
        flow_list = re.fullmatch(r"\s*\[(.*)\]\s*", value_text)
        if flow_list:
            items = [item for item in re.split(r"\s*,\s*", flow_list[1].strip()) if item]
        item_nodes = tuple(Node(_strip_quotes(item), position) for item in items)
        scalar_text = " ".join(_strip_quotes(value_line) for value_line in value_text.split("\n"))
        values.setdefault(
            key,
            Node(
                item_nodes if items and (flow_list or value_text.startswith("\n")) else scalar_text.strip(),
                position,
            ),
        )
        key_places.setdefault(key, position)
    return (
        _build_document(Node(values, Place(file_name, 2, 1), key_places), body, front_matter)
        if values
        else None
    )


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
        return Node(
            tuple(
                _data_to_node(item, file_name, key_lines, (*key_path, str(i))) for i, item in enumerate(data)
            ),
            position,
        )
    if data is None:
        return Node(None, position)
    if isinstance(data, bool):
        return Node(str(data).casefold(), position)
    return Node(data.isoformat() if isinstance(data, date | time) else str(data), position)
