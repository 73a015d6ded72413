"""Imports the home page of a Hugo site, widget files or blocks in _index.md, to sections in the same order."""

import re
from collections.abc import Mapping

from tenure.importers.cv_entries import collection_for_heading
from tenure.importers.documents import to_single_paragraph
from tenure.importers.hugo.config import HugoConfig
from tenure.importers.hugo.markdown import HugoTextConverter
from tenure.importers.hugo.people import HugoPerson, import_cv_entry, import_skills
from tenure.importers.samples import is_sample_text
from tenure.importers.session import ImportSession, node_to_text
from tenure.importers.yaml_writer import YamlData, format_scalar
from tenure.markdown.html import make_slug
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
    {
        "about",
        "about.biography",
        "about.avatar",
        "resume-biography",
        "resume-biography-3",
        "biography",
        "v1/about",
        "about-avatar",
    }
)
SKIPPED_WIDGETS = frozenset(
    {"tag_cloud", "contact", "contact-info", "search", "cat_tag_cloud", "slider", "people", "dev-ia"}
)


class HomeWidget(Record):
    """A widget or block of the home page: kind, name, front matter, text, and location in the source."""

    kind: str
    name: str
    front: Node
    text: str
    location: str

    def read_text(self, *keys: str) -> str:
        """Return the first non-empty text of these keys, at the top level or within `content`, or ""."""
        for node in (self.front, self.front.mapping.get("content")):
            for key in keys:
                if node is not None and key in node.mapping and node_to_text(node.mapping[key]):
                    return node_to_text(node.mapping[key])
        return ""

    def find_node(self, key: str) -> Node | None:
        """Return the value of a key, at the top level or within `content`, or None."""
        content = self.front.mapping.get("content")
        return self.front.mapping.get(key) or (content.mapping.get(key) if content is not None else None)


def import_home_page(
    converter: HugoTextConverter, config: HugoConfig, owner: HugoPerson | None
) -> list[YamlData]:
    """Import the content of the home page. Returns its sections in order."""
    session = converter.session
    sections: list[YamlData] = []
    for widget in _read_widgets(session, config):
        for section in _import_widget(converter, widget):
            if not any(
                _section_name(section) == _section_name(listed_section) and section == listed_section
                for listed_section in sections
            ):
                sections.append(section)
    if sections and "about" not in sections and owner is not None and "content/about.md" in session.files:
        sections.insert(0, "about")
    return [section for section in sections if _has_content(session, _section_name(section))]


def _section_name(section: YamlData) -> str:
    return (
        section if isinstance(section, str) else next(iter(section)) if isinstance(section, Mapping) else ""
    )


def _has_content(session: ImportSession, name: str) -> bool:
    is_publication_list = name == "publications" and session.has_publications
    return (
        is_publication_list
        or session.has_collection(name)
        or f"content/{name}.md" in session.files
        or session.has_file_with_prefix(f"content/{name}/")
    )


def _read_widgets(session: ImportSession, config: HugoConfig) -> list[HomeWidget]:
    """Return the active widgets by weight, then the blocks; disabled widgets are reported as skipped."""
    ranked_widgets: list[tuple[float, HomeWidget]] = []
    for path in session.find_files(f"{config.content_folder}/home", ".md", ".markdown"):
        document = session.read_document(path)
        name = session.relative_path(path)
        if document is None:
            continue
        front = document.front_matter.mapping
        values = {key: node_to_text(front[key]) for key in ("widget", "active", "weight") if key in front}
        if path.stem == "index" and "widget" not in front:
            continue
        if values.get("active", "true").casefold() == "false":
            session.record_skipped(name, "a disabled part of the home page")
            continue
        weight = values.get("weight", "")
        rank = float(weight) if re.fullmatch(r"-?\d+(?:\.\d+)?", weight) else 1000.0
        ranked_widgets.append(
            (
                rank,
                HomeWidget(
                    values.get("widget", "blank") or "blank",
                    path.stem,
                    document.front_matter,
                    document.body,
                    f"{name}:{document.body_line}",
                ),
            )
        )
    ordered = [widget for _, widget in sorted(ranked_widgets, key=lambda one: one[0])]
    home_path = session.find_first_file(
        f"{config.content_folder}/_index.md", f"{config.content_folder}/home/_index.md", "content/_index.md"
    )
    document = session.read_document(home_path) if home_path is not None else None
    if home_path is None or document is None:
        return ordered
    name = session.relative_path(home_path)
    blocks = document.front_matter.mapping.get("sections")
    for i, node in enumerate(blocks.items if blocks is not None else ()):
        kind = node_to_text(node.mapping["block"]) if "block" in node.mapping else "markdown"
        anchor = node_to_text(node.mapping["id"]) if "id" in node.mapping else f"part-{i + 1}"
        ordered.append(HomeWidget(kind, anchor, node, "", f"{name}:{node.place.line}"))
    if document.body.strip():
        ordered.append(
            HomeWidget(
                "blank", "introduction", document.front_matter, document.body, f"{name}:{document.body_line}"
            )
        )
    return ordered


def _import_widget(converter: HugoTextConverter, widget: HomeWidget) -> list[YamlData]:
    """Import one widget: its entries to collections, its text to a file. Returns its sections."""
    session = converter.session
    title = converter.convert_line(widget.read_text("title"), widget.location).replace("\u00ad", "")
    if widget.kind in ABOUT_WIDGETS:
        return ["about"]
    for key, collection in (("experience", "experience"), ("item", "awards"), ("items", "awards")):
        node = widget.find_node(key)
        if node is not None and widget.kind in ("experience", "accomplishments"):
            for item in node.items:
                import_cv_entry(converter, collection, item)
    if widget.kind in ("featurette", "features", "skills"):
        _import_features(session, widget, title)
    name = _find_listed_collection(widget)
    if name == "experience" and session.has_collection("education"):
        return [_build_section_config("education", ""), _build_section_config("experience", title)]
    if name:
        return [_build_section_config(name, title, *_read_filters(widget))]
    if widget.kind in SKIPPED_WIDGETS:
        text = widget.read_text("text", "subtitle") or widget.text
        if text.strip() and not is_sample_text(text):
            session.record_skipped(
                widget.location,
                f"{widget.kind}: {to_single_paragraph(converter.convert_body(text, widget.location))[:90]}",
            )
        return []
    return _import_text_widget(converter, widget, title)


def _import_features(session: ImportSession, widget: HomeWidget, title: str) -> None:
    node = (
        widget.find_node("feature")
        or widget.find_node("features")
        or widget.find_node("items")
        or widget.find_node("categories")
    )
    for item in node.items if node is not None else ():
        if is_sample_text(node_to_text(item)) or (
            re.search(r"Photography|Statistics", node_to_text(item))
            and re.search(r"\b100 ?%", node_to_text(item))
        ):
            session.record_skipped(
                f"{item.place.file}:{item.place.line}", "sample content of the template: a skill"
            )
        else:
            import_skills(session, "skills", title or "Skills", item)


def _find_listed_collection(widget: HomeWidget) -> str:
    """Return the collection that a widget lists, or ""."""
    if widget.kind in ("pages", "collection", "custom", "carousel", "") or widget.kind in (
        "portfolio",
        "featured",
    ):
        filters = widget.find_node("filters")
        folders = (
            [node_to_text(node) for node in filters.mapping["folders"].items]
            if filters is not None and "folders" in filters.mapping
            else []
        )
        kinds = [
            *folders,
            widget.read_text("page_type"),
            filters.mapping["page_type"].text
            if filters is not None and "page_type" in filters.mapping
            else "",
        ]
        for kind in kinds:
            if kind:
                return FOLDER_COLLECTIONS.get(kind.rpartition("/")[2], "")
    return WIDGET_COLLECTIONS.get(widget.kind, "")


def _read_filters(widget: HomeWidget) -> tuple[str, str]:
    """Return the values of `show` and `limit` for a list, each "" if not set."""
    filters = widget.find_node("filters")
    inner = filters.mapping if filters is not None else {}
    featured = widget.kind in ("featured", "publications_featured") or any(
        key in inner and node_to_text(inner[key]).casefold() == "true" for key in ("featured_only",)
    )
    count = widget.read_text("count")
    return ("selected" if featured else "", count if count.isdecimal() and int(count) else "")


def _build_section_config(name: str, title: str, show: str = "", limit: str = "") -> YamlData:
    section_options = (
        {"title": title}
        if title and collection_for_heading(title) != name and make_slug(title) != name
        else {}
    )
    section_options |= {"show": show} if show and name == "publications" else {}
    section_options |= {"limit": limit} if limit else {}
    return {name: section_options} if section_options else name


def _import_text_widget(converter: HugoTextConverter, widget: HomeWidget, title: str) -> list[YamlData]:
    """Import a widget with free text to a file of content/. Returns its section."""
    session = converter.session
    markdown_source = "\n\n".join(part for part in (widget.read_text("text"), widget.text) if part.strip())
    if not markdown_source.strip() or is_sample_text(markdown_source) or is_sample_text(title):
        if markdown_source.strip() or widget.kind not in ("blank", "markdown"):
            sample = (
                "sample content of the template: "
                if is_sample_text(f"{markdown_source} {title}")
                else "a part of the home page: "
            )
            session.record_skipped(widget.location, f"{sample}{title or widget.kind}")
        return []
    body = converter.convert_body(markdown_source, widget.location)
    if not body:
        return []
    if "content/about.md" not in session.files and not title:
        session.add_text_file("content/about.md", f"{body}\n")
        session.record_imported(widget.location, "introduction")
        return ["about"]
    name = make_slug(title) or make_slug(widget.name) or "more"
    is_reserved = session.has_collection(name) or name in (
        "publications",
        "projects",
        "talks",
        "news",
        "posts",
        "education",
        "experience",
        "awards",
        "teaching",
        "service",
        "pages",
        "profile",
        "coauthors",
        "files",
        "skills",
        "languages",
    )
    name = f"{name}-text" if is_reserved else name
    front_matter = f"---\ntitle: {format_scalar(title)}\n---\n" if title else ""
    file_path = session.add_text_file(f"content/{name}.md", f"{front_matter}{body}\n")
    session.record_imported(widget.location, file_path)
    return [file_path.removeprefix("content/").removesuffix(".md")]
