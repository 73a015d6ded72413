"""LaTeX mathematics to MathML, without script."""

import re
from functools import cache

SYMBOLS = {r"\times": "×", r"\cdot": "·", r"\to": "→", "+": "+", "=": "="}
_TOKEN = re.compile(r"\s*(\d+(?:\.\d+)?|[A-Za-z]|\\[A-Za-z]+|[+=])")


@cache
def to_mathml(latex: str, display: bool = False) -> str | None:
    """
    MathML of a formula, or None where it cannot be read.

    Source: MathML Core (W3C), `<math display="block">` for a formula on a line of its own.
    """
    row = _simple(latex) if not display else None
    if row is not None:
        return f'<math display="inline"><mrow>{row}</mrow></math>'
    from latex2mathml.converter import convert  # noqa: PLC0415 - costs 58 ms, and few sites need it

    try:
        found = str(convert(latex, display="block" if display else "inline"))
    except Exception:  # noqa: BLE001 - the library raises many kinds; the caller tells the formula by its place
        return None
    return _REFERENCE.sub(_character, found.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "", 1))


_REFERENCE = re.compile(r"&#x([0-9A-F]+);")


def _character(found: re.Match[str]) -> str:
    """The character a reference names, except those that HTML must not have bare."""
    character = chr(int(found[1], 16))
    return found[0] if character in "<>&" else character


def _simple(latex: str) -> str | None:
    """A row of numbers, letters and common signs, written as the library would; None for anything more."""
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
