"""Imports the people of a Hugo site (four generations): the owner to profile and CV, members of a lab to content/people/, others to co-authors."""

import re
from collections.abc import Mapping
from pathlib import Path

from tenure.counts import format_count
from tenure.importers.cv_entries import SOURCE_KEYS, import_entry, parse_web_url
from tenure.importers.documents import SourceDocument, import_image, to_single_paragraph
from tenure.importers.hugo.config import HugoConfig
from tenure.importers.hugo.markdown import HugoTextConverter
from tenure.importers.profile import FORMER_GROUP, add_member, add_profile_link, read_member_links
from tenure.importers.resume.markdown_cv import bullets_to_details, parse_bullet_list
from tenure.importers.samples import is_sample_person, is_sample_text
from tenure.importers.session import EntryData, ImportSession, MappingReader, join_filled, node_to_text
from tenure.importers.source_folder import normalize_old_url
from tenure.record import Record, replace
from tenure.sources.files import MarkdownFile
from tenure.sources.node import Node

ICON_LABELS: Mapping[str, str] = {
    "google-scholar": "Google Scholar", "graduation-cap": "Google Scholar", "semantic-scholar": "Semantic Scholar",
    "researchgate": "ResearchGate", "arxiv": "arXiv", "orcid": "ORCID", "dblp": "DBLP", "cv": "CV", "globe": "Website",
    "link": "Website", "house": "Website", "home": "Website", "rss": "RSS", "key": "Key",
}  # fmt: skip
"""Link label for each icon, if the URL does not give one."""

DEFAULT_DATE_FORMAT = "Jan 2006"
"""The format of dates in the CV of all four generations, in the notation of Go."""

DATE_KEYS = frozenset({"date_start", "date_end", "date", "start_date", "end_date", "start", "end"})
OWNER_NAMES = ("me", "admin")
"""User names of the owner."""

AFFILIATION_KEYS = ("organizations", "affiliations", "organization")
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

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups of people that the person is shown in."""
        return tuple(map(node_to_text, self.document.front_matter.child("user_groups").items))


def read_person_files(session: ImportSession, config: HugoConfig) -> list[HugoPerson]:
    """Return everyone with a file except samples. The owner is first: the one marked as owner, else admin or me."""
    people: dict[str, HugoPerson] = {}
    own_folders = (f"{config.content_folder}/authors", f"{config.content_folder}/author")
    shared_folders = () if config.is_further else ("data/authors", "content/authors", "content/author")
    for folder in (*own_folders, *shared_folders):
        for path in session.find_files(folder, ".md", ".yaml", ".yml", ".toml", ".json"):
            person = _read_person(session, path) if config.has_text(path) else None
            if person is not None:
                people.setdefault(person.user_name, person)
    owner = max(
        people.values(),
        key=lambda person: (person.is_owner, person.user_name in OWNER_NAMES),
        default=None,
    )
    return sorted(people.values(), key=lambda person: person is not owner)


def _read_person(session: ImportSession, path: Path) -> HugoPerson | None:
    stem = path.stem.partition(".")[0]
    user_name = path.parent.name if stem in ("_index", "index") else re.sub(r"[.-][a-z]{2}$", "", path.stem)
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
    name = _read_person_name(front)
    if is_sample_person(name):
        session.record_sample(session.relative_path(path), name)
        return None
    is_owner = any(node_to_text(front.get(key)).casefold() == "true" for key in ("superuser", "is_owner"))
    return HugoPerson(user_name.casefold(), name or user_name, path, document, is_owner)


def _read_person_name(front: Mapping[str, Node]) -> str:
    name_node = front.get("name")
    if name_node is not None and name_node.mapping:
        name_parts = {key: node_to_text(node) for key, node in name_node.mapping.items()}
        full_name = " ".join(name_parts[key] for key in ("given", "middle", "family") if key in name_parts)
        return name_parts.get("display", full_name)
    two_part_name = " ".join(node_to_text(front.get(key)) for key in ("first_name", "last_name")).strip()
    return node_to_text(front.get("title")) or node_to_text(name_node) or two_part_name


def import_owner(converter: HugoTextConverter, person: HugoPerson) -> None:
    """Import the owner's file to the profile, the introduction and the CV collections."""
    session, profile = converter.session, converter.session.profile
    document = SourceDocument(person.path, person.document, converter)
    document.ignore_keys("title", "name", *IGNORED_PERSON_KEYS)
    profile["name"] = person.name
    names = document.node.child("name").mapping
    if "alternate" in names:
        profile["aliases"] = [*filter(None, [node_to_text(names["alternate"])])]
    role = document.read_line("role")
    profile["role"] = "" if "@" in role else role
    profile["affiliation"] = [*filter(None, map(_read_affiliation, document.read_items(*AFFILIATION_KEYS)))]
    email = document.read_text("email")
    if "@" in email:
        profile["email"] = email
    profile["pronouns"] = document.read_text("pronouns", "name_pronunciation")
    profile["interests"] = [
        converter.to_plain_text(text, document.location) for text in document.read_texts("interests")
    ]
    for key in ("social", "profiles", "links"):
        for link in document.read_mappings(key):
            import_profile_link(converter, link)
    profile["photo"] = _copy_photo(session, person)
    _import_introduction(document)
    session.record_imported(document.file_name, "profile")
    import_cv_lists(converter, document)
    document.report_unread_keys()


def _read_affiliation(node: Node) -> EntryData | str:
    if not node.mapping:
        return node_to_text(node)
    name, url = (node_to_text(node.mapping.get(key)) for key in ("name", "url"))
    return {"name": name, "url": parse_web_url(url)} if parse_web_url(url) else name


def import_profile_link(converter: HugoTextConverter, link: MappingReader) -> None:
    """Import a link of the profile: to another site, to an imported page, or to a PDF, of which one is the CV."""
    session = converter.session
    icon_folder, _, icon = link.read_text("icon").rpartition("/")
    is_brand = (link.read_text("icon_pack") or icon_folder) in ("fab", "ai", "brands", "academicons")
    url = link.read_text("link", "url", "href")
    label = link.read_text("label", "name", "title") or ICON_LABELS.get(icon, icon if is_brand else "")
    link.report_unread_keys(
        "enable", "icon_pack", "display", "weight", "params", "identifier", "pre", "rel", "target"
    )
    if not url or re.match(r"/?#|\./#|/[\w-]*/?#", url):
        return
    is_file = re.search(r"\.(?:pdf|asc|txt)$", url.partition("#")[0], re.IGNORECASE) and "://" not in url
    is_cv = icon in ("cv", "document", "file-pdf") or re.search(r"cv|resume|vita", url, re.IGNORECASE)
    copied_file = converter.import_file(url) if is_file else ""
    if copied_file and is_cv:
        session.profile["cv"] = copied_file
    elif copied_file:
        session.profile_links[label or url.rpartition(".")[2].upper()] = copied_file
    elif is_file:
        link.record_skipped(f"{label or icon}: {url} is not in the source")
    elif re.match(r"[\w/.-]+/?$", url) and "@" not in url and normalize_old_url(url) in converter.new_urls:
        session.profile_links[label or icon] = converter.new_urls[normalize_old_url(url)]
    else:
        add_profile_link(session, url, label, link.location)


def _copy_photo(session: ImportSession, person: HugoPerson) -> str:
    """Copy the photo of a person, and return its path; "" without one."""
    is_markdown = person.path.suffix == ".md"
    folder_files = session.find_files(session.relative_path(person.path.parent)) if is_markdown else []
    media_files = session.find_files("assets/media/authors")
    candidates = [path for path in folder_files if re.match(r"avatar|featured|profile", path.stem)]
    candidates += [path for path in media_files if path.stem.casefold() == person.user_name]
    suffixes = (".jpg", ".jpeg", ".png", ".webp", ".gif")
    image_paths = [path for path in candidates if path.suffix.casefold() in suffixes]
    return session.copy_file(session.relative_path(image_paths[0])) if image_paths else ""


def _import_introduction(document: SourceDocument) -> None:
    """Import the owner's text as introduction; `bio` becomes the site's description, or the introduction without a text."""
    session, bio = document.session, document.read_text("bio")
    if document.source_text.strip() and document.has_sample_text:
        session.record_sample(document.text_location, "the biography")
    body = "" if document.has_sample_text else document.body
    summary = "" if is_sample_text(bio) else document.converter.convert_line(bio, document.location)
    if body or summary:
        session.files["content/about.md"] = f"{body or summary}\n"
        session.record_imported(document.text_location, "introduction")
    if body and summary:
        session.settings.setdefault("description", summary)
        session.record_converted(document.text_location, "bio became the description of the site")


def import_cv_lists(converter: HugoTextConverter, reader: MappingReader) -> None:
    """Import education, experience, awards, skills and languages of a file."""
    education = reader.read_mapping("education").node
    for collection, nodes in (
        ("education", education.mapping.get("courses", education).items),
        ("experience", reader.read_items("work", "experience")),
        ("awards", reader.read_items("awards")),
    ):
        for node in nodes:
            import_cv_entry(converter, collection, node)
    for collection, title in (("skills", "Skills"), ("languages", "Languages")):
        for node in reader.read_items(collection):
            import_skills(converter.session, collection, title, node)


def import_cv_entry(
    converter: HugoTextConverter,
    collection: str,
    node: Node,
    date_format: str = DEFAULT_DATE_FORMAT,
    *,
    title: str = "",
) -> None:
    """
    Import a CV entry with dates as exact as the site shows them; the template's samples are reported as skipped.

    `title` is the heading of a collection of its own.
    """
    session = converter.session
    node = _shorten_dates(node, date_format)
    if is_sample_text(node_to_text(node)):
        session.record_sample(node, f"an entry of {collection}")
        return
    reader = MappingReader(node, session)
    reader.ignore_keys("icon", "icon_pack", "company_logo", "institution_logo", "date_format", "color")
    button_url = reader.read_mapping("button").read_text("url")
    text = reader.read_text("description", "summary")
    extra_fields = split_summary_and_details(converter, text, reader.location)
    if collection == "projects":
        extra_fields["image"] = import_image(converter, reader, "image", "logo")
    reader.ignore_keys("logo")
    heading = title if collection not in SOURCE_KEYS else ""
    import_entry(collection, reader, converter.convert_inner_text, title=heading, extra_fields=extra_fields)
    if button_url and not re.match(r"#?$|https://(?:www\.)?example", button_url):
        reader.record_skipped(f"a button that links to {button_url}")


def _shorten_dates(node: Node, date_format: str) -> Node:
    """The entry with its dates cut to what a format of Go shows: "2006" is the year, "Jan" or "01" the month, "2" the day."""
    if re.search(r"(?<![0-9])(?:0?2|_2)(?![0-9])", date_format):
        return node
    length = 7 if re.search(r"Jan|(?<![0-9])0?1(?![0-9])", date_format) else 4
    values = {
        key: replace(value, value=value.text[:length])
        if key in DATE_KEYS and re.match(r"\d{4}-\d\d-\d\d", value.text)
        else value
        for key, value in node.mapping.items()
    }
    return replace(node, value=values) if values else node


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
    reader = MappingReader(node, session)
    if node.text:
        session.add_entry(collection, {"text": node.text}, reader.location, title)
        return
    skills = [_format_skill(item) for item in reader.read_mappings("items")]
    name = reader.read_text("name", "title", "language") or reader.read_text("label")
    text = join_filled(*skills) or reader.read_text("description", "label", "level", "percent")
    reader.report_unread_keys("color", "color_border", "icon", "icon_pack")
    if name or text:
        session.add_entry(collection, {"title": name, "text": text}, reader.location, title)


def _format_skill(reader: MappingReader) -> str:
    name, description = reader.read_text("name", "label"), reader.read_text("description")
    level = reader.read_text("percent", "level")
    reader.report_unread_keys("icon", "icon_pack", "color")
    level_text = f"{level} %" if level.isdecimal() and int(level) > 5 else f"{level}/5" if level else ""
    details = join_filled(description, level_text)
    return f"{name} ({details})" if details else name


def import_members(converter: HugoTextConverter, members: list[HugoPerson]) -> dict[str, str]:
    """Import the people of a lab site, who are shown in groups, to content/people/. Returns their ids by user name."""
    ids: dict[str, str] = {}
    for person in members:
        document = SourceDocument(person.path, person.document, converter)
        document.ignore_keys("title", "name", *IGNORED_PERSON_KEYS)
        links = {label or "url": url for label, url in _list_links(document) if url}
        links = {
            ICON_LABELS.get(label, label): url for label, url in links.items() if not url.startswith("#")
        }
        body = "" if document.has_sample_text else document.body
        front: EntryData = {
            "name": person.name,
            "role": document.read_line("role") or person.groups[0],
            "photo": _copy_photo(converter.session, person),
            "organization": join_filled(
                *(
                    node_to_text(node.mapping.get("name") or node)
                    for node in document.read_items(*AFFILIATION_KEYS)
                )
            ),
            "interests": document.read_texts("interests"),
            "group": next(filter(FORMER_GROUP.search, person.groups), ""),
            **read_member_links(converter.session, links, document.location),
        }
        email = document.read_text("email")
        front["email"] = email if "@" in email else front["email"]
        summary = document.read_line("bio")
        document.report_unread_keys()
        name = person.user_name
        ids[name] = add_member(converter.session, name, front, body or summary, document.file_name)
    return ids


def _list_links(reader: MappingReader) -> list[tuple[str, str]]:
    """The label or the icon, and the URL of each link of a person."""
    nodes = [node for key in ("social", "profiles", "links") for node in reader.read_items(key)]
    labels = (node_to_text(node.mapping.get("label") or node.mapping.get("icon")) for node in nodes)
    urls = (node_to_text(node.mapping.get("link") or node.mapping.get("url") or node) for node in nodes)
    return [*zip(labels, urls, strict=True)]


def import_other_people(converter: HugoTextConverter, people: list[HugoPerson]) -> None:
    """Import the other people's links to coauthors.yaml; the rest of their files is reported as skipped."""
    session = converter.session
    coauthors: list[EntryData] = []
    for person in people:
        reader = MappingReader(person.document.front_matter, session)
        urls = (parse_web_url(link) for _, link in _list_links(reader))
        url = next((url for url in urls if url.startswith("http")), "")
        if url:
            coauthors.append({"name": person.name, "url": url})
        reader.ignore_keys("title", "name", "email", *IGNORED_PERSON_KEYS)
        if any(map(node_to_text, reader.unread_nodes().values())) or person.document.body.strip():
            description = f"{person.name}: role, biography and picture of somebody else"
            session.record_skipped(session.relative_path(person.path), description)
    count = session.add_coauthors(coauthors)
    if count:
        session.record_imported("authors", f"{format_count(count, 'co-author')} with an address")
