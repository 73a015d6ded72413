"""Bullets that are written as a Markdown list in one text."""

import re

from tenure.record import Record
from tenure.sources.node import Node

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
