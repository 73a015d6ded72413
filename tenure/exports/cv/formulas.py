"""
Converts MathML to a phrase: text for a simple formula, or a span with a tree for the formats.

The children of an `Element` are texts and elements. A simple formula is a list of `MathSign`.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from tenure.exports.cv.spans import clean_text, mark_phrase
from tenure.markdown.math import THIN_SPACE
from tenure.presentation.writer import Phrase

ROW_TAGS = frozenset({"math", "mrow", "mstyle", "mpadded", "semantics"})
SIGN_TAGS = frozenset({"mi", "mn", "mo"})
TOKEN_TAGS = SIGN_TAGS | {"mtext", "ms"}
LAYOUT_TAGS = frozenset({
    "msup", "msub", "msubsup", "mover", "munder", "munderover", "mfrac", "msqrt", "mroot",
    "mtable", "mtr", "mtd", "menclose", "mspace", "mphantom", "none", "mprescripts",
})  # fmt: skip
CHILD_COUNTS = {
    "mfrac": 2,
    "mroot": 2,
    "msup": 2,
    "msub": 2,
    "msubsup": 3,
    "mover": 2,
    "munder": 2,
    "munderover": 3,
}
"""The number of children of elements with a fixed number. Source: MathML Core, sections 3.3 and 3.4."""

MAX_FORMULA_DEPTH = 40
"""Maximum nesting of a formula: Typst reads JSON up to 128 levels, and each level of a formula is two."""

NO_BREAK = "\u00a0"


class Element(NamedTuple):
    """An element of HTML; its children are texts and elements."""

    tag: str
    attributes: dict[str, str]
    children: list[Any]

    @property
    def elements(self) -> "list[Element]":
        """The children that are elements."""
        return [child for child in self.children if isinstance(child, Element)]

    def join_texts(self) -> str:
        """The text of an element; white space around that of a sign of a formula means nothing."""
        text = "".join(child if isinstance(child, str) else child.join_texts() for child in self.children)
        return text.strip() if self.tag in SIGN_TAGS else text


class FormulaError(ValueError):
    """An element has no place in a line of signs, or cannot be drawn."""


def convert_formula(element: Element, *, is_block: bool) -> Phrase:
    """
    The phrase of a `<math>` element.

    A formula that is one line of signs becomes text, one of spaces a space. Any other becomes a span with a
    tree of `[tag, attributes, children]` as JSON and its text, or a "source" if a tag cannot be drawn.
    """
    if not is_block:
        # it has a fraction or another layout
        with suppress(FormulaError):
            return _join_signs(_list_signs(element))

    text = clean_text(linearize_formula(element))
    if not text.strip():
        return NO_BREAK
    try:
        tree = json.dumps(_build_tree(element), ensure_ascii=False)
    except FormulaError:
        return mark_phrase("source", text)
    return mark_phrase("display" if is_block else "formula", text, clean_text(tree))


def _build_tree(element: Element, depth: int = 0) -> list[Any]:
    """
    The tree of known tags with the children that they need; raises FormulaError for any other.

    <mfrac><mi>a</mi><mi>b</mi></mfrac> -> ["mfrac", {}, [["mi", {}, "a"], ["mi", {}, "b"]]]
    """
    tag = element.tag
    attributes = element.attributes
    elements = element.elements
    is_known = tag in ROW_TAGS | TOKEN_TAGS | LAYOUT_TAGS
    has_right_count = len(elements) == CHILD_COUNTS.get(tag, len(elements))
    if not is_known or not has_right_count or depth >= MAX_FORMULA_DEPTH:
        raise FormulaError(tag)
    if tag in TOKEN_TAGS:
        return [tag, attributes, element.join_texts()]
    return [tag, attributes, [_build_tree(child, depth + 1) for child in elements]]


class MathSign(NamedTuple):
    """
    A sign: its kind, its text, and its phrase.

    A "word" is an operand, "x"; an "operator" may have spaces around it, "+"; a "tight" sign has none, "(".
    """

    kind: str
    text: str
    phrase: Phrase


LARGE_OPERATORS = frozenset("∑∏∐∫∬∭∮⋃⋂⨁⨂⋁⋀")
"""Signs that are larger than letters, and have limits: no signs of a line."""


def _list_signs(element: Element, *, in_script: bool = False) -> list[MathSign]:
    """
    A row of signs with at most simple scripts: x^2 + 1 -> "x^2", "+", "1".

    Raises FormulaError for any other formula: a fraction, a root, a script of a script, a sum with limits.
    """
    tag = element.tag
    if tag in ROW_TAGS:
        return [sign for child in element.elements for sign in _list_signs(child, in_script=in_script)]
    if tag in ("msup", "msub") and not in_script and len(element.elements) == 2:
        return [_make_script(element)]

    text = element.join_texts()
    # "max", whose spaces depend on what is beside it
    is_named_operator = tag == "mo" and len(text) > 1
    if tag not in TOKEN_TAGS or set(text) & LARGE_OPERATORS or is_named_operator:
        raise FormulaError(tag)
    return [_make_sign(element, text)]


RAISED_SIGNS = {"′": "′", "″": "″", "‴": "‴", "∘": "°"}
"""Signs that are superscripts without markup."""


def _make_script(element: Element) -> MathSign:
    """A base with its superscript or subscript as one word; a degree sign needs no markup."""
    base, script = map(_write_script_part, element.elements)
    raised = RAISED_SIGNS.get(element.elements[1].join_texts())
    if element.tag == "msup" and raised:
        return MathSign("word", element.join_texts(), f"{base}{raised}")
    return MathSign("word", element.join_texts(), f"{base}{mark_phrase(element.tag[1:], script)}")


def _write_script_part(element: Element) -> Phrase:
    return "".join(sign.phrase for sign in _list_signs(element, in_script=True))


SPACED_SIGNS = frozenset("=≠<>≤≥≪≫≈≃≅≡∼∝∈∉∋⊂⊃⊆⊇→←↔⇒⇐⇔↦∣∥⊥≺≻+-−±∓×÷·⋅∗∘⊕⊗∩∪∧∨/")
"""Relations and binary operators."""


def _make_sign(element: Element, text: str) -> MathSign:
    """A sign: a letter is slanted, a relation or binary operator has spaces around it."""
    phrase = clean_text(text)
    if element.tag == "mo":
        is_spaced = text in SPACED_SIGNS and element.attributes.get("lspace") != "0"
        return MathSign("operator" if is_spaced else "tight", text, phrase)
    if element.tag != "mi" or len(text) != 1:
        # the thin space beside the name of a function is like those around operators
        phrase = phrase.replace(THIN_SPACE, NO_BREAK)
    elif text.isalpha() and element.attributes.get("mathvariant") != "normal":
        phrase = mark_phrase("emph", phrase)
    return MathSign("word", text, phrase)


def _join_signs(signs: list[MathSign]) -> Phrase:
    """Join signs, with spaces around binary operators: "a", "-", "b" -> "a - b", but "-", "b" -> "-b"."""
    parts = []
    # before the first and after the last sign is no operand
    edge = MathSign("operator", "", "")
    for before, sign, after in zip([edge, *signs], signs, [*signs[1:], edge], strict=False):
        # the minus of "-x" and of "(-x" has no operand before it
        is_operand_before = before.kind != "operator" and before.text not in ("(", "[", "{", ",")
        is_binary = sign.kind == "operator" and is_operand_before and after is not edge
        parts.append(f"{NO_BREAK}{sign.phrase}{NO_BREAK}" if is_binary else sign.phrase)
        if sign.text == "," and after is not edge:
            parts.append(" ")
    return "".join(parts)


LINE_PATTERNS = {
    "mfrac": "{p[0]}/{p[1]}",
    "msqrt": "√{p[0]}",
    "mroot": "{1}√{p[0]}",
    "msup": "{0}^{p[1]}",
    "msub": "{0}_{p[1]}",
    "msubsup": "{0}_{p[1]}^{p[2]}",
    "mover": "{0}^{p[1]}",
    "munder": "{0}_{p[1]}",
    "munderover": "{0}_{p[1]}^{p[2]}",
}
"""Elements in one line of text; `p` are the children in parentheses, if they need them."""


def linearize_formula(element: Element) -> str:
    """A formula as one line of text: "(a+b)/c", "x^2", "√(x)"."""
    tag = element.tag
    parts = [linearize_formula(child) for child in element.elements]
    if tag in TOKEN_TAGS:
        return element.join_texts()
    if tag == "msqrt":
        parts = ["".join(parts)]
    if tag in LINE_PATTERNS and len(parts) == CHILD_COUNTS.get(tag, 1):
        return LINE_PATTERNS[tag].format(*parts, p=[*map(_enclose, parts)])
    return {"mtr": ", ", "mtable": "; "}.get(tag, "").join(parts)


def _enclose(part: str) -> str:
    """A part of a formula in parentheses, if it needs them: "a+b" -> "(a+b)", "ab" -> "ab"."""
    return part if len(part) <= 1 or part.isalnum() else f"({part})"


BRACKETS = frozenset("()[]|")


def write_formula(
    tree: str, patterns: Mapping[str, str], write_sign: Callable[[str, Mapping[str, str], str], str]
) -> str:
    """
    The tree of a formula in the markup of a format.

    `patterns` have that of elements of MathML, with its children as {0}, {1} …; of a row of a table, and of
    the table, it is written between the children. The children of any other element follow each other.
    """

    def write_node(node: Sequence[Any]) -> str:
        # an element is [tag, attributes, children], a sign [tag, attributes, text]: ["mi", {}, "x"]
        tag, attributes, below = node
        if isinstance(below, str):
            return write_sign(tag, attributes, below)
        parts = [*map(write_node, below)]
        # brackets grow with what is between them
        signs = [str(child[2]) for child in below]
        if tag in ROW_TAGS and len(signs) > 2 and signs[0] in BRACKETS and signs[-1] in BRACKETS:
            return patterns["brackets"].format(signs[0], "".join(parts[1:-1]), signs[-1])
        if tag in ("mtable", "mtr"):
            return patterns[tag].format(patterns[f"between {tag}"].join(parts))
        # a fraction without a line is a binomial
        if tag == "mfrac" and attributes.get("linethickness") == "0":
            tag = "binomial"
        if tag == "msqrt":
            parts = ["".join(parts)]
        return patterns[tag].format(*parts) if tag in patterns else "".join(parts)

    return write_node(json.loads(tree))
