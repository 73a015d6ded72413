"""Imports CSL-JSON, the export format of Zotero, Mendeley and Crossref: converts a list of items to BibTeX."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from tenure.importers.bibliography.bib_files import build_bibliography_result
from tenure.importers.bibliography.bibtex_writer import escape_markdown
from tenure.importers.bibliography.prose_references import find_arxiv_number
from tenure.importers.cv_entries import normalize_date
from tenure.importers.publications import PREPRINT_WORDS, VENUE_FIELDS, PublicationWriter
from tenure.importers.session import ImportResult, ImportSession, MappingReader, join_filled, node_to_text
from tenure.importers.source_folder import list_source_files
from tenure.model.publication_types import REFERENCE_TYPES
from tenure.sources.node import Node

CSL_TYPES: Mapping[str, str] = {
    **{form.csl: kind for kind, form in reversed([*REFERENCE_TYPES.items()])},
    **dict.fromkeys(("article", "bill", "document", "personal_communication", "preprint"), "misc"),
    **dict.fromkeys(("article-magazine", "article-newspaper", "review", "review-book"), "article"),
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

IGNORED_VARIABLES = (
    "id", "citation-key", "citation-label", "accessed", "source", "journalAbbreviation", "title-short", "shortTitle",
    "number-of-pages", "event-title", "event", "dimensions", "medium", "archive", "archive_location", "call-number", "custom",
    "system_id", "categories", "indexed", "reference-count", "is-referenced-by-count", "prefix", "member", "score", "license",
    "content-domain", "published", "published-print", "published-online", "created", "deposited", "reference", "relation",
    "resource", "subtitle", "short-title", "original-title", "issn-type", "journal-issue", "subject", "link", "references-count",
)  # fmt: skip
"""Variables about the retrieval or storage of an item, or without a BibTeX field."""

LIST_KEYS = ("items", "references")
_CSL_YAML_TYPE = re.compile(rf"^[ -]*type: ['\"]?(?:{'|'.join(CSL_TYPES)})['\"]?\s*$", re.MULTILINE)
_PROGRAM_NOTE = re.compile(r"(?:license: \S+\s+)?This CSL (?:JSON )?Item was \w+ by Manubot\b.*", re.DOTALL)
"""The note that Manubot adds to each item. Source: Manubot, `manubot.cite.csl_item`."""

_FORMULA = re.compile(r"(\$(?=[^\s$])[^$]*[\\^_][^$]*(?<![\s\\])\$(?!\d))")
"""A formula between dollar signs; a command, a superscript or a subscript shows that the signs are no prices."""


def import_csl_json(source: Path) -> ImportResult:
    """Import a file, or all CSL-JSON files in a folder, to bib/papers.bib; the most frequent author becomes the owner."""
    session = ImportSession(source)
    publications = PublicationWriter(session)
    author_counts: Counter[str] = Counter()
    for path in [source] if source.is_file() else find_item_files(source):
        node = session.read_data_file(path)
        for item in list_items(node):
            reader = MappingReader(item, session)
            author_nodes = item.mapping["author"].items if "author" in item.mapping else ()
            author_counts.update(filter(None, map(_format_full_name, author_nodes)))
            add_item(publications, reader)
    publications.write_files()
    return build_bibliography_result(session, "CSL-JSON", author_counts)


def import_shown_item_files(session: ImportSession, page_names: Sequence[str]) -> None:
    """
    Import the files in CSL-JSON and CSL-YAML that a page names as its bibliography, if the site has no publications.

    A bibliography is that of a page with `nocite` or with a place for the list; works that are only cited are reported.
    """
    paths = [path for name in page_names if (path := session.find_first_file(name))]
    pages = [text for path in paths if (text := session.read_source_text(path))]
    named = [
        path
        for path in session.find_files("", ".json", ".yaml", ".yml")
        if any(re.search(rf"bibliography:(?:.|\n){{0,200}}?{re.escape(path.name)}", page) for page in pages)
        and is_csl_json(path)
    ]
    is_listed = any(re.search(r"^nocite:|\{#refs\b", page, re.MULTILINE) for page in pages)
    if session.has_publications or not is_listed:
        reason = "its site has other publications" if session.has_publications else "no page lists it"
        for path in named:
            session.skip_file(path, f"a bibliography that pages cite; {reason}")
        return
    publications = PublicationWriter(session)
    for path in named:
        for item in list_items(session.read_data_file(path)):
            add_item(publications, MappingReader(item, session))
    publications.write_files()


def list_items(node: Node | None) -> tuple[Node, ...]:
    """The items of a file: a list, or that of the key `references` (CSL-YAML) or `items` (an API)."""
    if node is None:
        return ()
    return node.items or next((node.mapping[key].items for key in LIST_KEYS if key in node.mapping), ())


def find_item_files(folder: Path) -> list[Path]:
    """The CSL-JSON and CSL-YAML files in a folder."""
    return [path for path in list_source_files(folder, ".json", ".yaml", ".yml") if is_csl_json(path)]


def is_csl_json(path: Path) -> bool:
    """Whether a file is a list of items in CSL-JSON, or in CSL-YAML."""
    text = path.read_text("utf-8", "replace")
    if path.suffix.casefold() != ".json":
        has_field = re.search(r"^[ -]*(?:issued|author):", text, re.MULTILINE)
        return bool(has_field and _CSL_YAML_TYPE.search(text))
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return False
    if isinstance(data, dict):
        data = next((data[key] for key in LIST_KEYS if key in data), data)
    first = data[0] if isinstance(data, list) and data else None
    return isinstance(first, dict) and "type" in first and bool({"title", "issued", "author"} & first.keys())


def add_item(
    publications: PublicationWriter, reader: MappingReader, extra_fields: Mapping[str, str] | None = None
) -> str:
    """Convert an item to an entry and return its key ("" without a title). Fields in `extra_fields` have priority."""
    entry_type = CSL_TYPES.get(reader.read_text("type"), "misc")
    key, publisher = reader.read_text("citation-key", "id"), reader.read_text("publisher")
    if entry_type == "techreport" and PREPRINT_WORDS.fullmatch(publisher):
        entry_type = "misc"
    venue_node = reader.read_node("container-title") or reader.read_node("event-title", "event")
    venue = node_to_text(venue_node.items[0] if venue_node and venue_node.items else venue_node)
    venue_field = VENUE_FIELDS.get(entry_type, "howpublished")
    fields = {
        "title": escape_title(reader.read_text("title")),
        **{
            field: join_filled(*map(_format_bibtex_name, reader.read_items(variable)), separator=" and ")
            for variable, field in (("author", "author"), *NAME_VARIABLES.items())
        },
        "date": _parse_issued_date(reader.read_node("issued")),
        venue_field: escape_markdown(venue),
    }
    for variable in ("compiler", "organizer", "director"):
        if fields[NAME_VARIABLES[variable]]:
            fields[f"{NAME_VARIABLES[variable]}type"] = variable
    if publisher and venue_field in ("school", "institution"):
        fields[venue_field] = escape_markdown(publisher)
    elif publisher:
        fields["publisher"] = escape_markdown(publisher)
    fields |= _read_fields(reader)
    fields["abstract"] = escape_markdown(re.sub(r"</?jats:\w+[^>]*>", " ", reader.read_text("abstract")))
    arxiv_doi = fields.get("doi", "").replace("10.48550/", "")
    arxiv_number = find_arxiv_number(fields.get("url", "")) or find_arxiv_number(arxiv_doi)
    if arxiv_number:
        fields |= {"eprint": arxiv_number, "archiveprefix": "arXiv"}
    fields |= {name: value for name, value in (extra_fields or {}).items() if value}
    doi, url = fields.get("doi", ""), fields.get("url", "")
    if (doi and url.endswith(f"doi.org/{doi}")) or (arxiv_number and url.endswith(f"/abs/{arxiv_number}")):
        fields["url"] = ""
    if not fields["title"]:
        reader.record_skipped("an item without a title")
        return ""
    fields = {name: value for name, value in fields.items() if value}
    entry_key = publications.add_publication(entry_type, fields, {}, reader.location, key=_clean_key(key))
    reader.report_unread_keys(*IGNORED_VARIABLES)
    return entry_key


def _read_fields(reader: MappingReader) -> dict[str, str]:
    """The fields of the variables with one text."""
    fields: dict[str, str] = {}
    for name, field in CSL_FIELDS.items():
        text = _PROGRAM_NOTE.sub("", reader.read_text(name)).strip()
        if text:
            fields[field] = escape_markdown(text) if field not in ("url", "doi") else text
    return fields


def escape_title(title: str) -> str:
    """A title as Markdown: its formulas in TeX, such as $L^2$, stay formulas."""
    parts = _FORMULA.split(title)
    return "".join(part if i % 2 else escape_markdown(part) for i, part in enumerate(parts))


def _clean_key(identifier: str) -> str:
    """A BibTeX key from an identifier; "" for the URLs of Zotero and for bare numbers."""
    return "" if "://" in identifier or identifier.isdecimal() else re.sub(r"[^\w:.+/-]", "", identifier)


def _format_full_name(node: Node) -> str:
    """The full name of a person; "" for a group."""
    keys = ("given", "non-dropping-particle", "family")
    parts = (node_to_text(node.mapping.get(key)) for key in keys)
    return join_filled(*parts, separator=" ") if "family" in node.mapping else ""


def _format_bibtex_name(node: Node) -> str:
    """A name in BibTeX syntax: "von Last, Jr., First"; a group in braces."""
    parts = {key: re.sub(r"[{}\\]", "", node_to_text(value)) for key, value in node.mapping.items()}
    if parts.get("family"):
        particles = (parts.get("dropping-particle", ""), parts.get("non-dropping-particle", ""))
        family = join_filled(*particles, parts["family"], separator=" ")
        return join_filled(family, parts.get("suffix", ""), parts.get("given", ""))
    name = parts.get("literal") or parts.get("given") or re.sub(r"[{}\\]", "", node.text)
    return f"{{{name}}}" if name and name != "others" else name


def _parse_issued_date(node: Node | None) -> str:
    """The text of a CSL date, which has date parts or free text."""
    if node is None:
        return ""
    node = node.items[0] if node.items else node
    date_parts = node.mapping.get("date-parts") or Node((), node.place)
    first = date_parts.items[0] if date_parts.items and date_parts.items[0].items else date_parts
    numbers = [node_to_text(part) for part in first.items]
    numbers = numbers or [node_to_text(node.mapping.get(key)) for key in ("year", "month", "day")]
    if numbers[0].isdecimal():
        date = "-".join([numbers[0], *(f"{int(part[:9]):02}" for part in numbers[1:3] if part.isdecimal())])
        return date if normalize_date(date) else numbers[0]
    texts = (node_to_text(node.mapping[key]) for key in ("raw", "literal") if key in node.mapping)
    date_text = next(texts, node.text or "-".join(filter(None, numbers)))
    return normalize_date(date_text) or date_text
