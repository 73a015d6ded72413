r"""
Write BibTeX: entries from plain data, and Markdown with HTML as LaTeX.

*a* & <b>b</b> -> \emph{a} \& \textbf{b}
"""

import html
import re
from collections.abc import Callable, Container, Mapping, Sequence
from types import MappingProxyType

from tenure.markdown.html import make_slug, make_unique, plain_text
from tenure.model.dates import MONTH_NAMES, parse_date
from tenure.sources.bibtex.preprint_servers import names_preprint

VERBATIM_FIELDS = frozenset({"url", "doi", "pdf", "code", "slides", "video", "poster", "preview", "eprint"})
"""Fields for URLs and numbers, which have no markup."""

NAME_FIELDS = frozenset(
    {"author", "editor", "editora", "editorb", "editorc", "translator", "bookauthor", "collaborator"}
)

CONFERENCE_WORDS = re.compile(
    r"""
    \b(?:proceedings(?!\ of\ the\ (?:national\ academ|royal\ soc|ieee\b(?!\ \w)|vldb))|proc\.
    |conference|workshop|symposium|congress|meeting|colloquium|neurips|icml|iclr|cvpr|aaai|acl|chi)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""
The venue of a paper in proceedings: "Proc.
of the 3rd Workshop on X"; not "Proceedings of the National Academy".
"""


def guess_entry_type(venue: str, title: str = "") -> str:
    """The BibTeX entry type for a venue and a title; "misc" without a venue."""
    if re.search(r"\b(?:thesis|dissertation)\b", venue, re.IGNORECASE):
        is_master = re.search(r"master|bachelor|m\.?sc", f"{venue} {title}", re.IGNORECASE)
        return "mastersthesis" if is_master else "phdthesis"
    if not venue or names_preprint(venue):
        return "misc"
    return "inproceedings" if CONFERENCE_WORDS.search(venue) else "article"


def format_bib_entry(
    entry_type: str,
    key: str,
    fields: Mapping[str, str],
    used_keys: Container[str],
    latex_fields: Mapping[str, str] = MappingProxyType({}),
) -> tuple[str, str]:
    """
    The key and the BibTeX of an entry; the key is made from the fields if it is "", and none of `used_keys`.

    `date` becomes year and month, `author` is not changed, other fields are Markdown.
    `latex_fields` are in LaTeX; they are used if `fields` has no such field.
    """
    entry_fields = {name: value for name, value in fields.items() if name != "date" and value}
    entry_fields |= _split_date(fields.get("date", ""), entry_fields.get("note", ""))

    clean_key = re.sub(r"[\s,{}()=\"#%'\\~]+", "", key)
    key = make_unique(clean_key or _generate_key(entry_fields), used_keys)

    lines = [f"  {name} = {_format_value(name, value)}" for name, value in entry_fields.items()]
    for name, value in latex_fields.items():
        if name not in entry_fields and value.count("{") == value.count("}"):
            lines.append(f"  {name} = {{{value}}}")
    return key, f"@{entry_type}{{{key},\n" + ",\n".join(lines) + "\n}\n"


def _split_date(text: str, note: str) -> dict[str, str]:
    """A date as fields of BibTeX: 2024-05 -> year 2024, month may; any other text is added to the note."""
    date = parse_date(text)
    if date is not None and date.year:
        month = {"month": MONTH_NAMES[date.month - 1][:3]} if date.month else {}
        return {"year": str(date.year), **month}
    if text:
        return {"note": "; ".join(filter(None, (note, text)))}
    return {}


def _generate_key(fields: Mapping[str, str]) -> str:
    """A key of name, year and word: author Lovelace, Ada; year 1843; title On Looms -> lovelace1843looms."""
    first_author = fields.get("author", "").split(" and ")[0].split(",")[0].split()
    name = ""
    if first_author:
        name = make_slug(first_author[-1]).replace("-", "")
    title_words = make_slug(plain_text(fields.get("title", ""))).split("-")
    title_word = next((word for word in title_words if len(word) > 3), "work")
    return re.sub(r"[^a-z0-9]", "", f"{name}{fields.get('year', '')}{title_word}") or "work"


def _format_value(name: str, value: str) -> str:
    r"""
    The value of a field in braces: title, "*Looms* & more" -> {\emph{Looms} \& more}; a month has none.
    """
    if name == "month":
        return value
    if name in NAME_FIELDS:
        return "{" + value + "}"
    if name in VERBATIM_FIELDS or name.endswith("_url"):
        return "{" + re.sub(r"[{}\\]", "", value) + "}"
    return "{" + markdown_to_latex(value).strip() + "}"


_EMPHASIZED_NAME = re.compile(r"(?<![\w*\\])(\*{1,3}|_{1,3})([^\s*_](?:[^*_]*[^\s*_])?)\1(?!\w)")
"""**Ada Lee** or _Ada Lee_; snake_case is none."""


def clean_names(names: str) -> str:
    """
    Author names without Markdown emphasis; a name with a comma is understood as "Last, First".

    An asterisk after a name, also an escaped one, is a mark of the author and stays.
    """
    names = _EMPHASIZED_NAME.sub(r"\2", " ".join(names.split()))
    names = re.sub(r"(?<!\\)[*_]{2,}|(?<![\w\\])[*_](?=\w)|(?<=\w)_(?!\w)", "", names)
    return re.sub(r"\\+(?=[*_])", "", names)


_LATEX_ESCAPES = {
    "&": r"\&", "%": r"\%", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}", "$": r"\$",
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip
_MATH_PATTERN = re.compile(
    r"""
    \$\$(.+?)\$\$                                                   # $$x$$
    |\\\[(?=[ \t]*\n)(.+?)\\\]                                      # \[ x \] on lines of its own
    |\\\((.+?)\\\)                                                  # \(x\)
    |(?<![\\\w$])\$(?=[^\s$])((?:\\.|[^$\\])*?[^\s\\])\$(?![\w$])   # $x$, but not the prices $5 and $6
    """,
    re.DOTALL | re.VERBOSE,
)
_TAG_COMMANDS = {
    "b": "textbf",
    "code": "texttt",
    "em": "emph",
    "i": "emph",
    "strong": "textbf",
    "sub": "textsubscript",
    "sup": "textsuperscript",
    "tt": "texttt",
}
_MARKUP_PATTERN = re.compile(
    r"""
    \[(?P<words>[^\[\]]+)\]\((?P<url>[^()\s]+(?:\([^()\s]*\)[^()\s]*)?)\)       # [words](https://a.org)
    |<a\b[^<>]*?href\s*=\s*[\"']?(?P<href>[^\"'\s<>]++)[^<>]*+>                 # <a href="https://a.org">
     (?P<label>(?:(?!<a\b).)*?)</a\s*>                                          # label</a>
    |<(?P<tag>i|em|b|strong|sub|sup|code|tt)\b[^<>]*>(?P<inner>.*?)</(?P=tag)\s*>
    |`(?P<code>[^`]+)`
    |(?<![*\\])\*\*(?=\S)(?P<strong>.+?)(?<=\S)\*\*(?!\*)                       # **strong**
    |(?<![*\\])\*(?=[^\s*])(?P<em>[^*]*?[^\s*])\*(?!\*)                         # *em*
    |(?<![\w\\])__(?=\S)(?P<bold>.+?)(?<=\S)__(?!\w)                            # __bold__
    |(?<![\w\\])_(?=[^\s_])(?P<slanted>[^_]*?[^\s_])_(?!\w)                     # _slanted_
    """,
    re.DOTALL | re.IGNORECASE | re.VERBOSE,
)
_ESCAPED_CHARACTER = re.compile(r"\\([\\`*_{}\[\]()#+.!$~^|<>&%-])")
r"""\* of Markdown."""


def markdown_to_latex(markdown: str) -> str:
    """
    Markdown with HTML as LaTeX: emphasis, links and formulas are converted, everything else is escaped text.
    """
    return _convert_matches(
        _MATH_PATTERN, markdown, lambda match: f"${next(filter(None, match.groups()))}$", _convert_markup
    )


def escape_markdown(text: str) -> str:
    """A text in which only HTML is markup, as Markdown with the same meaning."""
    return re.sub(r"([\\`*_$\[\]~^])", r"\\\1", text)


def escape_latex(text: str) -> str:
    """Plain text on one line with the special characters of LaTeX escaped."""
    return re.sub(r"[&%#_{}\\$~^]", lambda match: _LATEX_ESCAPES[match[0]], " ".join(text.split()))


def _convert_matches(
    pattern: re.Pattern[str],
    text: str,
    convert_match: Callable[[re.Match[str]], str],
    convert_rest: Callable[[str], str],
) -> str:
    """A text with one function applied to the matches of a pattern, and another to the text between them."""
    latex = ""
    last_end = 0
    for match in pattern.finditer(text):
        latex += convert_rest(text[last_end : match.start()]) + convert_match(match)
        last_end = match.end()
    return latex + convert_rest(text[last_end:])


def _convert_markup(text: str) -> str:
    return _convert_matches(_MARKUP_PATTERN, text, _convert_element, _convert_text)


def _convert_element(match: re.Match[str]) -> str:
    r"""
    A link, code or emphasis as LaTeX: [a](https://b.org/c) -> \href{https://b.org/c}{a}, **a** -> \textbf{a}.
    """
    groups = match.groupdict("")
    if url := groups["url"] or groups["href"]:
        escaped_url = re.sub(r"[{}]", "", re.sub(r"([%#])", r"\\\1", url))
        return f"\\href{{{escaped_url}}}{{{_convert_markup(groups['words'] or groups['label'])}}}"
    if groups["code"]:
        return f"\\texttt{{{escape_latex(groups['code'])}}}"

    strong = groups["strong"] or groups["bold"]
    command = "textbf" if strong else "emph"
    if groups["tag"]:
        command = _TAG_COMMANDS[groups["tag"].casefold()]
    content = groups["inner"] or strong or groups["em"] or groups["slanted"]
    return f"\\{command}{{{_convert_markup(content)}}}"


def _convert_text(text: str) -> str:
    """
    Text without markup: entities decoded, tags removed, special characters escaped, paragraphs separated.
    """
    text = re.sub(r"<br\s*/?>", " ", text, flags=re.IGNORECASE)
    text = re.sub(r"</?[a-zA-Z][^<>]*>", "", text)
    text = _ESCAPED_CHARACTER.sub(r"\1", html.unescape(text))
    if not text.strip():
        return _normalize_space(text)
    leading = _normalize_space(text[: -len(text.lstrip())])
    trailing = _normalize_space(text[len(text.rstrip()) :])
    paragraphs = map(escape_latex, re.split(r"\n\s*\n", text))
    return leading + "\n\n".join(filter(None, paragraphs)) + trailing


def _normalize_space(space: str) -> str:
    """White space as the end of a paragraph or as one space: " \\n\\n" -> "\\n\\n"."""
    if space.count("\n") > 1:
        return "\n\n"
    return " " if space else ""


def join_author_names(names: Sequence[str]) -> str:
    """Names joined with "and" for BibTeX; a group is in braces, so that it is not split."""
    return " and ".join(filter(None, map(_clean_author_name, names)))


def _clean_author_name(name: str) -> str:
    """A name without markup; a group in braces: "The ATLAS Collaboration" -> "{The ATLAS Collaboration}"."""
    plain_name = clean_names(html.unescape(re.sub(r"<[^>]*>", "", name)))
    plain_name = re.sub(r"[{}\\%]", "", plain_name).strip(" ,;")
    if plain_name.casefold() in ("others", "et al", "et al.", "and others"):
        return "others"
    group_pattern = (
        r"\b(?:and|und|et|team|group|collaboration|consortium|the|project|network|committee|initiative)\b"
    )
    if re.search(group_pattern, plain_name, re.IGNORECASE):
        return f"{{{plain_name}}}"
    return plain_name
