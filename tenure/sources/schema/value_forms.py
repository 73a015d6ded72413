"""Values in the forms of other systems, read as one value: names and places in parts, named facts, bullets in a text, years."""

import re

from tenure.model.links import url_scheme
from tenure.record import Record, replace
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


def clean_profile_texts(node: Node) -> Node:
    """Return a profile without typographic quotes around whole values, which YAML reads as letters."""
    if node.items:
        return replace(node, value=tuple(map(clean_profile_texts, node.items)))
    if node.mapping:
        return replace(node, value={name: clean_profile_texts(child) for name, child in node.mapping.items()})
    quoted = _TYPOGRAPHIC_QUOTES.fullmatch(node.text.strip())
    return replace(node, value=quoted[1]) if quoted else node


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


NON_PLACE_KEYS = frozenset(
    {"url", "lat", "lng", "lon", "latitude", "longitude", "postalcode", "zip", "countrycode"}
)
"""Keys of a postal address that are not shown. The country code is shown if there is no country name."""


def format_place(node: Node) -> Node:
    """Return the name of a place from a mapping of its components: "Munich, Germany"."""
    texts = {fold_key(key): child.text.strip() for key, child in node.mapping.items() if child.text}
    names = [text for key, text in texts.items() if key not in NON_PLACE_KEYS]
    if "country" not in texts and "countrycode" in texts:
        names.append(texts["countrycode"])
    return Node(", ".join(dict.fromkeys(names)), node.place)


def flatten_text(node: Node) -> str:
    """Return a value as one text, or "" if the value is nested."""
    if node.items:
        texts = [_flatten_pair(item) for item in node.items]
        return ", ".join(texts) if all(texts) else ""
    return " ".join(node.text.split())


def _flatten_pair(node: Node) -> str:
    """Return a text, or a key with a text as "Algebra: A"; "" for any other value."""
    if len(node.mapping) == 1:
        ((key, child),) = node.mapping.items()
        return f"{key}: {child.text.strip()}" if child.text else ""
    return node.text.strip()


NAME_KEYS = ("name", "title", "label", "text", "language", "skill", "topic", "area")


def join_named_facts(node: Node) -> str:
    """Return a name with its facts as one text: "Python (expert)" for {name: Python, level: expert}; "" for any other value."""
    key = next((key for key in NAME_KEYS if key in node.mapping and node.mapping[key].text), "")
    facts = [
        flatten_text(child) for name, child in node.mapping.items() if name != key and child.value is not None
    ]
    if not key or not all(facts) or any(map(url_scheme, facts)):
        return ""
    name = " ".join(node.mapping[key].text.split())
    return f"{name} ({'; '.join(facts)})" if facts else name


def format_named_link(node: Node, *, as_markdown: bool) -> Node:
    """Return a name with a URL as a Markdown link or as the name alone. A text is returned unchanged."""
    names = (node.mapping[key].text for key in ("name", "title", "organization") if key in node.mapping)
    name = next(names, "")
    url = node.child("url").text
    return Node(f"[{name}]({url})" if url and as_markdown else name, node.place) if name else node


def parse_years(node: Node) -> tuple[int, ...]:
    """Return the sorted years of a list or of a text with several years, or ()."""
    texts = [item.text.strip() for item in node.items] or re.split(r"\s*[,;&+]\s*", node.text.strip())
    if len(texts) < 2 or not all(re.fullmatch(r"(?:19|20)\d\d", text) for text in texts):
        return ()
    return tuple(sorted(map(int, texts)))


_BULLET = re.compile(r"(?P<margin>\s*)(?:[-*+•–]|\d{1,2}[.)])\s+(?P<text>\S.*)")


class BulletText(Record):
    """The bullets of a Markdown list and the text above it. A bullet with nested bullets is a mapping of one key."""

    introduction: str
    items: tuple[Node, ...]


def split_bullets(node: Node) -> BulletText:
    """
    Return the parts of a text with a Markdown list.

    Without bullets if the text has no list or continues below it, so that it stays as it is.
    """
    lines = node.value.rstrip().split("\n") if isinstance(node.value, str) else []
    if len(lines) < 2:
        return BulletText(node.text, ())
    first = next((number for number, line in enumerate(lines) if _BULLET.fullmatch(line)), len(lines))
    bullets: list[tuple[int, str]] = []
    is_after_blank = False
    for line in lines[first:]:
        match = _BULLET.fullmatch(line)
        if match:
            bullets.append((len(match["margin"]), match["text"].strip()))
        elif line.strip() and is_after_blank and not line.startswith(" "):
            return BulletText(node.text, ())
        elif line.strip():
            margin, text = bullets[-1]
            bullets[-1] = margin, f"{text} {line.strip()}"
        is_after_blank = not line.strip()
    return BulletText("\n".join(lines[:first]).strip(), _nest_bullets(bullets, node))


def _nest_bullets(bullets: list[tuple[int, str]], node: Node) -> tuple[Node, ...]:
    """Return bullets as nodes; a bullet with a larger margin is nested in the one above it."""
    nodes: list[Node] = []
    number = 0
    while number < len(bullets):
        margin, text = bullets[number]
        number += 1
        nested_end = number
        while nested_end < len(bullets) and bullets[nested_end][0] > margin:
            nested_end += 1
        nested = _nest_bullets(bullets[number:nested_end], node)
        nodes.append(Node({text: Node(nested, node.place)} if nested else text, node.place))
        number = nested_end
    return tuple(nodes)
