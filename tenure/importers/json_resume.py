"""Import JSON Resume, version 1 and the drafts before it."""

from collections.abc import Mapping
from pathlib import Path

from tenure.importers.csl_json import put_item
from tenure.importers.entries import add_entry, address_of, plain_phrase
from tenure.importers.gathering import Gathering, Imported, Taken, words_of
from tenure.importers.latex_text import joined_names
from tenure.importers.people import put_person
from tenure.importers.places import files_of
from tenure.importers.works import Works
from tenure.sources.tree import Node

COLLECTIONS: Mapping[str, str] = {
    "work": "experience",
    "volunteer": "service",
    "education": "education",
    "awards": "awards",
    "projects": "projects",
    "talks": "talks",
    "service": "service",
    "teaching": "teaching",
}
"""Sections of a resume and their collections; other sections keep their name. Source: jsonresume.org/schema."""

TITLES: Mapping[str, str] = {"languages": "Languages", "skills": "Skills", "references": "References"}
SILENT = frozenset({"$schema", "meta"})


def json_resume(source: Path) -> Imported:
    """Import a resume.json as a profile, an introduction, collections and BibTeX publications."""
    gathering = Gathering(source)
    path = source if source.is_file() else resume_in(source)
    node = gathering.yaml(path) if path is not None else None
    if node is not None:
        read_resume(gathering, node)
    return gathering.done("JSON Resume")


def resume_in(folder: Path) -> Path | None:
    """The resume in a folder: resume.json, or else the first JSON file with "resume" in its name."""
    found = [path for path in files_of(folder) if path.suffix == ".json" and "resume" in path.stem.casefold()]
    return min(
        found, key=lambda path: (path.name != "resume.json", len(path.parts), path.as_posix()), default=None
    )


def read_resume(gathering: Gathering, node: Node) -> None:
    """Import all sections of a resume."""
    works = Works(gathering)
    for name, part in node.entries.items():
        if name in SILENT or part.value in (None, "", ()):
            continue
        if name == "basics":
            _put_basics(gathering, Taken(part, gathering))
        elif name == "interests":
            _put_interests(gathering, part)
        elif name == "publications":
            for item in part.items:
                put_publication(gathering, Taken(item, gathering), works)
        elif not isinstance(part.value, tuple):
            gathering.left(f"{part.place.file}:{part.place.line}", f"{name}: {words_of(part)[:70]}")
        else:
            _put_list(gathering, name, part)
    works.write()


def _put_list(gathering: Gathering, name: str, part: Node) -> None:
    for item in part.items:
        taken = Taken(item, gathering)
        collection = COLLECTIONS.get(name, name.casefold())
        kind = item.entries.get("type")
        if name == "projects" and kind is not None and kind.words.casefold() in ("talk", "presentation"):
            collection = "talks"
        title = "" if name in COLLECTIONS else TITLES.get(name, name.capitalize())
        add_entry(gathering, collection, taken, plain_phrase, title=title)


def _put_basics(gathering: Gathering, taken: Taken) -> None:
    url = address_of(taken.words("url"))
    if url and gathering.settings.setdefault("url", url) == url:
        gathering.settings = {"schema": "1", **gathering.settings}
        gathering.came(taken.place, f"the URL of the site, {url}")
    elif url:
        gathering.links["website"] = url
    put_person(gathering, taken, plain_phrase)
    for node in taken.list("profiles"):
        profile = Taken(node, gathering)
        network, user = profile.words("network"), profile.words("username")
        url = address_of(profile.words("url"))
        if url or user:
            gathering.links[network or url] = url or user
        else:
            profile.leave("profiles")
        profile.finish()
    summary = taken.words("summary")
    if summary:
        gathering.write("content/about.md", f"{plain_phrase(summary, taken.place)}\n")
        gathering.came(taken.place, "introduction")
    taken.finish()


def _put_interests(gathering: Gathering, part: Node) -> None:
    interests = []
    for item in part.items:
        taken = Taken(item, gathering)
        name, words = taken.words("name"), taken.words("keywords")
        interests.append(f"{name} ({words})" if name and words else name or words or item.words)
        taken.finish()
    gathering.profile["interests"] = [interest for interest in interests if interest]
    gathering.came(f"{part.place.file}:{part.place.line}", "interests")


def put_publication(gathering: Gathering, taken: Taken, works: Works) -> None:
    """Import a publication as BibTeX; its type and authors are not in the schema, so that they must be added is reported."""
    title = taken.words("name", "title")
    if not title:
        gathering.left(taken.place, "a publication without a title")
        return
    csl = taken.node_of("csl")
    authors = joined_names([words_of(node) for node in taken.list("authors")])
    fields = {
        "author": authors,
        "title": title,
        "howpublished": taken.words("publisher", "journal"),
        "date": taken.words("releaseDate", "date"),
        "url": address_of(taken.words("url", "website")),
        "abstract": taken.words("summary"),
        "award": "; ".join(words_of(node) for node in taken.list("awards")),
    }
    if csl is not None and csl.entries:
        known = {name: fields[name] for name in ("title", "url", "abstract", "award")}
        item = {**csl.entries, "title": Node(title, csl.place)}
        put_item(works, Taken(Node(item, csl.place, csl.keys), gathering), known)
    else:
        key = works.add("misc", fields, {}, taken.place)
        told = "its kind" if authors else "its kind and authors"
        gathering.changed(
            taken.place, f"bib/papers.bib: {key} is @misc; add {told}, which JSON Resume does not contain"
        )
    taken.finish()
