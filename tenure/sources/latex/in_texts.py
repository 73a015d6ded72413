r"""
LaTeX in YAML and Markdown texts, as in the source of a CV:
commands with one certain meaning become Markdown, line by line.
"""

import re

MAX_NESTED_COMMANDS = 5
r"""Levels of commands inside each other, \emph{\textbf{…}}, that are converted."""

_PROTECTED = r"""(?mx)
    ^[ \t>]*(```|~~~)[^\n]*\n(?:.*\n)*?[ \t>]*\1        # ```python … ```
    | (?<!`)(`+)(?!`)[^\n]{1,2000}?(?<!`)\2(?!`)        # `x`
    | \$\$[^$]+\$\$ | \$[^$\n]+\$                       # $$x$$, $x$
    | \\\(.{1,2000}?\\\) | \\\[.{1,2000}?\\\]           # \(x\), \[x\]
"""
"""Code and formulas, in which nothing is changed."""

_ACCENT = r"""(?x)
    \{\\["'`^~=.][ ]?\{?\\?[A-Za-z]\}?\} | \\["'`^~=.]\{\\?[A-Za-z]\}         # {\"u}, \"{u}
    | \{\\[Hcbdkruv](?:[ ]|\{)\\?[A-Za-z]\}{1,2} | \\[Hcdkruv]\{\\?[A-Za-z]\}  # {\v s}, \v{s}
    | \{\\(?:ss|ae|AE|oe|OE|aa|AA|o|O|l|L|i|j)\}                              # {\ss}
    | \\(?:ss|ae|AE|oe|OE|aa|AA|o|O|l|L|i)(?:\{\}|[ ](?=\w))                  # \o{}
    | (?<=[A-Za-z])\\["'`^](?:[aeiouyAEIOUY]|[cnszlr](?=[a-z]))               # M\"unchen, Zieli\'nska
    | (?<=[A-Za-z])\\~[no](?![A-Za-z]*\\)                                     # Espa\~na
    | (?<![\w\\])\\['`^][AEIOUYaeiou](?=[a-z]{2})                             # \'Ecole
"""
r"""
An accent or a letter of LaTeX. A quote after a backslash is an accent only next to a vowel within a word,
because `\"` and `\'` are also quotes: `Ada\'s`.
"""

_COMMAND = r"""(?x)
    \\(?:emph|text(?:bf|it|sl|tt|sc|rm|sf|superscript|subscript)|underline|mbox|enquote)
      \{[^{}\\$]*\}                                                           # \emph{x}
    | \\href\{[^{}]*\}\{[^{}\\$]*\} | \\url\{[^{}\s]*\}
    | \\(?:LaTeX|TeX|BibTeX)(?:\{\}|(?![A-Za-z]))
"""
_TIE = r"(?<=\w[.])(?:~|\\[ ,])(?=[\w{\\])|(?<=[A-Za-z]{2})~(?=\d)(?!\d+~)"
"""A space of LaTeX: J.~Roe, Figure~3."""

_LINE_END = r"(?m)(?<![ \t])[ \t]*+\\\\(?:\[\w+\])?[ \t]*(?P<break>(?=\n[ \t]*\S))?$"
r"""Two backslashes at the end of a line, which are a line break unless they end a text: Prize \\"""

_DISPLAYED_FORMULA = r"""(?mx)
    ^[ \t]*\\begin\{(?P<name>(?:equation|align|gather|multline|eqnarray)\*?)\}
    (?P<formula>[^$]{1,4000}?)\\end\{(?P=name)\}[ \t]*$
"""
r"""\begin{align} a &= b \end{align}, on lines of its own."""


def convert_latex(text: str) -> str:
    """
    Return a text with certain LaTeX commands as Markdown and letters;
    code and formulas are unchanged, and so is each line number.
    """
    if not ("\\" in text or "``" in text or "~" in text):
        return text
    if "\\begin{" in text:
        text = re.sub(_DISPLAYED_FORMULA, _mark_formula, text)
    parts: list[str] = []
    end = 0
    for match in re.finditer(_PROTECTED, text):
        parts += [_convert_part(text[end : match.start()]), match[0]]
        end = match.end()
    return "".join([*parts, _convert_part(text[end:])])


def _mark_formula(match: re.Match[str]) -> str:
    """
    Return the formula of an environment between double dollars, in the same number of lines.

    An empty line would end the formula. Such lines, also those that had only a label, are after the formula.
    """
    name = match["name"]
    lines = re.sub(r"\\label\{[^{}]*\}", "", match["formula"]).split("\n")
    kept_lines = [line for i, line in enumerate(lines) if line.strip() or i in (0, len(lines) - 1)]
    formula = "\n".join(kept_lines)
    if not name.startswith("equation"):
        formula = f"\\begin{{{name}}}{formula}\\end{{{name}}}"
    return f"$${formula}$$" + "\n" * (len(lines) - len(kept_lines))


def _convert_part(text: str) -> str:
    r"""Return a text without code and formulas with its commands converted, inner ones first: \emph{\"u}."""
    # ``quoted'' -> “quoted”
    text = re.sub(r"``([^`'\n]+)''", r"“\1”", re.sub(_TIE, " ", text))
    if "\\" not in text:
        return text
    from tenure.sources.latex.conversion import latex_to_markdown

    def decode(match: re.Match[str]) -> str:
        return latex_to_markdown(match[0]).text

    text = re.sub(_ACCENT, decode, text)
    text = re.sub(_LINE_END, lambda match: "" if match["break"] is None else "\\", text)
    for _ in range(MAX_NESTED_COMMANDS):
        converted = re.sub(_COMMAND, decode, text)
        if converted == text:
            break
        text = converted
    return text
