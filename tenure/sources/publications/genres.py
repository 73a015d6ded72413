"""The field `type`: the kind of a publication, in the words of its author or as a localisation key of biblatex."""

import re
from collections.abc import Mapping

from tenure.model.entries import Markdown
from tenure.sources.publications.entry_fields import EntryFields
from tenure.sources.publications.venue_fields import parse_state

GENRE_KEYS: Mapping[str, str] = {
    "phdthesis": "phdthesis",
    "mathesis": "mastersthesis",
    "mastersthesis": "mastersthesis",
    "masterthesis": "mastersthesis",
    "bathesis": "bathesis",
    "bachelorsthesis": "bathesis",
    "bachelorthesis": "bathesis",
    "candthesis": "candthesis",
    "techreport": "techreport",
    "technicalreport": "techreport",
    "resreport": "resreport",
    "researchreport": "resreport",
    "workingpaper": "workingpaper",
    "software": "software",
    "patreq": "patreq",
    "patent": "patent",
    **{f"{key}{country}": f"{key}{country}" for key in ("patent", "patreq") for country in ("de", "eu", "fr", "uk", "us")},
}  # fmt: skip
"""The key of a label by the letters of `type`. Source: biblatex manual, section 4.9.2.10, "Publication Type"."""

GENRE_TEXTS: Mapping[str, str] = {"datacd": "CD-ROM", "audiocd": "Audio CD"}
"""Localisation keys whose words are the same in all languages."""

KIND_NAMES = frozenset(
    """article articlebookchapter articleearlyaccess articleproceedingspaper book bookchapter booksection chapter conference conferencepaper conferenceproceedings dataset generic
    inproceedings journal journalarticle misc newspaperarticle other paper patent proceedings proceedingspaper report text theses thesis webpage""".split()  # noqa: SIM905 - a list of words
)
"""Values by which EndNote, Zotero and publishers repeat the type of the entry."""


def find_genre(fields: EntryFields, entry_type: str) -> Markdown:
    """The key of a label, or the text in `type`; "" if it only repeats the type of the entry or is a state of publication."""
    value = fields.read_text("type")
    letters = re.sub(r"[^a-z]", "", value.casefold())
    if parse_state(value):
        return Markdown("")
    if letters in GENRE_KEYS:
        key = GENRE_KEYS[letters]
        return Markdown("" if key == entry_type else key)
    if letters in KIND_NAMES:
        return Markdown("")
    text = GENRE_TEXTS.get(letters, "") or fields.read_markdown("type")
    return Markdown(text[:1].upper() + text[1:] if re.match(r"[^\W\d_A-Z]+(?!\S)", text) else text)
