"""Links as people and other systems write them: which words are the label, and which the address."""

from tenure.sources.tree import Node


def short(words: str) -> str:
    """Words on one line, cut for a message."""
    line = " ".join(words.split())
    return line if len(line) <= 40 else line[:39].rstrip() + "…"


def labelled(node: Node) -> list[tuple[Node, Node]]:
    """Pairs of label and address nodes in order."""
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
    """What another system's link is called, in a word that can be a key."""
    keys = ("name", "label", "title", "text", "type", "network", "icon")
    return next((node.entries[key].words.casefold() for key in keys if key in node.entries), "")


def address_in(node: Node) -> str:
    """Where another system's link leads."""
    keys = ("url", "link", "href", "username", "user", "id")
    return next((short(node.entries[key].words) for key in keys if key in node.entries), "…")
