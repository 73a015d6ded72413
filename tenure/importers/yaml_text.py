"""Writes data as YAML in the style of a person: plain scalars if that is safe, several lines as a block."""

import json
import re
from collections.abc import Mapping, Sequence

Data = str | Sequence["Data"] | Mapping[str, "Data"]
"""Strings, lists and mappings; every scalar is a string."""

_BARE = re.compile(r"[^\W_][\w .,()/+–’'-]*|https?://[\w./~%?=&+@-]+")
_WORDLESS = frozenset({"null", "Null", "NULL"})
_BLOCK = re.compile(r"\S(?:[^\t\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]|\n)*")


def scalar(words: str, indent: str = "") -> str:
    """A text as YAML scalar; the lines of a block are indented by `indent`."""
    if "\n" in words and _BLOCK.fullmatch(words):
        lines = (f"{indent}{line}" if line.strip() else "" for line in words.split("\n"))
        return "|-\n" + "\n".join(lines)
    if _BARE.fullmatch(words) and words == words.strip() and words not in _WORDLESS:
        return words
    if '"' not in words and "\\" not in words:
        return json.dumps(words, ensure_ascii=False)
    if words.isprintable():
        return "'" + words.replace("'", "''") + "'"
    return json.dumps(words, ensure_ascii=False)


def yaml_text(data: Mapping[str, Data] | Sequence[Data]) -> str:
    """The text of a file with a mapping or a list; empty lines separate the entries of a list with large mappings."""
    if isinstance(data, Mapping):
        return "".join(_pair(key, value, "") for key, value in data.items())
    several = any(isinstance(item, Mapping) and len(item) > 2 for item in data)
    return ("\n" if several else "").join(_item(item, "") for item in data)


def _pair(key: str, value: Data, indent: str) -> str:
    name = json.dumps(key, ensure_ascii=False) if "\n" in key else scalar(key)
    if isinstance(value, str):
        return f"{indent}{name}: {scalar(value, indent + '  ')}\n"
    if isinstance(value, Mapping):
        return f"{indent}{name}:\n" + "".join(_pair(k, v, indent + "  ") for k, v in value.items())
    return f"{indent}{name}:\n" + "".join(_item(item, indent + "  ") for item in value)


def _item(item: Data, indent: str) -> str:
    if isinstance(item, str):
        return f"{indent}- {scalar(item, indent + '  ')}\n"
    if isinstance(item, Mapping):
        written = "".join(_pair(key, value, indent + "  ") for key, value in item.items())
    else:
        written = "".join(_item(below, indent + "  ") for below in item)
    return f"{indent}- {written[len(indent) + 2 :]}"
