"""Reads the documents of a Hugo site, single files or page bundles: front matter, text, links, image and old URLs."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tenure.importers.cv_entries import normalize_date, parse_web_url
from tenure.importers.documents import SourceDocument
from tenure.importers.hugo.config import HugoConfig
from tenure.importers.hugo.markdown import HugoTextConverter
from tenure.importers.profile import label_profile_link
from tenure.importers.samples import is_sample_text, is_sample_title, is_sample_url
from tenure.importers.session import node_to_text
from tenure.sources.files import MarkdownFile
from tenure.sources.node import Node

IGNORED_KEYS = (
    "image", "math", "mathjax", "draft", "projects", "slides", "share", "profile", "commentable", "comments", "toc",
    "show_date", "reading_time", "pager", "header", "gallery_item", "gallery", "highlight", "diagram", "design", "cms_exclude",
    "add_badge", "equivalent", "headless", "weight", "type", "layout", "view", "editable", "show_breadcrumb", "lightbox",
    "publishDate", "publishdate", "publish_date", "expiryDate", "lastmod", "lastMod", "markup", "active", "menu", "linktitle",
    "date_format", "url_slides", "featured", "author_notes", "permalink", "url", "slug", "aliases", "hugoblox", "content_meta",
    "isCJKLanguage", "authors", "author", "cascade", "showDate", "showAuthor", "invertPagination", "showTableOfContents",
    "profile_alignment", "math_renderer", "rmd_hash", "output", "keywords", "bibliography", "link-citations", "csl",
    "continue_link", "header_image", "subtitle", "external_link", "all_day", "time_start", "time_end", "disable_comments",
)  # fmt: skip
"""Front matter keys that configure the theme, or that have been read already."""

LINK_LABELS = {
    "url_pdf": "pdf", "url_preprint": "Preprint", "url_code": "code", "url_dataset": "Dataset", "url_poster": "poster",
    "url_project": "website", "url_slides": "slides", "url_source": "Source", "url_video": "video", "url_custom": "url",
    "external_link": "url", "site": "website", "project": "website", "preprint": "Preprint", "dataset": "Dataset",
    "source": "Source", "arxiv": "Preprint", "paper": "pdf", "full text": "pdf", "website": "website", "code": "code",
    "slides": "slides", "video": "video", "poster": "poster", "pdf": "pdf", "doi": "doi", "url": "url",
}  # fmt: skip
"""BibTeX field or link label for each key and type of link."""


IMAGE_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".gif", ".svg")


class PageBundle(SourceDocument):
    """A document of a Hugo site: a section, a name and a file; its converter also searches its folder for files."""

    def __init__(self, section: str, path: Path, file: MarkdownFile, converter: HugoTextConverter) -> None:
        folder = converter.session.relative_path(path.parent)
        super().__init__(path, file, converter.with_folders(folder))
        self.section = section
        stem = path.stem.partition(".")[0]
        self.name = path.parent.name if stem in ("index", "_index") else stem

    @property
    def is_folder(self) -> bool:
        """Whether the document is the index of a folder with its files."""
        return self.path.stem.partition(".")[0] == "index"

    def read_all_tags(self) -> list[str]:
        """Return the tags and the categories, each once."""
        tags = [*self.read_texts("tags"), *self.read_texts("categories")]
        return [*dict.fromkeys(filter(None, tags))]

    def read_draft(self) -> str:
        """Return the value of `draft` for content/: "true" or ""."""
        return "true" if self.read_flag("draft") else ""

    def read_post_date(self) -> str:
        """Return the date in the front matter, else at the start of the name."""
        match = re.match(r"\d{4}-\d\d-\d\d", self.name)
        return normalize_date(self.read_text("date")) or normalize_date(match[0] if match else "")

    def read_links(self) -> dict[str, str]:
        """Return the links by BibTeX field or label; broken links are reported as skipped."""
        links: dict[str, str] = {}
        for key in [key for key in self.node.mapping if key.startswith("url_") or key == "external_link"]:
            label = LINK_LABELS.get(key, key.removeprefix("url_").capitalize())
            self._add_link(links, label, self.read_text(key), self.location)
        for link in self.read_mappings("links"):
            link_type, name = link.read_text("type"), link.read_text("name", "label", "title")
            url = link.read_text("url", "link", "href")
            if link.read_text("provider") == "arxiv" and not url:
                url = f"https://arxiv.org/abs/{link.read_text('id')}"
            link.report_unread_keys("icon", "icon_pack", "id", "provider")
            label = LINK_LABELS.get((link_type or name).casefold(), "") or name
            self._add_link(links, label or label_profile_link(url, link_type), url, link.location)
        for label, other_url in self.read_other_links().items():
            is_main_url = label.casefold() in ("external", "externalurl", "site")
            links.setdefault("url" if is_main_url else label, str(other_url))
        return links

    def _add_link(self, links: dict[str, str], label: str, url: str, location: str) -> None:
        example_pattern = r"https?://(?:www\.)?example\.(?:org|com)|twitter\.com/georgecushen"
        if url in ("", "#") or re.search(example_pattern, url, re.IGNORECASE):
            return
        if is_sample_url(url):
            self.session.record_sample(location, url)
            return
        new_url = self.converter.resolve_url(url, location)
        if new_url and links.get(label, new_url) != new_url:
            label = label_profile_link(new_url, "Link") if parse_web_url(new_url) else f"{label} 2"
        if new_url:
            links.setdefault(label, new_url)

    def find_featured_image(self) -> str:
        """Copy the featured image, named in the front matter or found in the folder, and return its new path."""
        node = self.read_node("image", "header")
        front = node.mapping if node is not None else {}
        nested_names = (node_to_text(front[key]) for key in ("filename", "src", "image") if key in front)
        image_name = (node.text if node is not None else "") or next(nested_names, "")
        if image_name and "://" not in image_name:
            copied_file = self.converter.import_file(image_name)
            if not copied_file:
                self.record_skipped(f"an image that is not in the source: {image_name[:90]}")
            return copied_file
        paths = self.session.find_siblings(self.path, *IMAGE_SUFFIXES) if self.is_folder else []
        names = (self.session.relative_path(path) for path in paths if "featured" in path.stem)
        return self.session.copy_file(next(names, "")) if paths else ""

    def list_old_urls(self, config: HugoConfig) -> list[str]:
        """Return the old URL of the page, and its aliases."""
        front = self.node.mapping
        explicit_url = node_to_text(front.get("url"))
        page_slug = node_to_text(front["slug"]) if "slug" in front else self.name
        pattern = config.permalinks.get(self.section, f"/{self.section}/:slug/")
        pattern_url = re.sub(r":(?:slug|filename|slugorfilename|contentbasename|title)", page_slug, pattern)
        page_url = explicit_url if explicit_url.startswith("/") else pattern_url
        aliases = [node_to_text(node) for node in front["aliases"].items] if "aliases" in front else []
        page_urls = [re.sub(r"\s+", "-", page_url).casefold()] if ":" not in page_url else []
        return page_urls + [alias for alias in aliases if alias.startswith("/")]


def iterate_bundles(
    converter: HugoTextConverter, config: HugoConfig, sections: Sequence[str]
) -> Iterator[PageBundle]:
    """Yield the documents of some sections; samples are reported as skipped, pages generated by Hugo are ignored."""
    for section in sections:
        folder = f"{config.content_folder}/{section}"
        suffixes = (".md", ".markdown", ".rmd", ".rmarkdown", ".org", ".html")
        for path in converter.session.find_files(folder, *suffixes):
            file = _read_bundle_file(converter, config, folder, path)
            if file is not None:
                yield PageBundle(section.strip("/"), path, file, converter)


def _read_bundle_file(
    converter: HugoTextConverter, config: HugoConfig, folder: str, path: Path
) -> MarkdownFile | None:
    session, suffix = converter.session, path.suffix.casefold()
    name = session.relative_path(path)
    stem = path.stem.partition(".")[0]
    if not config.has_text(path):
        return None
    if suffix == ".org":
        session.record_skipped(name, "an Org file, which is not read")
        session.read_files.add(name)
        return None
    if suffix in (".rmd", ".rmarkdown") and path.with_suffix(".md").is_file():
        session.read_files.add(name)
        return None
    file = session.read_document(path)
    if file is None:
        return None
    if stem == "_index":
        is_section_root = session.relative_path(path.parent) == folder
        if file.body.strip() and not is_sample_text(file.body) and not is_section_root:
            text = " ".join(file.body.split())
            session.record_skipped(name, f"the introduction of a list: {text[:90]}")
        return None
    if _is_sample_file(file.front_matter.mapping, file.body):
        session.record_sample(name, node_to_text(file.front_matter.mapping.get("title")))
        return None
    return file


def _is_sample_file(front: Mapping[str, Node], body: str) -> bool:
    front_text = " ".join(map(node_to_text, front.values()))
    return (
        is_sample_title(node_to_text(front.get("title")))
        or re.search(r"Wowchemy Conference|Lorem ipsum", front_text) is not None
        or (is_sample_text(front_text) and is_sample_text(body))
    )
