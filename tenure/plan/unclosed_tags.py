"""
Finds elements and comments of HTML in a Markdown text that are never closed, and end tags that close nothing.
"""

import re
from collections.abc import Iterable, Iterator

from tenure.markdown.html_tags import VOID_ELEMENTS
from tenure.record import Record

OPTIONAL_ENDS = frozenset("p li dt dd tr td th thead tbody option html head body".split())
"""Elements whose end tag HTML lets out. Source: HTML Standard, 13.1.2.4 "Optional tags"."""

_RAW_ELEMENTS = "iframe|noembed|noframes|plaintext|script|style|template|textarea|title|xmp"
"""Elements with text alone; one without an end is reported with what the policy of its page blocks."""

_MARKUP = re.compile(
    rf"""
      <!-- (?: .*? (?P<comment_end>-->) | )                                 # a comment
    | <(?P<raw>{_RAW_ELEMENTS})\b [^<>]* > (?: .*? </(?P=raw)\s*> | .* )    # <script>if (a < b) c()</script>
    | (?<!\{{) < (?P<slash>/?) (?P<name>[a-z][\w:-]*)                       # <img
      (?P<attributes>(?:\s(?:[^<>"']|"[^"]*"|'[^']*')*)?) (?P<is_empty>/?) >  # alt="a > b"/>
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
MAX_TAGS = 20
"""So many tags of a file are reported."""

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n.*?\n(?:---|\.\.\.)[ \t]*$", re.DOTALL | re.MULTILINE)


class UnclosedTag(Record):
    """A tag or the start of a comment, as it is written, with its line from 0, a message and a repair."""

    line: int
    text: str
    message: str
    hint: str


def find_unclosed_tags(text: str) -> list[UnclosedTag]:
    """
    The tags of a Markdown file that another one should close or open, outside of code.

    Most files have none, also with the tags in their code; only the others are parsed.
    """
    text = _FRONT_MATTER.sub(lambda match: "\n" * match[0].count("\n"), text)
    if not any(_match_tags([(0, text)])):
        return []
    return sorted(_match_tags(_list_html(text)), key=lambda tag: tag.line)[:MAX_TAGS]


def _list_html(text: str) -> Iterator[tuple[int, str]]:
    """The HTML in a text as the parser reads it, each part with its first line."""
    from tenure.markdown.parser import parse_blocks, parse_inline

    environment: dict[str, object] = {}
    tokens = parse_blocks(text, "page", environment)
    parse_inline(tokens, "page", environment)
    line = 0
    for token in tokens:
        line = token.map[0] if token.map else line
        if token.type == "html_block":
            yield line, token.content
        number = line
        for child in token.children or ():
            if child.type == "html_inline":
                yield number, child.content
            number += child.content.count("\n") + (child.type in ("softbreak", "hardbreak"))


def _match_tags(parts: Iterable[tuple[int, str]]) -> Iterator[UnclosedTag]:
    """The tags in some parts of HTML that have no counterpart; those of one name are counted."""
    lines: list[int] = []
    texts: list[str] = []
    for line, part in parts:
        texts += (part_lines := part.split("\n"))
        lines += range(line, line + len(part_lines))

    markup = "\n".join(texts)
    position = 0
    number = 0
    open_tags: dict[str, list[UnclosedTag]] = {}
    for match in _MARKUP.finditer(markup):
        number += markup.count("\n", position, match.start())
        position = match.start()
        line = lines[number]
        name = (match["name"] or "").lower()

        if match[0].startswith("<!--") and not match["comment_end"]:
            yield UnclosedTag(
                line, "<!--", "this comment is never closed, and hides what follows", "end it with -->"
            )
            break
        # <path/> has no end tag within <svg> or <math>; <div/> is an open tag
        is_drawn = bool(open_tags.get("svg") or open_tags.get("math"))
        if not name or name in VOID_ELEMENTS | OPTIONAL_ENDS or (match["is_empty"] and is_drawn):
            continue
        if not match["slash"]:
            hint = f"close it: </{name}>, or write &lt; if it is text"
            tag = UnclosedTag(line, match[0].partition("\n")[0], f"<{name}> is never closed", hint)
            open_tags.setdefault(name, []).append(tag)
        elif open_tags.get(name):
            open_tags[name].pop()
        else:
            yield UnclosedTag(line, match[0], f"{match[0]} closes nothing", "delete it")
    for tags in open_tags.values():
        yield from tags
