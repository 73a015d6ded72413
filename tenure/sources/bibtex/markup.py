"""HTML, Markdown and escaped LaTeX in the values of a .bib file, as publishers, reference managers and al-folio write them, to LaTeX."""

import html
import re

FORMAT_TAGS = frozenset({"i", "b", "em", "strong", "sub", "sup", "u", "code", "br", "span"})
"""HTML tags that are shown."""

_PARAGRAPH_TAGS = frozenset(
    """p div sec section abstract title li ul ol dl dd dt tr table blockquote center h1 h2 h3 h4 h5 h6
    jats:p jats:sec jats:title jats:list jats:list-item""".split()
)
_OTHER_TAGS = frozenset(
    """a big del font img inf inline-formula ins math mml:math mml:mi mml:mn mml:mo mml:mrow mml:msub mml:msup mn mo mrow mi msub msup
    q s sc scp small strike td th tt underline monospace jats:inline-formula jats:alternatives jats:tex-math jats:xref jats:styled-content
    jats:ext-link jats:underline""".split()
)
_TAG_NAMES = {
    "italic": "i", "bold": "b", "jats:italic": "i", "jats:bold": "b", "jats:sub": "sub", "jats:sup": "sup", "jats:sc": "span",
    "jats:monospace": "code", "inf": "sub",
}  # fmt: skip
"""Tags of publishers that mean a tag of HTML. Source: ANSI/NISO Z39.96 (JATS), which Crossref uses in abstracts."""

_TAG = re.compile(r"<(?P<end>/?)(?P<name>[A-Za-z][\w:-]*)(?P<rest>(?:\s[^<>]*)?/?)>")
_TAG_WITH_SPACE = re.compile(r"<\s+(/?)(i|b|em|sub|sup)>\s*")
"""A tag as Google Scholar writes it: "of< i> E. coli</i>"."""

_COMMENT = re.compile(r"<!--[^<>]*-->")
_HREF = re.compile(r"""\shref\s*=\s*["']?(https?://[^\s"'<>{}\\]+)""", re.IGNORECASE)
_LINK_ELEMENT = re.compile(r"<a(?P<attributes>\s[^<>]*)>(?P<label>[^<>]*)</a>", re.IGNORECASE)
_ENTITY = re.compile(r"(?<!\\)&(?:[A-Za-z]{2,31}|#\d{1,7}|#[xX][0-9A-Fa-f]{1,6});")

_MARKDOWN_STRONG = re.compile(r"(?<![\w*\\$])\*\*(?=[^\s*])([^*\n{}$\\]{1,400}?)(?<=\S)\*\*(?![\w*])")
_MARKDOWN_EMPHASIS = re.compile(r"(?<![\w*\\$])\*(?=[^\s*])([^*\n{}$\\]{1,400}?)(?<=\S)\*(?![\w*])")
_MARKDOWN_LINK = re.compile(r"(?<![!\\\w])\[([^\[\]{}\n]{1,400})\]\((https?://[^\s(){}\\]{1,2000})\)")


def convert_markup(value: str, *, is_text: bool) -> str:
    """
    A value with LaTeX instead of Markdown and of HTML that is not shown.

    Only tags that are known are changed, so that "n <k" stays. `is_text`: the value may have links and paragraphs.
    """
    if "<" not in value and "&" not in value and "*" not in value and "](" not in value:
        return value
    value = _ENTITY.sub(_unescape_entity, value) if "&" in value else value
    if "<" in value and ">" in value:
        value = _TAG_WITH_SPACE.sub(
            lambda tag: f"{'' if tag[1] or tag[2][0] == 's' else ' '}<{tag[1]}{tag[2]}>", value
        )
        value = _LINK_ELEMENT.sub(_convert_link if is_text else r"\g<label>", _COMMENT.sub("", value))
        elements = _list_elements(value)
        value = _TAG.sub(
            lambda tag: _convert_tag(tag, is_text=is_text) if tag["name"].casefold() in elements else tag[0],
            value,
        )
    value = _MARKDOWN_STRONG.sub(r"\\textbf{\1}", value)
    value = _MARKDOWN_EMPHASIS.sub(r"\\emph{\1}", value)
    return _MARKDOWN_LINK.sub(r"\\href{\2}{\1}" if is_text else r"\1", value)


_ESCAPED_FORMULA = re.compile(
    r"(?P<sign>\\\$(?:\\\$)?)(?!\\\$)(?P<formula>(?:(?!\\\$).){0,300}?\\textbackslash(?:(?!\\\$).){0,300})(?P=sign)",
    re.DOTALL,
)
_ESCAPED_COMMAND = re.compile(r"\{\\textbackslash(?:\{\})?\s*\}|\\textbackslash(?:\{\}|\s+)?")


_ESCAPED_WITH_ARGUMENT = re.compile(
    r"(?:\{\\textbackslash(?:\{\})?\s*\}|\\textbackslash(?:\{\}|\s+))([a-zA-Z]{2,})\s*(?:\\\{([^{}\\]*)\\\}|(\{[^{}]*\}))"
)


_ESCAPED_TAG = re.compile(
    r"(?:\{\\textless\}|\\textless(?:\{\}|\s))(/?[a-zA-Z][\w:]{0,20})(?:\{\\textgreater\}|\\textgreater(?:\{\}|\s|(?![a-zA-Z])))"
)
"""A tag of HTML without attributes, as Mendeley and Zotero escape it."""


_ANGLE_BRACKETS = re.compile(r"\{\$([<>]+)\$\}")
"""The signs of a tag, as Better BibTeX escapes them: "{$<$}i{$>$}"."""


def restore_commands(value: str) -> str:
    r"""A value with the formulas, commands and tags that reference managers have escaped: "\$\textbackslash lambda\_1\$"."""
    value = _ESCAPED_TAG.sub(r"<\1>", value) if "\\textless" in value else value
    value = _ANGLE_BRACKETS.sub(r"\1", value) if "{$" in value else value
    value = convert_shorthands(value)
    if "\\textbackslash" not in value:
        return value
    value = _ESCAPED_FORMULA.sub(_restore_formula, value)
    return _ESCAPED_WITH_ARGUMENT.sub(lambda match: f"\\{match[1]}{match[3] or f'{{{match[2]}}}'}", value)


def _restore_formula(match: re.Match[str]) -> str:
    formula = _ESCAPED_COMMAND.sub(r"\\", match["formula"])
    formula = re.sub(r"\\textasciicircum(?:\{\}|\s+)?|\\\^\{\}", "^", formula)
    formula = re.sub(r"\\([_&%#{}])", r"\1", formula).strip()
    return f"${formula}$"


_QUOTATION_SHORTHAND = re.compile(r'"<([^<>"=]*)">')
_OTHER_SHORTHAND = re.compile(
    r'(?<=[^\W\d_])"(?P<letter>[aouAOUs])(?=[^\W\d_])|(?<=\w)"(?P<hyphen>[=~])(?=\w)|(?<=\w\.)"(?P<space>,)(?=\w)|"(?P<dash>---)[~*]?'
)
_SHORTHAND_LETTERS = {"s": "ß", "a": "ä", "o": "ö", "u": "ü", "A": "Ä", "O": "Ö", "U": "Ü"}


def convert_shorthands(value: str) -> str:
    r"""A value without the shorthands of the package babel for German and Russian: 'M"unchen', '"<Текст">', 'лексико"='."""
    if '"' not in value:
        return value
    value = _QUOTATION_SHORTHAND.sub(r"«\1»", value)
    return _OTHER_SHORTHAND.sub(_convert_shorthand, value)


def _convert_shorthand(match: re.Match[str]) -> str:
    if match["letter"]:
        return _SHORTHAND_LETTERS[match["letter"]]
    return match["dash"] or ("-" if match["hyphen"] else "\\,")


def find_link_target(value: str) -> str:
    """The URL of an HTML link, which some people write into a field for a URL; any other value is unchanged."""
    url = _HREF.search(value) if "<a" in value.casefold() else None
    return url[1] if url else value


def remove_markup(value: str) -> str:
    """A value without HTML tags that are known, for names and other plain texts; Markdown is not changed."""
    value = _ENTITY.sub(_unescape_entity, value) if "&" in value else value
    if "<" not in value or ">" not in value:
        return value
    elements = _list_elements(value)
    return _TAG.sub(
        lambda tag: _remove_tag(tag) if tag["name"].casefold() in elements else tag[0],
        _COMMENT.sub("", value),
    )


def _list_elements(value: str) -> frozenset[str]:
    """The elements of HTML in a value: those that are shown, images, paragraphs, and any other that begins and ends."""
    tags = [(tag["name"].casefold(), bool(tag["end"])) for tag in _TAG.finditer(value)]
    opened_names = {name for name, is_end in tags if not is_end}
    ended_names = {name for name, is_end in tags if is_end}
    return FORMAT_TAGS | {"p", "img"} | (opened_names & ended_names)


def _remove_tag(tag: re.Match[str]) -> str:
    name = tag["name"].casefold()
    if name in _PARAGRAPH_TAGS or name == "br":
        return " "
    return "" if name in FORMAT_TAGS or name in _OTHER_TAGS or name in _TAG_NAMES else tag[0]


def _unescape_entity(entity: re.Match[str]) -> str:
    character = "⊙" if entity[0] == "&sun;" else html.unescape(entity[0])  # a name that ADS has made up
    return rf"\{character}" if character in "&%#$_{}" else character


def _convert_link(element: re.Match[str]) -> str:
    url = _HREF.search(element["attributes"])
    return rf"\href{{{url[1]}}}{{{element['label']}}}" if url else element["label"]


def _convert_tag(tag: re.Match[str], *, is_text: bool) -> str:
    """A tag that is shown as itself, one that is known as white space or nothing, any other unchanged."""
    name = tag["name"].casefold()
    if name in FORMAT_TAGS:
        is_empty = tag["rest"].endswith("/") and name != "br"
        return "" if is_empty else f"<{tag['end']}{name}{tag['rest']}>"
    if name in _TAG_NAMES:
        return f"<{tag['end']}{_TAG_NAMES[name]}>"
    if name in _PARAGRAPH_TAGS:
        return "\n\n" if is_text else " "
    return "" if name in _OTHER_TAGS else tag[0]
