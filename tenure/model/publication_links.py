"""The URLs of a publication: those of its links and image, and those in its texts, and their places."""

import re
from collections.abc import Callable, Iterator, Sequence

from tenure.model.entries import Markdown, Media, Publication, PublicationFact
from tenure.model.links import Url
from tenure.problems import Place, Problems
from tenure.record import replace

TEXT_FIELDS = ("title", "abstract", "note", "genre")
VENUE_TEXT_FIELDS = ("name", "series", "publisher", "institution", "location")
"""Fields of a publication and of its venue with Markdown from a .bib file."""

_TEXT_LINK = r"\[((?:[^\[\]\\]|\\.)*)\]\(<([^<>\n]*)>\)"
"""A link as it is decoded from LaTeX: brackets in its label are escaped, and its URL is in angle brackets."""

UrlResolver = Callable[[Url], Url]
"""Returns the URL to link; "" removes the link."""

LineRange = tuple[Place, int]
"""The first line of an entry in its source, and the number of its lines."""


def list_publication_urls(publication: Publication) -> Iterator[Url]:
    """The URLs of the links, of the images and videos, and in the texts of a publication."""
    yield from (link.url for link in publication.links)
    for medium in (*publication.media, *publication.compare):
        yield from filter(None, (medium.file, medium.poster))
    if publication.image:
        yield publication.image
    texts = [getattr(publication, name) for name in TEXT_FIELDS]
    texts += [getattr(publication.venue, name) for name in VENUE_TEXT_FIELDS]
    for text in (*texts, *publication.awards, *(fact.text for fact in publication.facts)):
        if "](<" in text:
            yield from (Url(match[2]) for match in re.finditer(_TEXT_LINK, text))


def resolve_publication_urls(publication: Publication, resolve_url: UrlResolver) -> Publication:
    """
    A publication with every URL resolved; a removed link becomes a fact, one in a text leaves its label.
    """

    def resolve_match(match: re.Match[str]) -> str:
        url = resolve_url(Url(match[2]))
        return f"[{match[1]}](<{url}>)" if url else match[1]

    def resolve_text(text: Markdown) -> Markdown:
        if "](<" not in text:
            return text
        return Markdown(re.sub(_TEXT_LINK, resolve_match, text))

    def resolve_medium(medium: Media) -> Media:
        poster = medium.poster and resolve_url(medium.poster)
        return replace(medium, file=resolve_url(medium.file), poster=poster)

    def resolve_media(media: tuple[Media, ...]) -> tuple[Media, ...]:
        return tuple(medium for medium in map(resolve_medium, media) if medium.file)

    venue = publication.venue
    venue_texts = {name: resolve_text(getattr(venue, name)) for name in VENUE_TEXT_FIELDS}
    links = [(link, resolve_url(link.url)) for link in publication.links]
    facts = [replace(fact, text=resolve_text(fact.text)) for fact in publication.facts]
    facts += [PublicationFact(link.label, escape_text(link.url)) for link, url in links if not url]

    return replace(
        publication,
        links=tuple(replace(link, url=url) for link, url in links if url),
        facts=tuple(facts),
        image=publication.image and resolve_url(publication.image),
        media=resolve_media(publication.media),
        compare=resolve_media(publication.compare),
        awards=tuple(map(resolve_text, publication.awards)),
        venue=replace(venue, **venue_texts),
        **{name: resolve_text(getattr(publication, name)) for name in TEXT_FIELDS},
    )


def find_url_place(url: str, line_ranges: Sequence[LineRange], problems: Problems) -> Place | None:
    """The place of a URL in the line ranges, with or without the backslashes of LaTeX."""
    written = "".join(map(_match_letter, url))
    pattern = rf"(?<![\w./-])({written})(?![\w/-])"
    for start, line_count in line_ranges:
        lines = start.line, start.line + line_count - 1
        for place in problems.find_places(pattern, start.file, lines):
            return place
    return None


def _match_letter(letter: str) -> str:
    r"""A pattern of a letter of a URL: _ -> \\?_"""
    escaped = re.escape(letter)
    return rf"\\?{escaped}" if letter in "_%&#~" else escaped


def escape_text(text: str) -> Markdown:
    """A plain text as Markdown that shows it unchanged."""
    return Markdown(re.sub(r"[\\`*_\[\]{}$~]", r"\\\g<0>", text.replace("&", "&amp;").replace("<", "&lt;")))
