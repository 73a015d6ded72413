"""Block syntax of Markdown: code fences, admonitions and nested lists, with the labels that their HTML needs."""

import re
from collections.abc import Iterator, Mapping, Sequence

from tenure.limits import MAX_NESTING
from tenure.record import Record

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

ALERT_LINE = re.compile(r" *> ?\[!(?P<kind>[\w-]+)\].*")
"""The first line of `> [!NOTE] Title`."""

CODE_PLACEHOLDER = re.compile(r" *\x02wzxhzdk:\d+\x03")
"""The placeholder line of a code block during the conversion by Python-Markdown."""

_OPENING_FENCE = re.compile(r"(?P<margin>[> ]*)(?P<fence>`{3,}|~{3,})[ \t]*(?P<info>[^`]*?)[ \t]*")
_CONTAINER_START = re.compile(r"(?:[-*+]|\d+[.)]|!!!|\[\^[^\]]+\]:|:) ?")
_ITEM_START = re.compile(
    r" *(?!(?:[-*] *){3,}$)"
    r"(?:(?P<point>[-*+] +)(?=\S)|(?P<number>\d+\. +)(?=\S)|(?P<box>!!! ?\w|\[\^[^\]]+\]:|:(?= )))"
)
"""First line of a container: a list item (not a rule such as `* * *`), admonition, footnote or definition."""

_INTERRUPTING_ITEM = re.compile(r" {0,3}(?!(?:[-*] *){3,}$)(?:[-*+]|1\.) +\S")
"""An item that ends a paragraph: any bullet, and the number 1, but not “1986. A great year” (CommonMark 0.31, section 5.3)."""

_BLOCK_TAG = re.compile(
    r" {0,3}<(address|article|aside|center|details|div|fieldset|figure|footer|form|header|main|nav|section)((?:\s[^<>]*)?)>"
)
"""The start tag of an element that may contain blocks."""

_VERBATIM_TAG = re.compile(r"<(/?)(?:pre|script|style|textarea)\b")

_LIST_GROUPS = ("point", "number")
_FENCE_LANGUAGE = re.compile(r"\{?\s*\.?([\w#+./-]+)")


class MarkdownLabels(Record):
    """The labels in the HTML of a Markdown text, in the language of the text."""

    table: str = "Table"
    footnotes: str = "Footnotes"
    back_to_text: str = "Back to the text"
    task_done: str = "done"
    task_open: str = "to do"
    contents: str = "Contents"
    admonition_titles: tuple[tuple[str, str], ...] = tuple(ADMONITION_TITLES.items())


ENGLISH_LABELS = MarkdownLabels()


def title_admonition(kind: str, title: str | None, labels: MarkdownLabels) -> str:
    """The title of an admonition in the language of the text; `title` is as the author wrote it, or None."""
    name = dict(labels.admonition_titles).get(kind, kind.capitalize())
    if title is None:
        return name
    return f"{name} ({title})" if kind in THEOREM_LIKE_KINDS and title else title


def obfuscate_email(email: str, ampersand: str = "&") -> str:
    """
    An e-mail address as HTML character references, which few address harvesters recognise.

    Decimal and hexadecimal references alternate. `ampersand` is written in place of "&".
    """
    return "".join(
        f"{ampersand}#{ord(c)};" if i % 3 else f"{ampersand}#x{ord(c):x};" for i, c in enumerate(email)
    )


class Fence(Record):
    """
    A fenced code block; `first` and `last` are its line numbers, from 0.

    `margin` is the text before each of its lines: spaces and quotation marks (">").
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
    Yield the fenced code blocks of a text in order, by the rules of the extension `pymdownx.superfences`.

    Each line of the code must be indented and quoted like its opening fence. An unclosed block ends before the first
    line that is not.
    """
    index = 0
    while index < len(lines):
        opening = _OPENING_FENCE.fullmatch(lines[index].expandtabs(4))
        if opening is None or _is_indented_code(lines, index, opening["margin"]):
            index += 1
            continue
        fence = _read_fence(lines, index, opening)
        yield fence
        index = fence.last + 1


def _read_fence(lines: Sequence[str], first: int, opening: re.Match[str]) -> Fence:
    margin = opening["margin"]
    code_lines: list[str] = []
    for number in range(first + 1, len(lines)):
        line = lines[number].expandtabs(4)
        is_inside = line[: len(margin)].count(">") == margin.count(">") and not line[: len(margin)].strip(
            "> "
        )
        if not is_inside and (">" in margin or line.strip()):
            return Fence(first, number - 1, margin, opening["info"], "\n".join(code_lines), closed=False)
        if line[len(margin) :].rstrip() == opening["fence"]:
            return Fence(first, number, margin, opening["info"], "\n".join(code_lines), closed=True)
        code_lines.append(line[len(margin) :])
    return Fence(first, len(lines) - 1, margin, opening["info"], "\n".join(code_lines), closed=False)


def _is_indented_code(lines: Sequence[str], index: int, margin: str) -> bool:
    """Whether a line is indented by four spaces and not part of a list item, admonition, footnote or definition."""
    indent_limit = len(margin) - len(margin.lstrip(" "))
    for line in reversed(lines[:index] if indent_limit >= 4 else ()):
        content = line.expandtabs(4)
        indent = len(content) - len(content.lstrip(" "))
        if content.strip() and indent < indent_limit:
            if _CONTAINER_START.match(content.lstrip(" ")):
                return False
            if indent == 0:
                break
    return indent_limit >= 4


def _can_be_interrupted(paragraph: Sequence[str]) -> bool:
    """Whether a list may end these lines: they are text, and not HTML, a table or a part of a formula."""
    return (
        bool(paragraph)
        and not paragraph[0].startswith(("<", "    ", "|"))
        and "\n".join(paragraph).count("$$") % 2 == 0
    )


def escape_open_brackets(text: str) -> str:
    """
    Escape the brackets and the targets of links that are never closed, in paragraphs with more than MAX_NESTING of them.

    Python-Markdown searches the end of a link from each bracket, in a time that grows with the square of their number.
    """
    if text.count("[") <= MAX_NESTING:
        return text
    return "\n\n".join(map(_escape_open_brackets_of_paragraph, text.split("\n\n")))


def _escape_open_brackets_of_paragraph(paragraph: str) -> str:
    open_brackets: list[int] = []
    open_targets: list[int] = []
    for match in re.finditer(r"\\.|\[|\](\(?)|\)", paragraph, re.DOTALL):
        if match[0] == "[":
            open_brackets.append(match.start())
        elif match[0] == ")":
            del open_targets[-1:]
        elif match[0][0] == "]":
            del open_brackets[-1:]
            open_targets += [match.start(1)] if match[1] else []
    if len(open_brackets) + len(open_targets) <= MAX_NESTING:
        return paragraph
    positions = sorted([*open_brackets, *open_targets])
    return "\\".join(
        paragraph[start:end] for start, end in zip([0, *positions], [*positions, None], strict=True)
    )


def mark_open_elements(lines: Sequence[str]) -> list[str]:
    """
    Add the attribute `markdown` to start tags of elements that contain Markdown after an empty line.

    In CommonMark 0.31, section 4.6, a block of HTML ends at the first empty line; Python-Markdown needs the attribute.
    """
    result = list(lines)
    for index, line in enumerate(lines):
        match = _BLOCK_TAG.match(line)
        if match is None or "markdown" in match[2]:
            continue
        end = next((n for n in range(index, len(lines)) if not lines[n].strip()), len(lines))
        if end < len(lines) and f"</{match[1]}" not in "\n".join(lines[index:end]):
            result[index] = f'{line[: match.end() - 1]} markdown="1"{line[match.end() - 1 :]}'
    return result


def normalize_nesting(lines: Sequence[str]) -> list[str]:
    """
    Indent the content of lists, footnotes and admonitions by four spaces per level, as Python-Markdown needs it.

    In the source, content is indented as far as the text of its item (CommonMark 0.31, section 5.2), or by four
    spaces. An empty line is added around code, before a list directly after a line of text, and before an item that ends a
    paragraph of another list, or several lists.
    """
    result: list[str] = []
    open_items: list[tuple[int, str]] = []  # the column where the text of each open item begins, and its kind
    kind, paragraph_level, shift = "", 0, 0
    paragraph_start, is_verbatim = 0, False
    for line in lines:
        for tag in _VERBATIM_TAG.findall(line):
            is_verbatim = not tag
        if result and not result[-1].strip():
            paragraph_start = len(result)
        if (
            not (open_items or is_verbatim)
            and _INTERRUPTING_ITEM.match(line)
            and _can_be_interrupted(result[paragraph_start:])
        ):
            result.append("")
        indent = len(line) - len(line.lstrip(" "))
        if (
            result
            and result[-1].strip()
            and line.strip()
            and (CODE_PLACEHOLDER.fullmatch(line) or CODE_PLACEHOLDER.fullmatch(result[-1]))
        ):
            result.append("")
        starts_block = not result or not result[-1].strip() or result[-1].startswith("#")
        item = _ITEM_START.match(line) if open_items or starts_block else None
        if line.strip():
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
