"""Labels and URLs of links in the spellings of people and of other systems."""

from tenure.sources.tree import Node


def short(words: str) -> str:
    """A text on one line, at most 40 characters, for a message."""
    line = " ".join(words.split())
    return line if len(line) <= 40 else line[:39].rstrip() + "…"


def labelled(node: Node) -> list[tuple[Node, Node]]:
    """Pairs of label and URL nodes in order; a missing label is an empty node."""
    if isinstance(node.value, str):
        return [(Node(None, node.place), node)]
    if isinstance(node.value, tuple):
        return [pair for item in node.value for pair in labelled(item)]
    if {"label", "url"} == set(node.entries):
        return [(node.entries["label"], node.entries["url"])]
    if len(node.entries) > 1 and address_in(node) != "…":
        return [(Node(None, node.place), node)]
    return [(Node(key, node.key_place(key)), child) for key, child in node.entries.items()]


def label_in(node: Node) -> str:
    """The label of another system's link in lower case, for use as a key; "" if it has none."""
    keys = ("name", "label", "title", "text", "type", "network", "icon")
    return next((node.entries[key].words.casefold() for key in keys if key in node.entries), "")


def address_in(node: Node) -> str:
    """The URL or user name in another system's link, shortened for a message; "…" if it has none."""
    keys = ("url", "link", "href", "username", "user", "id")
    return next((short(node.entries[key].words) for key in keys if key in node.entries), "…")
