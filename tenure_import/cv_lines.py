"""
The lines of a section of a CV as entries.

A `Group` has the lines of one entry. A date, an organization and a place become fields only where they are
certain; all other words stay text: "PhD in Physics, University of Rome, 2019" has a role, an organization and
a date, "PhD, Rome, on loan from the Navy until 2019" is a text.
"""

import re
from collections.abc import Iterator, Sequence

from tenure.markdown.html import plain_text
from tenure.model.dates import parse_period
from tenure.record import Record
from tenure.sources.reading.word import Line
from tenure_import.importer import MAIN_KEYS
from tenure_import.source import Data, Entry, drop_empty

MAX_DATE = 45
MAX_NAME = 200
MAX_PLACE = 30
CAREER = ("education", "experience")
"""The lists whose entries need an organization."""

YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)|[٠-٩]{4}")

_UNIVERSITY = re.compile(
    r"""
    univers | üniversite | \bUC[A-Z]{0,2}\b | college | politecn | polytechn | hochschule | museum
    | conservato
    | école\ (?:normale|poly|des|sup) | \bETH\b | \bEPFL\b | \bMIT\b | \bTU\ [A-Z] | \bCNRS\b
    | academy\ of | akademie\ der | institute\ of\ tech | instituto\ tecn
    | 大学 | 大學 | 学院 | 科学院 | 研究院 | 研究所 | جامعة | университет
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Words that only names of organizations have: "University of Rome"."""

ORGANIZATION = re.compile(
    r"""
    univers|college|institut|school|lab\b|laborator|\bcent(?:er|re)\b|hospital|academ|\binc\b|gmbh|ltd
    |polytechn|\bETH\b|\bMIT\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""A part of the name of an organization: "Princeton University"."""

_UNIT = re.compile(
    r"""
    (?:department|dept|lehrstuhl|facult|fakultät|fachbereich|division|section|école\ doctorale|departament
    |dipartiment|school\ of|institut)\w*\b | 系
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""The beginning of a part of an organization: "Department of Physics"."""

PERSON_WORD = re.compile(
    r"""
    \b(?:professor\w*|lecturer|fellow|student|director|dozent\w*|docente|ricercat\w+|ma[îi]tre|chercheu\w+
    |postdoc\w*|chair|doctora\w+|assistant|associate|scientist|engineer|researcher|architect|tutor|scholar
    |intern|instructor|resident|manager|consultant|analyst|teacher|editor|curator|officer|reader|candidate|visiting)\b
    | 教授 | 研究员 | 讲师 | أستاذ
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""A word for what somebody is: "University Lecturer" is no university."""

_DEGREE = re.compile(
    r"\b(?:Ph|[BMD])\.?\s?[A-Z]|(?i:bachelor|master|doctor|diplom|degree|laurea|licen|magister|promotion)"
)
"""A word for a degree: "PhD in Physics", "B.A."."""

_TOWN = re.compile(r"[^\s,]+(?: [^\s,]+)?(?:, [A-Z][\w.' -]{1,24})?")
"""What may be a town and its country: "Rome, Italy"."""

CLAUSE = re.compile(r",\s+(?![^(\[]*[)\]])|\s+[–—|]\s+|\s*[，、]\s*(?![^（]*）)|،\s*")
"""What stands between the clauses of a line, but not in "MIT (Cambridge, MA)"."""

_DATE_FIRST = re.compile(r"(?P<date>[^：:，]{4,40}?)\s*(?:[:：，]|,(?=\s[^\d]))\s*(?P<rest>\S.*)", re.DOTALL)
"""A date at the start: "2019: PhD", "May 2019, PhD"."""

_DATE_IN_BRACKETS = re.compile(r"\s*[(（](?P<date>[^()（）]{4,40})[)）]\.?$")
_DATE_AFTER_COMMA = re.compile(r"[^\W\d]|(?:1[89]|20)\d\d(?!,)|\d\d?[. ]\s*\w")
"""What a date after a comma begins with; not "12, 2019", which may be a number and a year."""


class Group(Record):
    """The lines of an entry, those below it, and the date of its row of a table."""

    lines: list[str]
    details: list[Data]
    date: str = ""
    is_item: bool = False


class _Layout(Record):
    """How a section is written; `depth` is the least level of its items."""

    has_papers: bool
    depth: int
    begins_with_item: bool
    has_bold_heads: bool
    has_dated_heads: bool
    header: "Sequence[Sequence[Line]]"


# Groups


def group_lines(lines: Sequence[Line], kind: str) -> list[Group]:
    """The entries of a section: rows, items, or paragraphs with what stands below them."""
    layout = _find_layout(lines, kind)
    groups: list[Group] = []
    last: Line | None = None
    for line in lines:
        if line.cells:
            groups += [_read_row(line, layout.header)] if line.cells != layout.header else []
        elif line.plain.strip():
            _add_paragraph(groups, line, last, layout)
        else:
            # an empty line ends a paragraph, but not an item of a list
            last = last if last and last.depth >= 0 else None
            continue
        last = line
    return groups


def _add_paragraph(groups: list[Group], line: Line, last: Line | None, layout: _Layout) -> None:
    """Add a paragraph to the last entry, or as a new one; `last` is the line directly before."""
    group = groups[-1] if groups else Group([], [])
    if group.lines and last and _goes_on(line, last) and not group.details:
        group.lines[-1] += f" {line.text.strip()}"
    elif group.lines and _is_detail(line, last, group, layout):
        group.details.append(" ".join(line.text.split()))
    elif group.lines and last and _is_below_bold(line, last, layout):
        if len(group.lines) > 1:
            group.details.append(line.text.strip())
        else:
            group.lines.append(line.text.strip())
    else:
        first, *rest = [part.strip() for part in line.text.split("\n") if part.strip()]
        groups.append(Group([first, *rest[:1]], [*rest[1:]], is_item=line.depth >= 0))


def _find_layout(lines: Sequence[Line], kind: str) -> _Layout:
    own = [line for line in lines if line.plain.strip()]
    paragraphs = [line for line in own if line.depth < 0]
    are_bold = [line.is_bold_first for line in paragraphs]
    rows = [line for line in lines if line.cells]
    has_header = len(rows) > 1 and _is_header(rows[0]) and not _is_header(rows[1])
    header = rows[0].cells if has_header else ()
    return _Layout(
        kind == "papers",
        min((line.depth for line in own if line.depth >= 0), default=0),
        bool(own) and own[0].depth >= 0,
        kind != "papers" and bool(are_bold) and are_bold[0] and not all(are_bold),
        kind in CAREER and bool(paragraphs) and _has_date(paragraphs[0]),
        header,
    )


def _is_header(row: Line) -> bool:
    """Whether a row names the columns of a table: all cells are bold."""
    return len(row.cells) > 1 and all(cell and all(line.is_bold_first for line in cell) for cell in row.cells)


def _goes_on(line: Line, last: Line) -> bool:
    """Whether a paragraph is the rest of the one before, which somebody divided by Return."""
    begins_small = re.match(r"[a-zà-ÿ]", line.plain.strip())
    is_open = not re.search(r"[.;:!?”»]$", last.plain.strip())
    return line.depth == last.depth == -1 and bool(begins_small) and is_open


def _is_detail(line: Line, last: Line | None, group: Group, layout: _Layout) -> bool:
    """Whether a line stands below the entry before it."""
    if line.depth > layout.depth:
        return True
    if layout.has_papers:
        return False
    if line.depth >= 0:
        return not layout.begins_with_item and not group.is_item
    is_below_head = layout.has_dated_heads and not layout.has_bold_heads and not _has_date(line)
    return last is not None and (layout.begins_with_item or is_below_head)


def _is_below_bold(line: Line, last: Line, layout: _Layout) -> bool:
    """Whether a plain paragraph follows directly on one that begins in bold."""
    return layout.has_bold_heads and line.depth == last.depth == -1 and not line.is_bold_first


def _has_date(line: Line) -> bool:
    parts = line.text.strip().split("\n")
    return any(split_date(part, begins_with_date=True)[0] for part in parts)


def _read_row(row: Line, header: "Sequence[Sequence[Line]]") -> Group:
    """A row of a table: the cell of a date and the texts; with a header, "Level: Bachelor" for each."""
    if header and len(header) == len(row.cells):
        return _read_named_cells(row, header)
    cells = [[part for line in cell for part in line.list_paragraphs()] for cell in row.cells if cell]
    date = ""
    for cell in (cells[0], cells[-1]):
        text = " ".join(line.text.strip() for line in cell)
        if not date and len(cells) > 1 and is_date(text):
            date = text
            cells.remove(cell)

    lines = [part.strip() for cell in cells for line in cell for part in line.text.split("\n")]
    if date:
        return Group(lines[:1], [*lines[1:]], date)
    if len(cells) == 2 and len(cells[0]) == 1:
        return Group([f"{lines[0].rstrip(':')}: {lines[1]}"], [*lines[2:]])
    return Group([", ".join(filter(None, lines))], [])


def _read_named_cells(row: Line, header: "Sequence[Sequence[Line]]") -> Group:
    """A row whose columns have names: the first is the entry, or its date, and then the second is it."""
    texts = [", ".join(line.text.strip() for line in cell) for cell in row.cells]
    labels = [cell[0].plain.strip() for cell in header]
    date = texts[0] if is_date(texts[0]) else ""
    (label, title), *pairs = [*zip(labels, texts, strict=True)][bool(date) :]
    return Group([title or label], [f"{name}: {text}" for name, text in pairs if text], date)


# Dates


def is_date(text: str) -> bool:
    """Whether a text is nothing but a date or a period."""
    plain = clean_date(text) if len(text) <= 2 * MAX_DATE else ""
    period = parse_period(plain) if YEAR.search(plain) and len(plain) <= MAX_DATE else None
    return period is not None and not period.has_end_before_start


def clean_date(text: str) -> str:
    """A date without what stands around it: "(*2019*)," -> "2019", but "June 2024 (expected)"."""
    plain = plain_text(text).strip(" .:：,;")
    return re.sub(r"^[(（\[]([^()（）]*)[)）\]]$", r"\1", plain)


def split_date(text: str, *, begins_with_date: bool) -> tuple[str, str]:
    """The date of a line, where it is certain, and the rest: "PhD, 2019" -> "2019", "PhD"."""
    for date, rest in _list_cuts(text, begins_with_date=begins_with_date):
        if is_date(date):
            return clean_date(date), rest
    return "", text


def _list_cuts(text: str, *, begins_with_date: bool) -> Iterator[tuple[str, str]]:
    """
    The texts that may be the date, with the rest.

    They stand beside a tab, before a colon or a comma at the start, in brackets, or after a comma at the end.
    With `begins_with_date`, all lines of the section begin with one.
    """
    parts = [part.strip() for part in text.split("\t") if part.strip()]
    if len(parts) == 1:
        yield text, ""
    else:
        yield parts[0], "\t".join(parts[1:])
        yield parts[-1], "\t".join(parts[:-1])
    if first := _DATE_FIRST.fullmatch(text):
        yield first["date"], first["rest"]
    if begins_with_date:
        yield from _list_first_words(text)

    brackets = _DATE_IN_BRACKETS.search(text)
    if brackets and not YEAR.search(text[: brackets.start()]):
        yield brackets["date"], text[: brackets.start()]
    for comma in [*re.finditer(r"[,،，]\s*", text)][-2:]:
        rest = text[: comma.start()]
        date = text[comma.end() :]
        # not in "(Davis, CA, 2010)", and not in "Honors in 2024; a prize, 2025"
        is_whole = rest.count("(") == rest.count(")") and not YEAR.search(rest)
        if is_whole and _DATE_AFTER_COMMA.match(date):
            yield date, rest


def _list_first_words(text: str) -> Iterator[tuple[str, str]]:
    """The first words of a line and the rest, the longest first."""
    for word in reversed([*re.finditer(r"\S+", text[:60])][:8]):
        yield text[: word.end()], text[word.end() :].lstrip(" :：,–—-\t")


# Entries


def build_entries(groups: Sequence[Group], kind: str) -> list[Entry]:
    """The entries of a section; one of the same shape as a certain one is certain too."""
    firsts = [group.lines[0] for group in groups if group.lines]
    dated = [any(is_date(date) for date, _ in _list_first_words(line)) for line in firsts]
    begins_with_date = len(dated) > 1 and all(dated)
    shapes: dict[tuple[int, ...], int] = {}
    entries: list[Entry] = []
    for _ in range(2):
        entries = [_build_entry(group, kind, shapes, begins_with_date=begins_with_date) for group in groups]
    return entries


def _build_entry(
    group: Group, kind: str, shapes: dict[tuple[int, ...], int], *, begins_with_date: bool
) -> Entry:
    """
    An entry with the fields that are certain; all other words are its text and its details.

    `shapes` are those of the certain entries, with the line that has their organization.
    """
    lines = [*group.lines]
    if kind == "papers":
        return drop_empty({"text": ", ".join(map(join_parts, lines)), "details": group.details})
    date = clean_date(group.date)
    place = -1
    for number, line in enumerate(lines[:2]):
        found, left = split_date(line, begins_with_date=begins_with_date and number == 0)
        if found and not date and (number == 0 or kind in CAREER or not left):
            date = found
            lines[number] = left
            place = number
    # what follows a date in the second line is often a town: "2019–2021, Rome"
    is_town = place == 1 and "\t" not in group.lines[1] and group.lines[1].endswith(lines[1])

    lines = [line.strip(" ,") for line in lines if line.strip()]
    fields: Entry = {}
    if kind in CAREER and lines and not is_town:
        shape = (place, *("\t" in line for line in lines))
        fields = _split_lines(lines, shapes.get(shape, -1)) or _split_details(group, lines[0])
        number = int(not lines[0].startswith(str(fields.get("organization"))))
        if fields and shapes.setdefault(shape, number) != number:
            shapes[shape] = -1
        # the first line says all, and the second belongs to what is below it
        if not fields and (head := split_organization(lines[0])):
            fields = {**head, "details": [*lines[1:], *group.details]}
    if not fields:
        first, *rest = map(join_parts, lines or [date])
        fields = {"text": first, "details": [*rest, *group.details]}
    return drop_empty({**fields, "date": date, "details": fields.get("details", group.details)})


def join_parts(text: str) -> str:
    """A line without its tabs: "PhD⇥Rome" -> "PhD, Rome"."""
    return ", ".join(" ".join(part.split()) for part in re.split(r"[\t\n]+", text) if part.strip())


def is_organization(text: str, pattern: re.Pattern[str] = _UNIVERSITY) -> bool:
    """Whether a clause is the name of an organization, as a certain word of it says."""
    return bool(pattern.search(text)) and not PERSON_WORD.search(text) and not text[:1].islower()


def is_unit(text: str) -> bool:
    """Whether a clause names a part of an organization."""
    return bool(_UNIT.match(text))


def _split_lines(lines: Sequence[str], own_line: int) -> Entry:
    """
    Organization, role and place of an entry of one or two lines; {} if they are not certain.

    `own_line` is the line with the organization in entries of the same shape, -1 if that is not known.
    """
    if len(lines) == 1 and "\t" not in lines[0]:
        return split_organization(lines[0])
    parts = [[part.strip() for part in line.split("\t") if part.strip()] for line in lines]
    if len(parts) == 1:
        parts = [[part] for part in parts[0]]
    if len(parts) != 2 or sum(map(len, parts)) > 3:
        return {}

    named = [is_organization(part[0]) or is_organization(part[0], ORGANIZATION) for part in parts]
    is_alike = own_line >= 0 and not any(named) and not PERSON_WORD.search(parts[own_line][0])
    if is_alike:
        named = [own_line == 0, own_line == 1]
    if named[0] == named[1]:
        return {}
    (own, *own_places), (role, *places) = parts if named[0] else parts[::-1]
    name, *clauses = map(plain_text, CLAUSE.split(own))
    places = [*clauses, *map(plain_text, (*own_places, *places))]
    is_name = not re.search(r"[(;\d]|\s[-/]\s|[^\W\d_]{4}\. ", name)
    is_known = is_alike or PERSON_WORD.search(role) or _DEGREE.search(role) or not _TOWN.fullmatch(role)
    is_role = is_known and not re.search(r"^[^,]*:|;|\.$", role)
    where = _name_places(places, 3)
    if not (is_name and is_role and len(own + role) <= MAX_NAME) or where is None:
        return {}
    return {"organization": name, "role": role, **where}


def _split_details(group: Group, line: str) -> Entry:
    """The organization in a cell of a row with a date; {} if not exactly one cell is one."""
    texts = [text for text in group.details if isinstance(text, str) and is_organization(text)]
    is_certain = bool(group.date) and len(texts) == 1
    fields = _split_lines([line, texts[0]], -1) if is_certain else {}
    if not fields:
        return {}
    return {**fields, "details": [text for text in group.details if text != texts[0]]}


def _name_places(clauses: Sequence[str], most: int) -> Entry | None:
    """The unit and the place in the clauses after an organization; None if there is something else."""
    units = [text for text in clauses if is_unit(text)]
    places = [text for text in clauses if text not in units]
    are_short = all(len(text) <= MAX_PLACE and not text[:1].islower() for text in places)
    if len(places) > most or not are_short or any(re.search(r"[\d(:;]", text) for text in clauses):
        return None
    return {"unit": ", ".join(units), "location": ", ".join(places)}


def split_organization(text: str) -> Entry:
    """
    A line as role, unit, organization and place; {} if they are not certain.

    "Professor, Department of Physics, University of Rome, Italy": one clause names an organization, a role
    stands before it, a place after it. In Chinese, the organization comes first.
    """
    clauses = CLAUSE.split(text)
    plain = [plain_text(clause) for clause in clauses]
    named = [i for i, clause in enumerate(plain) if is_organization(clause)]
    named = named or [i for i, clause in enumerate(plain) if is_organization(clause, ORGANIZATION)]
    if len(named) != 1 or len(text) > 200 or re.search(r"[;:：]|[^\W\d_]{4}\. ", text):
        return {}

    index = named[0]
    name, _, note = plain[index].partition(" (")
    if re.search(r"[(（]|\d{4}|\s[-/]\s|\b(?i:and\b.*univers)", name + note):
        return {}
    if re.fullmatch(r"[A-Z]{2,8}\)", note):
        name = plain[index]
        note = ""
    if index == 0:
        is_chinese = re.search(r"[一-鿿]", name) and clauses[1:]
        return {"organization": name, "role": "，".join(clauses[1:])} if is_chinese else {}
    where = _name_places(plain[index + 1 :], 2)
    if where is None:
        return {}

    units = [i for i in range(1, index) if is_unit(plain[i]) or ORGANIZATION.search(plain[i])]
    first_unit = min(units, default=index)
    own_units = [*plain[first_unit:index], str(where["unit"])]
    return drop_empty(
        {
            "organization": name,
            "role": ", ".join(clauses[:first_unit]),
            **where,
            "unit": ", ".join(filter(None, own_units)),
            "note": note.rstrip(")"),
        }
    )


def name_fields(entry: Entry, name: str) -> Entry:
    """An entry with the names that its list has for its fields."""
    names = {"date": "date", "text": MAIN_KEYS.get(name, "text")}
    if name in ("awards", "projects", "talks"):
        names["text"] = "title"
    elif name == "teaching":
        names["date"] = "term"
    elif name in CAREER:
        names = {"date": "period"}
    elif name not in MAIN_KEYS:
        names["unit"] = "summary"
    if name == "education":
        parts = (entry.get("unit", ""), entry["organization"])
        entry = {**entry, "organization": ", ".join(str(part) for part in parts if part), "unit": ""}
        names |= {"organization": "institution", "role": "degree"}
    return drop_empty({names.get(key, key): value for key, value in entry.items()})
