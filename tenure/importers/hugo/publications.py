"""Imports publications of a Hugo site (a folder each, with index.md and cite.bib) to BibTeX and content/publications.yaml."""

import re
from collections.abc import Mapping

from tenure.importers.bibliography.bibtex_writer import join_author_names
from tenure.importers.bibliography.prose_references import (
    find_arxiv_number,
    find_doi,
    find_volume_and_pages,
    split_author_text,
)
from tenure.importers.cv_entries import normalize_date, parse_web_url
from tenure.importers.hugo.bundles import IGNORED_KEYS, PageBundle, iterate_bundles
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
from tenure.importers.session import EntryData, MappingReader, node_to_text
from tenure.model.names import fold_text
from tenure.sources.bibtex.latex import latex_to_text
from tenure.sources.node import Node

PUBLICATION_FOLDERS = (
    "publication", "publications", "papers", "paper", "workingpapers", "working-papers", "preprints", "bookchapters",
    "book-chapters",
)  # fmt: skip
ENTRY_TYPES: Mapping[str, str] = {
    "1": "inproceedings", "2": "article", "3": "misc", "4": "techreport", "5": "book", "6": "incollection", "7": "phdthesis",
    "8": "patent", "paper-conference": "inproceedings", "article-journal": "article", "article": "misc", "manuscript": "misc",
    "report": "techreport", "book": "book", "chapter": "incollection", "thesis": "phdthesis", "patent": "patent",
    "speech": "misc", "dataset": "dataset", "software": "software", "article-newspaper": "article", "article-magazine": "article",
}  # fmt: skip
"""BibTeX entry type for each number (Academic and Wowchemy) and CSL type (Hugo Blox)."""

_BIBTEX_BLOCK = re.compile(
    r"^(?P<fence>`{3,}|~{3,})[^\n]*\n(?P<entry>\s*@\w+\s*\{.*?)^(?P=fence)[ \t]*$\n?",
    re.DOTALL | re.MULTILINE,
)
_ABSTRACT_SECTION = re.compile(
    r"^#{2,6}[ \t]+Abstract:?[ \t]*#*\n+(?P<text>(?:(?!#{1,6}[ \t]|-{3,}[ \t]*$|<!--).*(?:\n|\Z))+?)(?:-{3,}[ \t]*\n+)?(?=#{1,6}[ \t]|\Z)",
    re.MULTILINE | re.IGNORECASE,
)
"""The abstract below its heading, with the rule after it."""

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
    converter: HugoTextConverter,
    config: HugoConfig,
    names_by_user: Mapping[str, str],
    known_keys: Mapping[str, str],
) -> tuple[dict[str, list[str]], dict[str, str]]:
    """
    Import every publication; `names_by_user` has people's names by user name.

    `known_keys` are the publications of the main language by folder, which are the same in another one. Returns the keys of each project's publications, and the key of each publication by the name of its folder.
    """
    path = f"bib/papers-{config.language}.bib" if known_keys else "bib/papers.bib"
    publication_writer = PublicationWriter(converter.session, path, known_keys.values())
    project_keys: dict[str, list[str]] = {}
    for bundle in iterate_bundles(converter, config, PUBLICATION_FOLDERS):
        is_section = bundle.file_name == f"{config.content_folder}/{bundle.section}/{bundle.path.name}"
        if bundle.is_folder and is_section:
            _import_list_page(bundle, config)
        elif bundle.name.casefold() not in known_keys:
            key, projects = _import_publication(publication_writer, config, bundle, names_by_user)
            for project in projects:
                project_keys.setdefault(project, []).append(key)
    publication_writer.write_files()
    return project_keys, publication_writer.keys_by_name


def _import_list_page(bundle: PageBundle, config: HugoConfig) -> None:
    """Import the text of the page of the whole section, which is no publication, as a free page."""
    title = bundle.read_line("title")
    bundle.report_unread_keys(*IGNORED_KEYS, "date", "tags", "categories", "authors", "summary")
    if bundle.body and not bundle.has_sample_text:
        front: EntryData = {"title": title or bundle.name.capitalize()}
        name = bundle.write_page(f"{bundle.name}-page", front, bundle.body)
        bundle.record_moved(bundle.list_old_urls(config), f"/{name}/")


def _import_publication(
    publication_writer: PublicationWriter,
    config: HugoConfig,
    bundle: PageBundle,
    names_by_user: Mapping[str, str],
) -> tuple[str, list[str]]:
    """Import one publication. Returns its key and the projects that it refers to."""
    bibtex_entry = _read_bibtex_entry(bundle)
    bibtex_fields = bibtex_entry.mapping if bibtex_entry is not None else {}
    source_types = bundle.read_texts("publication_types", "publication_type")
    venue, venue_numbers = _read_venue(bundle)
    title = bundle.read_line("title")
    known_types = (ENTRY_TYPES[source_type] for source_type in source_types if source_type in ENTRY_TYPES)
    entry_type = next(known_types, "") or guess_entry_type(venue, title)
    if bibtex_entry is not None and (bibtex_fields["@kind"].text != "misc" or entry_type == "misc"):
        entry_type = bibtex_fields["@kind"].text
    image = bundle.find_featured_image()
    links = bundle.read_links()
    author, note = _read_authors(bundle, names_by_user)
    overlay: EntryData = {"abbr": _read_short_venue(bundle), "note": note}
    fields = {
        "title": title,
        "subtitle": bundle.read_line("subtitle"),
        "author": author,
        "date": _read_publication_date(bundle, bibtex_fields),
        "abstract": _read_abstract(bundle),
        "keywords": ", ".join((*bundle.read_texts("tags"), *bundle.read_texts("categories"))),
        "selected": "true" if any(map(bundle.read_flag, ("featured", "selected"))) else "",
        **_read_identifiers(bundle, links),
        **{label: url for label, url in links.items() if label in LINK_FIELDS},
    }
    if not {"journal", "booktitle", "journaltitle"} & bibtex_fields.keys():
        fields |= {VENUE_FIELDS.get(entry_type, "howpublished"): venue, **venue_numbers}
    if bundle.has_sample_text:
        bundle.session.record_sample(bundle.text_location, "the text of the publication")
    overlay |= {
        "links": {label: url for label, url in links.items() if label not in LINK_FIELDS},
        **image,
        "text": "" if bundle.has_sample_text or bundle.body == fields["abstract"] else bundle.body,
    }
    if not fields.get("pdf"):
        fields["pdf"] = _copy_bundled_pdf(bundle)
    overlay["draft"] = bundle.read_draft()
    key = publication_writer.add_publication(
        entry_type, fields, overlay, bundle.file_name, bibtex_entry=bibtex_entry, name=bundle.name
    )
    projects = [text.casefold() for text in bundle.read_texts("projects")]
    if not overlay["draft"]:
        bundle.record_moved(bundle.list_old_urls(config), publication_url(key))
    bundle.report_unread_keys(*IGNORED_KEYS, "highlight", "highlight_name", "publication_type")
    return key, projects


def _read_bibtex_entry(bundle: PageBundle) -> Node | None:
    """Return the entry of cite.bib or another .bib file of the folder, else that of a code block with the same title; else None."""
    bib_paths = bundle.session.find_siblings(bundle.path, ".bib") if bundle.is_folder else []
    text = bundle.session.read_source_text(bib_paths[0]) if bib_paths else None
    if text:
        return read_first_entry(text)
    block = _BIBTEX_BLOCK.search(bundle.source_text)
    entry = read_first_entry(block["entry"]) if block else None
    if block is None or entry is None or "title" not in entry.mapping:
        return None
    titles = [latex_to_text(entry.mapping["title"].text).text, node_to_text(bundle.node.mapping.get("title"))]
    first_title, second_title = (re.sub(r"\W", "", fold_text(title)) for title in titles)
    if not first_title or not (first_title.startswith(second_title) or second_title.startswith(first_title)):
        return None
    bundle.source_text = bundle.source_text[: block.start()] + bundle.source_text[block.end() :]
    bundle.record_converted("the BibTeX in its text is the entry in the .bib file")
    return entry


def _strip_emphasis(text: str) -> str:
    text = re.sub(r"[*_]+", "", text).strip(" .,;")
    return re.sub(r"^(?:In|in)[:\s]+", "", text)


def _read_short_venue(bundle: PageBundle) -> str:
    """Return the short name of the venue: a value of its own, or in the venue of the newest generation."""
    names = bundle.node.child("publication").mapping
    short_name = node_to_text(names.get("short_name") or names.get("short"))
    return _strip_emphasis(bundle.read_line("publication_short") or short_name)


def _read_venue(bundle: PageBundle) -> tuple[str, dict[str, str]]:
    """Return the venue, and volume, number and pages if they follow its name; PaperMod has the venue in `editPost`."""
    node = bundle.read_node("publication")
    name = node_to_text(node.mapping.get("name") if node is not None and node.mapping else node)
    name = name or node_to_text(bundle.node.child("editPost", "Text"))
    name = name or bundle.read_text("journal", "booktitle", "venue", "conference")
    text = re.sub(r"^\s*[Ii]n\s+(?=[*_\"A-Z])", "", bundle.converter.convert_line(name, bundle.location))
    text = re.sub(r"^([*_])([^*_]+?),\s*(\d{1,3})\1(?=\s*(?:\(|,\s*\d))", r"\1\2\1, \3", text)
    match = re.match(r"\s*([*_])(?P<name>[^*_]+)\1[\s,.]*(?P<numbers>.*)$", text)
    if match and not re.search(r"[A-Za-z]{4}", re.sub(r"pages|vol(?:ume)?", "", match["numbers"])):
        numbers = re.sub(r"[*_]", "", match["numbers"])
        fields = find_volume_and_pages(f", {numbers}")
        if fields or not re.search(r"\d", re.sub(r"(?:19|20)\d\d", "", numbers)):
            return match["name"].strip(), fields
    return _strip_emphasis(text), {}


def _read_authors(reader: MappingReader, names_by_user: Mapping[str, str]) -> tuple[str, str]:
    """Return the `author` field, with a mark for equal contribution, and the other notes on authors in one text."""
    notes = reader.read_texts("author_notes")
    author_names: list[str] = []
    author_notes: list[str] = []
    texts = [name for text in reader.read_texts("authors", "author") for name in split_author_text(text)]
    for i, text in enumerate(texts):
        written_name = re.sub(r"[*_]{2}", "", text).strip()
        user = re.sub(r"[\s_]+", "-", written_name).casefold()
        name = names_by_user.get(written_name.casefold()) or names_by_user.get(user) or written_name
        note = notes[i] if i < len(notes) else ""
        if re.search(r"equal|joint (?:first|lead)|co-?first", note, re.IGNORECASE):
            name = f"{name.removesuffix('*')}*"
        elif note:
            author_notes.append(f"{name}: {note}")
        author_names.append(name)
    return join_author_names(author_names), "; ".join(author_notes)


def _read_publication_date(reader: MappingReader, bibtex_fields: Mapping[str, Node]) -> str:
    """Return the publication date; 1 January is read as the year alone, unless cite.bib has a month."""
    date = normalize_date(reader.read_text("date", "year"))
    return date[:4] if date.endswith("-01-01") and "month" not in bibtex_fields else date


def _read_abstract(bundle: PageBundle) -> str:
    """Return the abstract, of the front matter or below a heading of the text, else the summary."""
    section = None if "abstract" in bundle.node.mapping else _ABSTRACT_SECTION.search(bundle.source_text)
    if section:
        bundle.source_text = bundle.source_text[: section.start()] + bundle.source_text[section.end() :]
    written_abstract = section["text"] if section else bundle.read_text("abstract")
    texts = [
        bundle.converter.convert_inner_text(text.strip(), bundle.location)
        for text in (written_abstract, bundle.read_text("summary", "description"))
    ]
    abstract, summary = ("" if is_sample_text(text) else text for text in texts)
    if abstract and summary and summary[:60] != abstract[:60]:
        bundle.record_skipped(f"summary: {summary[:90]} (its abstract was imported)")
    return abstract or summary


def _read_identifiers(reader: MappingReader, links: dict[str, str]) -> dict[str, str]:
    """Return DOI, arXiv number and URL from any field or link; other identifiers are added to `links`."""
    id_nodes = reader.read_mapping("hugoblox").read_mapping("ids").node.mapping
    identifiers = {key: node_to_text(node) for key, node in id_nodes.items() if node_to_text(node)}
    known_keys = [key for key in IDENTIFIER_URLS if key in identifiers]
    links |= {key: IDENTIFIER_URLS[key].format(identifiers[key]) for key in known_keys}
    written_doi = reader.read_text("doi", "DOI") or identifiers.get("doi", "")
    fields = {"doi": find_doi(written_doi) or find_doi(links.pop("doi", ""))}
    links.pop("doi", None)
    if written_doi and not fields["doi"] and parse_web_url(written_doi):
        links.setdefault("url", parse_web_url(written_doi))
    arxiv = identifiers.get("arxiv") or next(filter(None, map(find_arxiv_number, links.values())), "")
    if arxiv:
        fields |= {"eprint": arxiv, "archiveprefix": "arXiv"}
        for label, url in [*links.items()]:
            if arxiv in url and label.casefold() in ("preprint", "arxiv", "url"):
                del links[label]
    fields["url"] = links.pop("url", "")
    return {key: value for key, value in fields.items() if value}


def _copy_bundled_pdf(bundle: PageBundle) -> str:
    """Copy the PDF that has the name of the publication's folder. Returns its path in content/, or ""."""
    paths = bundle.session.find_siblings(bundle.path, ".pdf") if bundle.is_folder else []
    names = (bundle.session.relative_path(path) for path in paths if path.stem == bundle.name)
    return bundle.session.copy_first_file(names)
