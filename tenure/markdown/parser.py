"""
Markdown to tokens by markdown-it-py: CommonMark with tables, strikethrough, footnotes, definition lists, boxes and formulas.

Each rule of a block reads forward only from its first line, so the time of a text grows with its size.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.helpers import parseLinkDestination, parseLinkLabel, parseLinkTitle
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_block import StateBlock, blockquote, list_block
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.state_inline import Scanned
from markdown_it.token import Token
from markdown_it.utils import EnvType

from tenure.limits import MAX_NESTING
from tenure.markdown.blocks import MarkdownLabels, title_admonition
from tenure.markdown.math import ADJACENT_FORMULA, FORMULA, match_latex_formula
from tenure.record import Record

__all__ = ["MARKDOWN_ATTRIBUTE", "ParsedText", "Token", "parse_text"]

BlockRule = Callable[[StateBlock, int, int, bool], bool]

MAX_BRACKETS = 30
"""Brackets inside each other that are searched for the end of a link; the time of open brackets grows with it."""

_ATTRIBUTE_LIST = re.compile(r"\{:?[ ]*(?:[.#][\w-]|[\w-]+=)[^{}\n]*\}")
_UNSPACED_LETTER = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u9fff\uac00-\ud7a3\U00020000-\U0003ffff]"
)
_UNESCAPED_BAR = re.compile(r"(?<!\\)\|")
_MASKED_BAR = "\ufdd0"
"""A noncharacter of Unicode in place of a vertical bar in code, until the cells of tables are separated."""

_SPACED_FILE_NAME = re.compile(r"""[^\s()<>"'\\]+(?: [^\s()<>"'\\]+)+\.[a-zA-Z0-9]{2,5}(?=\)|\s+["'])""")
_TILDES = re.compile(r"~{3,}")
_FOOTNOTE_LABEL = r"\[\^(?P<label>[^\[\]\s]+)\]"
_FOOTNOTE_REFERENCE = re.compile(_FOOTNOTE_LABEL)
_FOOTNOTE_DEFINITION = re.compile(_FOOTNOTE_LABEL + r":[ \t]*")
_ABBREVIATION = re.compile(r"\*\[(?P<label>[^\[\]\\]+)\][ ]?:[ \t]*(?P<meaning>.*)$")
_BOX = re.compile(r'!!! ?(?P<kinds>[\w-]+(?: +[\w-]+)*)(?: +"(?P<title>.*)")?[ \t]*$')
_DEFINITION = re.compile(r":[ \t]+(?=\S)")
_BLOCK_ELEMENTS = (
    "address|article|aside|blockquote|center|dd|details|dialog|div|dl|fieldset|figure|footer|form|header|li|main|nav"
    "|ol|section|td|ul"
)
_TEXT_ELEMENTS = "dt|figcaption|h[1-6]|p|summary|th"
_START_TAG = re.compile(
    rf"<(?P<name>{_BLOCK_ELEMENTS}|(?P<text>{_TEXT_ELEMENTS}))(?=\s)(?P<attributes>[^<>]*)>[ \t]*",
    re.IGNORECASE,
)
_END_TAG = re.compile(r"</(?P<name>[a-z][a-z0-9]*)\s*>[ \t]*$", re.IGNORECASE)
MARKDOWN_ATTRIBUTE = re.compile(
    r"""\smarkdown(?:=(?:"(?:1|block|span)"|'(?:1|block|span)'|1|block|span))?(?=[\s/>]|$)"""
)
"""The attribute of an element of HTML whose content is Markdown."""


class ParsedText(Record):
    """
    The tokens of a Markdown text, those of its footnotes by label, and its abbreviations with their meanings.

    The tokens of inline text have no children until `parse_inline_tokens` is called.
    """

    kind: str
    tokens: list[Token]
    environment: dict[str, Any]

    @property
    def footnotes(self) -> Mapping[str, list[Token]]:
        """The tokens of each footnote, by label."""
        footnotes: Mapping[str, list[Token]] = self.environment["footnotes"]
        return footnotes

    @property
    def abbreviations(self) -> Mapping[str, str]:
        """The meaning of each abbreviation."""
        abbreviations: Mapping[str, str] = self.environment["abbreviations"]
        return abbreviations

    def parse_inline_tokens(self, tokens: Sequence[Token]) -> None:
        """Parse the content of inline tokens to their children."""
        parser = _create_inline_parser(self.kind)
        for token in tokens:
            if token.type == "inline":
                token.children = parser.inline.parse(token.content, parser, self.environment, [])


class _InlineState(StateInline):
    """The state of a text, in which emphasis can begin and end between a letter of a script without spaces and a sign."""

    def __init__(self, src: str, md: MarkdownIt, env: EnvType, outTokens: list[Token]) -> None:  # noqa: N803 - the library's names
        super().__init__(src, md, env, outTokens)
        self.last_bracket = src.rfind("]")

    def scanDelims(self, start: int, canSplitWord: bool) -> Scanned:  # noqa: N802, N803 - the library's names
        scanned = super().scanDelims(start, canSplitWord)
        if not canSplitWord:
            return scanned
        before = self.src[start - 1 : start]
        after = self.src[start + scanned.length : start + scanned.length + 1]
        return Scanned(
            can_open=scanned.can_open or bool(_UNSPACED_LETTER.match(before) and after.strip()),
            can_close=scanned.can_close or bool(_UNSPACED_LETTER.match(after) and before.strip()),
            length=scanned.length,
        )


class _InlineParser(ParserInline):
    """Parses text with `_InlineState`."""

    def parse(self, src: str, md: MarkdownIt, env: EnvType, tokens: list[Token]) -> list[Token]:
        state = _InlineState(src, md, env, tokens)
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        return state.tokens


class _LinkParts:
    """The parts of a link; the name of a file may contain spaces: `[slides](my talk.pdf)`."""

    parseLinkLabel = staticmethod(parseLinkLabel)  # noqa: N815 - the library's names
    parseLinkTitle = staticmethod(parseLinkTitle)  # noqa: N815

    @staticmethod
    def parseLinkDestination(string: str, pos: int, maximum: int) -> Any:  # noqa: N802
        """The library's result, or one for the name of a file with spaces."""
        result = parseLinkDestination(string, pos, maximum)
        match = _SPACED_FILE_NAME.match(string, pos, maximum) if result.ok else None
        if match:
            result.pos, result.str = match.end(), match[0]
        return result


class _Parser(MarkdownIt):
    """A parser that leaves URLs as they are written: a build resolves links to files, and reports bad URLs."""

    def __init__(self) -> None:
        super().__init__()
        self.helpers = _LinkParts()  # type: ignore[assignment]  # the library has a module with these functions

    def normalizeLink(self, url: str) -> str:  # noqa: N802 - the library's name
        return url

    def normalizeLinkText(self, link: str) -> str:  # noqa: N802 - the library's name
        return link

    def validateLink(self, url: str) -> bool:  # noqa: N802 - the library's name
        del url
        return True


def parse_text(text: str, kind: str, labels: MarkdownLabels) -> ParsedText:
    """Parse the blocks of a text; `kind` is as for `convert_markdown`. A text of the kind "inline" is one block."""
    environment: dict[str, Any] = {
        "labels": labels,
        "footnotes": {},
        "abbreviations": {},
        "open_elements": [],
        "inner_indent": 0,
    }
    parser = _create_block_parser()
    if kind == "inline":
        return ParsedText(kind, parser.parseInline(text, environment), environment)
    lines = [_mask_bars_in_code(line) if "`" in line and "|" in line else line for line in text.split("\n")]
    source = "\n".join(lines)
    tokens = parser.parse(source if source.endswith("\n") else f"{source}\n", environment)
    if _MASKED_BAR in source:
        environment = _unmask_bars(environment)
        for token in chain(tokens, *environment["footnotes"].values()):
            token.content, token.info = _unmask_bars(token.content), _unmask_bars(token.info)
    return ParsedText(kind, tokens, environment)


def _unmask_bars(value: Any) -> Any:
    """A value of the environment with vertical bars in all its texts; tokens are not changed."""
    if isinstance(value, str):
        return value.replace(_MASKED_BAR, "|")
    if isinstance(value, dict):
        return {_unmask_bars(key): _unmask_bars(child) for key, child in value.items()}
    return value


def _mask_bars_in_code(line: str) -> str:
    r"""
    A line in whose code spans a vertical bar does not end a cell; `\\|` is left to the rule of tables.

    In GitHub Flavored Markdown, section 4.10, it ends the cell, which cuts the code in two.
    """
    parts = re.split(r"((?<![\\`])`+)", line)
    last_ends = {run: index for index, run in enumerate(parts) if index % 2}
    index = 1
    while index < len(parts):
        end = index + 2
        if last_ends[parts[index]] > index:
            while parts[end] != parts[index]:
                end += 2
            for position in range(index + 1, end):
                parts[position] = _UNESCAPED_BAR.sub(_MASKED_BAR, parts[position])
            end += 2
        index = end
    return "".join(parts)


@cache
def _create_block_parser() -> MarkdownIt:
    # Containers end at MAX_NESTING and show what is deeper as text; the library would drop what is deeper than its limit.
    parser = _Parser()
    parser.configure("commonmark", {"maxNesting": MAX_NESTING + 20}).enable("table")
    parser.disable(["inline", "text_join"])
    blocks = parser.block.ruler
    paragraph_ends = ["paragraph", "reference", "blockquote"]
    blocks.at("list", _limit_depth(list_block), {"alt": paragraph_ends})
    blocks.at("blockquote", _limit_depth(_parse_quotation), {"alt": [*paragraph_ends, "list"]})
    blocks.before("blockquote", "box", _limit_depth(_parse_box), {"alt": [*paragraph_ends, "list"]})
    blocks.before("blockquote", "formula", _parse_formula, {"alt": paragraph_ends})
    blocks.before("reference", "footnote", _limit_depth(_parse_footnote), {"alt": paragraph_ends})
    blocks.before("reference", "abbreviation", _parse_abbreviation, {"alt": paragraph_ends})
    blocks.before("html_block", "element_start", _parse_element, {"alt": paragraph_ends})
    blocks.before("html_block", "element_end", _parse_element_end, {"alt": paragraph_ends})
    blocks.before("paragraph", "definition", _limit_depth(_parse_definition), {"alt": ["paragraph"]})
    blocks.before("paragraph", "end_of_container", _ends_container, {"alt": ["paragraph"]})
    return parser


@cache
def _create_inline_parser(kind: str) -> MarkdownIt:
    parser = _Parser()
    parser.inline = _InlineParser()
    parser.configure("commonmark", {"maxNesting": MAX_BRACKETS}).enable("strikethrough")
    parser.inline.ruler.before("link", "open_bracket", _parse_open_bracket)
    parser.inline.ruler.before("strikethrough", "tildes", _parse_tildes)
    parser.inline.ruler.before("backticks", "formula", _parse_inline_formula)
    parser.inline.ruler.before("escape", "latex_formula", _parse_latex_formula)
    if kind != "inline":
        parser.inline.ruler.before("link", "footnote_reference", _parse_footnote_reference)
        parser.inline.ruler.push("attributes", _parse_attribute_list)
    return parser


def _limit_depth(rule: BlockRule) -> BlockRule:
    """The rule of a container, which is not applied deeper than MAX_NESTING."""
    return lambda state, line, end_line, silent: (
        state.level < MAX_NESTING and rule(state, line, end_line, silent)
    )


def _match_line(pattern: re.Pattern[str], state: StateBlock, line: int) -> re.Match[str] | None:
    """The match of a pattern at the start of a line that is not indented code."""
    if state.is_code_block(line):
        return None
    return pattern.match(state.src, state.bMarks[line] + state.tShift[line], state.eMarks[line])


def _line_text(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _parse_content(
    state: StateBlock, line: int, end_line: int, indent: int, content_start: int | None = None
) -> None:
    """Parse the indented blocks of a container; `content_start` is the offset of the text after the marker in its first line."""
    first_line = (state.bMarks[line], state.tShift[line], state.sCount[line])
    block_indent, parent_type = state.blkIndent, state.parentType
    if content_start is not None:
        state.bMarks[line], state.tShift[line], state.sCount[line] = content_start, 0, indent
    state.blkIndent, state.parentType, state.tight = indent, "root", True
    state.md.block.tokenize(state, line, end_line)
    state.bMarks[line], state.tShift[line], state.sCount[line] = first_line
    state.blkIndent, state.parentType = block_indent, parent_type


def _parse_strict_content(
    state: StateBlock, line: int, end_line: int, indent: int, content_start: int | None = None
) -> None:
    """Parse the blocks of a container whose paragraphs end at the first line that is indented less."""
    outer_indent = state.env["inner_indent"]
    state.env["inner_indent"] = indent
    _parse_content(state, line, end_line, indent, content_start)
    state.env["inner_indent"] = outer_indent


def _ends_container(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
    """Whether a line ends a paragraph because it is indented less than the box or definition around it."""
    del end_line
    return silent and 0 <= state.sCount[line] < state.env["inner_indent"]


def _parse_quotation(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
    """A quotation; the indents of its lines are counted from its markers."""
    outer_indent = state.env["inner_indent"]
    state.env["inner_indent"] = 0
    is_quotation = blockquote(state, line, end_line, silent)
    state.env["inner_indent"] = outer_indent
    return is_quotation


def _parse_box(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
    """`!!! note "Title"`, with its content indented by four spaces."""
    match = _match_line(_BOX, state, line)
    if match is None or silent:
        return match is not None
    kinds = match["kinds"].casefold()
    box = state.push("box_open", "div", 1)
    box.attrs = {"class": f"admonition {kinds}", "role": "note"}
    box.map = [line, line + 1]
    title = title_admonition(kinds.partition(" ")[0], match["title"], state.env["labels"])
    if title:
        state.push("paragraph_open", "p", 1).attrs = {"class": "admonition-title"}
        inline = state.push("inline", "", 0)
        inline.content, inline.children, inline.map = title, [], [line, line + 1]
        state.push("paragraph_close", "p", -1)
    state.line = line + 1
    if state.line < end_line:
        _parse_strict_content(state, state.line, end_line, state.sCount[line] + 4)
    box.map[1] = state.line
    state.push("box_close", "div", -1)
    return True


def _parse_definition(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
    """`: definition` after a paragraph, whose lines are the terms, or after another definition."""
    match = _match_line(_DEFINITION, state, line)
    if match is None or silent:
        return match is not None and state.sCount[line] >= state.blkIndent
    is_tight = not state.isEmpty(line - 1)
    if not (_reopen_definitions(state) or _make_terms(state)):
        return False
    definition = state.push("dd_open", "dd", 1)
    definition.map = [line, line + 1]
    first_token = len(state.tokens)
    indent = state.sCount[line] + min(4, len(match[0].expandtabs(4)))
    _parse_strict_content(state, line, end_line, indent, match.end())
    definition.map[1] = state.line
    if is_tight and state.tight:
        for token in state.tokens[first_token:]:
            token.hidden = token.hidden or (token.level == state.level and token.tag == "p")
    state.push("dd_close", "dd", -1)
    state.push("dl_close", "dl", -1)
    return True


def _reopen_definitions(state: StateBlock) -> bool:
    """Reopen the list of definitions that has just ended, if any."""
    tokens = state.tokens
    if not (tokens and tokens[-1].type == "dl_close" and tokens[-1].level == state.level):
        return False
    tokens.pop()
    state.level += 1
    return True


def _make_terms(state: StateBlock) -> bool:
    """Make terms of the lines of the paragraph that has just ended, if any."""
    last = state.tokens[-1] if state.tokens else None
    if last is None or last.type != "paragraph_close" or last.level != state.level:
        return False
    _, inline, _ = state.tokens[-3:]
    del state.tokens[-3:]
    if not _reopen_definitions(state):
        state.push("dl_open", "dl", 1).map = inline.map
    for term in inline.content.split("\n"):
        state.push("dt_open", "dt", 1).map = inline.map
        token = state.push("inline", "", 0)
        token.content, token.children, token.map = term, [], inline.map
        state.push("dt_close", "dt", -1)
    return True


def _parse_footnote(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
    """`[^label]: text`; its other paragraphs are indented by four spaces. If a label is defined twice, the last one counts."""
    match = _match_line(_FOOTNOTE_DEFINITION, state, line)
    if match is None or silent:
        return match is not None
    first_token = len(state.tokens)
    state.level += 1
    _parse_content(state, line, end_line, state.sCount[line] + 4, match.end())
    state.level -= 1
    state.env["footnotes"][match["label"]] = state.tokens[first_token:]
    del state.tokens[first_token:]
    return True


def _parse_abbreviation(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
    """`*[label]: meaning`."""
    del end_line
    match = _match_line(_ABBREVIATION, state, line)
    if match and not silent:
        state.env["abbreviations"][match["label"].strip()] = match["meaning"].strip()
        state.line = line + 1
    return match is not None


def _parse_formula(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
    r"""`$$…$$` or `\[…\]` on lines of its own. Within a paragraph, a formula of one line stays in its line."""
    text = _line_text(state, line)
    if not text.startswith(("$$", "\\[", "\\\\[")) or state.is_code_block(line):
        return False
    closing = "$" if text.startswith("$") else "\\]"
    last_line, position = line, 2
    while closing not in text[position:]:
        last_line, position = last_line + 1, 0
        if last_line >= end_line or state.isEmpty(last_line) or state.sCount[last_line] < state.blkIndent:
            return False
        text = _line_text(state, last_line)
    content = state.getLines(line, last_line + 1, state.blkIndent, False).strip()
    match = FORMULA.match(content) if closing == "$" else match_latex_formula(content)
    if match is None or match.end() != len(content) or not (match["block"] or "").strip():
        return False
    if silent:
        return last_line > line
    token = state.push("formula", "", 0)
    token.content, token.map = match["block"], [line, last_line + 1]
    state.line = last_line + 1
    return True


def _parse_element(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
    """The start of an element with the attribute `markdown`, whose content is Markdown."""
    del end_line
    tag = _match_line(_START_TAG, state, line)
    if tag is None or not MARKDOWN_ATTRIBUTE.search(tag["attributes"]):
        return False
    if silent:
        return True
    name = tag["name"].lower()
    _push_html(state, line, MARKDOWN_ATTRIBUTE.sub("", tag[0].strip()))
    content = state.src[tag.end() : state.eMarks[line]].rstrip()
    element_end = re.search(rf"</{name}\s*>$", content, re.IGNORECASE)
    if element_end is None:
        state.env["open_elements"].append(name)
    inner = content[: element_end.start()] if element_end else content
    if inner.startswith("<"):
        _push_html(state, line, inner)
    elif inner.strip():
        if not tag["text"]:
            state.push("paragraph_open", "p", 1).map = [line, line + 1]
        inline = state.push("inline", "", 0)
        inline.content, inline.children, inline.map = inner.strip(), [], [line, line + 1]
        if not tag["text"]:
            state.push("paragraph_close", "p", -1)
    if element_end:
        _push_html(state, line, element_end[0])
    return True


def _parse_element_end(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
    """The end of the innermost element whose content is Markdown; the line after it need not be empty."""
    del end_line
    tag = _match_line(_END_TAG, state, line)
    if tag is None or state.env["open_elements"][-1:] != [tag["name"].lower()]:
        return False
    if not silent:
        state.env["open_elements"].pop()
        _push_html(state, line, tag[0].strip())
    return True


def _push_html(state: StateBlock, line: int, markup: str) -> None:
    token = state.push("html_block", "", 0)
    token.content, token.map = f"{markup}\n", [line, line + 1]
    state.line = line + 1


def _parse_inline_formula(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != "$":
        return False
    is_after_formula = not state.pending and [token.type for token in state.tokens[-1:]] == ["formula"]
    pattern = ADJACENT_FORMULA if is_after_formula else FORMULA
    match = pattern.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    if not silent:
        token = state.push("formula", "", 0)
        token.content = (
            match["sure"] if is_after_formula else match["block"] or match["sure"] or match["line"]
        )
        token.markup = "$$" if match[0].startswith("$$") else "$"
    state.pos = match.end()
    return True


def _parse_latex_formula(state: StateInline, silent: bool) -> bool:
    match = match_latex_formula(state.src, state.pos) if state.src[state.pos] == "\\" else None
    if match is None:
        return False
    if not silent:
        token = state.push("formula", "", 0)
        token.content = match["line"] or match["block"]
        token.markup = "$" if match["line"] else "$$"
    state.pos = match.end()
    return True


def _parse_open_bracket(state: StateInline, silent: bool) -> bool:
    """A bracket after the last "]" is text; the search for the end of a link would read on from each of them."""
    start = "![" if state.src.startswith("![", state.pos) else "["
    if not state.src.startswith(start, state.pos) or state.pos < state.last_bracket:  # type: ignore[attr-defined]
        return False
    if not silent:
        state.append_pending(start)
    state.pos += len(start)
    return True


def _parse_tildes(state: StateInline, silent: bool) -> bool:
    """Three or more tildes are text. Source: GitHub Flavored Markdown Spec 0.29, section 6.5."""
    match = _TILDES.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    if not silent:
        state.append_pending(match[0])
    state.pos = match.end()
    return True


def _parse_footnote_reference(state: StateInline, silent: bool) -> bool:
    """`[^label]`, if there is a footnote with this label."""
    if not state.src.startswith("[^", state.pos):
        return False
    match = _FOOTNOTE_REFERENCE.match(state.src, state.pos, state.posMax)
    if match is None or match["label"] not in state.env["footnotes"]:
        return False
    if not silent:
        state.push("footnote_reference", "", 0).info = match["label"]
    state.pos = match.end()
    return True


def _parse_attribute_list(state: StateInline, silent: bool) -> bool:
    """`{#id .class key=value}` after inline markup or at the end of a block; any other braces are text."""
    if state.src[state.pos] != "{":
        return False
    match = _ATTRIBUTE_LIST.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    is_after_markup = state.src[state.pos - 1 : state.pos] in (")", "]", "`", "*", "_", "~", ">")
    if not is_after_markup and state.src[match.end() : state.posMax].strip(" "):
        return False
    if not silent:
        state.push("attributes", "", 0).content = match[0]
    state.pos = match.end()
    return True
