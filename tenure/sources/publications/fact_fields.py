"""Fields of biblatex that are shown as labelled facts on the page of a publication."""

import re
from collections.abc import Iterator, Mapping

from tenure.model.entries import Markdown, PublicationFact
from tenure.model.publication_links import escape_text
from tenure.sources.publications.entry_fields import EntryFields
from tenure.sources.publications.names import parse_authors

CONTRIBUTOR_FIELDS: Mapping[str, str] = {
    "translator": "translator",
    "annotator": "annotator",
    "commentator": "commentator",
    "introduction": "introduction",
    "foreword": "foreword",
    "afterword": "afterword",
    "bookauthor": "bookauthor",
    "holder": "holder",
    "editora": "contributors",
    "editorb": "contributors",
    "editorc": "contributors",
    "collaborator": "contributors",
    "namea": "contributors",
    "nameb": "contributors",
    "namec": "contributors",
}
"""Fields with names, and the fact that shows each. Source: biblatex manual, section 2.2.2."""

IDENTIFIER_FIELDS: Mapping[str, str] = {
    name: name.upper() for name in ("isbn", "issn", "isan", "ismn", "isrn", "iswc", "eisbn", "eissn")
}
"""International standard numbers, and their labels."""

TEXT_FACTS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "event": (("eventtitle", "eventtitleaddon", "venue", "location", "eventdate"), ", "),
    "issue": (("issue", "issuetitle", "issuesubtitle", "issuetitleaddon"), ": "),
    "series": (("maintitle", "mainsubtitle", "maintitleaddon"), ": "),
    "original": (
        (
            "origtitle",
            "origlocation",
            "origpublisher",
            "origdate",
            "origyear",
            "originalyear",
            "origlanguage",
        ),
        ", ",
    ),
    "reprint": (("reprinttitle",), ""),
    "shorttitle": (("shorttitle",), ""),
    "library": (("library",), ""),
    "accessed": (("urldate",), ""),
}
"""Facts from several fields: their fields in order, and the text between two of them."""

FACT_FIELDS = frozenset(
    {
        *CONTRIBUTOR_FIELDS,
        *IDENTIFIER_FIELDS,
        *(f"{name}type" for name in ("editor", "editora", "editorb", "editorc", "namea", "nameb", "namec")),
        *(name for names, _ in TEXT_FACTS.values() for name in names),
    }
)
"""Fields that are shown as facts."""


_TIME_OF_DAY = re.compile(r"(?<=\d)T[\d:.+-]*Z?(?=/|$)")


def list_facts(
    fields: EntryFields, shown_fields: frozenset[str], entry_type: str
) -> Iterator[PublicationFact]:
    """The facts of an entry; `shown_fields` are already in its venue line."""
    for name, fact_name in CONTRIBUTOR_FIELDS.items():
        if fields.values.get(name, "").strip():
            authors = parse_authors(fields.values[name]).authors
            names_text = Markdown(", ".join(escape_text(person.name.full_name) for person in authors.people))
            yield PublicationFact(fact_name, names_text, authors, read_role(fields, f"{name}type"))
    for fact_name, (names, separator) in TEXT_FACTS.items():
        if fact_name == "accessed" and entry_type != "online":
            continue
        texts = [
            _TIME_OF_DAY.sub("", fields.read_markdown(name)).replace("/", " – ")
            if name.endswith("date")
            else fields.read_markdown(name)
            for name in names
            if name not in shown_fields
        ]
        text = separator.join(filter(None, texts))
        is_repeated = fact_name == "event" and text == fields.read_markdown("address")
        if text and not is_repeated:
            yield PublicationFact(fact_name, Markdown(text))
    for name, label in IDENTIFIER_FIELDS.items():
        if fields.values.get(name, "").strip():
            yield PublicationFact(label, escape_text(fields.read_text(name)))


def read_role(fields: EntryFields, name: str) -> str:
    """The role of the people of a field, from the field with its type: "compiler"; "" for editors."""
    role = re.sub(r"[{}]", "", fields.read_text(name)).strip()
    key = role.casefold().replace("organiser", "organizer").replace("redaktor", "redactor")
    if key == "series":
        return "series editor"  # as biblatex-apa writes it
    return "" if key == "editor" else key if key.isascii() and key.isalpha() else role
