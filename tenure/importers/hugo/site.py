"""Imports Hugo sites with Academic, Wowchemy or Hugo Blox (four generations), and similar ones."""

import re
from collections.abc import Mapping
from pathlib import Path

from tenure.importers.bibliography.bibtex_writer import add_bib_file
from tenure.importers.hugo.config import (
    HugoConfig,
    find_tag,
    import_site_settings,
    list_further_languages,
    read_hugo_config,
    read_main_menu,
)
from tenure.importers.hugo.entries import (
    POST_FOLDERS,
    PROJECT_FOLDERS,
    TALK_FOLDERS,
    import_free_pages,
    import_list_introductions,
    import_posts,
    import_projects,
    import_talks,
)
from tenure.importers.hugo.home import import_home_page
from tenure.importers.hugo.markdown import HugoTextConverter
from tenure.importers.hugo.people import (
    OWNER_NAMES,
    HugoPerson,
    import_members,
    import_other_people,
    import_owner,
    read_person_files,
)
from tenure.importers.hugo.publications import PUBLICATION_FOLDERS, import_publications
from tenure.importers.hugo.theme_owner import NAME_SETTINGS, import_theme_owner, read_setting
from tenure.importers.hugo.theme_sections import import_theme_sections
from tenure.importers.menu import add_redirects, import_menu, map_old_urls
from tenure.importers.profile import choose_owner_name, make_group_profile
from tenure.importers.session import ImportResult, ImportSession
from tenure.importers.translations import SourceLanguage, TranslationMerger
from tenure.model.languages import Language
from tenure.model.links import parse_url
from tenure.record import replace

STATIC_FOLDERS = (
    "", "static", "assets", "assets/media", "static/media", "static/img", "static/images", "static/files", "static/uploads",
    "assets/images", "assets/img",
)  # fmt: skip
"""Folders of files that are not in a document's own folder."""

THEME_FILES = re.compile(
    r"(?:config|layouts|themes|resources|public|i18n|archetypes|\.?github|scripts|netlify|functions|exampleSite|assets/(?:css|scss|js|jsconfig|icons))(?:/|$)"
    r"|.*\.(?:js|css|scss|sh|lock|sum|mod|ps1|bat|Rproj|webmanifest|xml|cmd|work|map)$|.*_index(?:\.\w+)?\.md$|data/(?:fonts|themes|page_sharer|i18n)"
    r"|(?:hugo|config|netlify|package|LICENSE|README|CONTRIBUTING|CHANGELOG|Gemfile|theme|pnpm|update_|view|start_|init|go\.|academic|CODE_OF|requirements|Makefile|preview|hugoblox|tailwind|postcss)"
    r"|static/(?:admin|css|js)/|content/(?:\w\w/)?(?:admin|home/index|privacy|terms)|content/[^/]*\.bib$|assets/media/icons|static/img/icon"
)
"""Files of the theme and of build tools, which are not reported."""

ASSET_FILES = re.compile(
    r"\.(?:png|jpe?g|gif|svg|webp|ico|pdf|docx?|pptx?|xlsx?|zip|mp4|webm|mp3|csv|json|html?|r|rds|asc|tex)$",
    re.IGNORECASE,
)
"""Images and papers, which are reported by folder."""


def import_hugo(source: Path) -> ImportResult:
    """Import a Hugo site in all its languages. The import runs twice because links need the new URLs of all pages."""
    first_pass, keys_by_folder = _run_import(source, {}, {})  # gives the new URLs of the pages
    session, _ = _run_import(source, map_old_urls(first_pass), keys_by_folder)
    return session.build_result("Hugo")


def _run_import(
    source: Path, pages: Mapping[str, str], keys_by_folder: Mapping[str, str]
) -> tuple[ImportSession, dict[str, str]]:
    session = ImportSession(source)
    config = read_hugo_config(session)
    languages = list_further_languages(session, config)
    new_keys = _import_language(session, config, pages, keys_by_folder, {})
    _import_bibliographies(session)
    for language in languages:
        translation = ImportSession(source)
        translation.copied_files.update(session.copied_files)
        translation.files |= {name: text for name, text in session.files.items() if name.startswith("bib/")}
        prefix = f"/{language.language}"
        own_pages = {url: new_url.removeprefix(prefix) for url, new_url in pages.items()}
        new_keys |= _import_language(translation, language, own_pages, keys_by_folder, new_keys)
        main_tag = Language(str(session.settings.get("language", "en")))
        main_language = SourceLanguage(main_tag, config.content_folder, config.language)
        tag, own_url = find_tag(config, language.language), _find_own_url(session, translation)
        own_language = SourceLanguage(tag, language.content_folder, language.language, own_url)
        TranslationMerger(session, main_language, translation, own_language).merge_content()
    add_redirects(session)
    session.report_unread_files(THEME_FILES, ASSET_FILES)
    return session, new_keys


def _find_own_url(main: ImportSession, translation: ImportSession) -> str:
    """The URL of a language that is published at another host than the main one, or ""."""
    main_url, own_url = (str(session.settings.get("url", "")) for session in (main, translation))
    is_same_host = parse_url(main_url).hostname == parse_url(own_url).hostname
    return own_url if main_url and own_url and not is_same_host else ""


def _import_language(
    session: ImportSession,
    config: HugoConfig,
    pages: Mapping[str, str],
    keys_by_folder: Mapping[str, str],
    known_keys: Mapping[str, str],
) -> dict[str, str]:
    """Import the texts of one language. Returns the key of each publication by its folder; those of `known_keys` are left out."""
    import_site_settings(session, config)
    citable_keys = frozenset(keys_by_folder.values())
    has_emoji_names = config.read_text("enableemoji") == "true"
    converter = HugoTextConverter(
        session, pages, citable_keys, STATIC_FOLDERS, has_emoji_names, keys_by_folder=keys_by_folder
    )
    people = read_person_files(session, config)
    members = [person for person in people if person.groups]
    is_group = len(members) > 1
    owner = None if is_group else _import_owner(converter, config, people)
    if is_group:
        _import_group(converter, config, members)
    names = {key: person.name for person in people for key in (person.user_name, person.name.casefold())}
    project_keys, new_keys = import_publications(converter, config, names, known_keys)
    import_talks(converter, config)
    import_projects(converter, config, project_keys)
    import_posts(converter, config)
    home_sections = import_home_page(converter, config)
    home_sections += [
        section for section in import_theme_sections(converter, config) if section not in home_sections
    ]
    imported_folders = (*PUBLICATION_FOLDERS, *TALK_FOLDERS, *PROJECT_FOLDERS, *POST_FOLDERS)
    import_free_pages(converter, config, imported_folders)
    import_list_introductions(converter, config)
    others = [person for person in people if person is not owner and not (is_group and person.groups)]
    import_other_people(converter, others)
    import_menu(session, read_main_menu(config), home_sections)
    return new_keys


def _import_group(converter: HugoTextConverter, config: HugoConfig, members: list[HugoPerson]) -> None:
    """Import the people of a lab, and the title of the site as the name of the group."""
    ids = import_members(converter, members)
    name = config.read_text(f"languages.{config.language}.title", "title", "params.hugoblox.identity.name")
    head = next((ids[person.user_name] for person in members if person.is_owner), "")
    make_group_profile(converter.session, name, head)


def _import_owner(
    converter: HugoTextConverter, config: HugoConfig, people: list[HugoPerson]
) -> HugoPerson | None:
    """Import the owner's file, or the author in the configuration."""
    profile, language = converter.session.profile, f"languages.{config.language}"
    owner = people[0] if people else None
    title = config.read_text(f"{language}.title", "title", "params.hugoblox.identity.name")
    site_owner = choose_owner_name([read_setting(config, *NAME_SETTINGS), title])
    if owner is not None and owner.user_name == owner.name.casefold() and site_owner:
        owner = replace(owner, name=site_owner)
        people[0] = owner
        description = f"it has no name; the owner is {site_owner}, as in the configuration"
        converter.session.record_converted(converter.session.relative_path(owner.path), description)
    if owner is not None and (owner.is_owner or owner.user_name in OWNER_NAMES or len(people) == 1):
        import_owner(converter, owner)
        return owner
    profile["name"] = "" if config.is_further else site_owner
    import_theme_owner(converter, config)
    return None


def _import_bibliographies(session: ImportSession) -> None:
    """Copy the site's .bib files, unless the publication folders generated from them were imported."""
    for path in session.find_files("", ".bib"):
        name = session.relative_path(path)
        is_in_list_folder = "/publication" in f"/{name}" and path.parent.name.startswith("publication")
        if path.parent == session.root or is_in_list_folder:
            text = session.read_source_text(path) or ""
            if session.has_publications:
                session.record_skipped(name, "a bibliography; its publications were imported")
            elif text:
                add_bib_file(session, path, text)
