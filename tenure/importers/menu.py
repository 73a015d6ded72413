"""Converts the old site's menu to `pages:` of site.yaml in the same order, and its URLs to `redirects:`."""

import re
from collections.abc import Collection, Mapping, Sequence

from tenure.importers.cv_entries import collection_for_heading
from tenure.importers.profile import add_profile_link
from tenure.importers.session import EntryData, ImportSession, filled
from tenure.importers.source_folder import normalize_old_url
from tenure.importers.yaml_writer import YamlData
from tenure.plan.default_pages import COLLECTION_PAGES

CV_COLLECTIONS = frozenset(
    {"education", "experience", "publications", "projects", "talks", "awards", "teaching", "service"}
)
PAGE_ALIASES: Mapping[str, str] = {
    "publication": "publications", "papers": "publications", "featured": "publications", "project": "projects",
    "portfolio": "projects", "software": "projects", "talk": "talks", "event": "talks", "events": "talks",
    "presentations": "talks", "post": "posts", "blog": "posts", "blogs": "posts", "year-archive": "posts", "writing": "posts",
    "resume": "cv", "cv-json": "cv", "vita": "cv", "curriculum-vitae": "cv", "courses": "teaching",
    "accomplishments": "awards", "team": "people", "members": "people", "authors": "people", "profiles": "people", "about": "home", "home": "home", "": "home",
}  # fmt: skip
"""Tenure's page for each name that other systems use in URLs."""

MenuItem = tuple[str, str, str]
"""An item of a menu: its title, its URL, and its location in the source (file and line)."""


def import_menu(
    session: ImportSession, items: Sequence[MenuItem], home_sections: Sequence[YamlData] = ()
) -> None:
    """Write `pages:` in the order of the menu; its external links and files become profile links, other items are skipped."""
    page_names = _collect_page_names(session)
    home: YamlData = {"path": "/", "sections": home_sections} if home_sections else "home"
    page_configs: dict[str, YamlData] = {"home": home}
    for title, url, location in items:
        name = _match_menu_item(session, title, url, page_names)
        if name and name not in page_configs:
            page_configs[name] = _build_page_config(session, name, title)
        elif not name:
            _import_menu_link(session, title, url, location, home_sections)
    own_pages = (session.bib_sections, session.list_pages, session.page_introductions, session.page_titles)
    if not items and not home_sections and not any(own_pages):
        return
    own_names = (*session.bib_sections, *session.list_pages, *_list_free_pages(session))
    for name in dict.fromkeys(("people", *COLLECTION_PAGES, *own_names, "cv")):
        is_shown = name in page_names and (name != "cv" or session.profile.get("kind") != "group")
        if is_shown and name not in page_configs:
            page_config = _build_page_config(session, name, "")
            full_config = dict(page_config) if isinstance(page_config, Mapping) else {"name": name}
            is_second_cv = name == "cv" and "vita" in page_names
            page_configs[name] = {**full_config, "menu": "false"} if items or is_second_cv else page_config
    session.settings["pages"] = [*page_configs.values()]


def _import_menu_link(
    session: ImportSession, title: str, url: str, location: str, home_sections: Sequence[YamlData]
) -> None:
    """Import a menu item that is not a page: an external link or a file becomes a link of the profile."""
    if re.match(r"https?://|mailto:", url):
        add_profile_link(session, url, title, location)
        kind = "links to another site"
    elif copied_file := session.copy_first_file((url, f"static/{url.lstrip('/')}")):
        if copied_file != session.profile.get("cv"):
            session.profile_links[title] = copied_file
        kind = "is a file"
    else:
        reason = _explain_missing_page(session, url, home_sections)
        session.record_skipped(location, f"the menu item {title} ({url}): {reason}")
        return
    session.record_converted(location, f"the menu item {title} {kind} and became a link of the profile")


def _explain_missing_page(session: ImportSession, url: str, home_sections: Sequence[YamlData]) -> str:
    """The reason why the menu of the new site has no item for a URL."""
    path, _, fragment = url.partition("#")
    new_url = session.new_urls.get(normalize_old_url(session.strip_own_host(url)), "")
    names = {section if isinstance(section, str) else next(iter(section), "") for section in home_sections}
    if fragment and (fragment.casefold() in names or PAGE_ALIASES.get(fragment.casefold()) in names):
        return "a part of the homepage, which a menu cannot contain"
    if "/" in new_url.strip("/") and not fragment:
        return f"its page is now {new_url}, which a menu cannot contain; link to it in a text"
    if normalize_old_url(path).rpartition("/")[2] in ("tags", "categories", "archive", "archives", "search"):
        return "a list that the old theme made"
    return "its page was not imported"


def add_redirects(session: ImportSession) -> None:
    """Write `redirects:` from every changed URL, except if the new site has a page at the old URL."""
    page_names = _collect_page_names(session)
    used_paths = {"", *page_names, "404"}
    used_paths |= {normalize_old_url(new_url).casefold() for new_url in session.new_urls.values()}
    redirects: EntryData = {}
    for old_url, new_url in session.redirects.items():
        normalized_url = normalize_old_url(old_url).casefold()
        is_html_file = old_url.endswith(".html") and not old_url.endswith(("/index.html", "/404.html"))
        normalized_url = f"{normalized_url}.html" if is_html_file else normalized_url
        is_path = re.fullmatch(r"/[^\s\\?#%:*\"<>|]+", old_url) and not re.search(r"\.\.|//", old_url)
        if not is_path or normalized_url in used_paths or not _has_target_page(page_names, new_url):
            continue
        used_paths.add(normalized_url)
        redirects[old_url if old_url.endswith((".html", "/")) else f"{old_url}/"] = new_url
    if redirects:
        session.settings["redirects"] = redirects


def map_old_urls(session: ImportSession) -> dict[str, str]:
    """Return the new URL of each page of the old site by its normalized old URL."""
    page_names = _collect_page_names(session)
    page_urls = {"index": "/", "": "/"} | {name: f"/{name}/" for name in page_names - {"home"}}
    alias_urls = {alias: f"/{name}/" for alias, name in PAGE_ALIASES.items() if name in page_urls}
    moved_urls = {old: new for old, new in session.new_urls.items() if _has_target_page(page_names, new)}
    return {**alias_urls, **page_urls, **moved_urls}


def _has_target_page(page_names: Collection[str], new_url: str) -> bool:
    """Whether the target page of a moved URL exists; a list or a document without imported content has no page."""
    name = new_url.strip("/")
    return not name or "/" in name or name in page_names


def has_page(session: ImportSession, name: str) -> bool:
    """Whether the new site will have a page with this name."""
    return name in _collect_page_names(session)


def _collect_page_names(session: ImportSession) -> frozenset[str]:
    """Return the names of the pages of the new site."""
    names = {name for name in COLLECTION_PAGES if session.has_content(name)}
    if session.has_publications:
        names.add("publications")
    if names & CV_COLLECTIONS or any(map(session.has_collection, ("education", "experience"))):
        names.add("cv")
    return frozenset({*names, "home", *session.bib_sections, *session.list_pages, *_list_free_pages(session)})


def _list_free_pages(session: ImportSession) -> list[str]:
    matches = (re.fullmatch(r"content/pages/(.+)\.md", name) for name in sorted(session.files))
    return [match[1] for match in matches if match]


def _match_menu_item(session: ImportSession, title: str, url: str, page_names: frozenset[str]) -> str:
    """Return the name of the page that a menu item links to, or ""."""
    if re.match(r"https?://|mailto:", url) and not session.is_own_url(url):
        return ""
    fragment = url.partition("#")[2]
    normalized_url = normalize_old_url(session.strip_own_host(url))
    last_segment = fragment.casefold() if fragment else normalized_url.rpartition("/")[2].casefold()
    moved_page = normalize_old_url(session.new_urls.get(normalized_url, "/") or "/")
    guesses = (
        moved_page,
        last_segment,
        PAGE_ALIASES.get(last_segment, ""),
        collection_for_heading(last_segment.replace("-", " ")),
        collection_for_heading(title),
    )
    if not fragment and not normalized_url:
        return "home"
    return next((name for name in guesses if name and name in page_names), "")


def _build_page_config(session: ImportSession, name: str, title: str) -> YamlData:
    title = title or session.page_titles.get(name, "")
    plain_title = " ".join(re.sub(r"<[^>]*>|&\w+;", "", title).split())
    plain_title = plain_title.upper() if plain_title.casefold() in ("cv", "faq") else plain_title
    plain_title = plain_title[:1].upper() + plain_title[1:]
    default_titles = ("", name.replace("-", ""), "blog" if name == "posts" else "")
    is_default_title = re.sub(r"\W", "", plain_title).casefold() in default_titles
    if name in session.bib_sections and not session.has_collection(name):
        sections = [{name: {"bib": session.bib_sections[name], "title": ""}}]
        page_title = plain_title or name.replace("-", " ").capitalize()
        return {"name": name, "title": page_title, "sections": sections}
    if name in session.list_pages:
        page_title = plain_title or session.list_pages[name]
        return {"name": name, "title": page_title, "sections": [{name: {"title": ""}}]}
    introduction = session.page_introductions.get(name, "")
    config = filled({"name": name, "title": "" if is_default_title else plain_title, "intro": introduction})
    return name if name == "home" or len(config) == 1 else config
