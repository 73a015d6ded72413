"""Reads the configuration of a Hugo site: URL, imported language, contact data, menu and permalinks."""

import re
from collections.abc import Iterator, Mapping, Sequence

from tenure.counts import number
from tenure.frozen import dataclass
from tenure.importers.gathering import Gathering, Taken, words_of
from tenure.importers.menu import Item
from tenure.importers.samples import is_sample, is_sample_address
from tenure.importers.socials import put_link
from tenure.problems import Place
from tenure.sources.tree import Node

CONFIGS = re.compile(
    r"(?:config/(?:_default|production)/)?(hugo|config|params|menus?|languages|permalinks)(?:\.([a-z]{2}(?:-\w+)?))?\.(?:toml|ya?ml|json)"
)
NOWHERE = Place("config.toml", 1, 1)


@dataclass(frozen=True, slots=True)
class Hugo:
    """
    The configuration of a Hugo site.

    `values` has lower-case names; `content_folder` is the folder of the imported language, `language` its code
    ("" if the site has only one); `permalinks` are URL patterns by section.
    """

    values: Mapping[str, tuple[Node, ...]]
    content: str
    language: str
    permalinks: Mapping[str, str]

    def words(self, *names: str) -> str:
        """Return the first non-empty text of these settings, or ""; "params.email" is a nested setting."""
        found = (words_of(node) for name in names for node in self._all(name))
        return next((words for words in found if words), "")

    def node(self, name: str) -> Node | None:
        """Return the first non-empty value of a setting, or None."""
        return next((node for node in self._all(name) if node.value not in (None, "", (), {})), None)

    def _all(self, name: str) -> Iterator[Node]:
        first, *rest = name.casefold().split(".")
        if rest and f"{first}.{rest[0]}" in self.values:
            yield from (_within(node, rest[1:]) for node in self.values[f"{first}.{rest[0]}"])
        yield from (_within(node, rest) for node in self.values.get(first, ()))


def _within(node: Node, names: Sequence[str]) -> Node:
    """Return the value at a path of lower-case names; an empty Node if there is none."""
    for name in names:
        node = {key.casefold(): child for key, child in node.entries.items()}.get(
            name, Node(None, node.place)
        )
    return node


def read_settings(gathering: Gathering) -> Hugo:
    """Read every configuration file and determine the main language."""
    values: dict[str, list[Node]] = {}
    for path in gathering.below(""):
        found = CONFIGS.fullmatch(gathering.name_of(path))
        node = gathering.yaml(path) if found else None
        if found is None or node is None:
            continue
        kind = {"menu": "menus", "hugo": "", "config": ""}.get(found[1], found[1])
        if kind:
            values.setdefault(f"{kind}.{found[2]}" if found[2] else kind, []).append(node)
        for key, child in node.entries.items() if not kind else ():
            values.setdefault({"menu": "menus"}.get(key.casefold(), key.casefold()), []).append(child)
    frozen = {key: tuple(nodes) for key, nodes in values.items()}
    site = Hugo(frozen, "content", "", {})
    language = (site.words("defaultcontentlanguage") or "en").casefold()
    folder = site.words(f"languages.{language}.contentdir").strip("/")
    if not folder or not gathering.below(folder):
        folder = f"content/{language}" if gathering.below(f"content/{language}") else "content"
    spoken = language if folder != "content" or site.node(f"languages.{language}") else ""
    patterns = {
        key: words_of(node) for key, node in (site.node("permalinks") or Node({}, NOWHERE)).entries.items()
    }
    return Hugo(frozen, folder, spoken, patterns)


def put_settings(gathering: Gathering, site: Hugo) -> None:
    """Import URL, language, description and contact data; the other languages are reported as skipped."""
    gathering.settings["schema"] = "1"
    url = site.words(f"languages.{site.language}.baseurl", "baseurl").rstrip("/")
    if re.match(r"https?://[^/\s]", url) and not re.search(
        r"example\.(?:com|org)|localhost|netlify\.com$", url
    ):
        gathering.settings["url"] = f"{url}/"
    code = site.words(f"languages.{site.language}.languagecode", "languagecode", "locale") or site.language
    if re.fullmatch(r"[a-z]{2}(?:-[a-zA-Z]{2})?", code) and not code.startswith("en"):
        gathering.settings["language"] = code.partition("-")[0]
    told = site.words(
        f"languages.{site.language}.params.description",
        "params.description",
        "params.marketing.seo.description",
        "params.hugoblox.identity.tagline",
        "params.seo.description",
        "params.hugoblox.identity.description",
    )
    if told and not is_sample(told):
        gathering.settings["description"] = " ".join(told.split())
    email = site.words(
        f"languages.{site.language}.params.author.email",
        "params.email",
        "params.contact.email",
        "params.author.email",
    )
    if "@" in email and not is_sample_address(email):
        gathering.profile["email"] = email
    twitter = site.words(
        "params.twitter", "params.marketing.seo.twitter", "params.hugoblox.identity.social.twitter"
    )
    if twitter and not is_sample_address(f"twitter.com/{twitter}") and twitter != "wowchemy":
        put_link(gathering, f"https://twitter.com/{twitter.lstrip('@')}", "Twitter", "params")
    for key in ("phone", "address", "directions", "office_hours", "appointment_url"):
        words = site.words(f"params.{key}", f"params.contact.{key}")
        if words and not is_sample(words):
            gathering.left("params", f"{key}: {words[:90]} (write it as office: or location: in the profile)")
    gathering.left(
        "config", "the other settings configure the theme and its services; see “Themes” in the documentation"
    )
    _name_languages(gathering, site)


def _name_languages(gathering: Gathering, site: Hugo) -> None:
    """Report the documents in other languages, which are not imported."""
    folders = {
        words_of(node.entries["contentDir"]).strip("/"): name
        for name, node in (site.node("languages") or Node({}, NOWHERE)).entries.items()
        if "contentDir" in node.entries
    }
    below = {
        gathering.name_of(path).split("/")[1]
        for path in gathering.below("content")
        if gathering.name_of(path).count("/") > 1
    }
    folders |= {f"content/{name}": name for name in below if re.fullmatch(r"[a-z]{2}(?:-[a-z]{2})?", name)}
    for folder, name in sorted(folders.items()):
        count = len(gathering.below(folder))
        if folder not in (site.content, "content") and count:
            gathering.left(
                folder,
                f"{number(count, 'file')} in another language ({name}); see “Languages” in the documentation",
            )
            gathering.pass_over(folder)


def menu_of(site: Hugo) -> list[Item]:
    """Return the items of the main menu by weight; the menu of the main language takes precedence."""
    nodes = [
        site.node(f"languages.{site.language}.menus.main"),
        site.node(f"languages.{site.language}.menu.main"),
    ]
    for name in (f"menus.{site.language}", "menus"):
        nodes += [node.entries["main"] for node in site.values.get(name, ()) if "main" in node.entries]
    main = next((node for node in nodes if node is not None and node.items), None)
    found: list[tuple[float, Item]] = []
    for item in main.items if main is not None else ():
        given = {key.casefold(): words_of(value) for key, value in item.entries.items()}
        weight = given.get("weight", "")
        title, url = (
            given.get("name") or given.get("title", ""),
            given.get("url") or given.get("pageref") or given.get("identifier", ""),
        )
        if url or title:
            rank = float(weight) if re.fullmatch(r"-?\d+(?:\.\d+)?", weight) else 1000.0
            found.append((rank, (title, url, f"{item.place.file}:{item.place.line}")))
    return [item for _, item in sorted(found, key=lambda one: one[0])]


def taken_of(node: Node | None, gathering: Gathering) -> Taken:
    """Return a reader for a node, or for an empty mapping if it is None."""
    return Taken(node if node is not None else Node({}, NOWHERE), gathering)
