"""Reads the documents of a Hugo site, single files or page bundles: front matter, text, links, image and old URLs."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from tenure.importers.bibliography.prose_references import find_doi
from tenure.importers.cv_entries import normalize_date, parse_web_url
from tenure.importers.documents import SourceDocument
from tenure.importers.hugo.config import HugoConfig
from tenure.importers.hugo.markdown import HugoTextConverter
from tenure.importers.json_data import EMPTY_NODE
from tenure.importers.profile import label_profile_link
from tenure.importers.samples import is_sample_text, is_sample_title, is_sample_url
from tenure.importers.session import EntryData, filled, node_to_text
from tenure.importers.source_folder import normalize_old_url
from tenure.record import replace
from tenure.sources.files import MarkdownFile

IGNORED_KEYS = (
    "image", "math", "mathjax", "draft", "projects", "slides", "share", "profile", "commentable", "comments", "toc",
    "show_date", "reading_time", "pager", "header", "gallery_item", "gallery", "highlight", "diagram", "design", "cms_exclude",
    "add_badge", "equivalent", "headless", "weight", "type", "layout", "view", "editable", "show_breadcrumb", "lightbox",
    "publishDate", "publishdate", "publish_date", "expiryDate", "lastmod", "lastMod", "markup", "active", "menu", "linktitle",
    "date_format", "url_slides", "featured", "author_notes", "permalink", "url", "slug", "aliases", "hugoblox", "content_meta",
    "isCJKLanguage", "authors", "author", "cascade", "showDate", "showAuthor", "invertPagination", "showTableOfContents",
    "profile_alignment", "math_renderer", "rmd_hash", "output", "keywords", "bibliography", "link-citations", "csl",
    "continue_link", "header_image", "subtitle", "external_link", "all_day", "time_start", "time_end", "disable_comments",
    "icon", "icon_pack", "authors_note", "sitemap", "series_order", "searchHidden", "hidemeta", "canonicalURL",
)  # fmt: skip
"""Front matter keys that configure the theme, or that have been read already."""

LINK_LABELS = {
    "url_pdf": "pdf", "url_preprint": "Preprint", "url_code": "code", "url_dataset": "Dataset", "url_poster": "poster",
    "url_project": "website", "url_slides": "slides", "url_source": "Source", "url_video": "video", "url_custom": "url",
    "external_link": "url", "externalUrl": "url", "external_url": "url", "site": "website", "project": "website", "preprint": "Preprint", "dataset": "Dataset",
    "source": "Source", "arxiv": "Preprint", "paper": "pdf", "full text": "pdf", "website": "website", "code": "code",
    "slides": "slides", "video": "video", "poster": "poster", "pdf": "pdf", "doi": "doi", "url": "url",
}  # fmt: skip
"""BibTeX field or link label for each key and type of link."""


EXTERNAL_URL_KEYS = frozenset({"external_link", "externalUrl", "external_url"})
THEME_SWITCH = re.compile(r"(?:show|hide|disable|enable|use)[A-Z_-]?\w+")
"""Keys that switch a part of the theme on or off: showToc, disableShare."""

IMAGE_KEYS = (
    "image",
    "image_preview",
    "header",
    "cover",
    "featured_image",
    "featureimage",
    "featuredImage",
    "thumbnail",
)
IMAGE_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".gif", ".svg")


class PageBundle(SourceDocument):
    """A document of a Hugo site: a section, its path in content/, a name and a file; its converter also searches its folder for files."""

    def __init__(
        self,
        section: str,
        content_path: PurePosixPath,
        path: Path,
        file: MarkdownFile,
        converter: HugoTextConverter,
    ) -> None:
        folder = converter.session.relative_path(path.parent)
        page_folder = content_path.parent / content_path.stem.partition(".")[0]
        page_url = f"/{normalize_content_path(str(page_folder))}/"
        super().__init__(path, file, replace(converter.with_folders(folder), page_url=page_url))
        self.section = section
        self.content_path = content_path
        stem = path.stem.partition(".")[0]
        self.name = path.parent.name if stem in ("index", "_index") else stem

    @property
    def is_folder(self) -> bool:
        """Whether the document is the index of a folder with its files."""
        return self.path.stem.partition(".")[0] == "index"

    def record_moved(self, old_urls: Sequence[str], new_url: str) -> None:
        """Record the old URLs and the new URL of the page, and its path, which the shortcode `ref` names."""
        super().record_moved(old_urls, new_url)
        self.session.new_urls.setdefault(normalize_content_path(str(self.content_path)), new_url)

    def read_all_tags(self) -> list[str]:
        """Return the tags and the categories, each once."""
        tags = [*self.read_texts("tags"), *self.read_texts("categories")]
        return [*dict.fromkeys(filter(None, tags))]

    def read_post_date(self) -> str:
        """Return the date in the front matter, else at the start of the name."""
        date = normalize_date(node_to_text(self.node.mapping.get("date")))
        match = re.match(r"\d{4}-\d\d-\d\d", self.name)
        return date or (normalize_date(match[0]) if match else "")

    def read_links(self) -> dict[str, str]:
        """Return the links by BibTeX field or label; broken links are reported as skipped."""
        links: dict[str, str] = {}
        self.ignore_keys("url", "aliases", "permalink", "slug")
        link_keys = [
            key
            for key in ("links", "url_custom", "media")
            if any(item.mapping for item in self.node.mapping.get(key, self.node).items)
        ]
        link_readers = [link for key in link_keys for link in self.read_mappings(key)]
        url_keys = [key for key in self.node.mapping if key.startswith("url_") or key in EXTERNAL_URL_KEYS]
        for key in url_keys:
            label = LINK_LABELS.get(key, key.removeprefix("url_").capitalize())
            self._add_link(links, label, self.read_text(key), self.location)
        for link in link_readers:
            link_type, name = link.read_text("type"), link.read_text("name", "label", "title")
            url = link.read_text("url", "link", "href")
            if link.read_text("provider") == "arxiv" and not url:
                url = f"https://arxiv.org/abs/{link.read_text('id')}"
            link.report_unread_keys("icon", "icon_pack", "id", "provider")
            known_labels = (LINK_LABELS.get(text.casefold(), "") for text in (link_type, name))
            label = next(filter(None, known_labels), name)
            self._add_link(links, label or label_profile_link(url, link_type), url, link.location)
        self._add_published_link(links)
        for label, other_url in self.read_other_links().items():
            is_main_url = label.casefold() in ("external", "externalurl", "site")
            links.setdefault("url" if is_main_url else label, str(other_url))
        return links

    def _add_published_link(self, links: dict[str, str]) -> None:
        """Add the link that PaperMod shows beside the title; by default, its target is the file in the repository."""
        link = self.read_mapping("editPost")
        url = link.read_text("URL", "url")
        if url and not link.read_flag("appendFilePath"):
            self._add_link(links, "doi" if find_doi(url) else "url", url, self.location)

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

    def find_featured_image(self) -> EntryData:
        """Copy the featured image, named in the front matter or found in the folder; its new path and its alt text."""
        node = self.read_node(*IMAGE_KEYS) or EMPTY_NODE
        names = (node_to_text(node.mapping.get(key)) for key in ("filename", "src", "image"))
        image_name = node.text or next(filter(None, names), "")
        texts = (node_to_text(node.mapping.get(key)) for key in ("alt", "alt_text"))
        alt_text = self.converter.to_plain_text(next(filter(None, texts), ""), self.location)
        if image_name and "://" not in image_name:
            copied_file = self.converter.import_file(image_name)
            if not copied_file:
                self.record_skipped(f"an image that is not in the source: {image_name[:90]}")
        else:
            paths = self.session.find_siblings(self.path, *IMAGE_SUFFIXES) if self.is_folder else []
            paths = [path for path in paths if "featured" in path.stem]
            copied_file = self.session.copy_file(self.session.relative_path(paths[0])) if paths else ""
        return filled({"image": copied_file, "image_alt": alt_text if copied_file else ""})

    def report_unread_keys(self, *ignored_keys: str) -> None:
        """Report every value that was not read, except those of `ignored_keys` and the switches of the theme."""
        switches = [
            key
            for key, node in self.unread_nodes().items()
            if THEME_SWITCH.fullmatch(key) and node.text.casefold() in ("true", "false")
        ]
        super().report_unread_keys(*ignored_keys, *switches)

    def list_old_urls(self, config: HugoConfig) -> list[str]:
        """Return the old URL of the page, and its aliases."""
        front = self.node.mapping
        explicit_url = node_to_text(front.get("url"))
        page_slug = node_to_text(front["slug"]) if "slug" in front else self.name
        folders = self.content_path.parent.parts
        is_index = self.path.stem.partition(".")[0] in ("index", "_index")
        default_pattern = "/".join(("", *(folders[:-1] if is_index else folders), ":slug", ""))
        pattern = config.permalinks.get(self.section, default_pattern)
        pattern_url = re.sub(r":(?:slug|filename|slugorfilename|contentbasename|title)", page_slug, pattern)
        for name, part in zip(("year", "month", "day"), self.read_post_date().split("-"), strict=False):
            pattern_url = pattern_url.replace(f":{name}", part)
        page_url = f"/{explicit_url.lstrip('/')}" if re.match(r"/|[\w-]", explicit_url) else pattern_url
        aliases = [node_to_text(node) for node in front["aliases"].items] if "aliases" in front else []
        page_urls = [re.sub(r"\s+", "-", page_url).casefold()] if ":" not in page_url else []
        return page_urls + [alias for alias in aliases if alias.startswith("/")]


def normalize_content_path(path: str) -> str:
    """The path of a document in content/ as the shortcode `ref` names it: without `index`, language and suffix."""
    return normalize_old_url(re.sub(r"(?:(?:^|/)_?index)?(?:(?:\.\w\w)?\.md)?(?=#|$)", "", path)).casefold()


def iterate_bundles(
    converter: HugoTextConverter,
    config: HugoConfig,
    sections: Sequence[str],
    *,
    has_nested_lists: bool = False,
) -> Iterator[PageBundle]:
    """
    Yield the documents of some sections, or the documents themselves; samples are reported as skipped, pages generated by Hugo are ignored.

    With `has_nested_lists`, the text of a list within a section is a document, too. Other files in the folder of a page are its resources.
    """
    session = converter.session
    for section in sections:
        folder = f"{config.content_folder}/{section}"
        suffixes = (".md", ".markdown", ".rmd", ".rmarkdown", ".org", ".html")
        paths = session.find_files(folder, *suffixes)
        page_folders = {path.parent for path in paths if path.stem.partition(".")[0] == "index"}
        page_folders.discard(session.root / folder)
        for path in paths:
            is_index = path.stem.partition(".")[0] == "index"
            if page_folders.isdisjoint(path.parents[1:] if is_index else path.parents):
                file = _read_bundle_file(converter, config, path)
                if file is not None and _is_page(converter, file, path, folder, has_nested_lists):
                    name = PurePosixPath(session.relative_path(path))
                    content_path = name.relative_to(config.content_folder)
                    yield PageBundle(section.strip("/"), content_path, path, file, converter)


def _read_bundle_file(converter: HugoTextConverter, config: HugoConfig, path: Path) -> MarkdownFile | None:
    session, suffix = converter.session, path.suffix.casefold()
    name = session.relative_path(path)
    if not config.has_text(path):
        return None
    if suffix == ".org":
        session.skip_file(path, "an Org file, which is not read")
        return None
    output_paths = (path.with_suffix(other) for other in (".md", ".markdown", ".html"))
    if suffix in (".rmd", ".rmarkdown") and any(output.is_file() for output in output_paths):
        session.read_files.add(name)
        return None
    file = session.read_document(path)
    if file is not None and suffix == ".html" and not file.front_matter.mapping:
        session.read_files.discard(name)  # a file that Hugo copies
        return None
    return file


def _is_page(
    converter: HugoTextConverter, file: MarkdownFile, path: Path, folder: str, has_nested_lists: bool
) -> bool:
    """Whether a file is the author's page: no sample, and no list without a text; samples and texts of lists are reported."""
    session, front = converter.session, file.front_matter.mapping
    name = session.relative_path(path)
    if path.stem.partition(".")[0] == "_index":
        is_section_root = session.relative_path(path.parent) == folder
        has_text = bool(file.body.strip()) and not is_sample_text(file.body) and not is_section_root
        if has_text and not has_nested_lists:
            text = " ".join(file.body.split())
            session.record_skipped(name, f"the introduction of a list: {text[:90]}")
        return has_text and has_nested_lists
    title, front_text = node_to_text(front.get("title")), " ".join(map(node_to_text, front.values()))
    is_sample = (
        is_sample_title(title)
        or re.search(r"Wowchemy Conference|Lorem ipsum", front_text) is not None
        or (is_sample_text(front_text) and is_sample_text(file.body))
    )
    if is_sample:
        session.record_sample(name, title)
    return not is_sample
