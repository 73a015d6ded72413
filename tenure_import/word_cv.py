"""
CVs in Word: a heading begins a list, and each line below it is an entry that keeps its words.

The lines of the file become `Section`s: a heading has the style of one, or looks like lines whose words are
those of headings. The head is what stands above the first one, and says who the person is. Telephone numbers,
addresses, birth and family are not copied.

The look of a `Line` is its style and formats, "b+caps 24"; the kind of a heading is what its words mean:
"Ausbildung" -> education, "Zur Person" -> person, "Lebenslauf" -> title, "Wool" -> "". A part is a section
below another one, "Books" below "Publications".
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import compress, groupby
from pathlib import Path

from tenure.cli.arguments import UsageError
from tenure.cli.targets import display_path
from tenure.markdown.html import make_slug, make_unique, plain_text
from tenure.model.files import IMAGE_SUFFIXES
from tenure.model.identifiers import find_doi
from tenure.model.links import parse_email, parse_orcid
from tenure.model.names import parse_owner_name
from tenure.problems import format_count
from tenure.record import Record, replace
from tenure.sources.reading.word import Line, WordError, read_word_file, read_word_picture
from tenure_import.cv_lines import (
    CAREER,
    PERSON_WORD,
    YEAR,
    build_entries,
    group_lines,
    is_date,
    is_header,
    is_organization,
    is_uncertain,
    is_unit,
    name_fields,
    name_position,
    split_organization,
)
from tenure_import.headings import MAX_HEADING, clean_heading, count_number_parts, read_heading
from tenure_import.imported_document import LIST_PATTERNS, RESERVED_NAMES
from tenure_import.importer import Import, System
from tenure_import.owner import choose_name, find_name_in_titles

WORD_FILE = re.compile(r"(?!~\$).+\.docx", re.IGNORECASE)
"""The name of a Word file, but not of one that Word has open: "~$cv.docx"."""

PERSONAL = "personal data that a homepage does not need, and their labels"
MARGINS = "headers and footers"
OTHER = "other words"
"""Why words of the file are not on the site."""

DRAFTS = (
    "drafts: not on the site, but everybody can read them in a public repository; "
    "to publish one, delete its `draft`"
)
"""What the people below “References” become."""

MIN_SHARE = 0.4
"""The share of known headings among the short lines with a look that makes all of them headings."""

MIN_DATED_LINES = 1.5
"""The lines with a year below each heading of a part; below the bold line of an entry stands about one."""

MAX_HEAD_LINES = 8
"""The first lines, of which one is the name."""

_SCRIPTS = (
    ("ja", "[ぁ-ヿ]"),
    ("ko", "[가-힣]"),
    ("zh", "[一-鿿]"),
    ("he", "[א-ת]"),
    ("ru", "[а-я]"),
    ("ar", "[ا-ي]"),
)
"""
Languages that their letters show; a fifth of the letters is enough. Kana first, as Japanese has Chinese
letters.
"""

_PERSONAL = re.compile(
    r"""
    \b(?:born|birth\w*|nationalit\w+|marital|married|geboren|geburt\w*|familienstand|staatsangeh\w+
    |n[ée]e?\ le|mari[ée]e?|enfants|nacimiento|nacionalidad|nat[oa]\ (?:a|il|nel)|nazionalità)\b
    | \b(?:tele?(?:phone|fon)?|tel|t[ée]l(?:[ée]phone|[ée]fono)?|phone|mobile?|cell|fax|handy|gender
    |citizenship|anschrift|adresse|address|indirizzo)(?=\s*[:：.\d(+])
    | 电话 | 手机 | 出生 | 地址 | 传真 | 婚姻 | هاتف | العنوان | تاريخ\ الميلاد
    | \(?\+?\d[\d ()./-]{7,}                    # +39 06 555 0100
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Personal data and its labels: "Born 1 May 1980", "Phone: …", "née le …"."""

_POSTAL = re.compile(
    r"""
    \b(?:street|avenue|road|lane|boulevard|rue|room|building)\b | stra(?:ß|ss)e\b
    | \b\d{4,6}(?:-\d{4})?\b                    # 00185 Rome
    | \b[A-Z]{1,2}\d[A-Z\d]?\ \d[A-Z]{2}\b     # OB1 3QQ
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""A part of a postal address: "12 Loom Street", "Hauptstraße"."""

_PROSE = re.compile(r"(?:\b[a-zà-ÿ]{2,} ){4}")
"""Four words of a sentence, which may have a year or a URL: "I have studied lamps since 1998"."""

_NAME_LABEL = re.compile(
    r"""
    (?:full\ name|name|name,\ vorname|vorname,\ name|vor-\ und\ nachname|naam|nom(?:\ et\ prénom)?
    |prénom\ et\ nom|nombre(?:\ y\ apellidos)?|apellidos\ y\ nombre|nome(?:\ e\ cognome)?|cognome\ e\ nome
    |имя|姓名|氏名|الاسم)
    \s*[:：]\s*
    (?P<name>[^\d@]{4,50})
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""The name of a person with its label: "Name: Ada Example"."""
_LABEL = re.compile(r"[^\W\d][\w -]{1,20}\s*[:：]|[\W_]*|(?:[A-Z][\w.]{1,5}(?:, |$))+")
"""The name of what follows, or a degree after the name: "E-mail:", "PhD, MBA"."""

_PIECE = re.compile(r"\s*[|•·\n]\s*|(?<![:：])\s*\t\s*|\s+[–—-]\s+|　")
"""What stands between two addresses; the tab of "Name:⇥Ada Example" does not."""

_ADDRESS = re.compile(r"[^\s:：<>()]+@[^\s<>(),;]+\w")
"""An e-mail address in a text: "E-mail:ada@example.edu."."""

_URL = re.compile(
    r"""
    (?:https?://|www\.)[^\s,;]+
    | \b[\w-]+(?:\.[\w-]+)*\.(?:com|org|edu|net|io|fr|de|it|es|uk|ch|cn)(?:/[^\s,;]*|\b)   # orcid.org/0000-…
    """,
    re.VERBOSE,
)
_NATIVE_NAME = re.compile(r"[一-鿿·]{2,6}|[가-힣]{2,5}|(?:د\. )?[ا-ي ]{5,40}")
"""A name in Chinese, Korean or Arabic letters: 王小明, 김철수; "د." is a doctor."""

_PLACE = re.compile(r"[A-Z][\w.' -]{2,24}, [A-Z][\w.' -]{1,24}")
"""A town and its country: "Rome, Italy"."""


_UNTYPED_KINDS = ("", "own", "papers")
"""
Kinds of headings whose sections become lists that Tenure does not have: "Wool", "Languages", "Publications".
"""

_SIGNATURE = re.compile(
    r"""
    (?:[^\W\d][\w.'’-]*[ /]?){1,3},\s
    (?P<date>
    (?:[a-z]+\ )?\d\d?[.\ ].*                 # den 3. Mai 2025
    | \w+\ \d\d?,\ \d{4} )                   # May 3, 2025
    """,
    re.VERBOSE,
)
"""The place and the day at the end of a CV: "Rome, 3 May 2025"."""


_NUMBER = re.compile(r"\A\s*(?:\d{1,3}\.\t|(?:\\?\[\d{1,3}\\?\]|\d{1,3}\))\s)\s*")
"""A number that is typed before an entry: "14.⇥", "[14] ", "14) "; but not "3. May"."""


class Section(Record):
    """
    A heading and its lines; `kind` is a list of Tenure or a kind of headings.txt, "" for an unknown heading.
    """

    heading: Line
    title: str
    kind: str
    lines: list[Line]


def read_word_cv(run: Import) -> None:
    """
    Read the first Word file of a source; raises UsageError if that is not possible.

    The head becomes the profile, each section a list; headers and footers may have the name of the owner.
    """
    name = next(name for name in run.source.files if WORD_FILE.fullmatch(name.rpartition("/")[2]))
    path = run.source.files[name]
    run.source.read.add(name)
    try:
        file = read_word_file(path)
    except WordError as error:
        raise UsageError(f"cannot read {display_path(path)}: {error}") from error

    head, sections = split_sections([*_read_columns(file.lines)])
    if not sections:
        raise UsageError(
            f"{display_path(path)} has no heading that is known; "
            "give its headings the style “Heading 1” in Word, and import it again"
        )
    run.document_lines[PERSONAL] += _cut_signature(sections[-1].lines)
    language = find_language(sections, " ".join(_list_texts(file.lines)))
    if language != "en":
        run.settings["language"] = language
    if file.paper == "letter":
        run.settings["cvs"] = {"cv": {"paper": file.paper}}  # without a word, a CV is on A4
    _read_head(run, head)
    for section in sections:
        if section.kind == "person":
            _read_head(run, section.lines, is_person=True)
        else:
            _add_section(run, section, name)
    _add_publications(run)

    margins = _list_texts(file.margins)
    run.document_lines[MARGINS] += margins
    # "Ada Example (page 2)" -> "Ada Example"
    owner = find_name_in_titles([text.partition(" (")[0] for text in margins])
    if owner and "name" not in run.profile:
        run.profile["name"] = owner
        run.guessed_from = "the header of the file"
    unread_count = file.picture_count - _read_photo(run, path, head)
    if unread_count > 0:
        run.note(name, f"pictures that were not read: {unread_count}")


def _read_photo(run: Import, path: Path, head: Sequence[Line]) -> int:
    """Copy the first picture of the head as the photo; returns the number of pictures that were read."""
    pictures = (picture for line in head for part in line.list_paragraphs() for picture in part.pictures)
    photo = next((picture for picture in pictures if picture.casefold().endswith(IMAGE_SUFFIXES)), "")
    if not photo:
        return 0
    target = f"files/photo.{photo.rpartition('.')[2]}"
    run.files[f"content/{target}"] = read_word_picture(path, photo)
    run.profile["photo"] = target
    return 1


def _list_texts(lines: Sequence[Line]) -> list[str]:
    """The texts of all paragraphs, also of those in tables."""
    return [part.plain for line in lines for part in line.list_paragraphs() if part.plain.strip()]


# Sections


def _read_columns(lines: Sequence[Line]) -> Iterator[Line]:
    """
    The lines; the cells of a table that arranges the page, with headings in them, one after the other.

    Beside a cell with a heading and nothing else stands a row of its list: "EDUCATION | 2019 | PhD".
    """
    above = Line()
    for line in lines:
        # "ㅡ" is a short rule beside each heading, in a template of Google Docs
        filled = [cell for cell in line.cells if re.search(r"[^\W_ㅡ]", " ".join(_list_texts(cell)))]
        is_arranged = any(map(_has_heading, filled)) and not _names_columns(filled)
        # | **TEACHING** | 2019 | Lamps |
        if len(filled) > 2 and is_arranged and len(_list_texts(filled[0])) == 1:
            yield from filled[0]
            yield Line(cells=tuple(filled[1:]))
        elif not is_arranged and _is_below_date(line, above):
            yield line
            continue
        # | **Education** | PhD ¶ MSc |, | PhD, 2019 | | are no rows of data
        elif line.cells and (len(filled) < 2 or is_arranged):
            for cell in line.cells:
                yield from _read_columns(cell)
        elif line.plain.strip() != "ㅡ":
            yield line
        above = line


def _is_below_date(row: Line, above: Line) -> bool:
    """Whether a cell of a row is empty below a date, and the others look like those above: | | Wool |."""
    pairs = [*zip(row.cells, above.cells, strict=False)]
    is_alike = all(top and cell[0].look == top[0].look for cell, top in pairs if cell)
    has_date = any(is_date(" ".join(_list_texts(top))) for cell, top in pairs if not cell)
    return len(row.cells) == len(above.cells) and is_alike and has_date


def _has_heading(cell: Sequence[Line]) -> bool:
    """Whether a line of a cell has the words of a heading, and a look of its own or is "References"."""
    return any(_find_kind(line) if line.look else _find_kind(line) == "referees" for line in cell)


def _names_columns(cells: Sequence[Sequence[Line]]) -> bool:
    """Whether cells are alike and have one line each, as the names of columns have: "Year | Grant | Sum"."""
    return len({cell[0].look for cell in cells}) == 1 and all(len(cell) == 1 for cell in cells)


def _is_short(line: Line) -> bool:
    """
    Whether a line may be a heading, without what is in brackets at its end.

    "Publications (since 2019)", but not "PhD, 2019", "• Talks" or two lines.
    """
    text = re.sub(r"\s*\([^()]*\)$", "", line.plain.strip())
    is_line = 0 < len(text) <= MAX_HEADING and "\n" not in text and line.depth < 0
    return is_line and not YEAR.search(text)


def split_sections(lines: Sequence[Line]) -> tuple[list[Line], list[Section]]:
    """
    The lines above the first heading, and the sections; a part of one is "Publications: Books".

    "References" goes on until the next heading that is known, and no part of it: "Prof. Bo Lee" is a line.
    """
    are_headings = _find_headings(lines)
    has_known = any(_find_kind(line) not in ("", "title") for line in compress(lines, are_headings))
    head: list[Line] = []
    sections: list[Section] = []
    for line, is_heading in zip(lines, are_headings, strict=True):
        kind = _find_kind(line)
        # an unknown line above the first known heading is the name, or says who the person is; without a
        # known heading, the first line with the style of a heading below other lines begins the sections
        is_styled_below_head = bool(head and line.level and not has_known)
        is_begun = bool(sections or kind or is_styled_below_head)
        is_referee = bool(sections) and _is_referee(line, kind, sections[-1])
        if not is_heading or kind == "title" or not is_begun or is_referee:
            (sections[-1].lines if sections else head).append(line)
        else:
            sections.append(Section(line, clean_heading(line.plain), kind, []))
    return head, _name_parts(_join_entries(sections))


def _is_referee(line: Line, kind: str, section: Section) -> bool:
    """Whether a heading stands below "References": its words are not known, or its style is a lower one."""
    is_lower = line.level > section.heading.level > 0
    return section.kind == "referees" and (not kind or is_lower)


def _name_parts(sections: Sequence[Section]) -> list[Section]:
    """
    The sections; the title of a part has that of its section: "Publications: Books".

    A section that has only parts is in their titles, and the names of its columns are in each of them.
    """
    # the last section that is no part; before the first one, a section of a kind without parts
    named: list[Section] = []
    parent = Section(Line(), "", "person", [])
    for section in sections:
        # the parent has only parts if it has no lines of its own, apart from the names of columns
        filled = [line for line in parent.lines if line.plain.strip() or line.cells]
        is_divided = all(map(is_header, filled))
        if not _is_part(section, parent, is_divided=is_divided):
            parent = section
            named.append(section)
            continue

        if is_divided and named[-1] is parent:
            named.pop()
        columns = filled if is_divided else []
        title = f"{_lower_capitals(parent.title)}: {_lower_capitals(section.title)}"
        kind = "papers" if parent.kind == "papers" and section.kind in _UNTYPED_KINDS else section.kind
        named.append(replace(section, title=title, kind=kind, lines=[*columns, *section.lines]))
    return named


def _is_part(section: Section, parent: Section, *, is_divided: bool) -> bool:
    """
    Whether a section is a part of another one, which has nothing but parts if it `is_divided`.

    Its heading is of a lower level than that of the other one, which is not "Personal data".
    """
    if parent.kind == "person" or _rank_heading(section.heading) <= _rank_heading(parent.heading):
        return False
    # "Teaching" below "Experience", which has no entries above it
    if is_divided and parent.kind not in _UNTYPED_KINDS:
        return True
    # "Books" below "Publications", but not "Talks"; below "Education" with entries, "Wool" is no part
    return section.kind in _UNTYPED_KINDS and parent.kind not in CAREER


def _rank_heading(heading: Line) -> tuple[object, ...]:
    """
    A key that is greater for a heading of a lower level, as its style, capitals, size and number say.

    "heading 1" < "heading 2" < "CAPS" 28 < "Bold" 28 < "Bold" 24; "5. Papers" < "5.1. Books"
    """
    # "b+caps 24" -> b, caps
    marks = heading.look.rpartition(" ")[0].split("+")
    look = [mark not in marks for mark in ("b", "line", "u")]
    # in a tuple, the first difference decides; False is less than True
    return (
        heading.level or 10,
        "caps" not in marks,
        -heading.size,
        count_number_parts(heading.plain),
        *look,
        "i" in marks,
    )


def _find_headings(lines: Sequence[Line]) -> list[bool]:
    """
    Which lines are headings: those with a style of one, and those that look like known ones.

    Where "Education", "Talks" and "Wool" are all "b 24", two of three are known, and "Wool" is a heading;
    where bold lines are mostly titles of talks, only the known ones are headings.
    """
    shorts = [line for line in lines if _is_short(line)]
    all_looks = Counter(line.look for line in shorts)
    known_looks = Counter(line.look for line in shorts if line.look and _find_kind(line))
    looks = {look for look, count in known_looks.items() if count >= MIN_SHARE * all_looks[look]}

    def is_heading(line: Line) -> bool:
        if not _is_short(line):
            return False
        # a line "References" is no entry, whatever it looks like
        if line.level or line.look in looks or _find_kind(line) == "referees":
            return True
        return line.look in known_looks and _find_kind(line) != ""

    return _add_parts(lines, [*map(is_heading, lines)])


def _add_parts(lines: Sequence[Line], are_headings: Sequence[bool]) -> list[bool]:
    """
    Which lines are headings, with those of parts whose words are not known: "Active" below "GRANTS".

    The first of a look stands directly below a heading, each has something below it, and all together have
    more lines with a year.
    "**Active**", "Lamps, 2021", "Wool, 2020", "**Past**", "Looms, 2015": 3 years below 2 bold lines, parts.
    "**Lecturer**", "Rome, 2019", "**Student**", "Padua, 2015": 2 years below 2 bold lines, no parts.
    """
    # by look: how many lines may be headings of parts, and how many lines below them have a year
    heads: Counter[str] = Counter()
    dated: Counter[str] = Counter()
    may_be_heads: list[int] = []
    for indexes in _list_lines_below(lines, are_headings):
        # the last line of a section has nothing below it
        found = [index for index in indexes[:-1] if lines[index].look and _is_short(lines[index])]
        may_be_heads += found
        look = lines[indexes[0]].look
        if indexes[0] in found:
            heads[look] += sum(lines[index].look == look for index in found)
            texts = [" ".join(_list_texts([lines[index]])) for index in indexes]
            dated[look] += sum(bool(YEAR.search(text)) for text in texts)

    looks = {look for look, count in heads.items() if dated[look] >= MIN_DATED_LINES * count}
    parts = {index for index in may_be_heads if lines[index].look in looks}
    return [is_heading or index in parts for index, is_heading in enumerate(are_headings)]


def _list_lines_below(lines: Sequence[Line], are_headings: Sequence[bool]) -> Iterator[list[int]]:
    """
    The indexes of the lines with words below each heading, without the lists of CAREER.

    There, a bold line belongs to an entry. What stands above the first heading has no parts either.
    """
    has_parts = False
    filled = [index for index, line in enumerate(lines) if _list_texts([line])]
    for has_headings, group in groupby(filled, key=lambda index: are_headings[index]):
        indexes = [*group]
        if has_headings:
            has_parts = _find_kind(lines[indexes[-1]]) not in CAREER
        elif has_parts:
            yield indexes


def _find_kind(line: Line) -> str:
    """What a heading means in most languages: "Publications" -> papers; "" if it is unknown, or too long."""
    meanings = read_heading(" ".join(line.plain.split())) if _is_short(line) else {}
    return Counter(meanings.values()).most_common(1)[0][0] if meanings else ""


def _join_entries(sections: Sequence[Section]) -> list[Section]:
    """
    The sections without those that are entries with a bold first line.

    Three or more in a row that look alike and are not known, or known from above, each with one line or none,
    belong to the section before: **Talks**, **On lamps** / Rome, **On wool** / Pisa, **On looms** / Rome.
    """
    used = {""}
    rows: list[tuple[Section, str]] = []
    for section in sections:
        count = sum(bool(line.plain.strip() or line.cells) for line in section.lines)
        is_small = section.kind in used and not section.heading.level and count < 2
        rows.append((section, section.heading.look if is_small else ""))
        used.add(section.kind)

    joined: list[Section] = []
    for small_look, group in groupby(rows, key=lambda row: row[1]):
        parts = [section for section, _ in group]
        if not small_look or len(parts) < 3 or not joined:
            joined += parts
            continue
        for section in parts:
            joined[-1].lines.append(Line(section.title, section.title, is_bold_first=True))
            joined[-1].lines.extend(section.lines)
    return joined


def _cut_signature(lines: list[Line]) -> list[str]:
    """
    Remove the place, the day and the name at the end of a CV, and return them; [] if they are not there.

    […, "Rome, 3 May 2025", "Ada Example"] -> […], and both lines
    """
    filled = [index for index, line in enumerate(lines) if _list_texts([line])]
    for index in filled[-2:]:
        # among lines with a day, it may be an entry
        signed = [number for number in filled[: filled.index(index) + 1] if _is_signature(lines[number])]
        if signed == [index]:
            texts = _list_texts(lines[index:])
            del lines[index:]
            return texts
    return []


def _is_signature(line: Line) -> bool:
    """Whether a line is only a place and a day: "Rome, 3 May 2025"."""
    match = _SIGNATURE.fullmatch(line.plain.strip())
    return bool(match and line.depth < 0 and is_date(match["date"]))


def find_language(sections: Sequence[Section], text: str) -> str:
    """
    The language of most headings, English if none is known; the letters decide it if they are not Latin.

    "Ausbildung", "Vorträge" -> de; a CV with headings in English and a fifth of its letters in Chinese -> zh
    """
    counts = Counter(language for section in sections for language in read_heading(section.title))
    for code, letters in _SCRIPTS:
        if len(re.findall(letters, text)) > 0.2 * len(re.findall(r"[^\W\d_]", text)):
            return "fa" if code == "ar" and counts["fa"] > counts["ar"] else code
    return max(counts, key=lambda code: (counts[code], code == "en"), default="en")


def _lower_capitals(text: str) -> str:
    """ "EDUCATION AND TRAINING" -> "Education and training", but "IEEE"."""
    return text.capitalize() if text.isupper() and len(text) > 4 else text


# The person


def _read_head(run: Import, lines: Sequence[Line], *, is_person: bool = False) -> None:
    """
    The name, the addresses and the role; other text is the introduction, and what is personal is left out.

    In a section with personal data, only the name and the addresses are read.
    """
    texts = [line for line in _read_labels(lines) if line.plain.strip()]
    run.document_lines[PERSONAL] += [line.plain for line in texts]
    # the name is labelled, or known, or else the largest of the first lines that can be one
    has_label = any(_NAME_LABEL.fullmatch(line.plain.strip()) for line in texts)
    name_lines: list[Line] = []
    if not has_label and "name" not in run.profile:
        name_lines = [*filter(_split_name, texts[:MAX_HEAD_LINES])]
    name_line = max(name_lines, key=lambda line: (line.look.startswith("Title"), line.size), default=None)

    for line in texts:
        text = line.text
        if line is name_line:
            name, text = _split_name(line) or ("", "")
            run.profile["name"] = name
        elif "title" in read_heading(line.plain).values():
            run.titles["page cv"] = _lower_capitals(clean_heading(line.plain))
            continue
        for url in line.links:
            run.add_link(url)

        # a text that is only the label of a link
        text = re.sub(r"\[[^\]\[]*\]\(https?:[^()\s]*\)", "", text)
        for piece in filter(None, map(str.strip, _PIECE.split(text))):
            is_read = _read_address(run, plain_text(piece)) or piece == run.profile.get("name")
            if not is_read and not is_person:
                _read_position(run, piece)


def _read_labels(lines: Sequence[Line]) -> Iterator[Line]:
    """The paragraphs; the two cells of a row of personal data as one: "Name: Ada Example"."""
    for line in lines:
        parts = [*line.list_paragraphs()]
        if len(line.cells) == len(parts) == 2:
            texts = [f"{parts[0].text.rstrip(': ')}: {parts[1].text}"]
            parts = [Line(texts[0], plain_text(texts[0]), links=parts[1].links)]
        yield from parts


def _split_name(line: Line) -> tuple[str, str] | None:
    """
    The name at the beginning of a line, and the rest: titles, or addresses in the same line; None without
    one.

    "ADA EXAMPLE, PhD" -> "Ada Example", "PhD". "University of Rome", "Education", "Lecturer" -> None
    """
    text = line.plain.strip()
    # "ADA EXAMPLE, PhD" -> "ADA EXAMPLE"
    first = re.split(r"\s{2,}|[,|\t\n(•–—]", text, maxsplit=1)[0].strip()
    name = choose_name([first])
    name = name.title() if name.isupper() and name.isascii() else name

    is_name = find_name_in_titles([name]) or _NATIVE_NAME.fullmatch(first)
    # "Advisor: Bo Lee", "Rome College", "Curriculum Vitae", "Senior Lecturer"
    is_other = ":" in first or is_organization(first) or read_heading(first) or PERSON_WORD.search(first)
    if not is_name or is_other:
        return None
    return name, text[len(first) :].strip(" ,|•–—\t\n")


def _read_address(run: Import, text: str) -> bool:
    """
    Whether a text is an address, the name of one, or personal, so that it is not shown as a text.

    "E-mail: ada@example.edu", "Phone: 555", "12 Loom Street" -> True; "Lecturer" -> False. In a sentence, the
    address is read, and the text shown: "I answer each letter to ada@example.edu." -> False
    """
    # Name: Ada Example
    if label := _NAME_LABEL.fullmatch(text):
        name = choose_name([label["name"]])
        # "Example, Ada"
        run.profile.setdefault("name", parse_owner_name(name).full_name if "," in name else name)
        return True
    is_prose = bool(_PROSE.search(text))
    if link := _find_link(text):
        run.add_link(link)
        return not is_prose or bool(parse_orcid(link))
    # a year in a sentence is no postal code
    is_personal = _PERSONAL.search(text) or (_POSTAL.search(text) and not is_prose)
    is_left_out = bool(is_personal or _LABEL.fullmatch(text))
    if is_left_out and (number := _ORCID.search(text)):
        reason = "is not an ORCID iD: its last character does not fit the others"
        run.note(next(iter(run.source.files)), f"{number[0]} {reason}")
    return is_left_out


_ORCID = re.compile(r"\d{4}-\d{4}-\d{4}-\d{3}[\dX]")
"""0000-0002-1825-0097, which may be wrong."""


def _find_link(text: str) -> str:
    """The e-mail address, the ORCID iD or else the URL in a text; "" if there is none."""
    if (address := _ADDRESS.search(text)) and parse_email(address[0]):
        return address[0]
    orcid = _ORCID.search(text)
    if orcid and parse_orcid(orcid[0]):
        return f"https://orcid.org/{orcid[0]}"
    url = _URL.search(text)
    if url is None or "@" in text:
        return ""
    return url[0] if "://" in url[0] else f"https://{url[0]}"


def _read_position(run: Import, text: str) -> None:
    """
    A text of the head as the role, the organization or the place, or as the introduction.

    "Lecturer, University of Rome, Italy" -> role, affiliation, location; "Lecturer" -> role; "University of
    Rome" -> affiliation; "Rome, Italy" -> location; "I study lamps." -> the introduction.
    """
    fields = split_organization(text)
    affiliation = str(run.profile.get("affiliation", ""))
    is_short = len(text) < 90 and ". " not in text
    is_role = bool(PERSON_WORD.search(str(fields.get("role", text)))) and "role" not in run.profile
    is_affiliation = is_short and (is_organization(text) or is_unit(text))
    # "Department of Physics" in one line, "University of Rome" in the next
    may_be_added = not affiliation or is_unit(affiliation)
    if fields and is_role:
        run.profile |= name_position(fields)
    elif is_short and is_role:
        # "POSITION TITLE: Lecturer"
        run.profile["role"] = text.rpartition(": ")[2]
    elif is_affiliation and may_be_added:
        run.profile["affiliation"] = ", ".join(filter(None, (affiliation, plain_text(text))))
    elif _PLACE.fullmatch(text) and "location" not in run.profile:
        run.profile["location"] = text
    else:
        run.add_about(text)


# Lists


def _add_section(run: Import, section: Section, place: str) -> None:
    """Add the entries of a section to the list of its kind, or to one of its own, and it to the CV."""
    lines = [
        replace(line, text=_NUMBER.sub("", line.text), plain=_NUMBER.sub("", line.plain))
        for line in section.lines
    ]
    groups = group_lines(lines, section.kind)
    texts = [section.title, *_list_texts(lines)]
    title = _lower_capitals(section.title)
    if not groups:
        run.document_lines[OTHER] += texts
        return

    entries = build_entries(groups, section.kind)
    count = sum(group.is_dated_above for group in groups)
    if count and section.kind != "papers":
        rows = format_count(count, "row")
        run.note(place, f"{title}: the date of {rows} without one is that of the row above")
    # a second section of a kind, and one that is mostly not certain, is a list of its own with its own title
    is_own = section.kind not in LIST_PATTERNS or section.kind in run.lists
    if not is_own:
        uncertain = [str(entry["text"]) for entry in entries if is_uncertain(entry, section.kind)]
        is_own = _note_uncertain(run, place, title, uncertain, len(entries))
    list_name = section.kind
    if is_own:
        list_name = _name_list(title, run)
        run.titles[list_name] = title

    if section.kind == "referees":
        run.note(place, f"{title}: {DRAFTS}")
        entries = [{**entry, "draft": "true"} for entry in entries]
    else:
        run.document_lines[OTHER] += texts
    if section.kind == "papers":
        _add_publications(run)
        # on the page of the publications too, below those of a .bib file
        run.page_sections.setdefault("publications", {"publications": ""})[list_name] = title
        _note_papers(run, place, title, texts)

    run.lists[list_name] += [name_fields(entry, list_name) for entry in entries]
    run.cv_sections.append({list_name: {"title": title}})


def _add_publications(run: Import) -> None:
    """Make the place on the CV for publications, which shows nothing until bib/ has a file with them."""
    if "publications" not in run.cv_sections:
        run.cv_sections.append("publications")


def _note_uncertain(run: Import, place: str, title: str, texts: Sequence[str], count: int) -> bool:
    """
    Say what has become of the texts among the entries of a career; returns whether they are most of them.

    Few are entries with their whole line as the title; of many, the section becomes a list of its own.
    """
    are_most = 2 * len(texts) > count
    if are_most:
        reason = "is not certain, so that the section is a list of its own"
        run.note(place, f"{title}: the organization of {len(texts)} of {count} entries {reason}")
    elif texts:
        result = "an entry is the whole line, to be divided"
        run.note(place, f"{title}: the organization is not certain, so that {result}: {'; '.join(texts)}")
    return are_most


def _name_list(title: str, run: Import) -> str:
    """
    The name of a list that Tenure does not have: "Visiting Positions" -> visiting-positions; "Talks" ->
    talks-list.
    """
    slug = make_slug(re.sub(r"\s*\([^()]*\)$", "", clean_heading(title))) or "list"
    is_reserved = slug in RESERVED_NAMES or slug in LIST_PATTERNS or slug == "cv"
    return make_unique(f"{slug}-list" if is_reserved else slug, run.lists)


def _note_papers(run: Import, place: str, title: str, texts: Sequence[str]) -> None:
    """Say how papers become publications: they stay a list, because prose is not certain."""
    dois = list(dict.fromkeys(filter(None, map(find_doi, texts))))
    advice = (
        "those of a .bib file in bib/ stand before it: delete each line that the file has; "
        "with `fetch: {orcid: …}` in site.yaml, `fetch --write` reads publications from your ORCID record"
    )
    if dois:
        advice += f"; with `fetch: {{dois: [{', '.join(dois)}]}}`, those with a DOI in the text"
    run.note(place, f"{title}: a list of texts; {advice}")


WORD = System("Word", steps=(read_word_cv,))
