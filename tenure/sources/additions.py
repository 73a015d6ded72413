"""Reads content/publications.yaml and content/coauthors.yaml, and applies them to publications and other entries."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tenure.frozen import dataclass
from tenure.model.additions import Coauthor, Overlay
from tenure.model.links import Address, Link
from tenure.model.names import Authors, Name, name_key, spellings
from tenure.model.scholar import Education, Entry, Experience, Markdown, Publication, Talk
from tenure.problems import Place, Problems
from tenure.sources.addresses import label_of, link_of
from tenure.sources.bib_fields import ALWAYS_LINKS
from tenure.sources.files import read_text, read_yaml
from tenure.sources.schema import decode, main_words
from tenure.sources.tree import Node

RANKS: Mapping[str, int] = {label_of(name): rank for rank, name in enumerate(ALWAYS_LINKS)}
"""Position of a link among the links of a publication, by its label."""

_PERSON = re.compile(r"((?:(?:Prof(?:essor)?|Dr)\.? +)*)([^][()<>*_`]*\w\.?)(\s*\(.*\))?")
"""An advisor with title and affiliation: "Prof. Ada Example (MIT)"."""


@dataclass(frozen=True, slots=True)
class Additions:
    """Overlays by publication key, co-authors, and the URLs of people by every spelling of their names."""

    overlays: Mapping[str, Overlay]
    coauthors: tuple[Coauthor, ...]
    people: Mapping[tuple[str, str], Address]

    def of_people(self, authors: Authors) -> Authors:
        """The authors with their known URLs; the owner of the site gets none."""
        if not self.people:
            return authors
        found = (
            author if author.me else replace(author, url=self.people.get(name_key(author.name), ""))
            for author in authors.people
        )
        return replace(authors, people=tuple(found))

    def of_entry(self, entry: Entry) -> Entry:
        """An entry whose advisors, mentors or host are links if their URLs are known."""
        if self.people and isinstance(entry, Education):
            return replace(entry, advisors=tuple(map(self._linked, entry.advisors)))
        if self.people and isinstance(entry, Experience):
            advisors, mentors = map(self._linked, entry.advisors), map(self._linked, entry.mentors)
            return replace(entry, advisors=tuple(advisors), mentors=tuple(mentors))
        return replace(entry, host=self._linked(entry.host)) if isinstance(entry, Talk) else entry

    def _linked(self, person: Markdown) -> Markdown:
        found = _PERSON.fullmatch(person)
        url = self.people.get(name_key(Name.parse(found[2]))) if found else None
        return Markdown(f"{found[1]}[{found[2]}](<{url}>){found[3] or ''}") if found and url else person


def read_additions(root: Path, problems: Problems) -> Additions:
    """Read the overlays and co-authors in content/; every mistake is reported."""
    coauthors = tuple(_coauthors(root, problems))
    return Additions(_overlays(root, problems), coauthors, _people(coauthors, problems))


def added(paper: Publication, more: Overlay) -> Publication:
    """A publication changed by its overlay."""
    return replace(
        paper,
        selected=paper.selected if more.selected is None else more.selected,
        awards=tuple(dict.fromkeys((*paper.awards, *more.awards))),
        tags=tuple(dict.fromkeys((*paper.tags, *more.tags))),
        note=more.note or paper.note,
        body=more.text or paper.body,
        image=more.image or paper.image,
        image_alt=more.image_alt or paper.image_alt,
        status=more.status or paper.status,
        venue=replace(paper.venue, short=more.abbr or paper.venue.short),
        links=tuple(_links(paper.links, more)),
        draft=paper.draft or more.draft,
    )


def _links(links: Sequence[Link], more: Overlay) -> list[Link]:
    """The links of a publication and of its overlay: those in LINK_RANKS in this order, then the others."""
    found = list(links)
    for name in ("pdf", "code", "slides", "video"):
        link = link_of(name, getattr(more, name))[0] if getattr(more, name) else None
        if link is not None:
            kept = [other for other in found if other.label != link.label]
            rank = RANKS[link.label]
            at = next((i for i, other in enumerate(kept) if RANKS.get(other.label, 99) > rank), len(kept))
            found = [*kept[:at], link, *kept[at:]]
    return [*found, *(link for link in more.links if link not in found)]


def _read(root: Path, stem: str, problems: Problems) -> Node | None:
    """The YAML of a file in content/; None if the file does not exist, is empty or cannot be parsed."""
    for path in (root / f"content/{stem}.yaml", root / f"content/{stem}.yml"):
        if path.is_file():
            name = f"content/{path.name}"
            text = read_text(path, name, problems)
            node = read_yaml(text, name, problems) if text is not None else None
            return None if node is None or node.value is None else node
    return None


def _overlays(root: Path, problems: Problems) -> dict[str, Overlay]:
    found: dict[str, Overlay] = {}
    node = _read(root, "publications", problems)
    if node is None:
        return found
    if not node.items:
        message = f"{node.place.file} is {node.shape}, not a list of entries"
        problems.tell("wrong-shape", node.place, message, "begin each entry with a hyphen: - key: …")
    elif not any("key" in item.entries for item in node.items) and any(
        "title" in item.entries for item in node.items
    ):
        hint = "publications come from .bib files in bib/"
        problems.tell("unknown-file", Place(node.place.file), "this file is not read", hint)
        return found
    for number, item in enumerate(node.items, 1):
        name = main_words(item, Overlay)
        who = f"publication {number} ({name})" if name else f"publication {number}"
        overlay = decode(item, Overlay, problems, who, {"source": str(item.place)})
        if overlay is None:
            continue
        first = found.setdefault(overlay.key, overlay)
        if first is not overlay:
            at = item.entries["key"].place if "key" in item.entries else item.place
            line = Place.at(first.source).line
            message = f'"{overlay.key}" already has an entry, in line {line}'
            problems.tell("duplicate-id", at, message, "merge the two entries")
    return found


def _coauthors(root: Path, problems: Problems) -> Iterator[Coauthor]:
    node = _read(root, "coauthors", problems)
    if node is not None and isinstance(node.value, str):
        hint = "write a line for each: Name: https://…"
        problems.tell("wrong-shape", node.place, f"{node.place.file} is {node.shape}", hint)
        return
    for number, item in enumerate(_each(node) if node is not None else (), 1):
        name = main_words(item, Coauthor)
        who = f"co-author {number} ({name})" if name else f"co-author {number}"
        person = decode(item, Coauthor, problems, who, {"source": str(item.place)})
        if person is not None:
            yield person


def _people(coauthors: Iterable[Coauthor], problems: Problems) -> dict[tuple[str, str], Address]:
    """The URLs of people by every spelling of their names; a spelling shared by two people is reported."""
    found: dict[tuple[str, str], Address] = {}
    sources: dict[tuple[str, str], str] = {}
    for person in coauthors:
        for spelling in spellings(person.name, person.aliases):
            key = name_key(spelling)
            if sources.setdefault(key, person.source) == person.source:
                found[key] = person.url
            else:
                line = Place.at(sources[key]).line
                message = f"{spelling.full} already has a URL, in line {line}"
                place = Place.at(person.source, len(person.name))
                problems.tell("duplicate-id", place, message, "keep one of the two")
    return found


_KEYS = ("name", "url", "aliases", "alias", "affiliation")


def _each(node: Node) -> Iterator[Node]:
    """The people in a list or in a mapping of names to URLs, each as a mapping with `name` and `url`."""
    if node.items:
        for item in node.items:
            ((name, below),) = (
                item.entries.items() if len(item.entries) == 1 else (("", Node(None, item.place)),)
            )
            yield _named(item, name, below) if name not in ("", *_KEYS) else item
        return
    for name, below in node.entries.items():
        yield _named(node, name, below)


def _named(node: Node, name: str, below: Node) -> Node:
    """A person whose name is a key; `value` is the URL or a mapping with more keys."""
    place = node.key_place(name)
    keys = {"url": below} if isinstance(below.value, str) else below.entries
    return Node({"name": Node(name, place), **keys}, place, {"name": place, "url": below.place, **below.keys})
