"""Converts MathML to text runs for a simple formula, or to a tree that Typst draws."""

from typing import Any

from tenure.outlets.markup import Element

ROWS = frozenset({"math", "mrow", "mstyle", "mpadded", "semantics"})
SIGNS = frozenset({"mi", "mn", "mo", "mtext", "ms"})
RELATIONS = frozenset("=≠<>≤≥≪≫≈≃≅≡∼∝∈∉∋⊂⊃⊆⊇→←↔⇒⇐⇔↦∣∥⊥≺≻")
OPERATORS = frozenset("+-−±∓×÷·⋅∗∘⊕⊗∩∪∧∨/")
LARGE = frozenset("∑∏∐∫∬∭∮⋃⋂⨁⨂⋁⋀")
SHAPES = frozenset({
    "msup", "msub", "msubsup", "mover", "munder", "munderover", "mfrac", "msqrt", "mroot", "mtable", "mtr", "mtd",
    "menclose", "mspace", "mphantom", "none", "mprescripts",
})  # fmt: skip
RAISED = {"′": "′", "″": "″", "‴": "‴", "∘": "°"}
"""Signs that are raised by themselves."""

NO_BREAK = "\u00a0"


def formula(element: Element) -> list[Any]:
    """
    The runs of a `<math>` element.

    A formula that is one line of signs becomes text. Any other becomes a tree of `[tag, attributes, children]`; its
    `text` is the alternative text, and the output if a tag cannot be drawn.
    """
    if element.attributes.get("display") != "block" and _is_line(element):
        return _line(_signs(element))
    tree = _tree(element)
    drawable = _is_known(element)
    return [
        {
            "is": "math" if drawable else "source",
            "block": element.attributes.get("display") == "block",
            "text": spoken(element),
            "tree": tree if drawable else None,
        }
    ]


def _is_known(element: Element) -> bool:
    known = element.tag in ROWS or element.tag in SIGNS or element.tag in SHAPES
    return known and all(_is_known(child) for child in _elements(element))


def _elements(element: Element) -> list[Element]:
    return [child for child in element.children if isinstance(child, Element)]


def _words(element: Element) -> str:
    words = "".join(child if isinstance(child, str) else _words(child) for child in element.children)
    return words if element.tag in ("mtext", "ms") else words.strip()


def _tree(element: Element) -> list[Any]:
    if element.tag in SIGNS:
        return [element.tag, element.attributes, _words(element)]
    return [element.tag, element.attributes, [_tree(child) for child in _elements(element)]]


def _is_line(element: Element) -> bool:
    """Whether a formula is a row of signs with at most simple superscripts and subscripts."""
    if element.tag in SIGNS:
        words = _words(element)
        return not (set(words) & LARGE or (element.tag == "mo" and len(words) > 1))
    if element.tag in ("msup", "msub"):
        base, beside = (*_elements(element), element, element)[:2]
        return base is not element and beside is not element and all(_is_flat(e) for e in (base, beside))
    return element.tag in ROWS and all(_is_line(child) for child in _elements(element))


def _is_flat(element: Element) -> bool:
    if element.tag in ROWS:
        return all(_is_flat(child) for child in _elements(element))
    return element.tag in SIGNS and _is_line(element)


Sign = tuple[str, str, list[Any]]
"""Kind of a sign ("word", "name", "operator" or "close"), its text, and its runs."""


def _signs(element: Element) -> list[Sign]:
    if element.tag in ROWS:
        return [sign for child in _elements(element) for sign in _signs(child)]
    words = _words(element)
    if element.tag in ("msup", "msub"):
        base, beside = _elements(element)
        own = [run for _, _, runs in _signs(base) for run in runs]
        if element.tag == "msup" and _words(beside) in RAISED:
            return [("word", words, [*own, RAISED[_words(beside)]])]
        inner = [run for _, _, runs in _signs(beside) for run in runs]
        return [("word", words, [*own, {"is": element.tag[1:], "runs": inner}])]
    if element.tag == "mo":
        bare = element.attributes.get("lspace") == "0"
        spaced = words in RELATIONS or words in OPERATORS
        return [("close" if bare or not spaced else "operator", words, [words])]
    upright = element.attributes.get("mathvariant") == "normal" or element.tag != "mi" or len(words) != 1
    named = element.tag == "mi" and len(words) > 1
    runs: list[Any] = [words] if upright or not words.isalpha() else [{"is": "emph", "runs": [words]}]
    return [("name" if named else "word", words, runs)]


def _line(signs: list[Sign]) -> list[Any]:
    """Join signs to runs, with spaces around binary operators and between function names and arguments."""
    made: list[Any] = []
    for at, (kind, words, runs) in enumerate(signs):
        before = signs[at - 1] if at else None
        binary = kind == "operator" and before is not None and before[0] != "operator" and at + 1 < len(signs)
        binary = binary and before is not None and before[1] not in ("(", "[", "{", ",")
        named = kind == "name" and before is not None and before[0] in ("word", "name")
        made += [NO_BREAK] if binary or named else []
        made += runs
        following = signs[at + 1] if at + 1 < len(signs) else None
        argued = kind == "name" and following is not None and following[0] in ("word", "name")
        made += [NO_BREAK] if binary or (argued and following and following[0] == "word") else []
        made += [" "] if words == "," and following else []
    return made


def spoken(element: Element) -> str:
    """A formula as one line of text: "(a+b)/c", "x^2", "√(x)"."""
    parts = [spoken(child) for child in _elements(element)]
    match element.tag:
        case "mfrac" if len(parts) == 2:
            return f"{_grouped(parts[0])}/{_grouped(parts[1])}"
        case "msqrt":
            return f"√{_grouped(''.join(parts))}"
        case "mroot" if len(parts) == 2:
            return f"{parts[1]}√{_grouped(parts[0])}"
        case "msup" | "mover" if len(parts) == 2:
            return f"{parts[0]}^{_grouped(parts[1])}"
        case "msub" | "munder" if len(parts) == 2:
            return f"{parts[0]}_{_grouped(parts[1])}"
        case "msubsup" | "munderover" if len(parts) == 3:
            return f"{parts[0]}_{_grouped(parts[1])}^{_grouped(parts[2])}"
        case "mtr":
            return ", ".join(parts)
        case "mtable":
            return "; ".join(parts)
        case tag if tag in SIGNS:
            return _words(element)
    return "".join(parts)


def _grouped(words: str) -> str:
    return words if len(words) <= 1 or words.isalnum() else f"({words})"
