"""Imports _publications of academicpages (one document each) to BibTeX, from their front matter and citation text."""

import html
import re
from collections.abc import Mapping
from pathlib import Path

from tenure.importers.entries import address_of, date_of
from tenure.importers.gathering import Entry, Gathering, Taken, words_of
from tenure.importers.jekyll import Texts
from tenure.importers.jekyll_pages import LOOKS
from tenure.importers.latex_text import joined_names
from tenure.importers.places import bare_address
from tenure.importers.proses import date_in, image_in, other_links, write_prose
from tenure.importers.references import Reference, arxiv_in, doi_in, read_reference
from tenure.importers.samples import is_sample, is_sample_address, is_sample_paper
from tenure.importers.works import VENUE_OF, Works, entry_in, kind_of, page_of
from tenure.sources.files import Prose
from tenure.sources.tree import Node
from tenure.text import slug

KINDS: Mapping[str, str] = {
    "manuscripts": "article", "journal": "article", "journals": "article", "conferences": "inproceedings",
    "conference": "inproceedings", "workshop": "inproceedings", "books": "book", "book": "book", "chapter": "incollection",
    "chapters": "incollection", "thesis": "phdthesis", "theses": "phdthesis", "preprint": "misc", "preprints": "misc",
    "reports": "techreport", "report": "techreport",
}  # fmt: skip
"""BibTeX entry type for each category."""

LINKS: Mapping[str, tuple[str, ...]] = {
    "pdf": ("paperurl", "pdf", "pdfurl", "paper_url", "pdf_url"),
    "slides": ("slidesurl", "slides", "slides_url"),
    "code": ("codeurl", "code", "github", "code_url", "githuburl"),
    "video": ("videourl", "video", "video_url"),
    "poster": ("posterurl", "poster"),
    "data_url": ("dataseturl", "dataset", "dataurl", "data"),
    "preprint_url": ("preprinturl", "preprint"),
    "demo_url": ("demourl", "demo"),
    "website": ("projecturl", "project", "website"),
    "supp": ("supplement", "supplementurl", "appendix"),
}
_REPEATED = re.compile(
    r"^(?:\*\*|<\w+>)?(?:recommended citation|citation)\b.*$|^\[?(?:download|access|read)(?: the)? (?:paper|pdf|slides|full text)\b.*$"
    r"|^\[(?:paper|pdf)\]\([^)]*\)\s*$",
    re.IGNORECASE | re.MULTILINE,
)
"""Lines of the text that repeat the front matter."""


def put_works(gathering: Gathering, texts: Texts) -> None:
    """Import each document of _publications to an entry of bib/papers.bib; sample values are skipped field by field."""
    works = Works(gathering)
    for path in gathering.below("_publications", ".md", ".markdown", ".html"):
        prose = gathering.prose(path)
        if prose is None:
            continue
        title = words_of(prose.front.entries["title"]) if "title" in prose.front.entries else ""
        if is_sample_paper(title):
            gathering.left(gathering.name_of(path), f"sample content of the template: {title}")
        elif title:
            _put_work(works, texts, path, prose)
        elif prose.body.strip():
            _put_page(texts, path, prose)
        else:
            gathering.left(f"{gathering.name_of(path)}:1", "a publication without a title")
    works.write()


def _put_page(texts: Texts, path: Path, prose: Prose) -> None:
    """Import a document without a title, which is a whole list of publications, as a free page."""
    gathering, taken = texts.gathering, Taken(prose.front, texts.gathering)
    name = gathering.name_of(path)
    old = taken.words("permalink") or f"/publication/{path.stem}/"
    taken.drop(*LOOKS, "title")
    taken.finish()
    body = texts.body(prose.body, f"{name}:{prose.line}")
    if body:
        spoken = bare_address(old).rpartition("/")[2] or path.stem
        wanted = slug(f"{spoken}-page" if spoken == "publications" else spoken)
        made = write_prose(
            gathering, path, f"content/pages/{wanted}.md", {"title": spoken.capitalize()}, body
        )
        gathering.moved(name, old, f"/{made}/")


def _put_work(works: Works, texts: Texts, path: Path, prose: Prose) -> None:
    gathering, taken = texts.gathering, Taken(prose.front, texts.gathering)
    name = gathering.name_of(path)
    raw = _bibtex(texts, taken)
    kind, fields, more = _fields(texts, taken, raw, date_in(gathering, taken, path))
    body = ""
    if is_sample(prose.body):
        gathering.left(f"{name}:{prose.line}", "sample content of the template: the text of the publication")
    else:
        body = texts.body(_REPEATED.sub("", prose.body), f"{name}:{prose.line}")
    plain = "](" not in body and not re.search(r"^[#*|`<-]", body, re.MULTILINE)
    if body and plain and not fields["abstract"]:
        fields["abstract"] = body
    elif body and body != fields["abstract"]:
        more["text"] = body
    old = taken.words("permalink") or f"/publication/{path.stem}/"
    if address_of(old):
        fields["url"] = fields.get("url") or address_of(old)
        old = f"/publication/{path.stem}/"
    moved = [words_of(node) for node in taken.list("redirect_from")]
    taken.drop(*LOOKS)
    links = other_links(texts, taken)
    if links:
        more["links"] = links
    taken.finish()
    key = works.add(raw.entries["@kind"].words if raw is not None else kind, fields, more, name, raw=raw)
    for address in (old, *moved):
        gathering.moved(name, address, page_of(key))


def _fields(texts: Texts, taken: Taken, raw: Node | None, when: str) -> tuple[str, dict[str, str], Entry]:
    """Return the entry type, the BibTeX fields and the entry of content/publications.yaml."""
    gathering = texts.gathering
    title, venue = (texts.line(taken.words(key), taken.place) for key in ("title", "venue"))
    citation = _own(gathering, taken, "citation")
    reference = read_reference(citation, title, venue) if citation else Reference()
    kind = KINDS.get(taken.words("category", "type").casefold(), "") or kind_of(venue, title)
    fields = {
        "title": title,
        "author": _authors(taken, raw) or joined_names(reference.authors),
        VENUE_OF.get(kind, "howpublished"): venue,
        "date": "" if when.startswith("1900") else when,
        **reference.fields,
        "abstract": _own(gathering, taken, "excerpt", "abstract", "summary"),
        "keywords": ", ".join(words_of(node) for node in taken.list("tags", "topic", "keywords")),
        **_links(texts, taken),
    }
    more: Entry = {}
    header = taken.node_of("header")
    if header is not None and header.entries:
        more["image"] = image_in(texts, Taken(header, gathering), "teaser", "image")
    if not fields["author"]:
        more["note"] = texts.line(citation, taken.place)
        told = "its authors cannot be recognized in the citation, which is kept in the note; add them"
        gathering.changed(
            taken.place, told if citation else "it names no authors; add them in bib/papers.bib"
        )
    elif fields["author"] == joined_names(reference.authors):
        gathering.changed(
            taken.place, f"its authors are read from its citation: {'; '.join(reference.authors)}"
        )
    return kind, fields, more


def _own(gathering: Gathering, taken: Taken, *keys: str) -> str:
    """Return a text of the front matter; "", and reported as skipped, if it is sample content."""
    words = html.unescape(taken.words(*keys))
    if is_sample(words):
        gathering.left(taken.place, f"sample content of the template: {keys[0]}")
        return ""
    return words


def _bibtex(texts: Texts, taken: Taken) -> Node | None:
    """Return the publication's own BibTeX entry, from its front matter or from a file."""
    written = taken.words("bibtex", "bib")
    if written.lstrip().startswith("@"):
        return entry_in(written)
    named = taken.words("bibtexurl") or written
    path = texts.gathering.path(re.sub(r"^https?://[^/]*", "", named).lstrip("/")) if named else None
    text = texts.gathering.text(path) if path is not None else None
    if named and text is None and not is_sample_address(named):
        texts.gathering.left(taken.place, f"bibtexurl: {named} is not in the source")
    return entry_in(text) if text else None


def _authors(taken: Taken, raw: Node | None) -> str:
    """Return the `author` field: the listed names, else those of its BibTeX entry."""
    listed = [words_of(node) for node in taken.list("authors", "author")]
    if len(listed) == 1:
        listed = re.split(r"\s*[,;]\s*(?:and\s+)?|\s+and\s+", listed[0])
    return joined_names(listed) or (raw.entries["author"].words if raw and "author" in raw.entries else "")


def _links(texts: Texts, taken: Taken) -> dict[str, str]:
    """Return URLs and copied files by BibTeX field; DOI and arXiv number also from within URLs."""
    found: dict[str, str] = {}
    for field, keys in LINKS.items():
        written = taken.words(*keys)
        if is_sample_address(written) or re.search(r"academicpages\.github\.io/files/", written):
            texts.gathering.left(taken.place, f"sample content of the template: {written}")
            continue
        address = texts.address(written, taken.place) if written else ""
        if address:
            known = re.search(r"\.pdf\b|^files/|/pdf/", address, re.IGNORECASE)
            found["url" if field == "pdf" and not known else field] = address
    link = address_of(taken.words("link", "url", "externallink"))
    found["url"] = link or found.get("url", "")
    found["doi"] = taken.words("doi") or doi_in(found["url"])
    arxiv = taken.words("arxiv") or arxiv_in(found["url"]) or arxiv_in(found.get("pdf", ""))
    if arxiv:
        found |= {"eprint": arxiv, "archiveprefix": "arXiv"}
    if date_of(found["doi"]) or not found["doi"]:
        del found["doi"]
    return {key: value for key, value in found.items() if value}
