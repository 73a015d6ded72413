"""Values in the forms of other systems, read as one value: names and places in parts, named facts, bullets in a text, years."""

import re
from collections.abc import Mapping
from typing import Any

from tenure.record import Record, replace
from tenure.sources.node import Node
from tenure.sources.schema.spec import fold_key

BOOLEAN_VALUES: Mapping[str, bool] = {
    "true": True,
    "yes": True,
    "on": True,
    "false": False,
    "no": False,
    "off": False,
}
NAME_KEYS = ("name", "title", "label", "text", "language", "organization", "skill", "topic", "area")
_HIDDEN_PLACE_PARTS = frozenset({"lat", "lng", "lon", "latitude", "longitude", "postalcode", "zip"})
NAME_PARTS = (
    ("first", "firstname", "given", "givenname"),
    ("middle", "middlename"),
    ("last", "lastname", "family", "familyname", "surname"),
)
"""The folded keys of each part of a name, in the order in which it is written."""


def is_same_value(first: Node, second: Node) -> bool:
    """Whether two values are equal, apart from their places."""
    return bool(_remove_places(first) == _remove_places(second))


def _remove_places(node: Node) -> Any:
    if isinstance(node.value, tuple):
        return [_remove_places(item) for item in node.value]
    if isinstance(node.value, Mapping):
        return {key: _remove_places(child) for key, child in node.value.items()}
    return node.value.strip() if node.value else None


def read_flag(node: Node) -> bool | None:
    """True or False for a text such as "yes"; None for any other value."""
    return BOOLEAN_VALUES.get(node.text.strip().casefold())


def flatten(node: Node, *, as_markdown: bool = False) -> str:
    """
    A list or mapping of texts as one text; "" if a value is nested too deeply.

    [R, C] -> "R, C"; {name: Python, level: expert} -> "Python (expert)"; {city: Graz, country: Austria} -> "Graz, Austria";
    {name: MIT, url: https://mit.edu} -> "[MIT](https://mit.edu)" as Markdown, else "MIT"; {Algebra: A} -> "Algebra: A".
    """
    if isinstance(node.value, str):
        return node.text.strip() if "\n\n" in node.text else " ".join(node.text.split())
    if node.items:
        texts = [flatten(item, as_markdown=as_markdown) for item in node.items]
        return ("; " if as_markdown else ", ").join(texts) if all(texts) else ""
    if len(node.mapping) == 1:
        ((key, child),) = node.mapping.items()
        text = flatten(child)
        return f"{key}: {text}" if text and fold_key(key) not in NAME_KEYS else text
    children = {
        fold_key(key): flatten(child) for key, child in node.mapping.items() if child.value not in (None, "")
    }
    if not children or not all(children.values()):
        return ""
    if any(key in children for keys in NAME_PARTS for key in keys):
        return join_name_parts(children)
    name = next((children.pop(key) for key in NAME_KEYS if key in children), "")
    url = children.pop("url", "") if name else ""
    if name and url and as_markdown:
        name = f"[{name}]({url})"
    if "country" in children:
        children.pop("countrycode", "")
    parts = [text for key, text in children.items() if key not in _HIDDEN_PLACE_PARTS]
    if name and parts:
        return f"{name} ({'; '.join(parts)})"
    return name or ", ".join(dict.fromkeys(parts))


def has_name(node: Node) -> bool:
    """Whether a mapping has a name, to which its other values belong: {name: Python, level: expert}."""
    return any(fold_key(key) in NAME_KEYS for key in node.mapping)


def join_name_parts(texts: Mapping[str, str]) -> str:
    """A name from its parts by folded key: {"first": "Ada", "last": "Example"} -> "Ada Example"; "" without parts."""
    parts = [next((texts[key] for key in keys if key in texts), "") for keys in NAME_PARTS]
    return " ".join(filter(None, parts))


def join_places(texts: list[str]) -> str:
    """The parts of a place, without one that another part contains: ["Graz", "Graz, Austria"] -> "Graz, Austria"."""
    names: list[str] = []
    for text in texts:
        names = [name for name in names if name not in text]
        names += [text] if not any(text in name for name in names) else []
    return ", ".join(names)


def list_items(node: Node) -> tuple[Node, ...]:
    """The items of a list, of a text with commas, or of one value."""
    if isinstance(node.value, str):
        return split_at_commas(node).items
    return node.items or (() if node.value is None else (node,))


def split_at_commas(node: Node) -> Node:
    """
    The texts between the commas of a scalar as a list, or between its semicolons if it has some.

    A text has its own place if the scalar is written in one line and without escapes; otherwise that of the scalar.
    """
    quotes_length = node.place.length - len(node.text)
    has_exact_places = quotes_length in (0, 2) and "\n" not in node.text
    items: list[Node] = []
    offset = 0
    for part in node.text.split(";" if ";" in node.text else ","):
        if text := part.strip():
            column = node.place.column + quotes_length // 2 + offset + part.index(text)
            place = replace(node.place, column=column, length=len(text)) if has_exact_places else node.place
            items.append(Node(text, place))
        offset += len(part) + 1
    return Node(tuple(items), node.place)


def parse_years(node: Node) -> tuple[int, ...]:
    """The sorted years of a list or of a text with several years, or (): "2019, 2021" -> (2019, 2021)."""
    texts = [item.text.strip() for item in node.items] or re.split(r"\s*[,;&+]\s*", node.text.strip())
    if len(texts) < 2 or not all(re.fullmatch(r"(?:19|20)\d\d", text) for text in texts):
        return ()
    return tuple(sorted(map(int, texts)))


_TYPOGRAPHIC_QUOTES = re.compile(r"[“„«‘‹]\s*([^“”„«»‘’‹›]+?)\s*[”“»’›]")


def clean_profile_texts(node: Node) -> Node:
    """A profile without typographic quotes around whole values, which YAML reads as letters."""
    if node.items:
        return replace(node, value=tuple(map(clean_profile_texts, node.items)))
    if node.mapping:
        return replace(node, value={name: clean_profile_texts(child) for name, child in node.mapping.items()})
    quoted = _TYPOGRAPHIC_QUOTES.fullmatch(node.text.strip())
    return replace(node, value=quoted[1]) if quoted else node


_BULLET = re.compile(r"(?P<margin>\s*)(?:[-*+•–]|\d{1,2}[.)])\s+(?P<text>\S.*)")


class BulletText(Record):
    """The bullets of a Markdown list and the text above it. A bullet with nested bullets is a mapping of one key."""

    introduction: str
    items: tuple[Node, ...]


def split_bullets(node: Node) -> BulletText:
    """
    The parts of a text with a Markdown list.

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
    """Bullets as nodes; a bullet with a larger margin is nested in the one above it."""
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
