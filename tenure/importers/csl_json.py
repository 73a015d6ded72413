"""Imports CSL-JSON, the export format of Zotero, Mendeley and Crossref: converts a list of items to BibTeX."""

import json
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from tenure.importers.bibliographies import commonest
from tenure.importers.entries import date_of
from tenure.importers.gathering import Gathering, Imported, Taken, words_of
from tenure.importers.latex_text import literal
from tenure.importers.places import files_of
from tenure.importers.references import arxiv_in
from tenure.importers.works import VENUE_OF, Works
from tenure.model.kinds import FORMS
from tenure.sources.tree import Node

KINDS: Mapping[str, str] = {
    **{form.csl: kind for kind, form in reversed([*FORMS.items()])},
    "article": "misc",
    "article-magazine": "article",
    "article-newspaper": "article",
    "bill": "misc",
    "chapter": "incollection",
    "book": "book",
    "document": "misc",
    "entry": "inreference",
    "entry-dictionary": "inreference",
    "entry-encyclopedia": "inreference",
    "paper-conference": "inproceedings",
    "personal_communication": "misc",
    "post": "online",
    "post-weblog": "online",
    "preprint": "misc",
    "report": "techreport",
    "review": "article",
    "review-book": "article",
    "thesis": "phdthesis",
}
"""Types of CSL 1.0.2, Appendix III, and the equivalent entry types of BibTeX."""

FIELDS: Mapping[str, str] = {
    "volume": "volume",
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
    "language": "langid",
    "container-title-short": "abbr",
    "event-place": "location",
    "publisher-place": "location",
    "genre": "type",
}
"""Variables of CSL, and the equivalent fields of BibTeX or biblatex."""

SILENT = (
    "id", "citation-key", "citation-label", "accessed", "source", "journalAbbreviation", "title-short", "shortTitle",
    "number-of-pages", "event-title", "event", "dimensions", "medium", "archive", "archive_location", "call-number", "custom",
    "system_id", "categories", "indexed", "reference-count", "is-referenced-by-count", "prefix", "member", "score", "license",
    "content-domain", "published", "published-print", "published-online", "created", "deposited", "reference", "relation",
    "resource", "subtitle", "short-title", "original-title", "issn-type", "journal-issue", "subject", "link", "references-count",
)  # fmt: skip
"""Variables about the retrieval or storage of an item, or without a BibTeX field."""


def csl_json(source: Path) -> Imported:
    """Import a file, or all CSL-JSON files in a folder, to bib/papers.bib; the most frequent author becomes the owner."""
    gathering = Gathering(source)
    works = Works(gathering)
    people: Counter[str] = Counter()
    for path in [source] if source.is_file() else items_in(source):
        node = gathering.yaml(path)
        items = node.items or node.entries.get("items", node).items if node is not None else ()
        for item in items:
            taken = Taken(item, gathering)
            people.update(name for name in map(_called, taken.node.entries.get("author", item).items) if name)
            put_item(works, taken)
    works.write()
    name = commonest(people)
    if name:
        told = f"the most frequent author, {name}, is taken as the owner; --name sets another"
        gathering.changed("content/profile.yaml", told)
    return gathering.done("CSL-JSON", name)


def items_in(folder: Path) -> list[Path]:
    """The CSL-JSON files in a folder."""
    return [path for path in files_of(folder) if path.suffix.casefold() == ".json" and is_csl(path)]


def is_csl(path: Path) -> bool:
    """Whether a file is a list of CSL-JSON items."""
    try:
        data = json.loads(path.read_text("utf-8", "replace"))
    except ValueError:
        return False
    data = data.get("items", data) if isinstance(data, dict) else data
    first = data[0] if isinstance(data, list) and data else None
    return isinstance(first, dict) and "type" in first and bool({"title", "issued", "author"} & first.keys())


def put_item(works: Works, taken: Taken, more: Mapping[str, str] | None = None) -> str:
    """Convert an item to an entry and return its key ("" without a title). Fields in `extra_fields` have priority."""
    sort, key = taken.words("type"), taken.words("citation-key", "id")
    kind = KINDS.get(sort, "misc")
    venue = taken.node_of("container-title")
    house = taken.words("publisher")
    where = VENUE_OF.get(kind, "howpublished")
    fields = {
        "title": literal(taken.words("title")),
        "author": " and ".join(name for node in taken.list("author") if (name := _name(node))),
        "editor": " and ".join(name for node in taken.list("editor") if (name := _name(node))),
        "date": _issued(taken.node_of("issued")),
        where: literal(words_of(venue.items[0] if venue.items else venue)) if venue is not None else "",
    }
    if house and where in ("school", "institution"):
        fields[where] = literal(house)
    elif house:
        fields["publisher"] = literal(house)
    for name, field in FIELDS.items():
        words = taken.words(name)
        if words:
            fields[field] = literal(words) if field not in ("url", "doi") else words
    fields["abstract"] = literal(re.sub(r"</?jats:\w+[^>]*>", " ", taken.words("abstract")))
    arxiv = arxiv_in(fields.get("url", "")) or arxiv_in(fields.get("doi", "").replace("10.48550/", ""))
    if arxiv:
        fields |= {"eprint": arxiv, "archiveprefix": "arXiv"}
    fields |= {name: value for name, value in (more or {}).items() if value}
    doi, url = fields.get("doi", ""), fields.get("url", "")
    if (doi and url.endswith(f"doi.org/{doi}")) or (arxiv and url.endswith(f"/abs/{arxiv}")):
        fields["url"] = ""
    if not fields["title"]:
        works.gathering.left(taken.place, "an item without a title")
        return ""
    made = works.add(
        kind, {name: value for name, value in fields.items() if value}, {}, taken.place, key=_key(key)
    )
    taken.drop(*SILENT)
    taken.finish()
    return made


def _key(written: str) -> str:
    """A BibTeX key from an identifier; "" for the URLs of Zotero and for bare numbers."""
    return "" if "://" in written or written.isdecimal() else re.sub(r"[^\w:.+/-]", "", written)


def _called(node: Node) -> str:
    """The full name of a person; "" for a group."""
    parts = (
        words_of(node.entries[part])
        for part in ("given", "non-dropping-particle", "family")
        if part in node.entries
    )
    return " ".join(part for part in parts if part) if "family" in node.entries else ""


def _name(node: Node) -> str:
    """A name in BibTeX syntax: "von Last, Jr., First"; a group in braces."""
    part = {key: re.sub(r"[{}\\]", "", words_of(value)) for key, value in node.entries.items()}
    family = " ".join(
        part[key] for key in ("dropping-particle", "non-dropping-particle", "family") if part.get(key)
    )
    if part.get("family"):
        return ", ".join(word for word in (family, part.get("suffix", ""), part.get("given", "")) if word)
    words = part.get("literal") or part.get("given") or re.sub(r"[{}\\]", "", node.words)
    return f"{{{words}}}" if words and words != "others" else words


def _issued(node: Node | None) -> str:
    """The text of a CSL date, which has date parts or free text."""
    if node is None:
        return ""
    parts = node.entries.get("date-parts")
    first = parts.items[0] if parts is not None and parts.items else None
    numbers = [words_of(part) for part in first.items] if first is not None else []
    if numbers and numbers[0].isdecimal():
        return "-".join([numbers[0], *(f"{int(part):02}" for part in numbers[1:3] if part.isdecimal())])
    words = next(
        (words_of(node.entries[key]) for key in ("raw", "literal") if key in node.entries), node.words
    )
    return date_of(words) or words
