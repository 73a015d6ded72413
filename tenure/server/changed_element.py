"""Finds the one element in which two versions of a page differ, so that a browser gets it instead of the whole page."""

import re

from tenure.record import Record

MAX_ELEMENT_LENGTH = 65_536
"""Maximum length of an element in characters; a larger difference is not faster than the whole page."""

MAX_CANDIDATES = 8
"""Maximum number of elements with an id that are tried before a difference."""

_TAG = re.compile(
    r"""<(?P<end>/?)(?P<name>[a-zA-Z][a-zA-Z0-9-]*)(?:[^<>"'/]|/(?!>)|"[^"]*"|'[^']*')*+(?P<empty>/?)>"""
)
_JSON_LD = re.compile(rb'<script type="application/ld\+json">.*?</script>', re.DOTALL)
_ELEMENTS_WITH_RAW_TEXT = frozenset({"script", "style", "textarea", "title"})
_VOID_ELEMENTS = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)
"""Elements without an end tag. Source: HTML Standard, 13.1.2."""

_FOREIGN_ELEMENTS = frozenset({"svg", "math"})
"""Elements in which "/>" ends a tag; elsewhere browsers ignore its "/". Source: HTML Standard, 13.1.2.1."""


class ChangedElement(Record):
    """The HTML of an element with an id, before and after a change; the rest of the page is the same."""

    before: str
    after: str


def find_changed_element(old_page: bytes, new_page: bytes) -> ChangedElement | None:
    """
    The smallest element with an id that has all visible differences of two pages in UTF-8; JSON-LD is not visible.

    None if there is no difference, no such element, or if an end tag is missing in it: then the rest of the page may also look
    different.
    """
    old_page, new_page = (_JSON_LD.sub(b"", page, 1) for page in (old_page, new_page))
    start = _count_equal_bytes(old_page, new_page)
    if start == len(old_page) == len(new_page):
        return None
    rest_length = min(len(old_page), len(new_page)) - start
    tail_length = (
        _count_equal_bytes(old_page[-rest_length:][::-1], new_page[-rest_length:][::-1]) if rest_length else 0
    )
    old_end, growth = len(old_page) - tail_length, len(new_page) - len(old_page)
    id_position = start
    for _ in range(MAX_CANDIDATES):
        id_position = old_page.rfind(b' id="', 0, id_position)
        if id_position < 0:
            return None
        tag_start = old_page.rfind(b"<", 0, id_position)
        before = _cut_element(old_page, tag_start)
        if tag_start + len(before.encode()) >= old_end:
            after = _cut_element(new_page, tag_start)
            is_same_region = len(after.encode()) == len(before.encode()) + growth
            return ChangedElement(before, after) if after and is_same_region else None
    return None


def _count_equal_bytes(first: bytes, second: bytes) -> int:
    """The number of equal bytes at the start of two values."""
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _cut_element(page: bytes, start: int) -> str:
    """The element that starts at a position; "" if it is too long or has a comment, or if its tags are not properly nested."""
    text = page[start : start + MAX_ELEMENT_LENGTH].decode(errors="replace")
    open_elements: list[str] = []
    for tag in _TAG.finditer(text):
        name = tag["name"].lower()
        if name in _ELEMENTS_WITH_RAW_TEXT:
            return ""
        if tag["end"]:
            if not open_elements or open_elements.pop() != name:
                return ""
        elif name not in _VOID_ELEMENTS and not (
            tag["empty"] and _FOREIGN_ELEMENTS.intersection(open_elements)
        ):
            open_elements.append(name)
        if not open_elements:
            element = text[: tag.end()]
            return "" if "<!" in element else element
    return ""
