"""Reads the configuration of a Hugo site: URL, imported language, contact data, menu and permalinks."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tenure.counts import format_count
from tenure.importers.json_data import EMPTY_NODE
from tenure.importers.menu import MenuItem
from tenure.importers.profile import add_email, add_profile_link
from tenure.importers.samples import is_sample_text, is_sample_url
from tenure.importers.session import ImportSession, node_to_text
from tenure.importers.source_folder import location_of
from tenure.model.languages import Language, find_language
from tenure.record import Record, replace
from tenure.sources.node import Node

CONFIG_PATH = re.compile(
    r"(?:config/(?:_default|production)/)?(hugo|config|params|menus?|languages|permalinks)(?:\.([a-z]{2}(?:-\w+)?))?\.(?:toml|ya?ml|json)"
)
DESCRIPTION_SETTINGS = (
    "params.description", "params.marketing.seo.description", "params.hugoblox.identity.tagline", "params.seo.description",
    "params.hugoblox.identity.description",
)  # fmt: skip
EMAIL_SETTINGS = ("params.email", "params.contact.email", "params.author.email")
TWITTER_SETTINGS = (
    "params.twitter",
    "params.marketing.seo.twitter",
    "params.hugoblox.identity.social.twitter",
)
CONTACT_KEYS = ("phone", "address", "directions", "office_hours", "appointment_url")
CONTACT_ADVICE = "write it as office: or location: in the profile"


class HugoConfig(Record):
    """
    The configuration of a Hugo site.

    `values` has lower-case names; `content_folder` is the folder of the imported language, `language` its code
    ("" if the site has only one); `permalinks` are URL patterns by section; `is_further` is
    true for another language than the main one; with `needs_suffix`, its texts have its code in their names: index.de.md.
    """

    values: Mapping[str, tuple[Node, ...]]
    content_folder: str
    language: str
    permalinks: Mapping[str, str]
    is_further: bool = False
    needs_suffix: bool = False

    def has_text(self, path: Path) -> bool:
        """Whether a text of the content folder is in the imported language: the code in its name decides."""
        code = find_language_code(path)
        return code == self.language if self.needs_suffix else code in ("", self.language or "en")

    def read_text(self, *names: str) -> str:
        """Return the first non-empty text of these settings, or ""; "params.email" is a nested setting."""
        texts = (node_to_text(node) for name in names for node in self._iterate_nodes(name))
        return next((text for text in texts if text), "")

    def find_value(self, *names: str) -> Node:
        """Return the first non-empty value of these settings, or an empty node."""
        nodes = (node for name in names for node in self._iterate_nodes(name))
        return next((node for node in nodes if node.value not in (None, "", (), {})), EMPTY_NODE)

    def _iterate_nodes(self, name: str) -> Iterator[Node]:
        first_name, *nested_names = name.casefold().split(".")
        if nested_names:
            for node in self.values.get(f"{first_name}.{nested_names[0]}", ()):
                yield _find_nested_value(node, nested_names[1:])
        for node in self.values.get(first_name, ()):
            yield _find_nested_value(node, nested_names)


def find_language_code(path: Path) -> str:
    """The code of a language in the name of a text: "de" of index.de.md."""
    _, _, code = path.stem.partition(".")
    return code.casefold() if re.fullmatch(r"[a-z]{2}(?:-\w+)?", code, re.IGNORECASE) else ""


def _find_nested_value(node: Node, names: Sequence[str]) -> Node:
    """Return the value at a path of lower-case names; an empty Node if there is none."""
    for name in names:
        children = {key.casefold(): child for key, child in node.mapping.items()}
        node = children.get(name, Node(None, node.place))
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
    for path in session.find_files("data", ".yaml", ".yml"):  # the theme Toha
        match = re.fullmatch(r"data/(?:([a-z]{2}(?:-\w+)?)/)?author\.ya?ml", session.relative_path(path))
        node = session.read_data_file(path) if match else None
        if match and node is not None:
            name = f"languages.{match[1]}" if match[1] else ""
            author = {"author": node}
            values.setdefault(name or "author", []).append(Node(author, node.place) if name else node)
    frozen_values = {key: tuple(nodes) for key, nodes in values.items()}
    config = HugoConfig(frozen_values, "content", "", {})
    language = (config.read_text("defaultcontentlanguage") or "en").casefold()
    folder = config.read_text(f"languages.{language}.contentdir").strip("/")
    if not folder or not session.find_files(folder):
        folder = f"content/{language}" if session.find_files(f"content/{language}") else "content"
    has_languages = folder != "content" or config.find_value(f"languages.{language}").value
    main_language = language if has_languages else ""
    patterns = {**config.find_value("permalinks").mapping, **config.find_value("permalinks.page").mapping}
    url_patterns = {key: node_to_text(node) for key, node in patterns.items()}
    return HugoConfig(frozen_values, folder, main_language, url_patterns)


def import_site_settings(session: ImportSession, config: HugoConfig) -> None:
    """Import URL, language, description and contact data."""
    language = f"languages.{config.language}"
    session.settings["schema"] = "1"
    url = config.read_text(f"{language}.baseurl", "baseurl").rstrip("/")
    is_example = re.search(r"example\.(?:com|org)|localhost|netlify\.com$", url)
    if re.match(r"https?://[^/\s]", url) and not is_example:
        session.settings["url"] = f"{url}/"
    language_code = config.read_text(f"{language}.languagecode", "languagecode", "locale") or config.language
    if re.fullmatch(r"[a-z]{2}(?:-[a-zA-Z]{2})?", language_code) and not language_code.startswith("en"):
        session.settings["language"] = language_code.partition("-")[0]
    description = config.read_text(f"{language}.params.description", *DESCRIPTION_SETTINGS)
    if description and not is_sample_text(description):
        session.settings["description"] = " ".join(description.split())
    email = config.read_text(f"{language}.params.author.email", *EMAIL_SETTINGS)
    add_email(session, email)
    twitter = config.read_text(*TWITTER_SETTINGS)
    if twitter and not is_sample_url(f"twitter.com/{twitter}") and twitter != "wowchemy":
        url = twitter if "://" in twitter else f"https://twitter.com/{twitter.lstrip('@')}"
        add_profile_link(session, url, "Twitter", "params")
    for key in CONTACT_KEYS:
        text = config.read_text(f"params.{key}", f"params.contact.{key}")
        if text and not is_sample_text(text):
            session.record_skipped("params", f"{key}: {text[:90]} ({CONTACT_ADVICE})")
    session.record_skipped(
        "config", "the other settings configure the theme and its services; see “Themes” in the documentation"
    )


def list_further_languages(session: ImportSession, config: HugoConfig) -> list[HugoConfig]:
    """
    The configuration for each further language of the texts: in a folder of its own, or with its code in their names.

    A folder or a suffix that is no language that Tenure knows is reported as skipped.
    """
    paths = session.find_files("content", ".md", ".markdown")
    folders = [session.relative_path(path).split("/")[1] for path in paths if path.parent != session.root]
    codes = [code.casefold() for code in config.find_value("languages").mapping]
    codes += [name for name in folders if re.fullmatch(r"[a-z]{2}(?:-[a-z]{2,4})?", name)]
    codes += filter(None, map(find_language_code, paths))
    main_code = config.language or (config.read_text("defaultcontentlanguage") or "en").casefold()
    further: list[HugoConfig] = []
    for code in dict.fromkeys(code for code in codes if code != main_code):
        folder = config.read_text(f"languages.{code}.contentdir").strip("/") or f"content/{code}"
        own_files = session.find_files(folder) if folder not in (config.content_folder, "content") else []
        suffixed_files = [path for path in paths if find_language_code(path) == code]
        count = len(own_files or [*suffixed_files, *session.find_files(f"data/{code}/sections")])
        is_off = config.read_text(f"languages.{code}.disabled") == "true"
        own_config = replace(
            config,
            content_folder=folder if own_files else config.content_folder,
            language=code,
            is_further=True,
            needs_suffix=not own_files,
        )
        if count and not is_off and find_tag(config, code):
            further.append(own_config)
        elif count:
            reason = "a language that is switched off" if is_off else "a language without a known tag"
            description = f"{format_count(count, 'file')} in {reason} ({code})"
            session.record_skipped(own_config.content_folder, description)
            session.read_files.update(map(session.relative_path, own_files))
    return further


def find_tag(config: HugoConfig, code: str) -> Language:
    """The tag of a language of the site by its code; "" if it is unknown."""
    return find_language(code) or find_language(config.read_text(f"languages.{code}.languagecode"))


def read_main_menu(config: HugoConfig) -> list[MenuItem]:
    """Return the items of the main menu by weight, without headings and buttons; the menu of the main language takes precedence."""
    nodes = [config.find_value(f"languages.{config.language}.{name}.main") for name in ("menus", "menu")]
    for name in (f"menus.{config.language}", "menus"):
        nodes += [node.child("main") for node in config.values.get(name, ())]
    menu_items = next((node.items for node in nodes if node.items), ())
    ranked_items: list[tuple[float, MenuItem]] = []
    parents = {node_to_text(item.mapping.get("parent")) for item in menu_items}
    for item in menu_items:
        texts = {key.casefold(): node_to_text(value) for key, value in item.mapping.items()}
        title = texts.get("name") or texts.get("title", "")
        url = texts.get("url") or texts.get("pageref", "")
        is_heading = not url and bool(parents & {texts.get("identifier") or title, title})
        url = url or texts.get("identifier", "")
        if (url or title) and not is_heading and "action" not in texts.get("params", ""):
            ranked_items.append((parse_weight(texts.get("weight", "")), (title, url, location_of(item))))
    return [item for _, item in sorted(ranked_items, key=lambda ranked_item: ranked_item[0])]


def parse_weight(text: str) -> float:
    """Return a weight, by which Hugo sorts; without a number, one after all others."""
    return float(text) if re.fullmatch(r"-?\d+(?:\.\d+)?", text) else 1000.0
