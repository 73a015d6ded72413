"""Joins a preprint and its published version to one publication."""

from collections.abc import Iterable, Sequence

from tenure.model.entries import Publication
from tenure.problems import Place, Problems, find_similar_word
from tenure.record import replace


def join_preprints(
    publications: Sequence[Publication], references: Sequence[tuple[str, str, Place]], problems: Problems
) -> tuple[Publication, ...]:
    """
    The publications without the preprints whose published version is among them, which takes over their links and numbers.

    `references` have the key of a preprint, the key of its published version, and the place of the latter. If the published version does not exist, this is
    reported and the preprint remains.
    """
    indexes = {publication.key: index for index, publication in reversed(list(enumerate(publications)))}
    merged = list(publications)
    joined_indexes: set[int] = set()
    for preprint_key, published_key, place in references:
        preprint_index, published_index = indexes.get(preprint_key), indexes.get(published_key)
        if preprint_index is None or published_index == preprint_index:
            continue
        if published_index is None:
            _report_missing_publication(preprint_key, published_key, indexes, place, problems)
            continue
        joined_indexes.add(preprint_index)
        merged[published_index] = _merge_preprint(merged[published_index], merged[preprint_index])
    return tuple(publication for index, publication in enumerate(merged) if index not in joined_indexes)


def _report_missing_publication(
    preprint_key: str, published_key: str, known_keys: Iterable[str], place: Place, problems: Problems
) -> None:
    near = find_similar_word(published_key, known_keys)
    hint = f'did you mean "{near}"?' if near else "add its entry to a .bib file in bib/"
    message = f'"{preprint_key}" is the preprint of "{published_key}", which no .bib file has'
    problems.report("bib-missing-parent", place, message, hint)


def _merge_preprint(published: Publication, preprint: Publication) -> Publication:
    """The published version, completed with data that only its preprint has."""
    known_urls = {link.url for link in published.links}
    links = (*published.links, *(link for link in preprint.links if link.url not in known_urls))
    return replace(
        published,
        links=links,
        eprint=published.eprint or preprint.eprint,
        abstract=published.abstract or preprint.abstract,
        selected=published.selected or preprint.selected,
        preprints=(*published.preprints, preprint.key, *preprint.preprints),
        tags=tuple(dict.fromkeys((*published.tags, *preprint.tags))),
    )
