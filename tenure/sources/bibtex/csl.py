"""
CSL-JSON, the format of Zotero and of the registries of DOIs, as BibTeX.

The objects: an item is a Node with variables of CSL; a CslEntry has the type and the fields of BibTeX.
{"type": "chapter", "container-title": "B"} -> @incollection with the field booktitle.
"""

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

The last lines are the types of Crossref,
which also answers requests for CSL with them, and those of works at ORCID.
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
"""
Variables of CSL with names, and the fields of biblatex;
the types of `editora` to `editorc` are the variables.
"""

_PROGRAM_NOTE = re.compile(r"(?:license: \S+\s+)?This CSL (?:JSON )?Item was \w+ by Manubot\b.*", re.DOTALL)
"""The note that Manubot adds to each item. Source: Manubot, `manubot.cite.csl_item`."""

_FORMULA = re.compile(r"(\$(?=[^\s$])[^$]*[\\^_][^$]*(?<![\s\\])\$(?!\d))")
"""
A formula between dollar signs; a command, a superscript or a subscript shows that the signs are no prices.
"""


class CslEntry(Record):
    """
    An item as BibTeX: its type, its key and its fields in Markdown; the key is "" if it has none for people.
    """

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
    publisher = escape_markdown(read_text(item, "publisher"))
    kind = CSL_TYPES.get(read_text(item, "type"), "misc")
    if kind == "techreport" and parse_preprint(publisher):
        kind = "misc"
    venue_field = VENUE_FIELDS.get(kind, "howpublished")

    names = _convert_names(item)
    fields = {
        "title": escape_title(read_text(item, "title")),
        **names,
        "date": read_issued_date(item.child("issued")),
        venue_field: escape_markdown(_read_venue(item)),
    }
    for variable in ("compiler", "organizer", "director"):
        if names[NAME_VARIABLES[variable]]:
            fields[f"{NAME_VARIABLES[variable]}type"] = variable
    if publisher:
        is_venue = venue_field in ("school", "institution")
        fields[venue_field if is_venue else "publisher"] = publisher
    fields |= _convert_texts(item)

    arxiv_number = find_arxiv(fields.get("url", "")) or parse_arxiv(fields.get("doi", ""))
    if arxiv_number:
        fields |= {"eprint": arxiv_number, "archiveprefix": "arXiv"}
    fields |= {name: value for name, value in (extra_fields or {}).items() if value}
    if _repeats_number(fields.get("url", ""), fields.get("doi", ""), arxiv_number):
        fields["url"] = ""

    if not fields["title"]:
        return None
    return CslEntry(kind, _read_key(item), {name: value for name, value in fields.items() if value})


def _convert_names(item: Node) -> dict[str, str]:
    """The people of an item by the field of BibTeX; "" if there are none: {"director": […]} -> editorc."""
    variables = {"author": "author", **NAME_VARIABLES}
    return {field: _format_names(item.child(name)) for name, field in variables.items()}


def _read_venue(item: Node) -> str:
    """The first text that says where an item was published; "" if there is none. Crossref writes lists."""
    for name in ("container-title", "event-title", "event"):
        node = item.child(name)
        if text := read_text(node.items[0] if node.items else node):
            return text
    return ""


def _convert_texts(item: Node) -> dict[str, str]:
    """
    The variables that are one text, by the field of BibTeX: {"page": "1-2", "DOI": "10.1/a"} -> pages, doi.
    """
    fields: dict[str, str] = {}
    for name, field in CSL_FIELDS.items():
        text = _PROGRAM_NOTE.sub("", read_text(item, name)).strip()
        if text:
            fields[field] = text if field in ("url", "doi") else escape_markdown(text)
    abstract = re.sub(r"</?jats:\w+[^>]*>", " ", format_value(item.child("abstract")))
    fields["abstract"] = escape_markdown(abstract)
    return fields


def _repeats_number(url: str, doi: str, arxiv_number: str) -> bool:
    """Whether a URL only leads to the DOI or to the arXiv number that an item has."""
    if doi and parse_doi(url) == doi:
        return True
    return bool(arxiv_number) and parse_arxiv(url) == arxiv_number


def _read_key(item: Node) -> str:
    """The key of an item, "" if it is a number or a URL, as Zotero writes it: "lee:2024" -> lee:2024."""
    key = read_text(item, "citation-key") or read_text(item, "id")
    if "://" in key or key.isdecimal():
        return ""
    return re.sub(r"[^\w:.+/-]", "", key)


def escape_title(title: str) -> str:
    """A title as Markdown: its formulas in TeX, such as $L^2$, stay formulas."""
    parts = _FORMULA.split(title)
    return "".join(part if i % 2 else escape_markdown(part) for i, part in enumerate(parts))


def _format_names(node: Node) -> str:
    """Names in BibTeX syntax: "von Last, Jr., First and {A Group}"."""
    names = [_format_name(item) for item in node.items or (node,)]
    return " and ".join(filter(None, names))


def _format_name(node: Node) -> str:
    """A name in BibTeX syntax: {"family": "Berg", "given": "Jan", "suffix": "Jr."} -> "Berg, Jr., Jan"."""
    parts = {key: re.sub(r"[{}\\]", "", format_value(value)) for key, value in node.mapping.items()}
    if parts.get("family"):
        particles = (parts.get("dropping-particle", ""), parts.get("non-dropping-particle", ""))
        family = " ".join(filter(None, (*particles, parts["family"])))
        return ", ".join(filter(None, (family, parts.get("suffix", ""), parts.get("given", ""))))
    name = parts.get("literal") or parts.get("given") or re.sub(r"[{}\\]", "", node.text)
    if name and name != "others":
        return f"{{{name}}}"
    return name


def read_issued_date(node: Node) -> str:
    """The text of a CSL date, which has date parts or free text: {"date-parts": [[2020, 5]]} -> 2020-05."""
    node = node.items[0] if node.items else node
    parts = node.child("date-parts")
    first = parts
    if parts.items and parts.items[0].items:
        first = parts.items[0]
    numbers = [format_value(part)[:9] for part in first.items]
    numbers = numbers or [read_text(node, key)[:9] for key in ("year", "month", "day")]

    if not numbers[0].isdecimal():
        return read_text(node, "raw") or read_text(node, "literal") or node.text
    month_and_day = [f"{int(part):02}" for part in numbers[1:3] if part.isdecimal()]
    date = "-".join([numbers[0], *month_and_day])
    return date if parse_date(date) else numbers[0]
