"""Converts a CV written in Markdown (headings with bullet lists) to collections."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from tenure.counts import format_count
from tenure.importers.cv_entries import collection_for_heading, normalize_date
from tenure.importers.documents import SourceDocument
from tenure.importers.liquid_blocks import is_made_by_liquid
from tenure.importers.resume.rendercv import MAIN_TEXT_KEYS, RESERVED_NAMES
from tenure.importers.samples import is_sample_text
from tenure.importers.session import EntryData, ImportSession, join_filled
from tenure.importers.yaml_writer import YamlData
from tenure.markdown.html import make_slug
from tenure.markdown.html_tags import strip_tags
from tenure.record import Record

ORGANIZATION_WORDS = re.compile(
    r"univers|\buniv\b|college|\bETH\b|\bEPFL\b|\bMIT\b|polite[ck]n|institut|school|\bacadem(?:y|ia)\b|\blaborator|\blabs?\b"
    r"|hospital|\bcent(?:er|re)\b|department|faculty|foundation|ministry|company|\b(?:inc|gmbh|ltd|corp|llc)\b|schule|大学|研究",
    re.IGNORECASE,
)
"""Parts of names of universities, companies and other organizations."""

_BULLET_LINE = re.compile(r"^([ \t]*)([-*+•]|\d+[.)])[ \t]+(.*)$")
_HEADING_LINE = re.compile(r"^(#{1,6})[ \t]+(.+?)[ \t]*#*$")
MAX_DATE_LENGTH = 45
"""Maximum length of a period with months, in characters."""

_LEADING_MARKS = re.compile(r"^\W+|[*_]{2,}")


class BulletPoint(Record):
    """A list item with its nested items."""

    text: str
    children: tuple["BulletPoint", ...] = ()


def import_cv_page(document: SourceDocument) -> str:
    """Import the sections that are bullet lists to collections. Returns the Markdown of all other sections."""
    session, converter = document.session, document.converter
    first_line = int(document.text_location.rpartition(":")[2])
    other_markdown: list[str] = []
    for heading, text, line_offset in _split_sections(document.source_text):
        location = f"{document.file_name}:{first_line + line_offset}"
        title = converter.convert_line(heading, location).strip(" *:#")
        if is_made_by_liquid(text):
            session.record_converted(location, f"{title or 'a part'} of the CV comes from the site's data")
            continue
        if is_sample_text(text) and not parse_bullet_list(text):
            session.record_sample(location, f"{title or 'the text'} of the CV")
            continue
        markdown = converter.convert_body(text, location)
        bullets = parse_bullet_list(markdown)
        if not title or bullets is None:
            other_markdown += [f"## {title}"] if title and markdown else []
            other_markdown += [markdown] if markdown else []
            continue
        own_bullets = [bullet for bullet in bullets if not is_sample_text(_join_bullet_texts(bullet))]
        if len(own_bullets) < len(bullets):
            count = format_count(len(bullets) - len(own_bullets), "entry", "entries")
            session.record_sample(location, f"{count} of {title}")
        _import_section(session, title, own_bullets, location)
    return "\n\n".join(other_markdown)


def _split_sections(body: str) -> Iterator[tuple[str, str, int]]:
    """Yield heading, text and line offset of each section, split at the highest heading level used more than once."""
    body = re.sub(
        r"^(\S.*)\n(={3,}|-{3,})[ \t]*$",
        lambda m: f"{'#' if m[2][0] == '=' else '##'} {m[1]}\n",
        body,
        flags=re.MULTILINE,
    )
    lines = body.split("\n")
    headings = [
        (i, len(head[1]), head[2]) for i, text in enumerate(lines) if (head := _HEADING_LINE.match(text))
    ]
    levels = [level for _, level, _ in headings]
    repeated_levels = [level for level in sorted(levels) if levels.count(level) > 1]
    level = repeated_levels[0] if repeated_levels else min(levels, default=1)
    section_starts = [(i, heading) for i, depth, heading in headings if depth <= level]
    all_starts = [(-1, ""), *section_starts]
    for (start, heading), (end, _) in zip(all_starts, [*all_starts[1:], (len(lines), "")], strict=True):
        text = "\n".join(lines[start + 1 : end]).strip("\n")
        if text.strip():
            yield heading, text, max(start, 0)


def parse_bullet_list(text: str) -> list[BulletPoint] | None:
    """Parse a text that is only a bullet list; None for any other text."""
    flat_bullets: list[tuple[int, str]] = []
    numbered: frozenset[int] = frozenset()
    for line in text.split("\n"):
        match = _BULLET_LINE.match(line)
        if match:
            depth = 2 * len(match[1].expandtabs(4))
            numbered = numbered | {depth} if match[2][0].isdigit() else numbered
            beneath = depth in numbered and not match[2][0].isdigit()
            flat_bullets.append((depth + beneath, match[3].strip()))
        elif line.strip():
            is_indented = line.startswith((" ", "\t"))
            if not flat_bullets or not is_indented or line.lstrip().startswith(("```", "<div", "|")):
                return None
            flat_bullets[-1] = (flat_bullets[-1][0], f"{flat_bullets[-1][1]} {line.strip()}")
    return _nest_bullets(flat_bullets) if flat_bullets else None


def _nest_bullets(flat_bullets: Sequence[tuple[int, str]]) -> list[BulletPoint]:
    bullets: list[BulletPoint] = []
    while flat_bullets:
        depth, text = flat_bullets[0]
        ends = (i for i, (next_depth, _) in enumerate(flat_bullets[1:], 1) if next_depth <= depth)
        end = next(ends, len(flat_bullets))
        bullets.append(BulletPoint(text, tuple(_nest_bullets(flat_bullets[1:end]))))
        flat_bullets = flat_bullets[end:]
    return bullets


def _join_bullet_texts(bullet: BulletPoint) -> str:
    return " ".join([bullet.text, *(_join_bullet_texts(point) for point in bullet.children)])


def bullets_to_details(bullets: Sequence[BulletPoint]) -> list[YamlData]:
    """Return bullets as the `details` of an entry."""
    return [{b.text: bullets_to_details(b.children)} if b.children else b.text for b in bullets]


def _import_section(
    session: ImportSession, title: str, bullets: Sequence[BulletPoint], location: str
) -> None:
    """Import the entries of a section to a standard collection if each has its required field, else to a custom one."""
    standard_collection = collection_for_heading(title)
    read_item = ITEM_READERS.get(standard_collection)
    entries = [read_item(bullet) for bullet in bullets] if read_item else []
    collection = standard_collection
    if not entries or not all(entries) or session.has_collection(standard_collection):
        collection = make_slug(title) or "more"
        collection = f"{collection}-list" if collection in {*ITEM_READERS, *RESERVED_NAMES} else collection
        entries = [{"text": bullet.text} for bullet in bullets]
    for entry, bullet in zip(entries, bullets, strict=True):
        if bullet.children and collection != "experience":
            entry["details"] = bullets_to_details(bullet.children)
        session.add_entry(collection, entry, location, "" if collection == standard_collection else title)


def split_date_from_text(text: str) -> tuple[str, str]:
    """Return the date or period at the start, at the end or between commas, and the remaining text; "" without a date."""
    unmarked_text = re.sub(r"[*_]{2}|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)", "", text).strip()
    for separator in reversed([*re.finditer(r"[:,;|\])]\s*|\s[-–—]\s", unmarked_text[:MAX_DATE_LENGTH])]):
        remaining_text = unmarked_text[separator.end() :]
        date = _parse_date_with_year(unmarked_text[: separator.start()])
        if date and remaining_text:
            return date, remaining_text.lstrip(" :,;|-–—")
    offset = max(len(unmarked_text) - MAX_DATE_LENGTH, 0)
    for separator in re.finditer(r"[,.;:(\[]?\s+|[(\[]", unmarked_text[-MAX_DATE_LENGTH:]):
        date = _parse_date_with_year(unmarked_text[offset + separator.end() :])
        remaining_text = unmarked_text[: offset + separator.start()]
        if date and remaining_text:
            return date, remaining_text
    clauses = re.split(r",\s+", unmarked_text)
    dated_clause = next(filter(_parse_date_with_year, clauses), "")
    other_clauses = [clause for clause in clauses if clause != dated_clause]
    return (_parse_date_with_year(dated_clause), ", ".join(other_clauses)) if dated_clause else ("", text)


def _parse_date_with_year(text: str) -> str:
    """Return a normalized date or period that includes a year, or ""."""
    date_text = text.strip(" .,;:[]")
    if date_text.count("(") > date_text.count(")"):
        date_text = f"{date_text})"
    elif "(" not in date_text:
        date_text = date_text.rstrip(")")
    return normalize_date(date_text) if re.search(r"\d{4}|'\d\d|-\d\d$", date_text) else ""


_DEGREE = re.compile(
    r"(?:ph\.?\s?d|m\.?\s?d|d\.?phil|(?:b|m)\.?\s?(?:sc?|a|eng|tech|phil|ed)\b|bachelor|master|doctor|diplom|licen[cs]|laurea)",
    re.IGNORECASE,
)
_HONOURS = re.compile(
    r"\bcum laude\b|\bhonou?rs?\b|\bdistinction\b|\bgpa\b|^minor\b|^with\b|^first class\b", re.IGNORECASE
)


def read_education(bullet: BulletPoint) -> EntryData:
    """Read a degree, its institution and its dates from an item; {} if no clause is an institution."""
    date, remaining_text = split_date_from_text(bullet.text)
    clauses = _split_clauses(strip_tags(remaining_text))
    degree, institution, location = _split_at_organization(clauses)
    if not institution and clauses and _DEGREE.match(clauses[0]):
        others = (i for i, clause in enumerate(clauses) if i and not _HONOURS.search(clause))
        first = next(others, len(clauses))
        degree, institution = ", ".join(clauses[:first]), ", ".join(clauses[first : first + 1])
        location = ", ".join(clauses[first + 1 :])
    if not institution:
        return {}
    return {"institution": institution, "degree": degree, "location": location, "period": date}


def _read_experience(bullet: BulletPoint) -> EntryData:
    date, remaining_text = split_date_from_text(bullet.text)
    points = list(bullet.children)
    role, organization, location = _split_at_organization(_split_clauses(remaining_text))
    if not organization and points and ORGANIZATION_WORDS.search(points[0].text) and not points[0].children:
        role = remaining_text
        unit, organization, location = _split_at_organization(_split_clauses(points.pop(0).text))
        organization = join_filled(unit, organization)
    if not organization:
        return {}
    supervision_pattern = r"(?:advis|adivs|superv|mentor|with|under)\w* "
    supervision = [location] if re.match(supervision_pattern, location, re.IGNORECASE) else []
    return {
        "organization": organization,
        "role": role,
        "location": "" if supervision else location,
        "period": date,
        "details": [*supervision, *bullets_to_details(points)],
    }


def _split_at_organization(clauses: Sequence[str]) -> tuple[str, str, str]:
    """Return the clauses before, naming and after the organizations; all "" if none names an organization."""
    matching_indexes = [i for i, clause in enumerate(clauses) if ORGANIZATION_WORDS.search(clause)]
    names_first_clause = len(matching_indexes) > 1 and matching_indexes[0] == 0
    if names_first_clause and not ORGANIZATION_WORDS.search(clauses[0].split()[-1]):
        matching_indexes = matching_indexes[1:]
    if not matching_indexes:
        return "", "", ""
    first = end = matching_indexes[0]
    while end in matching_indexes:
        end += 1
    return ", ".join(clauses[:first]), ", ".join(clauses[first:end]), ", ".join(clauses[end:])


def _build_entry_reader(main_field: str) -> Callable[[BulletPoint], EntryData]:
    def read_entry(bullet: BulletPoint) -> EntryData:
        date, remaining_text = split_date_from_text(bullet.text)
        return {main_field: remaining_text, "term" if main_field == "course" else "date": date}

    return read_entry


ITEM_READERS: Mapping[str, Callable[[BulletPoint], EntryData]] = {
    "education": read_education,
    "experience": _read_experience,
    **{collection: _build_entry_reader(field) for collection, field in MAIN_TEXT_KEYS.items()},
}
"""The reader of an item for each standard collection."""


def _split_clauses(text: str) -> list[str]:
    clauses = re.split(r"[,;]\s+(?![^(]*\))|(?<=\w{5})\.\s+", text)
    return [
        re.sub(r"(?<=\w{4})\.$", "", stripped_clause)
        for clause in clauses
        if (stripped_clause := _LEADING_MARKS.sub("", clause).strip())
    ]
