"""The note of a publication: the text of its author, without the metadata that programs write into notes."""

from collections.abc import Iterable, Sequence

from tenure.model.entries import Markdown
from tenure.sources.publications.bib_fields import PLACEHOLDER
from tenure.sources.publications.entry_fields import EntryFields
from tenure.sources.publications.preprint_servers import ARXIV, Preprint
from tenure.sources.publications.venue_fields import VenueReader
from tenure.sources.schema.links import parse_doi


def read_note(
    fields: EntryFields, venue_reader: VenueReader, eprint: str, awards: Sequence[Markdown]
) -> Markdown:
    """The addition to the title, the notes without an award, and a second venue field that is not shown as the venue."""
    venue_field = fields.find_first(*venue_reader.list_venue_fields())
    hidden_fields = [
        name
        for name in ("journal", "booktitle", "howpublished")
        if venue_field not in ("", name, "journaltitle")
        and fields.read_text(name).casefold() not in fields.read_text(venue_field).casefold()
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
        if not _repeats_doi(fields, name)
        and (name not in hidden_fields or not venue_reader.read_preprint_server(name))
        and not _repeats_eprint(venue_reader.read_preprint_server(name), eprint)
    )
    shown_awards = {award.strip("*. ") for award in awards}
    return Markdown(
        _join_sentences(
            text
            for text in texts
            if not PLACEHOLDER.fullmatch(text) and text.strip("*. ") not in shown_awards
        )
    )


def _repeats_doi(fields: EntryFields, name: str) -> bool:
    """Whether a field is only the DOI that the entry has anyway."""
    doi = parse_doi(fields.read_url(name)) if "10." in fields.values.get(name, "") else ""
    return bool(doi) and doi.casefold() == parse_doi(fields.read_url("doi")).casefold()


def _repeats_eprint(preprint: Preprint | None, eprint: str) -> bool:
    """Whether a note is only the arXiv number that the entry has anyway: "arXiv preprint arXiv:2405.01234"."""
    return (
        bool(eprint) and preprint is not None and preprint.server == ARXIV and preprint.number in ("", eprint)
    )


def _join_sentences(texts: Iterable[str]) -> str:
    """Texts one after the other; one without a mark at its end gets a period."""
    joined = ""
    for text in texts:
        separator = "" if not joined else " " if joined.rstrip("*_")[-1:] in ".!?,;:)" else ". "
        joined = f"{joined}{separator}{text}"
    return joined
