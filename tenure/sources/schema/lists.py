"""
The entries of a list file in the forms in which people write one.

A list; a list below a header, {title: …, entries: […]}, or below its title, {Fellowships and awards: […]};
a single entry; names or dates with an entry or texts below them: {Gels: {people: …}}, {2024: A prize},
{Languages: Python, R}.

extract_entries() finds the header and the list, join_role_groups() joins lists of people below their roles,
and read_item() reads one item of the list. Each returns Nodes in the form that the documentation teaches.
make_person() reads a person as a text: "Bo Lee, postdoc 2015–2020, now at Acme".
"""

import re
from collections.abc import Mapping
from typing import Any

from tenure.model.dates import parse_period
from tenure.model.entries import CustomEntry, Entry, Person, Service
from tenure.model.names import remove_degrees
from tenure.model.roles import find_rank, name_role
from tenure.model.site import ListHeader
from tenure.problems import Place, Problems, find_similar_word
from tenure.record import Record
from tenure.sources.reading.node import Node
from tenure.sources.schema.date_hints import is_wrong_date, suggest_date
from tenure.sources.schema.link_forms import capitalize_key, find_service, shorten_for_message
from tenure.sources.schema.spec import CONFIG_KEYS, fold_key, read_spec
from tenure.sources.schema.value_forms import flatten

_LABEL_LISTS = frozenset({"service", "skills"})
"""Lists whose keys are labels before texts: {Languages: [Python, R]}."""

_TEXT_FIELDS: Mapping[type[Entry], str] = {CustomEntry: "text", Service: "organization"}
"""The field of a text below the name of an entry: {Languages: Python}, {Reviewer: JMLR}."""


def extract_entries(node: Node, name: str, cls: Any, problems: Problems) -> tuple[Node, Node | None]:
    """
    The header of a list (a mapping with the keys of ListHeader) and the list, or None instead of the list.

    `name` is the name of the collection. Each conversion is reported at level info.
    """
    no_header = Node({}, node.place)
    if isinstance(node.value, tuple):
        return no_header, node

    # {title: Talks, entries: […]}
    lists = [key for key, child in node.mapping.items() if isinstance(child.value, tuple)]
    if len(lists) == 1:
        header = _read_header(node, lists[0], name, cls, problems)
        if header is not None:
            return header, node.mapping[lists[0]]

    # {title: A talk, date: 2024}
    if not _has_names(node, cls) and any(map(read_spec(cls).find_field, node.mapping)):
        message = f"{node.place.file} is one entry, and is read as a list of one"
        problems.report("alias", node.place, message, "begin the entry with a hyphen")
        return no_header, Node((node,), node.place)
    return no_header, _read_named_entries(node, name, cls, problems)


def _read_header(node: Node, key: str, name: str, cls: Any, problems: Problems) -> Node | None:
    """
    The header of the list below a key; None if it is a list of something else.

    {title: Talks, entries: […]} -> {title: Talks}
    {Fellowships and awards: […]} -> {title: Fellowships and awards}
    {title: A talk, tags: […]} -> None
    """
    file = node.place.file
    place = node.key_place(key)
    others = node.without_keys([key])
    # beside "entries", an unknown key is a mistake in the header
    are_of_header = key == "entries" or all(map(read_spec(ListHeader).find_field, others.mapping))
    if not are_of_header:
        return None

    # {title: Talks, keynotes: […]}, but {title: A talk, tags: […]} is an entry
    is_below_header = bool(others.mapping) and not read_spec(cls).find_field(key)
    if is_below_header or _is_list_key(key, name):
        if key != "entries":
            message = f'"{key}" in {file}: it is read as the list of entries'
            problems.report("alias", place, message, 'write "entries", or only the list')
        return others
    is_only_title = not others.mapping and _is_title(key, name, cls)
    if not is_only_title:
        return None

    message = f'"{key}" is read as the title of {file}'
    problems.report("alias", place, message, "write title: … and entries: …")
    title = capitalize_key(key) if key.islower() else key
    return Node.from_children({"title": Node(title, place)}, place)


def _has_names(node: Node, cls: Any) -> bool:
    """Whether each key names what is below it: {2024: A prize}, {Gels: {people: …}}, {Languages: [R, C]}."""
    children = node.mapping.values()
    if _has_dates(node, cls) or all(isinstance(child.value, Mapping) for child in children):
        return True
    return _has_texts(node, cls) and all(isinstance(child.value, tuple) for child in children)


def _has_dates(node: Node, cls: Any) -> bool:
    return all(_is_date(key, cls) for key in node.mapping)


def _has_texts(node: Node, cls: Any) -> bool:
    """Whether each value is a text or a list of texts, of which an entry can be made."""
    return issubclass(cls, CustomEntry | Service) and all(map(_is_text, node.mapping.values()))


def _is_text(node: Node) -> bool:
    return bool(node.text or (node.items and all(item.text for item in node.items)))


def _is_date(text: str, cls: Any) -> bool:
    """Whether a text is a date, or looks like one, and entries have dates."""
    return bool(read_spec(cls).date_field and (parse_period(text) or is_wrong_date(text)))


def _read_named_entries(node: Node, name: str, cls: Any, problems: Problems) -> Node | None:
    """
    One entry for each key and what is below it; None if the keys name no entries.

    {Math 505: {term: Fall 2024}} -> [{course: Math 505, term: Fall 2024}]
    """
    if not node.mapping or not (_has_names(node, cls) or _has_texts(node, cls)):
        return None
    pairs = [
        Node({key: child}, node.place, {key: node.key_place(key)}) for key, child in node.mapping.items()
    ]
    # a date is read with its item
    if not _has_dates(node, cls):
        subject = f"an entry in {node.place.file}"
        pairs = [_name_entry(pair, name, cls, problems, subject) for pair in pairs]
    return Node(tuple(pairs), node.place)


def _is_title(key: str, name: str, cls: Any) -> bool:
    """Whether the only key above a list is its title, and no label, field, date, or role of people."""
    is_other = read_spec(cls).find_field(key) or _is_date(key, cls)
    return name not in _LABEL_LISTS and cls is not Person and not is_other


_LIST_KEYS = frozenset(
    """
    entries items list data all courses lectures jobs positions work employment degrees presentations lines
    """.split()
)
"""Folded keys around a whole list that do not describe its entries."""

_PEOPLE_KEYS = frozenset({"members", "team"})
"""Other such keys around a list of people, where all others are roles."""


def _is_list_key(key: str, name: str) -> bool:
    """Whether a key above a list is the name of the collection, or means a list: "jobs", "entries"."""
    folded = fold_key(key)
    is_of_people = name == "people" and folded in _PEOPLE_KEYS
    return folded.rstrip("s") == fold_key(name).rstrip("s") or folded in _LIST_KEYS or is_of_people


def _list_role_groups(node: Node, name: str) -> dict[str, Node]:
    """The people below each role, {Postdocs: [Bo Lee], PI: {name: Ada}}; {} if the keys are no roles."""
    header = read_spec(ListHeader)
    groups = {key: child for key, child in node.mapping.items() if not header.find_field(key)}
    are_groups = all(_is_role_group(key, child, name) for key, child in groups.items())
    return groups if are_groups else {}


def _is_role_group(key: str, child: Node, name: str) -> bool:
    """Whether a key is above several people, or is the name of a role above one."""
    if _is_list_key(key, name):
        return False
    is_person = child.text or {"name", "title"} & child.mapping.keys()
    return bool(child.items or (find_rank(key) and is_person))


def join_role_groups(node: Node, name: str, file: str, problems: Problems) -> tuple[Node, tuple[str, ...]]:
    """
    A list of people below their roles as one list below its header, and the roles as written.

    {Postdocs: [Bo Lee]} -> {entries: [{title: Bo Lee, role: Postdoc}]}, ("Postdocs",)
    [Bo Lee] -> [Bo Lee], ()
    """
    groups = _list_role_groups(node, name)
    people: list[Node] = []
    for key, child in groups.items():
        place = node.key_place(key)
        field = "role"
        value = name_role(key)
        if find_rank(key) == "alumni":
            field = "former"
            value = "true"
        message = f'"{key}" in {file} is read as the role of the people below it'
        problems.report("alias", place, message, f"write {field}: {value} in each entry")

        for item in child.items or (child,):
            for person in read_item(item, name, Person, problems, f'a person of "{key}"'):
                people.append(_add_missing(person, field, Node(value, place)))

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

    {Algebra: {term: Fall 2024}} -> {course: Algebra, term: Fall 2024}
    {Math 505: A course} -> {course: "Math 505: A course"}
    """
    key, child = next(iter(node.mapping.items()))
    others = node.without_keys([key])
    place = node.key_place(key)
    # {Bo Lee: PhD student}
    if cls is Person and child.text:
        person = make_person(Node(f"{key}, {child.text}", place), problems, subject)
        if person.mapping:
            return person

    field, name = _choose_name_field(key, child, cls)
    if not field:
        return Node(child.value, place, child.keys)

    is_title = _is_title_part(key, child, others, cls)
    if is_title:
        name = f"{key}: {child.text.strip()}"
    problems.report("alias", place, f'"{key}" is read as "{field}" of {subject}', f"write {field}: …")
    entry = Node.from_children({field: Node(name, place)}, place)
    if not is_title:
        entry = _add_value(entry, child, list_name, cls)
    return entry.with_keys_of(others)


def _choose_name_field(key: str, child: Node, cls: Any) -> tuple[str, str]:
    """
    The field that takes the key above an entry, and its value; "" if the entry below has both.

    {Gels under shear: {role: PI}} -> "title", "Gels under shear"
    {algebra: A course} -> "title", "Algebra"
    {soilnet: {title: SoilNet}} -> "id", "soilnet"
    {soilnet: {title: SoilNet, id: soil}} -> "", "soilnet"
    """
    spec = read_spec(cls)
    written = set(map(spec.find_field, child.mapping))
    name_field = spec.main or "title"
    if name_field not in written:
        is_word = key.islower() and not child.mapping
        name = capitalize_key(key) if is_word else key
        return name_field, name
    if "id" not in written:
        return "id", fold_key(key)
    return "", key


def _is_title_part(key: str, child: Node, others: Node, cls: Any) -> bool:
    """
    Whether a text belongs to the title before it, and is no field.

    {Math 505: Algebra} -> True, because a course has no field for a text
    {Languages: "Python, R"} -> False, because an entry of the list "skills" has one
    """
    text_field = _TEXT_FIELDS.get(cls, "")
    has_free_field = bool(text_field) and text_field not in others.mapping
    # YAML cuts a sentence at its colon: {"1985 PhD, University A (Advisor": "X. Y. Zed)"}
    is_sentence = bool(re.search(r"[,;(]", key))
    return bool(child.text) and (is_sentence or not has_free_field)


def _add_value(entry: Node, child: Node, list_name: str, cls: Any) -> Node:
    """An entry with what stands below its name: its fields, words, its items, or its text."""
    if child.mapping:
        return entry.with_keys_of(child)
    text_field = _TEXT_FIELDS.get(cls, "")
    if not child.items:
        # {Gels: {}} has nothing below its name
        return entry.with_child(text_field, child) if text_field else entry
    if cls is CustomEntry and (list_name in _LABEL_LISTS or not _is_list_of_entries(child)):
        return entry.with_child("text", Node(flatten(child), child.place))
    return entry.with_child("details", child)


def _is_list_of_entries(node: Node) -> bool:
    """
    Whether most items have a comma, and so are entries and not words.

    ["The salt road, Seuil, 432 p."] -> True; ["Python", "R", "maps, old and new"] -> False
    """
    return 2 * sum("," in item.text for item in node.items) > len(node.items)


def read_item(item: Node, list_name: str, cls: Any, problems: Problems, subject: str) -> tuple[Node, ...]:
    """
    The entries of an item that begins with its date or its name.

    "[May 2024] A paper" -> one entry with a date; {2010: [A prize, Another]} -> two entries with a date
    {Algebra: A course} -> an entry with its name

    A text in which a date is only a word, and an entry with keys of its own, are returned unchanged. What
    looks like a date and is none is reported, and stays in the text.
    """
    spec = read_spec(cls)
    if cls is Person and item.text:
        return (make_person(item, problems, subject),)
    first = next(iter(item.mapping.values()), item)
    # {Algebra: } has nothing below its name
    is_unnamed = not spec.main or not first.value
    if is_unnamed:
        return (item,)

    dated = _read_dated_item(item, cls, problems, subject) if spec.date_field else ()
    if dated:
        return dated
    if item.mapping and _begins_with_name(item, cls):
        return (_name_entry(item, list_name, cls, problems, subject),)
    return (item,)


def _read_dated_item(item: Node, cls: Any, problems: Problems, subject: str) -> tuple[Node, ...]:
    """The entries of an item that begins with its date, or with what looks like one; () for another item."""
    spec = read_spec(cls)
    beginning, place, texts = _split_dated_item(item)
    if is_wrong_date(beginning):
        message = f"“{beginning}” is not a valid date, and stays in the text of {subject}"
        problems.report("unread-date", place, message, suggest_date(beginning))
        # {2024-02-30: [A prize, Another]} is two texts again
        if len(item.mapping) == 1 and all(text.text for text in texts):
            return tuple(Node(f"{beginning}: {text.text}", place) for text in texts)
        return (item,)

    # {2024: A prize, place: Graz} has fields beside its date
    is_dated = len(item.mapping) < 2 and bool(beginning and parse_period(beginning))
    if not is_dated:
        return ()
    message = f'"{beginning}" is read as the date of {subject}'
    problems.report("alias", place, message, f"write {spec.date_field}: {beginning} and {spec.main}: …")
    return tuple(_add_date(text, cls, Node(beginning, place)) for text in texts)


_DATED_TEXT = r"""(?xs)
    (?: [\[(【（](?P<bracketed>[^\[\]()]{4,30})[\])】）]\s*[:：,–—-]?\s*              # [May 2024] A paper
      | \*\*(?P<bold>[^*]{4,30}?):?\*\*\s*[:：,–—-]?\s*                              # **May 2024:** A paper
      | (?P<iso>[12]\d{3}[./-]\d{1,2}(?:[./-]\d{1,2})?)\s+(?![:：|&–—-])  # 2024-05-01 A; not 2024-05 – A
      | (?P<before>[^\[\]()*]{4,30}?)(?:\s*[:：|&]|\s+[–—-]|,)\s+                    # May 2024: A paper
    ) (?P<text>\S.*)
"""


def _split_dated_item(item: Node) -> tuple[str, Place, tuple[Node, ...]]:
    """
    The first key of an item, or the date at the beginning of its text, with its place, and what follows.

    The key may be any word; the one before a text looks like a date.

    {2010: [A prize, Another]} -> "2010", …, (A prize, Another)
    {Algebra: A course} -> "Algebra", …, (A course,)
    "[May 2024] A paper" -> "May 2024", …, (A paper,)
    "A paper" -> "", …, (A paper,)
    """
    if item.mapping:
        key, child = next(iter(item.mapping.items()))
        return key, item.key_place(key), child.items or (child,)

    match = re.fullmatch(_DATED_TEXT, item.text.strip())
    if not match:
        return "", item.place, (item,)
    date = match["bracketed"] or match["bold"] or match["before"] or match["iso"]
    return date.strip(), item.place, (Node(match["text"], item.place),)


def _begins_with_name(item: Node, cls: Any) -> bool:
    """Whether the first key of a mapping is the name of an entry: {Math 505: Algebra, term: Fall 2025}."""
    spec = read_spec(cls)
    key, *others = item.mapping
    other_fields = [spec.find_field(name) for name in others]
    has_name = spec.main in (spec.find_field(key), *other_fields)
    if has_name or not all(other_fields):
        return False
    # a mapping beside fields holds more of them, and names no entry: {Where and when: {place: Graz}, url: …}
    if others and item.mapping[key].mapping:
        return False
    return _is_name(key, cls, is_alone=not others)


def _is_name(key: str, cls: Any, *, is_alone: bool) -> bool:
    """
    Whether a key is a name: it means nothing else, and has several words, a number, or a capital if alone.

    "Math 505", "6.4210" -> True
    "Rheometer", alone -> True; before other keys, or as "rheometer" -> False
    "degree", "venue", "2024", "GitHub", "layout" -> False
    "Languages", alone in a list such as "skills" -> True, though `language` may mean a field
    """
    spec = read_spec(cls)
    is_capital_alone = is_alone and key[:1].isupper()
    means_field = bool(spec.find_field(key))
    may_mean_field = bool(spec.find_fallbacks(key))
    if may_mean_field and is_alone and cls is CustomEntry:
        return is_capital_alone

    means_other = parse_period(key) or find_service(key) or fold_key(key) in CONFIG_KEYS
    if means_field or may_mean_field or means_other:
        return False
    # "2024-02-30", "instituton"
    if is_wrong_date(key) or find_similar_word(key, spec.taught):
        return False
    return is_capital_alone or bool(re.search(r"[\d ]", key.strip()))


def _add_date(item: Node, cls: Any, date: Node) -> Node:
    """An entry with a date; a text becomes an entry, and one that has its own is returned unchanged."""
    spec = read_spec(cls)
    if not item.mapping:
        return Node.from_children({spec.main: item, spec.date_field: date}, item.place)
    has_own = {*map(spec.find_field, item.mapping)} & {spec.date_field, "start", "end"}
    return item if has_own else item.with_child(spec.date_field, date)


# none within parentheses
_COMMA = r",(?![^(]*\))\s*"
# van der Berg
_FAMILY_NAME = r"(?:[^\W\d_A-Z]\S* )*\S+"
_NOW = r"(?i)(?:now|currently|jetzt|heute|maintenant|ahora|ora)\b:?\s*(?:at\s+)?(?=\S)"
"""now at Acme -> what follows is the place."""


class PersonText(Record):
    """The parts of a text about a person; all but the name may be ""."""

    name: str
    role: str = ""
    date: str = ""
    then: str = ""


def read_person_text(text: str) -> PersonText:
    """
    The parts of a text, which is only a name if no role, year or "now" follows.

    "Rossi, Giulia, PhD student (2016-2019)" -> "Rossi, Giulia", "PhD student", "2016-2019", ""
    "Giulia Rossi, PhD" -> "Giulia Rossi, PhD", "", "", ""
    """
    name, *parts = re.split(_COMMA, text.strip())
    while parts and _belongs_to_name(name, parts[0]):
        name = f"{name}, {parts.pop(0)}"

    roles: list[str] = []
    period = ""
    then = ""
    for position, part in enumerate(parts):
        if match := re.match(_NOW, part):
            then = ", ".join([part[match.end() :], *parts[position + 1 :]])
            break
        role, found = split_period(part)
        roles.append(part if period else role)
        period = period or found

    if not (then or period or find_rank("".join(parts[:1]))):
        return PersonText(text)
    return PersonText(name, ", ".join(filter(None, roles)), period, then)


def _belongs_to_name(name: str, part: str) -> bool:
    """Whether the part after a comma is a degree, or the given names after a family name."""
    if remove_degrees(f"{name}, {part}") == remove_degrees(name):
        return True
    is_other = find_rank(part) or re.search(r"\d", part) or re.match(_NOW, part)
    return bool(re.fullmatch(_FAMILY_NAME, name)) and not is_other


def split_period(text: str) -> tuple[str, str]:
    """
    A text without the period at its end, and the period.

    "postdoc 2015–2020", "postdoc (2015–2020)" -> "postdoc", "2015–2020"
    "PhD student" -> "PhD student", ""
    """
    for gap in re.finditer(r"^|[\s(]+", text):
        period = text[gap.end() :].removesuffix(")")
        if parse_period(period):
            return text[: gap.start()], period
    return text, ""


def make_person(node: Node, problems: Problems, subject: str) -> Node:
    """A person with the parts of a text, which is reported; the text itself if it is only a name."""
    parts = read_person_text(node.text)
    if parts.name == node.text:
        return node
    fields = {"name": parts.name, "role": parts.role, "date": parts.date, "then": parts.then}
    written = {name: Node(text, node.place) for name, text in fields.items() if text}
    message = f"“{shorten_for_message(node.text)}” is read as {', '.join(written)} of {subject}"
    keys = ", ".join(f"{name}: …" for name in written)
    problems.report("alias", node.place, message, f"write {{{keys}}}")
    return Node.from_children(written, node.place)
