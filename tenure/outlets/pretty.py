"""JSON with a line for each entry: to be read, and to differ only where an entry does."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

_SPELLED = json.JSONEncoder(ensure_ascii=False).encode


def listed(items: Sequence[Any], margin: str = "") -> str:
    """A list, each of its items on a line."""
    if not items:
        return "[]"
    lines = ",\n".join(f"{margin}  {_SPELLED(item)}" for item in items)
    return f"[\n{lines}\n{margin}]"


def keyed(whole: Mapping[str, Any]) -> str:
    """An object, each of its values on a line, and each item of those that are lists."""
    lines = (
        f"  {json.dumps(name)}: {listed(value, '  ') if isinstance(value, list) else _SPELLED(value)}"
        for name, value in whole.items()
    )
    return "{\n" + ",\n".join(lines) + "\n}"
