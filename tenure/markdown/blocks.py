"""Block syntax of Markdown: code fences, admonitions and nested lists, with the labels that their HTML needs."""

import re
from collections.abc import Iterator, Mapping, Sequence

from tenure.record import dataclass

ADMONITION_TITLES: Mapping[str, str] = {
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

THEOREM_LIKE_KINDS = frozenset(ADMONITION_TITLES) - {"note", "tip", "important", "warning", "caution"}
"""Kinds whose name is shown even if they have a title: “Theorem (Cantor)”."""

ADMONITION_SUGGESTIONS: Mapping[str, str] = {
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

ADMONITION_LINE = re.compile(r'(?P<indent> *)!!! ?(?P<kind>[\w-]+)(?: +"(?P<title>.*)")? *')
"""The first line of `!!! note "Title"`."""

ALERT_LINE = re.compile(r"(?P<indent>(?: {0,3}| {4,})> ?)\[!(?P<kind>[\w-]+)\][ \t]*(?P<title>.*?)[ \t]*")
"""The first line of `> [!NOTE] Title`."""

_OPENING_FENCE = re.compile(
    r"(?P<indent> *)(?P<quote>(?:> {0,3})*)(?P<fence>`{3,}|~{3,})[ \t]*(?P<info>[^`]*?)[ \t]*"
)
_CONTAINER_START = re.compile(r"(?:[-*+]|\d+[.)]|!!!|\[\^[^\]]+\]:|:) ?")
_ITEM_START = re.compile(
    r" *(?!(?:[-*] *){3,}$)"
    r"(?:(?P<point>[-*+] +)(?=\S)|(?P<number>\d+\. +)(?=\S)|(?P<box>!!! ?\w|\[\^[^\]]+\]:|:(?= )))"
)
"""First line of a container: a list item (not a rule such as `* * *`), admonition, footnote or definition."""

_LIST_GROUPS = ("point", "number")
_FENCE_LANGUAGE = re.compile(r"\{?\s*\.?([\w#+./-]+)")


@dataclass(frozen=True, slots=True)
class MarkdownLabels:
    """The labels in the HTML of a Markdown text, in the language of the text."""

    table: str = "Table"
    footnotes: str = "Footnotes"
    back_to_text: str = "Back to the text"
    task_done: str = "done"
    task_open: str = "to do"
    contents: str = "Contents"
    admonition_titles: tuple[tuple[str, str], ...] = tuple(ADMONITION_TITLES.items())


ENGLISH_LABELS = MarkdownLabels()


def obfuscate_email(email: str, ampersand: str = "&") -> str:
    """
    An e-mail address as HTML character references, which few address harvesters recognise.

    Decimal and hexadecimal references alternate. `ampersand` is written in place of "&".
    """
    return "".join(
        f"{ampersand}#{ord(c)};" if i % 3 else f"{ampersand}#x{ord(c):x};" for i, c in enumerate(email)
    )


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
        match = _FENCE_LANGUAGE.match(self.info)
        return match[1] if match else ""


def find_fences(lines: Sequence[str]) -> Iterator[Fence]:
    """
    Yield the fenced code blocks of a text in order; an unclosed block ends with its container.

    Source: CommonMark 0.31, section 4.5. Fences in lists, quotations, footnotes and admonitions are included.
    """
    index = 0
    while index < len(lines):
        line = lines[index].expandtabs(4) if "```" in lines[index] or "~~~" in lines[index] else ""
        opening = _OPENING_FENCE.fullmatch(line)
        margin = _find_container_margin(lines, index, len(opening["indent"])) if opening else None
        if opening is None or margin is None:
            index += 1
            continue
        fence = _read_fence(lines, index, opening, margin)
        yield fence
        index = fence.last + 1


def _read_fence(lines: Sequence[str], first: int, opening: re.Match[str], margin: str) -> Fence:
    width, quote = len(opening["indent"]), opening["quote"].rstrip()
    code_lines: list[str] = []
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
        code_lines.append(line)
    text = "\n".join(code_lines)
    return Fence(
        first,
        last,
        margin + opening["quote"],
        opening["info"],
        text if closed else text.rstrip("\n"),
        closed,
    )


def normalize_nesting(lines: Sequence[str]) -> list[str]:
    """
    Indent the content of lists, footnotes and admonitions by four spaces per level, as Python-Markdown needs it.

    In the source, content is indented as far as the text of its item (CommonMark 0.31, section 5.2), or by four
    spaces. An empty line is added before an item that ends a paragraph of another list, or several lists.
    """
    result: list[str] = []
    open_items: list[tuple[int, str]] = []  # the column where the text of each open item begins, and its kind
    fence_starts = {
        number: fence.first for fence in find_fences(lines) for number in range(fence.first, fence.last + 1)
    }
    kind, paragraph_level, shift = "", 0, 0
    for number, line in enumerate(lines):
        indent = len(line) - len(line.lstrip(" "))
        starts_block = (
            not result or not result[-1].strip() or result[-1].startswith("#") or number in fence_starts
        )
        item = _ITEM_START.match(line) if open_items or starts_block else None
        if line.strip() and fence_starts.get(number, number) == number:
            if item or starts_block:
                level = sum(column <= indent for column, _ in open_items)
                previous_kind, kind = kind, (item and item.lastgroup) or ""
                ends_list = previous_kind not in _LIST_GROUPS or any(
                    item_kind != kind for _, item_kind in open_items[level : level + 1]
                )
                if item and not starts_block and (ends_list or level < paragraph_level):
                    result.append("")
                    starts_block = True
                paragraph_level = level if starts_block else paragraph_level
                open_items = open_items[:level]
            is_code = indent >= 4 + (open_items[-1][0] if open_items else 0)
            shift = 0 if is_code or (kind in _LIST_GROUPS and not item) else 4 * len(open_items) - indent
            if item and not is_code:
                open_items.append(
                    (indent + (min(4, item.end() - indent) if kind in _LIST_GROUPS else 4), kind)
                )
        result.append(" " * shift + line if line.strip() else line)
    return result


def _find_container_margin(lines: Sequence[str], index: int, indent_limit: int) -> str | None:
    """The margin of the container of a line indented by `indent_limit`; None if the line is indented code."""
    for line in reversed(lines[:index] if indent_limit else ()):
        content = line.expandtabs(4)
        indent = len(content) - len(content.lstrip(" "))
        if content.strip() and indent < indent_limit:
            if _CONTAINER_START.match(content.lstrip(" ")):
                return " " * (indent // 4 + 1) * 4
            if indent == 0:
                break
    return "" if indent_limit < 4 else None
