"""Extract the entries of a list file: from a list, a list below a key, groups, named entries, or a single entry."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tenure.model.scholar import Item, Service
from tenure.model.site import Heading
from tenure.problems import Problems
from tenure.sources.aliases import fold, target_of
from tenure.sources.rules import rules
from tenure.sources.tree import Node

GENERIC = frozenset(
    ["items", "list", "data", "all", "courses", "lectures", "jobs", "positions", "work", "employment", "degrees", "presentations", "lines"]
)  # fmt: skip
"""Folded keys around a whole list that do not describe its entries."""


def entries_of(node: Node, name: str, cls: Any, problems: Problems) -> tuple[Node, Node | None]:
    """
    Return the header of a list (a mapping with the keys of ListHeader) and the list, or None instead of the list.

    `name` is the name of the collection. Each conversion is reported at level info.
    """
    nothing = Node({}, node.place)
    if isinstance(node.value, tuple):
        return nothing, node
    lists = [key for key, child in node.entries.items() if isinstance(child.value, tuple)]
    rest = {key: child for key, child in node.entries.items() if key not in lists}
    own = Node(rest, node.place, node.keys)
    is_headed = "entries" in lists or all(target_of(key, Heading) for key in rest)
    if len(lists) == 1 and is_headed and _is_whole(lists[0], name):
        if lists[0] != "entries":
            _report(
                problems,
                node,
                lists[0],
                "it is read as the list of entries",
                'write "entries", or only the list',
            )
        return own, node.entries[lists[0]]
    if lists and is_headed:
        return own, Node(tuple(_grouped(node, lists, cls, problems)), node.place)
    if node.entries and all(isinstance(child.value, Mapping) for child in node.entries.values()):
        return nothing, Node(tuple(_named(node, cls, problems)), node.place)
    if any(target_of(key, cls) for key in node.entries):
        message = f"{node.place.file} is one entry, and is read as a list of one"
        problems.tell("alias", node.place, message, "begin the entry with a hyphen")
        return nothing, Node((node,), node.place)
    if cls is Item and node.entries and all(_is_text(child) for child in node.entries.values()):
        return nothing, Node(tuple(_pairs(node, node.entries, problems)), node.place)
    return nothing, None


def _is_whole(key: str, name: str) -> bool:
    """Return whether a key around a list names the whole collection."""
    folded, stem = fold(key).rstrip("s"), fold(name).rstrip("s")
    return folded in (stem, "entrie") or fold(key) in GENERIC or (len(stem) > 3 and stem in folded)


def _grouped(node: Node, lists: Iterable[str], cls: Any, problems: Problems) -> Iterator[Node]:
    """Yield the entries of several lists. Each entry gets the key of its list as a tag."""
    main = next(rule.field for rule in rules(cls) if rule.main)
    for key in lists:
        place, child = node.key_place(key), node.entries[key]
        texts = [item for item in child.items if isinstance(item.value, str)]
        if texts and (cls is Service or (cls is Item and len(texts) == len(child.items))):
            below = "details" if cls is Service else "text"
            _report(problems, node, key, f"it is read as the {main} of an entry", f"write - {main}: {key}")
            joined = Node(", ".join(item.words for item in texts), child.place)
            value = Node(tuple(texts), child.place) if cls is Service else joined
            yield Node({main: Node(key, place), below: value}, place, {main: place, below: place})
        else:
            texts = []
            _report(
                problems, node, key, "it is read as a tag of its entries", f"write tags: {key} in each entry"
            )
        for item in child.items:
            if item.entries:
                tags = next((name for name in item.entries if target_of(name, cls) == "tags"), "tags")
                label = Node(key, place)
                before = item.entries[tags].items if tags in item.entries else ()
                if tags in item.entries and item.entries[tags].words:
                    before = tuple(Node(w.strip(), place) for w in item.entries[tags].words.split(","))
                value = Node((*before, label), place)
                yield Node(
                    {**item.entries, tags: value}, item.place, {**item.keys, tags: item.key_place(tags)}
                )
            elif isinstance(item.value, str) and not texts:
                tag = Node(key, place)
                yield Node({main: item, "tags": tag}, item.place, {main: item.place, "tags": place})


def _named(node: Node, cls: Any, problems: Problems) -> Iterator[Node]:
    """Yield the entries of a mapping from names to entries. The name is the main field, or the id if that is set."""
    main = next(rule.field for rule in rules(cls) if rule.main)
    for key, child in node.entries.items():
        has_main = any(target_of(name, cls) == main for name in child.entries)
        field = "id" if has_main else main
        place = node.key_place(key)
        if any(target_of(name, cls) == field for name in child.entries):
            yield Node(child.value, place, child.keys)
            continue
        _report(problems, node, key, f'it is read as "{field}" of the entry', f"write - {field}: {key}")
        words = Node(fold(key) if field == "id" else key, place)
        yield Node({field: words, **child.entries}, place, {field: place, **child.keys})


def _pairs(node: Node, keys: Iterable[str], problems: Problems) -> Iterator[Node]:
    """Yield pairs of a name and a text as entries with a title and a text."""
    for key in keys:
        place = node.key_place(key)
        _report(problems, node, key, "it is read as the title of an entry", f"write - title: {key}")
        yield Node(
            {"title": Node(key, place), "text": node.entries[key]}, place, {"title": place, "text": place}
        )


def _is_text(node: Node) -> bool:
    return isinstance(node.value, str) or (
        bool(node.items) and all(isinstance(i.value, str) for i in node.items)
    )


def _report(problems: Problems, node: Node, key: str, message: str, hint: str) -> None:
    problems.tell("alias", node.key_place(key), f'"{key}" in {node.place.file}: {message}', hint)
