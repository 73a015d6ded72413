"""Import RenderCV: a CV in YAML whose sections are lists of entries of one type."""

import re
from pathlib import Path

from tenure.importers.bib_text import BibWriter, names_of
from tenure.importers.entries import (
    KEYS,
    Phrase,
    add_entry,
    address_of,
    collection_of,
    plain_phrase,
    points_of,
)
from tenure.importers.gathering import Gathering, Imported, Taken, words_of
from tenure.importers.latex_text import joined_names
from tenure.importers.people import put_person
from tenure.importers.places import files_of
from tenure.sources.tree import Node
from tenure.text import slug

INTRODUCTIONS = re.compile(r"(?:\w+ )?(?:summary|profile|about(?: me)?|objective|welcome.*)", re.IGNORECASE)
LOOKS = ("design", "locale", "locale_catalog", "settings", "rendercv_settings")
RESERVED = frozenset(
    {"profile", "publications", "coauthors", "about", "pages", "posts", "news", "files", "images"}
)


def rendercv(source: Path) -> Imported:
    """Import a RenderCV file as a profile, collections and BibTeX publications."""
    gathering = Gathering(source)
    paths = [source] if source.is_file() else cvs_in(source)
    for i, path in enumerate(paths):
        if i:
            gathering.left(
                gathering.name_of(path), f"another CV; import {path.name} separately into its own site"
            )
            continue
        node = gathering.yaml(path)
        for key in LOOKS:
            if node is not None and key in node.entries:
                gathering.left(
                    f"{node.keys[key].file}:{node.keys[key].line}",
                    f"{key}: the look of the CV; see “CVs” in the documentation",
                )
        if node is not None and "cv" in node.entries:
            read_cv(gathering, Taken(node.entries["cv"], gathering), plain_phrase)
    return gathering.done("RenderCV")


def cvs_in(folder: Path) -> list[Path]:
    """The YAML files of a folder that contain a CV, the largest first."""
    found = []
    for path in (path for path in files_of(folder) if path.suffix in (".yaml", ".yml")):
        text = path.read_text(encoding="utf-8", errors="replace")
        if re.search(r"^cv:", text, re.MULTILINE) and re.search(
            r"^\s+(?:name|sections):", text, re.MULTILINE
        ):
            found.append((-len(text), path.as_posix(), path))
    return [path for _, _, path in sorted(found)]


def read_cv(gathering: Gathering, taken: Taken, phrase: Phrase) -> None:
    """Import the value of `cv:`, the format of RenderCV and al-folio 1."""
    put_person(gathering, taken, phrase)
    for node in taken.list("social_networks", "profiles"):
        network = Taken(node, gathering)
        label, user = network.words("network"), network.words("username")
        url = address_of(network.words("url"))
        if label and (user or url):
            gathering.links[label.replace(" ", "").casefold() if user else label] = url or user
        else:
            network.leave("social_networks")
        network.finish()
    for node in taken.list("custom_connections"):
        connection = Taken(node, gathering)
        url = address_of(connection.words("url"))
        if url:
            gathering.links[connection.words("placeholder", "label") or url] = url
        else:
            connection.leave("custom_connections")
        connection.drop("fontawesome_icon")
        connection.finish()
    summary = taken.words("summary")
    if summary:
        put_introduction(gathering, [phrase(summary, taken.place)], taken.place)
    sections = taken.node_of("sections")
    bib = BibWriter()
    for title, part in (sections.entries if sections is not None else {}).items():
        read_section(gathering, title, part, phrase, bib)
    bib.write(gathering)
    taken.finish()


def put_introduction(gathering: Gathering, paragraphs: list[str], place: str) -> None:
    """Append paragraphs to about.md."""
    before = gathering.files.get("content/about.md", "")
    text = "\n\n".join(paragraphs) + "\n"
    gathering.files["content/about.md"] = f"{before}\n{text}" if isinstance(before, str) and before else text
    gathering.came(place, "introduction")


def read_section(gathering: Gathering, title: str, part: Node, phrase: Phrase, bib: BibWriter) -> None:
    """Import a section into the collection that its heading and the keys of its entries determine."""
    items = part.items if isinstance(part.value, tuple) else (part,)
    heading = title.replace("_", " ").strip() if "_" in title or title.islower() else title.strip()
    heading = heading[:1].upper() + heading[1:]
    if all(item.words for item in items) and INTRODUCTIONS.fullmatch(heading):
        place = f"{part.place.file}:{part.place.line}"
        put_introduction(gathering, [phrase(words_of(item), place) for item in items], place)
        return
    collection = _where(heading, items)
    own = "" if collection in KEYS else heading
    _tell_renamed(gathering, title, part, collection)
    for item in items:
        if item.value in (None, ""):
            continue
        place = f"{item.place.file}:{item.place.line}"
        if item.words:
            _put_line(gathering, collection, phrase(item.words, place), place, own)
        elif "authors" in item.entries and "title" in item.entries:
            _put_paper(gathering, Taken(item, gathering), phrase, bib)
        elif isinstance(item.value, tuple):
            for point in points_of(item, phrase):
                if isinstance(point, str):
                    _put_line(gathering, collection, point, place, own)
        elif collection == "publications":
            put_bare_publication(gathering, Taken(item, gathering), bib)
        else:
            taken = Taken(item, gathering)
            taken.drop("icon")
            add_entry(gathering, collection, taken, phrase, title=own)


def _tell_renamed(gathering: Gathering, title: str, part: Node, collection: str) -> None:
    """Report a section that has the name of a known collection but not its keys."""
    if collection.endswith("-list"):
        words = f"{title} is not a list of such entries and was written to content/{collection}.yaml"
        gathering.changed(f"{part.place.file}:{part.place.line}", words)


def _where(heading: str, items: tuple[Node, ...]) -> str:
    """The collection of a section: a known one if its entries have the required keys."""
    known = collection_of(heading)
    keys = {key for item in items for key in item.entries}
    if known == "education" and not keys & set(KEYS["education"]["institution"]):
        known = ""
    if known == "experience" and not keys & set(KEYS["experience"]["organization"]):
        known = ""
    if known == "publications" and not keys:
        known = ""
    name = known or slug(heading) or "more"
    return f"{name}-list" if not known and name in RESERVED | KEYS.keys() else name


def _put_line(gathering: Gathering, collection: str, words: str, place: str, title: str) -> None:
    main = {"awards": "title", "talks": "title", "projects": "title", "service": "role", "teaching": "course"}
    gathering.add(collection, {main.get(collection, "text"): words}, place, title)


def _put_paper(gathering: Gathering, taken: Taken, phrase: Phrase, bib: BibWriter) -> None:
    del phrase
    authors = [names_of(words_of(node)) for node in taken.list("authors")]
    journal = taken.words("journal", "publisher")
    fields = {
        "author": joined_names(authors),
        "title": taken.words("title"),
        "journal": journal,
        "date": taken.words("date", "releaseDate"),
        "doi": taken.words("doi"),
        "url": address_of(taken.words("url")),
        "note": taken.words("summary"),
    }
    key = bib.add("article" if journal else "misc", fields)
    gathering.came(taken.place, f"publications: {key}")
    taken.finish()


def put_bare_publication(gathering: Gathering, taken: Taken, bib: BibWriter) -> None:
    """Import a publication without authors as BibTeX, and report that they must be added."""
    title = taken.words("title", "name", "label")
    if not title:
        gathering.left(taken.place, "a publication without a title")
        return
    fields = {
        "title": title,
        "howpublished": taken.words("publisher", "journal", "details"),
        "date": taken.words("date", "releaseDate"),
        "url": address_of(taken.words("url")),
        "note": taken.words("summary"),
    }
    key = bib.add("misc", fields)
    gathering.came(taken.place, f"publications: {key}")
    gathering.changed(taken.place, f"bib/papers.bib: {key} has no authors in the source; add them")
    taken.finish()
