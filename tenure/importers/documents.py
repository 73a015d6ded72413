"""Source documents: one file each, with front matter, imported to content/."""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from tenure.importers.cv_entries import normalize_date
from tenure.importers.liquid_includes import expand_front_matter_includes
from tenure.importers.menu import has_page
from tenure.importers.samples import SAMPLE_POST_NAMES, is_sample_text, is_sample_title
from tenure.importers.session import EntryData, MappingReader, filled, node_to_text
from tenure.importers.source_folder import location_of
from tenure.importers.text_converter import SourceTextConverter, remove_comments
from tenure.importers.yaml_writer import YamlData, format_yaml
from tenure.markdown.html import make_slug
from tenure.plan.default_pages import COLLECTION_PAGES
from tenure.sources.files import MarkdownFile
from tenure.sources.node import Node

GENERATED_PAGES = frozenset({*COLLECTION_PAGES, "home", "cv", "experience", "education"})
"""Pages that Tenure generates."""


class SourceDocument(MappingReader):
    """A document of the source: its front matter, read key by key, and its text."""

    def __init__(self, path: Path, file: MarkdownFile, converter: SourceTextConverter) -> None:
        super().__init__(file.front_matter, converter.session)
        self.path = path
        self.source_text, used_keys = expand_front_matter_includes(file.body, file.front_matter)
        self.ignore_keys(*used_keys)
        self.converter = converter
        self.file_name = converter.session.relative_path(path)
        self.text_location = f"{self.file_name}:{file.body_line}"

    @property
    def page_name(self) -> str:
        """The name of the page in its URL: that of the file, or of the folder of an index file."""
        return self.default_url.strip("/").rpartition("/")[2] or self.path.stem

    @property
    def default_url(self) -> str:
        """The URL that Jekyll gives the page; a folder such as _pages is no part of it."""
        folders = [name for name in self.file_name.split("/")[:-1] if not name.startswith("_")]
        names = folders if self.path.stem == "index" else [*folders, self.path.stem]
        return f"/{'/'.join(names)}/" if names else "/"

    @cached_property
    def body(self) -> str:
        """The text as Markdown."""
        return self.converter.convert_body(self.source_text, self.text_location)

    @property
    def has_sample_text(self) -> bool:
        """Whether the text is sample content of the template."""
        return is_sample_text(remove_comments(self.source_text))

    def read_line(self, *keys: str) -> str:
        """Return a text of the front matter as one line of Markdown."""
        return self.converter.convert_line(self.read_text(*keys), self.location)

    def read_plain_text(self, *keys: str) -> str:
        """Return a text of the front matter without markup."""
        return self.converter.to_plain_text(self.read_text(*keys), self.location)

    def read_date(self) -> str:
        """Return the date in the front matter, else at the start of the file name."""
        date_text = self.read_text("date")
        date = normalize_date(date_text) or self.date_of_name
        if date_text and not date:
            self.record_skipped(f'the date "{date_text}", which cannot be read')
        return date

    @property
    def sort_date(self) -> str:
        """The date by which Jekyll sorts: in the front matter, else at the start of the file name, else ""."""
        return normalize_date(node_to_text(self.node.mapping.get("date"))) or self.date_of_name

    @property
    def date_of_name(self) -> str:
        """The date at the start of the file name, also with one digit for the day; else ""."""
        name_match = re.match(r"(\d{4})-(\d\d?)-(\d\d?)(?!\d)", self.path.name)
        return normalize_date("{}-{:0>2}-{:0>2}".format(*name_match.groups())) if name_match else ""

    def read_tags(self, *keys: str) -> list[str]:
        """Return tags from a list or from one string separated by spaces (Jekyll's rule)."""
        texts = [node.text for node in self.read_items(*keys)]
        return [tag for text in texts for tag in (text.split() if len(texts) == 1 else [text]) if tag]

    def read_old_urls(self, default_url: str) -> list[str]:
        """Return the old URL of the page, and the URLs that are redirected to it."""
        return [self.read_text("permalink") or default_url, *self.read_texts("redirect_from")]

    def read_other_links(self) -> dict[str, YamlData]:
        """Return the unread values that are URLs or source files, as links labelled with their keys."""
        links: dict[str, YamlData] = {}
        nodes = self.unread_nodes()
        for key, node in [*nodes.items(), *self._list_mapped_links(nodes)]:
            text = node.text.strip()
            if re.match(r"https?://[^/\s]+\S*$|/?[\w./-]+\.(?:pdf|pptx?|png|jpe?g|zip|bib|html?)$", text):
                self.ignore_keys(key)
                url = self.converter.resolve_url(text, location_of(node))
                if url:
                    label = re.sub(r"[_-]+|(?<=\w)(?:url|link)(?=\d*$)", " ", key, flags=re.IGNORECASE)
                    label = " ".join(label.split())
                    links[label[:1].upper() + label[1:] if label.islower() else label] = url
        return links

    def _list_mapped_links(self, nodes: Mapping[str, Node]) -> list[tuple[str, Node]]:
        """The links written as a mapping of labels: `links: {code: https://…}`."""
        lists = [nodes[key] for key in ("links", "urls", "buttons") if key in nodes]
        items = [item for node in lists for item in node.mapping.items()]
        for entry in (entry.mapping for node in lists for entry in node.items):
            labels = (entry[key].text for key in ("label", "name", "title", "text", "type") if key in entry)
            label = next(labels, "") or "Link"
            items += [(label, entry[key]) for key in ("url", "link", "href") if key in entry][:1]
        if items and all(re.match(r"(?:https?:/)?/?[\w.]", node.text) for _, node in items):
            self.ignore_keys("links", "urls", "buttons")
            return items
        return []

    def write(self, new_path: str, front: EntryData, body: str) -> str:
        """Write the document with new front matter. Returns the file name without folder and suffix."""
        front = filled(self.session.remove_template_tags(front, self.location))
        text = f"---\n{format_yaml(front)}---\n{body}\n"
        new_path = self.session.add_text_file(new_path, text, self.file_name)
        self.session.record_imported(self.file_name, new_path)
        return Path(new_path).stem

    def write_page(self, name: str, front: EntryData, body: str) -> str:
        """
        Write the document as a free page, not in place of a page that Tenure generates. Returns the page's name.

        The name "cv" is always that of the generated page, also if the site has no entries for it.
        """
        slug = make_slug(name)
        is_taken = slug == "cv" or (slug in GENERATED_PAGES and has_page(self.session, slug))
        return self.write(f"content/pages/{slug}{'-page' if is_taken else ''}.md", front, body)

    def add_page_introduction(self, page: str, text: str) -> None:
        """Keep a text as the introduction of a page that Tenure generates, unless the page has one."""
        self.session.page_introductions.setdefault(page, text)
        description = f"its text came over as the introduction of the page {page} in site.yaml"
        self.session.record_reclassified(self.text_location, description)

    def record_moved(self, old_urls: Sequence[str], new_url: str) -> None:
        """Record the old URLs and the new URL of the page."""
        for old_url in old_urls:
            self.session.record_moved(self.file_name, old_url, new_url)


_IMAGE_FOLDER_KEYS = ("media_subpath", "img_path")
"""Keys of the folder of a post's images, in the theme Chirpy."""


def read_source_document(converter: SourceTextConverter, path: Path | None) -> SourceDocument | None:
    """Read a document; None if there is no file, and None, reported, if it cannot be read."""
    file = converter.session.read_document(path)
    if path is None or file is None:
        return None
    front = file.front_matter.mapping
    folder = next((node_to_text(front[key]) for key in _IMAGE_FOLDER_KEYS if key in front), "")
    return SourceDocument(path, file, converter.with_folders(folder.strip("/")) if folder else converter)


def iterate_documents(
    converter: SourceTextConverter, folder: str, *suffixes: str, mixed_stems: Container[str] = ()
) -> Iterator[SourceDocument]:
    """Yield the documents of a folder without the template's samples; `mixed_stems` may contain samples and own text."""
    session = converter.session
    for path in session.find_files(folder, *(suffixes or (".md", ".markdown"))):
        document = read_source_document(converter, path)
        if document is None:
            continue
        front = document.node.mapping
        is_sample = (
            is_sample_title(node_to_text(front.get("title")))
            or document.has_sample_text
            or is_sample_text(" ".join(node.text for node in front.values()))
            or (folder == "_posts" and SAMPLE_POST_NAMES.match(path.stem))
        )
        if is_sample and path.stem not in mixed_stems:
            session.record_sample(document.file_name)
        else:
            yield document


def sort_newest_first(documents: Iterable[SourceDocument]) -> list[SourceDocument]:
    """The documents by date, newest first; of one date, and without a date, in the reverse order of their files."""
    by_file = [*documents]
    by_file.reverse()
    return sorted(by_file, key=lambda document: document.sort_date, reverse=True)


def import_image(converter: SourceTextConverter, reader: MappingReader, *keys: str) -> str:
    """Copy the image that a document names and return its new path; a missing image is reported as skipped."""
    node = reader.read_node(*keys)
    parts = node.mapping if node is not None else {}
    node = next((parts[key] for key in ("path", "src", "url") if key in parts), node)
    image = node_to_text(node)
    is_external = "://" in image
    copied_file = "" if is_external or not image else converter.import_file(image)
    if image and not copied_file:
        reason = "on another site" if is_external else "that is not in the source"
        reader.record_skipped(f"an image {reason}: {image[:90]}")
    return copied_file


def to_single_paragraph(text: str) -> str:
    """Join a text into one paragraph, without the markup of headings, lists and rules."""
    lines = [re.sub(r"^#+\s+|^[-*+]\s+|^\d+\.\s+", "", line.strip()) for line in text.split("\n")]
    return " ".join(line for line in lines if line and not re.fullmatch(r"[-=*]{3,}", line))
