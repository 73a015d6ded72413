"""Imports publications of a Hugo site (a folder each, with index.md and cite.bib) to BibTeX and content/publications.yaml."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from tenure.importers.bibliography.latex_writer import join_author_names
from tenure.importers.bibliography.prose_references import find_arxiv_number, find_doi, find_volume_and_pages
from tenure.importers.cv_entries import normalize_date, parse_web_url
from tenure.importers.hugo.bundles import (
    IGNORED_KEYS,
    PageBundle,
    find_featured_image,
    iterate_bundles,
    list_old_urls,
    read_links,
)
from tenure.importers.hugo.config import HugoConfig
from tenure.importers.hugo.markdown import HugoTextConverter
from tenure.importers.publications import (
    VENUE_FIELDS,
    PublicationWriter,
    guess_entry_type,
    publication_url,
    read_first_entry,
)
from tenure.importers.samples import is_sample_text
from tenure.importers.session import EntryData, ImportSession, MappingReader, node_to_text
from tenure.sources.node import Node

PUBLICATION_FOLDERS = ("publication", "publications", "papers", "paper")
ENTRY_TYPES: Mapping[str, str] = {
    "1": "inproceedings", "2": "article", "3": "misc", "4": "techreport", "5": "book", "6": "incollection", "7": "phdthesis",
    "8": "patent", "paper-conference": "inproceedings", "article-journal": "article", "article": "misc", "manuscript": "misc",
    "report": "techreport", "book": "book", "chapter": "incollection", "thesis": "phdthesis", "patent": "patent",
    "speech": "misc", "dataset": "dataset", "software": "software", "article-newspaper": "article", "article-magazine": "article",
}  # fmt: skip
"""BibTeX entry type for each number (Academic and Wowchemy) and CSL type (Hugo Blox)."""

IDENTIFIER_URLS: Mapping[str, str] = {
    "openreview": "https://openreview.net/forum?id={}", "acl_id": "https://aclanthology.org/{}",
    "hal": "https://hal.science/{}", "dblp": "https://dblp.org/rec/{}.html", "osf": "https://osf.io/{}",
    "zenodo": "https://zenodo.org/records/{}", "openalex": "https://openalex.org/{}",
    "semanticscholar": "https://www.semanticscholar.org/paper/{}", "pwc": "https://paperswithcode.com/paper/{}",
    "huggingface_model": "https://huggingface.co/{}", "huggingface_dataset": "https://huggingface.co/datasets/{}",
    "huggingface_space": "https://huggingface.co/spaces/{}",
}  # fmt: skip
"""URL pattern for each identifier of the newest generation."""

LINK_FIELDS = frozenset({"pdf", "code", "slides", "poster", "video", "website", "supp"})
"""Links with a BibTeX field of their own."""


def import_publications(
    converter: HugoTextConverter, config: HugoConfig, names_by_user: Mapping[str, str]
) -> tuple[dict[str, list[str]], dict[str, str]]:
    """
    Import every publication; `names_by_user` has people's names by user name.

    Returns the keys of each project's publications, and the key of each publication by the name of its folder.
    """
    publication_writer = PublicationWriter(converter.session)
    project_keys: dict[str, list[str]] = {}
    for bundle in iterate_bundles(converter, config, PUBLICATION_FOLDERS):
        key, projects = _import_publication(publication_writer, config, bundle, names_by_user)
        for project in projects:
            project_keys.setdefault(project, []).append(key)
    publication_writer.write_files()
    return project_keys, publication_writer.keys_by_name


def _import_publication(
    publication_writer: PublicationWriter,
    config: HugoConfig,
    bundle: PageBundle,
    names_by_user: Mapping[str, str],
) -> tuple[str, list[str]]:
    """Import one publication. Returns its key and the projects that it refers to."""
    session, reader, bundle_converter = bundle.converter.session, bundle.reader, bundle.converter
    name = session.relative_path(bundle.path)
    bibtex_entry = _read_bibtex_entry(session, bundle.path)
    source_types = [node_to_text(node) for node in reader.read_items("publication_types", "publication_type")]
    venue, venue_numbers = _read_venue(bundle_converter, reader)
    title = bundle_converter.convert_line(reader.read_text("title"), reader.location)
    entry_type = next(
        (ENTRY_TYPES[source_type] for source_type in source_types if source_type in ENTRY_TYPES), ""
    ) or guess_entry_type(venue, title)
    if bibtex_entry is not None and (bibtex_entry.mapping["@kind"].text != "misc" or entry_type == "misc"):
        entry_type = bibtex_entry.mapping["@kind"].text
    links = read_links(bundle_converter, reader, session)
    overlay: EntryData = {
        "abbr": _strip_emphasis(
            bundle_converter.convert_line(reader.read_text("publication_short"), reader.location)
        )
    }
    fields = {
        "title": title,
        "subtitle": bundle_converter.convert_line(reader.read_text("subtitle"), reader.location),
        "author": _read_authors(reader, names_by_user, overlay),
        "date": _read_publication_date(reader, bibtex_entry),
        **_read_abstract(bundle_converter, reader),
        "keywords": ", ".join(
            node_to_text(node) for node in (*reader.read_items("tags"), *reader.read_items("categories"))
        ),
        "selected": "true" if reader.read_text("featured").casefold() == "true" else "",
        **_read_identifiers(reader, links),
        **{label: url for label, url in links.items() if label in LINK_FIELDS},
    }
    if not (
        bibtex_entry is not None and {"journal", "booktitle", "journaltitle"} & bibtex_entry.mapping.keys()
    ):
        fields[VENUE_FIELDS.get(entry_type, "howpublished")] = venue
        fields |= venue_numbers
    overlay |= {
        "links": _select_other_links(links),
        "image": find_featured_image(bundle_converter, reader, bundle.path),
        "text": _read_page_text(bundle, fields),
    }
    _add_bundled_pdf(bundle_converter, bundle, fields)
    is_draft = reader.read_text("draft").casefold() == "true"
    overlay |= {"draft": "true"} if is_draft else {}
    key = publication_writer.add_publication(
        entry_type, fields, overlay, name, bibtex_entry=bibtex_entry, name=bundle.name
    )
    projects = [node_to_text(node).casefold() for node in reader.read_items("projects")]
    reader.ignore_keys(*IGNORED_KEYS, "highlight", "highlight_name", "publication_type")
    for old_url in () if is_draft else list_old_urls(config, bundle):
        session.record_moved(name, old_url, publication_url(key))
    reader.report_unread_keys()
    return key, projects


def _read_bibtex_entry(session: ImportSession, path: Path) -> Node | None:
    """Return the entry of cite.bib or another .bib file of the folder, or None."""
    if path.stem not in ("index", "_index"):
        return None
    bib_paths = [
        bib_path
        for bib_path in session.find_files(session.relative_path(path.parent), ".bib")
        if bib_path.parent == path.parent
    ]
    text = session.read_source_text(bib_paths[0]) if bib_paths else None
    return read_first_entry(text) if text else None


def _strip_emphasis(text: str) -> str:
    text = re.sub(r"[*_]+", "", text).strip(" .,;")
    return re.sub(r"^(?:In|in)[:\s]+", "", text)


def _read_venue(converter: HugoTextConverter, reader: MappingReader) -> tuple[str, dict[str, str]]:
    """Return the venue, and volume, number and pages if they follow its name."""
    venue_text = re.sub(
        r"^\s*[Ii]n\s+(?=[*_\"A-Z])",
        "",
        converter.convert_line(reader.read_text("publication"), reader.location),
    )
    emphasised = re.match(r"\s*([*_])(?P<name>[^*_]+)\1[\s,.]*(?P<rest>.*)$", venue_text)
    if emphasised and not re.search(r"[A-Za-z]{4}", re.sub(r"pages|vol(?:ume)?", "", emphasised["rest"])):
        return emphasised["name"].strip(), find_volume_and_pages(
            f", {re.sub(r'[*_]', '', emphasised['rest'])}"
        )
    return _strip_emphasis(venue_text), {}


def _read_authors(reader: MappingReader, names_by_user: Mapping[str, str], overlay: EntryData) -> str:
    """Return the `author` field, with a mark for equal contribution; other author notes go to `note` of the overlay."""
    notes = [node_to_text(node) for node in reader.read_items("author_notes")]
    author_names: list[str] = []
    author_notes: list[str] = []
    for i, node in enumerate(reader.read_items("authors", "author")):
        written_name = re.sub(r"[*_]{2}", "", node_to_text(node)).strip()
        user = re.sub(r"[\s_]+", "-", written_name).casefold()
        name = names_by_user.get(written_name.casefold()) or names_by_user.get(user) or written_name
        note = notes[i] if i < len(notes) else ""
        if re.search(r"equal|joint (?:first|lead)|co-?first", note, re.IGNORECASE):
            name = f"{name}*" if not name.endswith("*") else name
        elif note:
            author_notes.append(f"{name}: {note}")
        author_names.append(name)
    if author_notes:
        overlay["note"] = "; ".join(author_notes)
    return join_author_names(author_names)


def _read_publication_date(reader: MappingReader, bibtex_entry: Node | None) -> str:
    """Return the publication date; 1 January is read as the year alone, unless cite.bib has a month."""
    date = normalize_date(reader.read_text("date", "year"))
    reader.ignore_keys("publishDate", "publishdate", "lastmod", "year")
    if date.endswith("-01-01") and not (bibtex_entry is not None and "month" in bibtex_entry.mapping):
        return date[:4]
    return date


def _read_abstract(converter: HugoTextConverter, reader: MappingReader) -> dict[str, str]:
    """Return the field `abstract`: the abstract, else the summary."""
    abstract, summary = (
        converter.convert_inner_text(reader.read_text(key), reader.location)
        for key in ("abstract", "summary")
    )
    abstract, summary = ("" if is_sample_text(text) else text for text in (abstract, summary))
    if abstract and summary and summary[:60] != abstract[:60]:
        converter.session.record_skipped(
            reader.location, f"summary: {summary[:90]} (its abstract was imported)"
        )
    return {"abstract": abstract or summary}


def _read_identifiers(reader: MappingReader, links: dict[str, str]) -> dict[str, str]:
    """Return DOI, arXiv number and URL from any field or link; other identifiers are added to `links`."""
    hugoblox_node = reader.read_node("hugoblox")
    id_nodes = (
        hugoblox_node.mapping["ids"].mapping
        if hugoblox_node is not None and "ids" in hugoblox_node.mapping
        else {}
    )
    identifiers = {key: node_to_text(node) for key, node in id_nodes.items() if node_to_text(node)}
    links |= {
        key: url_pattern.format(identifiers[key])
        for key, url_pattern in IDENTIFIER_URLS.items()
        if key in identifiers
    }
    written_doi = reader.read_text("doi", "DOI") or identifiers.get("doi", "")
    fields = {"doi": find_doi(written_doi) or find_doi(links.get("doi", ""))}
    links.pop("doi", None)
    if written_doi and not fields["doi"] and parse_web_url(written_doi):
        links.setdefault("url", parse_web_url(written_doi))
    arxiv = identifiers.get("arxiv") or next(
        (number for url in links.values() if (number := find_arxiv_number(url))), ""
    )
    if arxiv:
        fields |= {"eprint": arxiv, "archiveprefix": "arXiv"}
        for label in [
            label
            for label, url in links.items()
            if arxiv in url and label.casefold() in ("preprint", "arxiv", "url")
        ]:
            del links[label]
    fields["url"] = links.pop("url", "")
    return {key: value for key, value in fields.items() if value}


def _select_other_links(links: Mapping[str, str]) -> dict[str, str]:
    return {label: url for label, url in links.items() if label not in LINK_FIELDS}


def _read_page_text(bundle: PageBundle, fields: Mapping[str, str]) -> str:
    body = "" if is_sample_text(bundle.document.body) else bundle.convert_body()
    if is_sample_text(bundle.document.body):
        bundle.converter.session.record_skipped(
            bundle.location, "sample content of the template: the text of the publication"
        )
    return "" if body == fields.get("abstract") else body


def _add_bundled_pdf(converter: HugoTextConverter, bundle: PageBundle, fields: dict[str, str]) -> None:
    """Use the PDF with the name of its folder as the publication's PDF."""
    pdf_paths = (
        converter.session.find_files(converter.session.relative_path(bundle.path.parent), ".pdf")
        if bundle.path.stem == "index"
        else []
    )
    publication_pdfs: Sequence[Path] = [
        path for path in pdf_paths if path.parent == bundle.path.parent and path.stem == bundle.name
    ]
    if publication_pdfs and not fields.get("pdf"):
        fields["pdf"] = converter.session.copy_file(converter.session.relative_path(publication_pdfs[0]))
