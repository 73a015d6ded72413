"""Cleans the HTML in the texts of other systems: code is protected; hidden elements and unused ids are removed."""

import re
from collections.abc import Callable

from tenure.markdown.html import make_slug
from tenure.markdown.html_tags import VOID_ELEMENTS, Tag, iterate_tags, rewrite_tags

_FENCE_OR_CODE = re.compile(
    r"^[ \t]*(?P<fence>`{3,}|~{3,})(?:[^\n]*\n(?:.*?\n)??[ \t]*(?P=fence)[`~]*[ \t]*$|[^\n`]*(?:\n.*)?\Z)"
    r"|(?<!`)(?P<ticks>`+)(?!`)(?:(?!\n\s*\n).)+?(?<!`)(?P=ticks)(?!`)",
    re.DOTALL | re.MULTILINE,
)
"""Code in a block, which ends with the text if it is not closed, and code in a line."""
_RAW_START = re.compile(r"<(script|style|textarea|title)\b[^<>]*>", re.IGNORECASE)
_RAW_END = re.compile(r"</(script|style|textarea|title)\s*>", re.IGNORECASE)
_CODE_MARK = re.compile("\ue000(\\d+)\ue001")
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_HIDDEN_CLASSES = frozenset({"d-none", "hidden", "hide", "visually-hidden", "sr-only", "is-hidden"})
_SCRIPT_TEMPLATES = frozenset({"bibtex_template", "bibtex_structure", "bibtex_search"})
"""Classes of the elements that the script bibtex-js replaces by a list of publications."""

_VISIBLE_CLASS = re.compile(r"(?:d|sm|md|lg|xl)[-:](?:\w+-)?(?:block|flex|inline\S*|grid|table)|.*focusable")
_HEADING = re.compile(r"^#{1,6}[ \t]+(.*?)[ \t]*#*$", re.MULTILINE)


def rewrite_outside_code(text: str, function: Callable[[str], str]) -> str:
    """The text rewritten by a function that does not see the code blocks and the code in lines."""
    code: list[str] = []

    def hide_code(match: re.Match[str]) -> str:
        code.append(match[0])
        return f"\ue000{len(code) - 1}\ue001"

    text = re.sub("[\ue000\ue001]", "", text)
    rewritten = function(_FENCE_OR_CODE.sub(hide_code, text))
    return _CODE_MARK.sub(lambda match: code[int(match[1])], rewritten)


def remove_elements(
    text: str, is_removed: Callable[[Tag], bool], on_removed: Callable[[Tag, str], None]
) -> str:
    """The text without some elements; of an element that is not closed, only the start tag. `on_removed` gets each one."""
    parts: list[str] = []
    unclosed_names: set[str] = set()
    position = 0
    for tag in iterate_tags(text):
        if tag.start < position or not is_removed(tag):
            continue
        end = tag.start + len(tag.text)
        if end == tag.content_start and tag.name not in unclosed_names:
            end = _find_element_end(text, tag)
            unclosed_names |= {tag.name} if end == tag.content_start else set()
        end = len(text) if end == tag.content_start and tag.name in ("script", "style") else end
        parts.append(text[position : tag.start])
        on_removed(tag, text[tag.start : end])
        position = end
    return "".join(parts) + text[position:]


def close_raw_elements(text: str) -> str:
    """
    The text with an end tag after the last script or style sheet without one, and without other raw start tags that have none.

    The search for the end of each of them would read the text to its end.
    """
    last_ends = {match[1].casefold(): match.start() for match in _RAW_END.finditer(text)}
    unclosed = ""

    def remove_unclosed(match: re.Match[str]) -> str:
        nonlocal unclosed
        name = match[1].casefold()
        if unclosed or match.start() < last_ends.get(name, -1):
            return match[0]
        if name in ("script", "style"):
            unclosed = name
            return match[0]
        return ""

    closed_text = _RAW_START.sub(remove_unclosed, text)
    return f"{closed_text}</{unclosed}>" if unclosed else closed_text


def is_active(tag: Tag) -> bool:
    """Whether an element is part of a program or of another page, which are not imported."""
    return tag.name in ("script", "style", "iframe", "form", "object", "embed")


def is_hidden(tag: Tag) -> bool:
    """Whether a style, a class or an attribute hides an element."""
    attributes = tag.attributes
    classes = (attributes.get("class") or "").split()
    if _SCRIPT_TEMPLATES & {*classes}:
        return True
    has_hidden_class = bool(_HIDDEN_CLASSES & {*classes}) and not any(map(_VISIBLE_CLASS.match, classes))
    has_hidden_style = _HIDDEN_STYLE.search(attributes.get("style") or "") is not None
    return "hidden" in attributes or has_hidden_class or has_hidden_style


def _find_element_end(text: str, tag: Tag) -> int:
    """The offset after the end tag of an element; the end of its start tag if it has none."""
    if tag.name in VOID_ELEMENTS:
        return tag.content_start
    depth = 0
    for match in re.compile(rf"<(/?){tag.name}\b[^>]*>", re.IGNORECASE).finditer(text, tag.start):
        depth += -1 if match[1] else 1
        if not depth:
            return match.end()
    return tag.content_start


def list_anchors(text: str) -> frozenset[str]:
    """The names that a link within a text can have as its target: ids, and slugs of headings."""
    ids = {tag.attributes.get(name) or "" for tag in iterate_tags(text) for name in ("id", "name")}
    marked_ids = re.findall(r"\{\s*#([\w-]+)", text)
    return frozenset({*ids, *marked_ids, *map(make_slug, _HEADING.findall(text))} - {""})


def remove_unclosed_links(text: str) -> str:
    """The text without the start tags of links after the last end tag of one: they have no text."""
    end = text.lower().rfind("</a")
    return text[: max(end, 0)] + re.sub(r"<a\s[^<>]*\bhref\b[^<>]*>(?!\s*</a)", "", text[max(end, 0) :])


_EMPTY_ELEMENT = re.compile(
    r"(?P<line>^[ \t]*)?<(?P<name>div|span|p|ul|ol|li|figure|a|strong|em|b|i|u|small|section|article|aside|center|font|button|nav|h[1-6])"
    r"\b(?P<attributes>[^<>]*)(?<!/)>\s*</(?P=name)\s*>(?(line)(?:[ \t]*\n)?)",
    re.MULTILINE | re.IGNORECASE,
)
_ELEMENT_NAME = re.compile(r"\b(?:id|name)\s*=\s*[\"']?([^\s\"'<>]+)", re.IGNORECASE)


def remove_empty_elements(text: str) -> str:
    """The text without elements that show nothing, such as the item of a list whose image is missing; targets of links are kept."""

    def remove_element(match: re.Match[str]) -> str:
        name = _ELEMENT_NAME.search(match["attributes"])
        return match[0] if name and f"#{name[1]}" in text else ""

    for _ in range(_MAX_DEPTH_OF_EMPTY_ELEMENTS):
        shorter_text = _EMPTY_ELEMENT.sub(remove_element, text)
        if shorter_text == text:
            break
        text = shorter_text
    return text


_MAX_DEPTH_OF_EMPTY_ELEMENTS = 12


def remove_unused_ids(text: str) -> str:
    """The text without the ids to which it has no link; equal ids of two texts on one page would be an error."""
    linked_names = frozenset(re.findall(r"#([^\s\"'()<>#]+)", text))

    def remove_id(tag: Tag) -> str:
        attributes = tag.attributes
        name = attributes.get("id")
        if name is None or name in linked_names:
            return tag.text
        return tag.format_with({key: value for key, value in attributes.items() if key != "id"})

    return rewrite_tags(text, remove_id)
