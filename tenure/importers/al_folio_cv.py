"""Imports al-folio's _data/cv.yml: a list of tables in version 0, RenderCV's format in version 1."""

from collections.abc import Callable, Mapping

from tenure.importers.bib_text import BibWriter
from tenure.importers.entries import KEYS, Phrase, collection_of, date_of, points_of, unlinked
from tenure.importers.gathering import Entry, Gathering, Taken, words_of
from tenure.importers.rendercv import RESERVED, put_bare_publication, read_cv
from tenure.importers.samples import is_einstein, is_sample
from tenure.sources.tree import Node
from tenure.text import slug

Put = Callable[[Gathering, str, str, Node, Phrase], None]


def read_cv_data(gathering: Gathering, node: Node, phrase: Phrase, owner: str) -> None:
    """Import a CV of either version."""
    if "cv" in node.entries:
        name, links = gathering.profile.get("name", ""), dict(gathering.links)
        read_cv(gathering, Taken(node.entries["cv"], gathering), phrase)
        gathering.profile["name"] = name or gathering.profile["name"]
        gathering.links = {**links, **{k: v for k, v in gathering.links.items() if v not in links.values()}}
        return
    bib = BibWriter()
    for part in node.items:
        section = Taken(part, gathering)
        title, kind = section.words("title"), section.words("type")
        contents = section.list("contents")
        section.finish()
        for item in contents:
            if item.value in (None, ""):
                continue
            place = f"{item.place.file}:{item.place.line}"
            if is_sample(words_of(item)) or is_einstein(words_of(item), owner):
                gathering.left(place, f"sample content of the template: {words_of(item)[:70]}")
            elif kind == "time_table" and collection_of(title) == "publications" and item.entries:
                put_bare_publication(gathering, Taken(item, gathering), bib)
            else:
                PUTS.get(kind, _put_any)(gathering, title, place, item, phrase)
    bib.write(gathering, "bib/cv.bib")


def _own(title: str) -> str:
    """Return the collection name of a custom heading."""
    name = slug(title) or "more"
    return f"{name}-list" if name in RESERVED | KEYS.keys() else name


def _put_row(gathering: Gathering, title: str, place: str, item: Node, phrase: Phrase) -> None:
    """Import a row of a time table: a degree, a position, an award, or a year with lines of text."""
    taken = Taken(item, gathering)
    collection = collection_of(title)
    head, where = phrase(taken.words("title"), place), phrase(taken.words("institution"), place)
    year = taken.words("year", "date")
    when = date_of(year)
    main = phrase(taken.words("maindescription"), place)
    points = [
        point
        for key in ("description", "courses")
        for node in taken.list(key)
        for point in points_of(node, phrase)
    ]
    lines = [phrase(words_of(node), place) for node in taken.list("items")]
    for node in taken.list("linkitems"):
        link = Taken(node, gathering)
        lines.append(phrase(f"[{link.words('linkname')}]({link.words('link')})", place))
    if lines and not head and not where:
        field, named = ("title", "awards") if collection == "awards" else ("text", _own(title))
        for line in filter(None, lines):
            gathering.add(
                named,
                {field: line} | ({"date": when} if when else {}),
                place,
                "" if named == "awards" else title,
            )
        taken.finish()
        return
    collection, entry = _named(collection, title, head, where)
    if "unit" in entry:
        entry["unit"] = taken.words("department")
    entry |= {
        "location": taken.words("location") if collection not in ("awards", "projects") else "",
        ("period" if collection in ("education", "experience") else "date"): when,
        "summary": main,
        "details": [*points, *lines],
        "note": "" if when else year,
    }
    if year and not when:
        gathering.changed(place, f'the date "{year}" cannot be read and is kept in the note')
    title = "" if collection in KEYS else title
    gathering.add(collection, {key: value for key, value in entry.items() if value}, place, title)
    taken.finish()


def _named(collection: str, title: str, head: str, where: str) -> tuple[str, Entry]:
    """Return the collection of a row and its naming fields: school and degree, organization and role, or title."""
    if collection in ("education", "experience") and where:
        name, url = unlinked(where)
        if collection == "education":
            return collection, {"institution": name, "degree": head, "url": url}
        return collection, {"organization": name, "unit": "", "role": head, "url": url}
    known = collection if collection in ("awards", "projects") else _own(title)
    return known, {"title": head or where, "organization": where if head and known != "projects" else ""}


def _put_fact(gathering: Gathering, title: str, place: str, item: Node, phrase: Phrase) -> None:
    """Import a name and value of a map section."""
    taken = Taken(item, gathering)
    name, value = taken.words("name"), phrase(taken.words("value"), place)
    links = [Taken(node, gathering) for node in taken.list("links")]
    value = value or ", ".join(
        phrase(f"[{link.words('name')}]({link.words('link')})", place) for link in links
    )
    if name.casefold() in ("full name", "name"):
        taken.finish()
        return
    if value and "birth" not in name.casefold():
        gathering.add(_own(title), {"title": name, "text": value}, place, title)
    else:
        gathering.left(place, f"{name}: a homepage does not need it")
    taken.finish()


def _put_any(gathering: Gathering, title: str, place: str, item: Node, phrase: Phrase) -> None:
    """Import an item of a list, or a heading with items."""
    if not item.entries:
        for point in points_of(item, phrase):
            if isinstance(point, str):
                gathering.add(_own(title), {"text": point}, place, title)
        return
    taken = Taken(item, gathering)
    head = phrase(taken.words("title", "category", "name", "label"), place)
    points = [
        point for node in taken.list("items", "contents", "description") for point in _lines_of(node, phrase)
    ]
    words = phrase(taken.words("value", "details", "summary"), place)
    entry: Entry = {"title": head, "text": words, "details": points}
    full = {key: value for key, value in entry.items() if value}
    taken.drop("icon")
    if full:
        gathering.add(_own(title), full, place, title)
    taken.finish()


def _lines_of(node: Node, phrase: Phrase) -> list[str]:
    """Return an item of a group as one line: its name, then its other values."""
    place = f"{node.place.file}:{node.place.line}"
    if not node.entries:
        return [phrase(words_of(node), place)] if node.value else []
    parts = {key: words_of(child) for key, child in node.entries.items() if key != "icon"}
    name, link = parts.pop("name", parts.pop("title", parts.pop("linkname", ""))), parts.pop("link", "")
    shown = f"[{name}]({link})" if link and name else name or link
    return [phrase(", ".join(part for part in (shown, *parts.values()) if part), place)]


PUTS: Mapping[str, Put] = {"time_table": _put_row, "map": _put_fact}
"""The importer for each section type; `_import_list_item` is used for all others."""
