"""The name of the owner of a site: from titles such as "Ada Example | Home", or from the name of the host."""

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

SAMPLE_NAMES = frozenset(
    [
        "",
        "about",
        "about me",
        "academic",
        "academic website",
        "academicpages",
        "admin",
        "blank",
        "earth",
        "home",
        "home page",
        "homepage",
        "john doe",
        "my new hugo site",
        "my site",
        "my website",
        "personal site",
        "personal website",
        "portfolio",
        "red brick university",
        "website",
        "welcome",
        "you r. name",
        "your name",
        "your name / site title",
        "your name here",
        "your sidebar name",
    ]
)
"""Names in the configuration of templates, and titles that are no names."""

_DOMAIN = re.compile(r"(?:https?://)?[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/?", re.IGNORECASE)
"""A title that is an address: ada.example.org."""

_PAGE_WORDS = re.compile(r"['’]s? (?:\w+ ){0,2}(?:home ?page|web ?site|page|site|blog)$", re.IGNORECASE)
"""The end of "Ada Lee's home page"."""

_TITLE_WORDS = re.compile(
    r"^(?:(?:Dr|Prof|Professor|Mr|Mrs|Ms|PD|Ph\.?\s?D)\b\.?\s+)+|,?\s+(?:Ph\.?\s?D\.?|M\.?D\.?)$",
    re.IGNORECASE,
)
"""Dr., Prof. before a name, and PhD behind it."""

_NAME = re.compile(r"[^\W\d_][\w.'’-]*(?:\s+[^\W\d_][\w.'’-]*){1,3}")
"""Two to four words that begin with a letter: Ada Maria Lee."""

_NO_NAME = re.compile(
    r"""
    \b(?:
        home|page|website|welcome|university|professor|research\w*|student|scientist|publications?|lab|group
        |phd|the|of|at|site|blog
    )\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Words of titles that are no names: Publications, The Loom Lab."""


def choose_name(candidates: Sequence[str]) -> str:
    """
    The first candidate that is not a sample, or a fuller form of it, without academic titles.

    "Ada", "Dr. Ada Example" -> "Ada Example"; "" if there is none.
    """
    names: list[str] = []
    for candidate in candidates:
        if candidate.strip().casefold() in SAMPLE_NAMES or _DOMAIN.fullmatch(candidate.strip()):
            continue
        name = _TITLE_WORDS.sub("", _PAGE_WORDS.sub("", " ".join(candidate.split())))
        # "Ada Example." -> "Ada Example", but "Guy Steele Jr."
        names.append(re.sub(r"(?<=\w{4})\.$", "", name))

    first = names[0] if names else ""
    fuller = (name for name in names if name.startswith(f"{first} ") and len(name.split()) <= 4)
    return next(fuller, first)


def find_name_in_titles(titles: Sequence[str]) -> str:
    """The name of a person in titles of pages, "" if there is none: "Ada Example | Home" -> "Ada Example"."""
    for title in titles:
        for part in re.split(r"\s*[|•·:,]\s*|\s+[-–—]+\s+|['’]s\s", title):
            if _NAME.fullmatch(part.strip()) and not _NO_NAME.search(part):
                return part.strip()
    return ""


def guess_name_from_host(url: str, folder: str) -> str:
    """
    The name in a host or, without one, in the name of a folder.

    "https://jane-doe.github.io/" -> "Jane Doe"; "", "user+old-site" -> "Old Site".
    """
    # urlsplit raises for "https://[x"
    is_url = re.match(r"https?://[\w.-]+(?:[:/]|$)", url)
    host = urlsplit(url).hostname or "" if is_url else ""
    text = host.removeprefix("www.").split(".")[0] or folder.rpartition("+")[2].split(".")[0]
    return " ".join(word.capitalize() for word in re.split(r"[\W_\d]+", text) if word)
