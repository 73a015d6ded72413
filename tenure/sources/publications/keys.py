"""The keys of publications that entries name: checked, and those of preprints replaced."""

from collections.abc import Mapping

from tenure.model.entries import Entry, Publication
from tenure.model.site import Collection
from tenure.problems import Problems
from tenure.record import replace
from tenure.sources.publications.collect import report_unknown_publications


def replace_preprint_keys(collections: Mapping[str, Collection]) -> dict[str, Collection]:
    """The collections with keys of preprints in entries replaced by the keys of their published versions."""
    main_list = collections.get("publications")
    published_keys = {
        preprint: publication.key
        for publication in (main_list.entries if main_list else ())
        if isinstance(publication, Publication)
        for preprint in publication.preprints
    }
    if not published_keys:
        return dict(collections)

    def replace_keys(entry: Entry) -> Entry:
        keys = tuple(dict.fromkeys(published_keys.get(key, key) for key in entry.publications))
        return replace(entry, publications=keys) if keys != entry.publications else entry

    return {
        name: replace(collection, entries=tuple(map(replace_keys, collection.entries)))
        for name, collection in collections.items()
    }


def check_publication_keys(collections: Mapping[str, Collection], problems: Problems) -> None:
    """Report publication keys in entries that no .bib file has, or that have no page."""
    main_list = collections.get("publications")
    keys = (
        {publication.key for publication in main_list.entries if isinstance(publication, Publication)}
        if main_list
        else set()
    )
    all_entries = [entry for collection in collections.values() for entry in collection.entries]
    separate_keys = {
        entry.key for entry in all_entries if isinstance(entry, Publication) and not entry.page
    } - keys
    for collection in collections.values():
        for entry in collection.entries:
            places = {key: entry.item_place_of("publications", key) for key in entry.publications}
            report_unknown_publications(places.items(), keys, problems)
            for key in separate_keys.intersection(entry.publications):
                message = f'"{key}" is in a separate list and has no page to link to'
                problems.report("unknown-publication", places[key], message, "write its URL under links:")
