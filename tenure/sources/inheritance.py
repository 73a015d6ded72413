"""Inheritance of fields by `crossref` and `xdata`."""

from collections.abc import Mapping, Sequence

from tenure.problems import Place, Problems, did_you_mean
from tenure.sources.bibtex import KEY, KIND, PARENTS, SOURCE, STRINGS
from tenure.sources.tree import Node

OWN = frozenset(
    [
        "crossref",
        "xref",
        "xdata",
        "ids",
        "entryset",
        "entrysubtype",
        "execute",
        "label",
        "options",
        "presort",
        "related",
        "relatedoptions",
        "relatedstring",
        "relatedtype",
        "shortauthor",
        "shorteditor",
        "shorthand",
        "shorthandintro",
        "sortkey",
        "sorttitle",
        "sortyear",
        "title",
        "subtitle",
        "titleaddon",
        "shorttitle",
        "indextitle",
        "abstract",
        "keywords",
        "selected",
        "abbr",
        "preview",
        "pdf",
        "code",
        "slides",
        "video",
        "poster",
    ]
)
"""Fields that are not inherited under their own name. Source: biblatex manual, appendix B, "Default Inheritance Setup"."""

RENAMED: Mapping[tuple[str, str], Mapping[str, str]] = {
    (parent, child): {
        "title": title,
        "subtitle": f"book{'sub'}title" if title == "booktitle" else "journalsubtitle",
    }
    for parents, children, title in (
        (("proceedings", "mvproceedings"), ("inproceedings", "conference"), "booktitle"),
        (("collection", "mvcollection", "book"), ("incollection", "inreference"), "booktitle"),
        (("book", "mvbook", "collection"), ("inbook", "bookinbook", "suppbook"), "booktitle"),
        (("proceedings", "book"), ("incollection", "inbook", "inproceedings"), "booktitle"),
        (("periodical",), ("article", "suppperiodical"), "journaltitle"),
    )
    for parent in parents
    for child in children
}
"""The field that inherits the title, by the types of parent and child. Source: the same appendix."""

CONTAINERS = frozenset(
    {"proceedings", "mvproceedings", "collection", "mvcollection", "book", "mvbook", "periodical"}
)
DATA_ONLY = frozenset({"xdata", "set"})
"""Entry types that only hold data for other entries and are not publications."""

MOST_STEPS = 8


def inherit(entries: Sequence[Node], problems: Problems) -> tuple[Node, ...]:
    """The entries in order, with inherited fields. Missing parents are reported; cycles are ignored."""
    by_key = {node.entries[KEY].words: node for node in reversed(entries)}
    folded = {key.casefold(): node for key, node in by_key.items()}
    return tuple(_heir(node, by_key, folded, problems) for node in entries)


def containers(entries: Sequence[Node]) -> frozenset[str]:
    """The keys of books and proceedings that other entries name by `crossref`; they are shown as part of those."""
    named = {
        node.entries["crossref"].words.strip().casefold() for node in entries if "crossref" in node.entries
    }
    return frozenset(
        node.entries[KEY].words
        for node in entries
        if node.entries[KEY].words.casefold() in named and node.entries[KIND].words in CONTAINERS
    )


def _heir(node: Node, by_key: Mapping[str, Node], folded: Mapping[str, Node], problems: Problems) -> Node:
    waiting = _parents(node)
    if not waiting:
        return node
    fields = dict(node.entries)
    parents: list[Node] = []
    seen = {id(node)}
    for _ in range(MOST_STEPS):
        following: list[tuple[str, str]] = []
        for field, key in waiting:
            parent = by_key.get(key) or folded.get(key.casefold())
            if parent is None:
                _tell_missing(node, field, key, by_key, problems)
            elif id(parent) not in seen:
                seen.add(id(parent))
                parents.append(Node({name: parent.entries[name] for name in (SOURCE, STRINGS)}, parent.place))
                _take(fields, parent, field)
                following += _parents(parent)
        waiting = following
        if not waiting:
            break
    fields[PARENTS] = Node(tuple(parents), node.place)
    return Node(fields, node.place, node.keys)


def _parents(node: Node) -> list[tuple[str, str]]:
    """The references of an entry as (field, key), `xdata` first."""
    found: list[tuple[str, str]] = []
    for field in ("xdata", "crossref"):
        written = node.entries[field].words if field in node.entries else ""
        found += [(field, key.strip()) for key in written.split(",") if key.strip()]
    return found


def _take(fields: dict[str, Node], parent: Node, by: str) -> None:
    """Copy the fields of a parent that the entry does not have."""
    kinds = (parent.entries[KIND].words, fields[KIND].words)
    names = RENAMED.get(kinds, {}) if by == "crossref" else {}
    for name, value in parent.entries.items():
        if name.startswith("@"):
            continue
        if by == "crossref" and name in names:
            fields.setdefault(names[name], value)
        elif (by == "xdata" and name not in ("xdata", "crossref")) or name not in OWN:
            fields.setdefault(name, value)


def _tell_missing(node: Node, field: str, key: str, by_key: Mapping[str, Node], problems: Problems) -> None:
    near = did_you_mean(key, [other for other in by_key if other != node.entries[KEY].words])
    hint = f'did you mean "{near}"?' if near else "add its entry to a .bib file in bib/"
    place = Place(node.place.file, node.place.line, node.place.column, node.place.length)
    message = f'the entry “{node.entries[KEY].words}” names "{key}" in {field}, but there is no such entry'
    problems.tell("bib-missing-parent", place, message, hint)
