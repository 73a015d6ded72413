"""
The entries of a list file in the forms in which people write one.

A list; a list below a header, {title: …, entries: […]}; named entries, {Gels: {people: …}}; dated texts, {2024: A prize};
named texts, {Languages: Python, R}; people by role, {Postdocs: […]}; a single entry.
"""

import re
from collections.abc import Mapping
from typing import Any

from tenure.model.dates import parse_period
from tenure.model.entries import CustomEntry, Person, Service
from tenure.model.site import ListHeader
from tenure.problems import Problems, find_similar_word
from tenure.sources.node import Node
from tenure.sources.schema.links import capitalize_key, find_service
from tenure.sources.schema.spec import CONFIG_KEYS, fold_key, read_spec

_LIST_KEYS = frozenset(
    [
        "entries",
        "items",
        "list",
        "data",
        "all",
        "courses",
        "lectures",
        "jobs",
        "positions",
        "work",
        "employment",
        "degrees",
        "presentations",
        "lines",
    ]
)
"""Folded keys around a whole list that do not describe its entries."""


def extract_entries(node: Node, name: str, cls: Any, problems: Problems) -> tuple[Node, Node | None]:
    """
    The header of a list (a mapping with the keys of ListHeader) and the list, or None instead of the list.

    `name` is the name of the collection. Each conversion is reported at level info.
    """
    header = Node({}, node.place)
    if isinstance(node.value, tuple):
        return header, node
    spec, children = read_spec(cls), node.mapping
    lists = [key for key, child in children.items() if isinstance(child.value, tuple)]
    others = node.without_keys(lists)
    has_header = "entries" in lists or all(read_spec(ListHeader).find_field(key) for key in others.mapping)
    is_list = len(lists) == 1 and (
        _is_collection_key(lists[0], name) or (others.mapping and not spec.find_field(lists[0]))
    )
    if is_list and has_header:
        if lists[0] != "entries":
            _report(
                node,
                lists[0],
                "it is read as the list of entries",
                'write "entries", or only the list',
                problems,
            )
        return others, children[lists[0]]
    entries: list[Node] = []
    if children and all(isinstance(child.value, Mapping) for child in children.values()):
        entries = [_read_named_entry(node, key, cls, problems) for key in children]
    elif spec.date_field and children and all(map(parse_period, children)):
        for key, child in children.items():
            _report(
                node, key, "it is read as the date of an entry", f"write - {spec.date_field}: {key}", problems
            )
            date = Node(key, node.key_place(key))
            entries += [_add_value(item, cls, spec.date_field, date) for item in child.items or (child,)]
    elif cls is Person and lists and has_header:
        for key in lists:
            _report(node, key, "it is read as the role of its people", f"write role: {key} in each", problems)
            role = Node(key, node.key_place(key))
            entries += [_add_value(item, cls, "role", role) for item in children[key].items]
        return others, Node(tuple(entries), node.place)
    elif (
        issubclass(cls, CustomEntry | Service)
        and len(lists) == len(children)
        and all(map(_is_text, children.values()))
    ):
        entries = [_read_named_text(node, key, cls, problems) for key in children]
    elif any(spec.find_field(key) for key in children):
        message = f"{node.place.file} is one entry, and is read as a list of one"
        problems.report("alias", node.place, message, "begin the entry with a hyphen")
        entries = [node]
    elif issubclass(cls, CustomEntry | Service) and children and all(map(_is_text, children.values())):
        entries = [_read_named_text(node, key, cls, problems) for key in children]
    return header, Node(tuple(entries), node.place) if entries else None


def _is_collection_key(key: str, name: str) -> bool:
    """Whether a key around a list names the whole collection."""
    folded, stem = fold_key(key).rstrip("s"), fold_key(name).rstrip("s")
    return folded == stem or (len(stem) > 3 and stem in folded) or fold_key(key) in _LIST_KEYS


def _is_text(node: Node) -> bool:
    return bool(node.text) or (bool(node.items) and all(item.text for item in node.items))


def _read_named_entry(node: Node, key: str, cls: Any, problems: Problems) -> Node:
    """An entry under its name, which is its main field, or its id if that is set."""
    spec, child, place = read_spec(cls), node.mapping[key], node.key_place(key)
    fields = {spec.find_field(inner) for inner in child.mapping}
    main = spec.main or "title"
    field = "id" if main in fields else main
    if field in fields:
        return Node(child.value, place, child.keys)
    _report(node, key, f'it is read as "{field}" of the entry', f"write - {field}: {key}", problems)
    name = Node(fold_key(key) if field == "id" else key, place)
    return Node.from_children({field: name}, place).with_keys_of(child)


def _read_named_text(node: Node, key: str, cls: Any, problems: Problems) -> Node:
    """An entry from a name and a text: a title with its text, or a role with its organization or its items."""
    child, place = node.mapping[key], node.key_place(key)
    main, field = ("role", "organization") if cls is Service else ("title", "text")
    if cls is Service and child.items:
        field = "details"
    elif child.items:
        child = Node(", ".join(item.text for item in child.items), child.place)
    _report(node, key, f"it is read as the {main} of an entry", f"write - {main}: {key}", problems)
    return Node({main: Node(capitalize_key(key), place), field: child}, place, {main: place, field: place})


def split_dated_entries(item: Node, cls: Any, problems: Problems, subject: str) -> tuple[Node, ...]:
    """
    The entries of a list item that begins with its date: "[May 2024] A paper", or "2010: [A prize, Another prize]".

    A text in which a date is only a word, and an entry with other keys, are returned unchanged.
    """
    spec = read_spec(cls)
    key, child = next(iter(item.mapping.items())) if len(item.mapping) == 1 else ("", item)
    if not spec.date_field or not spec.main:
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
    problems.report("alias", place, message, f"write {spec.date_field}: {date} and {spec.main}: …")
    return tuple(_add_value(text, cls, spec.date_field, Node(date, place)) for text in texts)


def split_dated_text(node: Node) -> tuple[str, Node]:
    """The date at the beginning of a text and the text after it; "" and the same node if there is none."""
    text = node.value.strip() if isinstance(node.value, str) else ""
    match = next(filter(None, (form.fullmatch(text) for form in _DATED_TEXTS)), None)
    date = match["date"].strip() if match else ""
    return (date, Node(match["text"], node.place)) if match and parse_period(date) else ("", node)


_DATED_TEXTS = (
    # [May 2024] A paper
    re.compile(r"[\[(【（](?P<date>[^\[\]()]{4,30})[\])】）]\s*[:：,–—-]?\s*(?P<text>\S.*)", re.DOTALL),
    # **May 2024:** A paper
    re.compile(r"\*\*(?P<date>[^*]{4,30}?):?\*\*\s*[:：,–—-]?\s*(?P<text>\S.*)", re.DOTALL),
    # May 2024: A paper
    re.compile(r"(?P<date>[^\[\]()*]{4,30}?)(?:\s*[:：|&]|\s+[–—-]|,)\s+(?P<text>\S.*)", re.DOTALL),
    # 2024-05-01 A paper
    re.compile(r"(?P<date>[12]\d{3}[./-]\d{1,2}(?:[./-]\d{1,2})?)\s+(?P<text>\S.*)", re.DOTALL),
)


def read_named_item(node: Node, cls: Any, problems: Problems, subject: str) -> Node:
    """
    An entry of a list without its main field that begins with another key, which is a part of its text or its name.

    "Math 505: Algebra" is a text with a colon. "Gels: {people: …}" is a name with the fields of the entry below it.
    """
    spec = read_spec(cls)
    key, child = next(iter(node.mapping.items()), ("", node))
    fields = {spec.find_field(name) for name in node.mapping}
    others = [name for name in node.mapping if name != key]
    if (
        spec.main in fields
        or not _is_name(key, cls, is_alone=not others)
        or not all(map(spec.find_field, others))
    ):
        return node
    place = node.key_place(key)
    entry = Node.from_children({spec.main: Node(key, place)}, node.place)
    text_field = {CustomEntry: "text", Service: "organization"}.get(cls, "")
    if child.mapping and not others:
        if spec.main in {spec.find_field(name) for name in child.mapping}:
            return node
        entry = entry.with_keys_of(child)
    elif child.text and text_field and not re.search(r"[,;(]", key):
        if text_field in fields:  # both are texts of the entry
            return node
        entry = entry.with_child(text_field, child)
    elif child.text:
        entry = entry.with_child(spec.main, Node(f"{key}: {child.text.strip()}", place))
    elif child.items and "details" not in fields:
        entry = entry.with_child("details", child)
    else:
        return node
    problems.report("alias", place, f'"{key}" is read as "{spec.main}" of {subject}', f"write {spec.main}: …")
    return entry.with_keys_of(node.without_keys([key]))


def _is_name(key: str, cls: Any, *, is_alone: bool) -> bool:
    """Whether an unknown key is a name and not a misspelled key: it has several words or a number, or a capital if it is alone."""
    spec, folded = read_spec(cls), fold_key(key)
    if not key or spec.find_field(key) or spec.find_fallbacks(key) or parse_period(key) or find_service(key):
        return False
    if re.fullmatch(r"\d{4}[-./]\d{1,2}(?:[-./]\d{1,2})?", key):  # a date that does not exist
        return False
    if folded in CONFIG_KEYS or find_similar_word(key, spec.taught):
        return False
    return bool(re.search(r"[\d ]", key.strip())) or (is_alone and key[:1].isupper())


def _add_value(item: Node, cls: Any, field: str, value: Node) -> Node:
    """An entry with a date or a role; a text becomes an entry, and one that has its own is returned unchanged."""
    spec = read_spec(cls)
    if not item.mapping:
        return Node.from_children({spec.main or "title": item, field: value}, item.place)
    own_fields = (field,) if field == "role" else (field, "start", "end")
    has_own = not {spec.find_field(key) for key in item.mapping}.isdisjoint(own_fields)
    return item if has_own else item.with_child(field, value)


def _report(node: Node, key: str, message: str, hint: str, problems: Problems) -> None:
    place, file = node.key_place(key), node.place.file
    problems.report("alias", place, f'"{key}" in {file}: {message}', hint)
