"""Converts CV entries from the keys of other systems to Tenure's collections."""

import re
from collections.abc import Callable, Mapping, Sequence

from tenure.importers.gathering import Entry, Gathering, Taken, words_of
from tenure.importers.yaml_text import Data
from tenure.model.dates import Period
from tenure.model.links import is_host, is_safe
from tenure.sources.tree import Node

Phrase = Callable[[str, str], str]
"""A function that converts a text of the source, given its location, to Markdown."""

_EACH: Mapping[str, tuple[str, ...]] = {
    "summary": ("summary", "description"),
    "url": ("url", "website", "link", "certificate_url", "company_url", "organization_url"),
    "tags": ("keywords", "tags"),
}
KEYS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "education": {
        "institution": ("institution", "school", "university", "company", "organization", "name"),
        "degree": ("studyType", "degree", "course", "position"),
        "area": ("area", "major"),
        "location": ("location",),
        "grade": ("score", "gpa", "grade"),
        "rank": ("rank",),
        "thesis": ("thesis",),
        "advisors": ("advisors", "advisor", "supervisor"),
        **_EACH,
    },
    "experience": {
        "organization": ("company", "company_name", "org", "organization", "institution", "name"),
        "unit": ("department",),
        "role": ("position", "role", "title"),
        "location": ("location",),
        "advisors": ("advisors",),
        "mentors": ("mentors",),
        "topic": ("topic", "description"),
        **_EACH,
        "summary": ("summary",),
    },
    "service": {
        "role": ("position", "role", "title", "name", "label", "company"),
        "organization": ("organization", "company", "institution"),
        **_EACH,
    },
    "awards": {
        "title": ("title", "name", "label"),
        "organization": ("awarder", "issuer", "organization", "institution"),
        "amount": ("amount",),
        **_EACH,
    },
    "projects": {
        "title": ("title", "name", "label"),
        "tagline": ("tagline", "description"),
        "role": ("roles", "role", "position"),
        "technologies": ("technologies", "keywords"),
        "summary": ("summary",),
        "url": _EACH["url"],
    },
    "talks": {
        "title": ("title", "name", "label"),
        "event": ("event", "conference", "entity"),
        "place": ("location", "place"),
        "host": ("host",),
        "kind": ("kind", "type"),
        **_EACH,
    },
    "teaching": {
        "course": ("course", "title", "name", "label"),
        "role": ("position", "role"),
        "institution": ("institution", "company", "organization"),
        **_EACH,
    },
    "items": {
        "title": ("title", "name", "label", "language", "area"),
        "text": ("text", "details", "bullet", "number", "reversed_number", "reference", "fluency", "level"),
        "organization": ("organization", "company", "institution", "issuer", "awarder", "publisher"),
        "role": ("position", "role", "degree", "studyType"),
        "location": ("location",),
        **_EACH,
    },
}
"""Tenure's fields for each kind of entry, with the keys of other systems in order of preference."""

WHEN = {
    "education": "period",
    "experience": "period",
    "teaching": "term",
}
MAIN = {
    "education": "institution",
    "experience": "organization",
    "service": "role",
    "teaching": "course",
}
"""The required field for each kind of entry; "title" for kinds not listed."""

TEXTS = frozenset(
    {"topic", "summary", "text", "tagline", "degree", "area", "thesis", "title", "event", "role", "course"}
)
LISTS = frozenset({"tags", "technologies", "advisors", "mentors"})
NAMES: Mapping[str, str] = {
    "education": r"education|educacion|formation|academic background|ausbildung",
    "experience": r"(?:\w+ )?(?:experiences?|employment|work|positions?|appointments?)|(?:work|professional|employment) \w+",
    "awards": r"(?:.* )?(?:awards?|honou?rs?|grants?|fellowships?|scholarships?)(?: .*)?",
    "projects": r"(?:\w+ )?projects?",
    "talks": r"(?:.* )?(?:talks?|presentations?|lectures)",
    "teaching": r"teaching(?: experience)?",
    "service": r"(?:\w+ )?(?:service|services|volunteering|volunteer)(?: .*)?",
    "publications": r"(?:\w+ )?publications?",
}
"""Patterns of section headings for each standard collection."""


def collection_of(title: str) -> str:
    """Return the standard collection that a heading names, or "" for a custom section."""
    words = " ".join(re.sub(r"[_\W]+", " ", title).casefold().split())
    return next((name for name, form in NAMES.items() if re.fullmatch(form, words)), "")


def plain_phrase(words: str, place: str) -> str:
    """Convert plain text to Markdown by escaping formulas, tags and citations."""
    del place
    if words.count("$") > 1:
        words = words.replace("$", r"\$")
    return re.sub(r"\[(?=@)", r"\\[", re.sub(r"<(?=[a-zA-Z/!])", "&lt;", words))


def add_entry(  # noqa: PLR0913 - one argument for each property of an entry
    gathering: Gathering,
    collection: str,
    taken: Taken,
    phrase: Phrase,
    *,
    title: str = "",
    more: Mapping[str, Data] | None = None,
) -> bool:
    """Add a CV entry to a collection, with `extra_fields`; False if no value can serve as its name."""
    kind = collection if collection in KEYS else "items"
    entry: Entry = {}
    for field, keys in KEYS[kind].items():
        node = taken.node_of(*keys)
        if node is not None:
            _put(entry, field, node, phrase, gathering)
    _put_time(entry, kind, taken, gathering)
    if kind == "projects" and taken.node_of("features") is not None:
        entry["features"] = [
            point for node in taken.node.entries["features"].items for point in points_of(node, phrase)
        ]
    points = _points(taken, phrase, kind)
    if points:
        entry["details"] = points
    entry |= more or {}
    if kind == "service":
        entry |= taken.lists()
    main = MAIN.get(kind, "title")
    if main not in entry and not (kind == "talks" and {"event", "place"} & entry.keys()):
        stand_in = next((k for k in ("role", "text", "organization", "degree", "summary") if k in entry), "")
        if not stand_in:
            taken.leave(f"an entry of {collection} without a name")
            return False
        if kind != "items":
            entry = {main: entry.pop(stand_in), **entry}
    gathering.add(
        collection, {main: entry.get(main, ""), **entry} if main in entry else entry, taken.place, title
    )
    taken.finish()
    return True


def _put(entry: Entry, field: str, node: Node, phrase: Phrase, gathering: Gathering) -> None:
    place = f"{node.place.file}:{node.place.line}"
    if field in LISTS:
        values = [words_of(item) for item in node.items] if node.items else re.split(r",\s*", words_of(node))
        entry[field] = [value for value in values if value]
    elif field == "url":
        address = address_of(words_of(node))
        if address:
            entry[field] = address
        else:
            gathering.left(place, f"not a URL that can be linked: {words_of(node)}")
    else:
        words = _location(node) if field in ("location", "place") else words_of(node)
        if field in TEXTS:
            entry[field] = phrase(words, place)
            return
        entry[field], address = (
            unlinked(phrase(words, place)) if "<" in words or "](" in words else (words, "")
        )
        if address:
            entry.setdefault("url", address)


def _location(node: Node) -> str:
    """Return a geographical place in one line, also if it is written as a mapping."""
    if not node.entries:
        return words_of(node)
    parts = (node.entries.get(key) for key in ("address", "city", "region", "countryCode", "country"))
    return ", ".join(words_of(part) for part in parts if part is not None and part.value)


def address_of(words: str) -> str:
    """Return a URL that is safe to link, or ""."""
    address = re.sub(r"\s+", "%20", words.strip())
    if is_host(address):
        return f"https://{address}"
    return address if re.match(r"(?:https?://[^/]|mailto:)", address) and is_safe(address) else ""


def _padded(found: re.Match[str]) -> str:
    return f"{found[1]}-{found[2]:0>2}-{found[3]:0>2}"


def unlinked(words: str) -> tuple[str, str]:
    """Return a name without markup, and the URL of its first link, or ""."""
    found = re.search(r"\[[^\]]*\]\((https?://[^)\s]+)\)", words)
    bare = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", words)
    return " ".join(re.sub(r"\*+|\\(?=\W)", "", bare).split()), found[1] if found else ""


def date_of(words: str) -> str:
    """Return a date or period in a form that `Period.parse` accepts, without a time of day; "" if it cannot be parsed."""
    bare = re.sub(r"^\((.*)\)$", r"\1", " ".join(words.split()).strip("[]*_., "))
    bare = re.sub(
        r"\b(\d{4})-(\d\d?)-(\d\d?)(?:[T ]\d\d?:[\d:.]*(?:\s?Z|\s?[+-]\d\d:?\d\d)?)?(?!\d)", _padded, bare
    )
    bare = re.sub(r"(?<![\d/-])(\d\d?)([/-])(\d\d?)\2(\d{4})(?![\d/])", _slashed, bare)
    bare = re.sub(r"(?<![\d/])(\d\d?)/(\d{4})(?![\d/])", lambda m: f"{m[2]}-{m[1]:0>2}", bare)
    bare = re.sub(r"^([A-Z][a-z]{2})-([0-4]\d)$", lambda m: f"{m[1]} 20{m[2]}", bare)
    try:
        Period.parse(bare)
    except ValueError:
        return ""
    return bare


def _slashed(found: re.Match[str]) -> str:
    """Return a date such as 03/04/2020 in ISO format; only the year if day and month are ambiguous."""
    first, second, year = int(found[1]), int(found[3]), found[4]
    if first > 12 >= second:
        return f"{year}-{second:02}-{first:02}"
    if second > 12 >= first:
        return f"{year}-{first:02}-{second:02}"
    return f"{year}-{first:02}-{first:02}" if first == second > 1 else year


def _put_time(entry: Entry, kind: str, taken: Taken, gathering: Gathering) -> None:
    start = taken.words("startDate", "start_date", "date_start", "start")
    end = taken.words("endDate", "end_date", "date_end", "end")
    keys = ("terms", "term", "dates", "date", "releaseDate", "release_date", "year", "time", "period")
    whole = taken.words(*keys)
    expected = taken.words("expected").casefold() == "true"
    if not whole:
        once = start == end or (kind == "awards" and not end)
        whole = start if once else f"{start} - {end or 'present'}" if start else end
    if not whole:
        return
    when = date_of(f"{whole} (expected)") if expected else date_of(whole)
    if when:
        entry[WHEN.get(kind, "date")] = when
        return
    whole = whole.removesuffix(" - present") if not end else whole
    entry["note"] = whole
    gathering.changed(taken.place, f'the date "{whole}" cannot be read and is kept in the note')


def _points(taken: Taken, phrase: Phrase, kind: str) -> list[Data]:
    found: list[Data] = []
    for node in (*taken.list("highlights"), *taken.list("features")):
        found.extend(points_of(node, phrase))
    courses = taken.words("courses") if kind == "education" else ""
    if courses:
        found.append(phrase(f"Courses: {courses}", taken.place))
    return found


def points_of(node: Node, phrase: Phrase) -> Sequence[Data]:
    """Return a bullet with its nested bullets, as written by al-folio ({title, contents}) or RenderCV."""
    place = f"{node.place.file}:{node.place.line}"
    if node.value in (None, "", ()):
        return []
    if isinstance(node.value, tuple):
        return [point for item in node.items for point in points_of(item, phrase)]
    title, contents = node.entries.get("title"), node.entries.get("contents")
    if title is not None and words_of(title):
        below = [p for item in (contents.items if contents else ()) for p in points_of(item, phrase)]
        head = phrase(words_of(title), place)
        return [{head: below}] if below else [head]
    return [phrase(words_of(node), place)]
