"""Imports al-folio sites, versions 0 and 1: _config.yml, _data, _bibliography, _pages, _projects, _news and _posts."""

import re
from collections.abc import Mapping
from pathlib import Path

from tenure.counts import format_count
from tenure.importers.cv_entries import parse_web_url
from tenure.importers.documents import SourceDocument, iterate_documents, read_source_document
from tenure.importers.jekyll.academicpages import import_talks
from tenure.importers.jekyll.al_folio_cv import import_cv_data, import_resume_keeping_profile
from tenure.importers.jekyll.bibliographies import import_bibliographies
from tenure.importers.jekyll.collections import (
    import_courses,
    import_free_pages,
    import_news,
    import_own_collections,
    import_posts,
    import_projects,
)
from tenure.importers.jekyll.config import import_site_address, list_site_values, uses_emoji_names
from tenure.importers.jekyll.data_lists import import_data_lists
from tenure.importers.jekyll.members import import_members, import_profile_pages
from tenure.importers.json_data import EMPTY_NODE
from tenure.importers.menu import add_redirects, import_menu, map_old_urls
from tenure.importers.profile import add_email, add_profile_link, choose_owner_name, import_photo
from tenure.importers.samples import is_sample_text
from tenure.importers.session import (
    EntryData,
    ImportResult,
    ImportSession,
    MappingReader,
    filled,
    join_filled,
    node_to_text,
)
from tenure.importers.text_converter import SourceTextConverter
from tenure.importers.yaml_writer import YamlData
from tenure.model.names import Name, is_abbreviation_of, name_match_key
from tenure.problems import Place
from tenure.sources.node import Node
from tenure.sources.schema.links import find_service

SOCIAL_LINKS: Mapping[str, tuple[str, str]] = {
    "acm_id": ("ACM", "https://dl.acm.org/profile/{}/"),
    "blogger_url": ("Blogger", "{}"),
    "flickr_id": ("Flickr", "https://www.flickr.com/{}"),
    "hal_id": ("HAL", "https://cv.hal.science/{}/"),
    "ieee_id": ("IEEE", "https://ieeexplore.ieee.org/author/{}/"),
    "keybase_username": ("Keybase", "https://keybase.io/{}"),
    "lattes_id": ("Lattes", "https://lattes.cnpq.br/{}"),
    "leetcode_id": ("LeetCode", "https://leetcode.com/u/{}/"),
    "mastodon_username": ("Mastodon", "https://{}"),
    "medium_username": ("Medium", "https://medium.com/@{}"),
    "publons_id": ("Publons", "https://publons.com/a/{}/"),
    "quora_username": ("Quora", "https://www.quora.com/profile/{}"),
    "telegram_username": ("Telegram", "https://telegram.me/{}"),
    "wikipedia_id": ("Wikipedia", "https://en.wikipedia.org/wiki/User:{}"),
    "work_url": ("Work", "{}"),
}
"""Link label and URL pattern for the keys of al-folio's socials whose account names Tenure does not know by the key."""

SAMPLE_VALUES = frozenset({"example@pdf.com", "qc6CJjYAAAAJ", "3066", "alberteinstein"})


def import_al_folio(source: Path) -> ImportResult:
    """Import an al-folio site. The import runs twice because links need the new URLs of all pages."""
    first_pass = _run_import(source, {})  # gives the new URLs of the pages
    return _run_import(source, map_old_urls(first_pass)).build_result("al-folio")


def _run_import(source: Path, pages: Mapping[str, str]) -> ImportSession:
    session = ImportSession(source)
    settings = session.read_data_file(session.root / "_config.yml")
    reader = MappingReader(settings or Node({}, Place("_config.yml", 1, 1)), session)
    owner = _import_settings(reader)
    bib_keys = import_bibliographies(session, reader.node, owner)
    has_emoji_names, site_values = uses_emoji_names(reader.node), list_site_values(reader.node)
    converter = SourceTextConverter(
        session, pages, bib_keys, has_emoji_names=has_emoji_names, site_values=site_values
    )
    _import_socials(session, reader)
    hides_news = _import_about_page(converter)
    import_projects(converter)
    import_news(converter)
    import_courses(converter)
    import_talks(converter)
    import_posts(converter)
    _import_cv(session, converter, owner)
    import_data_lists(converter, reader.node)
    import_members(converter)
    import_own_collections(converter)
    profile_stems = import_profile_pages(converter)
    documents = iterate_documents(converter, "_pages", ".md", ".markdown", ".html")
    menu = import_free_pages(documents, ("about", "404", *profile_stems))
    _import_coauthors(session, owner)
    home_sections = _list_home_sections(session) if hides_news and session.has_collection("news") else ()
    import_menu(session, [item for _, item in menu], home_sections)
    add_redirects(session)
    session.report_unread_files(THEME_FILES, ASSET_FILES)
    return session


def _import_settings(reader: MappingReader) -> str:
    """Import name, URL, language and description from _config.yml. Returns the owner's name."""
    name_parts = (reader.read_text(key) for key in ("first_name", "middle_name", "last_name"))
    name = " ".join(" ".join(name_parts).split())
    title = reader.read_text("title")
    name = name or reader.read_text("name")
    scholar = reader.read_mapping("scholar").node.mapping
    if not name and title not in ("", "blank"):
        name = title
    if not name:
        nodes = [scholar[key] for key in ("first_name", "last_name") if key in scholar]
        name = " ".join(node_to_text(node.items[0] if node.items else node) for node in nodes)
    name = choose_owner_name([name])
    reader.session.profile["name"] = name
    aliases = _list_aliases(scholar, name)
    if aliases:
        reader.session.profile["aliases"] = aliases
    import_site_address(reader)
    contact = reader.read_text("contact_note")
    if contact and "You can even add a little note" not in contact:
        reader.record_skipped(f"contact_note: {' '.join(contact.split())[:90]}")
    reader.record_skipped(
        "the other keys configure al-folio's look and services; “Themes” in the documentation lists Tenure's options"
    )
    return name


def _list_aliases(scholar: Mapping[str, Node], name: str) -> list[YamlData]:
    """The spellings of the owner's name in the settings of jekyll-scholar that are not found by the name alone."""
    first_names, last_names = (
        [node_to_text(node) for node in (scholar[key].items or (scholar[key],))] if key in scholar else []
        for key in ("first_name", "last_name")
    )
    owner = Name.parse(name)
    names = [Name.parse(f"{last}, {first}") for last in last_names for first in first_names if first and last]
    is_owner_listed = any(name_match_key(spelling) == name_match_key(owner) for spelling in names)
    return [
        spelling.full_name
        for spelling in dict.fromkeys(names)
        if is_owner_listed
        and name_match_key(spelling) != name_match_key(owner)
        and not any(is_abbreviation_of(spelling, other) for other in (owner, *names) if other != spelling)
    ]


def _import_socials(session: ImportSession, settings: MappingReader) -> None:
    node = session.read_data_file(session.find_first_file("_data/socials.yml"))
    reader = MappingReader(node, session) if node is not None else settings
    add_email(session, reader.read_text("email"))
    known_accounts = {key: (find_service(key), "{}") for key in reader.node.mapping if find_service(key)}
    # al-folio shows the links in the alphabetical order of their keys.
    for key, (label, url_pattern) in sorted({**known_accounts, **SOCIAL_LINKS}.items()):
        user_name = reader.read_text(key)
        is_valid = url_pattern != "{}" or not key.endswith("_url") or parse_web_url(user_name)
        if user_name and user_name not in SAMPLE_VALUES and is_valid:
            session.profile_links[label] = url_pattern.format(user_name.lstrip("@"))
    cv = reader.read_text("cv_pdf")
    if cv and "example_pdf" not in cv:
        copied_file = session.copy_first_file((cv, f"assets/pdf/{cv}"))
        if copied_file:
            session.profile["cv"] = copied_file
        else:
            reader.record_skipped(f"cv_pdf: {cv} is not in the source")
    if node is None:
        return
    for key, child in node.mapping.items():
        if key not in SOCIAL_LINKS and "url" in child.mapping:
            reader.ignore_keys(key)
            url = parse_web_url(node_to_text(child.mapping["url"]))
            if url and "alberteinstein" not in url:
                session.profile_links[node_to_text(child.mapping.get("title")) or key] = url
    reader.report_unread_keys("rss_icon")
    session.record_imported("_data/socials.yml", format_count(len(session.profile_links), "link"))


def _list_home_sections(session: ImportSession) -> list[YamlData]:
    """The sections of a home page without news: its text, and the selected publications."""
    sections: list[YamlData] = ["about"] if "content/about.md" in session.files else []
    has_selected = any(
        name.endswith(".bib") and isinstance(text, str) and re.search(r"\bselected\s*=\s*[{\"]?\s*true", text)
        for name, text in session.files.items()
    )
    if has_selected:
        sections.append({"publications": {"show": "selected"}})
    return sections


def _import_about_page(converter: SourceTextConverter) -> bool:
    """Import the home page to the profile and the introduction. Returns whether it does not show the news."""
    session = converter.session
    document = read_source_document(converter, session.find_first_file("_pages/about.md"))
    if document is None:
        return False
    news = document.read_node("announcements", "news") or EMPTY_NODE
    shown = node_to_text(news.mapping.get("enabled", news))
    subtitle = document.read_text("subtitle")
    if subtitle and not is_sample_text(subtitle):
        lines = re.split(r"(?:\s*<br\s*/?>\s*|</p>\s*<p>)+", subtitle.strip())
        converted_lines = (converter.convert_line(line, document.location).strip(" ,;") for line in lines)
        session.profile["role"] = join_filled(*converted_lines)
    profile = document.read_mapping("profile")
    import_photo(profile, ("image",), ("assets/img/", ""))
    office = profile.read_text("more_info", "address")
    if office and not is_sample_text(office):
        _import_office(document, office)
    if document.has_sample_text:
        session.record_sample(document.text_location, "the introduction")
    elif document.body:
        session.add_introduction(document.body, document.text_location)
    return shown.casefold() == "false"


def _import_office(document: SourceDocument, more_info: str) -> None:
    """Import the lines beside the photo: an e-mail address, and the room and the street as the office; others are reported."""
    profile = document.session.profile
    office_lines: list[str] = []
    more_info = re.sub(r"<a\b[^<>]*>[^\x00]*?</a>", lambda link: " ".join(link[0].split()), more_info)
    for line in re.split(r"</p>|<br\s*/?>|\n", more_info):
        link = re.search(r"<a\b[^<>]*?\bhref\s*=\s*[\"']?(https?://[^\s\"'<>]+)", line)
        text = document.converter.to_plain_text(line, document.location)
        email = re.search(r"[^\s@:<>]+@[^\s@<>]+\.\w+", text)
        if email:
            profile.setdefault("email", email[0])
        elif link:
            add_profile_link(document.session, link[1], text, document.location)
        elif re.search(OFFICE_WORDS, text, re.IGNORECASE) and not re.search(r"\W(?:at|dot)\W", text):
            office_lines.append(text)
        elif text:
            document.record_skipped(f"more_info: {text[:90]}")
    if office_lines:
        profile["office"] = ", ".join(office_lines)
        document.record_reclassified("more_info came over as the office of the profile")


OFFICE_WORDS = r"\d{4}|^\W*[a-z]{0,3}[-. ]?\d[\w.-]{0,6}$|\b(?:room|office|building|floor|street|campus|hall|tower|avenue|road|bureau|büro|raum|rue|box|via|allée|lane|st|ave)\b|stra(?:ße|sse|at)"
"""Parts of a postal address: a postal code, the number of a room, or a word for a part of a building or a town."""


def _import_cv(session: ImportSession, converter: SourceTextConverter, owner: str) -> None:
    """Import the file that the page of the CV shows, else assets/json/resume.json, else _data/cv.yml; samples are skipped."""
    resume_path = session.find_first_file("assets/json/resume.json")
    cv_path = session.find_first_file("_data/cv.yml", "_data/cv.yaml")
    if resume_path is not None and cv_path is not None and _shows_data_cv(session, cv_path, owner):
        session.record_skipped(
            session.relative_path(resume_path), "the page of the CV shows _data/cv.yml instead"
        )
        resume_path = None
    if resume_path is not None:
        if _is_about_einstein(session.read_source_text(resume_path) or "", owner):
            session.record_sample(session.relative_path(resume_path), "Einstein's CV")
        elif node := session.read_data_file(resume_path):
            import_resume_keeping_profile(session, node)
            if cv_path is not None:
                reason = "resume.json was imported instead; compare the entries of both"
                session.record_skipped(session.relative_path(cv_path), reason)
            return
    node = session.read_data_file(cv_path)
    if node is not None and "cv" in node.mapping and _is_about_einstein(node_to_text(node), owner):
        session.record_sample(f"{node.place.file}:1", "Einstein's CV")
    elif node is not None:
        import_cv_data(session, node, converter.convert_line, owner)


def _shows_data_cv(session: ImportSession, cv_path: Path, owner: str) -> bool:
    """Whether the page of the CV names the format of _data/cv.yml, and this file is not the template's sample."""
    page = session.find_first_file("_pages/cv.md")
    text = (session.read_source_text(page) if page is not None else "") or ""
    return bool(re.search(r"^cv_format:\s*[\"']?rendercv\b", text, re.MULTILINE)) and not _is_about_einstein(
        session.read_source_text(cv_path) or "", owner
    )


def _is_about_einstein(text: str, owner: str) -> bool:
    """Whether a text names Einstein, the person of the template's samples, and is not about the owner."""
    return "einstein" in text.casefold() and "einstein" not in owner.casefold()


def _import_coauthors(session: ImportSession, owner: str) -> None:
    node = session.read_data_file(session.find_first_file("_data/coauthors.yml")) or EMPTY_NODE
    people = [
        (family_name, MappingReader(person_node, session))
        for family_name, person_nodes in node.mapping.items()
        for person_node in person_nodes.items or (person_nodes,)
    ]
    coauthors: list[EntryData] = []
    for family_name, reader in people:
        given_names, url = reader.read_texts("firstname"), parse_web_url(reader.read_text("url"))
        display_family = family_name if family_name != family_name.lower() else family_name.title()
        names = [f"{given_name} {display_family}" for given_name in given_names]
        if not given_names or not url:
            reader.record_skipped(f"co-author {family_name}: a first name and an address are needed")
        elif any(_is_about_einstein(name, owner) for name in names):
            session.record_sample(reader.location, family_name)
        else:
            coauthors.append(filled({"name": names[0], "url": url, "aliases": names[1:]}))
    count = session.add_coauthors(coauthors)
    if count:
        session.record_imported("_data/coauthors.yml", format_count(count, "co-author"))


THEME_FILES = re.compile(
    r"_(?:layouts|includes|sass|plugins|scripts|site|config\w*)\b|assets/(?:css|js|fonts|webfonts|libs|jupyter|plotly|html|audio)/"
    r"|node_modules/|bin/|lighthouse_results/|readme_preview/|purgecss|package|Gemfile|Docker|docker|LICENSE|README|CONTRIBUTING|FAQ|INSTALL"
    r"|CUSTOMIZE|CNAME$|robots\.txt$|requirements|_pages/404|.*\.(?:liquid|js|css|scss|rb|sh|toml|lock|cff)$"
)
"""Files of the theme, which are not reported."""

ASSET_FILES = re.compile(r"^assets/")
"""Images and papers, which are reported by folder."""
