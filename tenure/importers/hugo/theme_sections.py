"""Imports the sections of the home page that a Hugo theme reads from data files (Toha) or from its settings (Hugo-Profile)."""

from collections.abc import Iterator, Mapping

from tenure.importers.bibliography.bibtex_writer import join_author_names
from tenure.importers.bibliography.prose_references import find_doi
from tenure.importers.cv_entries import collection_for_heading, normalize_date, parse_web_url
from tenure.importers.hugo.config import HugoConfig, parse_weight
from tenure.importers.hugo.home import build_section_config, section_name
from tenure.importers.hugo.markdown import HugoTextConverter
from tenure.importers.hugo.people import import_cv_entry, import_profile_link
from tenure.importers.profile import label_profile_link
from tenure.importers.publications import (
    VENUE_FIELDS,
    PublicationWriter,
    guess_entry_type,
    is_known_publication,
    read_author_names,
)
from tenure.importers.samples import is_sample_text
from tenure.importers.session import MappingReader, join_filled, node_to_text
from tenure.importers.yaml_writer import YamlData
from tenure.markdown.html import make_slug
from tenure.problems import Place
from tenure.record import Record, replace
from tenure.sources.node import Node

_COLLECTIONS: Mapping[str, str] = {
    "experiences": "experience", "experience": "experience", "degrees": "education", "education": "education", "projects": "projects",
    "accomplishments": "awards", "achievements": "awards", "publications": "publications", "skills": "skills",
}  # fmt: skip
"""The collection of each list."""

_CV_KEYS: Mapping[str, str] = {
    "designation": "position", "job": "position", "responsibilities": "highlights", "extracurricularActivities": "highlights",
    "timeframe": "period", "timeline": "date", "GPA": "grade", "content": "summary", "courseOverview": "summary", "overview": "summary",
    "companyUrl": "url", "certificateURL": "url", "repo": "url", "badges": "keywords", "publications": "links", "featured": "links",
    "featuredLink": "links",
}  # fmt: skip
"""The keys of these themes, with those of CV entries."""

_NAMED_KEYS = ("company", "institution", "school", "organization")
_SETTING_SECTIONS = ("about.skills", "experience", "education", "projects", "achievements")


class _ThemeSection(Record):
    """A section with entries: the name of its list, its title, its entries, and whether the site shows it."""

    name: str
    title: str
    entries: tuple[Node, ...]
    place: Node
    is_shown: bool


def import_theme_sections(converter: HugoTextConverter, config: HugoConfig) -> list[YamlData]:
    """Import the sections that Toha and Hugo-Profile show on the home page. Returns them in order."""
    session = converter.session
    sections: list[YamlData] = []
    for section in (*_read_data_sections(converter, config), *_read_setting_sections(config)):
        if not section.is_shown:
            session.record_skipped(section.place, f"a section that is switched off: {section.title}")
            continue
        collection = _COLLECTIONS.get(section.name) or collection_for_heading(section.title)
        collection = collection or make_slug(section.title) or "more"
        if collection == "publications":
            _import_publications(converter, section)
        for entry in section.entries if collection != "publications" else ():
            for cv_entry in _iterate_cv_entries(entry):
                import_cv_entry(converter, collection, cv_entry, title=section.title)
        if collection not in map(section_name, sections):
            sections.append(build_section_config(collection, section.title))
    return ["about", *sections] if sections and "content/about.md" in session.files else sections


def _read_data_sections(converter: HugoTextConverter, config: HugoConfig) -> Iterator[_ThemeSection]:
    """Yield the sections of Toha by weight: one file each; the section about the owner is imported."""
    session = converter.session
    folder = f"data/{config.language or 'en'}/sections"
    paths = session.find_files(folder, ".yaml", ".yml")
    nodes = [node for path in paths if (node := session.read_data_file(path)) is not None]
    ranked = [(parse_weight(node_to_text(node.child("section", "weight"))), node) for node in nodes]
    for _, node in sorted(ranked, key=lambda pair: pair[0]):
        title = node_to_text(node.child("section", "name"))
        is_shown = node_to_text(node.child("section", "enable")) != "false"
        lists = {
            key: value
            for key, value in node.mapping.items()
            if key != "buttons" and value.items and all(item.mapping for item in value.items)
        }
        if "designation" in node.mapping or "socialLinks" in node.mapping:
            _import_about_section(converter, node)
        elif lists:
            name, entries = next(iter(lists.items()))
            yield _ThemeSection(name, title or name, entries.items, node, is_shown)


def _read_setting_sections(config: HugoConfig) -> Iterator[_ThemeSection]:
    """Yield the sections of Hugo-Profile, which are settings with `items`."""
    for name in _SETTING_SECTIONS:
        setting = f"params.{name}"
        node = config.find_value(f"languages.{config.language}.{setting}", setting)
        items = node.child("items").items
        if items:
            key = name.rpartition(".")[2]
            title = node_to_text(node.mapping.get("title")) if key != "skills" else ""
            is_shown = node_to_text(node.mapping.get("enable")) != "false"
            yield _ThemeSection(key, title or key.capitalize(), items, node, is_shown)


def _import_about_section(converter: HugoTextConverter, node: Node) -> None:
    """Import role, affiliation, introduction, links and certificates of the owner; other badges are reported."""
    session, profile = converter.session, converter.session.profile
    reader = MappingReader(node, session)
    reader.ignore_keys("section")
    role = converter.convert_line(reader.read_text("designation"), reader.location)
    company = reader.read_mapping("company")
    name, url = company.read_text("name"), parse_web_url(company.read_text("url"))
    if role and not is_sample_text(role):
        profile["role"] = role
    if name:
        profile["affiliation"] = [{"name": name, "url": url} if url else name]
    company.report_unread_keys()
    resume = reader.read_node("resume")
    links = [Node({"name": Node("CV", resume.place), "url": resume}, resume.place)] if resume else []
    for link in (*links, *reader.read_items("socialLinks"), *reader.read_items("resourceLinks")):
        import_profile_link(converter, MappingReader(link, session))
    text = reader.read_text("summary")
    if text and not is_sample_text(text) and "content/about.md" not in session.files:
        session.add_introduction(converter.convert_body(text, reader.location), reader.location)
    for badge in reader.read_mappings("badges"):
        kind = badge.read_text("type")
        if kind == "certification":
            shown = {key: child for key, child in badge.node.mapping.items() if key in ("name", "url")}
            import_cv_entry(converter, "awards", replace(badge.node, value=shown))
        else:
            badge.skip_all(f"a {kind or 'badge'}")
    reader.report_unread_keys()


def _iterate_cv_entries(entry: Node) -> Iterator[Node]:
    """Yield an entry with the keys of a CV, for an employer one for each position."""
    if entry.text:
        yield Node({"title": entry}, entry.place)
        return
    positions = next((entry.mapping[key] for key in ("positions", "jobs") if key in entry.mapping), None)
    shared = {key: child for key, child in entry.mapping.items() if key not in ("positions", "jobs")}
    if "institution" in shared and "degree" not in shared and "name" in shared:
        shared["degree"] = shared.pop("name")
    for key in filter(shared.keys().__contains__, _NAMED_KEYS):
        shared |= _spread_name(key, shared[key])
    if positions is None or not positions.items:
        yield _to_cv_entry(shared, entry.place)
    for i, position in enumerate(positions.items if positions is not None else ()):
        own = {"position" if key == "name" else key: child for key, child in position.mapping.items()}
        kept = {key: child for key, child in shared.items() if not (i and key == "overview")}
        yield _to_cv_entry({**own, **kept}, position.place)


def _spread_name(key: str, node: Node) -> dict[str, Node]:
    """The values of an organization with a URL, a place and a text, on the level of the entry."""
    names = {"name": key, "url": "companyUrl"}
    return {names.get(name, name): child for name, child in node.mapping.items()} or {key: node}


def _to_cv_entry(values: Mapping[str, Node], place: Place) -> Node:
    """The entry with the keys of a CV; grades and courses become texts, further URLs become links."""
    entry: dict[str, Node] = {}
    links: list[Node] = []
    for key, value in values.items():
        new_key = _CV_KEYS.get(key, key)
        if new_key == "links" or (new_key == "url" and new_key in entry):
            links += [_make_link(link) for link in value.items or (value,)]
        elif key == "takenCourses":
            courses = value.mapping.get("courses", value).items
            entry["courses"] = replace(value, value=tuple(map(_add_grade, courses)))
        elif new_key == "grade":
            entry[new_key] = replace(value, value=_format_grade(value) or node_to_text(value))
        else:
            entry[key if new_key in entry else new_key] = value
    used_links = tuple(link for link in links if link.mapping)
    return Node({**entry, "links": Node(used_links, place)} if used_links else entry, place)


def _make_link(node: Node) -> Node:
    """A link with a label; an empty value without a URL, or if it is switched off."""
    url = next((node.mapping[key] for key in ("url", "link") if key in node.mapping), node)
    if not parse_web_url(url.text) or node_to_text(node.mapping.get("enable")) == "false":
        return Node(None, node.place)
    label = next((node.mapping[key].text for key in ("title", "name") if key in node.mapping), "")
    return Node({"label": Node(label or label_profile_link(url.text), node.place), "url": url}, node.place)


def _format_grade(node: Node) -> str:
    """A grade such as "3.6 of 4 (CGPA)"; "" if it is not written in parts."""
    achieved, total, scale = (node_to_text(node.mapping.get(key)) for key in ("achieved", "outOf", "scale"))
    text = join_filled(achieved, total, separator=" of ")
    return f"{text} ({scale})" if text and scale else text


def _add_grade(course: Node) -> Node:
    grade, name = _format_grade(course), node_to_text(course.mapping.get("name") or course)
    return Node(f"{name} ({grade})" if grade else name, course.place)


def _import_publications(converter: HugoTextConverter, section: _ThemeSection) -> None:
    """Import the publications of Toha to a .bib file."""
    session, writer = converter.session, PublicationWriter(converter.session)
    for entry in section.entries:
        reader = MappingReader(entry, session)
        title = converter.convert_line(reader.read_text("title"), reader.location)
        venue, paper = reader.read_mapping("publishedIn"), reader.read_mapping("paper")
        if not title or is_known_publication(reader, title):
            continue
        name = venue.read_text("name")
        entry_type = guess_entry_type(name, title)
        url = paper.read_text("url")
        fields = {
            "author": join_author_names(read_author_names(reader, "authors")),
            "title": title,
            VENUE_FIELDS.get(entry_type, "howpublished"): name,
            "date": normalize_date(venue.read_text("date")),
            "doi": find_doi(url),
            "url": parse_web_url(url) or parse_web_url(venue.read_text("url")),
            "abstract": converter.convert_line(paper.read_text("summary"), reader.location),
            "keywords": ", ".join(reader.read_texts("tags")),
        }
        writer.add_publication(entry_type, fields, {}, reader.location)
        for part in (reader, venue, paper):
            part.report_unread_keys("categories")
    writer.write_files()
