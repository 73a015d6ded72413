"""LaTeX formulas to MathML, at build time."""

import html
import re
import unicodedata
from typing import TYPE_CHECKING

from tenure.limits import cache_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from xml.etree.ElementTree import Element

BROKEN_FORMULA_CLASS = "formula-unread"
"""The CSS class of a formula that cannot be converted and is shown as written."""

FORMULA = re.compile(
    r"(?<!\\)\$\$(?P<block>[^$]+?)\$\$"
    r"|(?<![\\$])\$(?P<sure>[\\^_{][^$\n]*?[^\s$\\])\$"
    r"|(?<![\\$\w])\$(?=\S)(?P<line>[^$\n]*?[^\s$\\])\$(?![\d$])"
)
"""`$x^2$` and `$$x^2$$`. As in pandoc, "$5 and $6" is not a formula, but `CO$_2$` contains one."""

ADJACENT_FORMULA = r"\$(?P<sure>[\\^_{][^$\n]*?[^\s$\\])\$"
"""A formula directly after another one: `$\\alpha$$\\beta$`."""

MAX_FORMULA_LENGTH = 2_000
"""The number of characters in which the end of a formula between brackets is searched."""

_LATEX_FORMULA = rf"""(?x)
    (?<![\\\]]) \\{{1,2}}\(                                             # \( or \\(
        (?P<line> (?: [^\\] | \\(?!\\?[()])\\? ){{1,{MAX_FORMULA_LENGTH}}}? )
    \\{{1,2}}\)
  | (?<!\\) (?: \\\\\[ | \\\[(?=[ \t]*\n) )                           # \\[, or \[ at the end of a line
        (?P<block> (?: [^\\] | \\(?!\\?[\[\]])\\?
          | \\\\(?=\[-?[\d.]) ){{1,{MAX_FORMULA_LENGTH}}}? )              # \\[2pt] breaks a line
    \\{{1,2}}\]
"""
r"""
`\(x^2\)`, `\\(x^2\\)` and `\\[x^2\\]`, with the two backslashes that MathJax needs within Markdown.

A single `\[` at the end of a line begins a formula; any other one is an escaped bracket of a text.
"""

_LATEX_SIGN = r"\\[A-Za-z]|[\^=]"
"""A sign of a displayed formula: `\\[note\\]` is text in brackets."""

_ATTRIBUTES_OF_COMMANDS = frozenset({"href", "style", "class", "id"})
"""The attributes of `\\href{url}{x}` and `\\class{name}{x}`: formulas are also in files of other authors."""


_ENVIRONMENT = r"""(?x)
    \\(?P<part>begin|end)
    \{(?:
        (?P<aligned> align|alignat|aligned|alignedat|eqnarray|flalign )
      | gather|gathered|multline
    )\*?\}
    (?:\{\d+\})?                          # the number of columns: \begin{alignat}{2}
"""
"""The begin or the end of an environment of amsmath that the library lacks or would number."""

BARS = ("|", "‖")
SCRIPTS = ("msub", "msup", "msubsup")


_UPRIGHT_LETTER = r"&#x000[46][0-9A-F];|&#x000[57][0-9A];"
"""An ASCII letter of `\\mathrm`, as the library writes it."""


def match_latex_formula(text: str, start: int = 0) -> re.Match[str] | None:
    r"""The formula in `\(…\)` or `\[…\]` that begins at a position; None for escaped brackets of a text."""
    match = re.compile(_LATEX_FORMULA).match(text, start)
    if match is None or not (match["line"] or match["block"]).strip():
        return None
    return match if match["line"] or re.search(_LATEX_SIGN, match["block"]) else None


def render_formula(latex: str, display: bool = False) -> str:
    """The MathML of a formula; one that cannot be converted is shown as it is written."""
    return (
        convert_to_mathml(latex, display)
        or f'<code class="{BROKEN_FORMULA_CLASS}">{html.escape(latex, quote=False)}</code>'
    )


@cache_texts
def convert_to_mathml(latex: str, display: bool = False) -> str | None:
    """
    The MathML of a formula, or None if it cannot be converted.

    Source: MathML Core (W3C), `<math display="block">` for a formula on a line of its own.
    """
    if not _has_balanced_braces(latex):
        return None

    from xml.etree.ElementTree import tostring

    from latex2mathml.converter import convert_to_element

    known = re.sub(_ENVIRONMENT, _replace_environment, latex)
    try:
        root = convert_to_element(known, display="block" if display else "inline")
    except Exception:  # the library raises many kinds; the caller reports the formula and its line
        return None
    del root.attrib["xmlns"]
    for element in root.iter():
        _clean_element(element)
        if "minsize" in element.attrib:
            element.text = _read_delimiter(element.text or "", convert_to_element)
        if re.match(r"\\[A-Za-z]", element.text or ""):
            return None  # a command that the library does not know, and would show as a symbol

    for row in list(root.iter()):
        _pair_bars(row)
        _space_names(row)
    return _remove_outer_spacing(str(tostring(root, encoding="unicode")))


def _replace_environment(match: re.Match[str]) -> str:
    r"""`\begin{aligned}` -> `\begin{split}`; rows without columns are centred: `gather` -> `matrix`."""
    name = "split" if match["aligned"] else "matrix"
    return f"\\{match['part']}{{{name}}}"


def _clean_element(element: "Element") -> None:
    """Replace the character references of an element, and remove attributes that an author may not set."""
    _replace_variant(element)
    # the library returns character references as text, and does not escape a < of the author
    element.text = html.unescape(element.text) if element.text else None
    for name in _ATTRIBUTES_OF_COMMANDS & element.attrib.keys():
        del element.attrib[name]
    element.attrib.update({name: html.unescape(value) for name, value in element.attrib.items()})


def _read_delimiter(latex: str, convert_to_element: "Callable[[str], Element]") -> str:
    r"""
    The sign of a large delimiter, which the library leaves as it is written: `\|` -> `‖`, `\langle` -> `⟨`.
    """
    return html.unescape("".join(convert_to_element(latex).itertext()))


def _replace_variant(element: "Element") -> None:
    """
    Replace the letter of an element by the mathematical letter of its `mathvariant`.

    Source: MathML Core (W3C), 3.2.1: browsers read only the value "normal", on `<mi>`.
    """
    text = element.text or ""
    if element.tag == "mi" and re.fullmatch(_UPRIGHT_LETTER, text):
        element.set("mathvariant", "normal")
    variant = element.get("mathvariant", "normal")
    if variant == "normal":
        return
    del element.attrib["mathvariant"]
    element.text = "".join(_find_mathematical_letter(letter, variant) for letter in html.unescape(text))


def _pair_bars(row: "Element") -> None:
    r"""
    Say which bars of a row open and which close: `|a_n|`, also large ones with an exponent:
    `\Bigl|x\Bigr|^2`.

    A bar opens at the start, after an operator, and after a letter if another follows: `C|z|`, but not
    `P(A|B)`. Each bar of `|a||b|` with the depth after it: opens 1, closes 0, opens 1, closes 0. The second
    of `|x|^2` has an exponent, so it closes, also where none is open: the depth of `x|^2` is -1.

    Source: MathML Core (W3C), 3.2.4.2: without `form`, each bar within a row has the space of an operator.
    """
    if row.tag not in ("mrow", "mtd"):
        return

    depth = 0
    before = None
    children = list(row)
    for place, child in enumerate(children):
        has_script = child.tag in SCRIPTS and len(child) > 0
        sign = child[0] if has_script else child
        is_bar = sign.tag == "mo" and sign.text in BARS
        opens = _opens_after(before, depth) or (depth == 0 and _has_closing_bar(children[place + 1 :]))
        if is_bar and opens and not has_script:
            sign.attrib.setdefault("form", "prefix")
            depth += 1
        elif is_bar and (depth > 0 or has_script):
            sign.attrib.setdefault("form", "postfix")
            depth -= 1
        before = sign if is_bar else child

        # a large bar keeps its size only in a row of its own
        if has_script and sign.get("stretchy") == "true":
            base = child.makeelement("mrow", {})
            child[0] = base
            base.append(sign)


def _has_closing_bar(children: "Sequence[Element]") -> bool:
    """Whether a bar follows before a bracket closes that none of these elements opens."""
    brackets = 0
    for child in children:
        sign = child[0] if child.tag in SCRIPTS and len(child) > 0 else child
        text = sign.text if sign.tag == "mo" else ""
        if text in BARS and brackets == 0:
            return True
        if text in ("(", "["):
            brackets += 1
        elif text in (")", "]"):
            brackets -= 1
        if brackets < 0:
            return False
    return False


CLOSING_SIGNS = (*")]}!",)


def _opens_after(before: "Element | None", depth: int) -> bool:
    """
    Whether a bar after an element opens: at the start, and after an operator that is no end of something.

    After a bar that closed, it opens only if no other one is open (`depth`): `|a||b|`, but not `||a||`.
    """
    if before is None:
        return True
    if before.tag != "mo" or before.text in CLOSING_SIGNS:
        return False
    return depth <= 0 or before.get("form") != "postfix"


THIN_SPACE = "\u2009"


def _space_names(row: "Element") -> None:
    r"""
    Put TeX's thin space between the name of a function and an operand beside it: `n\log n`, but not
    `\log(n)`.

    Source: The TeXbook, chapter 18: an Op beside an Ord, a Close or another Op.
    """
    children = list(row) if row.tag in ("mrow", "mtd") else []
    for place in range(len(children) - 1, 0, -1):
        left, right = children[place - 1 : place + 1]
        is_before = _is_name(right) and (left.tag != "mo" or left.text in (*")]}",))
        if is_before or (_is_name(left) and right.tag != "mo"):
            space = row.makeelement("mtext", {})
            space.text = THIN_SPACE
            row.insert(place, space)


def _is_name(element: "Element") -> bool:
    """
    Whether an element is the name of a function, with or without an exponent: `log`, `sin^2`.

    `max` is none, but an operator, with the space of one.
    """
    base = element
    if element.tag in ("msub", "msup", "msubsup", "munder") and len(element):
        base = element[0]
    return base.tag == "mi" and len(base.text or "") > 1


LETTER_NAMES = {
    "bold": ("MATHEMATICAL BOLD",),
    "bold-italic": ("MATHEMATICAL BOLD ITALIC", "MATHEMATICAL BOLD"),
    "double-struck": ("MATHEMATICAL DOUBLE-STRUCK", "DOUBLE-STRUCK"),
    "fraktur": ("MATHEMATICAL FRAKTUR", "BLACK-LETTER"),
    "monospace": ("MATHEMATICAL MONOSPACE",),
    "sans-serif": ("MATHEMATICAL SANS-SERIF",),
    "script": ("MATHEMATICAL SCRIPT", "SCRIPT"),
}
"""The beginnings of the Unicode names of letters, by the `mathvariant` of MathML 3."""


def _find_mathematical_letter(letter: str, variant: str) -> str:
    """The mathematical letter of a variant; the letter itself if Unicode has none."""
    name = re.sub(r"^(?:LATIN|GREEK) |LETTER ", "", unicodedata.name(letter, ""))
    for beginning in LETTER_NAMES.get(variant, ()):
        try:
            return unicodedata.lookup(f"{beginning} {name}")
        except KeyError:
            continue
    return letter


def _remove_outer_spacing(mathml: str) -> str:
    """Remove the space around an operator at the start or end of a formula: "5×", not "5 × "."""
    mathml = re.sub(
        r"<mo>([^<]*)</mo></mrow></math>$", r'<mo lspace="0" rspace="0">\1</mo></mrow></math>', mathml
    )
    # "-x", but "lim x" keeps its space
    return re.sub(r"^(<math[^>]*><mrow>)<mo>(?![a-z]{2})", r'\1<mo lspace="0" rspace="0">', mathml)


def _has_balanced_braces(latex: str) -> bool:
    """Whether the braces are balanced; the library silently closes an open brace."""
    # \{ is a sign; \\ breaks a line, so that a brace behind it counts
    depth = 0
    for brace in re.findall(r"(?:\\\\|\\[{}])|([{}])", latex):
        depth += {"{": 1, "}": -1}.get(brace, 0)
        if depth < 0:
            return False
    return depth == 0
