"""
The values of a source for a form: which field each key is, and what the form cannot change.

The fields with their labels, helps and controls are those of the JSON Schema (`json_schema.py`); a form shows
them beside these values, and writes with `form_calls.py`. What a form cannot show
as fields has its `text`, and an entry without fields the `reason`.
[{school: ETH}] -> {"path": [0], "fields": {"institution": {"key": "school", "value": "ETH"}}}
"""

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from tenure.model.entries import CustomEntry, Entry, Point, Profile, ServiceGroup
from tenure.model.overlays import CitationCounts, Coauthor, Overlay
from tenure.model.site import Settings
from tenure.problems import Place, Problems
from tenure.record import Record
from tenure.sources.editing.edits import UneditableError
from tenure.sources.editing.form_words import find_words
from tenure.sources.editing.value_edits import (
    SourceParts,
    ValuePath,
    find_value,
    list_children,
    split_front_matter,
)
from tenure.sources.load import COLLECTION_TYPES
from tenure.sources.reading.files import parse_yaml
from tenure.sources.reading.node import Node, build_node
from tenure.sources.schema.decode import is_named_by_key, is_nested_type
from tenure.sources.schema.lists import read_item
from tenure.sources.schema.spec import Field, Spec, read_spec

SINGLE_RECORDS: dict[str, type[Record]] = {
    "site.yaml": Settings,
    "content/profile.yaml": Profile,
    "content/counts.yaml": CitationCounts,
}
KEYED_LISTS: dict[str, type[Record]] = {
    "content/publications.yaml": Overlay,
    "content/coauthors.yaml": Coauthor,
}

_UNSHOWN_RECORDS = (Point, ServiceGroup)
"""The records that a form shows as lines, or as a text."""

JsonValue = Any
"""None, texts, lists and dictionaries of these."""


def read_form(file: str, text: str) -> dict[str, JsonValue]:
    """
    The values of a YAML or Markdown source by field.

    Returns {"schema": name of its JSON Schema, "main": its main field, "list": whether entries can be added,
    "at": path of the list, "entries": […], "body": text below the front matter or None}. Raises
    UneditableError, with the reason, if the file has no form.
    """
    path = PurePosixPath(file)
    if path.suffix in (".md", ".markdown"):
        front_matter, body = split_front_matter(text)
        collection = ""
        if len(path.parts) > 2:
            collection = path.parts[1]
        name = collection if collection in COLLECTION_TYPES else "pages"
        entry = _EntryReader(file, front_matter, _find_class(name), first_line=2).read_entry([])
        return {"schema": name, "main": "", "list": False, "at": [], "entries": [entry], "body": body}

    if file in SINGLE_RECORDS:
        entry = _EntryReader(file, text, SINGLE_RECORDS[file]).read_entry([])
        return {"schema": path.stem, "main": "", "list": False, "at": [], "entries": [entry], "body": None}

    cls = KEYED_LISTS.get(file) or _find_class(path.stem)
    reader = _EntryReader(file, text, cls)
    data = reader.data
    schema = "items"
    if path.stem in COLLECTION_TYPES or file in KEYED_LISTS:
        schema = path.stem
    # the entries are the data itself, or stand below a key: {title: Talks, entries: […]}, {talks: […]}
    at = []
    if isinstance(data, dict) and (len(data) == 1 or isinstance(data.get("entries"), list)):
        at = ["entries"] if "entries" in data else list(data)

    items = find_value(data, at)
    if not isinstance(items, list):
        at = []
    entries = [reader.read_entry([*at, key]) for key, _, _ in list_children(reader.tree, at)]
    is_list = isinstance(items, list) or not data
    main = read_spec(cls).main
    return {"schema": schema, "main": main, "list": is_list, "at": at, "entries": entries, "body": None}


def describe_undo(file: str, before: str, after: str) -> str:
    """
    What was brought back when a source was taken back from `before` to `after`; "" without words for it.

    [Kelp] -> [Kelp, Loom]: “Loom” is back; [Kelp, Loom] -> [Kelp]: “Loom” is not there any more
    {role: Postdoc} -> {role: PhD student}: “Role” is “PhD student” again
    """
    try:
        forms = [read_form(file, text) for text in (before, after)]
    except UneditableError:
        return ""
    old, new = ([_list_values(entry) for entry in form["entries"]] for form in forms)
    lost = [values for values in old if values not in new]
    found = [values for values in new if values not in old]
    if len(old) != len(new) and (found or lost):
        name = next((value for value in (found or lost)[0].values() if isinstance(value, str)), "")
        return f"“{name}” is back" if found else f"“{name}” is not there any more"
    if not found or not lost:
        return ""

    changed = [name for name in {**lost[0], **found[0]} if lost[0].get(name) != found[0].get(name)]
    cls = SINGLE_RECORDS.get(file) or KEYED_LISTS.get(file) or _find_class(forms[1]["schema"])
    label = find_words(cls, changed[0]).label
    value = found[0].get(changed[0])
    if value is None:
        return f"“{label}” is empty again"
    return f"“{label}” is “{value}” again" if isinstance(value, str) else f"“{label}” is as before"


def _list_values(entry: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The values of an entry by field, the main one first."""
    fields = entry["fields"]
    main = [entry["main"]] if entry["main"] in fields else []
    others = {str(other["key"]): other["value"] for other in entry["others"]}
    return {name: fields[name]["value"] for name in dict.fromkeys([*main, *fields])} | others


def expand_item(file: str, item: JsonValue, field: str, value: str | None) -> str | dict[str, str]:
    """
    The fields that the reader finds in an entry of one line, with another value of one field.

    "Bo Lee, postdoc 2020" and then: "Acme" -> {name: "Bo Lee", role: "postdoc", date: "2020", then: "Acme"}
    An entry with one field stays a text. Raises UneditableError if the reader would then find something else
    in the others.
    """
    name = PurePosixPath(file).stem
    cls = _find_class(name)
    before = _read_line(item, name, cls)
    field = next((key for key in before if read_spec(cls).find_field(key) == field), field)
    expanded = {**before, field: value or ""}
    if value and _read_line(value, name, cls) == expanded:
        return value
    # what the reader finds in the new fields, apart from the edited one
    node = build_node(expanded, Place(file))
    after = {key: child.value for key, child in _read_node(node, name, cls).mapping.items()}
    others_before = {key: text for key, text in before.items() if key != field}
    others_after = {key: text for key, text in after.items() if key != field}
    if others_after != others_before:
        raise UneditableError("this line cannot become fields without another meaning; change it in the text")
    return {key: text for key, text in expanded.items() if text}


def _read_line(text: str, name: str, cls: type[Record]) -> dict[str, str]:
    """The fields of an entry of one line; a text that the reader does not divide is its main field."""
    node = _read_node(Node(text, Place(name)), name, cls)
    fields = {key: child.text for key, child in node.mapping.items() if child.text}
    return fields or {read_spec(cls).main or "text": text}


def _read_node(node: Node, name: str, cls: type[Record]) -> Node:
    """An entry as the reader of the list finds it; as it is if the reader makes several or none of it."""
    found = read_item(node, name, cls, Problems(), "")
    return found[0] if len(found) == 1 else node


def _find_class(collection: str) -> type[Entry]:
    """The record of the entries of a list: talks -> Talk; a list of the site's own has CustomEntry."""
    return COLLECTION_TYPES[collection][1] if collection in COLLECTION_TYPES else CustomEntry


class _EntryReader:
    """Reads the entries of one YAML text as its form shows them."""

    def __init__(self, file: str, text: str, cls: type[Record], first_line: int = 1) -> None:
        _check_size(file, text)
        self._name = PurePosixPath(file).stem
        self._cls = cls
        self._first_line = first_line
        self._source = SourceParts(text)
        self.tree = self._source.root
        self.data = self._source.data

    def read_entry(self, path: ValuePath) -> dict[str, JsonValue]:
        """
        The entry at a path with its values by field; one of a single line has fields without keys.

        {name: Ada} -> fields: {name: {key: name, value: Ada, …}}
        "Ada, postdoc" -> fields: {name: {key: None, value: Ada, …}, …}
        One that the form cannot show as fields has its YAML as `text`, and the `reason`.
        """
        data = find_value(self.data, path)
        node = self._source.find_node(path) if self.data else None
        if not isinstance(data, str):
            return self._read_record(node, data, path, self._cls)
        values = _read_line(data, self._name, self._cls)
        return self._make_entry(node, path, read_spec(self._cls), values)

    def _read_record(
        self, node: Any, data: JsonValue, path: ValuePath, cls: type[Record]
    ) -> dict[str, JsonValue]:
        """
        A record with its values by field, and others: keys that no field has, or a second key of one field.

        "Princeton" -> its main field; {talks: {limit: 3}} -> the field limit of the record "talks";
        {school: ETH, shoe_size: 42} -> fields: {institution: …}, others: [{key: shoe_size, …}]
        """
        spec = read_spec(cls)
        if isinstance(data, str):
            return self._make_entry(node, path, spec, {spec.main: data} if spec.main else {})

        # a record may be written below its name, its only key, which is none of its fields
        entry = self._make_entry(node, path, spec, {})
        pairs = list_children(node, []) if isinstance(data, dict) else []
        is_named = len(pairs) == 1 and is_named_by_key(cls) and pairs[0][0] not in spec.taught
        if is_named and isinstance(data[pairs[0][0]], dict | None):
            key, _, node = pairs[0]
            entry |= {"path": [*path, key], "name": key}
            data = data[key]
            pairs = list_children(node, [])
        for key, key_node, value_node in pairs:
            lines = self._find_lines(value_node, key_node)
            found = {"key": key, "value": data[key], "text": self._source.read_part(value_node), **lines}
            field = spec.find_field(str(key))
            if field and field not in entry["fields"]:
                self._read_records(value_node, found, entry["path"], spec.fields.get(field))
                entry["fields"][field] = found
            else:
                entry["others"].append(found)

        if data and not entry["fields"]:
            entry["reason"] = f"written below “{path[-1]}”" if path else "written in a form of its own"
            entry["text"] = self._source.read_part(node)
        return entry

    def _read_records(
        self, node: Any, found: dict[str, JsonValue], path: ValuePath, field: Field | None
    ) -> None:
        """
        Add the records of a value, if the values of the field are records, and no other form of them is
        shown.

        affiliation: [Princeton, {name: MIT}] -> two records; {talks: {limit: 3}} -> one named "talks";
        {name: MIT} -> one
        """
        if field is None or not is_nested_type(field.value_type) or field.value_type in _UNSHOWN_RECORDS:
            return
        at = [*path, found["key"]]
        value = found["value"]
        is_keyed = field.key.keyed and isinstance(value, dict)
        if isinstance(value, list) or is_keyed:
            found["records"] = []
            for key, _, child in list_children(node, []):
                record = self._read_record(child, value[key], [*at, key], field.value_type)
                if is_keyed:
                    record["name"] = key
                found["records"].append(record)
        elif value:
            found["records"] = [self._read_record(node, value, at, field.value_type)]

    def _make_entry(
        self, node: Any, path: ValuePath, spec: Spec, values: Mapping[str, str]
    ) -> dict[str, JsonValue]:
        """An entry with the fields that are read from its text, which have no keys; others may be added."""
        lines = self._find_lines(node) if node else {"line": self._first_line}
        fields = {
            spec.find_field(key) or key: {"key": None, "value": text, **lines} for key, text in values.items()
        }
        return {"path": list(path), "main": spec.main, "fields": fields, "others": [], **lines}

    def _find_lines(self, node: Any, start: Any = None) -> dict[str, int]:
        """The first and the last line of a node in its file, from its key `start` if it has one."""
        mark = (start or node).start_mark
        first = mark.line + self._first_line
        return {"line": first, "column": mark.column + 1, "end": node.end_mark.line + self._first_line}


def _check_size(file: str, text: str) -> None:
    """Refuse a text whose aliases would expand without end: the reader has limits, JSON has none."""
    problems = Problems()
    if parse_yaml(text, file, problems) is None and (errors := problems.sorted_problems()):
        raise UneditableError(f"line {errors[0].place.line} is not valid YAML: {errors[0].message}")
