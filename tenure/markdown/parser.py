"""
Markdown to tokens by markdown-it-py and mdit-py-plugins. Our own rules are for what they do not read.

Each rule of a block reads forward only from its first line, so the time of a text grows with its size.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.helpers import parseLinkDestination, parseLinkLabel, parseLinkTitle
from markdown_it.parser_inline import ParserInline
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock, html_block
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.state_inline import Scanned
from markdown_it.token import Token
from markdown_it.utils import EnvType
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.footnote.index import footnote_tail
from mdit_py_plugins.gfm_autolink import gfm_autolink_plugin

from tenure.limits import MAX_NESTING
from tenure.markdown.math import ADJACENT_FORMULA, FORMULA, match_latex_formula

__all__ = ["MARKDOWN_ATTRIBUTE", "Token", "parse_blocks", "parse_inline", "place_footnotes"]


_ATTRIBUTE_LIST = re.compile(r"\{:?[ ]*(?:[.#][\w-]|[\w-]+=)[^{}\n]*\}")
"""Attributes: `{#id .class}`, `{:.class}`, `{width=50%}`."""


_UNSPACED_LETTERS = (
    ("\u0e00", "\u0eff"),  # Thai and Lao
    ("\u1000", "\u109f"),  # Myanmar
    ("\u1780", "\u17ff"),  # Khmer
    ("\u3005", "\u9fff"),  # Chinese and Japanese
    ("\uac00", "\ud7a3"),  # Korean
    ("\U00020000", "\U0003ffff"),  # rare letters of Chinese
)
"""The first and the last letter of scripts without spaces between words. As a pattern, they take 4 ms."""

_SPACED_FILE_NAME = re.compile(r"""[^\s()<>"'\\]+(?: [^\s()<>"'\\]+)+\.[a-zA-Z0-9]{2,5}(?=\)|\s+["'])""")
"""my talk.pdf, before the end of a link or its title."""


MARKDOWN_ATTRIBUTE = re.compile(
    r"""\smarkdown(?:=(?:"(?:1|block|span)"|'(?:1|block|span)'|1|block|span))?(?=[\s/>]|$)"""
)
"""The attribute of an element of HTML whose content is Markdown."""


class _InlineState(StateInline):
    """The state of a text, in which emphasis can begin and end beside a letter of a script without spaces."""

    def scanDelims(self, start: int, canSplitWord: bool) -> Scanned:  # noqa: N802, N803 - the library's names
        """
        Whether stars may open and close emphasis; in Chinese also between a letter and a sign: 他说*“好”*了.
        """
        # `canSplitWord` is false for "_", which is emphasis only between words
        scanned = super().scanDelims(start, canSplitWord)
        if not canSplitWord:
            return scanned
        before = self.src[start - 1 : start]
        after = self.src[start + scanned.length : start + scanned.length + 1]
        return Scanned(
            can_open=scanned.can_open or (_is_unspaced(before) and after.strip() != ""),
            can_close=scanned.can_close or (_is_unspaced(after) and before.strip() != ""),
            length=scanned.length,
        )


def _is_unspaced(letter: str) -> bool:
    """Whether a character is a letter of a script without spaces between words; "" is none."""
    return any(first <= letter <= last for first, last in _UNSPACED_LETTERS)


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
            result.pos = match.end()
            result.str = match[0]
        return result


def parse_blocks(text: str, kind: str, environment: dict[str, Any]) -> list[Token]:
    """
    The blocks of a text, without the children of inline tokens; a text of the kind "inline" is one block.
    """
    parser = _create_block_parser()
    if kind == "inline":
        return parser.parseInline(text, environment)
    return parser.parse(text if text.endswith("\n") else f"{text}\n", environment)


def parse_inline(tokens: Sequence[Token], kind: str, environment: dict[str, Any]) -> None:
    """Parse the content of the inline tokens to their children, and the attributes of headings and blocks."""
    parser = _create_inline_parser(has_blocks=kind != "inline")
    # the token before, which is the start of the block around an inline token
    block = None
    for token in tokens:
        if token.type == "inline":
            if block and kind != "inline" and token.content.endswith("}"):
                _take_block_attributes(block, token)
            token.children = parser.inline.parse(token.content, parser, environment, [])
        block = token


def _take_block_attributes(block: Token, inline: Token) -> None:
    """
    Move `{#id .class}` from the end of a heading, or from the last line of another block, to the element.
    """
    start = inline.content.rfind("{")
    is_line = block.tag in ("h1", "h2", "h3", "h4", "h5", "h6", "th", "td", "dt")
    text = inline.content[:start]
    if text.endswith(" " if is_line else "\n") and _ATTRIBUTE_LIST.fullmatch(inline.content, start):
        _set_attributes(block, inline.content[start:])
        inline.content = text.rstrip(" \n")


def place_footnotes(tokens: list[Token], environment: dict[str, Any]) -> list[Token]:
    """The tokens with the footnotes at their end, in the order of their references."""
    state = StateCore("", _create_block_parser(), environment, tokens)
    footnote_tail(state)
    return state.tokens


def _create_parser(nesting: int) -> MarkdownIt:
    """
    A parser that leaves URLs as they are written: a build resolves links to files, and reports bad URLs.

    `nesting` is the number of levels that it reads: blocks in blocks, or brackets in brackets.
    """
    parser = MarkdownIt()
    parser.inline = _InlineParser()
    parser.helpers = _LinkParts()  # type: ignore[assignment]  # the library has a module with these functions
    parser.normalizeLink = lambda url: url  # type: ignore[method-assign]
    parser.normalizeLinkText = lambda link: link  # type: ignore[method-assign]
    parser.validateLink = lambda url: True  # type: ignore[method-assign]  # noqa: ARG005
    # with task lists: "- [x] Read the proof" has a box
    return parser.configure("commonmark", {"maxNesting": nesting, "tasklists": True})


@cache
def _create_block_parser() -> MarkdownIt:
    """The parser of blocks: with tables, footnotes, definitions and formulas, without the texts in them."""
    # containers end at MAX_NESTING and show what is deeper as text; the library would drop it
    parser = _create_parser(MAX_NESTING + 20).enable("table").disable(["inline", "text_join"])
    parser.use(footnote_plugin, move_to_end=False).use(deflist_plugin)
    rules = parser.block.ruler
    paragraph_ends: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote"]}
    rules.before("blockquote", "formula", _parse_formula_block, paragraph_ends)
    rules.at("html_block", _parse_html, paragraph_ends)
    for rule in rules.__rules__:
        if rule.name in ("list", "blockquote", "footnote_def", "deflist"):
            rule.fn = _limit_depth(rule.fn)
    return parser


MAX_BRACKETS = 30
"""
Brackets inside each other that are searched for the end of a link; the time of open brackets grows with it.
"""

_RULE_STARTS: dict[str, re.Pattern[str] | None] = {
    "footnote_ref": re.compile(r"\[\^[^\s\[\]]+\]"),
    # the "://" of a URL at the start, or after white space or one of *_~(
    "gfm_autolink_protocol": re.compile(r"(?<=http|ttps)(?<![^\s*_~(]http)(?<![^\s*_~(]https)://"),
    **dict.fromkeys(("gfm_autolink_www", "gfm_autolink_email")),
}
"""Rules of plugins with their starts; else two of them read all text around a sign, in quadratic time."""


@cache
def _create_inline_parser(*, has_blocks: bool) -> MarkdownIt:
    """The parser of a text: formulas and references to footnotes; with blocks, also URLs and attributes."""
    parser = _create_parser(MAX_BRACKETS).enable("strikethrough")
    parser.use(footnote_plugin, inline=False)
    if has_blocks:  # a value of one line, such as a title, is often the text of a link itself
        parser.use(gfm_autolink_plugin)
        parser.inline.ruler.push("attributes", _parse_attributes)
    for rule in parser.inline.ruler.__rules__:
        if rule.name in _RULE_STARTS:
            rule.fn = _guard_rule(rule.fn, _RULE_STARTS[rule.name])
    parser.inline.ruler.before("escape", "formula", _parse_formula)
    return parser


BlockRule = Callable[[StateBlock, int, int, bool], bool]


def _limit_depth(rule: BlockRule) -> BlockRule:
    """The rule of a container, which is not applied deeper than MAX_NESTING."""
    return lambda state, line, end_line, silent: (
        state.level < MAX_NESTING and rule(state, line, end_line, silent)
    )


InlineRule = Callable[[StateInline, bool], bool]


def _guard_rule(rule: InlineRule, start: re.Pattern[str] | None) -> InlineRule:
    r"""
    A rule of a plugin that begins with a pattern; a URL with an escaped sign is text: https://a.example/b\_c

    It returns, as rules do, whether it has read something at `state.pos`, and has then moved the position.
    """

    def parse(state: StateInline, silent: bool) -> bool:
        if start and not start.match(state.src, state.pos):
            return False

        pending = state.pending
        position = state.pos
        count = len(state.tokens)
        is_found = rule(state, silent)
        # a URL is three tokens: link_open, text, link_close; footnotes and other links stay
        is_url = len(state.tokens) > count and state.tokens[-1].info == "auto"
        if not is_url:
            return is_found

        # a\_b@c.example: the plugin takes b@c.example for an address, with the escaped sign before it
        link_start = state.pos - len(state.tokens[-2].content)
        if "\\" not in state.src[max(link_start - 2, 0) : state.pos]:
            return True
        # undo what the rule has done
        del state.tokens[count:], state.tokens_meta[count:]
        state.pending = pending
        state.pos = position
        return False

    return parse


def _line_text(state: StateBlock, line: int) -> str:
    """The text of a line without its indentation."""
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _parse_formula_block(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
    r"""
    `$$…$$` or `\[…\]` on lines of its own. Within a paragraph, a formula of one line stays in its line.

    False, so that it is text, if it never ends, is empty, or has text behind it: `$$x$$ is small`.
    """
    text = _line_text(state, line)
    # \\[: MathJax needs two backslashes within Markdown
    if not text.startswith(("$$", "\\[", "\\\\[")) or state.is_code_block(line):
        return False
    last_line = _find_last_line(state, line, end_line, "$" if text.startswith("$") else "\\]")
    if last_line is None:
        return False

    content = state.getLines(line, last_line + 1, state.blkIndent, False).strip()
    match = FORMULA.match(content) if text.startswith("$") else match_latex_formula(content)
    if match is None or match.end() != len(content) or not (match["block"] or "").strip():
        return False
    # asked whether a block begins here, which ends a paragraph: only a formula of several lines does
    if silent:
        return last_line > line

    token = state.push("formula", "", 0)
    token.content = match["block"]
    token.map = [line, last_line + 1]
    token.markup = "$$"
    state.line = last_line + 1
    return True


def _find_last_line(state: StateBlock, line: int, end_line: int, closing: str) -> int | None:
    """The line with the closing sign of a formula; None if its block ends before."""
    # without the opening sign, which may be the same
    text = _line_text(state, line)[2:]
    while closing not in text:
        line += 1
        if line >= end_line or state.isEmpty(line) or state.sCount[line] < state.blkIndent:
            return None
        text = _line_text(state, line)
    return line


def _parse_html(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
    """
    HTML up to the next empty line; only this line if its element has the attribute `markdown`.

    In a text with such an element, each line with an end tag is alone too: what follows `</div>` is Markdown.
    """
    tag = _line_text(state, line).partition(">")[0]
    has_attribute = tag[1:2].isalpha() and MARKDOWN_ATTRIBUTE.search(tag) is not None
    is_one_line = has_attribute or ("has_markdown" in state.env and tag.startswith("</"))
    is_html = html_block(state, line, line + 1 if is_one_line else end_line, silent)
    if is_html and has_attribute and not silent:
        state.env["has_markdown"] = True
        state.tokens[-1].content = MARKDOWN_ATTRIBUTE.sub("", state.tokens[-1].content)
    return is_html


def _parse_formula(state: StateInline, silent: bool) -> bool:
    r"""A formula in a line: `$x^2$`, `$$x^2$$`, `\(x^2\)`."""
    match = None
    if state.src[state.pos] == "\\":
        match = match_latex_formula(state.src, state.pos)
    elif state.src[state.pos] == "$":
        # $\alpha$$\beta$: no text is between the last formula and this one
        is_adjacent = not state.pending and [token.type for token in state.tokens[-1:]] == ["formula"]
        pattern = re.compile(ADJACENT_FORMULA) if is_adjacent else FORMULA
        match = pattern.match(state.src, state.pos, state.posMax)
    if match is None:
        return False

    if not silent:
        groups = match.groupdict()
        token = state.push("formula", "", 0)
        token.content = next(filter(None, groups.values()))
        token.markup = "$$" if groups.get("block") else "$"
    state.pos = match.end()
    return True


def _parse_attributes(state: StateInline, silent: bool) -> bool:
    """`{#id .class key=value}` after a link, image or code; any other braces in a line are text."""
    if silent or state.pending or not state.tokens or state.src[state.pos] != "{":
        return False
    match = _ATTRIBUTE_LIST.match(state.src, state.pos, state.posMax)
    element = state.tokens[-1]
    if match is None or element.type not in ("link_close", "image", "code_inline"):
        return False
    if element.type == "link_close":
        element = next(token for token in reversed(state.tokens) if token.type == "link_open")
    _set_attributes(element, match[0])
    state.pos = match.end()
    return True


_ATTRIBUTE = re.compile(
    r"""
    (?P<sign>[.#])(?P<name>[^\s}]+)                                       # .class, #id
    | (?P<key>[a-zA-Z_:][\w:.-]*)=                                         # width=50%
      (?: "(?P<double>[^"]*)" | '(?P<single>[^']*)' | (?P<bare>[^\s}]*) )
    """,
    re.VERBOSE,
)

_IGNORED_ATTRIBUTES = ("rel", "target")
"""Attributes of other generators that open a link in a new window: `{target=_blank rel=noopener}`."""


def _set_attributes(token: Token, source: str) -> None:
    """
    Set the attributes of a list `{#id .class key=value}`, without those that only open another window.

    The list as it is written is kept in `token.meta`: a field of an entry is shown only with some of them.
    """
    token.meta.setdefault("attributes", []).append(source)
    for match in _ATTRIBUTE.finditer(source.strip("{: }")):
        if match["sign"] == "#":
            token.attrs["id"] = match["name"]
        elif match["sign"]:
            token.attrs["class"] = f"{token.attrs.get('class', '')} {match['name']}".strip()
        elif match["key"].lower() not in _IGNORED_ATTRIBUTES:
            token.attrs[match["key"]] = match["double"] or match["single"] or match["bare"] or ""
