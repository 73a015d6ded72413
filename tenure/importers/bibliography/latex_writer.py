"""Converts Markdown and HTML to LaTeX for BibTeX fields."""

import html
import re
from collections.abc import Callable, Sequence

_LATEX_ESCAPES = {
    "&": r"\&", "%": r"\%", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}", "$": r"\$",
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip
_MATH_PATTERN = re.compile(
    r"\$\$(.+?)\$\$|\\\[(.+?)\\\]|\\\((.+?)\\\)|(?<![\\\w$])\$(?=[^\s$])((?:\\.|[^$\\])*?[^\s\\])\$(?![\w$])",
    re.DOTALL,
)
_TAG_COMMANDS = {
    "i": "emph", "em": "emph", "b": "textbf", "strong": "textbf", "sub": "textsubscript", "sup": "textsuperscript",
    "code": "texttt", "tt": "texttt",
}  # fmt: skip
_MARKUP_PATTERN = re.compile(
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
_ESCAPED_CHARACTER = re.compile(r"\\([\\`*_{}\[\]()#+.!$~^|<>&%-])")


def markdown_to_latex(markdown: str) -> str:
    """Markdown with HTML as LaTeX: emphasis, links and formulas are converted, everything else is escaped text."""
    return _convert_matches(
        _MATH_PATTERN,
        markdown,
        lambda match: f"${next(part for part in match.groups() if part)}$",
        _convert_markup,
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
    latex, last_end = "", 0
    for match in pattern.finditer(text):
        latex += convert_rest(text[last_end : match.start()]) + convert_match(match)
        last_end = match.end()
    return latex + convert_rest(text[last_end:])


def _convert_markup(text: str) -> str:
    return _convert_matches(_MARKUP_PATTERN, text, _convert_match, _convert_text)


def _convert_match(match: re.Match[str]) -> str:
    groups = match.groupdict()
    if groups["url"] or groups["href"]:
        url = re.sub(r"([%#])", r"\\\1", groups["url"] or groups["href"])
        return f"\\href{{{re.sub(r'[{}]', '', url)}}}{{{_convert_markup(groups['words'] or groups['label'] or '')}}}"
    if groups["code"]:
        return f"\\texttt{{{escape_latex(groups['code'])}}}"
    strong = groups["strong"] or groups["bold"]
    command = _TAG_COMMANDS[groups["tag"].casefold()] if groups["tag"] else "textbf" if strong else "emph"
    return f"\\{command}{{{_convert_markup(groups['inner'] or strong or groups['em'] or groups['slanted'] or '')}}}"


def _convert_text(text: str) -> str:
    """Text without markup: entities decoded, tags removed, special characters escaped, paragraphs separated."""
    text = re.sub(r"<br\s*/?>", " ", text, flags=re.IGNORECASE)
    text = re.sub(r"</?[a-zA-Z][^<>]*>", "", text)
    text = _ESCAPED_CHARACTER.sub(r"\1", html.unescape(text))
    lead, trail = re.match(r"\s*", text), re.search(r"\s*$", text)
    paragraphs = [escape_latex(part) for part in re.split(r"\n\s*\n", text)]
    if not text.strip():
        return "\n\n" if text.count("\n") > 1 else " " if text else ""
    leading, trailing = (_normalize_space(match[0] if match else "") for match in (lead, trail))
    return leading + "\n\n".join(part for part in paragraphs if part) + trailing


def _normalize_space(space: str) -> str:
    return "\n\n" if space.count("\n") > 1 else " " if space else ""


def join_author_names(names: Sequence[str]) -> str:
    """Names joined with "and" for BibTeX; a group is in braces, so that it is not split."""
    return " and ".join(_clean_author_name(name) for name in names if name.strip())


def _clean_author_name(name: str) -> str:
    plain_name = re.sub(
        r"[{}\\%]", "", " ".join(html.unescape(re.sub(r"<[^>]*>|[*_]{2}|^_|_$", "", name)).split())
    )
    plain_name = plain_name.strip(" ,;")
    if plain_name.casefold() in ("others", "et al", "et al.", "and others"):
        return "others"
    group_pattern = (
        r"\b(?:and|und|et|team|group|collaboration|consortium|the|project|network|committee|initiative)\b"
    )
    return f"{{{plain_name}}}" if re.search(group_pattern, plain_name, re.IGNORECASE) else plain_name
