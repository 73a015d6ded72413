"""Line breaks of formulas: where a displayed formula may be broken, and the words that stay with a formula in a line."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MAX_UNBROKEN = 16
"""Number of characters up to which a displayed formula fits the line of a phone, and stays one formula."""

MAX_WORD = 12
"""Maximum number of characters of a word that stays in the line of the formula that it touches."""

WIDE_SPACE, NEW_LINE = '<span class="quad"> </span>', "<br>"
OUTER_SEPARATORS = frozenset({WIDE_SPACE, NEW_LINE})
"""Preferred line breaks: a part between two of them is only broken if it is wider than the line."""

_DISPLAYED = r'<math display="block">.*?</math>'
_WORD = r"[^\s<>\u2e80-\U0010ffff]"
"""A character of a script with spaces between words."""

_IN_LINE = rf"(?<!{_WORD})({_WORD}*)(<math display=\"inline\">.*?</math>)({_WORD}*)"
"""A pattern that is compiled for the first page with a formula: it takes 4 ms."""

_RELATIONS = frozenset("=≠<>≤≥≈≡≃≅∼∝→←↔⇒⇐⇔⟶⟹⟺↦∈⊂⊆")
_SIGNS = frozenset("+-−±∓")
_OPENING, _CLOSING = frozenset("([{⟨⌈⌊"), frozenset(")]}⟩⌉⌋")
_OPERANDS = _CLOSING | {"", "!", "′", "…", "⋯"}
"""Characters before a sign that joins two terms; after any other character it is the sign of a number."""

_MATHML_WIDTH = re.compile(r"([\d.]+)em")


class FormulaPart(NamedTuple):
    """Elements that stay together, and the HTML after them."""

    elements: "list[Element]"
    separator: str


def break_formulas(html: str) -> str:
    """Allow line breaks within the displayed formulas of HTML, and none between a formula in a line and its word."""
    if 'display="block"' in html:
        html = re.sub(_DISPLAYED, lambda match: _break_displayed_formula(match[0]), html, flags=re.DOTALL)
    if 'display="inline"' in html:
        html = re.sub(_IN_LINE, _keep_with_word, html, flags=re.DOTALL)
    return html


def _keep_with_word(match: re.Match[str]) -> str:
    before, formula, after = match.groups()
    if not 0 < len(before) + len(after) <= MAX_WORD:
        return match[0]
    return f'<span class="nowrap">{before}{formula}{after}</span>'


def _break_displayed_formula(mathml: str) -> str:
    """
    The parts of a long formula as formulas in one line, which may be broken between them.

    A formula that an author wrote as HTML is unchanged if it is not well-formed XML.
    """
    from xml.etree.ElementTree import ParseError, fromstring, tostring  # noqa: PLC0415 - only few pages have such formulas

    try:
        root = fromstring(mathml)  # noqa: S314 - a <math> element has no DOCTYPE, so it declares no entities
    except ParseError:
        return mathml
    if len("".join(root.itertext())) <= MAX_UNBROKEN:
        return mathml
    while len(root) == 1 and root[0].tag == "mrow":
        root = root[0]
    parts = list(_split_row(list(root)))
    if len(parts) < 2:
        return mathml
    html = '<span class="formula"><span>'
    for elements, separator in parts:
        row = "".join(tostring(element, encoding="unicode") for element in elements)
        html += f'<math displaystyle="true"><mrow>{row}</mrow></math>'
        html += f"</span>{separator}<span>" if separator in OUTER_SEPARATORS else separator
    return f"{html}</span></span>"


def _split_row(row: "list[Element]") -> Iterator[FormulaPart]:
    """Split a row after wide spaces and commas, and before relations and signs, outside parentheses."""
    part: list[Element] = []
    depth = 0
    has_bars = any(_operator(element) in {"|", "‖", "∣"} for element in row)
    for number, element in enumerate(row):
        symbol = _operator(element)
        is_sign = symbol in _SIGNS and not has_bars and bool(part) and _operator(part[-1]) in _OPERANDS
        if depth == 0 and part and (symbol in _RELATIONS or is_sign):
            yield FormulaPart(part, "<wbr>")
            part = []
            element.set("form", "infix")
        is_new_line = element.get("linebreak") == "newline"
        if is_new_line or (depth == 0 and _is_wide_space(element)):
            if part:
                yield FormulaPart(part, NEW_LINE if is_new_line else WIDE_SPACE)
            part = []
            continue
        part.append(element)
        depth = max(0, depth + (symbol in _OPENING) - (symbol in _CLOSING))
        is_followed = number + 1 < len(row) and not _is_wide_space(row[number + 1])
        if depth == 0 and symbol in {",", ";"} and is_followed:
            yield FormulaPart(part, " ")
            part = []
    if part:
        yield FormulaPart(part, "")


def _operator(element: "Element") -> str:
    """The symbol of an operator; "" for another element."""
    text = (element.text or "").strip()
    return text if element.tag == "mo" or text in _SIGNS else ""


def _is_wide_space(element: "Element") -> bool:
    r"""Whether an element is the space of `\quad` or a wider one."""
    width = _MATHML_WIDTH.fullmatch(element.get("width", "")) if element.tag == "mspace" else None
    return width is not None and float(width[1]) >= 1
