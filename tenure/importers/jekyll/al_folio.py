"""Imports al-folio sites, versions 0 and 1: _config.yml, _data, _bibliography, _pages, _projects, _news and _posts."""

import html
import re
from collections.abc import Mapping
from pathlib import Path

from tenure.counts import format_count
from tenure.importers.bibliography.bibtex_writer import strip_jekyll_front_matter
from tenure.importers.cv_entries import parse_web_url
from tenure.importers.documents import iterate_documents
from tenure.importers.jekyll.al_folio_cv import import_cv_data
from tenure.importers.jekyll.collections import (
    import_courses,
    import_free_pages,
    import_news,
    import_posts,
    import_projects,
)
from tenure.importers.menu import add_redirects, import_menu, map_old_urls
from tenure.importers.resume.json_resume import import_resume
from tenure.importers.samples import is_sample_publication, is_sample_text
from tenure.importers.session import EntryData, ImportResult, ImportSession, MappingReader, node_to_text
from tenure.importers.text_converter import SourceTextConverter
from tenure.markdown.html import make_slug
from tenure.markdown.html_tags import strip_tags
from tenure.problems import Place
from tenure.sources.bibtex.splitter import split_entries
from tenure.sources.node import Node

SOCIAL_LINKS: Mapping[str, tuple[str, str]] = {
    "acm_id": ("ACM", "https://dl.acm.org/profile/{}/"),
    "arxiv_id": ("arxiv", "{}"),
    "blogger_url": ("Blogger", "{}"),
    "bluesky_url": ("bluesky", "{}"),
    "dblp_url": ("dblp", "{}"),
    "facebook_id": ("facebook", "{}"),
    "flickr_id": ("Flickr", "https://www.flickr.com/{}"),
    "github_username": ("github", "{}"),
    "gitlab_username": ("gitlab", "{}"),
    "hal_id": ("HAL", "https://cv.hal.science/{}/"),
    "ieee_id": ("IEEE", "https://ieeexplore.ieee.org/author/{}/"),
    "inspirehep_id": ("inspire", "{}"),
    "instagram_id": ("instagram", "{}"),
    "kaggle_id": ("kaggle", "{}"),
    "keybase_username": ("Keybase", "https://keybase.io/{}"),
    "lattes_id": ("Lattes", "https://lattes.cnpq.br/{}"),
    "leetcode_id": ("LeetCode", "https://leetcode.com/u/{}/"),
    "linkedin_username": ("linkedin", "{}"),
    "mastodon_username": ("Mastodon", "https://{}"),
    "medium_username": ("Medium", "https://medium.com/@{}"),
    "orcid_id": ("orcid", "{}"),
    "osf_id": ("osf", "{}"),
    "publons_id": ("Publons", "https://publons.com/a/{}/"),
    "quora_username": ("Quora", "https://www.quora.com/profile/{}"),
    "research_gate_profile": ("researchgate", "{}"),
    "scholar_userid": ("scholar", "{}"),
    "scopus_id": ("scopus", "{}"),
    "semanticscholar_id": ("semanticscholar", "{}"),
    "stackoverflow_id": ("stackoverflow", "{}"),
    "telegram_username": ("Telegram", "https://telegram.me/{}"),
    "twitter_username": ("twitter", "{}"),
    "wikidata_id": ("wikidata", "{}"),
    "wikipedia_id": ("Wikipedia", "https://en.wikipedia.org/wiki/User:{}"),
    "work_url": ("Work", "{}"),
    "x_username": ("x", "{}"),
    "youtube_id": ("youtube", "{}"),
    "zotero_username": ("zotero", "{}"),
}
"""Link label and URL pattern for each key of al-folio's socials; a pattern {} means that Tenure knows the account name."""

SAMPLE_VALUES = frozenset({"you@example.com", "example@pdf.com", "qc6CJjYAAAAJ", "3066", "alberteinstein"})


def import_al_folio(source: Path) -> ImportResult:
    """Import an al-folio site. The import runs twice because links need the new URLs of all pages."""
    first_pass = _run_import(source, {})  # gives the new URLs of the pages
    return _run_import(source, map_old_urls(first_pass)).build_result("al-folio")


def _run_import(source: Path, pages: Mapping[str, str]) -> ImportSession:
    session = ImportSession(source)
    settings = session.read_data_file(session.root / "_config.yml")
    reader = MappingReader(settings or Node({}, _default_place()), session)
    owner = _import_settings(session, reader)
    bib_keys = _import_bibliography(session, owner)
    converter = SourceTextConverter(session, pages, bib_keys, str(session.settings.get("url", "")))
    _import_socials(session, reader)
    _import_about_page(session, converter)
    import_projects(session, converter)
    import_news(session, converter)
    import_courses(session, converter)
    import_posts(session, converter)
    _import_cv(session, converter, owner)
    menu = import_free_pages(session, converter, iterate_documents(session, "_pages"), ("about", "404"))
    _import_coauthors(session, owner)
    import_menu(session, [item for _, item in menu])
    add_redirects(session)
    session.report_unread_files(THEME_FILES, ASSET_FILES)
    return session


def _default_place() -> Place:
    return Place("_config.yml", 1, 1)


def _import_settings(session: ImportSession, reader: MappingReader) -> str:
    """Import name, URL, language and description from _config.yml. Returns the owner's name."""
    name_parts = (reader.read_text(key) for key in ("first_name", "middle_name", "last_name"))
    name = " ".join(" ".join(name_parts).split())
    title = reader.read_text("title")
    name = name or reader.read_text("name")
    scholar = reader.read_node("scholar")
    if not name and title not in ("", "blank"):
        name = title
    if not name and scholar is not None:
        last, first = (scholar.mapping.get(key) for key in ("last_name", "first_name"))
        name = " ".join(_first_value_text(node) for node in (first, last) if node is not None)
    session.profile["name"] = name
    session.settings["schema"] = "1"
    url, base_path = reader.read_text("url").rstrip("/"), reader.read_text("baseurl").strip("/")
    if re.match(r"https?://[^/\s]", url):
        session.settings["url"] = f"{url}/{base_path}/" if base_path else f"{url}/"
    language = reader.read_text("lang")
    if re.fullmatch(r"[a-z]{2}(?:-[A-Z]{2})?", language):
        session.settings["language"] = language
    elif language:
        session.record_skipped(reader.location, f"lang: {language}")
    description = " ".join(html.unescape(strip_tags(reader.read_text("description"))).split())
    if description and not description.startswith("A simple, whitespace theme"):
        session.settings["description"] = description
    contact = reader.read_text("contact_note")
    if contact and "You can even add a little note" not in contact:
        session.record_skipped(reader.location, f"contact_note: {' '.join(contact.split())[:90]}")
    session.record_imported(reader.location, "name, address, language and description of the site")
    session.record_skipped(
        reader.location,
        "the other keys configure al-folio's look and services; “Themes” in the documentation lists Tenure's options",
    )
    return name


def _first_value_text(node: Node) -> str:
    return node_to_text(node.items[0]) if node.items else node_to_text(node)


def _import_bibliography(session: ImportSession, owner: str) -> frozenset[str]:
    """Import every .bib file without the template's sample publications. Returns the keys that can be cited."""
    bib_keys: set[str] = set()
    for path in session.find_files("_bibliography", ".bib"):
        text = session.read_source_text(path)
        if text is None:
            continue
        name = session.relative_path(path)
        total_lines = text.count("\n")
        text = strip_jekyll_front_matter(session, name, text)
        removed_lines = total_lines - text.count("\n")
        text = _relocate_root_files(session, text, name, removed_lines)
        for entry in reversed([*split_entries(text)]):
            line = text.count("\n", 0, entry.start) + 1 + removed_lines
            if is_sample_publication(entry.key, entry.raw, owner):
                session.record_skipped(f"{name}:{line}", f"sample content of the template: {entry.key}")
                text = text[: entry.start] + text[entry.start + len(entry.raw) :].lstrip("\n")
            else:
                bib_keys |= (
                    set()
                    if path.stem != "papers" and NON_PUBLICATION_FILES.search(path.stem.casefold())
                    else {entry.key}
                )
                _copy_entry_files(session, entry.raw, f"{name}:{line}")
        if re.search(r"@\s*\w+\s*[{(]", text):
            session.add_text_file(f"bib/{path.stem}.bib", text)
            session.record_imported(
                name, format_count(sum(1 for _ in split_entries(text)), "entry", "entries")
            )
            if path.stem != "papers":
                _add_bib_list(session, path, name)
    return frozenset(bib_keys)


NON_PUBLICATION_FILES = re.compile(
    r"talk|present|poster|press|media|invited|seminar|patent|software|dataset|outreach"
)
"""File names of bibliographies that are not publication lists."""


def _add_bib_list(session: ImportSession, path: Path, name: str) -> None:
    """Add a bibliography other than papers.bib: a separate list if its name says so, else more publications."""
    if NON_PUBLICATION_FILES.search(path.stem.casefold()):
        session.bib_sections[make_slug(path.stem)] = f"{path.stem}.bib"
        session.record_converted(
            name,
            f"a separate list: sections: [{make_slug(path.stem)}: {{bib: {path.stem}.bib}}] in site.yaml",
        )
    else:
        session.record_converted(
            name, "its works are among the publications; a section can have its own .bib file"
        )


def _relocate_root_files(session: ImportSession, text: str, name: str, removed_lines: int) -> str:
    """Replace root-relative URLs in a bibliography by copied files; fields with missing files are removed."""

    def replace_path(match: re.Match[str]) -> str:
        line = text.count("\n", 0, match.start()) + 1 + removed_lines
        copied_file = session.copy_file(match[2])
        if not copied_file:
            session.record_skipped(
                f"{name}:{line}", f"{match[1]} = {match[2]}: the file is not in the source"
            )
            return ""
        session.record_converted(f"{name}:{line}", f"{match[1]} = {match[2]} is {copied_file}")
        return match[0].replace(match[2], copied_file)

    return re.sub(r"(\w+)\s*=\s*[{\"]\s*(/[^/{}\"\s][^{}\"]*?)\s*[}\"][ \t]*(?:,[ \t]*)?", replace_path, text)


def _copy_entry_files(session: ImportSession, text: str, location: str) -> None:
    """Copy the files that an entry names from the folders where al-folio looks for them."""
    for field, file_name in re.findall(
        r"\b(pdf|slides|poster|supp|video|html|blog|preview)\s*=\s*[{\"]\s*([^{}\"\s][^{}\"]*?)\s*[}\"]", text
    ):
        if "://" not in file_name:
            folder = "assets/img/publication_preview" if field == "preview" else "assets/pdf"
            copied_file = session.copy_file(f"{folder}/{file_name}") or session.copy_file(file_name)
            if not copied_file:
                session.record_skipped(location, f"{field} = {file_name}: the file is not in the source")


def _import_socials(session: ImportSession, settings: MappingReader) -> None:
    path = session.root / "_data/socials.yml"
    node = session.read_data_file(path) if path.is_file() else None
    reader = MappingReader(node, session) if node is not None else settings
    email = reader.read_text("email")
    if "@" in email and email not in SAMPLE_VALUES:
        session.profile["email"] = email
    for key, (label, url_pattern) in SOCIAL_LINKS.items():
        user_name = reader.read_text(key)
        if (
            user_name
            and user_name not in SAMPLE_VALUES
            and (url_pattern != "{}" or not key.endswith("_url") or parse_web_url(user_name))
        ):
            session.profile_links[label] = url_pattern.format(user_name.lstrip("@"))
    cv = reader.read_text("cv_pdf")
    if cv and "example_pdf" not in cv:
        copied_file = session.copy_file(cv) or session.copy_file(f"assets/pdf/{cv}")
        if copied_file:
            session.profile["cv"] = copied_file
        else:
            session.record_skipped(reader.location, f"cv_pdf: {cv} is not in the source")
    if node is None:
        return
    reader.ignore_keys("rss_icon")
    for key, child in node.mapping.items():
        if key not in SOCIAL_LINKS and "url" in child.mapping:
            reader.ignore_keys(key)
            url = parse_web_url(node_to_text(child.mapping["url"]))
            title = child.mapping.get("title")
            if url and "alberteinstein" not in url:
                session.profile_links[node_to_text(title) if title is not None else key] = url
    reader.report_unread_keys()
    session.record_imported(session.relative_path(path), format_count(len(session.profile_links), "link"))


def _import_about_page(session: ImportSession, converter: SourceTextConverter) -> None:
    path = session.root / "_pages/about.md"
    document = session.read_document(path) if path.is_file() else None
    if document is None:
        return
    name = session.relative_path(path)
    front_reader = MappingReader(document.front_matter, session)
    subtitle = front_reader.read_text("subtitle")
    if subtitle and not is_sample_text(subtitle):
        session.profile["role"] = converter.convert_line(subtitle, front_reader.location)
    profile = front_reader.read_node("profile")
    profile_reader = MappingReader(profile, session) if profile is not None else None
    image = profile_reader.read_text("image") if profile_reader is not None else ""
    if image:
        photo = session.copy_file(f"assets/img/{image}") or session.copy_file(image)
        if photo:
            session.profile["photo"] = photo
        else:
            session.record_skipped(
                f"{name}:{document.front_matter.place.line}", f"photo: {image} is not in the source"
            )
    extra_text = profile_reader.read_text("more_info", "address") if profile_reader is not None else ""
    if extra_text and not is_sample_text(extra_text):
        session.profile["office"] = converter.to_plain_text(re.sub(r"</p>\s*<p>|<br\s*/?>", ", ", extra_text))
        session.record_converted(front_reader.location, "more_info became office: in the profile")
    if is_sample_text(document.body):
        session.record_skipped(
            f"{name}:{document.body_line}", "sample content of the template: the introduction"
        )
    elif document.body.strip():
        text = converter.convert_body(document.body, f"{name}:{document.body_line}")
        if text:
            session.add_text_file("content/about.md", text + "\n")
            session.record_imported(f"{name}:{document.body_line}", "introduction")


def _import_cv(session: ImportSession, converter: SourceTextConverter, owner: str) -> None:
    """Import assets/json/resume.json, else _data/cv.yml; the template's samples are skipped."""
    resume_path = session.root / "assets/json/resume.json"
    cv_path = next(
        (p for p in (session.root / "_data/cv.yml", session.root / "_data/cv.yaml") if p.is_file()), None
    )
    if resume_path.is_file():
        text = session.read_source_text(resume_path) or ""
        if "einstein" in text.casefold() and "einstein" not in owner.casefold():
            session.record_skipped(
                session.relative_path(resume_path), "sample content of the template: Einstein's CV"
            )
        else:
            node = session.read_data_file(resume_path)
            if node is not None:
                _import_resume_keeping_profile(session, node)
                if cv_path is not None:
                    session.record_skipped(
                        session.relative_path(cv_path), "resume.json has the same entries and was imported"
                    )
                return
    node = session.read_data_file(cv_path) if cv_path is not None else None
    if node is not None:
        if (
            "einstein" in node_to_text(node).casefold()
            and "einstein" not in owner.casefold()
            and "cv" in node.mapping
        ):
            session.record_skipped(f"{node.place.file}:1", "sample content of the template: Einstein's CV")
        else:
            import_cv_data(session, node, converter.convert_line, owner)


def _import_resume_keeping_profile(session: ImportSession, node: Node) -> None:
    profile_before = {key: value for key, value in session.profile.items() if value}
    about_before = session.files.get("content/about.md")
    import_resume(session, node)
    session.profile.update(profile_before)
    if about_before is not None:
        for name in [n for n in session.files if re.fullmatch(r"content/about-\d+\.md", n)]:
            del session.files[name]
            session.record_skipped(
                session.relative_path(session.root / "assets/json/resume.json"),
                "its summary: about.md exists already",
            )


def _import_coauthors(session: ImportSession, owner: str) -> None:
    path = session.root / "_data/coauthors.yml"
    node = session.read_data_file(path) if path.is_file() else None
    coauthors: list[EntryData] = []
    for family_name, person_nodes in (node.mapping if node is not None else {}).items():
        for person_node in person_nodes.items or (person_nodes,):
            reader = MappingReader(person_node, session)
            given_names = [node_to_text(item) for item in reader.read_items("firstname")]
            url = parse_web_url(reader.read_text("url"))
            if not given_names or not url:
                session.record_skipped(
                    reader.location, f"co-author {family_name}: a first name and an address are needed"
                )
                continue
            display_family = family_name if family_name != family_name.lower() else family_name.title()
            names = [f"{given_name} {display_family}" for given_name in given_names]
            if any("einstein" in n.casefold() for n in names) and "einstein" not in owner.casefold():
                session.record_skipped(reader.location, f"sample content of the template: {family_name}")
                continue
            entry: EntryData = {"name": names[0], "url": url}
            if names[1:]:
                entry["aliases"] = names[1:]
            coauthors.append(entry)
    unique_coauthors = [*{str(entry["name"]): entry for entry in coauthors}.values()]
    if unique_coauthors:
        session.add_list_file("coauthors", unique_coauthors)
        session.record_imported(session.relative_path(path), format_count(len(unique_coauthors), "co-author"))


THEME_FILES = re.compile(
    r"_(?:layouts|includes|sass|plugins|scripts|site|config\w*)\b|assets/(?:css|js|fonts|webfonts|libs|jupyter|plotly|html|audio)/"
    r"|node_modules/|bin/|lighthouse_results/|readme_preview/|purgecss|package|Gemfile|Docker|docker|LICENSE|README|CONTRIBUTING|FAQ|INSTALL"
    r"|CUSTOMIZE|CNAME$|robots\.txt$|requirements|_pages/404|.*\.(?:liquid|js|css|scss|rb|sh|toml|lock|cff)$"
)
"""Files of the theme, which are not reported."""

ASSET_FILES = re.compile(r"^assets/")
"""Images and papers, which are reported by folder."""
