"""The choices of the search form of publications: their topics, and their authors who are people of the site."""

from collections import Counter
from collections.abc import Iterable

from tenure.model.entries import Entry, Publication

MAX_TOPICS = 24
"""Maximum number of topics in the filter of a list; a longer filter is hard to use."""


def count_topics(entries: Iterable[Entry]) -> tuple[tuple[str, int], ...]:
    """The MAX_TOPICS most common topics with their counts, by name; topics of one publication are omitted."""
    unique = {entry.id: entry for entry in entries}
    counts = Counter(tag.casefold() for entry in unique.values() for tag in dict.fromkeys(entry.tags))
    common = [(topic, count) for topic, count in counts.most_common(MAX_TOPICS) if count > 1]
    spellings = {tag.casefold(): tag for entry in reversed(unique.values()) for tag in entry.tags}
    return tuple(sorted((spellings[topic], count) for topic, count in common))


def count_members(entries: Iterable[Entry]) -> dict[str, int]:
    """The numbers of publications by the ids of their authors who are people of the site; those of one publication are omitted."""
    unique = {entry.id: entry for entry in entries if isinstance(entry, Publication)}
    counts = Counter(
        author
        for entry in unique.values()
        for author in {author.person for author in entry.authors.people if author.person}
    )
    return {author: count for author, count in counts.items() if count > 1}
