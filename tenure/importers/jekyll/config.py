"""Imports _config.yml of a Jekyll site: the owner, the site's URL and language, and the sidebar with its links."""

import html
import re
from collections.abc import Mapping

from tenure.importers.cv_entries import parse_web_url
from tenure.importers.liquid_blocks import collection_for_name
from tenure.importers.liquid_includes import expand_account
from tenure.importers.profile import (
    SAMPLE_NAMES,
    add_email,
    add_profile_link,
    choose_owner_name,
    import_photo,
)
from tenure.importers.samples import is_sample_text
from tenure.importers.session import ImportSession, MappingReader, node_to_text
from tenure.importers.source_folder import location_of
from tenure.markdown.html_tags import strip_tags
from tenure.sources.node import Node
from tenure.sources.schema.links import PROFILE_SERVICES

PROFILE_URLS: Mapping[str, str] = {
    **{service: url for service, (_, url) in PROFILE_SERVICES.items()},
    "artstation": "https://www.artstation.com/{}",
    "bitbucket": "https://bitbucket.org/{}",
    "codepen": "https://codepen.io/{}",
    "dribbble": "https://dribbble.com/{}",
    "flickr": "https://www.flickr.com/{}",
    "foursquare": "https://foursquare.com/{}",
    "googlescholar": PROFILE_SERVICES["scholar"][1],
    "keybase": "https://keybase.io/{}",
    "lastfm": "https://www.last.fm/user/{}",
    "medium": "https://medium.com/@{}",
    "pinterest": "https://www.pinterest.com/{}",
    "soundcloud": "https://soundcloud.com/{}",
    "steam": "https://steamcommunity.com/id/{}",
    "tumblr": "https://{}.tumblr.com",
    "vine": "https://vine.co/u/{}",
    "wikipedia": "https://en.wikipedia.org/wiki/User:{}",
    "xing": "https://www.xing.com/profile/{}",
}
"""Profile URL pattern for each service's account name; a value that is a URL is used unchanged."""

ACCOUNT_KEY_SUFFIX = re.compile(r"[-_ ](?:user_?name|user_?id|user|id|url|handle|profile|account)$")
"""The end of a key such as github_username that is not the name of the service."""

ACCOUNT_LISTS = (
    "social", "social_links", "social-links", "social-network-links", "social_network_links", "footer-links", "footer_links",
    "accounts", "contacts", "minima", "footer",
)  # fmt: skip
"""Keys of _config.yml with the accounts of the owner, in several themes."""

PHOTO_FOLDERS = ("", "images/", "assets/images/", "assets/img/")
SAMPLE_DESCRIPTION = re.compile(r"(?:personal )?description|A simple, whitespace theme.*", re.IGNORECASE)
KEY_LABELS = {
    "uri": "Website",
    "googlescholar": "Google Scholar",
    "scholar": "Google Scholar",
    "semantic": "Semantic Scholar",
}
"""Link label for each key of the sidebar that is not a name."""

THEME_CONFIG_KEYS = re.compile(
    r"title_separator|repository|teaser|breadcrumbs|words_per_minute|future|read_more|talkmap_link|comments|staticman"
    r"|atom_feed|\w+_site_verification|og_image|social|analytics|include|exclude|keep_files|encoding|markdown_ext"
    r"|markdown|highlighter|lsi|excerpt_separator|incremental|kramdown|collections|defaults|sass|permalink|paginate\w*"
    r"|timezone|plugins|gems|whitelist|category_archive|tag_archive|compress_html|site_theme|twitter|facebook|theme"
    r"|remote_theme|publication_category|plugins_dir|minimal_mistakes_skin|masthead_title|search\w*|logo|footer|port"
    r"|host|source|destination|safe|liquid|jekyll\w*|safe|show_\w+|author_profile|header|favicon|version|google_\w+|disqus\w*"
    r"|navbar-links|navigation|navItems|nav|menu|nav_links|navbar|header_links|header_pages|theme_config|scholar|\w*analytics\w*"
)
"""Keys of _config.yml that configure the theme, its services or Jekyll."""


def import_site_settings(session: ImportSession, node: Node) -> None:
    """Import name, URL, language and the sidebar from _config.yml."""
    site_reader = MappingReader(node, session)
    author_node = site_reader.read_node("author") or Node({}, node.place)
    person_reader = MappingReader(author_node if author_node.mapping else Node({}, node.place), session)
    site_names = [site_reader.read_text(key) for key in ("name", "title")]
    names = [author_node.text, person_reader.read_text("name"), *site_names]
    session.profile["name"] = choose_owner_name([_clean_line(name, " ") for name in names if name])
    import_site_address(site_reader)
    _import_sidebar(session, person_reader)
    for key, link in site_reader.read_mapping("links").node.mapping.items():
        add_profile_link(session, expand_account(key, node_to_text(link)), key, location_of(link))
    _import_site_accounts(session, site_reader)
    if not session.profile.get("photo"):
        import_photo(site_reader, ("photo", "avatar", "author_image", "profile_image"), PHOTO_FOLDERS)
    tagline = _clean_line(site_reader.read_text("tagline", "subtitle", "role", "position"), " ")
    if tagline and not session.profile.get("role") and not is_sample_text(tagline):
        session.profile["role"] = tagline
    interests = site_reader.read_texts("research_interests", "interests")
    if interests:
        session.profile["interests"] = interests
    lists = [
        key for key, value in node.mapping.items() if is_list_of_entries(value) and collection_for_name(key)
    ]
    site_reader.report_unread_keys(*filter(THEME_CONFIG_KEYS.fullmatch, node.mapping), *lists)
    site_reader.record_skipped(
        "the other keys configure the theme and its services; “Themes” in the documentation lists Tenure's options"
    )


def _import_site_accounts(session: ImportSession, site_reader: MappingReader) -> None:
    """Import the accounts and the e-mail address in _config.yml that are not below `author:`, as in minima and beautiful-jekyll."""
    add_email(session, site_reader.read_text("email", "email_address", "e-mail"))
    for key in ACCOUNT_LISTS:
        if key in site_reader.node.mapping:
            _import_account_list(session, site_reader.read_node(key))
    _import_account_links(session, site_reader, has_own_links=False)


def _import_account_list(session: ImportSession, node: Node | None) -> None:
    """Import accounts written as a mapping of services, as a list of URLs, or as a list of mappings."""
    if node is None:
        return
    for item in node.items:
        reader = MappingReader(item if item.mapping else Node({}, item.place), session)
        service = reader.read_text("platform", "title", "label", "name", "service", "icon")
        account = (reader.read_text("user_url", "url", "link", "user", "username") or item.text).strip("#")
        url = _expand_profile_url(_find_service(service), account)
        add_profile_link(session, url, service, reader.location)
    if node.mapping:
        reader = MappingReader(node, session)
        for key in (*ACCOUNT_LISTS, "links"):
            if key in node.mapping:
                _import_account_list(session, reader.read_node(key))
        add_email(session, reader.read_text("email"))
        _import_account_links(session, reader)


def is_list_of_entries(node: Node) -> bool:
    """Whether a value is a list of mappings, such as the people of a group."""
    return bool(node.items) and all(item.mapping for item in node.items)


def list_site_values(settings: Node, prefix: str = "") -> dict[str, str]:
    """The texts of _config.yml by the names that Liquid prints: `title`, `author.name`."""
    values: dict[str, str] = {}
    for key, node in settings.mapping.items():
        values |= list_site_values(node, f"{prefix}{key}.") if node.mapping else {f"{prefix}{key}": node.text}
    return {key: text for key, text in values.items() if text and key not in ("url", "baseurl")}


def uses_emoji_names(settings: Node) -> bool:
    """Whether the site has the plugin jemoji, which replaces names such as :tada: by emoji."""
    return any("jemoji" in node_to_text(settings.mapping.get(key)) for key in ("plugins", "gems"))


def import_site_address(reader: MappingReader) -> None:
    """Import URL, language and description from _config.yml."""
    settings = reader.session.settings
    settings["schema"] = "1"
    url, base_path = reader.read_text("url").rstrip("/"), reader.read_text("baseurl").strip("/")
    if re.match(r"https?://[^/\s]", url) and not re.search(r"academicpages\.github|localhost", url):
        settings["url"] = f"{url}/{base_path}/" if base_path else f"{url}/"
    language = reader.read_text("locale", "lang")
    if re.fullmatch(r"[a-z]{2}(?:-[A-Z]{2})?", language):
        settings["language"] = language.partition("-")[0] if language.startswith("en") else language
    elif language:
        reader.record_skipped(f"lang: {language}")
    description = html.unescape(_clean_line(reader.read_text("description")))
    if description and not SAMPLE_DESCRIPTION.fullmatch(description):
        settings["description"] = description
    reader.session.record_imported(reader.location, "name, address, language and description of the site")


def _clean_line(text: str, replacement: str = "") -> str:
    return " ".join(strip_tags(text, replacement).split())


def _import_sidebar(session: ImportSession, person_reader: MappingReader) -> None:
    """Import the sidebar: role, location, photo, email and links."""
    profile, location = session.profile, person_reader.location
    bio = person_reader.read_text("bio", "role", "position")
    if bio and not is_sample_text(bio):
        profile["role"] = " ".join(re.sub(r"<br\s*/?>", ", ", bio).split())
    for key, field in (("location", "location"), ("employer", "affiliation"), ("pronouns", "pronouns")):
        text = person_reader.read_text(key)
        if text and text.casefold() not in SAMPLE_NAMES and not is_sample_text(text):
            profile[field] = text
    import_photo(person_reader, ("avatar", "picture", "image", "photo"), PHOTO_FOLDERS)
    add_email(session, person_reader.read_text("email"))
    for link in person_reader.read_mappings("links", "social"):
        label = link.read_text("label", "title", "name")
        add_profile_link(session, link.read_text("url", "link"), label, location)
        link.report_unread_keys("icon")
    _import_account_links(session, person_reader)
    person_reader.report_unread_keys()


def _import_account_links(
    session: ImportSession, reader: MappingReader, *, has_own_links: bool = True
) -> None:
    """Import the accounts of known services; with `has_own_links`, each value that is a URL is a link of the profile."""
    for key, node in reader.unread_nodes().items():
        value = node.mapping.get("username", node)
        account = node_to_text(value).lstrip("@")
        service = _find_service(key)
        is_account = service in PROFILE_URLS and not value.items and not value.mapping and " " not in account
        if is_account or (has_own_links and parse_web_url(account)):
            reader.ignore_keys(key)
            is_switch = account.casefold() in ("true", "false")
            if account.strip("#/") and not is_switch and not is_sample_text(account):
                label = KEY_LABELS.get(key, service if is_account else key)
                add_profile_link(session, _expand_profile_url(service, account), label, reader.location)


def _find_service(key: str) -> str:
    """The name of the service in a key such as github_username or google-scholar."""
    return re.sub(r"[-_ ]", "", ACCOUNT_KEY_SUFFIX.sub("", key.casefold()))


def _expand_profile_url(service: str, account: str) -> str:
    is_url = "://" in account or ("." in account and "/" in account) or "@" in account
    return account if is_url or not account else PROFILE_URLS.get(service, "{}").format(account)
