r"""
HTML and Markdown in the values of a .bib file, as publishers and al-folio write it.

<jats:p>Looms <jats:italic>weave</jats:italic> *&amp; spin*.</jats:p> -> Looms <i>weave</i> \emph{\& spin}.
"""

import html
import re

from tenure.sources.latex.braces import compile_pattern

FORMAT_TAGS = frozenset({"i", "b", "em", "strong", "sub", "sup", "u", "code", "br", "span"})
"""HTML tags that are shown."""

_PARAGRAPH_TAGS = frozenset(
    """
    p div sec section abstract title li ul ol dl dd dt tr table blockquote center h1 h2 h3 h4 h5 h6
    jats:p jats:sec jats:title jats:list jats:list-item
    """.split()
)
_OTHER_TAGS = frozenset(
    """
    a big del font img inline-formula ins math mn mo mrow mi msub msup
    mml:math mml:mi mml:mn mml:mo mml:mrow mml:msub mml:msup
    q s sc scp small strike td th tt underline monospace
    jats:inline-formula jats:alternatives jats:tex-math jats:xref jats:styled-content jats:ext-link
    jats:underline
    """.split()
)
_TAG_NAMES = {
    "bold": "b",
    "inf": "sub",
    "italic": "i",
    "jats:bold": "b",
    "jats:italic": "i",
    "jats:monospace": "code",
    "jats:sc": "span",
    "jats:sub": "sub",
    "jats:sup": "sup",
}
"""
Tags of publishers that mean a tag of HTML. Source: ANSI/NISO Z39.96 (JATS), which Crossref uses in abstracts.
"""

_TAG = r"<(?P<end>/?)(?P<name>[A-Za-z][\w:-]*)(?P<rest>(?:\s[^<>]*)?/?)>"
_HREF = r"""(?i)\shref\s*=\s*["']?(https?://[^\s"'<>{}\\]+)"""
_LINK_ELEMENT = r"(?i)<a(?P<attributes>\s[^<>]*)>(?P<label>[^<>]*)</a>"
_MARKDOWN_EMPHASIS = r"""(?x)
    (?<![\w*\\$])(?P<stars>\*\*?)(?=[^\s*])
    (?P<text>[^*\n{}$\\]{1,400}?)
    (?<=\S)(?P=stars)(?![\w*])                      # *weave*, **weave**
"""
_MARKDOWN_LINK = r"""(?x)
    (?<![!\\\w])\[(?P<label>[^\[\]{}\n]{1,400})\]
    \((?P<url>https?://[^\s(){}\\]{1,2000})\)       # [Looms](https://a.org)
"""
_ENTITY = r"(?<!\\)&(?:[A-Za-z]{2,31}|#\d{1,7}|#[xX][0-9A-Fa-f]{1,6});"


def convert_markup(value: str, *, is_text: bool) -> str:
    """
    A value with LaTeX instead of Markdown, HTML entities and links, and without HTML that is not shown.

    Only tags that are known are changed, so that "n <k" stays.
    `is_text`: the value may have links and paragraphs.
    """
    if "*" in value:
        value = re.sub(_MARKDOWN_EMPHASIS, _convert_emphasis, value)
    if "](" in value:
        value = re.sub(_MARKDOWN_LINK, r"\\href{\g<url>}{\g<label>}" if is_text else r"\g<label>", value)
    value = _unescape_entities(value)
    if "<" not in value or ">" not in value:
        return value

    value = re.sub(_LINK_ELEMENT, _convert_link if is_text else r"\g<label>", value)
    elements = _list_elements(value)
    separator = "\n\n" if is_text else " "
    return re.sub(_TAG, lambda tag: _convert_tag(tag, elements, separator), value)


def _convert_tag(tag: re.Match[str], elements: frozenset[str], separator: str) -> str:
    """A tag as it is shown: <jats:italic> -> <i>; a paragraph -> the separator; <font> -> ""."""
    name = tag["name"].casefold()
    if name not in elements:
        return tag[0]
    if name in FORMAT_TAGS:
        is_empty = tag["rest"].endswith("/") and name != "br"
        if is_empty:
            return ""
        return f"<{tag['end']}{name}{tag['rest']}>"
    if name in _TAG_NAMES:
        return f"<{tag['end']}{_TAG_NAMES[name]}>"
    if name in _PARAGRAPH_TAGS:
        return separator
    return "" if name in _OTHER_TAGS else tag[0]


def remove_markup(value: str) -> str:
    """A value without HTML tags that are known, for names and other plain texts."""
    value = _unescape_entities(value)
    if "<" not in value or ">" not in value:
        return value
    elements = _list_elements(value)
    return re.sub(_TAG, lambda tag: _remove_tag(tag, elements), value)


def _remove_tag(tag: re.Match[str], elements: frozenset[str]) -> str:
    """What stays of a tag in a plain text: <br> -> a space, <i> -> "", an unknown <k> -> <k>."""
    name = tag["name"].casefold()
    if name not in elements:
        return tag[0]
    if name in _PARAGRAPH_TAGS or name == "br":
        return " "
    is_known = name in FORMAT_TAGS or name in _OTHER_TAGS or name in _TAG_NAMES
    return "" if is_known else tag[0]


def find_link_target(value: str) -> str:
    """
    The URL of an HTML link, which some people write into a field for a URL; any other value is unchanged.
    """
    url = re.search(_HREF, value) if "<a" in value.casefold() else None
    return url[1] if url else value


def _list_elements(value: str) -> frozenset[str]:
    """
    The elements in a value: those that are shown, images, paragraphs, and any other that begins and ends.
    """
    tags = [(tag["name"].casefold(), bool(tag["end"])) for tag in re.finditer(_TAG, value)]
    opened_names = {name for name, is_end in tags if not is_end}
    ended_names = {name for name, is_end in tags if is_end}
    return FORMAT_TAGS | {"p", "img"} | (opened_names & ended_names)


def _convert_emphasis(match: re.Match[str]) -> str:
    command = "emph" if len(match["stars"]) == 1 else "textbf"
    return rf"\{command}{{{match['text']}}}"


def _unescape_entities(value: str) -> str:
    r"""A value with the characters of its entities: "R&amp;D" -> r"R\&D"."""
    if "&" not in value:
        return value
    return compile_pattern(_ENTITY).sub(_unescape_entity, value)


def _unescape_entity(entity: re.Match[str]) -> str:
    character = html.unescape(entity[0])
    return rf"\{character}" if character in "&%#$_{}" else character


def _convert_link(element: re.Match[str]) -> str:
    r"""<a href="https://a.org">Looms</a> -> \href{https://a.org}{Looms}; without a web address its label."""
    label = element["label"]
    url = re.search(_HREF, element["attributes"])
    if url:
        return rf"\href{{{url[1]}}}{{{label}}}"
    return label
