"""
The lines of a section of a CV as entries.

A `Line` of Word is a paragraph, or a row of a table with its cells; `depth` is its level in a list: 0 for
"• PhD", 1 for "  ◦ PhD" below it, -1 for a paragraph outside of lists. A tab in it is written ⇥ here.
A `Group` has the lines of one entry; its details are the lines below it, which the site shows as a list.

A date, an organization and a place become fields only where they are certain; all other words stay text:
"PhD in Physics, University of Rome, 2019" has a role, an organization and a date, "PhD, Rome, on loan from
the Navy until 2019" is a text.
"""

import re
from collections.abc import Iterator, Sequence

from tenure.markdown.html import plain_text
from tenure.model.dates import parse_period
from tenure.record import Record, replace
from tenure.sources.reading.word import Line
from tenure_import.importer import MAIN_KEYS
from tenure_import.source import Data, Entry, drop_empty, keep_keys

MAX_DATE = 45
"""Characters of a date: "September 2019 – December 2021 (expected)"."""
MAX_NAME = 200
"""Characters of an organization with its role; a longer line is prose."""
MAX_PLACE = 30
"""Characters of a place: "Cambridge, Massachusetts"."""
MAX_PLACES = 3
"""Clauses of a place in lines and columns: "Cambridge", "Massachusetts", "USA"."""
MAX_PLACES_OF_LINE = 2
"""Clauses of a place in one line with the role and the organization, where a third may be another thing."""

CAREER = ("education", "experience")
"""The lists whose entries need an organization."""

YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)|[٠-٩]{4}")
"""A year: 1998, ٢٠١٩."""

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
    |dipartiment|school\ of|institut|UFR)\w*\b | 系
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""The beginning of a part of an organization: "Department of Physics"."""

PERSON_WORD = re.compile(
    r"""
    \b(?:professor\w*|lecturer|fellow|student|director|dozent\w*|docente|ricercat\w+|ma[îi]tre|chercheu\w+
    |postdoc\w*|chair|doctora\w+|assistant|associate|scientist|engineer|researcher|architect|tutor|scholar
    |intern|instructor|resident|manager|consultant|analyst|teacher|editor|curator|officer|reader|candidate
    |visiting)\b
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

_TWO_SENTENCES = re.compile(r"[;:：]|[^\W\d_]{4}\. ")
"""A sign of prose: "Rome; Padua", "Thesis: wool", "with honors. Then"; but "Prof. Roe" has a short word."""

_NO_SINGLE_NAME = re.compile(r"[(（;]|\d{4}|\s[-/]\s|[^\W\d_]{4}\. |\b(?i:and\b.*univers)")
"""No name of one organization: "MIT 2019", "Rome / Padua University", "CNRS and University of Rome"."""

_ACRONYM_IN_BRACKETS = re.compile(r"[A-Z]{2,8}\)")
"""The end of "National Center for Research (CNRS)", which is a part of the name; "on leave)" is a note."""

_NO_ROLE = re.compile(r"^[^,(]*:|;|\.$")
"""No role for sure: "Thesis: lamps", "PhD; MSc", "I wrote a thesis."."""

_DATE_FIRST = re.compile(r"(?P<date>[^：:，]{4,40}?)\s*(?:[:：，]|,(?=\s[^\d]))\s*(?P<rest>\S.*)", re.DOTALL)
"""A date at the start: "2019: PhD", "May 2019, PhD"."""

_DATE_IN_BRACKETS = re.compile(r"\s*[(（](?P<date>[^()（）]{4,40})[)）]\.?$")
"""What is in brackets at the end of a line: "PhD (2019)."."""

_DATE_AFTER_COMMA = re.compile(r"[^\W\d]|(?:1[89]|20)\d\d(?!,)|\d\d?[. ]\s*\w")
"""What a date after a comma begins with; not "12, 2019", which may be a number and a year."""


class Group(Record):
    """
    The first lines of an entry (at most two are read for fields), its details, and the date of its row.

    ["PhD in Physics", "University of Rome"], ["Thesis on lamps"]; `is_item`: the first line is one of a list.
    `is_dated_above`: the date is that of the row above.
    """

    lines: list[str]
    details: list[Data]
    date: str = ""
    is_item: bool = False
    is_dated_above: bool = False


class _Layout(Record, kw_only=True):
    """
    How a section is written.

    `depth` is the least level of its items, 0 if there are none. `begins_with_item`: its first line is an
    item of a list. `has_bold_heads`: some paragraphs begin in bold, the first one too, and others stand below
    them. `has_dated_heads`: the first paragraph of a career has a date. `header` has the bold cells that name
    the columns of a table, "Year" and "Degree", or is empty.
    """

    has_papers: bool
    is_career: bool
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
    dates: dict[int, str] = {}
    for line in lines:
        is_empty = not line.cells and not line.plain.strip()
        if is_empty:
            # it ends a paragraph, but not an item of a list
            if last and last.depth < 0:
                last = None
            continue

        count = len(groups)
        if not line.cells:
            _add_paragraph(groups, line, last, layout)
        elif line.cells != layout.header:
            groups.append(_read_row(line, layout.header))
        last = line

        date = _find_date_above(line, dates)
        if date and len(groups) > count:
            groups[-1] = _date_from_above(groups[-1], date)
    return groups


def _date_from_above(group: Group, date: str) -> Group:
    """An entry with the date above it, if it has none of its own."""
    is_dated = group.date or split_date(group.lines[0], begins_with_date=False)[0]
    return group if is_dated else replace(group, date=date, is_dated_above=True)


def _join_cell(cell: Sequence[Line]) -> str:
    """The paragraphs of a cell as one text."""
    return " ".join(part.text for line in cell for part in line.list_paragraphs())


def _find_date_above(line: Line, dates: dict[int, str]) -> str:
    """
    The date above an empty first or last column, "" if there is none; `dates` are those above, by column.

    | 2019 | A prize |, | | A grant | -> "", "2019"; so too "2019⇥A prize", "⇥A grant"
    """
    texts = [*map(_join_cell, line.cells)] or line.text.split("\t")
    if not "".join(texts).strip():
        return ""

    found = ""
    for column in (0, -1):
        text = texts[column].strip()
        if text:
            dates[column] = text if is_date(text) else ""
        found = found or ("" if text else dates.get(column, ""))
    return found


def _add_paragraph(groups: list[Group], line: Line, last: Line | None, layout: _Layout) -> None:
    """Add a paragraph to the last entry, or as a new one; `last` is the line directly before, or None."""
    group = groups[-1] if groups else Group([], [])
    if group.lines and _is_detail(line, last, group, layout):
        # "• PhD, 2019" and "  ◦ Thesis on lamps"
        group.details.append(" ".join(line.text.split()))
    elif _is_other_role(line, group, layout):
        # "**University of Rome**", "Lecturer⇥2019–2024" and "Assistant⇥2015–2019"
        groups.append(Group([group.lines[0], line.text.strip()], []))
    elif group.lines and last and _is_below_bold(line, last, layout):
        # "**PhD**", "University of Rome" and "Thesis on lamps": the second line may have fields
        if len(group.lines) > 1:
            group.details.append(line.text.strip())
        else:
            group.lines.append(line.text.strip())
    else:
        # "PhD, 2019↵University of Rome↵Thesis on lamps", with breaks of lines
        parts = [part.strip() for part in line.text.split("\n") if part.strip()]
        groups.append(Group(parts[:2], [*parts[2:]], is_item=line.depth >= 0))


def _find_layout(lines: Sequence[Line], kind: str) -> _Layout:
    """How a section of this kind is written: "papers", a list of CAREER, or another word."""
    # rows of tables have no text of their own
    texts = [line for line in lines if line.plain.strip()]
    paragraphs = [line for line in texts if line.depth < 0]
    are_bold = [line.is_bold_first for line in paragraphs]
    is_first_bold = bool(are_bold) and are_bold[0]
    rows = [line for line in lines if line.cells]
    has_header = len(rows) > 1 and is_header(rows[0]) and not is_header(rows[1])
    return _Layout(
        has_papers=kind == "papers",
        is_career=kind in CAREER,
        depth=min((line.depth for line in texts if line.depth >= 0), default=0),
        begins_with_item=bool(texts) and texts[0].depth >= 0,
        has_bold_heads=kind != "papers" and is_first_bold and not all(are_bold),
        has_dated_heads=kind in CAREER and bool(paragraphs) and _has_date(paragraphs[0]),
        header=rows[0].cells if has_header else (),
    )


def is_header(row: Line) -> bool:
    """Whether a row names the columns of a table: all cells are bold, | **Year** | **Degree** |."""
    return len(row.cells) > 1 and all(cell and all(line.is_bold_first for line in cell) for cell in row.cells)


def _is_detail(line: Line, last: Line | None, group: Group, layout: _Layout) -> bool:
    """Whether a line is a detail of the entry before it; `group` is this entry."""
    # • PhD, 2019
    #   ◦ Thesis on lamps      <- this line
    if line.depth > layout.depth:
        return True
    if layout.has_papers:
        return False
    # PhD, 2019
    # • Thesis on lamps        <- but not in a section that begins with an item, where each is an entry
    if line.depth >= 0:
        return not layout.begins_with_item and not group.is_item
    # below an empty line, which made `last` None, a paragraph is an entry
    if last is None:
        return False
    # • PhD, 2019
    # Thesis on lamps          <-
    if layout.begins_with_item:
        return True
    # PhD, 2019
    # Thesis on lamps          <- a paragraph without a date, below one with a date
    # MSc, 2015
    # 2011; exp. 2031⇥Diploma  is an entry, though its date is not certain
    is_dated = _has_date(line) or YEAR.match(line.plain.strip())
    return layout.has_dated_heads and not layout.has_bold_heads and not is_dated


def _is_below_bold(line: Line, last: Line, layout: _Layout) -> bool:
    """Whether a plain paragraph follows directly on another: "University of Rome" below "**PhD**"."""
    return layout.has_bold_heads and line.depth == last.depth == -1 and not line.is_bold_first


def _is_other_role(line: Line, group: Group, layout: _Layout) -> bool:
    """
    Whether a paragraph has another role at the organization of the entry before.

    **University of Rome**
    Lecturer⇥2019–2024
    Assistant⇥2015–2019      <-
    """
    has_bold_heads = layout.is_career and layout.has_bold_heads and not line.is_bold_first
    texts = [*group.lines, line.text.strip()]
    if not has_bold_heads or len(texts) < 3:
        return False
    dates = [bool(split_date(text, begins_with_date=False)[0]) for text in texts]
    return dates == [False, True, True] and "\t" in texts[1] and "\t" in texts[2]


def _has_date(line: Line) -> bool:
    """Whether a part of a line has a date that is certain: "PhD↵Rome, 2019"."""
    parts = line.text.strip().split("\n")
    return any(split_date(part, begins_with_date=True)[0] for part in parts)


def _read_row(row: Line, header: "Sequence[Sequence[Line]]") -> Group:
    """
    A row of a table: the cell of a date and the texts.

    | 2019 | PhD ¶ Thesis on lamps | -> the date 2019, the line PhD, the detail "Thesis on lamps"
    | Languages | Italian | -> the line "Languages: Italian"
    | PhD | Physics | Rome | -> the line "PhD, Physics, Rome"
    """
    if header and len(header) == len(row.cells):
        return _read_named_cells(row, header)
    # a cell may have a table of its own
    cells = [[part for line in cell for part in line.list_paragraphs()] for cell in row.cells if cell]

    date = _take_date(cells)
    lines = [part.strip() for cell in cells for line in cell for part in line.text.split("\n")]
    if date:
        return Group(lines[:1], [*lines[1:]], date)
    # a label in a paragraph of its own, and what it is the label of
    if len(cells) == 2 and len(cells[0]) == 1:
        return Group([f"{lines[0].rstrip(':')}: {lines[1]}"], [*lines[2:]])
    return Group([", ".join(filter(None, lines))], [])


def _take_date(cells: list[list[Line]]) -> str:
    """The date in the first or in the last of several cells, which is removed; "" if there is none."""
    for cell in (cells[0], cells[-1]):
        text = " ".join(line.text.strip() for line in cell)
        if len(cells) > 1 and is_date(text):
            cells.remove(cell)
            return text
    return ""


def _read_named_cells(row: Line, header: "Sequence[Sequence[Line]]") -> Group:
    """
    A row whose columns have names: the first is the entry, or its date, and then the second is it.

    | Degree | Level |, | Physics | Bachelor | -> the line Physics, the detail "Level: Bachelor"
    """
    texts = [", ".join(line.text.strip() for line in cell) for cell in row.cells]
    labels = [cell[0].plain.strip() for cell in header]
    pairs = [*zip(labels, texts, strict=True)]
    date = ""
    if is_date(texts[0]):
        date = texts[0]
        pairs = pairs[1:]

    # an empty cell has only the name of its column
    label, title = pairs[0]
    details = (f"{name}: {text}" for name, text in pairs[1:] if text)
    return Group([title or label], [*details], date)


# Dates


def _split_columns(text: str) -> list[str]:
    """The parts of a line between its tabs: "PhD⇥Rome" -> "PhD", "Rome"."""
    return [part.strip() for part in text.split("\t") if part.strip()]


def is_date(text: str) -> bool:
    """Whether a text is nothing but a date or a period: "*2019–2021*", not "2019 Rome" or "12"."""
    # the marks of Markdown make a text longer
    plain = clean_date(text) if len(text) <= 2 * MAX_DATE else ""
    period = parse_period(plain) if YEAR.search(plain) and len(plain) <= MAX_DATE else None
    return period is not None and not period.has_end_before_start


def clean_date(text: str) -> str:
    """A date without what stands around it: "(*2019*)," -> "2019", but "June 2024 (expected)"."""
    plain = plain_text(text).strip(" .:：,;")
    plain = re.sub(r"^[(（\[]([^()（）]*)[)）\]]$", r"\1", plain)
    # "2024 – (expected 2026)"
    return re.sub(r"(?<=[–—-] )\(([^()]*)\)$", r"\1", plain)


def split_date(text: str, *, begins_with_date: bool) -> tuple[str, str]:
    """The date of a line, where it is certain, and the rest: "PhD, 2019" -> "2019", "PhD"."""
    for date, rest in _list_cuts(text, begins_with_date=begins_with_date):
        if is_date(date):
            return clean_date(date), rest
    return "", text


def _list_cuts(text: str, *, begins_with_date: bool) -> Iterator[tuple[str, str]]:
    """
    The texts that may be the date, with the rest: "PhD (Rome), 2019" -> ("2019", "PhD (Rome)").

    They stand beside a tab, before a colon or a comma at the start, in brackets, or after a comma at the end.
    With `begins_with_date`, all lines of the section begin with one. Several texts may be yielded, also such
    as are no date.
    """
    parts = _split_columns(text)
    if len(parts) == 1:
        yield text, ""
    else:
        # 2019⇥PhD⇥Rome, or PhD⇥Rome⇥2019
        yield parts[0], "\t".join(parts[1:])
        yield parts[-1], "\t".join(parts[:-1])
    # 2019: PhD
    if first := _DATE_FIRST.fullmatch(text):
        yield first["date"], first["rest"]
    # 2019 PhD
    if begins_with_date:
        yield from _list_first_words(text)

    # PhD (2019), but not "PhD 2015, honors (2019)"
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
    """
    The first words of a line and the rest, the longest first, at most eight words and 60 characters.

    "May 2019 PhD" -> ("May 2019 PhD", ""), ("May 2019", "PhD"), ("May", "2019 PhD")
    """
    for word in reversed([*re.finditer(r"\S+", text[:60])][:8]):
        rest = text[word.end() :].lstrip(" :：,–—-\t")
        # "2011; exp. 2031⇥Diploma" does not begin with "2011"
        if "\t" not in rest or not YEAR.search(rest.partition("\t")[0]):
            yield text[: word.end()], rest


# Entries


def build_entries(groups: Sequence[Group], kind: str) -> list[Entry]:
    """The entries of a section."""
    firsts = [group.lines[0] for group in groups if group.lines]
    dated = [any(is_date(date) for date, _ in _list_first_words(line)) for line in firsts]
    begins_with_date = len(dated) > 1 and all(dated)
    return [_build_entry(group, kind, begins_with_date=begins_with_date) for group in groups]


def _build_entry(group: Group, kind: str, *, begins_with_date: bool) -> Entry:
    """
    An entry with the fields that are certain; all other words are its text and its details.

    ["PhD⇥2019", "University of Rome"] -> organization, role and date; ["Lamps", "Rome, 2019"] of a talk ->
    the text "Lamps" and the detail "Rome, 2019".
    """
    if kind == "papers":
        return drop_empty({"text": ", ".join(map(join_parts, group.lines)), "details": group.details})

    date, date_line, lines = _find_date(group, kind, begins_with_date=begins_with_date)
    # "2019–2021, Rome": what follows the date in the second line is often a town, and no organization
    is_after_date = date_line == 1 and "\t" not in group.lines[1] and group.lines[1].endswith(lines[1])

    # a line of a comma alone has no words
    lines = [line for line in (text.strip(" ,") for text in lines) if line.strip()]
    fields: Entry = {}
    if kind in CAREER and lines and not is_after_date:
        fields = _divide_lines(group, lines)
    if not fields:
        first, *rest = map(join_parts, lines or [date])
        fields = {"text": first, "details": [*rest, *group.details]}
    return drop_empty({**fields, "date": date, "details": fields.get("details", group.details)})


def _find_date(group: Group, kind: str, *, begins_with_date: bool) -> tuple[str, int, list[str]]:
    """The date of an entry, its line, -1 if none has it, and the lines without it."""
    date = clean_date(group.date)
    if date:
        return date, -1, group.lines
    for number, line in enumerate(group.lines[:2]):
        found, left = split_date(line, begins_with_date=begins_with_date and number == 0)
        # in a list of talks, "prize of the jury, 2019" in the second line has a date of its own
        is_of_entry = number == 0 or kind in CAREER or not left
        if found and is_of_entry:
            return found, number, [*group.lines[:number], left, *group.lines[number + 1 :]]
    return "", -1, group.lines


def _divide_lines(group: Group, lines: Sequence[str]) -> Entry:
    """The fields of an entry of a career in its lines without the date; {} if they are not certain."""
    fields = _split_lines(lines) or _split_details(group, lines[0])
    if fields:
        return fields
    # the first line says all, and the second belongs to what is below it
    fields = split_organization(lines[0])
    return {**fields, "details": [*lines[1:], *group.details]} if fields else {}


def join_parts(text: str) -> str:
    """A line without its tabs: "PhD⇥Rome" -> "PhD, Rome"."""
    return ", ".join(" ".join(part.split()) for part in re.split(r"[\t\n]+", text) if part.strip())


def is_organization(text: str, pattern: re.Pattern[str] = _UNIVERSITY) -> bool:
    """
    Whether a clause is the name of an organization, as a certain word of it says.

    "University of Rome", not "University Lecturer", "at the university" or "“Lamps”, Museum of Rome".
    """
    is_title = re.search(r"[“”„«»]", text)
    return bool(pattern.search(text)) and not (PERSON_WORD.search(text) or is_title or text[:1].islower())


def _may_be_organization(text: str) -> bool:
    """Whether a clause is the name of an organization, as a word says that units have too."""
    return is_organization(text) or is_organization(text, ORGANIZATION)


def is_unit(text: str) -> bool:
    """Whether a clause names a part of an organization: "Department of Physics"."""
    return bool(_UNIT.match(text))


def _split_lines(lines: Sequence[str]) -> Entry:
    """
    Organization, role and place of an entry of one or two lines; {} if they are not certain.

    ["PhD in Physics", "University of Rome, Department of Physics⇥Italy"] ->
    organization: University of Rome, role: PhD in Physics, unit: Department of Physics, location: Italy
    """
    if len(lines) == 1 and "\t" not in lines[0]:
        return split_organization(lines[0])
    parts = [_split_columns(line) for line in lines]
    # PhD⇥University of Rome: as two lines
    if len(parts) == 1:
        parts = [[part] for part in parts[0]]
    # not three lines; not PhD⇥Rome, MIT⇥Cambridge
    if len(parts) != 2 or sum(map(len, parts)) > 3:
        return {}

    named = [n for n in (0, 1) if _may_be_organization(parts[n][0])]
    # not "Rome School" and "University of Rome", or "PhD" and "Rome"
    if len(named) != 1:
        return {}

    organization, *organization_places = parts[named[0]]
    role, *role_places = parts[1 - named[0]]
    # "Rome, Italy" may be a town
    may_be_town = _TOWN.fullmatch(role) and not (PERSON_WORD.search(role) or _DEGREE.search(role))
    if may_be_town or _NO_ROLE.search(role) or len(organization + role) > MAX_NAME:
        return {}
    name, *clauses = CLAUSE.split(organization)
    return _name_clauses(role, name, [*clauses, *organization_places, *role_places], MAX_PLACES)


def _split_details(group: Group, line: str) -> Entry:
    """
    The organization in a cell of a row with a date; {} if not exactly one cell is one.

    | 2019 | PhD | Thesis on lamps | University of Rome | -> role, organization, and the detail on lamps
    """
    texts = [text for text in group.details if isinstance(text, str) and is_organization(text)]
    if not group.date or len(texts) != 1:
        return {}
    fields = _split_lines([line, texts[0]])
    if not fields:
        return {}
    return {**fields, "details": [text for text in group.details if text != texts[0]]}


def _name_places(clauses: Sequence[str], most: int) -> Entry | None:
    """
    The unit and the place in the clauses after an organization; None if there is something else.

    ["Department of Physics", "Rome", "Italy"] -> unit: Department of Physics, location: "Rome, Italy".
    ["with honors"], ["Room 5"], ["advisor: Bo Lee"], and more than `most` places -> None.
    """
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
    stands before it, a place after it. In Chinese, the organization comes first: 北京大学，教授.
    "Professor, University of Rome (on leave)" has the note "on leave".
    """
    clauses = CLAUSE.split(text)
    plain = [plain_text(clause) for clause in clauses]
    # the clauses with a certain word; without one, those with a word that is also in a unit: "Physics
    # Institute"
    named = [i for i, clause in enumerate(plain) if is_organization(clause)]
    named = named or [i for i, clause in enumerate(plain) if is_organization(clause, ORGANIZATION)]
    if len(named) != 1 or len(text) > MAX_NAME or _TWO_SENTENCES.search(text):
        return {}

    index = named[0]
    if index > 0:
        return _name_clauses(
            ", ".join(clauses[:index]), clauses[index], clauses[index + 1 :], MAX_PLACES_OF_LINE
        )
    # "University of Rome, Professor" is not certain: the second clause may be a unit or a place
    is_chinese = re.search(r"[一-鿿]", text) and len(clauses) > 1
    return _name_clauses("，".join(clauses[1:]), clauses[0], [], 0) if is_chinese else {}


def _name_clauses(role: str, organization: str, places: Sequence[str], most: int) -> Entry:
    """
    The fields of a role with its units, an organization, and the clauses after it; {} if they are not
    certain.

    "Professor, School of Sciences", "University of Rome (on leave)", ["Italy"] ->
    role: Professor, unit: School of Sciences, organization: University of Rome, note: on leave, location:
    Italy
    """
    name, _, note = plain_text(organization).partition(" (")
    where = _name_places([*map(plain_text, places)], most)
    if where is None or _NO_SINGLE_NAME.search(name + note):
        return {}
    if _ACRONYM_IN_BRACKETS.fullmatch(note):
        name = plain_text(organization)
        note = ""

    # Professor, Department of Physics, School of Sciences: the role ends before the first unit
    clauses = CLAUSE.split(role)
    plain = [plain_text(clause) for clause in clauses]
    units = [i for i in range(1, len(plain)) if is_unit(plain[i]) or ORGANIZATION.search(plain[i])]
    unit_names = [*plain[units[0] :], str(where["unit"])] if units else [str(where["unit"])]
    fields = {
        "organization": name,
        "role": ", ".join(clauses[: units[0]]) if units else role,
        **where,
        "unit": ", ".join(filter(None, unit_names)),
        "note": note.rstrip(")"),
    }
    return drop_empty(fields)


def is_uncertain(entry: Entry, kind: str) -> bool:
    """Whether an entry of a career is a text, because its organization is not certain."""
    return kind in CAREER and "text" in entry


def name_position(fields: Entry) -> Entry:
    """
    The fields of a line of a CV with the names that a profile has for them; {} without an organization.

    {role: Lecturer, unit: Department of Physics, organization: University of Rome} ->
    {role: Lecturer, affiliation: "Department of Physics, University of Rome"}
    """
    names = [str(fields[key]) for key in ("unit", "organization") if key in fields]
    position = {"role": "", "affiliation": ", ".join(names), "location": "", **fields}
    return drop_empty(keep_keys(position, "role", "affiliation", "location"))


def name_fields(entry: Entry, name: str) -> Entry:
    """
    An entry with the names that the list `name` has for its fields.

    "education", {role: PhD, unit: "Department of Physics", organization: "University of Rome", date: 2019} ->
    {degree: PhD, institution: "Department of Physics, University of Rome", period: 2019}
    "talks", {text: Lamps, date: 2019} -> {title: Lamps, date: 2019}
    "experience", {text: "Researcher, EHESS"} -> {role: "Researcher, EHESS"}
    """
    names = {"date": "date", "text": MAIN_KEYS.get(name, "text")}
    if name in ("awards", "projects", "talks"):
        names["text"] = "title"
    elif name == "teaching":
        names["date"] = "term"
    elif name in CAREER:
        names = {"date": "period", "text": "role"}
    elif name not in MAIN_KEYS:
        # awards, talks and lists that Tenure does not have: they have no key for a unit
        names["unit"] = "summary"
    if name == "education":
        # this list has no key for a unit
        parts = (entry.get("unit", ""), entry.get("organization", ""))
        entry = {**entry, "organization": ", ".join(str(part) for part in parts if part), "unit": ""}
        names |= {"organization": "institution", "role": "degree", "text": "degree"}
    return drop_empty({names.get(key, key): value for key, value in entry.items()})
