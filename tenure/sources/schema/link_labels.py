"""Labels and URLs of links in the spellings of people and of other systems."""

from tenure.sources.node import Node


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
