"""CSL-JSON, the format of Zotero and of the registries of DOIs, as BibTeX: {"type": "chapter", "container-title": "B"} -> @incollection, booktitle."""

import re
from collections.abc import Mapping

from tenure.model.dates import parse_date
from tenure.model.identifiers import find_arxiv, parse_arxiv, parse_doi
from tenure.model.publication_types import REFERENCE_TYPES, VENUE_FIELDS
from tenure.record import Record
from tenure.sources.bibtex.bib_writer import escape_markdown
from tenure.sources.bibtex.preprint_servers import parse_preprint
from tenure.sources.reading.json_data import format_value, read_text
from tenure.sources.reading.node import Node

CSL_TYPES: Mapping[str, str] = {
    **{form.csl: kind for kind, form in reversed([*REFERENCE_TYPES.items()])},
    **dict.fromkeys(("article", "bill", "document", "personal_communication", "preprint"), "misc"),
    **dict.fromkeys(("article-magazine", "article-newspaper"), "article"),
    **dict.fromkeys(("review", "review-book"), "review"),
    **dict.fromkeys(("entry", "entry-dictionary"), "inreference"),
    **dict.fromkeys(("post", "post-weblog"), "online"),
    **dict.fromkeys(("journal-article", "newspaper-article", "book-review"), "article"),
    **dict.fromkeys(("proceedings-article", "conference-paper", "conference-abstract"), "inproceedings"),
    **dict.fromkeys(("book-chapter", "book-section", "book-part"), "incollection"),
    **dict.fromkeys(("monograph", "edited-book", "reference-book", "translation"), "book"),
    **dict.fromkeys(("reference-entry", "encyclopedia-entry", "dictionary-entry"), "inreference"),
    **dict.fromkeys(("dissertation", "dissertation-thesis"), "phdthesis"),
    **dict.fromkeys(("working-paper", "report-component"), "techreport"),
    **dict.fromkeys(("data-set", "database"), "dataset"),
    "posted-content": "misc",
    "website": "online",
}
"""
Types of CSL 1.0.2, Appendix III, and the equivalent entry types of BibTeX.

The last lines are the types of Crossref, which also answers requests for CSL with them, and those of works at ORCID.
"""

CSL_FIELDS: Mapping[str, str] = {
    "volume": "volume",
    "version": "version",
    "collection-number": "number",
    "issue": "number",
    "number": "number",
    "page": "pages",
    "edition": "edition",
    "collection-title": "series",
    "keyword": "keywords",
    "note": "note",
    "status": "pubstate",
    "ISBN": "isbn",
    "ISSN": "issn",
    "DOI": "doi",
    "URL": "url",
    "PMID": "pmid",
    "PMCID": "pmcid",
    "language": "langid",
    "container-title-short": "abbr",
    "event-place": "location",
    "publisher-place": "location",
    "number-of-pages": "pagetotal",
    "genre": "type",
}
"""Variables of CSL, and the equivalent fields of BibTeX or biblatex."""

NAME_VARIABLES: Mapping[str, str] = {
    "editor": "editor",
    "compiler": "editora",
    "organizer": "editorb",
    "director": "editorc",
    "translator": "translator",
    "container-author": "bookauthor",
    "contributor": "collaborator",
}
"""Variables of CSL with names, and the fields of biblatex; the types of `editora` to `editorc` are the variables."""

_PROGRAM_NOTE = re.compile(r"(?:license: \S+\s+)?This CSL (?:JSON )?Item was \w+ by Manubot\b.*", re.DOTALL)
"""The note that Manubot adds to each item. Source: Manubot, `manubot.cite.csl_item`."""

_FORMULA = re.compile(r"(\$(?=[^\s$])[^$]*[\\^_][^$]*(?<![\s\\])\$(?!\d))")
"""A formula between dollar signs; a command, a superscript or a subscript shows that the signs are no prices."""


class CslEntry(Record):
    """An item as BibTeX: its type, its key ("" if the item has none for people), and its fields in Markdown."""

    kind: str
    key: str
    fields: Mapping[str, str]


def list_items(node: Node) -> tuple[Node, ...]:
    """The items of a file: a list, or a mapping with a list."""
    for name in ("items", "references"):
        if name in node.mapping:
            return node.child(name).items
    return node.items


def convert_item(item: Node, extra_fields: Mapping[str, str] | None = None) -> CslEntry | None:
    """An item as BibTeX; None without a title. Fields in `extra_fields` have priority."""
    kind = CSL_TYPES.get(read_text(item, "type"), "misc")
    publisher = escape_markdown(read_text(item, "publisher"))
    if kind == "techreport" and parse_preprint(publisher):
        kind = "misc"
    venues = (item.child(name) for name in ("container-title", "event-title", "event"))
    texts = (read_text(node.items[0] if node.items else node) for node in venues)
    venue_field = VENUE_FIELDS.get(kind, "howpublished")
    fields = {
        "title": escape_title(read_text(item, "title")),
        **{
            field: _format_names(item.child(name))
            for name, field in (("author", "author"), *NAME_VARIABLES.items())
        },
        "date": read_issued_date(item.child("issued")),
        venue_field: escape_markdown(next(filter(None, texts), "")),
    }
    for variable in ("compiler", "organizer", "director"):
        if fields[NAME_VARIABLES[variable]]:
            fields[f"{NAME_VARIABLES[variable]}type"] = variable
    if publisher:
        fields[venue_field if venue_field in ("school", "institution") else "publisher"] = publisher
    for name, field in CSL_FIELDS.items():
        text = _PROGRAM_NOTE.sub("", read_text(item, name)).strip()
        if text:
            fields[field] = text if field in ("url", "doi") else escape_markdown(text)
    abstract = re.sub(r"</?jats:\w+[^>]*>", " ", format_value(item.child("abstract")))
    fields["abstract"] = escape_markdown(abstract)
    arxiv_number = find_arxiv(fields.get("url", "")) or parse_arxiv(fields.get("doi", ""))
    if arxiv_number:
        fields |= {"eprint": arxiv_number, "archiveprefix": "arXiv"}
    fields |= {name: value for name, value in (extra_fields or {}).items() if value}
    doi, url = fields.get("doi", ""), fields.get("url", "")
    if (doi and parse_doi(url) == doi) or (arxiv_number and parse_arxiv(url) == arxiv_number):
        fields["url"] = ""
    if not fields["title"]:
        return None
    key = read_text(item, "citation-key") or read_text(item, "id")
    is_number = "://" in key or key.isdecimal()  # Zotero's URLs
    clean_key = "" if is_number else re.sub(r"[^\w:.+/-]", "", key)
    return CslEntry(kind, clean_key, {name: value for name, value in fields.items() if value})


def escape_title(title: str) -> str:
    """A title as Markdown: its formulas in TeX, such as $L^2$, stay formulas."""
    parts = _FORMULA.split(title)
    return "".join(part if i % 2 else escape_markdown(part) for i, part in enumerate(parts))


def _format_names(node: Node) -> str:
    """Names in BibTeX syntax: "von Last, Jr., First and {A Group}"."""
    names = [_format_name(item) for item in node.items or (node,)]
    return " and ".join(filter(None, names))


def _format_name(node: Node) -> str:
    parts = {key: re.sub(r"[{}\\]", "", format_value(value)) for key, value in node.mapping.items()}
    if parts.get("family"):
        particles = (parts.get("dropping-particle", ""), parts.get("non-dropping-particle", ""))
        family = " ".join(filter(None, (*particles, parts["family"])))
        return ", ".join(filter(None, (family, parts.get("suffix", ""), parts.get("given", ""))))
    name = parts.get("literal") or parts.get("given") or re.sub(r"[{}\\]", "", node.text)
    return f"{{{name}}}" if name and name != "others" else name


def read_issued_date(node: Node) -> str:
    """The text of a CSL date, which has date parts or free text: {"date-parts": [[2020, 5]]} -> 2020-05."""
    node = node.items[0] if node.items else node
    parts = node.child("date-parts")
    first = parts.items[0] if parts.items and parts.items[0].items else parts
    numbers = [format_value(part)[:9] for part in first.items]
    numbers = numbers or [read_text(node, key)[:9] for key in ("year", "month", "day")]
    if numbers[0].isdecimal():
        date = "-".join([numbers[0], *(f"{int(part):02}" for part in numbers[1:3] if part.isdecimal())])
        return date if parse_date(date) else numbers[0]
    return read_text(node, "raw") or read_text(node, "literal") or node.text
