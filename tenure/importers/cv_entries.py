"""Converts CV entries from the keys of other systems to Tenure's collections."""

import re
from collections.abc import Callable, Mapping, Sequence

from tenure.importers.session import EntryData, ImportSession, MappingReader, join_filled, node_to_text
from tenure.importers.source_folder import location_of
from tenure.importers.yaml_writer import YamlData
from tenure.model.dates import Period
from tenure.model.links import is_bare_host_url, is_safe_url
from tenure.sources.node import Node

MarkdownFunction = Callable[[str, str], str]
"""A function that converts a text of the source, given its location, to Markdown."""

_SHARED_KEYS: Mapping[str, tuple[str, ...]] = {
    "summary": ("summary", "description"),
    "url": ("url", "website", "link", "certificate_url", "company_url", "organization_url"),
    "tags": ("keywords", "tags"),
    "note": ("note",),
}
_NOTE_KEYS: Mapping[str, tuple[str, ...]] = {"note": ("note", "location")}
"""The keys of a note of an entry that has no field for a place."""

SOURCE_KEYS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "education": {
        "institution": ("institution", "school", "university", "company", "organization", "name"),
        "degree": ("studyType", "degree", "course", "position", "title"),
        "area": ("area", "major"),
        "location": ("location",),
        "grade": ("score", "gpa", "grade"),
        "rank": ("rank",),
        "thesis": ("thesis",),
        "advisors": ("advisors", "advisor", "supervisor"),
        **_SHARED_KEYS,
    },
    "experience": {
        "organization": ("company", "company_name", "org", "organization", "institution", "name"),
        "unit": ("department",),
        "role": ("position", "role", "title"),
        "location": ("location",),
        "advisors": ("advisors",),
        "mentors": ("mentors",),
        "topic": ("topic", "description"),
        **_SHARED_KEYS,
        "summary": ("summary",),
    },
    "service": {
        "role": ("position", "role", "title", "name", "label", "company"),
        "organization": ("organization", "company", "institution"),
        **_SHARED_KEYS,
        **_NOTE_KEYS,
    },
    "awards": {
        "title": ("title", "name", "label"),
        "organization": ("awarder", "issuer", "organization", "institution", "company"),
        "amount": ("amount",),
        **_SHARED_KEYS,
        **_NOTE_KEYS,
    },
    "projects": {
        "title": ("title", "name", "label"),
        "tagline": ("tagline", "description"),
        "role": ("roles", "role", "position"),
        "technologies": ("technologies", "keywords", "tags"),
        "summary": ("summary",),
        "url": _SHARED_KEYS["url"],
        **_NOTE_KEYS,
    },
    "talks": {
        "title": ("title", "name", "label"),
        "event": ("event", "conference", "entity"),
        "place": ("location", "place"),
        "host": ("host",),
        "kind": ("kind", "type"),
        **_SHARED_KEYS,
    },
    "teaching": {
        "course": ("course", "title", "name", "label"),
        "role": ("position", "role"),
        "institution": ("institution", "company", "organization"),
        **_SHARED_KEYS,
        **_NOTE_KEYS,
    },
    "items": {
        "title": ("title", "name", "label", "language", "area", "category"),
        "text": (
            "text",
            "details",
            "items",
            "bullet",
            "number",
            "reversed_number",
            "reference",
            "fluency",
            "level",
        ),
        "organization": (
            "organization",
            "company",
            "institution",
            "issuer",
            "awarder",
            "publisher",
            "authority",
        ),
        "role": ("position", "role", "degree", "studyType"),
        "location": ("location",),
        **_SHARED_KEYS,
    },
}
"""Tenure's fields for each kind of entry, with the keys of other systems in order of preference."""

DATE_FIELDS = {"education": "period", "experience": "period", "teaching": "term"}
MAIN_FIELDS = {
    "education": "institution",
    "experience": "organization",
    "service": "role",
    "teaching": "course",
}
"""The required field for each kind of entry; "title" for kinds not listed."""

MARKDOWN_FIELDS = frozenset(
    ["topic", "summary", "text", "tagline", "degree", "area", "thesis", "title", "event", "role", "course", "note"]
)  # fmt: skip
LIST_FIELDS = frozenset({"tags", "technologies", "advisors", "mentors"})
HEADING_PATTERNS: Mapping[str, str] = {
    "teaching": r"teaching(?: experience)?",
    "education": r"education|educacion|formation|academic background|ausbildung",
    "experience": r"(?:\w+ )?(?:experiences?|employment|work|positions?|appointments?)|(?:work|professional|employment) \w+",
    "awards": r"(?:.* )?(?:awards?|honou?rs?|grants?|fellowships?|scholarships?)(?: .*)?",
    "projects": r"(?:\w+ )?projects?",
    "talks": r"(?:.* )?(?:talks?|presentations?|lectures)",
    "service": r"(?:\w+ )?(?:service|services|volunteering|volunteer)(?: .*)?",
    "publications": r"(?:\w+ )?publications?",
}
"""Patterns of section headings for each standard collection."""


def collection_for_heading(title: str) -> str:
    """Return the standard collection that a heading names, or "" for a custom section."""
    heading = " ".join(re.sub(r"[_\W]+", " ", title).casefold().split())
    return next((name for name, pattern in HEADING_PATTERNS.items() if re.fullmatch(pattern, heading)), "")


_FORMULA = r"(?P<formula>\$(?=[^\s$])[^$\n]*(?:\\[a-zA-Z]|[\w}][_^][\w{])[^$\n]*(?<!\s)\$(?!\d))"


def escape_plain_text(text: str, location: str) -> str:
    """Convert plain text to Markdown by escaping tags, citations and $; formulas with a command or an index of LaTeX stay."""
    del location
    if text.count("$") > 1:
        text = re.sub(rf"{_FORMULA}|(?<!\\)\$", lambda match: match["formula"] or r"\$", text)
    return re.sub(r"\[(?=@)", r"\\[", re.sub(r"<(?=[a-zA-Z/!])", "&lt;", text))


def import_entry(
    collection: str,
    reader: MappingReader,
    to_markdown: MarkdownFunction,
    *,
    title: str = "",
    extra_fields: Mapping[str, YamlData] | None = None,
) -> None:
    """Add a CV entry to a collection, with `extra_fields`; an entry without a value that can serve as its name is reported."""
    entry_kind = collection if collection in SOURCE_KEYS else "items"
    entry: EntryData = {}
    for field, keys in SOURCE_KEYS[entry_kind].items():
        node = reader.read_node(*keys)
        if node is not None:
            _import_field(entry, field, node, to_markdown, reader.session)
    _import_dates(entry, entry_kind, reader)
    if entry_kind == "projects" and reader.read_node("features") is not None:
        nodes = reader.node.mapping["features"].items
        entry["features"] = [point for node in nodes for point in read_bullet_points(node, to_markdown)]
    points = _read_details(reader, to_markdown, entry_kind)
    if points:
        entry["details"] = points
    entry |= _read_links(reader)
    entry |= extra_fields or {}
    if entry_kind == "service":
        entry |= reader.read_text_lists()
    _join_keywords(entry, entry_kind, to_markdown, reader.location)
    main_field = MAIN_FIELDS.get(entry_kind, "title")
    if main_field not in entry and not (entry_kind == "talks" and {"event", "place"} & entry.keys()):
        substitutes = ("role", "text", "organization", "degree", "summary")
        substitute_field = next((field for field in substitutes if field in entry), "")
        if not substitute_field:
            reader.skip_all(f"an entry of {collection} without a name")
            return
        if entry_kind != "items":
            entry = {main_field: entry.pop(substitute_field), **entry}
    if main_field in entry:
        entry = {main_field: entry[main_field], **entry}
    reader.session.add_entry(collection, entry, reader.location, title)
    reader.report_unread_keys()


def _join_keywords(entry: EntryData, entry_kind: str, to_markdown: MarkdownFunction, location: str) -> None:
    """Make the keywords of a skill its text, with its level after its name; a list shows no tags."""
    keywords = entry.get("tags")
    if entry_kind == "items" and isinstance(keywords, list) and entry.keys() <= {"title", "text", "tags"}:
        level = entry.get("text", "")
        entry |= {"text": to_markdown(", ".join(map(str, keywords)), location)}
        if level:
            entry["title"] = join_filled(str(entry.get("title", "")), f"({level})", separator=" ")
        del entry["tags"]


def _read_links(reader: MappingReader) -> EntryData:
    """The field of the links of an entry, written as [{label: …, url: …}]; those that cannot be linked are reported."""
    items = reader.node.mapping["links"].items if "links" in reader.node.mapping else ()
    if not items or not all(item.mapping for item in items):
        return {}
    links: dict[str, YamlData] = {}
    for link in reader.read_mappings("links"):
        label, url = link.read_text("label", "name", "title", "text"), link.read_text("url", "link", "href")
        if parse_web_url(url):
            links[label or "Link"] = parse_web_url(url)
        elif url:
            link.record_skipped(f"not a URL that can be linked: {url}")
        link.report_unread_keys("icon", "type", "icon_pack")
    return {"links": links} if links else {}


def _import_field(
    entry: EntryData, field: str, node: Node, to_markdown: MarkdownFunction, session: ImportSession
) -> None:
    if field not in ("location", "place", "note", "url") and node.mapping.get("name"):
        url = parse_web_url(node_to_text(node.mapping.get("url")))
        entry.update({"url": url} if url else {})
        node = node.mapping["name"]
    text = _join_address_parts(node) if field in ("location", "place", "note") else node_to_text(node)
    if field == "note" and parse_web_url(text):
        field = "url"
    if field in LIST_FIELDS:
        values = [_read_name(item) for item in node.items] if node.items else re.split(r",\s*", text)
        entry[field] = [value for value in values if value]
    elif field == "url":
        for url_node in node.items or (node,):
            url = parse_web_url(node_to_text(url_node))
            if url and entry.setdefault("url", url) == url:
                continue
            problem = "a second URL" if url else "not a URL that can be linked"
            session.record_skipped(url_node, f"{problem}: {node_to_text(url_node)}")
    elif field in MARKDOWN_FIELDS:
        paragraphs = map(node_to_text, node.items if field == "summary" and node.items else (node,))
        entry[field] = to_markdown("\n\n".join(filter(None, paragraphs)), location_of(node))
    elif "<" in text or "](" in text:
        entry[field], url = split_name_and_link(to_markdown(text, location_of(node)))
        if url:
            entry.setdefault("url", url)
    else:
        entry[field] = text


def _read_name(node: Node) -> str:
    """The name of a value that has one, such as {name: Python, level: 3}; else its text."""
    return node_to_text(node.mapping.get("name") or node)


def _join_address_parts(node: Node) -> str:
    """Return a geographical place in one line, also if it is written as a mapping."""
    if not node.mapping:
        return node_to_text(node)
    keys = ("address", "city", "region", "countryCode", "country")
    return join_filled(*(node_to_text(node.mapping.get(key)) for key in keys))


def parse_web_url(text: str) -> str:
    """Return a URL that is safe to link, or ""."""
    url = re.sub(r"\s+", "%20", text.strip())
    if is_bare_host_url(url):
        return f"https://{url}"
    return url if re.match(r"(?:https?://[^/]|mailto:)", url) and is_safe_url(url) else ""


def split_name_and_link(text: str) -> tuple[str, str]:
    """Return a name without markup, and the URL of its first link, or ""."""
    match = re.search(r"\[[^\]]*\]\((https?://[^)\s]+)\)", text)
    unlinked_text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return " ".join(re.sub(r"\*+|\\(?=\W)", "", unlinked_text).split()), match[1] if match else ""


def normalize_date(text: str) -> str:
    """Return a date or period in a form that `Period.parse` accepts, without a time of day; "" if it cannot be parsed."""
    date_text = re.sub(r"^\((.*)\)$", r"\1", " ".join(text.split()).strip("[]*_., "))
    zone_pattern = r"\s?(?:Z|UTC|GMT|[A-Z]{2,4}T|[+-]\d\d:?\d\d)(?!\w)"
    time_pattern = rf"(?:[T ]\d\d?:[\d:.]*(?:{zone_pattern})?|{zone_pattern})?(?!\d)"
    day_pattern = re.compile(r"\b(\d{4})([-/.])(\d\d?)\2(\d\d?)" + time_pattern)
    date_text = day_pattern.sub(lambda m: f"{m[1]}-{m[3]:0>2}-{m[4]:0>2}", date_text)
    date_text = re.sub(r"(?<![\d/-])(\d\d?)([/-])(\d\d?)\2(\d{4})(?![\d/])", _read_slashed_date, date_text)
    date_text = re.sub(r"(?<![\d/])(\d\d?)/(\d{4})(?![\d/])", lambda m: f"{m[2]}-{m[1]:0>2}", date_text)
    date_text = re.sub(r"^([A-Z][a-z]{2})-([0-4]\d)$", lambda m: f"{m[1]} 20{m[2]}", date_text)
    try:
        Period.parse(date_text)
    except ValueError:
        return ""
    return date_text


def _read_slashed_date(match: re.Match[str]) -> str:
    """Return a date such as 03/04/2020 in ISO format; only the year if day and month are ambiguous."""
    first, second, year = int(match[1]), int(match[3]), match[4]
    if first > 12 >= second:
        return f"{year}-{second:02}-{first:02}"
    if second > 12 >= first:
        return f"{year}-{first:02}-{second:02}"
    return f"{year}-{first:02}-{first:02}" if first == second > 1 else year


def _import_dates(entry: EntryData, entry_kind: str, reader: MappingReader) -> None:
    start = _read_date(reader, "startDate", "start_date", "date_start", "start", "fromDate", "from")
    end = _read_date(reader, "endDate", "end_date", "date_end", "end", "toDate", "to")
    date_keys = ("terms", "term", "dates", "date", "releaseDate", "release_date", "year", "time", "period")
    date_text = _read_date(reader, *date_keys)
    expected = reader.read_text("expected").casefold() == "true"
    has_only_end = bool(end) and not (date_text or start or entry_kind in ("awards", "teaching", "talks"))
    if has_only_end and normalize_date(end):
        entry["end"] = normalize_date(end)
        return
    if entry_kind in ("education", "experience", "service", "projects"):
        start, end = _drop_placeholder_days(start, end)
    if not date_text:
        is_single_date = start == end or (entry_kind == "awards" and not end)
        date_text = start if is_single_date else f"{start} - {end or 'present'}" if start else end
    if not date_text:
        return
    terms = [normalize_date(term.strip()) for term in date_text.split(",")]
    if entry_kind == "teaching" and len(terms) > 1 and all(terms):
        entry["term"] = terms
        return
    date = normalize_date(f"{date_text} (expected)" if expected else date_text)
    month_text = re.sub(r"\b(\d{4}-\d\d)-\d\d\b", r"\1", date_text)
    if not date and normalize_date(month_text):
        date = normalize_date(month_text)
        reader.record_converted(f'the date "{date_text}" has a day that does not exist; the month is kept')
    if date:
        entry[DATE_FIELDS.get(entry_kind, "date")] = date
        return
    date_text = date_text.removesuffix(" - present") if not end else date_text
    entry["note"] = join_filled(str(entry.get("note", "")), date_text, separator="; ")
    reader.record_converted(f'the date "{date_text}" cannot be read and is kept in the note')


def _read_date(reader: MappingReader, *keys: str) -> str:
    """The text of a date, which may be a mapping of year, month and day."""
    node = reader.read_node(*keys)
    if node is None or "year" not in node.mapping:
        return node_to_text(node)
    parts = (node_to_text(node.mapping.get(key)) for key in ("year", "month", "day"))
    return "-".join(part.zfill(2) for part in parts if part)


def _drop_placeholder_days(start: str, end: str) -> tuple[str, str]:
    """The months of a period whose days are the first and the last ones of a month: formats that require a day have them."""
    pattern = r"(\d{4}-\d\d)-(?:01|28|29|30|31)(?:T.*)?"
    months = [match[1] if (match := re.fullmatch(pattern, date)) else date for date in (start, end)]
    has_days = any(re.match(r"\d{4}-\d\d-\d\d", date) for date in months)
    return (start, end) if has_days else (months[0], months[1])


def _read_details(reader: MappingReader, to_markdown: MarkdownFunction, entry_kind: str) -> list[YamlData]:
    nodes = (*reader.read_items("highlights"), *reader.read_items("features"))
    details = [point for node in nodes for point in read_bullet_points(node, to_markdown)]
    courses = ", ".join(map(_read_name, reader.read_items("courses"))) if entry_kind == "education" else ""
    if courses:
        details.append(to_markdown(f"Courses: {courses}", reader.location))
    return details


def read_bullet_points(node: Node, to_markdown: MarkdownFunction) -> Sequence[YamlData]:
    """Return a bullet with its nested bullets, as written by al-folio ({title, contents}) or RenderCV."""
    if node.value in (None, "", ()):
        return []
    if isinstance(node.value, tuple):
        return [point for item in node.items for point in read_bullet_points(item, to_markdown)]
    title, contents = node_to_text(node.mapping.get("title")), node.mapping.get("contents")
    if len(node.mapping) == 1:
        title, contents = next(iter(node.mapping.items()))
        if not contents.items:
            return read_bullet_points(contents, to_markdown)
    if not title:
        return [to_markdown(node_to_text(node), location_of(node))]
    items = contents.items if contents is not None else ()
    nested_points = [point for item in items for point in read_bullet_points(item, to_markdown)]
    heading = to_markdown(title, location_of(node))
    return [{heading: nested_points}] if nested_points else [heading]
