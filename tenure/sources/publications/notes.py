"""The note of a publication: what its author says about it, without the metadata that programs write into notes."""

import re
from collections.abc import Iterable

from tenure.model.entries import Markdown
from tenure.sources.bibtex.latex import latex_to_text
from tenure.sources.publications.entry_fields import EntryFields
from tenure.sources.publications.preprint_servers import ARXIV, may_name_preprint_server, parse_preprint
from tenure.sources.publications.venue_fields import VenueReader

_PROGRAM_NOTE = re.compile(
    r"(?i)(?:citation key|_?eprint|zscc|s2id|jid|ads bibcode|google-books-id|container-title|event-place|tex\.\w+|bandiera_abtest|publisher"
    r"|version number|journal abbreviation|conference name|series title|archive location|issn|isbn|pmid|pmcid|oclc|arxiv id|number|doi)\s*:\s"
)
"""The beginnings of what Zotero copies from its field Extra and from the pages of publishers into `note`."""


def read_note(fields: EntryFields, venue_reader: VenueReader, eprint: str) -> Markdown:
    """The addition to the title, the notes, and a second venue field that is not shown as the venue."""
    venue_field = fields.find_first(*venue_reader.list_venue_fields())
    hidden_fields = [
        name for name in ("journal", "howpublished") if venue_field not in ("", name, "journaltitle")
    ]
    field_names = (
        "titleaddon",
        "nameaddon",
        "note",
        *hidden_fields,
        "additional_info",
        "annotation",
        "addendum",
    )
    texts = dict.fromkeys(
        fields.read_markdown(name).strip()
        for name in field_names
        if (name not in hidden_fields or not venue_reader.read_preprint_server(name))
        and not is_program_note(fields.values.get(name, ""), eprint)
    )
    return Markdown(_join_sentences(text for text in texts if text))


def is_program_note(value: str, eprint: str) -> bool:
    """Whether a note is only metadata of a program, such as "Publisher: Wiley" or "arXiv:2405.01234 [cs]"."""
    text = latex_to_text(value).text
    if eprint and may_name_preprint_server(text):
        preprint = parse_preprint(text)
        return preprint is not None and preprint.server == ARXIV
    return _PROGRAM_NOTE.match(text) is not None


def _join_sentences(texts: Iterable[str]) -> str:
    """Texts one after the other; one without a mark at its end gets a period."""
    joined = ""
    for text in texts:
        separator = "" if not joined else " " if joined.rstrip("*_")[-1:] in ".!?,;:)" else ". "
        joined = f"{joined}{separator}{text}"
    return joined
