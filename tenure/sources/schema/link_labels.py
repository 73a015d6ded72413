"""Labels and URLs of links in the spellings of people and of other systems."""

import re
from collections.abc import Iterator

from tenure.sources.node import Node
from tenure.sources.schema.aliases import fold_key

LINK_LABEL_KEYS = ("name", "label", "title", "text", "network", "platform", "site", "service", "type", "icon")
LINK_URL_KEYS = ("url", "link", "href", "address", "username", "user", "handle", "id", "value")


def shorten_for_message(text: str) -> str:
    """A text on one line, at most 40 characters, for a message."""
    line = " ".join(text.split())
    return line if len(line) <= 40 else line[:39].rstrip() + "…"


def list_link_pairs(node: Node) -> list[tuple[Node, Node]]:
    """Pairs of label and URL nodes in order; a missing label is an empty node."""
    if isinstance(node.value, str):
        return [(Node(None, node.place), node)]
    if isinstance(node.value, tuple):
        return [pair for item in node.value for pair in list_link_pairs(item)]
    if {"label", "url"} == set(node.mapping):
        return [(node.mapping["label"], node.mapping["url"])]
    if len(node.mapping) > 1 and find_link_url(node) != "…":
        return [(Node(None, node.place), node)]
    return [(Node(key, node.key_place(key)), child) for key, child in node.mapping.items()]


def find_link_label(node: Node) -> str:
    """The label of another system's link in lower case, for use as a key; "" if it has none."""
    keys = ("name", "label", "title", "text", "type", "network", "icon")
    return next((node.mapping[key].text.casefold() for key in keys if key in node.mapping), "")


def find_link_url(node: Node) -> str:
    """The URL or user name in another system's link, shortened for a message; "…" if it has none."""
    keys = ("url", "link", "href", "username", "user", "id")
    return next((shorten_for_message(node.mapping[key].text) for key in keys if key in node.mapping), "…")


def normalize_links(node: Node) -> Node:
    """Return links in any form as a list of {label: URL}, or the same node if no link is nested."""
    links = tuple(_normalize_each_link(node))
    return (
        node if not any(is_new for _, is_new in links) else Node(tuple(link for link, _ in links), node.place)
    )


def _normalize_each_link(node: Node) -> Iterator[tuple[Node, bool]]:
    if node.items:
        for item in node.items:
            yield from _normalize_each_link(item)
        return
    link = _parse_labelled_link(node)
    if link is not None:
        yield link, True
        return
    for key, child in node.mapping.items():
        nested_link = _parse_labelled_link(child, key) if child.mapping else None
        yield (
            nested_link or Node({key: child}, child.place, {key: node.key_place(key)}),
            nested_link is not None,
        )
    if isinstance(node.value, str):
        yield node, False


def _parse_labelled_link(node: Node, label: str = "") -> Node | None:
    """Return a link that has one key for its label and one for its URL, or None."""
    nodes_by_key = {fold_key(key): child for key, child in node.mapping.items()}
    url_node = next(
        (nodes_by_key[key] for key in LINK_URL_KEYS if key in nodes_by_key and nodes_by_key[key].text), None
    )
    labels = [
        nodes_by_key[key].text for key in LINK_LABEL_KEYS if key in nodes_by_key and nodes_by_key[key].text
    ]
    if url_node is None or (not labels and not label):
        return None
    if not label and "icon" in nodes_by_key and len(labels) == 1:
        label = re.split(r"[\s/]+", labels[0])[-1].removeprefix("fa-")
        label = "Email" if url_node.text.startswith("mailto:") else label
    link_text = label or labels[0]
    return Node({link_text: url_node}, node.place, {link_text: url_node.place})


def label_from_key(key: str) -> str:
    """Return the label of a link from its key: "demo" for "demo_url", "url_demo" and "demoLink"."""
    words = capitalize_key(key).split(" ")
    affixes = ("url", "link", "uri", "href")
    if len(words) > 1 and words[-1].casefold() in affixes:
        words = words[:-1]
    elif len(words) > 1 and words[0].casefold() in affixes:
        words = words[1:]
    return " ".join(words).casefold() if len(words) == 1 else " ".join(words)


def capitalize_key(key: str) -> str:
    """Return a key as a label: "Field of study" for "field_of_study"."""
    text = re.sub(r"(?<=[a-z])(?=[A-Z])|_+", " ", key).strip()
    return text[:1].upper() + text[1:]


def flatten_text(node: Node) -> str:
    """Return a value as one text, or "" if the value is nested."""
    if node.items and all(isinstance(item.value, str) for item in node.items):
        return ", ".join(item.text.strip() for item in node.items)
    return " ".join(node.text.split())


def format_named_link(node: Node, *, as_markdown: bool) -> Node:
    """Return a name with a URL as a Markdown link or as the name alone. A text is returned unchanged."""
    name = next(
        (node.mapping[key].text for key in ("name", "title", "organization") if key in node.mapping), ""
    )
    url = node.mapping["url"].text if "url" in node.mapping else ""
    if not name:
        return node
    return Node(f"[{name}]({url})" if url and as_markdown else name, node.place)
