"""Imports the home page of a Hugo site, widget files or blocks in _index.md, to sections in the same order."""

import re
from collections.abc import Mapping
from pathlib import Path

from tenure.importers.cv_entries import SOURCE_KEYS, collection_for_heading
from tenure.importers.documents import to_single_paragraph
from tenure.importers.hugo.config import CONTACT_ADVICE, CONTACT_KEYS, HugoConfig, parse_weight
from tenure.importers.hugo.markdown import HugoTextConverter
from tenure.importers.hugo.people import (
    DEFAULT_DATE_FORMAT,
    import_cv_entry,
    import_cv_lists,
    import_profile_link,
    import_skills,
)
from tenure.importers.json_data import EMPTY_NODE
from tenure.importers.profile import add_email, choose_owner_name
from tenure.importers.samples import is_sample_text
from tenure.importers.session import ImportSession, MappingReader, join_filled, node_to_text, shorten_text
from tenure.importers.yaml_writer import YamlData, format_scalar
from tenure.markdown.html import make_slug
from tenure.plan.default_pages import COLLECTION_PAGES
from tenure.record import Record
from tenure.sources.node import Node

WIDGET_COLLECTIONS: Mapping[str, str] = {
    "publications": "publications", "publications_featured": "publications", "featured": "publications", "talks": "talks",
    "talks_featured": "talks", "projects": "projects", "portfolio": "projects", "posts": "posts", "experience": "experience",
    "accomplishments": "awards", "resume-experience": "experience", "resume-awards": "awards", "awards": "awards",
    "resume-skills": "skills", "skills": "skills", "resume-languages": "languages", "languages": "languages",
    "featurette": "skills", "features": "skills", "events": "talks",
}  # fmt: skip
FOLDER_COLLECTIONS: Mapping[str, str] = {
    "publication": "publications", "publications": "publications", "project": "projects", "projects": "projects",
    "talk": "talks", "event": "talks", "events": "talks", "post": "posts", "blog": "posts", "news": "posts",
}  # fmt: skip
ABOUT_WIDGETS = frozenset(
    ["about", "about.biography", "about.avatar", "resume-biography", "resume-biography-3", "biography", "v1/about", "about-avatar"]
)  # fmt: skip
ENTRY_WIDGETS: Mapping[str, str] = {
    "experience": "experience", "resume-experience": "experience", "work": "experience", "education": "education",
    "resume-education": "education", "accomplishments": "awards", "awards": "awards", "resume-awards": "awards",
    "certificates": "awards", "teaching": "teaching", "service": "service", "volunteering": "service",
}  # fmt: skip
"""The collection of each kind of widget that has its entries in itself."""

ENTRY_KEYS = ("items", "item", "experience", "education", "awards")
SKIPPED_WIDGETS = frozenset(
    ["tag_cloud", "contact", "contact-info", "search", "cat_tag_cloud", "slider", "people", "dev-ia"]
)  # fmt: skip
RESERVED_SECTION_NAMES = frozenset(
    {*SOURCE_KEYS, *COLLECTION_PAGES, "pages", "profile", "coauthors", "files", "skills", "languages"}
)
"""Names of content/ that already have a meaning."""


class HomeWidget(Record):
    """
    A widget or block of the home page: kind, name, front matter, text, and location in the source.

    `is_page_text` is true for the text of the page itself, whose title is that of the page.
    """

    kind: str
    name: str
    front: Node
    text: str
    location: str
    is_page_text: bool = False

    def read_text(self, *keys: str) -> str:
        """Return the first non-empty text of these keys, at the top level or within `content`, or ""."""
        texts = (node_to_text(mapping.get(key)) for mapping in self._mappings for key in keys)
        return next(filter(None, texts), "")

    def find_value(self, *keys: str) -> Node:
        """Return the first value of these keys, at the top level or within `content`, or an empty node."""
        nodes = (mapping[key] for key in keys for mapping in self._mappings if key in mapping)
        return next(nodes, EMPTY_NODE)

    @property
    def filters(self) -> Mapping[str, Node]:
        """The filters of a list."""
        return self.find_value("filters").mapping

    @property
    def _mappings(self) -> tuple[Mapping[str, Node], ...]:
        return self.front.mapping, self.front.child("content").mapping


def import_home_page(converter: HugoTextConverter, config: HugoConfig) -> list[YamlData]:
    """Import the content of the home page. Returns its sections in order."""
    session = converter.session
    sections: list[YamlData] = []
    for widget in _read_widgets(session, config):
        names = {section_name(section) for section in sections}
        sections += [
            section
            for section in _import_widget(converter, widget)
            if section not in sections and (not isinstance(section, str) or section not in names)
        ]
    if sections and "about" not in sections and "content/about.md" in session.files:
        sections.insert(0, "about")
    return [section for section in sections if _has_content(session, section)]


def section_name(section: YamlData) -> str:
    """The name of a section, also of one with options."""
    return section if isinstance(section, str) else str(next(iter(section)))


def _has_content(session: ImportSession, section: YamlData) -> bool:
    name = section_name(section)
    has_publications = name == "publications" and session.has_publications
    return has_publications or session.has_content(name) or f"content/{name}.md" in session.files


def _read_widgets(session: ImportSession, config: HugoConfig) -> list[HomeWidget]:
    """Return the active widgets by weight, then the blocks; disabled widgets are reported as skipped."""
    ranked_widgets: list[tuple[float, HomeWidget]] = []
    home_files = session.find_files(f"{config.content_folder}/home", ".md", ".markdown")
    for path in filter(config.has_text, home_files):
        document = session.read_document(path)
        name = session.relative_path(path)
        front = document.front_matter.mapping if document is not None else {}
        stem = path.stem.partition(".")[0]
        if document is None or (stem == "index" and "widget" not in front):
            continue
        if node_to_text(front.get("active")).casefold() == "false":
            session.record_skipped(name, "a disabled part of the home page")
            continue
        kind = node_to_text(front.get("widget")) or "blank"
        location = f"{name}:{document.body_line}"
        widget = HomeWidget(kind, stem, document.front_matter, document.body, location)
        ranked_widgets.append((parse_weight(node_to_text(front.get("weight"))), widget))
    widgets = [widget for _, widget in sorted(ranked_widgets, key=lambda ranked_widget: ranked_widget[0])]
    folder = config.content_folder
    suffixes = (f".{config.language}.md", *(() if config.needs_suffix else (".md",)))
    names = [f"{path}_index{suffix}" for suffix in suffixes for path in (f"{folder}/", f"{folder}/home/")]
    home_path = session.find_first_file(*names, *(() if config.is_further else ("content/_index.md",)))
    return widgets + _read_blocks(session, home_path)


def _read_blocks(session: ImportSession, path: Path | None) -> list[HomeWidget]:
    """Return the blocks of the home page, and its text as the last one."""
    document = session.read_document(path)
    if path is None or document is None:
        return []
    front, name = document.front_matter, session.relative_path(path)
    widgets: list[HomeWidget] = []
    for i, node in enumerate(front.child("sections").items):
        kind = node_to_text(node.mapping["block"]) if "block" in node.mapping else "markdown"
        if node_to_text(node.mapping.get("demo")).casefold() == "true":
            session.record_sample(node, f"a block {kind} for the demonstration of the template")
            continue
        anchor = node_to_text(node.mapping["id"]) if "id" in node.mapping else f"part-{i + 1}"
        widgets.append(HomeWidget(kind, anchor, node, "", f"{name}:{node.place.line}"))
    if document.body.strip():
        location = f"{name}:{document.body_line}"
        widgets.append(HomeWidget("blank", "introduction", front, document.body, location, is_page_text=True))
    return widgets


def _import_widget(converter: HugoTextConverter, widget: HomeWidget) -> list[YamlData]:
    """Import one widget: its entries to collections, its text to a file. Returns its sections."""
    session = converter.session
    title = converter.convert_line(widget.read_text("title"), widget.location).replace("\u00ad", "")
    is_first_text = "content/about.md" not in session.files
    names_owner = choose_owner_name([title]) in ("", session.profile.get("name"))
    if widget.is_page_text and (is_first_text or names_owner):
        title = ""
    if widget.kind in ABOUT_WIDGETS:
        _import_about_widget(converter, widget)
        return ["about", "education"] if "education" in widget.front.mapping else ["about"]
    entry_sections = _import_entry_widget(converter, widget, title)
    if entry_sections:
        return entry_sections
    if widget.kind in ("featurette", "features", "skills", "resume-skills"):
        _import_features(session, widget, title)
    name = _find_listed_collection(widget)
    if name:
        return _import_list_widget(converter, widget, name, title)
    if widget.kind in SKIPPED_WIDGETS:
        _report_skipped_widget(converter, widget)
        return []
    return _import_text_widget(converter, widget, title)


def _import_about_widget(converter: HugoTextConverter, widget: HomeWidget) -> None:
    """Import the biography, the interests and the degrees in the widget of the first versions, which have no files of people."""
    session, reader = converter.session, MappingReader(widget.front, converter.session)
    text = widget.text or widget.read_text("text")
    if text.strip() and not is_sample_text(text) and "content/about.md" not in session.files:
        body = converter.convert_body(text, widget.location)
        body = re.sub(r"\A#+[ \t]+(?:Biography|About(?: me)?)[ \t]*\n+", "", body)
        session.add_introduction(body, widget.location)
    texts = reader.read_mapping("interests").read_texts("interests")
    interests = [converter.to_plain_text(interest, widget.location) for interest in texts]
    if interests:
        session.profile.setdefault("interests", interests)
    import_cv_lists(converter, reader)


def _report_skipped_widget(converter: HugoTextConverter, widget: HomeWidget) -> None:
    """Report the text and the items of a widget that has no section; e-mail address and links of a contact are imported."""
    session = converter.session
    text = widget.read_text("text", "subtitle") or widget.text
    if text.strip() and not is_sample_text(text):
        paragraph = to_single_paragraph(converter.convert_body(text, widget.location))
        session.record_skipped(widget.location, f"{widget.kind}: {paragraph[:90]}")
    for item in widget.find_value("item", "items", "slides").items:
        if not is_sample_text(node_to_text(item)):
            session.record_skipped(item, f"an item of {widget.kind}: {shorten_text(node_to_text(item))}")
    if not widget.kind.startswith("contact"):
        return
    add_email(session, widget.read_text("email"))
    for link in widget.find_value("contact_links", "social").items:
        import_profile_link(converter, MappingReader(link, session))
    for key in CONTACT_KEYS:
        text = widget.read_text(key)
        if text and not is_sample_text(text):
            session.record_skipped(widget.location, f"{key}: {shorten_text(text)} ({CONTACT_ADVICE})")


def _import_entry_widget(converter: HugoTextConverter, widget: HomeWidget, title: str) -> list[YamlData]:
    """
    Import the entries of a widget for positions, degrees or awards. Returns its section, or nothing without entries.

    The heading decides, because people also list their degrees in the block for positions; else the kind of the block.
    """
    kind = ENTRY_WIDGETS.get(widget.kind.casefold(), "")
    items = next(filter(None, (widget.find_value(key).items for key in ENTRY_KEYS)), ())
    if not kind or not items:
        return []
    session = converter.session
    named_collection = collection_for_heading(title)
    collection = named_collection if named_collection in SOURCE_KEYS else kind
    if collection != kind:
        description = f"{title} came over as {collection} (was: the block {widget.kind})"
        session.record_reclassified(widget.location, description)
    date_format = widget.read_text("date_format") or DEFAULT_DATE_FORMAT
    for item in items:
        import_cv_entry(converter, collection, item, date_format)
    return _list_cv_sections(session, collection, title)


def _list_cv_sections(session: ImportSession, collection: str, title: str) -> list[YamlData]:
    """The section of a collection; the degrees of the owner's file, which have no widget, are before the positions."""
    has_degrees = collection == "experience" and session.has_collection("education")
    degrees = [build_section_config("education", "")] if has_degrees else []
    return [*degrees, build_section_config(collection, title)]


def _import_list_widget(
    converter: HugoTextConverter, widget: HomeWidget, name: str, title: str
) -> list[YamlData]:
    """Return the sections of a widget that lists a collection; its text replaces a list without entries."""
    session = converter.session
    if widget.text.strip() and not _has_content(session, name):
        return _import_text_widget(converter, widget, title)
    if widget.text.strip() and not is_sample_text(widget.text):
        text = " ".join(widget.text.split())
        session.record_skipped(widget.location, f"the text above a list: {text[:90]}")
    if name == "experience":
        return _list_cv_sections(session, name, title)
    return [build_section_config(name, title, widget)]


def _import_features(session: ImportSession, widget: HomeWidget, title: str) -> None:
    for item in widget.find_value("feature", "features", "items", "categories").items:
        text = node_to_text(item)
        is_sample_skill = re.search(r"Photography|Statistics", text) and re.search(r"\b100 ?%", text)
        if is_sample_skill or is_sample_text(text):
            session.record_sample(item, "a skill")
        else:
            import_skills(session, "skills", title or "Skills", item)


def _find_listed_collection(widget: HomeWidget) -> str:
    if widget.kind in ("pages", "collection", "custom", "carousel", "", "portfolio", "featured"):
        folders = widget.find_value("filters").child("folders").items
        page_types = widget.read_text("page_type"), node_to_text(widget.filters.get("page_type"))
        name = next(filter(None, (*map(node_to_text, folders), *page_types)), "")
        if name:
            return FOLDER_COLLECTIONS.get(name.rpartition("/")[2], "")
    return WIDGET_COLLECTIONS.get(widget.kind, "")


def build_section_config(name: str, title: str, widget: HomeWidget | None = None) -> YamlData:
    """Return a section with its title if that is not the default, and with the filter and the limit of its list."""
    config: dict[str, YamlData] = {}
    if title and collection_for_heading(title) != name and make_slug(title) != name:
        config["title"] = title
    if widget is not None:
        is_featured = node_to_text(widget.filters.get("featured_only")).casefold() == "true"
        is_featured = is_featured or widget.kind in ("featured", "publications_featured")
        if is_featured and name == "publications":
            config["show"] = "selected"
        count = widget.read_text("count")
        if count.isdecimal() and int(count):
            config["limit"] = count
    return {name: config} if config else name


def _import_text_widget(converter: HugoTextConverter, widget: HomeWidget, title: str) -> list[YamlData]:
    """Import a widget with free text to a file of content/. Returns its section."""
    session = converter.session
    text = join_filled(widget.read_text("text"), widget.text.strip() and widget.text, separator="\n\n")
    is_sample = is_sample_text(text) or is_sample_text(title)
    if not text or is_sample:
        label = "sample content of the template" if is_sample else "a part of the home page"
        folders = node_to_text(widget.filters.get("folders")) if not text else ""
        label = f"a list of the pages in {folders}" if folders else label
        if text or widget.kind not in ("blank", "markdown"):
            session.record_skipped(widget.location, f"{label}: {title or widget.kind}")
        return []
    body = converter.convert_body(text, widget.location)
    if not body:
        return []
    if "content/about.md" not in session.files and not title:
        session.add_introduction(body, widget.location)
        return ["about"]
    name = make_slug(title) or make_slug(widget.name) or "more"
    if session.has_collection(name) or name in RESERVED_SECTION_NAMES:
        name = f"{name}-text"
    front_matter = f"---\ntitle: {format_scalar(title)}\n---\n" if title else ""
    file_path = session.add_text_file(f"content/{name}.md", f"{front_matter}{body}\n", widget.location)
    session.record_imported(widget.location, file_path)
    return [file_path.removeprefix("content/").removesuffix(".md")]
