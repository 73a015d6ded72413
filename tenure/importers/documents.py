"""Source documents: one file each, with front matter, imported to content/."""

import re
from collections.abc import Container, Iterator
from pathlib import Path

from tenure.importers.cv_entries import normalize_date
from tenure.importers.samples import SAMPLE_POST_NAMES, is_sample_text, is_sample_title
from tenure.importers.session import EntryData, ImportSession, MappingReader
from tenure.importers.text_converter import SourceTextConverter
from tenure.importers.yaml_writer import YamlData, format_yaml
from tenure.sources.files import MarkdownFile


def iterate_documents(
    session: ImportSession, folder: str, *suffixes: str, mixed_stems: Container[str] = ()
) -> Iterator[tuple[Path, MarkdownFile, MappingReader]]:
    """Yield the documents of a folder without the template's samples; `mixed_stems` may contain samples and own text."""
    for path in session.find_files(folder, *(suffixes or (".md", ".markdown"))):
        document = session.read_document(path)
        if document is None:
            continue
        front_text = " ".join(node.text for node in document.front_matter.mapping.values())
        title = document.front_matter.mapping.get("title")
        is_sample_document = title is not None and is_sample_title(title.text)
        is_sample_document = is_sample_document or is_sample_text(document.body) or is_sample_text(front_text)
        if path.stem not in mixed_stems and (
            is_sample_document or (folder == "_posts" and SAMPLE_POST_NAMES.match(path.stem))
        ):
            session.record_skipped(session.relative_path(path), "sample content of the template")
            continue
        yield path, document, MappingReader(document.front_matter, session)


def write_document(session: ImportSession, path: Path, wanted_path: str, front: EntryData, body: str) -> str:
    """Write a document with its front matter. Returns the file name without folder and suffix."""
    filled_front = {key: value for key, value in front.items() if value}
    new_path = session.add_text_file(wanted_path, f"---\n{format_yaml(filled_front)}---\n{body}\n")
    session.record_imported(session.relative_path(path), new_path)
    return Path(new_path).stem


def read_document_date(session: ImportSession, reader: MappingReader, path: Path) -> str:
    """Return a document's date from its front matter, else from the start of its file name."""
    date_text = reader.read_text("date")
    name_match = re.match(r"\d{4}-\d\d-\d\d", path.name)
    date = normalize_date(date_text) or normalize_date(name_match[0] if name_match else "")
    if date_text and not date:
        session.record_skipped(reader.location, f'the date "{date_text}", which cannot be read')
    return date


def import_image(converter: SourceTextConverter, reader: MappingReader, *keys: str) -> str:
    """Copy the image that a document names and return its new path; a missing image is reported as skipped."""
    image_path = reader.read_text(*keys)
    if not image_path or "://" in image_path:
        if image_path:
            converter.session.record_skipped(reader.location, f"an image on another site: {image_path[:90]}")
        return ""
    copied_file = converter.import_file(image_path)
    if not copied_file:
        converter.session.record_skipped(
            reader.location, f"an image that is not in the source: {image_path[:90]}"
        )
    return copied_file


def read_tags(reader: MappingReader, *keys: str) -> list[str]:
    """Return tags from a list or from one string separated by spaces (Jekyll's rule)."""
    nodes = reader.read_items(*keys)
    return [tag for node in nodes for tag in (node.text.split() if len(nodes) == 1 else [node.text]) if tag]


def import_other_links(converter: SourceTextConverter, reader: MappingReader) -> dict[str, YamlData]:
    """Return the unread values that are URLs or source files, as links labelled with their keys."""
    links: dict[str, YamlData] = {}
    for key, node in reader.unread_nodes().items():
        text = node.text.strip()
        if re.match(r"https?://[^/\s]+\S*$|/?[\w./-]+\.(?:pdf|pptx?|png|jpe?g|zip|bib|html?)$", text):
            reader.ignore_keys(key)
            url = converter.resolve_url(text, f"{node.place.file}:{node.place.line}")
            if url:
                label = re.sub(r"[_-]+|(?<=\w)(?:url|link)$", " ", key, flags=re.IGNORECASE).strip()
                links[label[:1].upper() + label[1:]] = url
    return links


def to_single_paragraph(text: str) -> str:
    """Join a text into one paragraph, without the markup of headings, lists and rules."""
    lines = [re.sub(r"^#+\s+|^[-*+]\s+|^\d+\.\s+", "", line.strip()) for line in text.split("\n")]
    return " ".join(line for line in lines if line and not re.fullmatch(r"[-=*]{3,}", line))
