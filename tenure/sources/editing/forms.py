"""
The values of a source for a form: which field each key is, and what the form cannot change.

The fields with their labels, helps and controls are those of the JSON Schema (`json_schema.py`); a form shows
them beside these values, and writes with `value_edits.py`.
[{school: ETH}] -> {"path": [0], "fields": {"institution": {"key": "school", "value": "ETH"}}}
"""

from pathlib import PurePosixPath
from typing import Any

from tenure.model.entries import CustomEntry, Entry, Profile
from tenure.model.overlays import CitationCounts, Coauthor, Overlay
from tenure.model.site import Settings
from tenure.record import Record
from tenure.sources.editing.value_edits import (
    ValuePath,
    find_value,
    list_children,
    read_tree,
    split_front_matter,
)
from tenure.sources.load import COLLECTION_TYPES
from tenure.sources.schema.spec import read_spec

SINGLE_RECORDS: dict[str, type[Record]] = {
    "site.yaml": Settings,
    "content/profile.yaml": Profile,
    "content/counts.yaml": CitationCounts,
}
KEYED_LISTS: dict[str, type[Record]] = {
    "content/publications.yaml": Overlay,
    "content/coauthors.yaml": Coauthor,
}

JsonValue = Any
"""None, texts, lists and dictionaries of these."""


def read_form(file: str, text: str) -> dict[str, JsonValue]:
    """
    The values of a YAML or Markdown source by field.

    Returns {"schema": name of its JSON Schema, "main": its main field, "list": whether entries can be added,
    "at": path of the list, "entries": […], "body": text below the front matter or None}. Each entry has its
    path, its fields with their lines, and the keys that only the text can change. Raises UneditableError if
    the YAML is not valid.
    """
    path = PurePosixPath(file)
    if path.suffix in (".md", ".markdown"):
        front_matter, body = split_front_matter(text)
        collection = ""
        if len(path.parts) > 2:
            collection = path.parts[1]
        name = collection if collection in COLLECTION_TYPES else "pages"
        entry = _read_entry([], *read_tree(front_matter), _find_class(name), first_line=2)
        return {"schema": name, "main": "", "list": False, "at": [], "entries": [entry], "body": body}

    tree, data = read_tree(text)
    if file in SINGLE_RECORDS:
        entry = _read_entry([], tree, data, SINGLE_RECORDS[file])
        return {"schema": path.stem, "main": "", "list": False, "at": [], "entries": [entry], "body": None}

    cls = KEYED_LISTS.get(file) or _find_class(path.stem)
    schema = "items"
    if path.stem in COLLECTION_TYPES or file in KEYED_LISTS:
        schema = path.stem
    at = []
    # {title: Talks, entries: […]}, {talks: […]}
    if isinstance(data, dict) and (len(data) == 1 or isinstance(data.get("entries"), list)):
        at = ["entries"] if "entries" in data else list(data)

    items = find_value(data, at)
    at = at if isinstance(items, list) else []
    nodes = list_children(tree, at)
    entries = [_read_entry([*at, key], node, find_value(data, [*at, key]), cls) for key, _, node in nodes]
    is_list = isinstance(items, list) or not data
    main = read_spec(cls).main
    return {"schema": schema, "main": main, "list": is_list, "at": at, "entries": entries, "body": None}


def _find_class(collection: str) -> type[Entry]:
    return COLLECTION_TYPES[collection][1] if collection in COLLECTION_TYPES else CustomEntry


def _read_entry(
    path: ValuePath, node: Any, data: JsonValue, cls: type[Record], first_line: int = 1
) -> dict[str, JsonValue]:
    """An entry with its values by field; a bare text is its main field, which has no key yet."""
    spec = read_spec(cls)
    fields: dict[str, JsonValue] = {}
    others: list[str] = []
    if isinstance(data, str):
        line = node.start_mark.line + first_line
        fields[spec.main or "text"] = {"key": None, "value": data, "line": line, "end": line}

    for key, key_node, value_node in list_children(node, []) if isinstance(data, dict) else ():
        field = spec.find_field(str(key))
        if field and field not in fields:
            lines = {
                "line": key_node.start_mark.line + first_line,
                "end": value_node.end_mark.line + first_line,
            }
            fields[field] = {"key": key, "value": data[key], **lines}
        else:
            others.append(str(key))

    return {"path": list(path), "main": spec.main, "fields": fields, "others": others}
