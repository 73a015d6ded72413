"""Suggestions for unknown keys: the key that was meant, or the file that the value belongs in."""

import difflib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from tenure.model.dates import Period
from tenure.model.scholar import Course, Entry, Experience, Profile
from tenure.model.site import PageWish, Settings
from tenure.problems import did_you_mean, suggestion
from tenure.sources.alias_table import aliases_of
from tenure.sources.aliases import SPAN, fold, key_names
from tenure.sources.rules import Rule
from tenure.sources.tree import Node

TEXTS = frozenset({"bio", "biography", "about", "summary", "description", "statement"})
THEME_OPTIONS = frozenset(
    ["accent", "accentcolor", "primarycolor", "font", "fonts", "fontfamily", "darkmode", "enabledarkmode", "darklight", "density", "layout", "style", "color", "colors", "colour"]
)  # fmt: skip
"""Folded top-level keys of site.yaml that are theme options."""

ANALYTICS = ("analytics", "goatcounter", "plausible", "umami", "giscus", "comments", "disqus", "newsletter")

HINTS: Mapping[Any, Mapping[str, str]] = {
    Settings: {
        "favicon": "delete it, and put the picture into content/favicon.svg",
        "icon": "delete it, and put the picture into content/favicon.svg",
        "author": "delete it; your name belongs into content/profile.yaml",
        "email": "write it into content/profile.yaml",
        "photo": "write it into content/profile.yaml",
        "avatar": "write it into content/profile.yaml",
        "cv": 'for a PDF of your own, write cv: into content/profile.yaml; for a CV made here, write "cvs"',
        "resume": 'for a PDF of your own, write cv: into content/profile.yaml; for a CV made here, write "cvs"',
        "social": "write them under links: in content/profile.yaml",
        "socials": "write them under links: in content/profile.yaml",
        "links": "write them under links: in content/profile.yaml",
        "domain": "write url: https://…",
        "cname": "write url: https://…",
        "sections": "write them under a page: pages: [{path: /, sections: [about, news]}]",
        "keywords": "delete it: search engines do not read it",
        "googlesiteverification": "put the file that Google gives you into content/",
    },
    Profile: {
        "phone": 'a phone number is not published unless you write links: {Phone: "tel:+1…"}',
        "telephone": 'a phone number is not published unless you write links: {Phone: "tel:+1…"}',
        "tel": 'a phone number is not published unless you write links: {Phone: "tel:+1…"}',
        "mobile": 'a phone number is not published unless you write links: {Phone: "tel:+1…"}',
        "fax": "write it in content/about.md",
        "birthday": "delete it; a CV does not need it",
        "birthdate": "delete it; a CV does not need it",
        "dateofbirth": "delete it; a CV does not need it",
        "nationality": "write it in content/about.md",
        "languages": "write them in content/about.md",
        "skills": "write them in content/about.md",
        "theme": "its place is site.yaml",
        "url": "its place is site.yaml",
        **dict.fromkeys(
            ("advisor", "advisors", "supervisor", "supervisors", "pi"),
            "write it in content/about.md, or as advisor: in content/education.yaml",
        ),
    },
    Entry: {
        "status": 'put it into "note", or into "tags"',
        "state": 'put it into "note", or into "tags"',
        "name": 'write it under the key of what it names, such as "institution" or "title"',
    },
    Course: {
        **dict.fromkeys(
            ("location", "place", "room", "time", "instructor", "instructors"), 'put it into "note"'
        ),
    },
    Experience: {"type": 'put it into "note", or into "tags"'},
    PageWish: {
        "href": "the menu has pages of this site only; write the address under links: in content/profile.yaml"
    },
}
"""The hint for an unknown key, by type and folded key. These hints replace the suggestion of the most similar key."""

COLLECTIONS = frozenset(
    ["education", "experience", "projects", "publications", "talks", "awards", "service", "teaching", "news"]
)  # fmt: skip


def names_of(plan: Sequence[Rule]) -> list[str]:
    """Return every key that an entry may have."""
    names = [name for rule in plan if not rule.rest for name in rule.names]
    return [*names, *SPAN] if any(rule.kind is Period and not rule.many for rule in plan) else names


def field_of(name: str, plan: Sequence[Rule]) -> str:
    """Return the field that a key sets, or the key itself if no field has it."""
    return next((rule.field for rule in plan if name in rule.names), name)


def repair(key: str, node: Node, wanted: Sequence[Rule], cls: Any) -> tuple[str, str]:
    """Return the key that an unknown key probably means, or "", and a hint."""
    known = names_of(wanted)
    fields = [rule.field for rule in wanted if not rule.rest]
    aliases = key_names(cls).aliases
    if fold(key) in aliases and aliases[fold(key)] not in known:
        return "", "delete it: the file's name is its address"
    head = key.partition(":")[0]
    if head != key and head in known:
        return head, f'a colon needs a space after it: "{head}: …"'
    hint = hint_for(key, node, cls)
    if hint:
        return "", hint
    near, other = _near(
        key, tuple(known), tuple(name for rule in wanted for name in aliases_of(cls, rule.field))
    )
    if near:
        return near, f'did you mean "{near}"?'
    if other and not key_names(cls).groups:
        return aliases[fold(other)], f'did you mean "{aliases[fold(other)]}"?'
    return "", _place_for(key.casefold(), node, known, cls) or suggestion(key, fields)


def hint_for(key: str, node: Node, cls: Any) -> str:
    """Return the hint for an unknown key that is a known mistake, or ""."""
    folded = fold(key)
    for kind in cls.__mro__:
        if folded in HINTS.get(kind, {}):
            return HINTS[kind][folded]
    if cls is Settings and folded in THEME_OPTIONS:
        option = {"enabledarkmode": "dark_mode", "darkmode": "dark_mode"}.get(folded, key.casefold())
        value = f'"{node.words}"' if node.words.startswith("#") else node.words or "…"
        return f"an option of a theme is written under it: theme: {{name: …, {option}: {value}}}"
    if cls is Settings and "googleanalytics" in folded:
        return (
            "there is no key for Google Analytics; services: has goatcounter, plausible, umami and cloudflare"
        )
    if cls is Settings and any(name in folded for name in ANALYTICS):
        return "write it under services:"
    return ""


@lru_cache(maxsize=4096)
def _near(key: str, known: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, str]:
    """Return the most similar key and the most similar alias, each or "". Cached: groups of service repeat many keys."""
    near = did_you_mean(key, known)
    nearest = () if near else difflib.get_close_matches(key.casefold(), others, n=1, cutoff=0.8)
    return near, next(iter(nearest), "")


def _place_for(key: str, node: Node, known: Sequence[str], cls: Any) -> str:
    """Return the hint that names the right file for a value, or ""."""
    owner = cls is Profile
    if owner and key in TEXTS:
        return "write it in content/about.md"
    if owner and key in COLLECTIONS:
        return f"write it in {'a .bib file in bib/' if key == 'publications' else f'content/{key}.yaml'}"
    if "abbr" in known:
        return "write it into the entry in bib/"
    if key_names(cls).groups and node.words:
        return f"if it is a group, write a list: {key}: [{node.words if len(node.words) < 40 else '…'}]"
    return 'move it to "note", or delete it' if "note" in known else ""


def names_without_hyphens(node: Node, plan: Sequence[Rule], cls: Any) -> tuple[str, str]:
    """
    Return the mistake in an entry whose name is its key as (message, hint), or ("", "") if there is none.

    The mistakes are: the settings of "- news:" are on its level instead of below it, or one entry has several names.
    """
    known = {*names_of(plan), *(name for rule in plan for name in aliases_of(cls, rule.field))}
    strangers = [key for key in node.entries if key not in known]
    beside = [key for key in node.entries if key in known]
    first = strangers[0] if strangers else ""
    if not first or isinstance(node.entries[first].value, str):
        return "", ""
    if len(strangers) > 1:
        return f'"{first}" and "{strangers[1]}" are in one entry', f"begin each with a hyphen: - {first}"
    if node.entries[first].value is not None:
        return f'"{first}" is {node.entries[first].shape}', "write key: value lines below it"
    shown = ", ".join(f"{key}: {node.entries[key].words or '…'}" for key in beside)
    message = f'"{beside[0]}" is beside "{first}", not below it'
    return message, f"indent it further, or write - {first}: {{{shown}}}"
