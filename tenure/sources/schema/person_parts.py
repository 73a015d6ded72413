"""Parts of a person's data that are written as a group of keys: a name, several e-mail addresses, the unit of an affiliation."""

import re

from tenure.record import replace
from tenure.sources.node import Node
from tenure.sources.schema.key_tables import FOLDED_UNIT_KEYS, fold_key

NAME_PART_KEYS = (
    ("first", "firstname", "given", "givenname", "givennames"),
    ("middle", "middlename", "middlenames"),
    ("last", "lastname", "family", "familyname", "surname"),
)
"""The folded keys of each part of a name, in the order in which it is written."""


def join_name_parts(node: Node) -> Node:
    """Return a name from its parts, {first: Ada, last: Example}; the same node if it has none."""
    parts = {fold_key(key): child.text.strip() for key, child in node.mapping.items() if child.text}
    names = [next((parts[key] for key in keys if key in parts), "") for keys in NAME_PART_KEYS]
    return Node(" ".join(filter(None, names)), node.place) if any(names) else node


_TYPOGRAPHIC_QUOTES = re.compile(r"[“„«‘‹]\s*([^“”„«»‘’‹›]+?)\s*[”“»’›]")
_EMAIL = re.compile(r"(?:mailto:|[^<>@]*<)?\s*([^\s<>@:]+@[^\s<>@]+\.[^\s<>@,;]+?)>?")


def clean_profile_texts(node: Node, key: str = "") -> Node:
    """
    Return a profile without typographic quotes around whole values, which YAML reads as letters.

    E-mail addresses have only the address: "Ada <ada@example.edu>", "mailto:ada@example.edu". An address that hides its "@"
    stays as its owner wrote it.
    """
    if node.items:
        return replace(node, value=tuple(clean_profile_texts(item, key) for item in node.items))
    if node.mapping:
        return replace(
            node, value={name: clean_profile_texts(child, name) for name, child in node.mapping.items()}
        )
    quoted = _TYPOGRAPHIC_QUOTES.fullmatch(node.text.strip())
    text = quoted[1] if quoted else node.text
    if "mail" in key.casefold():
        email = _EMAIL.fullmatch(text.strip())
        text = email[1] if email else text
    return replace(node, value=text) if text != node.text else node


_GROUP_NAME_KEYS = ("lab", "laboratory", "group", "researchgroup", "team", "centre", "center", "project")
_GROUP_HEAD_KEYS = ("pi", "principalinvestigator", "director", "leader")


def name_group(node: Node) -> Node:
    """Return the profile of a group whose name and head are under the words for them: {lab: Tides Lab, pi: Ada Example, kind: lab}."""
    if "kind" not in node.mapping or node.mapping["kind"].text.casefold() == "person":
        return node
    keys = {fold_key(key): key for key in node.mapping}
    renamed_keys = {
        next((keys[name] for name in names if name in keys), ""): field
        for names, field in ((_GROUP_NAME_KEYS, "name"), (_GROUP_HEAD_KEYS, "head"))
        if field not in keys
    }
    if not any(renamed_keys):
        return node
    values = {renamed_keys.get(key, key): child for key, child in node.mapping.items()}
    places = {renamed_keys.get(key, key): node.key_place(key) for key in node.mapping}
    return Node(values, node.place, places)


def list_values(node: Node) -> Node:
    """Return the values of a mapping as a list: the addresses of {work: …, home: …}."""
    return Node(tuple(child for child in node.mapping.values() if child.text), node.place)


def join_affiliation_unit(node: Node) -> Node:
    """Return an affiliation whose department or other unit is written before its name; the same node without one."""
    units = [key for key in node.mapping if fold_key(key) in FOLDED_UNIT_KEYS and node.mapping[key].text]
    name = node.mapping.get("name")
    if not units or name is None or not name.text:
        return node
    text = ", ".join([*(node.mapping[key].text.strip() for key in units), name.text.strip()])
    values = {key: child for key, child in node.mapping.items() if key not in units}
    return Node({**values, "name": Node(text, name.place)}, node.place, node.keys)
