"""
Inheritance of fields by `crossref` and `xdata`.

The objects: a parent is the entry whose key is in one of these fields; its title becomes the book title of a
paper. @inproceedings{a, crossref = {p}} @proceedings{p, title
= {Proc. of Looms}} -> a with the booktitle Proc. of Looms
"""

from collections.abc import Mapping, Sequence

from tenure.model.publication_types import ARTICLES, BOOKS, PARTS, TYPE_ALIASES
from tenure.problems import Problems, find_similar_word, suggest_word
from tenure.sources.bibtex.bib_fields import BIB_FIELDS
from tenure.sources.bibtex.reader import CITATION_KEY, MACROS_KEY, PARENTS_KEY, SOURCE_KEY, TYPE_KEY
from tenure.sources.reading.node import Node

DATA_ONLY_TYPES = frozenset({"xdata", "set"})
"""Entry types that only hold data for other entries and are not publications."""


def inherit_fields(entries: Sequence[Node], problems: Problems) -> tuple[Node, ...]:
    """The entries in order, with inherited fields. Missing parents are reported; cycles are ignored."""
    by_key = {node.mapping[CITATION_KEY].text: node for node in reversed(entries)}
    by_folded_key = {key.casefold(): node for key, node in by_key.items()}
    return tuple(_resolve_entry(node, by_key, by_folded_key, problems) for node in entries)


def find_container_keys(entries: Sequence[Node]) -> frozenset[str]:
    """
    The keys of books and proceedings that other entries name by `crossref`, and of which those are parts.
    """
    parents = (node.child("crossref").text for node in entries if "crossref" in node.mapping)
    referenced_keys = {key.strip().casefold() for key in parents}
    return frozenset(
        node.mapping[CITATION_KEY].text
        for node in entries
        if node.mapping[CITATION_KEY].text.casefold() in referenced_keys
        and node.mapping[TYPE_KEY].text in BOOKS
    )


def _resolve_entry(
    node: Node, by_key: Mapping[str, Node], by_folded_key: Mapping[str, Node], problems: Problems
) -> Node:
    """An entry with the fields of its parents, and of theirs, which are parents of the entry too."""
    references = _list_references(node)
    if not references:
        return node
    fields = dict(node.mapping)
    parents: list[Node] = []
    seen_ids = {id(node)}

    for field, key in references:
        parent = by_key.get(key) or by_folded_key.get(key.casefold())
        if parent is None:
            _report_missing_parent(node, field, key, by_key, problems)
        elif id(parent) not in seen_ids:
            seen_ids.add(id(parent))
            parents.append(
                Node({name: parent.mapping[name] for name in (SOURCE_KEY, MACROS_KEY)}, parent.place)
            )
            _copy_missing_fields(fields, parent, field)
            references += _list_references(parent)

    fields[PARENTS_KEY] = Node(tuple(parents), node.place)
    return Node(fields, node.place, node.keys)


def _list_references(node: Node) -> list[tuple[str, str]]:
    """The references of an entry as (field, key), `xdata` first."""
    return [
        (field, key.strip())
        for field in ("xdata", "crossref")
        if field in node.mapping
        for key in node.mapping[field].text.split(",")
        if key.strip()
    ]


def _copy_missing_fields(fields: dict[str, Node], parent: Node, reference_field: str) -> None:
    """Copy the fields of a parent that the entry does not have."""
    written = {name: value for name, value in parent.mapping.items() if not name.startswith("@")}
    is_crossref = reference_field == "crossref"
    entry_types = (parent.mapping[TYPE_KEY].text, fields[TYPE_KEY].text)
    new_names = _find_title_names(*entry_types) if is_crossref else {}
    for name, value in written.items():
        row = BIB_FIELDS.get(name) if is_crossref else None
        # the references of a parent are followed one by one; a paper has an abstract of its own
        stays_with_parent = name in ("crossref", "xdata") or (row is not None and not row.inherited)
        if name in new_names or not stays_with_parent:
            fields.setdefault(new_names.get(name, name), value)


def _find_title_names(parent_type: str, child_type: str) -> Mapping[str, str]:
    """The fields that inherit the title and the subtitle of a parent. Source: biblatex manual, appendix B."""
    child_type = TYPE_ALIASES.get(child_type, child_type)
    if parent_type == "periodical" and child_type in ARTICLES:
        return {"title": "journaltitle", "subtitle": "journalsubtitle"}
    if parent_type in BOOKS and child_type in PARTS:
        return {"title": "booktitle", "subtitle": "booksubtitle"}
    return {}


def _report_missing_parent(
    node: Node, field: str, key: str, by_key: Mapping[str, Node], problems: Problems
) -> None:
    """Report a key in `crossref` or `xdata` that no entry has."""
    own_key = node.mapping[CITATION_KEY].text
    hint = "add its entry to a .bib file in bib/"
    if find_similar_word(key, by_key) != own_key:
        hint = suggest_word(key, by_key, hint)
    message = f'the entry “{own_key}” names "{key}" in {field}, but there is no such entry'
    problems.report("bib-missing-entry", node.place, message, hint)
