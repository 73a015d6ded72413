"""The BibTeX text of an entry for readers: without private fields and author marks, with the macros it needs."""

import re
from collections.abc import Mapping
from functools import lru_cache
from unicodedata import normalize

from tenure.model.names import MARKERS
from tenure.sources.people import read_authors
from tenure.sources.values import closing, closing_quote, spans

PRIVATE = frozenset(
    {
        *(
            "abbr",
            "additional_info",
            "altmetric",
            "annotation",
            "annote",
            "award",
            "award_name",
            "bibtex_show",
        ),
        *(
            "blog",
            "code",
            "color",
            "comment",
            "creationdate",
            "date-added",
            "date-modified",
            "dimensions",
            "file",
        ),
        *(
            "google_scholar_id",
            "groups",
            "html",
            "img",
            "inspirehep_id",
            "internal-note",
            "internal_note",
            "local-url",
        ),
        *(
            "modificationdate",
            "owner",
            "pdf",
            "poster",
            "preprint_of",
            "preview",
            "printed",
            "priority",
        ),
        *(
            "qualityassured",
            "ranking",
            "rating",
            "read",
            "readstatus",
            "remark",
            "review",
            "selected",
            "slides",
            "supp",
        ),
        *(
            "data",
            "dataset",
            "demo",
            "draft",
            "github",
            "hidden",
            "hide",
            "image",
            "picture",
            "presentation",
            "project",
            "recording",
            "talk",
            "teaser",
            "thumb",
            "thumbnail",
        ),
        *("timestamp", "username", "video", "website", "__markedentry"),
    }
)
"""Fields for the author of the file or for this site only."""

PRIVATE_FAMILIES = re.compile(r"bdsk-|mendeley-|x-|url_|citeulike-|.+_url$|.+\+an(?::.*)?$")


_COMMA = re.compile(r"[ \t]*,?")
_NAME = re.compile(r"[\w+:-]+\Z")

NAME_LISTS = frozenset({"author", "editor"})
"""Fields with lists of names, which may have marks such as the star of equal contribution."""

_SIGN = (
    rf"(?:[{MARKERS}]|\\[#*]"
    r"|\\(?:text)?(?:d?dag(?:ger)?|daggerdbl|ast|asterisk\w*|section|paragraph|S|P)(?![A-Za-z])[ \t]*(?:\{\})?)"
)
_SIGNS = rf"{_SIGN}(?:[ ,]*{_SIGN})*"
_FORMULA = rf"\$(?:\{{\}})?\^?\{{?{_SIGNS}\}}?\$"
_MARK = re.compile(
    rf"(?:\{{{_FORMULA}\}}|{_FORMULA}|\\textsuperscript\s*\{{\$?{_SIGNS}\$?\}}|\^?\{{{_SIGNS}\}}|\^?{_SIGNS})"
)
_MARK_AFTER_SPACE = re.compile(rf"[ \t~]+{_MARK.pattern}(?=\s*(?:,|\Z))")
_ANY_MARK = re.compile(_SIGN)
_AND = re.compile(r"(\s+and\s+)", re.IGNORECASE)
_MACRO_NAME = re.compile(r"[^\s#,{}\"]+")


def handout(raw: str, strings: Mapping[str, str]) -> str:
    """
    The source text of an entry without private fields and author marks, in Unicode NFC.

    `macros` has the macros that the entry uses, by name; their @string definitions are written before it.
    """
    text = normalize("NFC", raw.strip())
    names = (_NAME.search(part.rstrip()[-40:]) for part in text.split("=")[:-1])
    if not strings and not _ANY_MARK.search(text) and not any(_is_private(name[0]) for name in names if name):
        return text + "\n"
    head = re.match(r"@\s*\w+\s*[{(]\s*[^,\s={}()\"]*\s*,?", text)
    changes: list[tuple[int, int, str]] = []
    macros_of_names: set[str] = set()
    before = head.end() if head else 0
    for name, start, end in spans(text, before):
        comma = _COMMA.match(text, end)
        after = comma.end() if comma else end
        if _is_private(name):
            changes.append((before, after, ""))
        elif name in NAME_LISTS:
            changes.append((start, end, _remove_marks_from_value(text[start:end])))
            macros_of_names.update(_MACRO_NAME.findall(text[start:end]))
        before = after
    for start, end, replacement in reversed(changes):
        text = text[:start] + replacement + text[end:]
    defined = [
        f"@string{{{name} = {{{_macro_value(value, name in macros_of_names)}}}}}\n"
        for name, value in sorted(strings.items())
    ]
    return "".join(defined) + text + "\n"


def _macro_value(value: str, is_in_names: bool) -> str:
    composed = normalize("NFC", value)
    return remove_author_marks(composed) if is_in_names else composed


def _remove_marks_from_value(value: str) -> str:
    """The source text of a value, with `remove_author_marks` applied inside its braces or quotes."""
    parts: list[str] = []
    at = 0
    while at < len(value):
        rest = value[at:]
        length = closing(rest) if rest[0] == "{" else closing_quote(rest) if rest[0] == '"' else 0
        parts.append(rest[0])
        if length:
            parts += [remove_author_marks(rest[1:length]), rest[length : length + 1]]
        at += length + 1
    return "".join(parts)


@lru_cache(maxsize=4096)
def remove_author_marks(names: str) -> str:
    """
    Remove marks such as the star of equal contribution from a list of names; the other bytes are unchanged.

    A name that would be parsed differently without the signs is unchanged: then they are a part of the name.
    """
    if not _ANY_MARK.search(names):
        return names
    return "".join(_remove_marks_from_name(part) for part in _AND.split(names))


def _remove_marks_from_name(name: str) -> str:
    if not _ANY_MARK.search(name):
        return name
    bare = _MARK.sub("", _MARK_AFTER_SPACE.sub("", name))
    written, left = read_authors(name).authors.people, read_authors(bare).authors.people
    same = [author.name.full for author in written] == [author.name.full for author in left]
    return bare if same and not any(author.marks for author in left) else name


@lru_cache(maxsize=4096)
def _is_private(name: str) -> bool:
    folded = name.casefold()
    return folded in PRIVATE or PRIVATE_FAMILIES.match(folded) is not None
