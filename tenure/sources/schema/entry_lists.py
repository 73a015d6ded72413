"""Extract the entries of a list file: from a list, a list below a key, groups, named entries, or a single entry."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tenure.model.dates import parse_period
from tenure.model.entries import CustomEntry, Education, Entry, Person, Service
from tenure.model.site import ListHeader
from tenure.problems import Problems, find_similar_word
from tenure.record import replace
from tenure.sources.latex_text import convert_latex
from tenure.sources.node import Node
from tenure.sources.schema.aliases import canonical_key, key_names
from tenure.sources.schema.field_rules import read_field_rules
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
    empty_node = Node({}, node.place)
    if isinstance(node.value, tuple):
        return empty_node, node
    list_keys = [key for key, child in node.mapping.items() if isinstance(child.value, tuple)]
    other_nodes = {key: child for key, child in node.mapping.items() if key not in list_keys}
    header_node = Node(other_nodes, node.place, node.keys)
    has_header = "entries" in list_keys or all(canonical_key(key, ListHeader) for key in other_nodes)
    if len(list_keys) == 1 and has_header and _is_collection_key(list_keys[0], name):
        if list_keys[0] != "entries":
            _report_alias(
                problems,
                node,
                list_keys[0],
                "it is read as the list of entries",
                'write "entries", or only the list',
            )
        return header_node, node.mapping[list_keys[0]]
    if list_keys and has_header:
        return header_node, Node(tuple(_flatten_grouped_lists(node, list_keys, cls, problems)), node.place)
    if node.mapping and all(isinstance(child.value, Mapping) for child in node.mapping.values()):
        return empty_node, Node(tuple(_convert_named_entries(node, cls, problems)), node.place)
    if node.mapping and find_date_field(cls) and all(map(parse_period, node.mapping)):
        return empty_node, Node(tuple(_convert_dated_texts(node, cls, problems)), node.place)
    if any(canonical_key(key, cls) for key in node.mapping):
        message = f"{node.place.file} is one entry, and is read as a list of one"
        problems.report("alias", node.place, message, "begin the entry with a hyphen")
        return empty_node, Node((node,), node.place)
    is_open_list = issubclass(cls, CustomEntry | Service)
    if is_open_list and node.mapping and all(_is_text_node(child) for child in node.mapping.values()):
        return empty_node, Node(tuple(_convert_text_pairs(node, cls, problems)), node.place)
    return empty_node, None


def split_lines(node: Node, text: str, problems: Problems) -> Node:
    """
    Return the lines of a file without hyphens as a list of texts; the same node if it is not certain that each line is an entry.

    It is not certain if a line is indented or begins with a small letter, because it may continue the line above.
    """
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    lines = [(number, line) for number, line in lines if not line.startswith(("#", "---"))]
    if not isinstance(node.value, str) or any(line[0].isspace() or line[0].islower() for _, line in lines):
        return node
    items = [
        Node(
            convert_latex(entry),
            replace(node.place, line=number, column=len(line) - len(entry) + 1, length=len(entry)),
        )
        for number, line in ((number, line.rstrip()) for number, line in lines)
        for entry in [_BULLET.sub("", line, count=1)]
    ]
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
    main_field = next((rule.field for rule in read_field_rules(cls) if rule.is_main), "")
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
    return tuple(_add_date(text, main_field, date_field, Node(date, place), cls) for text in texts)


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
    main_field = next((rule.field for rule in read_field_rules(cls) if rule.is_main), "")
    fields = _fields_of(node, cls)
    other_keys = [name for name in node.mapping if name != key]
    if main_field in fields or not _is_name(key, cls, is_alone=not other_keys):
        return node
    if not all(canonical_key(name, cls) for name in other_keys):
        return node
    place = node.key_place(key)
    values, places = {main_field: Node(key, place)}, {main_field: place}
    if child.mapping and not other_keys:
        if any(canonical_key(name, cls) == main_field for name in child.mapping):
            return node
        values |= child.mapping
        places |= child.keys
    elif child.text and issubclass(cls, CustomEntry | Service) and not re.search(r"[,;(]", key):
        field = "text" if issubclass(cls, CustomEntry) else "organization"
        if field in fields:  # both are texts of the entry
            return node
        values[field], places[field] = child, child.place
    elif child.text:
        values[main_field] = Node(f"{key}: {child.text.strip()}", place)
    elif child.items and "details" not in fields:
        values["details"], places["details"] = child, child.place
    else:
        return node
    problems.report(
        "alias", place, f'"{key}" is read as "{main_field}" of {subject}', f"write {main_field}: …"
    )
    remaining = {name: node.mapping[name] for name in other_keys}
    return Node(
        {**values, **remaining}, node.place, {**places, **{name: node.key_place(name) for name in other_keys}}
    )


_DEGREE_KEY = re.compile(
    r"(?:Ph\.?\s?D|D\.?\s?Phil|M\.?\s?Phil|[BM]\.?\s?(?:Sc|A|S|Eng|Ed|Tech)|MBA|Bachelor|Master|Doctor|Diplom|Magister|Licen|Habilitation|Postdoc|Promotion)",
)


def _read_degree_key(node: Node, key: str, problems: Problems, subject: str) -> Node:
    """Return an entry of education that is written under its degree: "PhD: University of X"."""
    place = node.key_place(key)
    problems.report("alias", place, f'"{key}" is read as "degree" of {subject}', f"write degree: {key}")
    child, degree = node.mapping[key], Node(key, place)
    others = {name: value for name, value in node.mapping.items() if name != key}
    if child.mapping:
        return Node(
            {"degree": degree, **child.mapping, **others},
            node.place,
            {"degree": place, **child.keys, **node.keys},
        )
    values = {"degree": degree, "institution": child, **others}
    return Node(values, node.place, {**node.keys, "degree": place, "institution": child.place})


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
    return (
        folded_key in (stem, "entrie")
        or fold_key(key) in GENERIC_LIST_KEYS
        or (len(stem) > 3 and stem in folded_key)
    )


def _flatten_grouped_lists(
    node: Node, list_keys: Iterable[str], cls: Any, problems: Problems
) -> Iterator[Node]:
    """Yield the entries of several lists. Each entry gets the key of its list as a tag, or as its date if it is one."""
    main_field = next(rule.field for rule in read_field_rules(cls) if rule.is_main)
    for key in list_keys:
        place, child = node.key_place(key), node.mapping[key]
        date_field = find_date_field(cls) if parse_period(key) else ""
        if date_field:
            _report_alias(
                problems,
                node,
                key,
                "it is read as the date of its entries",
                f"write {date_field}: {key} in each",
            )
            yield from (
                _add_date(item, main_field, date_field, Node(key, place), cls) for item in child.items
            )
            continue
        if cls is Person:
            _report_alias(
                problems, node, key, "it is read as the role of its people", f"write role: {key} in each"
            )
            yield from (_add_role(item, Node(key, place)) for item in child.items)
            continue
        text_items = [item for item in child.items if isinstance(item.value, str)]
        if text_items and (cls is Service or (cls is CustomEntry and len(text_items) == len(child.items))):
            text_field = "details" if cls is Service else "text"
            _report_alias(
                problems,
                node,
                key,
                f"it is read as the {main_field} of an entry",
                f"write - {main_field}: {key}",
            )
            joined_text = Node(", ".join(item.text for item in text_items), child.place)
            value = Node(tuple(text_items), child.place) if cls is Service else joined_text
            yield Node(
                {main_field: Node(capitalize_key(key), place), text_field: value},
                place,
                {main_field: place, text_field: place},
            )
        else:
            text_items = []
            _report_alias(
                problems, node, key, "it is read as a tag of its entries", f"write tags: {key} in each entry"
            )
        yield from (
            _add_tag(item, main_field, Node(key, place), cls)
            for item in child.items
            if item.mapping or (isinstance(item.value, str) and not text_items)
        )


def _add_tag(item: Node, main_field: str, tag: Node, cls: Any) -> Node:
    """Return an entry with a tag. A text becomes an entry, with the date at its beginning."""
    if not item.mapping:
        date, text = split_dated_text(item)
        values = {main_field: text, "tags": tag}
        if date and key_names(cls).period_field:
            values[key_names(cls).period_field] = Node(date, item.place)
        return Node(values, item.place, {name: child.place for name, child in values.items()})
    tags = next((name for name in item.mapping if canonical_key(name, cls) == "tags"), "tags")
    existing_tags = item.mapping[tags].items if tags in item.mapping else ()
    if tags in item.mapping and item.mapping[tags].text:
        existing_tags = tuple(Node(text.strip(), tag.place) for text in item.mapping[tags].text.split(","))
    value = Node((*existing_tags, tag), tag.place)
    return Node({**item.mapping, tags: value}, item.place, {**item.keys, tags: item.key_place(tags)})


def _add_role(item: Node, role: Node) -> Node:
    """Return a person with a role; one that has a role of its own is returned unchanged."""
    if not item.mapping:
        return Node({"title": item, "role": role}, item.place, {"title": item.place, "role": role.place})
    if "role" in _fields_of(item, Person):
        return item
    return Node({**item.mapping, "role": role}, item.place, {**item.keys, "role": role.place})


def find_date_field(cls: Any) -> str:
    """Return the field of an entry for its date: a period or the terms of a course; "" without one."""
    has_terms = any(rule.field == "term" for rule in read_field_rules(cls))
    return key_names(cls).period_field or ("term" if has_terms else "")


def _add_date(item: Node, main_field: str, date_field: str, date: Node, cls: Any) -> Node:
    """Return an entry with a date; one that has a date of its own is returned unchanged."""
    if not item.mapping:
        places = {main_field: item.place, date_field: date.place}
        return Node({main_field: item, date_field: date}, item.place, places)
    if any(canonical_key(key, cls) in (date_field, "start", "end") for key in item.mapping):
        return item
    return Node({**item.mapping, date_field: date}, item.place, {**item.keys, date_field: date.place})


def _convert_dated_texts(node: Node, cls: Any, problems: Problems) -> Iterator[Node]:
    """Yield pairs of a date and a text as entries."""
    main_field = next(rule.field for rule in read_field_rules(cls) if rule.is_main)
    for key, child in node.mapping.items():
        place, date_field = node.key_place(key), find_date_field(cls)
        _report_alias(
            problems, node, key, "it is read as the date of an entry", f"write - {date_field}: {key}"
        )
        yield _add_date(child, main_field, date_field, Node(key, place), cls)


def _convert_named_entries(node: Node, cls: Any, problems: Problems) -> Iterator[Node]:
    """Yield the entries of a mapping from names to entries. The name is the main field, or the id if that is set."""
    main_field = next(rule.field for rule in read_field_rules(cls) if rule.is_main)
    for key, child in node.mapping.items():
        has_main = any(canonical_key(name, cls) == main_field for name in child.mapping)
        field = "id" if has_main else main_field
        place = node.key_place(key)
        if any(canonical_key(name, cls) == field for name in child.mapping):
            yield Node(child.value, place, child.keys)
            continue
        _report_alias(problems, node, key, f'it is read as "{field}" of the entry', f"write - {field}: {key}")
        name_node = Node(fold_key(key) if field == "id" else key, place)
        yield Node({field: name_node, **child.mapping}, place, {field: place, **child.keys})


def _convert_text_pairs(node: Node, cls: Any, problems: Problems) -> Iterator[Node]:
    """Yield pairs of a name and a text as entries with a title and a text, or with a role and an organization."""
    main_field, text_field = ("role", "organization") if cls is Service else ("title", "text")
    for key, child in node.mapping.items():
        place, field = node.key_place(key), "details" if cls is Service and child.items else text_field
        _report_alias(
            problems, node, key, f"it is read as the {main_field} of an entry", f"write - {main_field}: {key}"
        )
        name = Node(capitalize_key(key), place)
        yield Node({main_field: name, field: child}, place, {main_field: place, field: place})


def _is_text_node(node: Node) -> bool:
    return isinstance(node.value, str) or (
        bool(node.items) and all(isinstance(item.value, str) for item in node.items)
    )


def _report_alias(problems: Problems, node: Node, key: str, message: str, hint: str) -> None:
    problems.report("alias", node.key_place(key), f'"{key}" in {node.place.file}: {message}', hint)
