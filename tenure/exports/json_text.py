"""JSON with one line for each entry, so that a diff shows only the entries that changed."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

_encode_on_one_line = json.JSONEncoder(ensure_ascii=False).encode


def format_json_list(items: Sequence[Any], margin: str = "") -> str:
    """A JSON list with one item on each line; `margin` is the space before the line of its closing bracket."""
    if not items:
        return "[]"
    lines = ",\n".join(f"{margin}  {_encode_on_one_line(item)}" for item in items)
    return f"[\n{lines}\n{margin}]"


def format_json_object(members: Mapping[str, Any]) -> str:
    """A JSON object with one value on each line; lists have one item on each line."""
    lines = (
        f"  {_encode_on_one_line(name)}: {format_json_list(value, '  ') if isinstance(value, list) else _encode_on_one_line(value)}"
        for name, value in members.items()
    )
    return "{\n" + ",\n".join(lines) + "\n}"
