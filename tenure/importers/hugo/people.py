"""Imports the people of a Hugo site (four generations): the owner to profile and CV, others to co-authors."""

import re
from collections.abc import Mapping
from pathlib import Path

from tenure.counts import format_count
from tenure.importers.cv_entries import import_entry, parse_web_url
from tenure.importers.documents import to_single_paragraph
from tenure.importers.hugo.config import HugoConfig
from tenure.importers.hugo.markdown import HugoTextConverter
from tenure.importers.profile_links import add_profile_link
from tenure.importers.resume.markdown_cv import bullets_to_details, parse_bullet_list
from tenure.importers.samples import is_sample_person, is_sample_text
from tenure.importers.session import EntryData, ImportSession, MappingReader, node_to_text
from tenure.record import Record
from tenure.sources.files import MarkdownFile
from tenure.sources.node import Node

ICON_LABELS: Mapping[str, str] = {
    "google-scholar": "Google Scholar", "graduation-cap": "Google Scholar", "semantic-scholar": "Semantic Scholar",
    "researchgate": "ResearchGate", "arxiv": "arXiv", "orcid": "ORCID", "dblp": "DBLP", "cv": "CV", "globe": "Website",
    "link": "Website", "house": "Website", "home": "Website", "rss": "RSS", "key": "Key",
}  # fmt: skip
"""Link label for each icon, if the URL does not give one."""

IGNORED_PERSON_KEYS = (
    "superuser", "is_owner", "schema", "slug", "authors", "user_groups", "highlight_name", "weight", "avatar_filename",
    "status", "icon", "first_name", "last_name", "graduation_year", "aliases", "layout", "type", "draft", "lastmod",
    "show_related", "status_icon", "date", "slug",
)  # fmt: skip


class HugoPerson(Record):
    """A person with a file: user name and name, as used in author lists, and the file's document."""

    user_name: str
    name: str
    path: Path
    document: MarkdownFile
    is_owner: bool


def read_person_files(session: ImportSession, config: HugoConfig) -> list[HugoPerson]:
    """Return everyone with a file except samples. The owner is first: the one marked as owner, else admin or me."""
    people: list[HugoPerson] = []
    for folder in (
        f"{config.content_folder}/authors",
        f"{config.content_folder}/author",
        "data/authors",
        "content/authors",
        "content/author",
    ):
        for path in session.find_files(folder, ".md", ".yaml", ".yml", ".toml", ".json"):
            person = _read_person(session, path)
            if person is not None and person.user_name not in {candidate.user_name for candidate in people}:
                people.append(person)
    superusers = [candidate for candidate in people if candidate.is_owner] or [
        candidate for candidate in people if candidate.user_name in ("me", "admin")
    ]
    owner = next(
        (candidate for candidate in superusers if candidate.user_name in ("me", "admin")),
        superusers[0] if superusers else None,
    )
    return [*([owner] if owner else []), *(candidate for candidate in people if candidate is not owner)]


def _read_person(session: ImportSession, path: Path) -> HugoPerson | None:
    user_name = (
        path.parent.name if path.stem in ("_index", "index") else re.sub(r"[.-][a-z]{2}$", "", path.stem)
    )
    if user_name in ("authors", "author"):
        return None
    if path.suffix == ".md":
        document = session.read_document(path)
    else:
        node = session.read_data_file(path)
        document = MarkdownFile(node, "", 1) if node is not None else None
    if document is None:
        return None
    front = document.front_matter.mapping
    name = _read_person_name(document.front_matter)
    if is_sample_person(name):
        session.record_skipped(session.relative_path(path), f"sample content of the template: {name}")
        return None
    is_owner = any(
        node_to_text(front[key]).casefold() == "true" for key in ("superuser", "is_owner") if key in front
    )
    return HugoPerson(user_name.casefold(), name or user_name, path, document, is_owner)


def _read_person_name(node: Node) -> str:
    front = node.mapping
    name_node = front.get("name")
    if name_node is not None and name_node.mapping:
        name_parts = (
            node_to_text(name_node.mapping[key])
            for key in ("given", "middle", "family")
            if key in name_node.mapping
        )
        return (
            node_to_text(name_node.mapping["display"])
            if "display" in name_node.mapping
            else " ".join(name_parts)
        )
    two_part_name = " ".join(
        node_to_text(front[key]) for key in ("first_name", "last_name") if key in front
    ).strip()
    return next(
        (text for key in ("title", "name") if key in front and (text := node_to_text(front[key]))),
        two_part_name,
    )


def import_owner(converter: HugoTextConverter, person: HugoPerson) -> None:
    """Import the owner's file to the profile, the introduction and the CV collections."""
    session, profile = converter.session, converter.session.profile
    reader = MappingReader(person.document.front_matter, session)
    reader.ignore_keys("title", "name", *IGNORED_PERSON_KEYS)
    profile["name"] = person.name
    name_node = person.document.front_matter.mapping.get("name")
    if name_node is not None and "alternate" in name_node.mapping:
        profile["aliases"] = [node_to_text(name_node.mapping["alternate"])]
    role = converter.convert_line(reader.read_text("role"), reader.location)
    profile["role"] = "" if "@" in role else role
    affiliations = reader.read_items("organizations", "affiliations", "organization")
    profile["affiliation"] = [
        affiliation for node in affiliations if (affiliation := _read_affiliation(node))
    ]
    email = reader.read_text("email")
    if "@" in email:
        profile["email"] = email
    profile["pronouns"] = reader.read_text("pronouns", "name_pronunciation")
    profile["interests"] = [
        converter.to_plain_text(node_to_text(node)) for node in reader.read_items("interests")
    ]
    _import_profile_links(converter, reader)
    _import_photo(converter, person)
    _import_introduction(converter, person, reader.read_text("bio"))
    session.record_imported(session.relative_path(person.path), "profile")
    import_cv_lists(converter, reader)
    reader.report_unread_keys()


def _read_affiliation(node: Node) -> EntryData | str:
    if not node.mapping:
        return node_to_text(node)
    url = parse_web_url(node_to_text(node.mapping["url"])) if "url" in node.mapping else ""
    name = node_to_text(node.mapping["name"]) if "name" in node.mapping else ""
    return {"name": name, "url": url} if url else name


def _import_profile_links(converter: HugoTextConverter, reader: MappingReader) -> None:
    session = converter.session
    for node in (*reader.read_items("social"), *reader.read_items("profiles"), *reader.read_items("links")):
        link_reader = MappingReader(node, session)
        icon = link_reader.read_text("icon").rpartition("/")[2]
        url = link_reader.read_text("link", "url")
        label = link_reader.read_text("label", "name") or ICON_LABELS.get(icon, icon)
        link_reader.ignore_keys("icon_pack", "display", "weight", "params")
        link_reader.report_unread_keys()
        if re.match(r"/?#|\./#|/[\w-]*/?#", url) or not url:
            continue
        if re.search(r"\.pdf$", url.partition("#")[0], re.IGNORECASE) and "://" not in url:
            copied_file = converter.import_file(url)
            if copied_file and (
                icon in ("cv", "document", "file-pdf") or re.search(r"cv|resume|vita", url, re.IGNORECASE)
            ):
                session.profile["cv"] = copied_file
            elif copied_file:
                session.profile_links[label or "PDF"] = copied_file
            else:
                session.record_skipped(link_reader.location, f"{label or icon}: {url} is not in the source")
            continue
        add_profile_link(session, url, label, link_reader.location)


def _import_photo(converter: HugoTextConverter, person: HugoPerson) -> None:
    session = converter.session
    folder_files = (
        session.find_files(session.relative_path(person.path.parent)) if person.path.suffix == ".md" else []
    )
    media_files = [
        path
        for path in session.find_files("assets/media/authors")
        if path.stem.casefold() == person.user_name
    ]
    candidates = [
        path
        for path in (*folder_files, *media_files)
        if re.match(r"avatar|featured|profile", path.stem) or path in media_files
    ]
    photo_path = next(
        (path for path in candidates if path.suffix.casefold() in (".jpg", ".jpeg", ".png", ".webp", ".gif")),
        None,
    )
    photo = session.copy_file(session.relative_path(photo_path)) if photo_path is not None else ""
    if photo:
        session.profile["photo"] = photo


def _import_introduction(converter: HugoTextConverter, person: HugoPerson, bio: str) -> None:
    """Import the owner's text as introduction; `bio` becomes the site's description, or the introduction without a text."""
    session = converter.session
    location = f"{session.relative_path(person.path)}:{person.document.body_line}"
    body = (
        "" if is_sample_text(person.document.body) else converter.convert_body(person.document.body, location)
    )
    if person.document.body.strip() and is_sample_text(person.document.body):
        session.record_skipped(location, "sample content of the template: the biography")
    text = "" if is_sample_text(bio) else converter.convert_line(bio, location)
    if body or text:
        session.files["content/about.md"] = f"{body or text}\n"
        session.record_imported(location, "introduction")
    if body and text:
        session.settings.setdefault("description", text)
        session.record_converted(location, "bio became the description of the site")


def import_cv_lists(converter: HugoTextConverter, reader: MappingReader) -> None:
    """Import education, experience, awards, skills and languages of a file."""
    session = converter.session
    education = reader.read_node("education")
    courses = education.mapping.get("courses", education) if education is not None else None
    for collection, nodes in (
        ("education", courses.items if courses is not None else ()),
        ("experience", tuple(reader.read_items("work", "experience"))),
        ("awards", tuple(reader.read_items("awards"))),
    ):
        for node in nodes:
            import_cv_entry(converter, collection, node)
    for collection, title in (("skills", "Skills"), ("languages", "Languages")):
        for node in reader.read_items(collection):
            import_skills(session, collection, title, node)


def import_cv_entry(converter: HugoTextConverter, collection: str, node: Node) -> None:
    """Import a CV entry; the template's samples are reported as skipped."""
    session = converter.session
    if is_sample_text(node_to_text(node)):
        session.record_skipped(
            f"{node.place.file}:{node.place.line}",
            f"sample content of the template: an entry of {collection}",
        )
        return
    reader = MappingReader(node, session)
    reader.ignore_keys("icon", "icon_pack", "company_logo", "logo", "date_format", "color")
    button = reader.read_node("button")
    extra_fields = split_summary_and_details(
        converter, reader.read_text("description", "summary"), reader.location
    )
    import_entry(session, collection, reader, converter.convert_inner_text, extra_fields=extra_fields)
    url = node_to_text(button.mapping["url"]) if button is not None and "url" in button.mapping else ""
    if url and not re.match(r"#?$|https://(?:www\.)?example", url):
        session.record_skipped(reader.location, f"a button that links to {url}")


def split_summary_and_details(converter: HugoTextConverter, text: str, location: str) -> EntryData:
    """Convert a text to a `summary`, and its list to `details`."""
    markdown = converter.convert_inner_text(text, location) if text else ""
    lead_markdown = re.split(r"(?m)^(?=[ \t]*[-*+][ \t])", markdown, maxsplit=1)[0]
    list_markdown = markdown[len(lead_markdown) :]
    bullets = parse_bullet_list(list_markdown) if list_markdown else None
    if bullets is None:
        return {"summary": to_single_paragraph(markdown)} if markdown else {}
    entry: EntryData = {"details": bullets_to_details(bullets)}
    return {"summary": to_single_paragraph(lead_markdown), **entry} if lead_markdown.strip() else entry


def import_skills(session: ImportSession, collection: str, title: str, node: Node) -> None:
    """Import a skill or a group of skills; a level becomes a number in the text."""
    location = f"{node.place.file}:{node.place.line}"
    if node.text:
        session.add_entry(collection, {"text": node.text}, location, title)
        return
    reader = MappingReader(node, session)
    items = reader.read_items("items")
    reader.ignore_keys("color", "color_border", "icon", "icon_pack")
    name = reader.read_text("name", "label", "title", "language")
    skills = [_format_skill(MappingReader(item, session)) for item in items]
    text = ", ".join(skill for skill in skills if skill) or reader.read_text(
        "description", "label", "level", "percent"
    )
    reader.report_unread_keys()
    if name or text:
        session.add_entry(
            collection,
            {key: value for key, value in {"title": name, "text": text}.items() if value},
            location,
            title,
        )


def _format_skill(reader: MappingReader) -> str:
    reader.ignore_keys("icon", "icon_pack", "color")
    name, description = reader.read_text("name", "label"), reader.read_text("description")
    level = reader.read_text("percent", "level")
    reader.report_unread_keys()
    level_text = f"{level} %" if level.isdecimal() and int(level) > 5 else f"{level}/5" if level else ""
    details = ", ".join(detail for detail in (description, level_text) if detail)
    return f"{name} ({details})" if details else name


def import_other_people(converter: HugoTextConverter, people: list[HugoPerson]) -> None:
    """Import the other people's links to coauthors.yaml; the rest of their files is reported as skipped."""
    session = converter.session
    coauthors: list[EntryData] = []
    for person in people:
        reader = MappingReader(person.document.front_matter, session)
        links = [
            node_to_text(node.mapping.get("link") or node.mapping.get("url") or node)
            for key in ("social", "profiles", "links")
            for node in reader.read_items(key)
        ]
        url = next(
            (link_url for link in links if (link_url := parse_web_url(link)) and link_url.startswith("http")),
            "",
        )
        if url:
            coauthors.append({"name": person.name, "url": url})
        reader.ignore_keys("title", "name", "email", *IGNORED_PERSON_KEYS)
        unread_texts = [node_to_text(node) for node in reader.unread_nodes().values() if node_to_text(node)]
        if unread_texts or person.document.body.strip():
            session.record_skipped(
                session.relative_path(person.path),
                f"{person.name}: role, biography and picture of somebody else",
            )
    if coauthors:
        unique_coauthors = [*{str(entry["name"]): entry for entry in coauthors}.values()]
        session.add_list_file("coauthors", unique_coauthors)
        session.record_imported(
            "authors", f"{format_count(len(unique_coauthors), 'co-author')} with an address"
        )
