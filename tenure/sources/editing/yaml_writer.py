"""Writes data as YAML in the style of a person: plain scalars if that is safe, several lines as a block."""

import json
import re
from collections.abc import Mapping, Sequence

YamlData = str | Sequence["YamlData"] | Mapping[str, "YamlData"]
"""Strings, lists and mappings; every scalar is a string."""

_BARE_SCALAR = re.compile(r"[^\W_][\w .,()/+–’'@-]*|https?://[\w./~%?=&+@-]+")
"""A text that needs no quotes: "On wool, 2024", "https://a.org/x"."""

_NULL_WORDS = frozenset({"null", "Null", "NULL"})
_BLOCK_TEXT = re.compile(r"\S(?:[^\t\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]|\n)*")
"""Lines that can stand below "|": without control characters, and not indented in the first line."""


def format_scalar(text: str, indent: str = "") -> str:
    """
    A text as YAML scalar; the lines of a block are indented by `indent`.

    Looms -> Looms; A: "B" -> 'A: "B"'; A: B -> "A: B"; a text of several lines -> "|-" and the lines
    """
    if "\n" in text and _BLOCK_TEXT.fullmatch(text):
        lines = (f"{indent}{line}" if line.strip() else "" for line in text.split("\n"))
        return "|-\n" + "\n".join(lines)
    if _BARE_SCALAR.fullmatch(text) and text == text.strip() and text not in _NULL_WORDS:
        return text
    if text.isprintable() and ('"' in text or "\\" in text):
        return "'" + text.replace("'", "''") + "'"
    return json.dumps(text, ensure_ascii=False)


def format_yaml(data: Mapping[str, YamlData] | Sequence[YamlData]) -> str:
    """
    The text of a file with a mapping or a list;
    empty lines separate the entries of a list with large mappings.
    """
    if isinstance(data, Mapping):
        return _format_block(data, "")
    has_large_items = any(isinstance(item, Mapping) and len(item) > 2 for item in data)
    return ("\n" if has_large_items else "").join(_format_item(item, "") for item in data)


def _format_pair(key: str, value: YamlData, indent: str) -> str:
    """A key and its value: name, "Ada" -> "name: Ada"; a list or a mapping begins in the next line."""
    name = json.dumps(key, ensure_ascii=False) if "\n" in key else format_scalar(key)
    if isinstance(value, str):
        return f"{indent}{name}: {format_scalar(value, indent + '  ')}\n"
    return f"{indent}{name}:\n{_format_block(value, indent + '  ')}"


def _format_item(item: YamlData, indent: str) -> str:
    """An item of a list: "- Ada"; a mapping begins after its hyphen."""
    if isinstance(item, str):
        return f"{indent}- {format_scalar(item, indent + '  ')}\n"
    return f"{indent}- {_format_block(item, indent + '  ')[len(indent) + 2 :]}"


def _format_block(data: Mapping[str, YamlData] | Sequence[YamlData], indent: str) -> str:
    """The lines of a mapping or a list, each with an indentation."""
    if isinstance(data, Mapping):
        return "".join(_format_pair(key, value, indent) for key, value in data.items())
    return "".join(_format_item(item, indent) for item in data)
