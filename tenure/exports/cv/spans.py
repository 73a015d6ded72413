"""
The texts of a CV as a tree, which the emitter of a format walks.

A phrase is a text with marks around its parts, so that phrases are joined like other texts; its tree are
texts and Spans. Below the head of an entry are TextBlocks: paragraphs, lists, tables …

"On " + mark_phrase("emph", "wool") is read as ("On ", Span("emph", "", ("wool",))).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tenure.presentation.writer import Phrase

OPEN = "\x0e"
SEPARATOR = "\x1f"
CLOSE = "\x0f"
"""The mark of the kind "emph" around "a" is OPEN emph SEPARATOR SEPARATOR a CLOSE."""

PARAGRAPHS = ("paragraph", "fact", "label")
"""
A paragraph of a text; a fact is a line of values, "Technologies: Rust, Go"; a label stands above a list.

A "part" of a letter, such as its address, is a paragraph with a wide gap before it.
"""

LISTS = ("bullets", "numbers")

_TOKEN = re.compile(
    r"""
    (?P<text>[^\x0e\x0f]+)
    | \x0e(?P<kind>[^\x1f]*)\x1f(?P<value>[^\x1f]*)\x1f
    | \x0f
    """,
    re.VERBOSE,
)

_MARKS = re.compile(r"\x0e[^\x1f]*\x1f[^\x1f]*\x1f|\x0f")
"""The marks of a phrase: OPEN with kind and value, and CLOSE; `_TOKEN` is one of them, or a text between."""

_UNWRITTEN_CHARACTERS = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\ufeff\ufffe\uffff]")
"""Control characters and noncharacters, which PDF/UA and XML refuse."""


class Span(NamedTuple):
    """
    A part of a text with a meaning, such as "emph", "link" or "own", the name of the owner.

    `value` is the URL of a link, the anchor of a reference, and the tree of a formula as JSON.
    """

    kind: str
    value: str
    parts: "tuple[Span | str, ...]"

    @property
    def text(self) -> str:
        """The text without its marks."""
        return "".join(part if isinstance(part, str) else part.text for part in self.parts)


class TextBlock(NamedTuple):
    """
    A block: a "paragraph" of a text, a "fact", the "label" of a list, a list ("bullets", "numbers"), …

    `items` are the blocks of each item of a list, and of what a "quote" or a "description" contains; `rows`
    are the cells of a table, of which the first may be its head. The text of a "signature" is its file.
    """

    kind: str
    text: Phrase = ""
    items: "tuple[tuple[TextBlock, ...], ...]" = ()
    start: int = 1
    rows: tuple[tuple[Phrase, ...], ...] = ()
    has_head: bool = False


def clean_text(text: str) -> str:
    """A text without characters that no document shows, and without marks."""
    return text if text.isprintable() else _UNWRITTEN_CHARACTERS.sub("", text)


def mark_phrase(kind: str, phrase: Phrase, value: str = "") -> Phrase:
    """A phrase as a span."""
    return f"{OPEN}{kind}{SEPARATOR}{value}{SEPARATOR}{phrase}{CLOSE}"


LINE_BREAK = mark_phrase("break", "")
_EDGES = re.compile(rf"^(?: |{LINE_BREAK})+|(?: |{LINE_BREAK})+$")
"""Spaces and line breaks at the ends of a paragraph."""


def read_text(phrase: Phrase) -> str:
    """The text of a phrase."""
    return _MARKS.sub("", phrase) if OPEN in phrase else phrase


def has_words(phrase: Phrase) -> bool:
    """Whether a phrase has more than spaces."""
    return read_text(phrase).strip(" ") != ""


def read_phrase(phrase: Phrase) -> tuple[Span | str, ...]:
    """The tree of a phrase: texts and spans."""
    # kind, value and parts of each span that is open; the first is the phrase itself
    opened: list[tuple[str, str, list[Span | str]]] = [("", "", [])]
    for token in _TOKEN.finditer(phrase):
        if token["text"]:
            opened[-1][2].append(token["text"])
        elif token["kind"] is not None:
            opened.append((token["kind"], token["value"], []))
        else:
            kind, value, parts = opened.pop()
            opened[-1][2].append(Span(kind, value, tuple(parts)))
    return tuple(opened[0][2])


def make_paragraph(phrase: Phrase, kind: str = "paragraph") -> list[TextBlock]:
    """A paragraph as a list of one block, or [] without words."""
    words = _EDGES.sub("", phrase)
    return [TextBlock(kind, words)] if has_words(words) else []


def make_list(items: Iterable[Sequence[TextBlock]], kind: str = "bullets", start: int = 1) -> list[TextBlock]:
    """A list as a list of one block, or [] without items."""
    contents = tuple(map(tuple, items))
    return [TextBlock(kind, items=contents, start=start)] if contents else []


def find_gaps(blocks: Sequence[TextBlock]) -> Iterator[tuple[TextBlock, bool]]:
    """
    Each block, and whether there is a gap before it: between the paragraphs of a text, not between facts.

    In a letter, which has parts, there is one after a list too.
    """
    before = ""
    kinds = {block.kind for block in blocks}
    has_text = "paragraph" in kinds
    separated = (*PARAGRAPHS, *LISTS, "part") if "part" in kinds else PARAGRAPHS
    for block in blocks:
        has_gap = {
            "label": before != "",
            "fact": before in LISTS and has_text,
            "paragraph": before in separated,
        }
        yield block, has_gap.get(block.kind, False)
        before = block.kind
