"""Reads the configuration of a Hugo site: URL, imported language, contact data, menu and permalinks."""

import re
from collections.abc import Iterator, Mapping, Sequence

from tenure.counts import format_count
from tenure.importers.menu import MenuItem
from tenure.importers.profile_links import add_profile_link
from tenure.importers.samples import is_sample_text, is_sample_url
from tenure.importers.session import ImportSession, MappingReader, node_to_text
from tenure.problems import Place
from tenure.record import Record
from tenure.sources.node import Node

CONFIG_PATH = re.compile(
    r"(?:config/(?:_default|production)/)?(hugo|config|params|menus?|languages|permalinks)(?:\.([a-z]{2}(?:-\w+)?))?\.(?:toml|ya?ml|json)"
)
UNKNOWN_PLACE = Place("config.toml", 1, 1)


class HugoConfig(Record):
    """
    The configuration of a Hugo site.

    `values` has lower-case names; `content_folder` is the folder of the imported language, `language` its code
    ("" if the site has only one); `permalinks` are URL patterns by section.
    """

    values: Mapping[str, tuple[Node, ...]]
    content_folder: str
    language: str
    permalinks: Mapping[str, str]

    def read_text(self, *names: str) -> str:
        """Return the first non-empty text of these settings, or ""; "params.email" is a nested setting."""
        texts = (node_to_text(node) for name in names for node in self._iterate_nodes(name))
        return next((text for text in texts if text), "")

    def find_node(self, name: str) -> Node | None:
        """Return the first non-empty value of a setting, or None."""
        return next(
            (node for node in self._iterate_nodes(name) if node.value not in (None, "", (), {})), None
        )

    def _iterate_nodes(self, name: str) -> Iterator[Node]:
        first_name, *nested_names = name.casefold().split(".")
        if nested_names and f"{first_name}.{nested_names[0]}" in self.values:
            yield from (
                _find_nested_value(node, nested_names[1:])
                for node in self.values[f"{first_name}.{nested_names[0]}"]
            )
        yield from (_find_nested_value(node, nested_names) for node in self.values.get(first_name, ()))


def _find_nested_value(node: Node, names: Sequence[str]) -> Node:
    """Return the value at a path of lower-case names; an empty Node if there is none."""
    for name in names:
        node = {key.casefold(): child for key, child in node.mapping.items()}.get(
            name, Node(None, node.place)
        )
    return node


def read_hugo_config(session: ImportSession) -> HugoConfig:
    """Read every configuration file and determine the main language."""
    values: dict[str, list[Node]] = {}
    for path in session.find_files(""):
        match = CONFIG_PATH.fullmatch(session.relative_path(path))
        node = session.read_data_file(path) if match else None
        if match is None or node is None:
            continue
        section_name = {"menu": "menus", "hugo": "", "config": ""}.get(match[1], match[1])
        if section_name:
            values.setdefault(f"{section_name}.{match[2]}" if match[2] else section_name, []).append(node)
        for key, child in node.mapping.items() if not section_name else ():
            values.setdefault({"menu": "menus"}.get(key.casefold(), key.casefold()), []).append(child)
    frozen_values = {key: tuple(nodes) for key, nodes in values.items()}
    config = HugoConfig(frozen_values, "content", "", {})
    language = (config.read_text("defaultcontentlanguage") or "en").casefold()
    folder = config.read_text(f"languages.{language}.contentdir").strip("/")
    if not folder or not session.find_files(folder):
        folder = f"content/{language}" if session.find_files(f"content/{language}") else "content"
    main_language = language if folder != "content" or config.find_node(f"languages.{language}") else ""
    url_patterns = {
        key: node_to_text(node)
        for key, node in (config.find_node("permalinks") or Node({}, UNKNOWN_PLACE)).mapping.items()
    }
    return HugoConfig(frozen_values, folder, main_language, url_patterns)


def import_site_settings(session: ImportSession, config: HugoConfig) -> None:
    """Import URL, language, description and contact data; the other languages are reported as skipped."""
    session.settings["schema"] = "1"
    url = config.read_text(f"languages.{config.language}.baseurl", "baseurl").rstrip("/")
    if re.match(r"https?://[^/\s]", url) and not re.search(
        r"example\.(?:com|org)|localhost|netlify\.com$", url
    ):
        session.settings["url"] = f"{url}/"
    language_code = (
        config.read_text(f"languages.{config.language}.languagecode", "languagecode", "locale")
        or config.language
    )
    if re.fullmatch(r"[a-z]{2}(?:-[a-zA-Z]{2})?", language_code) and not language_code.startswith("en"):
        session.settings["language"] = language_code.partition("-")[0]
    description = config.read_text(
        f"languages.{config.language}.params.description",
        "params.description",
        "params.marketing.seo.description",
        "params.hugoblox.identity.tagline",
        "params.seo.description",
        "params.hugoblox.identity.description",
    )
    if description and not is_sample_text(description):
        session.settings["description"] = " ".join(description.split())
    email = config.read_text(
        f"languages.{config.language}.params.author.email",
        "params.email",
        "params.contact.email",
        "params.author.email",
    )
    if "@" in email and not is_sample_url(email):
        session.profile["email"] = email
    twitter = config.read_text(
        "params.twitter", "params.marketing.seo.twitter", "params.hugoblox.identity.social.twitter"
    )
    if twitter and not is_sample_url(f"twitter.com/{twitter}") and twitter != "wowchemy":
        add_profile_link(session, f"https://twitter.com/{twitter.lstrip('@')}", "Twitter", "params")
    for key in ("phone", "address", "directions", "office_hours", "appointment_url"):
        text = config.read_text(f"params.{key}", f"params.contact.{key}")
        if text and not is_sample_text(text):
            session.record_skipped(
                "params", f"{key}: {text[:90]} (write it as office: or location: in the profile)"
            )
    session.record_skipped(
        "config", "the other settings configure the theme and its services; see “Themes” in the documentation"
    )
    _report_other_languages(session, config)


def _report_other_languages(session: ImportSession, config: HugoConfig) -> None:
    """Report the documents in other languages, which are not imported."""
    language_folders = {
        node_to_text(node.mapping["contentDir"]).strip("/"): name
        for name, node in (config.find_node("languages") or Node({}, UNKNOWN_PLACE)).mapping.items()
        if "contentDir" in node.mapping
    }
    subfolders = {
        session.relative_path(path).split("/")[1]
        for path in session.find_files("content")
        if session.relative_path(path).count("/") > 1
    }
    language_folders |= {
        f"content/{name}": name for name in subfolders if re.fullmatch(r"[a-z]{2}(?:-[a-z]{2})?", name)
    }
    for folder, name in sorted(language_folders.items()):
        count = len(session.find_files(folder))
        if folder not in (config.content_folder, "content") and count:
            session.record_skipped(
                folder,
                f"{format_count(count, 'file')} in another language ({name}); see “Languages” in the documentation",
            )
            session.ignore_folder(folder)


def read_main_menu(config: HugoConfig) -> list[MenuItem]:
    """Return the items of the main menu by weight; the menu of the main language takes precedence."""
    nodes = [
        config.find_node(f"languages.{config.language}.menus.main"),
        config.find_node(f"languages.{config.language}.menu.main"),
    ]
    for name in (f"menus.{config.language}", "menus"):
        nodes += [node.mapping["main"] for node in config.values.get(name, ()) if "main" in node.mapping]
    menu_node = next((node for node in nodes if node is not None and node.items), None)
    ranked_items: list[tuple[float, MenuItem]] = []
    for item in menu_node.items if menu_node is not None else ():
        item_values = {key.casefold(): node_to_text(value) for key, value in item.mapping.items()}
        weight = item_values.get("weight", "")
        title, url = (
            item_values.get("name") or item_values.get("title", ""),
            item_values.get("url") or item_values.get("pageref") or item_values.get("identifier", ""),
        )
        if url or title:
            rank = float(weight) if re.fullmatch(r"-?\d+(?:\.\d+)?", weight) else 1000.0
            ranked_items.append((rank, (title, url, f"{item.place.file}:{item.place.line}")))
    return [item for _, item in sorted(ranked_items, key=lambda one: one[0])]


def reader_for_node(node: Node | None, session: ImportSession) -> MappingReader:
    """Return a reader for a node, or for an empty mapping if it is None."""
    return MappingReader(node if node is not None else Node({}, UNKNOWN_PLACE), session)
