"""
Reads content/publications.yaml, coauthors.yaml and counts.yaml, and applies them to entries.

The objects: an Overlay changes the publication with its key;
a Coauthor has the URL of a person; Additions are all of them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from tenure.model.entries import Education, Entry, Experience, Markdown, Publication, Talk
from tenure.model.links import Link, Url
from tenure.model.names import Author, Authors, Name, name_match_key, parse_spellings
from tenure.model.overlays import CitationCounts, Coauthor, Overlay
from tenure.model.people import AuthorIndex
from tenure.problems import Place, Problems
from tenure.record import Record, replace
from tenure.sources.bibtex.bib_fields import LINK_FIELDS
from tenure.sources.reading.files import find_content_file, read_yaml
from tenure.sources.reading.language_selection import LanguageSelection
from tenure.sources.reading.node import Node
from tenure.sources.schema.decode import decode_node, describe_entry
from tenure.sources.schema.link_forms import build_link, format_link_label

_PERSON_PATTERN = re.compile(
    r"""
    (?P<title>(?:(?:Prof(?:essor)?|Dr)\.?\ +)*)
    (?P<name>[^][()<>*_`]*\w\.?)
    (?P<affiliation>\s*\(.*\))?
    """,
    re.VERBOSE,
)
"""An advisor with title and affiliation: "Prof. Ada Example (MIT)"."""


class Additions(Record):
    """
    Overlays by key, co-authors, the URLs of people by spelling, the people of the site, citation counts.
    """

    overlays: Mapping[str, Overlay]
    coauthors: tuple[Coauthor, ...]
    person_urls: Mapping[tuple[str, str], Url]
    author_index: AuthorIndex
    counts: CitationCounts | None

    def link_publication(self, publication: Publication) -> Publication:
        """A publication whose authors and editors are known."""
        if not self.person_urls and not self.author_index.people_by_key:
            return publication
        authors = self._link_authors(publication.authors)
        editors = self._link_authors(publication.editors)
        return replace(publication, authors=authors, editors=editors)

    def _link_authors(self, authors: Authors) -> Authors:
        """The authors with their known URLs; the owner of a site of one person gets none."""
        authors = self.author_index.mark_authors(authors)
        if not self.person_urls:
            return authors
        return replace(authors, people=tuple(map(self._link_author, authors.people)))

    def _link_author(self, author: Author) -> Author:
        """
        An author with the known URL of the person; the owner and an author who has a URL stay as they are.
        """
        if author.me or author.url:
            return author
        return replace(author, url=self.person_urls.get(name_match_key(author.name), ""))

    def link_people(self, entry: Entry) -> Entry:
        """An entry whose advisors, mentors or host are links if their URLs are known."""
        if isinstance(entry, Talk):
            return replace(entry, host=self._link_person(entry.host))
        if self.person_urls and isinstance(entry, Education):
            return replace(entry, advisors=tuple(map(self._link_person, entry.advisors)))
        if self.person_urls and isinstance(entry, Experience):
            advisors = tuple(map(self._link_person, entry.advisors))
            mentors = tuple(map(self._link_person, entry.mentors))
            return replace(entry, advisors=advisors, mentors=mentors)
        return entry

    def _link_person(self, person: Markdown) -> Markdown:
        """A person as a link: "Prof. Ada Example (MIT)" -> "Prof. [Ada Example](<https://…>) (MIT)"."""
        match = _PERSON_PATTERN.fullmatch(person)
        if match is None:
            return person
        title, name, affiliation = match.groups("")
        url = self.person_urls.get(name_match_key(Name.parse(name)))
        if url:
            return Markdown(f"{title}[{name}](<{url}>){affiliation}")
        return person


def read_additions(
    root: Path, author_index: AuthorIndex, problems: Problems, selection: LanguageSelection
) -> Additions:
    """Read the overlays, the co-authors and the citation counts in content/; every mistake is reported."""
    coauthors = tuple(_read_coauthors(root, problems))
    person_urls = _index_person_urls(coauthors, problems)
    overlays = read_overlays(root, problems, selection)
    counts = _read_counts(root, problems)
    return Additions(overlays, coauthors, person_urls, author_index, counts)


def apply_overlay(publication: Publication, overlay: Overlay, problems: Problems) -> Publication:
    """
    A publication changed by its entry in content/publications.yaml, whose values have priority.

    Awards and tags are added to those of the .bib file. Affiliations of authors that it does not have are
    reported.
    """
    _check_affiliations(publication, overlay, problems)
    venue = publication.venue
    venue = replace(venue, short=overlay.abbr or venue.short, rank=overlay.rank or venue.rank)

    return replace(
        publication,
        affiliations=overlay.affiliations,
        layout=overlay.layout or "",
        selected=publication.selected if overlay.selected is None else overlay.selected,
        awards=tuple(dict.fromkeys((*publication.awards, *overlay.awards))),
        tags=tuple(dict.fromkeys((*publication.tags, *overlay.tags))),
        note=overlay.note or publication.note,
        body=overlay.text or publication.body,
        image=overlay.image or publication.image,
        image_alt=overlay.image_alt or publication.image_alt,
        media=overlay.media or publication.media,
        compare=overlay.compare or publication.compare,
        status=overlay.status or publication.status,
        venue=venue,
        links=tuple(_merge_links(publication.links, overlay)),
        draft=publication.draft or overlay.draft,
    )


def _check_affiliations(publication: Publication, overlay: Overlay, problems: Problems) -> None:
    """Report each affiliation whose authors are not positions in the list of authors."""
    count = len(publication.authors.people)
    for affiliation in overlay.affiliations:
        if any(not 1 <= position <= count for position in affiliation.positions):
            text = ", ".join(affiliation.authors)
            message = f'"{text}" is not the position of an author of "{publication.key}", which has {count}'
            hint = f"write numbers from 1 to {count}: authors: 1-{count}"
            problems.report("bad-value", affiliation.place_of("authors"), message, hint)


LINK_RANKS: Mapping[str, int] = {format_link_label(name): rank for rank, name in enumerate(LINK_FIELDS)}
"""Position of a link among the links of a publication, by its label."""


def _merge_links(links: Sequence[Link], overlay: Overlay) -> list[Link]:
    """
    The links of a publication and of its overlay: those in LINK_RANKS in this order, then the others.

    The overlay's `pdf`, `code`, `slides` or `video` takes the place of the link of the .bib file.
    """
    merged = list(links)
    for name in ("pdf", "code", "slides", "video"):
        url = getattr(overlay, name)
        link = build_link(name, url)[0] if url else None
        if link is not None:
            rank = LINK_RANKS[link.label]
            merged = [existing for existing in merged if existing.label != link.label]
            later = (i for i, existing in enumerate(merged) if LINK_RANKS.get(existing.label, 99) > rank)
            merged.insert(next(later, len(merged)), link)
    return [*merged, *(link for link in overlay.links if link not in merged)]


def _read_content_file(root: Path, stem: str, problems: Problems) -> Node | None:
    """The YAML of a file in content/; None if the file does not exist, is empty or cannot be parsed."""
    path = find_content_file(root, stem)
    node = read_yaml(path, f"content/{path.name}", problems) if path else None
    if node is None or node.value is None:
        return None
    return node


def read_overlays(root: Path, problems: Problems, selection: LanguageSelection) -> dict[str, Overlay]:
    """The entries of content/publications.yaml by key, of two the first; every mistake is reported."""
    node = _read_content_file(root, "publications", problems)
    if node is None:
        return {}
    node = _find_overlay_list(selection.select(node, problems))
    names = {name for item in node.items for name in item.mapping}
    if not node.items:
        message = f"{node.place.file} is {node.shape}, not a list of entries"
        problems.report("wrong-shape", node.place, message, "begin each entry with a hyphen: - key: …")
    elif "title" in names and "key" not in names:
        hint = "publications come from .bib files in bib/"
        problems.report("unknown-file", Place(node.place.file), "this file is not read", hint)
        return {}

    overlays: dict[str, Overlay] = {}
    for number, item in enumerate(node.items, 1):
        overlay = decode_node(item, Overlay, problems, describe_entry(f"publication {number}", item, Overlay))
        if overlay is None:
            continue
        first_overlay = overlays.setdefault(overlay.key, overlay)
        if first_overlay is not overlay:
            line = first_overlay.source.line
            message = f'"{overlay.key}" already has an entry, in line {line}'
            problems.report("duplicate-id", item.child("key").place, message, "merge the two entries")
    return overlays


def _find_overlay_list(node: Node) -> Node:
    """
    The list of entries in a file: itself, a mapping {pan2025: {…}}, or a list below a title.

    {pan2025: {award: Best paper}} -> [{key: pan2025, award: Best paper}]; {papers: […]} -> […]
    """
    children = node.mapping.values()
    if node.mapping and all(child.mapping for child in children):
        keys = (Node(key, node.key_place(key)) for key in node.mapping)
        items = (
            Node.from_children({"key": key}, key.place).with_keys_of(node.child(key.text)) for key in keys
        )
        return Node(tuple(items), node.place)
    if len(node.mapping) == 1 and all(child.items for child in children):
        return next(iter(children))
    return node


def _read_coauthors(root: Path, problems: Problems) -> Iterator[Coauthor]:
    """The people of content/coauthors.yaml; every mistake is reported."""
    node = _read_content_file(root, "coauthors", problems)
    if node is None:
        return
    if isinstance(node.value, str):
        hint = "write a line for each: Name: https://…"
        problems.report("wrong-shape", node.place, f"{node.place.file} is {node.shape}", hint)
        return
    for number, item in enumerate(_list_people(node), 1):
        person = decode_node(item, Coauthor, problems, describe_entry(f"co-author {number}", item, Coauthor))
        if person is not None:
            yield person


def _read_counts(root: Path, problems: Problems) -> CitationCounts | None:
    """The citation counts; None without a file, or if it cannot be read."""
    node = _read_content_file(root, "counts", problems)
    if node is not None:
        return decode_node(node, CitationCounts, problems, node.place.file)
    return None


def _index_person_urls(coauthors: Iterable[Coauthor], problems: Problems) -> dict[tuple[str, str], Url]:
    """The URLs of people by every spelling of their names; a spelling shared by two people is reported."""
    person_urls: dict[tuple[str, str], Url] = {}
    sources: dict[tuple[str, str], Place] = {}
    for person in coauthors:
        for spelling in parse_spellings(person.name, person.aliases):
            key = name_match_key(spelling)
            source = sources.setdefault(key, person.source)
            if source == person.source:
                person_urls[key] = person.url
                continue
            message = f"{spelling.full_name} already has a URL, in line {source.line}"
            problems.report("duplicate-id", person.place_of("name"), message, "keep one of the two")
    return person_urls


_COAUTHOR_KEYS = ("name", "url", "aliases", "alias", "affiliation")


def _list_people(node: Node) -> Iterator[Node]:
    """The people in a list or in a mapping of names to URLs, each as a mapping with `name` and `url`."""
    if not node.items:
        yield from _build_people(node)
    for item in node.items:
        # - Ada Example: https://…
        is_named = len(item.mapping) == 1 and item.mapping.keys().isdisjoint(("", *_COAUTHOR_KEYS))
        yield from _build_people(item) if is_named else (item,)


def _build_people(node: Node) -> Iterator[Node]:
    """People whose names are keys; their values are the URLs, or mappings with more keys."""
    for name, value in node.mapping.items():
        place = node.key_place(name)
        person = Node.from_children({"name": Node(name, place)}, place)
        # {Ada Example: https://…}, {Ada Example: {url: https://…, aliases: […]}}
        yield person.with_child("url", value) if isinstance(value.value, str) else person.with_keys_of(value)
