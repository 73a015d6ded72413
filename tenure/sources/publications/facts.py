"""
Fields that are shown as labelled facts on the page of a publication.

eventtitle = {SOSP}, venue = {Austin} -> the fact "event": SOSP, Austin.
"""

import re
from collections.abc import Iterator

from tenure.model.entries import Markdown, PublicationFact
from tenure.model.publication_links import escape_text
from tenure.sources.publications.entry_fields import EntryFields
from tenure.sources.publications.fields import BIB_FIELDS
from tenure.sources.publications.names import parse_authors

FACT_SEPARATORS = {"issue": ": ", "series": ": "}
"""The text between two fields of a fact, if it is not a comma."""


def list_facts(
    fields: EntryFields, shown_fields: frozenset[str], entry_type: str
) -> Iterator[PublicationFact]:
    """The facts of an entry; `shown_fields` are already in its venue line."""
    texts: dict[str, list[str]] = {}
    for name in fields.list_names("people", "fact"):
        row = BIB_FIELDS[name]
        if row.role == "people":
            authors = parse_authors(fields.values[name]).authors
            names_text = Markdown(", ".join(escape_text(person.name.full_name) for person in authors.people))
            yield PublicationFact(row.label, names_text, authors, read_role(fields, f"{name}type"))
        elif name not in shown_fields and (row.label != "accessed" or entry_type == "online"):
            text = fields.read_markdown(name)
            if row.label.isupper():  # a number, such as an ISBN
                text = escape_text(fields.read_text(name))
            if name.endswith("date"):  # 2020-01-01T10:00/2020-01-02: without the time of day
                text = Markdown(re.sub(r"(?<=\d)T[\d:.+-]*Z?(?=/|$)", "", text).replace("/", " – "))
            texts.setdefault(row.label, []).append(text)
    for label, parts in texts.items():
        text = Markdown(FACT_SEPARATORS.get(label, ", ").join(parts))
        is_repeated = label == "event" and text == fields.read_markdown("address")
        if text and not is_repeated:
            yield PublicationFact(label, text)


def read_role(fields: EntryFields, name: str) -> str:
    """The role of the people of a field, from the field with its type: "compiler"; "" for editors."""
    if not (text := fields.read_text(name)):
        return ""
    role = re.sub(r"[{}]", "", text).strip()
    key = role.casefold().replace("organiser", "organizer").replace("redaktor", "redactor")
    if key == "series":
        return "series editor"  # as biblatex-apa writes it
    if key == "editor":
        return ""
    return key if key.isascii() and key.isalpha() else role
