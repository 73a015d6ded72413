"""Converts MathML to the markup of Typst: text for a simple formula, or a tree that the theme's `cv-parts.typ` draws."""

import json
from typing import Any, NamedTuple

ROW_TAGS = frozenset({"math", "mrow", "mstyle", "mpadded", "semantics"})
TOKEN_TAGS = frozenset({"mi", "mn", "mo", "mtext", "ms"})
RELATION_SIGNS = frozenset("=≠<>≤≥≪≫≈≃≅≡∼∝∈∉∋⊂⊃⊆⊇→←↔⇒⇐⇔↦∣∥⊥≺≻")
OPERATOR_SIGNS = frozenset("+-−±∓×÷·⋅∗∘⊕⊗∩∪∧∨/")
LARGE_OPERATORS = frozenset("∑∏∐∫∬∭∮⋃⋂⨁⨂⋁⋀")
LAYOUT_TAGS = frozenset({
    "msup", "msub", "msubsup", "mover", "munder", "munderover", "mfrac", "msqrt", "mroot", "mtable", "mtr", "mtd",
    "menclose", "mspace", "mphantom", "none", "mprescripts",
})  # fmt: skip
CHILD_COUNTS = {
    "mfrac": 2, "msup": 2, "msub": 2, "msubsup": 3, "mover": 2, "munder": 2, "munderover": 3, "mroot": 2,
}  # fmt: skip
"""The number of children of elements with a fixed number. Source: MathML Core, sections 3.3 and 3.4."""

MAX_FORMULA_DEPTH = 40
"""Maximum nesting of a formula: Typst reads JSON up to 128 levels, and a formula takes two for each of its own."""

RAISED_SIGNS = {"′": "′", "″": "″", "‴": "‴", "∘": "°"}
"""Signs that are superscripts without markup."""

NO_BREAK = "\u00a0"


class Element(NamedTuple):
    """An element as in HTML; its children are texts, elements and, outside of formulas, what they were converted to."""

    tag: str
    attributes: dict[str, str]
    children: list[Any]


def quote_text(text: str) -> str:
    """A text as a string literal of Typst."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def convert_formula(element: Element, *, is_block: bool) -> str:
    """
    The markup of a `<math>` element.

    A formula that is one line of signs becomes text, one of spaces a space. Any other becomes a tree of `[tag, attributes, children]` as JSON
    with its alternative text, which is shown as `#source` if a tag cannot be drawn.
    """
    if not is_block and _is_inline_formula(element):
        return _join_signs(_collect_signs(element))
    text = linearize_formula(element)
    if not text.strip():
        return f"#{quote_text(NO_BREAK)}"
    words = f"[#{quote_text(text)}]"
    if not _is_drawable(element):
        return f"#source{words}"
    tree = quote_text(json.dumps(_build_tree(element), ensure_ascii=False))
    return f"#formula({tree}, block: {'true' if is_block else 'false'}){words}"


def _is_drawable(element: Element, depth: int = 0) -> bool:
    """Whether Typst can draw an element: known tags with the children that they need, and not too deep."""
    children = _child_elements(element)
    is_known_tag = element.tag in ROW_TAGS | TOKEN_TAGS | LAYOUT_TAGS
    has_children = len(children) == CHILD_COUNTS.get(element.tag, len(children))
    if not is_known_tag or not has_children or depth >= MAX_FORMULA_DEPTH:
        return False
    return all(_is_drawable(child, depth + 1) for child in children)


def _child_elements(element: Element) -> list[Element]:
    return [child for child in element.children if isinstance(child, Element)]


def _element_text(element: Element) -> str:
    text = "".join(child if isinstance(child, str) else _element_text(child) for child in element.children)
    return text if element.tag in ("mtext", "ms") else text.strip()


def _build_tree(element: Element) -> list[Any]:
    if element.tag in TOKEN_TAGS:
        return [element.tag, element.attributes, _element_text(element)]
    return [element.tag, element.attributes, [_build_tree(child) for child in _child_elements(element)]]


def _is_inline_formula(element: Element) -> bool:
    """Whether a formula is a row of signs with at most simple superscripts and subscripts."""
    if element.tag in TOKEN_TAGS:
        text = _element_text(element)
        return not (set(text) & LARGE_OPERATORS or (element.tag == "mo" and len(text) > 1))
    if element.tag in ("msup", "msub"):
        base, script = (*_child_elements(element), element, element)[:2]
        return base is not element and script is not element and all(_is_flat_row(e) for e in (base, script))
    return element.tag in ROW_TAGS and all(_is_inline_formula(child) for child in _child_elements(element))


def _is_flat_row(element: Element) -> bool:
    if element.tag in ROW_TAGS:
        return all(_is_flat_row(child) for child in _child_elements(element))
    return element.tag in TOKEN_TAGS and _is_inline_formula(element)


MathSign = tuple[str, str, str]
"""Kind of a sign ("word", "name", "operator" or "close"), its text, and its markup."""


def _collect_signs(element: Element) -> list[MathSign]:
    if element.tag in ROW_TAGS:
        return [sign for child in _child_elements(element) for sign in _collect_signs(child)]
    text = _element_text(element)
    if element.tag in ("msup", "msub"):
        base, script = (
            "".join(sign[2] for sign in _collect_signs(child)) for child in _child_elements(element)
        )
        raised = (
            RAISED_SIGNS.get(_element_text(_child_elements(element)[1])) if element.tag == "msup" else None
        )
        return [
            ("word", text, base + (f"#{quote_text(raised)}" if raised else f"#{element.tag[1:]}[{script}]"))
        ]
    markup = f"#{quote_text(text)}" if text else ""
    if element.tag == "mo":
        is_tight = element.attributes.get("lspace") == "0"
        is_spaced = text in RELATION_SIGNS or text in OPERATOR_SIGNS
        return [("close" if is_tight or not is_spaced else "operator", text, markup)]
    is_upright = element.attributes.get("mathvariant") == "normal" or element.tag != "mi" or len(text) != 1
    is_name = element.tag == "mi" and len(text) > 1
    is_slanted = not is_upright and text.isalpha()
    return [("name" if is_name else "word", text, f"#emph[{markup}]" if is_slanted else markup)]


def _join_signs(signs: list[MathSign]) -> str:
    """Join signs, with spaces around binary operators and between function names and arguments."""
    space = f"#{quote_text(NO_BREAK)}"
    joined = ""
    for index, (kind, text, markup) in enumerate(signs):
        preceding = signs[index - 1] if index else None
        following = signs[index + 1] if index + 1 < len(signs) else None
        is_binary = kind == "operator" and preceding is not None and following is not None
        if preceding is not None and (preceding[0] == "operator" or preceding[1] in ("(", "[", "{", ",")):
            is_binary = False
        is_after_operand = kind == "name" and preceding is not None and preceding[0] in ("word", "name")
        has_argument = kind == "name" and following is not None and following[0] == "word"
        joined += space if is_binary or is_after_operand else ""
        joined += markup
        joined += space if is_binary or has_argument else ""
        joined += " " if text == "," and following else ""
    return joined


def linearize_formula(element: Element) -> str:
    """A formula as one line of text: "(a+b)/c", "x^2", "√(x)"."""
    parts = [linearize_formula(child) for child in _child_elements(element)]
    match element.tag:
        case "mfrac" if len(parts) == 2:
            return f"{_parenthesize(parts[0])}/{_parenthesize(parts[1])}"
        case "msqrt":
            return f"√{_parenthesize(''.join(parts))}"
        case "mroot" if len(parts) == 2:
            return f"{parts[1]}√{_parenthesize(parts[0])}"
        case "msup" | "mover" if len(parts) == 2:
            return f"{parts[0]}^{_parenthesize(parts[1])}"
        case "msub" | "munder" if len(parts) == 2:
            return f"{parts[0]}_{_parenthesize(parts[1])}"
        case "msubsup" | "munderover" if len(parts) == 3:
            return f"{parts[0]}_{_parenthesize(parts[1])}^{_parenthesize(parts[2])}"
        case "mtr":
            return ", ".join(parts)
        case "mtable":
            return "; ".join(parts)
        case tag if tag in TOKEN_TAGS:
            return _element_text(element)
    return "".join(parts)


def _parenthesize(text: str) -> str:
    return text if len(text) <= 1 or text.isalnum() else f"({text})"
