"""Keys that are not known here: what they are called, or where what they say belongs."""

import difflib
from collections.abc import Mapping, Sequence
from functools import lru_cache

from tenure.model.dates import Period
from tenure.problems import did_you_mean, suggestion
from tenure.sources.addresses import SERVICES
from tenure.sources.rules import Rule
from tenure.sources.tree import Node

SPAN: Mapping[str, frozenset[str]] = {
    "start": frozenset({"start_date", "startdate", "from", "begin", "start_year", "since"}),
    "end": frozenset({"end_date", "enddate", "until", "finish", "end_year", "to"}),
}
"""A period may be written as these two keys; other systems' names for them are recognised and told."""

NEEDLESS = frozenset(
    ["layout", "collection", "inline", "related_posts", "related_publications", "importance", "comments", "giscus_comments", "toc", "author", "authors", "author_profile", "read_time", "share", "header", "redirect_from", "redirect", "horizontal", "featured", "hugoblox", "type", "weight", "publishdate", "mathjax", "katex", "sidebar", "nav", "nav_order"]
)  # fmt: skip
"""Keys with which other systems steer themselves."""

TEXTS = frozenset({"bio", "biography", "about", "summary", "description", "statement"})
COLLECTIONS = frozenset(
    ["education", "experience", "projects", "publications", "talks", "awards", "service", "teaching", "news"]
)  # fmt: skip


def known_elsewhere(key: str, plan: Sequence[Rule]) -> str:
    """Our name for what another system calls `key`, or ""."""
    folded = key.casefold().replace("-", "_").replace(" ", "_")
    for rule in plan:
        if folded in rule.known.foreign or (folded != key and folded in rule.names):
            return next((name for name in rule.names if name == folded), rule.field)
        if rule.kind is Period and not rule.many:
            for name, others in SPAN.items():
                if folded in others or (folded == name and folded != key):
                    return name
    return ""


def names_of(plan: Sequence[Rule]) -> list[str]:
    """Every key that an entry may have."""
    names = [name for rule in plan if not rule.rest for name in rule.names]
    return [*names, *SPAN] if any(rule.kind is Period and not rule.many for rule in plan) else names


def field_of(name: str, plan: Sequence[Rule]) -> str:
    """The field that a key fills."""
    return next((rule.field for rule in plan if name in rule.names), name)


def repair(key: str, node: Node, wanted: Sequence[Rule], plan: Sequence[Rule]) -> tuple[str, str]:
    """What was meant by a key that is not known, or "", and what to do about it."""
    known = names_of(wanted)
    fields = [rule.field for rule in wanted if not rule.rest]
    foreign = known_elsewhere(key, wanted)
    if foreign:
        hint = f'write "{foreign}"' if foreign == key.casefold() else f'here this is called "{foreign}"'
        return foreign, hint
    head = key.partition(":")[0]
    if head != key and head in known:
        return head, f'a colon needs a space after it: "{head}: …"'
    if key.casefold() in NEEDLESS:
        return "", "delete it: it means nothing here"
    near, other = _near(key, tuple(known), tuple(name for rule in wanted for name in rule.known.foreign))
    if near:
        return near, f'did you mean "{near}"?'
    if other:
        return known_elsewhere(other, wanted), f'here this is called "{known_elsewhere(other, wanted)}"'
    return "", _place_for(key.casefold(), node, known, plan) or suggestion(key, fields)


@lru_cache(maxsize=4096)
def _near(key: str, known: tuple[str, ...], foreign: tuple[str, ...]) -> tuple[str, str]:
    """The name of ours nearest to a key, and that of another system; groups of service ask for many alike."""
    near = did_you_mean(key, known)
    others = () if near else difflib.get_close_matches(key.casefold(), foreign, n=1, cutoff=0.8)
    return near, next(iter(others), "")


def _place_for(key: str, node: Node, known: Sequence[str], plan: Sequence[Rule]) -> str:
    """Where something belongs that is no key of an entry."""
    owner = "aliases" in known
    if owner and key in TEXTS:
        return "write it in content/about.md"
    if owner and key in COLLECTIONS:
        return f"its place is {'a .bib file in bib/' if key == 'publications' else f'content/{key}.yaml'}"
    if "links" in known and key in SERVICES:
        return f"write it under links: {{{key}: {node.words or '…'}}}"
    if known_elsewhere(key, [rule for rule in plan if rule.field == "id"]):
        return "delete it: the file's name is its address"
    if "abbr" in known:
        return "write it into the entry in bib/"
    if any(rule.rest for rule in plan) and node.words and "role" in known:
        return f"if it is a group, write a list: {key}: [{node.words if len(node.words) < 40 else '…'}]"
    return 'put it into "note", or delete it' if "note" in known else ""


def names_without_hyphens(node: Node, plan: Sequence[Rule]) -> tuple[str, str]:
    """
    What is wrong with an entry that should be named by its key, as (message, hint); ("", "") where nothing is.

    "- news:" with its settings beside it instead of beneath it, and several names in one entry.
    """
    known = names_of(plan)
    strangers = [key for key in node.entries if key not in known]
    beside = [key for key in node.entries if key in known]
    first = strangers[0] if strangers else ""
    if not first or isinstance(node.entries[first].value, str):
        return "", ""
    if len(strangers) > 1:
        return f'"{first}" and "{strangers[1]}" stand in one entry', f"begin each with a hyphen: - {first}"
    if node.entries[first].value is not None:
        return f'"{first}" is {node.entries[first].shape}', "write key: value lines beneath it"
    shown = ", ".join(f"{key}: {node.entries[key].words or '…'}" for key in beside)
    message = f'"{beside[0]}" stands beside "{first}", not beneath it'
    return message, f"indent it further, or write - {first}: {{{shown}}}"
