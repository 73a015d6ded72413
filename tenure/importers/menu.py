"""Converts the old site's menu to `pages:` of site.yaml in the same order, and its URLs to `redirects:`."""

import re
from collections.abc import Iterable, Mapping, Sequence

from tenure.importers.entries import collection_of
from tenure.importers.gathering import Entry, Gathering
from tenure.importers.places import bare_address
from tenure.importers.socials import put_link
from tenure.importers.yaml_text import Data

PAGES = ("publications", "projects", "talks", "teaching", "news", "posts", "awards", "service")
"""Collections with a page of their own."""

CV = frozenset(
    {"education", "experience", "publications", "projects", "talks", "awards", "teaching", "service"}
)
NAMES: Mapping[str, str] = {
    "publication": "publications", "papers": "publications", "featured": "publications", "project": "projects",
    "portfolio": "projects", "software": "projects", "talk": "talks", "event": "talks", "events": "talks",
    "presentations": "talks", "post": "posts", "blog": "posts", "year-archive": "posts", "writing": "posts",
    "resume": "cv", "cv-json": "cv", "vita": "cv", "curriculum-vitae": "cv", "courses": "teaching",
    "accomplishments": "awards", "about": "home", "home": "home", "": "home",
}  # fmt: skip
"""Tenure's page for each name that other systems use in URLs."""

Item = tuple[str, str, str]
"""An item of a menu: its title, its URL, and its location in the source (file and line)."""


def put_menu(gathering: Gathering, items: Iterable[Item], home: Sequence[Data] = ()) -> None:
    """Write `pages:` in the order of the menu; its external links and files become profile links, other items are skipped."""
    there = _there(gathering)
    listed: dict[str, Data] = {"home": {"path": "/", "sections": home} if home else "home"}
    seen = False
    for title, address, place in items:
        seen = True
        name = _name(gathering, title, address, there)
        if name and name not in listed:
            listed[name] = _wish(gathering, name, title)
        elif not name and re.match(r"https?://|mailto:", address):
            put_link(gathering, address, title, place)
            gathering.changed(
                place, f"the menu item {title} links to another site and became a link of the profile"
            )
        elif not name and gathering.copy(address):
            gathering.links[title] = gathering.copy(address)
            gathering.changed(place, f"the menu item {title} is a file and became a link of the profile")
        elif not name:
            gathering.left(place, f"the menu item {title} ({address}): its page was not imported")
    if not seen and not home and not gathering.from_bib:
        return
    names = dict.fromkeys((*PAGES, *gathering.from_bib, *_texts(gathering), "cv"))
    for name in names:
        if name in there and name not in listed:
            wish = _wish(gathering, name, "")
            whole: dict[str, Data] = dict(wish) if isinstance(wish, Mapping) else {"name": name}
            listed[name] = {**whole, "menu": "false"} if seen else wish
    gathering.settings["pages"] = [*listed.values()]


def put_redirects(gathering: Gathering) -> None:
    """Write `redirects:` from every changed URL, except if the new site has a page at the old URL."""
    taken = {"", *(f"{name}" for name in _there(gathering)), "404"}
    taken |= {bare_address(new).casefold() for new in gathering.addresses.values()}
    kept: Entry = {}
    for old, new in gathering.redirects.items():
        bare = bare_address(old).casefold()
        if (
            bare in taken
            or not _stands(gathering, new)
            or not re.fullmatch(r"/[^\s\\?#%:*\"<>|]+", old)
            or ".." in old
            or "//" in old
        ):
            continue
        taken.add(bare)
        kept[old if old.endswith((".html", "/")) else f"{old}/"] = new
    if kept:
        gathering.settings["redirects"] = kept


def known_pages(gathering: Gathering) -> dict[str, str]:
    """Return the new URL of each page of the old site by its normalized old URL."""
    there = {"index": "/", "": "/"} | {name: f"/{name}/" for name in _there(gathering) if name != "home"}
    others = {old: f"/{new}/" for old, new in NAMES.items() if new in there}
    return {
        **others,
        **there,
        **{old: new for old, new in gathering.addresses.items() if _stands(gathering, new)},
    }


def _stands(gathering: Gathering, new: str) -> bool:
    """Whether the target page of a moved URL exists; a list or a document without imported content has no page."""
    name = new.strip("/")
    return not name or "/" in name or is_there(gathering, name)


def is_there(gathering: Gathering, name: str) -> bool:
    """Whether the new site will have a page with this name."""
    return name in _there(gathering)


def _there(gathering: Gathering) -> frozenset[str]:
    """Return the names of the pages of the new site."""
    names = {name for name in PAGES if gathering.has(name) or gathering.has_file(f"content/{name}/")}
    if gathering.has_works:
        names.add("publications")
    if names & CV or gathering.has("education") or gathering.has("experience"):
        names.add("cv")
    return frozenset({*names, "home", *gathering.from_bib, *_texts(gathering)})


def _texts(gathering: Gathering) -> list[str]:
    found = (re.fullmatch(r"content/pages/(.+)\.md", name) for name in sorted(gathering.files))
    return [path[1] for path in found if path]


def _name(gathering: Gathering, title: str, address: str, there: frozenset[str]) -> str:
    """Return the name of the page that a menu item links to, or ""."""
    if re.match(r"https?://|mailto:", address) and not gathering.is_own(address):
        return ""
    fragment = address.partition("#")[2]
    bare = bare_address(gathering.without_host(address))
    last = fragment.casefold() if fragment else bare.rpartition("/")[2].casefold()
    known = bare_address(gathering.addresses.get(bare, "/") or "/")
    guesses = (known, last, NAMES.get(last, ""), collection_of(last.replace("-", " ")), collection_of(title))
    if not fragment and not bare:
        return "home"
    return next((name for name in guesses if name and name in there), "")


def _wish(gathering: Gathering, name: str, title: str) -> Data:
    plain = " ".join(re.sub(r"<[^>]*>|&\w+;", "", title).split())
    plain = plain[:1].upper() + plain[1:]
    same = re.sub(r"\W", "", plain).casefold() in (
        "",
        name.replace("-", ""),
        "blog" if name == "posts" else "",
    )
    if name in gathering.from_bib and not gathering.has(name):
        spoken = plain or name.replace("-", " ").capitalize()
        return {
            "name": name,
            "title": spoken,
            "sections": [{name: {"bib": gathering.from_bib[name], "title": ""}}],
        }
    return name if same or name == "home" else {"name": name, "title": plain}
