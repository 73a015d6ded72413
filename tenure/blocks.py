"""Block syntax of Markdown: code fences, admonitions and nested lists, with the labels that their HTML needs."""

import re
from collections.abc import Iterator, Mapping, Sequence

from tenure.frozen import dataclass

ADMONITIONS: Mapping[str, str] = {
    "note": "Note",
    "tip": "Tip",
    "important": "Important",
    "warning": "Warning",
    "caution": "Caution",
    "example": "Example",
    "question": "Question",
    "definition": "Definition",
    "theorem": "Theorem",
    "lemma": "Lemma",
    "proposition": "Proposition",
    "corollary": "Corollary",
    "proof": "Proof",
    "remark": "Remark",
}
"""Admonition kinds with their English titles. Source of the first five: GitHub Docs, "Alerts"."""

STATEMENTS = frozenset(ADMONITIONS) - {"note", "tip", "important", "warning", "caution"}
"""Kinds whose name is shown even if they have a title: “Theorem (Cantor)”."""

ELSEWHERE: Mapping[str, str] = {
    "info": "note",
    "abstract": "note",
    "summary": "note",
    "hint": "tip",
    "success": "tip",
    "attention": "warning",
    "danger": "caution",
    "error": "caution",
    "bug": "caution",
    "failure": "caution",
    "faq": "question",
    "help": "question",
}
"""Admonition kinds of other tools, with the kind to use here."""

MARKED = re.compile(r'(?P<indent> *)!!! ?(?P<kind>[\w-]+)(?: +"(?P<title>.*)")? *')
"""The first line of `!!! note "Title"`."""

ALERT = re.compile(r"(?P<indent>(?: {0,3}| {4,})> ?)\[!(?P<kind>[\w-]+)\][ \t]*(?P<title>.*?)[ \t]*")
"""The first line of `> [!NOTE] Title`."""

_OPENING = re.compile(
    r"(?P<indent> *)(?P<quote>(?:> {0,3})*)(?P<fence>`{3,}|~{3,})[ \t]*(?P<info>[^`]*?)[ \t]*"
)
_HOLDS = re.compile(r"(?:[-*+]|\d+[.)]|!!!|\[\^[^\]]+\]:|:) ?")
_ITEM = re.compile(
    r" *(?!(?:[-*] *){3,}$)"
    r"(?:(?P<point>[-*+] +)(?=\S)|(?P<number>\d+\. +)(?=\S)|(?P<box>!!! ?\w|\[\^[^\]]+\]:|:(?= )))"
)
"""First line of a container: a list item (not a rule such as `* * *`), admonition, footnote or definition."""

_LISTS = ("point", "number")
_LANGUAGE = re.compile(r"\{?\s*\.?([\w#+./-]+)")


@dataclass(frozen=True, slots=True)
class Wording:
    """The labels in the HTML of a Markdown text, in the language of the text."""

    table: str = "Table"
    footnotes: str = "Footnotes"
    back: str = "Back to the text"
    done: str = "done"
    undone: str = "to do"
    contents: str = "Contents"
    admonitions: tuple[tuple[str, str], ...] = tuple(ADMONITIONS.items())


ENGLISH = Wording()


def veiled(words: str, sign: str = "&") -> str:
    """
    An e-mail address as HTML character references, which few address harvesters recognise.

    Decimal and hexadecimal references alternate. `ampersand` is written in place of "&".
    """
    return "".join(f"{sign}#{ord(c)};" if i % 3 else f"{sign}#x{ord(c):x};" for i, c in enumerate(words))


@dataclass(frozen=True, slots=True)
class Fence:
    """
    A fenced code block; `first` and `last` are its line numbers, from 0.

    `margin` is the text before the lines of its container: spaces and quotation marks (">").
    """

    first: int
    last: int
    margin: str
    info: str
    code: str
    closed: bool

    @property
    def language(self) -> str:
        """The language named by the opening fence, or ""."""
        found = _LANGUAGE.match(self.info)
        return found[1] if found else ""


def fences(lines: Sequence[str]) -> Iterator[Fence]:
    """
    Yield the fenced code blocks of a text in order; an unclosed block ends with its container.

    Source: CommonMark 0.31, section 4.5. Fences in lists, quotations, footnotes and admonitions are included.
    """
    at = 0
    while at < len(lines):
        line = lines[at].expandtabs(4) if "```" in lines[at] or "~~~" in lines[at] else ""
        opening = _OPENING.fullmatch(line)
        margin = _margin(lines, at, len(opening["indent"])) if opening else None
        if opening is None or margin is None:
            at += 1
            continue
        fence = _fence(lines, at, opening, margin)
        yield fence
        at = fence.last + 1


def _fence(lines: Sequence[str], first: int, opening: re.Match[str], margin: str) -> Fence:
    width, quote = len(opening["indent"]), opening["quote"].rstrip()
    code: list[str] = []
    closed = False
    last = first
    for last in range(first + 1, len(lines)):
        line = lines[last].expandtabs(4) if "\t" in lines[last][: width + 4] else lines[last]
        line = line[min(width, len(line) - len(line.lstrip(" "))) :]
        if quote:
            if not line.startswith(quote[:1]):
                last -= 1  # noqa: PLW2901 - the quotation ended before this line
                break
            line = re.sub(rf"(?:> ?){{1,{quote.count('>')}}}", "", line, count=1)
        if re.fullmatch(rf" {{0,3}}{re.escape(opening['fence'][0])}{{{len(opening['fence'])},}}\s*", line):
            closed = True
            break
        code.append(line)
    words = "\n".join(code)
    return Fence(
        first,
        last,
        margin + opening["quote"],
        opening["info"],
        words if closed else words.rstrip("\n"),
        closed,
    )


def nested(lines: Sequence[str]) -> list[str]:
    """
    Indent the content of lists, footnotes and admonitions by four spaces per level, as Python-Markdown needs it.

    In the source, content is indented as far as the text of its item (CommonMark 0.31, section 5.2), or by four
    spaces. An empty line is added before an item that ends a paragraph of another list, or several lists.
    """
    made: list[str] = []
    held: list[tuple[int, str]] = []  # the column where the text of each open item begins, and its kind
    codes = {number: fence.first for fence in fences(lines) for number in range(fence.first, fence.last + 1)}
    kind, floor, moved = "", 0, 0
    for number, line in enumerate(lines):
        indent = len(line) - len(line.lstrip(" "))
        begins = not made or not made[-1].strip() or made[-1].startswith("#") or number in codes
        item = _ITEM.match(line) if held or begins else None
        if line.strip() and codes.get(number, number) == number:
            if item or begins:
                level = sum(column <= indent for column, _ in held)
                before, kind = kind, (item and item.lastgroup) or ""
                ends = before not in _LISTS or any(other != kind for _, other in held[level : level + 1])
                if item and not begins and (ends or level < floor):
                    made.append("")
                    begins = True
                floor = level if begins else floor
                held = held[:level]
            is_code = indent >= 4 + (held[-1][0] if held else 0)
            moved = 0 if is_code or (kind in _LISTS and not item) else 4 * len(held) - indent
            if item and not is_code:
                held.append((indent + (min(4, item.end() - indent) if kind in _LISTS else 4), kind))
        made.append(" " * moved + line if line.strip() else line)
    return made


def _margin(lines: Sequence[str], at: int, width: int) -> str | None:
    """The margin of the container of a line indented by `indent_limit`; None if the line is indented code."""
    for line in reversed(lines[:at] if width else ()):
        bare = line.expandtabs(4)
        indent = len(bare) - len(bare.lstrip(" "))
        if bare.strip() and indent < width:
            if _HOLDS.match(bare.lstrip(" ")):
                return " " * (indent // 4 + 1) * 4
            if indent == 0:
                break
    return "" if width < 4 else None
