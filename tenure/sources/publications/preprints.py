"""
Joins a preprint and its published version to one publication.

The objects: a DeclaredVersion is a pair that the files name;
a PreprintPair is one that is joined, also one that was recognized by its title and authors.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from tenure.markdown.html import plain_text
from tenure.model.entries import Publication
from tenure.model.links import Link
from tenure.model.names import Authors, fold_text
from tenure.model.publications import PUBLISHED, REPORTS, UNPUBLISHED
from tenure.problems import Place, Problems, suggest_word
from tenure.record import Record, replace
from tenure.sources.bibtex.preprint_servers import find_server

SEPARATE = "none"
"""The value of `preprint_of` for an entry that is not joined."""

MAX_YEARS_APART = 4
"""Maximum number of years between a preprint and its published version."""

_WORKING_PAPER = r"""(?xi)
    working\ ?paper|discussion\ paper|pre-?print|national\ bureau\ of\ economic\ research
    |\b(?:nber|cepr|iza|cesifo)\b                                                         # NBER, no. 123
"""


class DeclaredVersion(NamedTuple):
    """The published version of a preprint as it is declared: its key, and the place of the key."""

    key: str
    place: Place


class PreprintPair(Record):
    """A preprint and its published version, by their indexes in a list of publications."""

    preprint: int
    published: int


def find_preprint_pairs(
    publications: Sequence[Publication], separate_keys: Iterable[str] = ()
) -> tuple[PreprintPair, ...]:
    """
    The preprints whose published version is certain: equal titles and authors, and no contradiction.

    Of several published versions, the nearest in time is taken, then the first.
    `separate_keys` are not joined.
    """
    excluded_keys = frozenset(separate_keys)
    preprints: list[int] = []
    published_by_title: dict[str, list[int]] = {}
    for index, paper in enumerate(publications):
        # without authors, an equal title is not certain
        if paper.key in excluded_keys or not paper.authors.people:
            continue
        if _is_preprint(paper):
            preprints.append(index)
        elif paper.kind in PUBLISHED:
            published_by_title.setdefault(_title_key(paper), []).append(index)

    pairs: list[PreprintPair] = []
    for index in preprints:
        preprint = publications[index]
        same_title = published_by_title.get(_title_key(preprint), ())
        candidates = [other for other in same_title if _is_same_work(preprint, publications[other])]
        if candidates:
            distances = [_years_apart(preprint, publications[other]) for other in candidates]
            pairs.append(PreprintPair(index, candidates[distances.index(min(distances))]))
    return tuple(pairs)


def _is_preprint(publication: Publication) -> bool:
    """Whether a publication is on a preprint server, or a working paper, and not published elsewhere."""
    venue = publication.venue
    if publication.server:
        return True
    if publication.kind in REPORTS:
        description = f"{publication.genre} {venue.institution} {venue.series} {venue.name}"
        return publication.genre == "workingpaper" or re.search(_WORKING_PAPER, description) is not None
    has_number = publication.eprint or find_server(publication.doi)
    return publication.kind in UNPUBLISHED and bool(has_number or publication.status == "preprint")


def _title_key(publication: Publication) -> str:
    """The letters and digits of a title, without case and accents."""
    return fold_text(plain_text(publication.title)).replace(" ", "")


def _is_same_work(preprint: Publication, published: Publication) -> bool:
    """Whether two publications with equal titles can be one work, without a contradiction."""
    # "2405.01234v2" and "2405.01234" are one number; two papers may not have two
    eprints = filter(None, (preprint.eprint, published.eprint))
    numbers = {re.sub(r"v\d+$", "", number.casefold()) for number in eprints}
    return (
        bool(_title_key(preprint))
        and len(numbers) < 2
        and _years_apart(preprint, published) <= MAX_YEARS_APART
        and _have_same_authors(preprint.authors, published.authors)
    )


def _years_apart(first: Publication, second: Publication) -> int:
    """The number of years between two publications; 0 if a year is unknown."""
    years = [paper.date.year for paper in (first, second) if paper.date is not None and paper.date.year]
    if len(years) == 2:
        return abs(years[0] - years[1])
    return 0


def _have_same_authors(first: Authors, second: Authors) -> bool:
    """
    Whether two lists name the same people, in any order.

    If one ends in "and others", they must begin with the same people in the same order; only that one may be
    shorter.
    """
    first_names = [*_author_keys(first)]
    second_names = [*_author_keys(second)]
    if not (first.others or second.others):
        return sorted(first_names) == sorted(second_names)
    length = min(len(first_names), len(second_names))
    shorter_list = first if len(first_names) == length else second
    is_open = shorter_list.others or len(first_names) == len(second_names)
    return is_open and first_names[:length] == second_names[:length]


def _author_keys(authors: Authors) -> Iterator[tuple[str, str]]:
    """Family name and first initial of each author."""
    for author in authors.people:
        name = author.name
        family = fold_text(name.group or name.family_with_particle).replace(" ", "")
        yield family, fold_text(name.given)[:1]


def join_preprints(
    publications: Sequence[Publication],
    declared_pairs: Mapping[str, DeclaredVersion],
    problems: Problems,
    recognized_pairs: Sequence[PreprintPair] = (),
) -> tuple[Publication, ...]:
    """
    The publications without the preprints whose published version is among them.

    That takes over their links and numbers. `declared_pairs` are published versions by the keys of their
    preprints. If the published version does not exist, this is reported and the preprint remains.
    `recognized_pairs` are reported.
    """
    pairs = [*recognized_pairs, *_find_declared_pairs(publications, declared_pairs, problems)]
    for pair in recognized_pairs:
        _report_pair(publications[pair.preprint], publications[pair.published], problems)

    merged = list(publications)
    for pair in pairs:
        merged[pair.published] = _merge_preprint(merged[pair.published], merged[pair.preprint])
    joined_indexes = {pair.preprint for pair in pairs}
    return tuple(publication for index, publication in enumerate(merged) if index not in joined_indexes)


def _find_declared_pairs(
    publications: Sequence[Publication], declared_pairs: Mapping[str, DeclaredVersion], problems: Problems
) -> Iterator[PreprintPair]:
    """
    The pairs that the files declare; a published version that does not exist is reported.

    `preprint_of = {lee2025}` in "lee2024" -> the pair of their positions; SEPARATE in place of a key, and a
    preprint that is not shown, give none.
    """
    indexes = {publication.key: index for index, publication in reversed(list(enumerate(publications)))}
    for preprint_key, (published_key, place) in declared_pairs.items():
        preprint_index = indexes.get(preprint_key)
        published_index = indexes.get(published_key)
        if preprint_index is None or published_index == preprint_index or published_key == SEPARATE:
            continue
        if published_index is None:
            hint = suggest_word(published_key, indexes, "add its entry to a .bib file in bib/")
            message = f'"{preprint_key}" is the preprint of "{published_key}", which no .bib file has'
            problems.report("bib-missing-entry", place, message, hint)
            continue
        yield PreprintPair(preprint_index, published_index)


def _report_pair(preprint: Publication, published: Publication, problems: Problems) -> None:
    """Report a preprint that was recognized, and is shown as a link of its published version."""
    message = f"“{preprint.key}” is shown as the preprint of “{published.key}”"
    if not (preprint.eprint or preprint.doi or preprint.links):
        reason = "and is not shown, as it has no link"
        message = f"“{preprint.key}” is the preprint of “{published.key}”, {reason}"
    hint = f"to show it on its own, write preprint_of = {{{SEPARATE}}}"
    problems.report("bib-duplicate-work", preprint.source, message, hint)


PREPRINT_LABEL = "Preprint"
"""The label of a preprint's link if the published version has a link with the same label."""


def _merge_preprint(published: Publication, preprint: Publication) -> Publication:
    """The published version, completed with data that only its preprint has."""
    return replace(
        published,
        links=(*published.links, *_label_new_links(published, preprint)),
        eprint=published.eprint or preprint.eprint,
        abstract=published.abstract or preprint.abstract,
        selected=published.selected or preprint.selected,
        image=published.image or preprint.image,
        image_alt=published.image_alt or preprint.image_alt,
        media=published.media or preprint.media,
        compare=published.compare or preprint.compare,
        awards=tuple(dict.fromkeys((*published.awards, *preprint.awards))),
        preprints=(*published.preprints, preprint.key, *preprint.preprints),
        tags=tuple(dict.fromkeys((*published.tags, *preprint.tags))),
    )


def _label_new_links(published: Publication, preprint: Publication) -> Iterator[Link]:
    """The links that only a preprint has; one with a label that is taken gets PREPRINT_LABEL, or its host."""
    known_urls = {link.url for link in published.links}
    known_labels = {link.label for link in published.links} | {"DOI", "Link"}
    for link in preprint.links:
        if link.url in known_urls:
            continue
        label = PREPRINT_LABEL if link.label in known_labels else link.label
        # a second one
        if label == PREPRINT_LABEL and label in known_labels:
            label = urlsplit(link.url).hostname or link.label
        known_labels.add(label)
        yield replace(link, label=label)
