"""Finds the parts of a text that Liquid generates from the site's data: loops, conditions and bibliographies."""

import re
from collections.abc import Callable, Container, Mapping

from tenure.importers.cv_entries import collection_for_heading
from tenure.importers.menu import PAGE_ALIASES
from tenure.markdown.html import make_slug
from tenure.markdown.html_tags import strip_tags
from tenure.plan.default_pages import COLLECTION_PAGES

_BLOCK_TAG = re.compile(
    r"\{%-?\s*(?P<end>end)?(?P<name>for|tablerow|if|unless|case)\b(?P<source>(?:(?!\{%|%\}).)*?)-?%\}",
    re.DOTALL,
)
_LOOPS = frozenset({"for", "tablerow"})
_GENERATING_TAG = re.compile(r"\{%-?\s*(?:for|bibliography|assign|case|if)\b")
_COMMENT = re.compile(r"<!--(?:(?!<!--).)*?-->", re.DOTALL)
_TAG = re.compile(r"\{%(?:(?!\{%|%\}).)*%\}|\{\{(?!-?\s*(?:['\"]|site\.))[^{}]*\}\}", re.DOTALL)
"""A tag of Liquid, except those that print a URL or a value of the site."""

_PRINTED_VALUE = re.compile(r"\{\{[^{}]*\}\}")

_MARK = "\ue002"
"""The place of a block that was removed."""

_MARKUP = r"(?:\s|\{%[^%\n]*%\}|</?(?:ul|ol|li|div|table|thead|tbody|section|p|span|br|center)\b[^<>]*>)"
_HEADING_OF_BLOCKS = re.compile(
    r"^(?:(?P<marks>#{1,6}) [^\n]*|[^\s\n][^\n]*\n(?:=+|-+)[ \t]*|<h[1-6]\b[^<>\n]*>[^<>\n]*</h[1-6]>[ \t]*)\n"
    rf"{_MARKUP}*+(?:{_MARK}{_MARKUP}*+)+"
    r"(?=^#{1,6} |^[^\n]+\n(?:={3}|-{3})|^<h[1-6]\b|\Z)(?!(?P=marks)#)",
    re.MULTILINE,
)
"""A heading that has only such places below it."""

_LISTED_NAME = re.compile(r"\bsite\.(?:data\.)?(\w+)|\bsite(?:\.data)?\[['\"](\w+)['\"]\]")
_BIBLIOGRAPHY = re.compile(
    r"\{%-?\s*bibliography\b(?:(?:(?!\{%|%\}).)*?\s(?:-f|--file)[\s=]+(?P<file>[\w-]+))?", re.DOTALL
)
_HEADING = re.compile(
    r"^#+ .*$|^.+\n(?:=+|-+)[ \t]*$|<h[1-6]\b[^<>]*>(?:(?!<h[1-6])[^\x00])*?</h[1-6]\s*>", re.MULTILINE
)

DATA_NAMES: Mapping[str, str] = {
    "publications": r"(?:\w+_)?(?:pub_?list|pubs|publications?(?:_?list)?|papers|preprints|articles)(?:_\w+)?",
    "people": r"(?:\w+_|phd|msc|bsc|master|grad)?(?:team|people|members?|students?|alumni|staff|faculty|postdocs?)(?:_\w+)?",
    "news": r"(?:\w+_)?(?:news|announcements)",
}  # fmt: skip
"""The names of data files, for each list that has no entries of a CV."""


def is_made_by_liquid(body: str) -> bool:
    """Whether Liquid generates a page from the site's data."""
    return _GENERATING_TAG.search(body) is not None


def remove_blocks(text: str, names: Container[str], on_removed: Callable[[str], None]) -> str:
    """
    The text without the outermost blocks of Liquid with these names, and without the headings of nothing else.

    `on_removed` gets what each start tag says.
    """
    parts: list[str] = []
    position = depth = start = 0
    source = ""
    for tag in _BLOCK_TAG.finditer(text):
        if tag["name"] not in names or (tag["end"] and not depth):
            continue
        if not depth:
            start, source = tag.start(), tag["source"]
        depth += -1 if tag["end"] else 1
        if not depth:
            parts += (text[position:start], _MARK)
            on_removed(" ".join(source.split()))
            position = tag.end()
    marked_text = "".join(parts) + text[position:]
    return _HEADING_OF_BLOCKS.sub("", marked_text).replace(_MARK, "") if parts else text


def remove_loops(text: str, on_removed: Callable[[str], None]) -> str:
    """The text without its loops; `on_removed` gets the list of each one."""
    return remove_blocks(text, _LOOPS, lambda source: on_removed(re.sub(r"^\w+ in ", "", source)))


def extract_static_text(text: str) -> str:
    """The part of a text that Liquid does not generate, without headings of lists; "" if it has only headings and markup."""
    text = _COMMENT.sub("", text)
    static_text = remove_blocks(text, _LOOPS | {"if", "unless", "case"}, lambda _: None)
    static_text = _TAG.sub("", static_text)
    words = strip_tags(_PRINTED_VALUE.sub("", _HEADING.sub("", static_text)), " ")
    return static_text if re.search(r"\w\w", words) else ""


def find_generated_list(text: str, own_lists: Container[str]) -> str:
    """The list of Tenure for the first list of the site that a text shows, which may be one of its own; "" if it shows none."""
    for first_name, second_name in _LISTED_NAME.findall(text):
        name = first_name or second_name
        collection = make_slug(name) if make_slug(name) in own_lists else collection_for_name(name)
        if collection:
            return collection
    bibliography = _BIBLIOGRAPHY.search(text)
    if bibliography is None:
        return ""
    return collection_for_name(bibliography["file"]) if bibliography["file"] else "publications"


def collection_for_name(name: str) -> str:
    """The list of Tenure for the name of a data file or a folder of the old site, or ""."""
    name = name.casefold().strip("_").replace("-", "_")
    for collection, pattern in DATA_NAMES.items():
        if re.fullmatch(pattern, name):
            return collection
    slug = name.replace("_", "-")
    alias = PAGE_ALIASES.get(slug, slug)
    return alias if alias in COLLECTION_PAGES else collection_for_heading(name)
