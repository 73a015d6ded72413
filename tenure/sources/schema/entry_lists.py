"""Extract the entries of a list file: from a list, a list below a key, groups, named entries, or a single entry."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tenure.model.dates import parse_period
from tenure.model.entries import CustomEntry, Education, Entry, Person, Service
from tenure.model.site import ListHeader
from tenure.problems import Place, Problems, find_similar_word
from tenure.sources.latex_text import convert_latex
from tenure.sources.node import Node
from tenure.sources.schema.aliases import canonical_key, key_names
from tenure.sources.schema.field_rules import main_field_name, read_field_rules
from tenure.sources.schema.key_tables import (
    FOLDED_IGNORED_KEYS,
    FOLDED_LINK_KEYS,
    NOTE_FACT_KEYS,
    WRAPPER_KEYS,
    fold_key,
)
from tenure.sources.schema.links import capitalize_key, find_service

GENERIC_LIST_KEYS = frozenset(
    ["items", "list", "data", "all", "courses", "lectures", "jobs", "positions", "work", "employment", "degrees", "presentations", "lines"]
)  # fmt: skip
"""Folded keys around a whole list that do not describe its entries."""


def extract_entries(node: Node, name: str, cls: Any, problems: Problems) -> tuple[Node, Node | None]:
    """
    Return the header of a list (a mapping with the keys of ListHeader) and the list, or None instead of the list.

    `name` is the name of the collection. Each conversion is reported at level info.
    """
    if isinstance(node.value, tuple):
        return Node({}, node.place), node
    header, entries = _ListConverter(node, cls, problems).convert_mapping(name)
    return header, None if entries is None else Node(tuple(entries), node.place)


class _ListConverter:
    """Converts a mapping with entries to a list of them."""

    def __init__(self, node: Node, cls: Any, problems: Problems) -> None:
        self._node = node
        self._cls = cls
        self._problems = problems
        self._main_field = main_field_name(cls) or "title"

    def convert_mapping(self, name: str) -> tuple[Node, Iterable[Node] | None]:
        """Return the header, and the entries in any form; None if the mapping has none."""
        node, cls, empty_node = self._node, self._cls, Node({}, self._node.place)
        children = node.mapping.values()
        list_keys = [key for key, child in node.mapping.items() if isinstance(child.value, tuple)]
        header = node.without_keys(list_keys)
        has_header = "entries" in list_keys or all(canonical_key(key, ListHeader) for key in header.mapping)
        if len(list_keys) == 1 and has_header and _is_collection_key(list_keys[0], name):
            if list_keys[0] != "entries":
                hint = 'write "entries", or only the list'
                self._report_alias(list_keys[0], "it is read as the list of entries", hint)
            return header, node.mapping[list_keys[0]].items
        if list_keys and has_header:
            return header, self._flatten_lists(list_keys)
        if children and all(isinstance(child.value, Mapping) for child in children):
            return empty_node, self._convert_named_entries()
        if children and find_date_field(cls) and all(map(parse_period, node.mapping)):
            return empty_node, self._convert_dated_texts()
        if any(canonical_key(key, cls) for key in node.mapping):
            message = f"{node.place.file} is one entry, and is read as a list of one"
            self._problems.report("alias", node.place, message, "begin the entry with a hyphen")
            return empty_node, (node,)
        if issubclass(cls, CustomEntry | Service) and children and all(map(_is_text_node, children)):
            return empty_node, self._convert_text_pairs()
        return empty_node, None

    def _flatten_lists(self, list_keys: Iterable[str]) -> Iterator[Node]:
        """Yield the entries of several lists. Each entry gets the key of its list as a tag, or as its date if it is one."""
        for key in list_keys:
            name, items = Node(key, self._node.key_place(key)), self._node.mapping[key].items
            date_field = find_date_field(self._cls) if parse_period(key) else ""
            if date_field:
                hint = f"write {date_field}: {key} in each"
                self._report_alias(key, "it is read as the date of its entries", hint)
                yield from (self._add_date(item, date_field, name) for item in items)
            elif self._cls is Person:
                self._report_alias(key, "it is read as the role of its people", f"write role: {key} in each")
                yield from (_add_value(item, "title", "role", name, Person) for item in items)
            else:
                yield from self._flatten_group(key, name, items)

    def _flatten_group(self, key: str, name: Node, items: Sequence[Node]) -> Iterator[Node]:
        """Yield the entries of a list under a name, with the name as their tag; texts may be one entry together."""
        main_field = self._main_field
        texts = [item for item in items if isinstance(item.value, str)]
        if texts and (self._cls is Service or (self._cls is CustomEntry and len(texts) == len(items))):
            message = f"it is read as the {main_field} of an entry"
            self._report_alias(key, message, f"write - {main_field}: {key}")
            place = self._node.mapping[key].place
            if self._cls is Service:
                field, value = "details", Node(tuple(texts), place)
            else:
                field, value = "text", Node(", ".join(item.text for item in texts), place)
            title = Node(capitalize_key(key), name.place)
            yield Node(
                {main_field: title, field: value}, name.place, dict.fromkeys((main_field, field), name.place)
            )
            items = [item for item in items if item.mapping]
        else:
            self._report_alias(key, "it is read as a tag of its entries", f"write tags: {key} in each entry")
        yield from (
            self._add_tag(item, name) for item in items if item.mapping or isinstance(item.value, str)
        )

    def _add_tag(self, item: Node, tag: Node) -> Node:
        """Return an entry with a tag. A text becomes an entry, with the date at its beginning."""
        if not item.mapping:
            date, text = split_dated_text(item)
            values = {self._main_field: text, "tags": tag}
            if date and key_names(self._cls).period_field:
                values[key_names(self._cls).period_field] = Node(date, item.place)
            return Node.from_children(values, item.place)
        key = next((key for key in item.mapping if canonical_key(key, self._cls) == "tags"), "tags")
        written = item.child(key)
        tags = written.items
        if written.text:
            tags = tuple(Node(text.strip(), tag.place) for text in written.text.split(","))
        value = Node((*tags, tag), tag.place)
        return Node({**item.mapping, key: value}, item.place, {**item.keys, key: item.key_place(key)})

    def _add_date(self, item: Node, date_field: str, date: Node) -> Node:
        return _add_value(item, self._main_field, date_field, date, self._cls)

    def _convert_dated_texts(self) -> Iterator[Node]:
        """Yield pairs of a date and a text as entries."""
        date_field = find_date_field(self._cls)
        for key, child in self._node.mapping.items():
            self._report_alias(key, "it is read as the date of an entry", f"write - {date_field}: {key}")
            yield self._add_date(child, date_field, Node(key, self._node.key_place(key)))

    def _convert_named_entries(self) -> Iterator[Node]:
        """Yield the entries of a mapping from names to entries. The name is the main field, or the id if that is set."""
        for key, child in self._node.mapping.items():
            fields, place = _fields_of(child, self._cls), self._node.key_place(key)
            field = "id" if self._main_field in fields else self._main_field
            if field in fields:
                yield Node(child.value, place, child.keys)
                continue
            self._report_alias(key, f'it is read as "{field}" of the entry', f"write - {field}: {key}")
            name = Node(fold_key(key) if field == "id" else key, place)
            yield Node.from_children({field: name}, place).with_keys_of(child)

    def _convert_text_pairs(self) -> Iterator[Node]:
        """Yield pairs of a name and a text as entries with a title and a text, or with a role and an organization."""
        main_field, text_field = ("role", "organization") if self._cls is Service else ("title", "text")
        for key, child in self._node.mapping.items():
            place, field = self._node.key_place(key), text_field
            if self._cls is Service and child.items:
                field = "details"
            message = f"it is read as the {main_field} of an entry"
            self._report_alias(key, message, f"write - {main_field}: {key}")
            name = Node(capitalize_key(key), place)
            yield Node({main_field: name, field: child}, place, {main_field: place, field: place})

    def _report_alias(self, key: str, message: str, hint: str) -> None:
        place, file = self._node.key_place(key), self._node.place.file
        self._problems.report("alias", place, f'"{key}" in {file}: {message}', hint)


def split_lines(node: Node, text: str, problems: Problems) -> Node:
    """
    Return the lines of a file without hyphens as a list of texts; the same node if it is not certain that each line is an entry.

    It is not certain if a line is indented or begins with a small letter, because it may continue the line above.
    """
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    lines = [(number, line) for number, line in lines if not line.startswith(("#", "---"))]
    if not isinstance(node.value, str) or any(line[0].isspace() or line[0].islower() for _, line in lines):
        return node
    items: list[Node] = []
    for number, line in ((number, line.rstrip()) for number, line in lines):
        entry = _BULLET.sub("", line, count=1)
        place = Place(node.place.file, number, len(line) - len(entry) + 1, len(entry))
        items.append(Node(convert_latex(entry), place))
    message = f"{node.place.file} has no hyphens: each line is read as an entry"
    problems.report("alias", node.place, message, "begin each line with a hyphen and a space")
    return Node(tuple(items), node.place)


_BULLET = re.compile(r"^[•·▪‣–*]\s*")


def split_dated_entries(item: Node, cls: Any, problems: Problems, subject: str) -> tuple[Node, ...]:
    """
    Return the entries of a list item that begins with its date: "[May 2024] A paper", or "2010: [A prize, Another prize]".

    A text in which a date is only a word, and an entry with other keys, are returned unchanged.
    """
    date_field = find_date_field(cls)
    main_field = main_field_name(cls)
    key, child = next(iter(item.mapping.items())) if len(item.mapping) == 1 else ("", item)
    if not date_field or not main_field:
        return (item,)
    if key and parse_period(key) and (child.text or child.items):
        date, texts = key, child.items or (child,)
    else:
        date, text = split_dated_text(item)
        texts = (text,)
    if not date:
        return (item,)
    place = item.key_place(key) if key else item.place
    message = f'"{date}" is read as the date of {subject}'
    problems.report("alias", place, message, f"write {date_field}: {date} and {main_field}: …")
    return tuple(_add_value(text, main_field, date_field, Node(date, place), cls) for text in texts)


def split_dated_text(node: Node) -> tuple[str, Node]:
    """Return the date at the beginning of a text and the text after it; "" and the same node if there is none."""
    text = node.value.strip() if isinstance(node.value, str) else ""
    match = next(filter(None, (form.fullmatch(text) for form in _DATED_TEXTS)), None)
    date = match["date"].strip() if match else ""
    return (date, Node(match["text"], node.place)) if match and parse_period(date) else ("", node)


_DATED_TEXTS = (
    re.compile(r"[\[(【（](?P<date>[^\[\]()]{4,30})[\])】）]\s*[:：,–—-]?\s*(?P<text>\S.*)", re.DOTALL),
    re.compile(r"\*\*(?P<date>[^*]{4,30}?):?\*\*\s*[:：,–—-]?\s*(?P<text>\S.*)", re.DOTALL),
    re.compile(r"(?P<date>[^\[\]()*]{4,30}?)(?:\s*[:：|&]|\s+[–—-]|,)\s+(?P<text>\S.*)", re.DOTALL),
    re.compile(r"(?P<date>[12]\d{3}[./-]\d{1,2}(?:[./-]\d{1,2})?)\s+(?P<text>\S.*)", re.DOTALL),
)
"""Texts that begin with a date: in brackets, in bold, before a colon or a dash, or in figures."""


def read_named_entry(node: Node, cls: Any, problems: Problems, subject: str) -> Node:
    """
    Return an entry without its main field that begins with another key; the key is a part of its text or its name.

    "Math 505: Algebra" is a text with a colon. "Gels: {people: …}" is a name with the fields of the entry below it.
    """
    key, child = next(iter(node.mapping.items()), ("", node))
    if cls is Education and _DEGREE_KEY.match(key) and "degree" not in _fields_of(node, cls):
        return _read_degree_key(node, key, problems, subject)
    main_field = main_field_name(cls)
    fields = _fields_of(node, cls)
    other_keys = [name for name in node.mapping if name != key]
    if main_field in fields or not _is_name(key, cls, is_alone=not other_keys):
        return node
    if not all(canonical_key(name, cls) for name in other_keys):
        return node
    place = node.key_place(key)
    entry = Node.from_children({main_field: Node(key, place)}, node.place)
    if child.mapping and not other_keys:
        if main_field in _fields_of(child, cls):
            return node
        entry = entry.with_keys_of(child)
    elif child.text and issubclass(cls, CustomEntry | Service) and not re.search(r"[,;(]", key):
        field = "text" if issubclass(cls, CustomEntry) else "organization"
        if field in fields:  # both are texts of the entry
            return node
        entry = entry.with_child(field, child)
    elif child.text:
        entry = entry.with_child(main_field, Node(f"{key}: {child.text.strip()}", place))
    elif child.items and "details" not in fields:
        entry = entry.with_child("details", child)
    else:
        return node
    message = f'"{key}" is read as "{main_field}" of {subject}'
    problems.report("alias", place, message, f"write {main_field}: …")
    return entry.with_keys_of(node.without_keys([key]))


_DEGREE_KEY = re.compile(
    r"(?:Ph\.?\s?D|D\.?\s?Phil|M\.?\s?Phil|[BM]\.?\s?(?:Sc|A|S|Eng|Ed|Tech)|MBA|Bachelor|Master|Doctor|Diplom|Magister|Licen|Habilitation|Postdoc|Promotion)",
)


def _read_degree_key(node: Node, key: str, problems: Problems, subject: str) -> Node:
    """Return an entry of education that is written under its degree: "PhD: University of X"."""
    place = node.key_place(key)
    problems.report("alias", place, f'"{key}" is read as "degree" of {subject}', f"write degree: {key}")
    child = node.mapping[key]
    fields = child if child.mapping else Node.from_children({"institution": child}, place)
    entry = Node.from_children({"degree": Node(key, place)}, node.place)
    return entry.with_keys_of(fields).with_keys_of(node.without_keys([key]))


def _fields_of(node: Node, cls: Any) -> set[str]:
    """Return the fields that the keys of an entry name."""
    return {canonical_key(name, cls) for name in node.mapping}


def _is_name(key: str, cls: Any, *, is_alone: bool) -> bool:
    """Return whether an unknown key is a name and not a misspelled key: it has several words or a number, or a capital if it is alone."""
    if not key or canonical_key(key, cls) or parse_period(key) or find_service(key):
        return False
    if re.fullmatch(r"\d{4}[-./]\d{1,2}(?:[-./]\d{1,2})?", key):  # a date that does not exist
        return False
    folded_key = fold_key(key)
    if folded_key in FOLDED_IGNORED_KEYS | NOTE_FACT_KEYS | FOLDED_LINK_KEYS.keys() | WRAPPER_KEYS[Entry]:
        return False
    if find_similar_word(key, key_names(cls).accepted_keys):
        return False
    return bool(re.search(r"[\d ]", key.strip())) or (is_alone and key[:1].isupper())


def _is_collection_key(key: str, name: str) -> bool:
    """Return whether a key around a list names the whole collection."""
    folded_key, stem = fold_key(key).rstrip("s"), fold_key(name).rstrip("s")
    is_name = folded_key in (stem, "entrie") or (len(stem) > 3 and stem in folded_key)
    return is_name or fold_key(key) in GENERIC_LIST_KEYS


def find_date_field(cls: Any) -> str:
    """Return the field of an entry for its date: a period or the terms of a course; "" without one."""
    has_terms = any(rule.field == "term" for rule in read_field_rules(cls))
    return key_names(cls).period_field or ("term" if has_terms else "")


def _add_value(item: Node, main_field: str, field: str, value: Node, cls: Any) -> Node:
    """Return an entry with a date or a role; a text becomes an entry, and one that has its own is returned unchanged."""
    if not item.mapping:
        return Node.from_children({main_field: item, field: value}, item.place)
    own_fields = (field,) if field == "role" else (field, "start", "end")
    has_own = not _fields_of(item, cls).isdisjoint(own_fields)
    return item if has_own else item.with_child(field, value)


def _is_text_node(node: Node) -> bool:
    return isinstance(node.value, str) or (
        bool(node.items) and all(isinstance(item.value, str) for item in node.items)
    )
