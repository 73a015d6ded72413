"""An entry's own text as readers may copy it: without private fields, with the macros it needs."""

import re
from collections.abc import Mapping
from functools import lru_cache
from unicodedata import normalize

from tenure.sources.values import spans

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
        *("timestamp", "username", "video", "website", "__markedentry"),
    }
)
"""Fields that serve the keeper of the file or this site, and no other reader."""

PRIVATE_FAMILIES = re.compile(r"bdsk-|mendeley-|x-|url_|citeulike-|.+_url$|.+\+an(?::.*)?$")


_COMMA = re.compile(r"[ \t]*,?")
_NAME = re.compile(r"[\w+:-]+\Z")


def handout(raw: str, strings: Mapping[str, str]) -> str:
    """
    The text of an entry, as it was written, less its private fields, its letters composed (Unicode NFC).

    `strings` has the macros that the entry uses, by name; they are defined before it, so that it can stand alone.
    """
    text = normalize("NFC", raw.strip())
    names = (_NAME.search(part.rstrip()[-40:]) for part in text.split("=")[:-1])
    if not strings and not any(_is_private(name[0]) for name in names if name):
        return text + "\n"
    head = re.match(r"@\s*\w+\s*[{(]\s*[^,\s={}()\"]*\s*,?", text)
    cuts: list[tuple[int, int]] = []
    before = head.end() if head else 0
    for name, _, end in spans(text, before):
        comma = _COMMA.match(text, end)
        after = comma.end() if comma else end
        if _is_private(name):
            cuts.append((before, after))
        before = after
    for start, end in reversed(cuts):
        text = text[:start] + text[end:]
    defined = [
        f"@string{{{name} = {{{normalize('NFC', value)}}}}}\n" for name, value in sorted(strings.items())
    ]
    return "".join(defined) + text + "\n"


@lru_cache(maxsize=4096)
def _is_private(name: str) -> bool:
    folded = name.casefold()
    return folded in PRIVATE or PRIVATE_FAMILIES.match(folded) is not None
