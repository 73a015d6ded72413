"""
Values in the forms of other systems, read as one value.

flatten() makes a text of names and places in parts and of named facts; list_items(), parse_years() and
split_bullets() make a list of a text.
"""

import re
from collections.abc import Mapping

from tenure.record import replace
from tenure.sources.reading.node import Node
from tenure.sources.schema.spec import fold_key

BOOLEAN_VALUES: Mapping[str, bool] = {
    **dict.fromkeys(("true", "yes", "on"), True),
    **dict.fromkeys(("false", "no", "off"), False),
}
NAME_KEYS = ("name", "title", "label", "text", "language", "organization", "skill", "topic", "area")
_HIDDEN_PLACE_PARTS = frozenset({"lat", "lng", "lon", "latitude", "longitude", "postalcode", "zip"})
NAME_PARTS = (
    ("first", "firstname", "given", "givenname"),
    ("middle", "middlename"),
    ("last", "lastname", "family", "familyname", "surname"),
)
"""The folded keys of each part of a name, in the order in which it is written."""


def read_flag(node: Node) -> bool | None:
    """True or False for a text such as "yes"; None for any other value."""
    return BOOLEAN_VALUES.get(node.text.strip().casefold())


def flatten(node: Node, *, as_markdown: bool = False) -> str:
    """
    A list or mapping of texts as one text; "" if a value is nested too deeply.

    [R, C] -> "R, C"; [R, "C, C++"] -> "R; C, C++"
    {name: Python, level: expert} -> "Python (expert)"; {city: Graz, country: Austria} -> "Graz, Austria"
    {name: MIT, url: https://mit.edu} -> "[MIT](https://mit.edu)" as Markdown, else "MIT"
    {Algebra: A} -> "Algebra: A"
    """
    if isinstance(node.value, str):
        if "\n\n" in node.text:
            return node.text.strip()
        return " ".join(node.text.split())
    if node.items:
        texts = [flatten(item, as_markdown=as_markdown) for item in node.items]
        separator = ", "
        if as_markdown or any("," in text for text in texts):
            separator = "; "
        return separator.join(texts) if all(texts) else ""
    if len(node.mapping) == 1:
        ((key, child),) = node.mapping.items()
        text = flatten(child)
        if text and fold_key(key) not in NAME_KEYS:
            return f"{key}: {text}"
        return text

    written = {key: child for key, child in node.mapping.items() if child.value not in (None, "")}
    facts = {fold_key(key): flatten(child) for key, child in written.items()}
    return _join_facts(facts, as_markdown=as_markdown) if all(facts.values()) else ""


def _join_facts(facts: dict[str, str], *, as_markdown: bool) -> str:
    """
    The parts of a name, a name and what is known of it, or the parts of a place, by folded key.

    {first: Ada, last: Lee} -> "Ada Lee"; {name: Python, level: expert} -> "Python (expert)"; {city: Graz,
    country: Austria} -> "Graz, Austria"
    """
    if name := join_name_parts(facts):
        return name
    name = next((facts.pop(key) for key in NAME_KEYS if key in facts), "")
    url = facts.pop("url", "") if name else ""
    if url and as_markdown:
        name = f"[{name}]({url})"

    # {city: Graz, country: Austria, countryCode: AT}
    if "country" in facts:
        facts.pop("countrycode", "")
    parts = [text for key, text in facts.items() if key not in _HIDDEN_PLACE_PARTS]
    if name and parts:
        return f"{name} ({'; '.join(parts)})"
    return name or ", ".join(dict.fromkeys(parts))


def join_name_parts(texts: Mapping[str, str]) -> str:
    """A name from its parts by folded key: {"first": "Ada", "last": "Example"} -> "Ada Example"; or ""."""
    parts: list[str] = []
    for keys in NAME_PARTS:
        parts += [texts[key] for key in keys if key in texts][:1]
    return " ".join(filter(None, parts))


def list_items(node: Node) -> tuple[Node, ...]:
    """The items of a list, of a text with commas, or of one value."""
    if isinstance(node.value, str):
        return split_at_commas(node).items
    return node.items or (() if node.value is None else (node,))


def split_at_commas(node: Node) -> Node:
    """
    The texts between the commas of a scalar as a list, "R, C" -> R, C, or between its semicolons.

    A text has its own place if the scalar is in one line and without escapes, else that of the scalar.
    """
    # "R, C" in quotes is two columns longer than its text
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
    is_years = len(texts) > 1 and all(re.fullmatch(r"(?:19|20)\d\d", text) for text in texts)
    return tuple(sorted(map(int, texts))) if is_years else ()


def split_bullets(node: Node) -> tuple[Node, ...]:
    """The items of a Markdown list with those of lists in it; () for another text, and for a single item."""
    texts: list[str] = []
    for line in filter(str.strip, node.text.split("\n")):
        bullet = re.match(r"\s*(?:[-*+•–]|\d{1,2}[.)])\s+(?=\S)", line)
        if bullet:
            texts.append(line[bullet.end() :].strip())
        elif texts:
            texts[-1] = f"{texts[-1]} {line.strip()}"
        else:
            return ()
    if len(texts) > 1:
        return tuple(Node(text, node.place) for text in texts)
    return ()
