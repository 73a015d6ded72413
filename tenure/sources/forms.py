"""
The values of a source for a form: which field each key is, and what the form cannot change.

The fields with their labels, helps and controls are those of the JSON Schema (`json_schema.py`); a form shows them beside
these values, and writes with `value_edits.py`. {"path": ["entries", 0], "fields": {"institution": {"key": "school", "value": "ETH"}}}.
"""

from pathlib import PurePosixPath
from typing import Any

from tenure.model.entries import CustomEntry, Entry, Profile
from tenure.model.overlays import CitationCounts, Coauthor, Overlay
from tenure.model.site import Settings
from tenure.record import Record
from tenure.sources.load import COLLECTION_TYPES
from tenure.sources.schema.spec import read_spec
from tenure.sources.value_edits import read_data, split_front_matter

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

    Returns {"schema": name of its JSON Schema, "list": whether entries can be added, "at": path of the list, "entries": […],
    "body": text below the front matter or None}. Each entry has its path, its name, its fields, and the keys that only the text can
    change. Raises UneditableError if the YAML is not valid.
    """
    path = PurePosixPath(file)
    collection = path.parts[1] if len(path.parts) > 2 else path.stem
    if path.suffix in (".md", ".markdown"):
        front_matter, body = split_front_matter(text)
        name = collection if collection in COLLECTION_TYPES and len(path.parts) > 2 else "pages"
        entry = _read_entry([], read_data(front_matter) or {}, _find_class(name))
        return {"schema": name, "list": False, "at": [], "entries": [entry], "body": body}
    data = read_data(text)
    if file in SINGLE_RECORDS:
        entry = _read_entry([], data or {}, SINGLE_RECORDS[file])
        return {"schema": path.stem, "list": False, "at": [], "entries": [entry], "body": None}
    cls = KEYED_LISTS.get(file) or _find_class(path.stem)
    schema = path.stem if path.stem in COLLECTION_TYPES or file in KEYED_LISTS else "items"
    at, items = _find_items(data)
    pairs = enumerate(items) if isinstance(items, list) else items.items()
    entries = [_read_entry([*at, key], item, cls) for key, item in pairs]
    return {
        "schema": schema,
        "list": isinstance(items, list),
        "at": at,
        "entries": entries,
        "body": None,
    }


def _find_class(collection: str) -> type[Entry]:
    return COLLECTION_TYPES[collection][1] if collection in COLLECTION_TYPES else CustomEntry


def _find_items(data: JsonValue) -> tuple[list[str], JsonValue]:
    """The path of the list of a file, and the list; a mapping from names to entries is one, too."""
    if isinstance(data, dict) and isinstance(data.get("entries"), list):
        return ["entries"], data["entries"]
    if isinstance(data, dict) and len(data) == 1 and isinstance(next(iter(data.values())), list):
        return [next(iter(data))], next(iter(data.values()))
    return [], data if isinstance(data, (list, dict)) else []


def _read_entry(path: list[str | int], data: JsonValue, cls: type[Record]) -> dict[str, JsonValue]:
    """An entry with its values by field; a bare text is its main field, which has no key yet."""
    spec = read_spec(cls)
    if isinstance(data, str):
        fields = {spec.main: {"key": None, "value": data}} if spec.main else {}
        return {"path": path, "main": spec.main, "fields": fields, "others": [] if fields else [data]}
    fields, others = {}, []
    for key, value in (data if isinstance(data, dict) else {}).items():
        field = spec.find_field(key)
        if field and field not in fields:
            fields[field] = {"key": key, "value": value}
        else:
            others.append(key)
    return {"path": path, "main": spec.main, "fields": fields, "others": others}
