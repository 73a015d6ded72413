r"""
The HTML that a field of an entry may contain; all other tags are shown as text.

`H<sub>2</sub>O <script>x</script>` -> `H<sub>2</sub>O &lt;script>x&lt;/script>`
"""

import html
import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Any

from tenure.markdown.html_tags import Tag, format_tag
from tenure.markdown.math import FORMULA
from tenure.model.links import is_safe_url

TEXT_ELEMENTS = frozenset(
    "a abbr b br cite code em i kbd mark q s small span strong sub sup u".split()  # noqa: SIM905 - a list of words
)
BLOCK_ELEMENTS = frozenset({"li", "ol", "p", "ul"})
"""Elements that a field with several paragraphs may also contain."""

_KEPT_LIST_KEYS = frozenset(["alt", "dir", "height", "lang", "loading", "title", "width"])
"""The keys that a field may set in a list of attributes after an element: `{width=200}`."""

_CANDIDATE = re.compile(r"<[a-zA-Z/!?]|\{[^{}\n]*=")
_ATTRIBUTES = r"""\s(?:[^<>"']|"[^"<]*"|'[^'<]*')*"""
_TAG = re.compile(rf"<(?P<slash>/?)(?P<name>[a-zA-Z][a-zA-Z0-9-]*)(?P<attributes>(?:{_ATTRIBUTES})?)/?>")
_MARKUP = re.compile(
    rf"""
      \\.                                                              # \<b>
    | (?<!`)(?P<fence>`+)(?!`) .+? (?<!`)(?P=fence)(?!`)               # `<b>`
    | (?:{FORMULA.pattern})                        # $a<b>c$
    | \]\(\s*<[^<>\n]*>                                                # [x](<a b.pdf>)
    | <[a-zA-Z][a-zA-Z0-9+.-]*:[^\s<>]*> | <[^\s<>@/]+@[^\s<>]+>       # <https://example.org>
    | (?P<tag>{_TAG.pattern})
    | (?P<sign><(?=[a-zA-Z/!?]))                                       # <!-- or an unfinished tag
    | (?P<list>\{{:?[ ]*(?:[.#][\w-]|[\w-]+=)[^{{}}\n]*\}})            # {{: onclick=x}}
    | (?P<blank>\n[ \t]*(?=\n))
    """,
    re.VERBOSE | re.DOTALL,
)


def keep_field_html(text: str, *, has_blocks: bool) -> str:
    """
    A Markdown text with safe elements without attributes; each other tag is shown as text, and unclosed elements are closed.

    If the parser reads the text otherwise than the pattern, for example a tag between backticks of two paragraphs, it is
    shown as text too.
    """
    if not _CANDIDATE.search(text):
        return text
    kept = _Sieve(has_blocks).convert(text)
    if any(_has_foreign_markup(kept, kind, has_blocks) for kind in ("inline", "blocks")):
        return text.replace("<", "&lt;").replace("{", "&#123;")
    return kept


class _Sieve:
    """Writes the tags of a text again, those that are kept and the others as text."""

    def __init__(self, has_blocks: bool) -> None:
        self._elements = TEXT_ELEMENTS | BLOCK_ELEMENTS if has_blocks else TEXT_ELEMENTS
        self._open_names: list[str] = []

    def convert(self, text: str) -> str:
        """The text with all its elements closed."""
        converted = _MARKUP.sub(self._convert_match, text)
        content = converted.rstrip()
        return content + self._close_elements(0) + converted[len(content) :]

    def _convert_match(self, match: re.Match[str]) -> str:
        if match["tag"]:
            return self._convert_tag(match)
        if match["sign"]:
            return "&lt;"
        if match["list"] and not _is_kept_list(match["list"]):
            return f"\\{match[0]}"
        if match["blank"] is not None:
            blocks = [index for index, name in enumerate(self._open_names) if name in BLOCK_ELEMENTS]
            return self._close_elements(blocks[-1] + 1 if blocks else 0) + match[0]
        return match[0]

    def _convert_tag(self, match: re.Match[str]) -> str:
        name = match["name"].lower()
        tag = write_kept_tag(match) if name in self._elements else ""
        if tag and match["slash"]:
            if name not in self._open_names:
                return "" if name == "br" else f"&lt;{match[0][1:]}"
            last = len(self._open_names) - 1 - self._open_names[::-1].index(name)
            return self._close_elements(last)
        if not tag:
            return f"&lt;{match[0][1:]}"
        if name == "br":
            return tag
        closed = ""
        if name == "p" and "p" in self._open_names:
            closed = self._close_elements(self._open_names.index("p"))
        self._open_names.append(name)
        return closed + tag

    def _close_elements(self, count: int) -> str:
        """The end tags of the open elements except the outer ones, whose number is given."""
        names = self._open_names[count:]
        del self._open_names[count:]
        return "".join(f"</{name}>" for name in reversed(names))


def write_kept_tag(match: re.Match[str]) -> str:
    """A tag with the attributes that are kept; "" for a link to an address that may not be linked."""
    name = match["name"].lower()
    if match["slash"]:
        return f"</{name}>"
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


def _has_foreign_markup(text: str, kind: str, has_blocks: bool) -> bool:
    """Whether the Markdown parser finds a tag or an attribute that is not kept, or an element that is not closed."""
    open_counts: Counter[str] = Counter()
    for is_html, content in _find_markup(text, kind):
        if not is_html:
            if not _is_kept_list(content):
                return True
            continue
        if "<" in _TAG.sub("", content):
            return True
        for match in _TAG.finditer(content):
            name = match["name"].lower()
            is_kept = name in TEXT_ELEMENTS or (has_blocks and name in BLOCK_ELEMENTS)
            if not is_kept or write_kept_tag(match) != match[0]:
                return True
            open_counts[name] += -1 if match["slash"] else int(name != "br")
    return any(open_counts.values())


def _find_markup(text: str, kind: str) -> Iterator[tuple[bool, str]]:
    """Each piece of HTML and each list of attributes that the parser finds, and whether it is HTML."""
    from tenure.markdown.parser import parse_blocks, parse_inline  # noqa: PLC0415 - markdown-it-py takes 27 ms to import; few fields have tags

    environment: dict[str, Any] = {}
    tokens = parse_blocks(text, kind, environment)
    parse_inline(tokens, kind, environment)
    for token in chain(tokens, *(token.children or () for token in tokens)):
        if token.type in ("html_inline", "html_block"):
            yield True, token.content
        for attributes in token.meta.get("attributes", ()):
            yield False, attributes
