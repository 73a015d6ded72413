"""Joins a preprint and its published version to one publication."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tenure.model.scholar import Publication
from tenure.problems import Place, Problems, did_you_mean


def join_preprints(
    publications: Sequence[Publication], preprint_of: Sequence[tuple[str, str]], problems: Problems
) -> tuple[Publication, ...]:
    """
    The publications without the preprints whose published version is among them, which takes over their links and numbers.

    `preprint_pairs` are pairs of keys: preprint, published version. If the published version does not exist, this is
    reported and the preprint remains.
    """
    at = {paper.key: i for i, paper in reversed(list(enumerate(publications)))}
    joined = list(publications)
    gone: set[int] = set()
    for preprint_key, published_key in preprint_of:
        preprint, published = at.get(preprint_key), at.get(published_key)
        if preprint is None or published == preprint:
            continue
        if published is None:
            _tell_missing(joined[preprint], published_key, at, problems)
            continue
        gone.add(preprint)
        joined[published] = _joined(joined[published], joined[preprint])
    return tuple(paper for i, paper in enumerate(joined) if i not in gone)


def _tell_missing(preprint: Publication, key: str, known: Iterable[str], problems: Problems) -> None:
    file = Place.at(preprint.source).file
    near = did_you_mean(key, known)
    hint = f'did you mean "{near}"?' if near else "add its entry to a .bib file in bib/"
    message = f'"{preprint.key}" is the preprint of "{key}", which no .bib file has'
    problems.tell("bib-missing-parent", problems.where(key, file) or Place.at(preprint.source), message, hint)


def _joined(published: Publication, preprint: Publication) -> Publication:
    """The published version, completed with data that only its preprint has."""
    known = {link.url for link in published.links}
    links = (*published.links, *(link for link in preprint.links if link.url not in known))
    return replace(
        published,
        links=links,
        eprint=published.eprint or preprint.eprint,
        abstract=published.abstract or preprint.abstract,
        selected=published.selected or preprint.selected,
        preprints=(*published.preprints, preprint.key, *preprint.preprints),
        tags=tuple(dict.fromkeys((*published.tags, *preprint.tags))),
    )
