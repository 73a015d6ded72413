"""Converts Markdown and HTML to LaTeX for BibTeX fields."""

import html
import re
from collections.abc import Callable, Sequence

_SPECIAL = {
    "&": r"\&", "%": r"\%", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}", "$": r"\$",
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip
_MATHEMATICS = re.compile(
    r"\$\$(.+?)\$\$|\\\[(.+?)\\\]|\\\((.+?)\\\)|(?<![\\\w$])\$(?=[^\s$])((?:\\.|[^$\\])*?[^\s\\])\$(?![\w$])",
    re.DOTALL,
)
_TAGS = {
    "i": "emph", "em": "emph", "b": "textbf", "strong": "textbf", "sub": "textsubscript", "sup": "textsuperscript",
    "code": "texttt", "tt": "texttt",
}  # fmt: skip
_MARKUP = re.compile(
    r"\[(?P<words>[^\[\]]+)\]\((?P<url>[^()\s]+(?:\([^()\s]*\)[^()\s]*)?)\)"
    r"|<a\b[^<>]*?href\s*=\s*[\"']?(?P<href>[^\"'\s<>]++)[^<>]*+>(?P<label>(?:(?!<a\b).)*?)</a\s*>"
    r"|<(?P<tag>i|em|b|strong|sub|sup|code|tt)\b[^<>]*>(?P<inner>.*?)</(?P=tag)\s*>"
    r"|`(?P<code>[^`]+)`"
    r"|(?<![*\\])\*\*(?=\S)(?P<strong>.+?)(?<=\S)\*\*(?!\*)"
    r"|(?<![*\\])\*(?=[^\s*])(?P<em>[^*]*?[^\s*])\*(?!\*)"
    r"|(?<![\w\\])__(?=\S)(?P<bold>.+?)(?<=\S)__(?!\w)"
    r"|(?<![\w\\])_(?=[^\s_])(?P<slanted>[^_]*?[^\s_])_(?!\w)",
    re.DOTALL | re.IGNORECASE,
)
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+.!$~^|<>&%-])")


def latex_of(words: str) -> str:
    """Markdown with HTML as LaTeX: emphasis, links and formulas are converted, everything else is escaped text."""
    return _outside(
        _MATHEMATICS, words, lambda found: f"${next(part for part in found.groups() if part)}$", _marked
    )


def literal(words: str) -> str:
    """A text in which only HTML is markup, as Markdown with the same meaning."""
    return re.sub(r"([\\`*_$\[\]~^])", r"\\\1", words)


def plain_latex(words: str) -> str:
    """Plain text on one line with the special characters of LaTeX escaped."""
    return re.sub(r"[&%#_{}\\$~^]", lambda found: _SPECIAL[found[0]], " ".join(words.split()))


def _outside(
    form: re.Pattern[str], words: str, inside: Callable[[re.Match[str]], str], outside: Callable[[str], str]
) -> str:
    """A text with one function applied to the matches of a pattern, and another to the text between them."""
    made, last = "", 0
    for found in form.finditer(words):
        made += outside(words[last : found.start()]) + inside(found)
        last = found.end()
    return made + outside(words[last:])


def _marked(words: str) -> str:
    return _outside(_MARKUP, words, _command, _text)


def _command(found: re.Match[str]) -> str:
    parts = found.groupdict()
    if parts["url"] or parts["href"]:
        address = re.sub(r"([%#])", r"\\\1", parts["url"] or parts["href"])
        return (
            f"\\href{{{re.sub(r'[{}]', '', address)}}}{{{_marked(parts['words'] or parts['label'] or '')}}}"
        )
    if parts["code"]:
        return f"\\texttt{{{plain_latex(parts['code'])}}}"
    strong = parts["strong"] or parts["bold"]
    command = _TAGS[parts["tag"].casefold()] if parts["tag"] else "textbf" if strong else "emph"
    return f"\\{command}{{{_marked(parts['inner'] or strong or parts['em'] or parts['slanted'] or '')}}}"


def _text(words: str) -> str:
    """Text without markup: entities decoded, tags removed, special characters escaped, paragraphs separated."""
    words = re.sub(r"<br\s*/?>", " ", words, flags=re.IGNORECASE)
    words = re.sub(r"</?[a-zA-Z][^<>]*>", "", words)
    words = _ESCAPED.sub(r"\1", html.unescape(words))
    lead, trail = re.match(r"\s*", words), re.search(r"\s*$", words)
    paragraphs = [plain_latex(part) for part in re.split(r"\n\s*\n", words)]
    if not words.strip():
        return "\n\n" if words.count("\n") > 1 else " " if words else ""
    before, after = (_space(found[0] if found else "") for found in (lead, trail))
    return before + "\n\n".join(part for part in paragraphs if part) + after


def _space(found: str) -> str:
    return "\n\n" if found.count("\n") > 1 else " " if found else ""


def joined_names(names: Sequence[str]) -> str:
    """Names joined with "and" for BibTeX; a group is in braces, so that it is not split."""
    return " and ".join(_name(name) for name in names if name.strip())


def _name(name: str) -> str:
    bare = re.sub(r"[{}\\%]", "", " ".join(html.unescape(re.sub(r"<[^>]*>|[*_]{2}|^_|_$", "", name)).split()))
    bare = bare.strip(" ,;")
    if bare.casefold() in ("others", "et al", "et al.", "and others"):
        return "others"
    group = r"\b(?:and|und|et|team|group|collaboration|consortium|the|project|network|committee|initiative)\b"
    return f"{{{bare}}}" if re.search(group, bare, re.IGNORECASE) else bare
