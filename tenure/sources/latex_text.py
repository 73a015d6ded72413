r"""LaTeX in YAML and Markdown texts, as in the source of a CV: commands with one certain meaning become Markdown, line by line."""

import re
from collections.abc import Callable

_PROTECTED = re.compile(
    r"(?m:^[ \t>]*(```|~~~)[^\n]*\n(?:.*\n)*?[ \t>]*\1)|(?<!`)(`+)(?!`)[^\n]{1,2000}?(?<!`)\2(?!`)|\$\$[^$]+\$\$|\$[^$\n]+\$|\\\(.{1,2000}?\\\)|\\\[.{1,2000}?\\\]"
)
"""Code and formulas, in which nothing is changed."""

_ACCENT = re.compile(
    r"""\{\\["'`^~=.][ ]?\{?\\?[A-Za-z]\}?\}|\\["'`^~=.]\{\\?[A-Za-z]\}"""  # {\"u}, \"{u}
    r"""|\{\\[Hcbdkruv](?:[ ]|\{)\\?[A-Za-z]\}{1,2}|\\[Hcdkruv]\{\\?[A-Za-z]\}"""  # {\v s}, \v{s}
    r"""|\{\\(?:ss|ae|AE|oe|OE|aa|AA|o|O|l|L|i|j)\}|\\(?:ss|ae|AE|oe|OE|aa|AA|o|O|l|L|i)(?:\{\}|[ ](?=\w))"""  # {\ss}, \o{}
    r"""|(?<=[A-Za-z])\\["'`^](?:[aeiouyAEIOUY]|[cnszlr](?=[a-z]))|(?<=[A-Za-z])\\~[no](?![A-Za-z]*\\)"""  # M\"unchen, Zieli\'nska
    r"""|(?<![\w\\])\\['`^][AEIOUYaeiou](?=[a-z]{2})"""  # \'Ecole
)
r"""
An accent or a letter of LaTeX. A quote after a backslash is an accent only next to a vowel within a word, because
`\"` and `\'` are also quotes: `Ada\'s`.
"""

_COMMAND = re.compile(
    r"\\(?:emph|text(?:bf|it|sl|tt|sc|rm|sf|superscript|subscript)|underline|mbox|enquote)\{[^{}\\$]*\}"
    r"|\\href\{[^{}]*\}\{[^{}\\$]*\}|\\url\{[^{}\s]*\}|\\(?:LaTeX|TeX|BibTeX)(?:\{\}|(?![A-Za-z]))"
)
_TWO_ARGUMENTS = re.compile(r"\\cv(?:item|skill)\{([^{}]*)\}\{([^{}]*)\}|\\cvlistitem\{([^{}]*)\}")
_QUOTATION = re.compile(r"``([^`'\n]+)''")
_SPACE = re.compile(r"(?<=\w[.])(?:~|\\[ ,])(?=[\w{\\])|(?<=[A-Za-z]{2})~(?=\d)(?!\d+~)")
_LINE_END = re.compile(r"(?<![ \t])[ \t]*+\\\\(?:\[\w+\])?[ \t]*(?P<break>(?=\n[ \t]*\S))?$", re.MULTILINE)
_LIST = re.compile(
    r"\\(?:begin|end)\{(?:itemize|enumerate|cvitems)\}(?:\[[^\]\n]*\])?|^[ \t]*\\item[ \t]+", re.MULTILINE
)
_DISPLAYED_FORMULA = re.compile(
    r"^[ \t]*\\begin\{(?P<name>(?:equation|align|gather|multline|eqnarray)\*?)\}(?P<formula>[^$]{1,4000}?)\\end\{(?P=name)\}[ \t]*$",
    re.MULTILINE,
)
_HAS_LATEX = re.compile(r"\\[A-Za-z\"'`^~=.]|``|\\[ ,]|\w~\d|\.~\w|\\\\[ \t]*$", re.MULTILINE)


def convert_latex(text: str) -> str:
    """Return a text with certain LaTeX commands as Markdown and letters; code and formulas are unchanged, and so is each line number."""
    if not _HAS_LATEX.search(text):
        return text
    text = _DISPLAYED_FORMULA.sub(_mark_formula, text)
    parts: list[str] = []
    end = 0
    for match in _PROTECTED.finditer(text):
        parts += [_convert_part(text[end : match.start()]), match[0]]
        end = match.end()
    return "".join([*parts, _convert_part(text[end:])])


def _mark_formula(match: re.Match[str]) -> str:
    """
    Return the formula of an environment between double dollars, in the same number of lines.

    An empty line would end the formula. Such lines, also those that had only a label, are after the formula.
    """
    name = match["name"].rstrip("*")
    lines = re.sub(r"\\label\{[^{}]*\}", "", match["formula"]).split("\n")
    kept_lines = [line for i, line in enumerate(lines) if line.strip() or i in (0, len(lines) - 1)]
    formula = "\n".join(kept_lines)
    if name != "equation":
        inner_name = "gathered" if name in ("gather", "multline") else "aligned"
        formula = f"\\begin{{{inner_name}}}{formula}\\end{{{inner_name}}}"
    return f"$${formula}$$" + "\n" * (len(lines) - len(kept_lines))


def _convert_part(text: str) -> str:
    """Return a text without code and formulas with its commands converted, the innermost first."""
    if not _HAS_LATEX.search(text):
        return text
    from tenure.sources.bibtex.latex import latex_to_markdown  # noqa: PLC0415 - only for texts with LaTeX

    def decode(match: re.Match[str]) -> str:
        return latex_to_markdown(match[0]).text

    steps: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
        (_ACCENT, decode),
        (_LIST, lambda match: "- " if match[0].lstrip().startswith("\\item") else ""),
        (_SPACE, " "),
        (_QUOTATION, r"“\1”"),
        (_LINE_END, lambda match: "" if match["break"] is None else "\\"),
    )
    for pattern, replacement in steps:
        text = pattern.sub(replacement, text)
    for _ in range(MAX_NESTED_COMMANDS):
        converted = _COMMAND.sub(decode, text)
        if converted == text:
            break
        text = converted
    return _TWO_ARGUMENTS.sub(lambda match: match[3] or f"{match[1]}: {match[2]}", text)


MAX_NESTED_COMMANDS = 5
r"""Levels of commands inside each other, \emph{\textbf{…}}, that are converted."""
