r"""
The HTML that a field of an entry may contain; all other tags are shown as text.

`H<sub>2</sub>O <script>x</script>` -> `H<sub>2</sub>O &lt;script>x&lt;/script>`
"""

import html
import re
from functools import cache, partial
from itertools import chain
from typing import Any

from tenure.markdown.html_tags import Tag, format_tag
from tenure.markdown.math import FORMULA
from tenure.model.links import is_safe_url

TEXT_ELEMENTS = frozenset("a abbr b br cite code em i kbd mark q s small span strong sub sup u".split())
BLOCK_ELEMENTS = frozenset({"li", "ol", "p", "ul"})
"""Elements that a field with several paragraphs may also contain."""

_KEPT_LIST_KEYS = frozenset(["alt", "dir", "height", "lang", "loading", "title", "width"])
"""The keys that a field may set in a list of attributes after an element: `{width=200}`."""

_TAG = (
    r"""<(?P<slash>/?)(?P<name>[a-zA-Z][a-zA-Z0-9-]*)"""
    r"""(?P<attributes>(?:\s(?:[^<>"']|"[^"<]*"|'[^'<]*')*)?)/?>"""
)
"""A tag of HTML: `</em>`, `<a href="https://example.org">`, `<br/>`"""


@cache
def _compile_markup() -> re.Pattern[str]:
    """The markup of a text; compiled for the first text with a tag."""
    return re.compile(
        rf"""
          \\.                                                              # \<b>
        | (?<!`)(?P<fence>`+)(?!`) .+? (?<!`)(?P=fence)(?!`)               # `<b>`
        | (?:{FORMULA.pattern})                                            # $a<b>c$
        | \]\(\s*<[^<>\n]*>                                                # [x](<a b.pdf>)
        | <[a-zA-Z][a-zA-Z0-9+.-]*:[^\s<>]*> | <[^\s<>@/]+@[^\s<>]+>       # <https://example.org>
        | (?P<tag>{_TAG})
        | (?P<sign><(?=[a-zA-Z/!?]))                                       # <!-- or an unfinished tag
        | (?P<list>\{{:?[ ]*(?:[.#][\w-]|[\w-]+=)[^{{}}\n]*\}})            # {{: onclick=x}}
        """,
        re.VERBOSE | re.DOTALL,
    )


def keep_field_html(text: str, *, has_blocks: bool) -> str:
    """
    A Markdown text with safe elements only; each other tag is shown as text, and open elements are closed.

    If the parser reads the text otherwise than the pattern, for example a tag between backticks of two
    paragraphs, all its tags are shown as text.
    """
    if not re.search(r"<[a-zA-Z/!?]|\{[^{}\n]*=", text):
        return text

    elements = TEXT_ELEMENTS | BLOCK_ELEMENTS if has_blocks else TEXT_ELEMENTS
    kept = _compile_markup().sub(partial(_convert_match, elements), text)

    open_names = _list_open_elements(kept, "blocks", elements)
    if open_names != ["!"]:
        # the ends of open elements are before the white space at the end of the text
        content = kept.rstrip()
        ends = [f"</{name}>" for name in reversed(open_names)]
        closed = f"{content}{''.join(ends)}{kept[len(content) :]}"
        if not any(_list_open_elements(closed, kind, elements) for kind in ("inline", "blocks")):
            return closed
    return text.replace("<", "&lt;").replace("{", "&#123;")


def _convert_match(elements: frozenset[str], match: re.Match[str]) -> str:
    """A kept tag without its other attributes; all other markup as text."""
    if match["tag"] or match["sign"]:
        return (match["tag"] and _write_kept_tag(elements, match)) or f"&lt;{match[0][1:]}"
    if match["list"] and not _is_kept_list(match["list"]):
        return f"\\{match[0]}"
    return match[0]


def _write_kept_tag(elements: frozenset[str], match: re.Match[str]) -> str:
    """
    A tag with the attributes that are kept; "" for another element, and for a link that may not be one.

    <b class="x"> -> <b>; <a href="https://a.org" onclick="…"> -> <a href="https://a.org">; <script> -> ""
    """
    name = match["name"].lower()
    if name not in elements:
        return ""
    if match["slash"]:
        return "<br>" if name == "br" else f"</{name}>"

    attributes = Tag(name, match["attributes"], 0, "", "").attributes
    kept = [key for key in ("dir", "lang") if attributes.get(key)]
    if name == "abbr" and attributes.get("title"):
        kept.append("title")
    if name == "a":
        if not attributes.get("href") or not is_safe_url(html.unescape(attributes["href"] or "").strip()):
            return ""
        kept.append("href")
    return format_tag(name, {key: attributes[key] for key in kept})


def _is_kept_list(attributes: str) -> bool:
    """Whether a list of attributes sets only those that a field may set."""
    return {key.lower() for key in re.findall(r"([\w-]+)=", attributes)} <= _KEPT_LIST_KEYS


def _list_open_elements(text: str, kind: str, elements: frozenset[str]) -> list[str]:
    """
    The elements that are not closed, as the Markdown parser reads the text; "!" for markup that is not kept.
    """
    from tenure.markdown.parser import parse_blocks, parse_inline

    environment: dict[str, Any] = {}
    tokens = parse_blocks(text, kind, environment)
    parse_inline(tokens, kind, environment)

    open_names: list[str] = []
    for token in chain.from_iterable((token, *(token.children or ())) for token in tokens):
        if not all(map(_is_kept_list, token.meta.get("attributes", ()))):
            return ["!"]
        if token.type in ("html_inline", "html_block"):
            if "<" in re.sub(_TAG, "", token.content):
                return ["!"]
            for tag in re.finditer(_TAG, token.content):
                if _write_kept_tag(elements, tag) != tag[0] or not _follow_tag(tag, open_names):
                    return ["!"]
    return open_names


def _follow_tag(tag: re.Match[str], open_names: list[str]) -> bool:
    """Open or close an element; false for the end of one that is not open."""
    name = tag["name"]
    is_end = bool(tag["slash"])
    # the end of <li> and of <p> is optional (HTML Standard, 13.1.2.4): <li> or </ul> ends an open <li>
    while open_names and open_names[-1] in ("li", "p") and is_end != (open_names[-1] == name):
        open_names.pop()
    if is_end:
        return bool(open_names) and open_names.pop() == name
    if name != "br":
        open_names.append(name)
    return True
