"""
The entries of a list file in the forms in which people write one.

A list; a list below a header, {title: …, entries: […]}, or below its title, {Fellowships and awards: […]}; a single entry;
names or dates with an entry or texts below them: {Gels: {people: …}}, {2024: A prize}, {Languages: Python, R}.
"""

import re
from collections.abc import Mapping
from typing import Any

from tenure.model.dates import parse_period
from tenure.model.entries import CustomEntry, Person, Service
from tenure.model.roles import find_rank, name_role
from tenure.model.site import ListHeader
from tenure.problems import Problems, find_similar_word
from tenure.sources.node import Node
from tenure.sources.schema.date_hints import is_wrong_date, suggest_date
from tenure.sources.schema.links import capitalize_key, find_service
from tenure.sources.schema.people import make_person
from tenure.sources.schema.spec import CONFIG_KEYS, fold_key, read_spec
from tenure.sources.schema.values import flatten

_LIST_KEYS = frozenset(
    ["entries", "items", "list", "data", "all", "courses", "lectures", "jobs", "positions", "work", "employment", "degrees", "presentations", "lines"]
)  # fmt: skip
"""Folded keys around a whole list that do not describe its entries."""

_PEOPLE_KEYS = frozenset({"members", "team"})
"""Other such keys around a list of people, where all others are roles."""

_LABEL_LISTS = frozenset({"service", "skills"})
"""Lists whose keys are labels before texts: {Languages: [Python, R]}."""


def extract_entries(node: Node, name: str, cls: Any, problems: Problems) -> tuple[Node, Node | None]:
    """
    The header of a list (a mapping with the keys of ListHeader) and the list, or None instead of the list.

    `name` is the name of the collection. Each conversion is reported at level info.
    """
    header = Node({}, node.place)
    if isinstance(node.value, tuple):
        return header, node
    spec, children, file = read_spec(cls), node.mapping, node.place.file
    lists = [key for key, child in children.items() if isinstance(child.value, tuple)]
    others = node.without_keys(lists)
    has_header = "entries" in lists or all(map(read_spec(ListHeader).find_field, others.mapping))
    if len(lists) == 1 and has_header:
        (key,) = lists
        place = node.key_place(key)
        if _is_list_key(key, name) or (others.mapping and not spec.find_field(key)):
            if key != "entries":
                message = f'"{key}" in {file}: it is read as the list of entries'
                problems.report("alias", place, message, 'write "entries", or only the list')
            return others, children[key]
        if not others.mapping and _is_title(key, name, cls):
            problems.report(
                "alias", place, f'"{key}" is read as the title of {file}', "write title: … and entries: …"
            )
            title = capitalize_key(key) if key.islower() else key
            return Node.from_children({"title": Node(title, place)}, place), children[key]
    is_text = [
        bool(child.text or (child.items and all(item.text for item in child.items)))
        for child in children.values()
    ]
    has_texts = issubclass(cls, CustomEntry | Service) and all(is_text)
    has_dates = bool(spec.date_field) and all(parse_period(key) or is_wrong_date(key) for key in children)
    has_names = has_dates or all(isinstance(child.value, Mapping) for child in children.values())
    has_names = has_names or (has_texts and len(lists) == len(children))
    if children and not has_names and any(map(spec.find_field, children)):
        message = f"{file} is one entry, and is read as a list of one"
        problems.report("alias", node.place, message, "begin the entry with a hyphen")
        return header, Node((node,), node.place)
    if not children or not (has_names or has_texts):
        return header, None
    pairs = [Node({key: child}, node.place, {key: node.key_place(key)}) for key, child in children.items()]
    if not has_dates:
        pairs = [_name_entry(pair, name, cls, problems, f"an entry in {file}") for pair in pairs]
    return header, Node(tuple(pairs), node.place)


def _is_title(key: str, name: str, cls: Any) -> bool:
    """Whether the only key above a list is its title: it is neither a label nor a field, a date, or the role of people."""
    spec = read_spec(cls)
    is_date = bool(spec.date_field) and (parse_period(key) or is_wrong_date(key))
    return name not in _LABEL_LISTS and cls is not Person and not spec.find_field(key) and not is_date


def _is_list_key(key: str, name: str) -> bool:
    """Whether a key above a list is the name of the collection, or means a list: "jobs", "entries"."""
    folded = fold_key(key)
    is_of_people = name == "people" and folded in _PEOPLE_KEYS
    return folded.rstrip("s") == fold_key(name).rstrip("s") or folded in _LIST_KEYS or is_of_people


def _list_role_groups(node: Node, name: str) -> dict[str, Node]:
    """The people below each role, {Postdocs: [Bo Lee], PI: {name: Ada}}; {} if the keys are no roles."""
    header = read_spec(ListHeader)
    groups = {key: child for key, child in node.mapping.items() if not header.find_field(key)}
    are_groups = (
        not _is_list_key(key, name)
        and (child.items or (find_rank(key) and (child.text or {"name", "title"} & child.mapping.keys())))
        for key, child in groups.items()
    )
    return groups if all(are_groups) else {}


def join_role_groups(node: Node, name: str, file: str, problems: Problems) -> tuple[Node, tuple[str, ...]]:
    """
    A list of people below their roles as one list below its header, and the roles as written.

    {Postdocs: [Bo Lee]} -> {entries: [{title: Bo Lee, role: Postdoc}]}, ("Postdocs",)
    [Bo Lee] -> [Bo Lee], ()
    """
    groups = _list_role_groups(node, name)
    people: list[Node] = []
    for key, child in groups.items():
        is_alumni = find_rank(key) == "alumni"
        field, value = ("former", "true") if is_alumni else ("role", name_role(key))
        message = f'"{key}" in {file} is read as the role of the people below it'
        problems.report("alias", node.key_place(key), message, f"write {field}: {value} in each entry")
        for item in child.items or (child,):
            for person in read_item(item, name, Person, problems, f'a person of "{key}"'):
                people.append(_add_missing(person, field, Node(value, node.key_place(key))))
    if not groups:
        return node, ()
    whole_list = node.without_keys(groups).with_child("entries", Node(tuple(people), node.place))
    return whole_list, tuple(groups)


def _add_missing(person: Node, field: str, value: Node) -> Node:
    """A person, also one of a name alone, with a field that is not written."""
    if not person.mapping:
        person = Node.from_children({"title": person}, person.place)
    is_written = field in map(read_spec(Person).find_field, person.mapping)
    return person if is_written else person.with_child(field, value)


def _name_entry(node: Node, list_name: str, cls: Any, problems: Problems, subject: str) -> Node:
    """
    An entry whose first key is its name, with its fields, its text or its items below it.

    The name is the main field, or the id if the fields have another name.
    """
    spec = read_spec(cls)
    key, child = next(iter(node.mapping.items()))
    place, fields = node.key_place(key), {*map(spec.find_field, child.mapping)}
    if cls is Person and child.text:  # Bo Lee: PhD student
        person = make_person(Node(f"{key}, {child.text}", place), problems, subject)
        if person.mapping:
            return person
    main, others = spec.main or "title", node.without_keys([key])
    text_field = {CustomEntry: "text", Service: "organization"}.get(cls, "")
    field, name = main, capitalize_key(key) if key.islower() and not child.mapping else key
    if main in fields:
        field, name = "id", fold_key(key)
    if field in fields:
        return Node(child.value, place, child.keys)
    is_title = child.text and (
        others.mapping.keys() & {text_field} or not text_field or re.search(r"[,;(]", key)
    )
    if is_title:  # Math 505: Algebra
        name = f"{key}: {child.text.strip()}"
    problems.report("alias", place, f'"{key}" is read as "{field}" of {subject}', f"write {field}: …")
    entry = Node.from_children({field: Node(name, place)}, place)
    if child.mapping:
        entry = entry.with_keys_of(child)
    elif cls is CustomEntry and child.items and (list_name in _LABEL_LISTS or not _is_list_of_entries(child)):
        entry = entry.with_child("text", Node(flatten(child), child.place))
    elif not is_title:
        entry = entry.with_child("details" if child.items else text_field, child)
    return entry.with_keys_of(others)


def _is_list_of_entries(node: Node) -> bool:
    """Whether most items of a list have a comma, so that each is an entry and not a word: [The salt road, Seuil, 432 p.]."""
    return 2 * sum("," in item.text for item in node.items) > len(node.items)


def read_item(item: Node, list_name: str, cls: Any, problems: Problems, subject: str) -> tuple[Node, ...]:
    """
    The entries of an item of a list that begins with its date, "[May 2024] A paper" or {2010: [A prize, Another]}, or with its name.

    A text in which a date is only a word, and an entry with keys of its own, are returned unchanged. What looks like a date
    and is none is reported, and stays in the text.
    """
    spec = read_spec(cls)
    if cls is Person and item.text:
        return (make_person(item, problems, subject),)
    key, child = next(iter(item.mapping.items()), ("", item))
    others = [name for name in item.mapping if name != key]
    if not spec.main or not child.value:
        return (item,)
    date, texts = (key, child.items or (child,)) if key else _split_dated_text(item)
    place = item.key_place(key) if key else item.place
    if spec.date_field and is_wrong_date(date):
        message = f"“{date}” is not a valid date, and stays in the text of {subject}"
        problems.report("unread-date", place, message, suggest_date(date))
        if key and not others and all(text.text for text in texts):
            return tuple(Node(f"{date}: {text.text}", place) for text in texts)
        return (item,)
    if spec.date_field and not others and date and parse_period(date):
        message = f'"{date}" is read as the date of {subject}'
        problems.report("alias", place, message, f"write {spec.date_field}: {date} and {spec.main}: …")
        return tuple(_add_date(text, cls, Node(date, place)) for text in texts)
    is_named = spec.main not in map(spec.find_field, item.mapping) and all(map(spec.find_field, others))
    is_named = is_named and not (child.mapping and others)
    if key and is_named and _is_name(key, cls, is_alone=not others):
        return (_name_entry(item, list_name, cls, problems, subject),)
    return (item,)


def _split_dated_text(node: Node) -> tuple[str, tuple[Node, ...]]:
    """The date at the beginning of a text and the text after it; "" and the same node if there is none."""
    match = re.fullmatch(_DATED_TEXT, node.text.strip())
    date = (
        next(filter(None, (match["bracketed"], match["bold"], match["before"], match["iso"])), "")
        if match
        else ""
    )
    return (date.strip(), (Node(match["text"], node.place),)) if match else ("", (node,))


_DATED_TEXT = r"""(?xs)
    (?: [\[(【（](?P<bracketed>[^\[\]()]{4,30})[\])】）]\s*[:：,–—-]?\s*              # [May 2024] A paper
      | \*\*(?P<bold>[^*]{4,30}?):?\*\*\s*[:：,–—-]?\s*                              # **May 2024:** A paper
      | (?P<iso>[12]\d{3}[./-]\d{1,2}(?:[./-]\d{1,2})?)\s+(?![:：|&–—-])             # 2024-05-01 A paper
      | (?P<before>[^\[\]()*]{4,30}?)(?:\s*[:：|&]|\s+[–—-]|,)\s+                    # May 2024: A paper
    ) (?P<text>\S.*)
"""


def _is_name(key: str, cls: Any, *, is_alone: bool) -> bool:
    """Whether an unknown key is a name and not a misspelled key: it has several words or a number, or a capital if it is alone."""
    spec = read_spec(cls)
    if is_alone and cls is CustomEntry and spec.find_fallbacks(key):
        return key[:1].isupper()  # - Languages: Python, R
    if spec.find_field(key) or spec.find_fallbacks(key) or parse_period(key) or find_service(key):
        return False
    if is_wrong_date(key) or fold_key(key) in CONFIG_KEYS or find_similar_word(key, spec.taught):
        return False
    return bool(re.search(r"[\d ]", key.strip())) or (is_alone and key[:1].isupper())


def _add_date(item: Node, cls: Any, date: Node) -> Node:
    """An entry with a date; a text becomes an entry, and one that has its own is returned unchanged."""
    spec = read_spec(cls)
    if not item.mapping:
        return Node.from_children({spec.main: item, spec.date_field: date}, item.place)
    has_own = {*map(spec.find_field, item.mapping)} & {spec.date_field, "start", "end"}
    return item if has_own else item.with_child(spec.date_field, date)
