"""JSON with one line for each entry, so that a diff shows only the entries that changed."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

_SPELLED = json.JSONEncoder(ensure_ascii=False).encode


def listed(items: Sequence[Any], margin: str = "") -> str:
    """A JSON list with one item on each line."""
    if not items:
        return "[]"
    lines = ",\n".join(f"{margin}  {_SPELLED(item)}" for item in items)
    return f"[\n{lines}\n{margin}]"


def keyed(whole: Mapping[str, Any]) -> str:
    """A JSON object with one value on each line; lists have one item on each line."""
    lines = (
        f"  {json.dumps(name)}: {listed(value, '  ') if isinstance(value, list) else _SPELLED(value)}"
        for name, value in whole.items()
    )
    return "{\n" + ",\n".join(lines) + "\n}"
