"""Imports Hugo sites with Academic, Wowchemy or Hugo Blox (four generations), and similar ones."""

import re
from collections.abc import Mapping
from pathlib import Path

from tenure.counts import number
from tenure.importers.bib_text import entries_in
from tenure.importers.gathering import Gathering, Imported
from tenure.importers.hugo_config import Hugo, menu_of, put_settings, read_settings
from tenure.importers.hugo_entries import (
    POSTS,
    PROJECTS,
    TALKS,
    put_pages,
    put_posts,
    put_projects,
    put_talks,
)
from tenure.importers.hugo_home import put_home
from tenure.importers.hugo_people import Person, put_others, put_owner, read_people
from tenure.importers.hugo_texts import HugoTexts
from tenure.importers.hugo_works import FOLDERS, put_works
from tenure.importers.menu import known_pages, put_menu, put_redirects

STATIC = (
    "",
    "static",
    "assets",
    "assets/media",
    "static/media",
    "static/img",
    "static/images",
    "static/files",
    "static/uploads",
    "assets/images",
    "assets/img",
)
"""Folders of files that are not in a document's own folder."""

MACHINERY = re.compile(
    r"(?:config|layouts|themes|resources|public|i18n|archetypes|\.?github|scripts|netlify|functions|exampleSite|assets/(?:css|scss|js|jsconfig|icons))(?:/|$)"
    r"|.*\.(?:js|css|scss|sh|lock|sum|mod|ps1|bat|Rproj|ipynb|webmanifest|xml|cmd|work|map)$|.*_index(?:\.\w+)?\.md$|data/(?:fonts|themes|page_sharer|i18n)"
    r"|(?:hugo|config|netlify|package|LICENSE|README|CONTRIBUTING|CHANGELOG|Gemfile|theme|pnpm|update_|view|start_|init|go\.|academic|CODE_OF|requirements|Makefile|preview|hugoblox|tailwind|postcss)"
    r"|static/(?:admin|css|js)/|content/(?:\w\w/)?(?:admin|home/index|privacy|terms)|content/[^/]*\.bib$|assets/media/icons|static/img/icon"
)
"""Files of the theme and of build tools, which are not reported."""

ASSETS = re.compile(
    r"\.(?:png|jpe?g|gif|svg|webp|ico|pdf|docx?|pptx?|xlsx?|zip|mp4|webm|mp3|csv|json|html?|r|rds|asc|tex)$",
    re.IGNORECASE,
)
"""Images and papers, which are reported by folder."""


def hugo(source: Path) -> Imported:
    """Import a Hugo site in its main language. The import runs twice because links need the new URLs of all pages."""
    before, cited = _gathered(source, {}, {})  # gives the new URLs of the pages
    gathering, _ = _gathered(source, known_pages(before), cited)
    return gathering.done("Hugo")


def _gathered(
    source: Path, pages: Mapping[str, str], cited: Mapping[str, str]
) -> tuple[Gathering, dict[str, str]]:
    gathering = Gathering(source)
    site = read_settings(gathering)
    put_settings(gathering, site)
    url = str(gathering.settings.get("url", ""))
    texts = HugoTexts(gathering, pages, frozenset(cited.values()), url, STATIC, cited)
    people = read_people(gathering, site)
    owner = _put_owner(texts, site, people)
    names = {key: person.name for person in people for key in (person.user, person.name.casefold())}
    related, keys = put_works(texts, site, names)
    _put_bibliographies(gathering)
    put_talks(texts, site)
    put_projects(texts, site, related)
    put_posts(texts, site)
    home = put_home(texts, site, owner)
    put_pages(texts, site, (*FOLDERS, *TALKS, *PROJECTS, *POSTS))
    put_others(texts, [person for person in people if person is not owner])
    put_menu(gathering, menu_of(site), home)
    put_redirects(gathering)
    gathering.name_the_rest(MACHINERY, ASSETS)
    return gathering, keys


def _put_owner(texts: HugoTexts, site: Hugo, people: list[Person]) -> Person | None:
    """Import the owner's file, or the author in the configuration."""
    gathering = texts.gathering
    title = site.words(f"languages.{site.language}.title", "title", "params.hugoblox.identity.name")
    first = people[0] if people else None
    chief = first is not None and (first.owner or first.user in ("me", "admin") or len(people) == 1)
    if first is not None and chief:
        put_owner(texts, first)
        return first
    author = site.words(
        f"languages.{site.language}.params.author.name", "params.author.name", "author.name", "params.name"
    )
    gathering.profile["name"] = author or title
    gathering.profile["role"] = site.words(
        f"languages.{site.language}.params.author.headline", "params.author.headline"
    )
    return None


def _put_bibliographies(gathering: Gathering) -> None:
    """Copy the site's .bib files, unless the publication folders generated from them were imported."""
    for path in gathering.below("", ".bib"):
        name = gathering.name_of(path)
        if path.parent == gathering.root or (
            "/publication" in f"/{name}" and path.parent.name.startswith("publication")
        ):
            text = gathering.text(path) or ""
            if gathering.has_works:
                gathering.left(name, "a bibliography; its publications were imported")
            elif text:
                gathering.write(f"bib/{path.stem}.bib", text)
                gathering.came(name, number(sum(1 for _ in entries_in(text)), "entry", "entries"))
