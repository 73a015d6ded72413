"""LaTeX formulas to MathML, at build time."""

import html
import re
from functools import cache

BROKEN_FORMULA = "formula-unread"
"""The CSS class of a formula that cannot be converted and is shown as written."""

SYMBOLS = {r"\times": "×", r"\cdot": "·", r"\to": "→", "+": "+", "=": "="}
_UNKNOWN = re.compile(r"\\[A-Za-z]")
"""A command unknown to the library, which would show it as a symbol."""

_TOKEN = re.compile(r"\s*(\d+(?:\.\d+)?|[A-Za-z]|\\[A-Za-z]+|[+=])")


@cache
def to_mathml(latex: str, display: bool = False) -> str | None:
    """
    The MathML of a formula, or None if it cannot be converted.

    Source: MathML Core (W3C), `<math display="block">` for a formula on a line of its own.
    """
    row = _simple(latex) if not display else None
    if row is not None:
        return _unspaced(f'<math display="inline"><mrow>{row}</mrow></math>')
    if not _is_balanced(latex):
        return None
    from xml.etree.ElementTree import tostring  # noqa: PLC0415 - needed with latex2mathml only

    from latex2mathml.converter import convert_to_element  # noqa: PLC0415 - takes 58 ms to import, and few sites need it

    try:
        root = convert_to_element(latex, display="block" if display else "inline")
    except Exception:  # noqa: BLE001 - the library raises many kinds; the caller reports the formula and its line
        return None
    del root.attrib["xmlns"]
    for element in root.iter():
        # The library returns character references as text, and does not escape a < of the author.
        element.text = html.unescape(element.text) if element.text else None
        element.attrib.update({name: html.unescape(value) for name, value in element.attrib.items()})
        if _UNKNOWN.match(element.text or ""):
            return None
    return _unspaced(str(tostring(root, encoding="unicode")))


def _unspaced(made: str) -> str:
    """Remove the space around an operator at the start or end of a formula: "5×", not "5 × "."""
    made = re.sub(
        r"<mo>([^<]*)</mo></mrow></math>$", r'<mo lspace="0" rspace="0">\1</mo></mrow></math>', made
    )
    return re.sub(r"^(<math[^>]*><mrow>)<mo>", r'\1<mo lspace="0" rspace="0">', made)


def _is_balanced(latex: str) -> bool:
    """Whether the braces are balanced; the library silently closes an open brace."""
    depth = 0
    for sign in re.findall(r"(?:\\\\|\\[{}])|([{}])", latex):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        if depth < 0:
            return False
    return depth == 0


def _simple(latex: str) -> str | None:
    """The MathML of a formula of only numbers, letters and common operators, as the library writes it; else None."""
    parts: list[str] = []
    position = 0
    text = latex.strip()
    while position < len(text):
        token = _TOKEN.match(text, position)
        if token is None:
            return None
        word = token[1]
        if word[0].isdigit():
            parts.append(f"<mn>{word}</mn>")
        elif word.isalpha():
            parts.append(f"<mi>{word}</mi>")
        elif word in SYMBOLS:
            parts.append(f"<mo>{SYMBOLS[word]}</mo>")
        else:
            return None
        position = token.end()
    return "".join(parts) if parts else None
