"""Writes publications that another system stores one by one: to BibTeX, and the rest to content/publications.yaml."""

import re
from collections.abc import Iterable, Mapping

from tenure.importers.bibliography.bibtex_writer import clean_names, format_bib_entry
from tenure.importers.bibliography.prose_references import split_author_text
from tenure.importers.session import (
    EntryData,
    ImportSession,
    MappingReader,
    filled,
    join_filled,
    node_to_text,
)
from tenure.importers.yaml_writer import format_yaml
from tenure.markdown.html import make_slug
from tenure.model.names import Name, fold_text, is_abbreviation_of, name_match_key, parse_spellings
from tenure.problems import Problems
from tenure.sources.bibtex.latex import latex_to_text
from tenure.sources.bibtex.reader import CITATION_KEY, read_bibtex
from tenure.sources.node import Node
from tenure.sources.publications.names import parse_authors

CONFERENCE_WORDS = re.compile(
    r"\b(?:proceedings(?! of the (?:national academ|royal soc|ieee\b(?! \w)|vldb))|proc\.|conference|workshop|symposium|congress|meeting|colloquium|neurips|icml|iclr|cvpr|aaai|acl|chi)\b",
    re.IGNORECASE,
)
PREPRINT_WORDS = re.compile(
    r"\b(?:ar[xX]iv|bio[rR]xiv|med[rR]xiv|[pP]syArXiv|preprint|SSRN|working paper)\b", re.IGNORECASE
)
PRESENTATION_WORDS = re.compile(
    r"\b(?:poster|talk|oral)\b.*\b(?:presented|accepted)\b|\bpresented (?:virtually )?at\b", re.IGNORECASE
)
THESIS_WORDS = re.compile(r"\b(?:thesis|dissertation|doctoral|habilitation)\b", re.IGNORECASE)
VENUE_FIELDS: Mapping[str, str] = {
    "article": "journal",
    "inproceedings": "booktitle",
    "incollection": "booktitle",
    "inbook": "booktitle",
    "book": "publisher",
    "phdthesis": "school",
    "mastersthesis": "school",
    "techreport": "institution",
}
"""The BibTeX field of the venue for each entry type; "howpublished" for other types."""

PRIVATE_FIELDS = frozenset(
    ["file", "abstract", "keywords", "owner", "timestamp", "bdsk-url-1", "bdsk-url-2", "date-added", "date-modified"]
)  # fmt: skip
"""Fields for a reference manager's own use, and fields that are imported from elsewhere."""


def read_first_entry(text: str) -> Node | None:
    """Return the first BibTeX entry that can be read, or None."""
    return next(iter(read_bibtex(text, "", Problems()).entries), None)


def guess_entry_type(venue: str, title: str = "") -> str:
    """Guess the BibTeX entry type from the venue and the title; "misc" without a venue."""
    thesis_pattern = r"(?:ph\.?d|master|bachelor|doctoral)\S* thesis"
    if THESIS_WORDS.search(venue) or re.search(thesis_pattern, title, re.IGNORECASE):
        is_master = re.search(r"master|bachelor|m\.?sc", f"{venue} {title}", re.IGNORECASE)
        return "mastersthesis" if is_master else "phdthesis"
    if not venue or PREPRINT_WORDS.search(venue) or PRESENTATION_WORDS.search(venue):
        return "misc"
    return "inproceedings" if CONFERENCE_WORDS.search(venue) else "article"


class PublicationWriter:
    """Collects the publications of one source and writes them to a file in bib/ and to content/; `used_keys` are not given again."""

    def __init__(
        self, session: ImportSession, path: str = "bib/papers.bib", used_keys: Iterable[str] = ()
    ) -> None:
        self.session = session
        self.path = path
        self._keys = {*used_keys}
        self._entries: list[str] = []
        self._overlays: list[EntryData] = []
        self._author_fields: list[str] = []
        self.keys_by_name: dict[str, str] = {}

    def add_publication(
        self,
        entry_type: str,
        fields: Mapping[str, str],
        overlay: EntryData,
        location: str,
        *,
        bibtex_entry: Node | None = None,
        name: str = "",
        key: str = "",
    ) -> str:
        """
        Add a publication and return its key.

        `fields` are BibTeX fields with Markdown values; `overlay` is its entry in content/publications.yaml;
        `bibtex_entry` has the same data in LaTeX; `name` is its name in other documents of the source.
        """
        values = self.session.remove_template_tags(fields, location)
        fields = {name: value for name, value in values.items() if isinstance(value, str)}
        converted_text = {"text": overlay["text"]} if "text" in overlay else {}  # its code may show tags
        overlay = {**self.session.remove_template_tags(overlay, location), **converted_text}
        source_fields = bibtex_entry.mapping if bibtex_entry is not None else {}
        date_fields = ("year", "month", "date", "day") if fields.get("date") else ()
        latex_fields = {
            field: node.text
            for field, node in source_fields.items()
            if field[0] != "@" and field not in PRIVATE_FIELDS and field not in date_fields
        }
        key = key or (source_fields[CITATION_KEY].text if source_fields else "")
        new_key, entry = format_bib_entry(entry_type, key, fields, latex_fields, self._keys)
        self._keys.add(new_key)
        self._entries.append(entry)
        self._author_fields.append(fields.get("author") or latex_fields.get("author", ""))
        if filled(overlay):
            self._overlays.append({"key": new_key, **filled(overlay)})
        self.keys_by_name[(name or new_key).casefold()] = new_key
        self.session.origins[f"{self.path}#{new_key}"] = location
        self.session.record_imported(location, f"publications: {new_key}")
        return new_key

    def write_files(self) -> None:
        """Write the added publications, and the owner's aliases among their authors to the profile."""
        if self._entries:
            self.session.add_text_file(self.path, "\n".join(self._entries))
        owner = str(self.session.profile.get("name", ""))
        owner_aliases = find_owner_aliases(owner, self._author_fields) if owner else []
        if owner_aliases:
            known_aliases = self.session.profile.get("aliases")
            aliases = [*known_aliases, *owner_aliases] if isinstance(known_aliases, list) else owner_aliases
            self.session.profile["aliases"] = list(dict.fromkeys(map(str, aliases)))
            description = f"recognized as {owner} among the authors: {'; '.join(owner_aliases)}"
            self.session.record_converted("content/profile.yaml", description)
        if self._overlays:
            earlier_overlays = str(self.session.files.get("content/publications.yaml", ""))
            self.session.files["content/publications.yaml"] = earlier_overlays + format_yaml(self._overlays)


def read_author_names(reader: MappingReader, key: str) -> list[str]:
    """Return the authors of an entry: texts, of which one may have several names, or mappings of the parts of a name."""
    names: list[str] = []
    for node in reader.read_items(key):
        parts = {key.casefold(): node_to_text(child) for key, child in node.mapping.items()}
        given = parts.get("given") or parts.get("firstname", "")
        full_name = join_filled(given, parts.get("family") or parts.get("lastname", ""), separator=" ")
        names += split_author_text(clean_names(parts.get("name") or full_name or node_to_text(node)))
    return names


def is_known_publication(reader: MappingReader, title: str) -> bool:
    """Whether a .bib file that was imported has a publication with this title; if so, it is reported as skipped."""
    is_known = reader.session.has_publication(title)
    if is_known:
        reader.record_skipped(f"a publication that a .bib file has already: {title}")
    return is_known


def read_new_title(reader: MappingReader, *keys: str) -> str:
    """The title of a publication; "", and reported as skipped, if it has none or if a .bib file has the publication already."""
    title = reader.read_text(*keys)
    if not title:
        reader.record_skipped("a publication without a title")
    return "" if is_known_publication(reader, title) else title


def publication_url(key: str) -> str:
    """Return the URL of the page of a publication."""
    return f"/publications/{make_slug(key) or 'entry'}/"


def find_owner_aliases(owner: str, author_fields: Iterable[str]) -> list[str]:
    """Return author names with the owner's family name and initial, if no other author of the entry is the owner."""
    (name,) = parse_spellings(owner, ()) or (Name(),)
    alias_names: dict[str, None] = {}
    for author_field in author_fields:
        people = [person.name for person in parse_authors(author_field).authors.people]
        names = [person for person in people if not person.group]
        if any(name_match_key(n) == name_match_key(name) or is_abbreviation_of(n, name) for n in names):
            continue
        similar_names = [n for n in names if _has_family_and_initial(n, name)]
        if len(similar_names) == 1 and similar_names[0].given:
            alias_names[latex_to_text(similar_names[0].full_name).text] = None
    return list(alias_names)


def _has_family_and_initial(author: Name, owner: Name) -> bool:
    is_same_family = name_match_key(author)[0] == name_match_key(owner)[0]
    return is_same_family and fold_text(author.given)[:1] == fold_text(owner.given)[:1]
