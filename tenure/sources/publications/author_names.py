r"""
Parse the names in BibTeX's author and editor fields, also where a field is a list as in a sentence.

Dai*, Yinwei and G{\'o}mez, Ana and others -> Yinwei Dai (equal contribution), Ana Gómez, and others.
"""

import re
from collections.abc import Iterator, Sequence

from tenure.limits import cache_texts
from tenure.model.names import (
    EQUAL_CONTRIBUTION_MARKS,
    FOOTNOTE_MARKS,
    Author,
    Authors,
    Name,
    is_name_suffix,
    split_footnote_marks,
    split_natural_order,
)
from tenure.record import Record, replace
from tenure.sources.bibtex.bib_fields import FieldIssue
from tenure.sources.bibtex.bib_text import split_name_list, split_name_parts
from tenure.sources.latex.braces import find_closing_sign
from tenure.sources.latex.conversion import latex_to_text

_SEPARATORS = r"[;；、]|\\?&"
"""Signs that separate people in a sentence, and that BibTeX does not know."""


_ET_AL = r"(?i)(?<![\s,])[\s,]++(?:and\s+)?et\.?\s+al\.?\s*$"
"""The end of "Lee, Ada, et al." from its last comma on."""

_BALANCED_TEXT = r"((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)"
r"""A text in which each brace is closed, two levels deep: Lee {\"{A}}da."""


EMPTY_NAME = FieldIssue("author", "an author is empty", "and and", 'delete one "and"')


class ParsedAuthors(Record):
    """The authors of a field, and the doubtful texts in it."""

    authors: Authors
    issues: tuple[FieldIssue, ...] = ()


def parse_authors(value: str) -> ParsedAuthors:
    """
    Parse the authors of a field: "Pan, Rui and Kai Li and others" -> Rui Pan, Kai Li, and others.

    Source: Patashnik, "BibTeXing" (1988), section 4, on "and", commas and lower-case particles.
    """
    # "Pan et al."
    if value.rstrip(". \n")[-2:].casefold() == "al":
        value = re.sub(_ET_AL, " and others", value)
    parts = [part.strip() for part in _split_at_and(" ".join(_brace_accents(value).split()))]
    names = [part for part in parts if part.casefold() not in ("others", "...")]

    # only the part before "and" lists people between commas: "Rui Pan, Kai Li, and Yinwei Dai"
    is_natural = not any("," in part.rstrip(", ") for part in parts[1:])
    read_parts = [_read_part(name, is_natural) for name in names]
    people = tuple(author for authors, _ in read_parts for author in authors)
    issues = dict.fromkeys(issue for _, part_issues in read_parts for issue in part_issues)
    if value.strip() and not parts:
        issues[EMPTY_NAME] = None
    return ParsedAuthors(Authors(people, others=len(names) < len(parts)), tuple(issues))


def list_names(value: str) -> list[str]:
    """
    The names of a field as they are written, each alone: "Lee, Ada and Roe, Bo" -> "Lee, Ada", "Roe, Bo".

    They are those that `parse_authors` reads: "Ada Lee, Bo Roe, Jo Kim" -> three names.
    """
    parts = [part.strip() for part in _split_at_and(" ".join(value.split()))]
    is_natural = not any("," in part.rstrip(", ") for part in parts[1:])
    return [name for part in parts if part for name in _split_list(part, is_natural=is_natural)[0]]


def _brace_accents(value: str) -> str:
    r"""
    Names with braces around a command before a space: "Fran\c cois S\o ren" -> "Fran{\c c}ois S{\o}ren".
    """
    if "\\" not in value:
        return value
    value = re.sub(r"(\\(?:[cdbuvHrkt]|['`^\"~=.]))\s+(\w|\\[ij](?![A-Za-z]))", r"{\1 \2}", value)
    return re.sub(r"(\\(?:[oOlLij]|ss|ae|AE|oe|OE|aa|AA))\s+(?=[a-z])", r"{\1}", value)


@cache_texts
def _read_part(part: str, is_natural: bool) -> tuple[tuple[Author, ...], tuple[FieldIssue, ...]]:
    """
    The authors in the text between two "and", usually one, and what is doubtful.

    `is_natural`: no later part is written "Family, Given".
    """
    names, issues = _split_list(part, is_natural=is_natural)
    people: list[Author] = []
    for name_text in names:
        name, marks = _parse_name(name_text)
        if name.full_name:
            is_equal = any(mark in EQUAL_CONTRIBUTION_MARKS for mark in marks)
            people.append(Author(name, equal=is_equal, marks=marks))
    return tuple(people), issues if people else (EMPTY_NAME,)


def _split_list(part: str, *, is_natural: bool) -> tuple[list[str], tuple[FieldIssue, ...]]:
    """
    The names in a part, which is usually one name but may be a list as in a sentence; and what is doubtful.

    "Ada Lee" -> itself; "Ada Lee; Bo Kim" and "Ada Lee & Bo Kim" -> two names, and an issue about the sign.
    """
    if _is_group_name(part) or not re.search("[,;；、&]", part):
        return [part], ()
    pieces = split_outside_braces(part, _SEPARATORS)
    people = [person.strip() for person in pieces if person.strip()]
    # "Smith & Sons" is one name
    is_list = "&" not in part or all(" " in person for person in people)
    if len(pieces) == 1 or not is_list:
        return _split_at_commas(part, is_natural=is_natural)

    separator = next(re.finditer(_SEPARATORS, part))[0]
    message = f"“{separator}” does not separate authors"
    names = [name for person in people for name in _split_list(person, is_natural=is_natural)[0]]
    issue = FieldIssue("author", message, separator, 'put "and" in its place')
    return [*map(_move_initials, names)], (issue,)


def _split_at_commas(part: str, *, is_natural: bool) -> tuple[list[str], tuple[FieldIssue, ...]]:
    """
    The names in a part with commas: one, or those of a list; and what is doubtful.

    "García Márquez, Gabriel José" -> one name
    "Rui Pan, Yinwei Dai, Kai Li" -> three names
    "A. Pan, B. Li", "Pan RS, Dai Y" -> two names with initials
    "Rui Pan, Kai Li," before "and Yinwei Dai" -> two names, but one before "and Dai, Yinwei"
    "Pan, Rui," and "King Lee, Martin Luther, Jr." -> one name
    """
    segments = [segment.strip() for segment in split_outside_braces(part, ",")]
    has_last_comma = not segments[-1]
    segments = segments[:-1] if has_last_comma else segments
    has_suffix = any(map(is_name_suffix, segments))
    moved = [*map(_move_initials, segments)]
    have_initials = _have_initials(segments, moved)

    issues: tuple[FieldIssue, ...] = ()
    if has_last_comma:
        message = f"“{part}” ends in a comma"
        issues = (FieldIssue("author", message, part, 'delete the comma before "and"'),)
    elif have_initials or not _may_be_one_name(segments):
        message = f"“{part}” has too many commas for one name"
        issues = (FieldIssue("author", message, part, 'put "and" between the authors'),)

    if has_suffix or not all(" " in segment for segment in segments):
        return [part], issues
    is_pair_of_list = len(segments) == 2 and has_last_comma and is_natural
    is_list = len(segments) > 2 or is_pair_of_list or have_initials
    return moved if is_list else [part], issues


def _may_be_one_name(segments: Sequence[str]) -> bool:
    """
    Whether segments between commas may be "Family, Given" or "Family, Jr., Given".

    Not "Ada Roe, Bo Lee, Jo Kim", where the second of three segments has two words.
    """
    if len(segments) != 3:
        return len(segments) < 3
    return " " not in segments[1] or any(map(is_name_suffix, segments))


# J.-P. Smith; not initials alone: J. R. P., J. Yu.
_NATURAL_NAME = r"(?:[^\W\d_a-z]\.[\s-]*)+(?![\w-]{1,2}\.)\S*\w{2}"


def _have_initials(segments: Sequence[str], moved: Sequence[str]) -> bool:
    """
    Whether each of several segments is a name with initials: "J. R. Smith", or "Smith JR", which were moved.
    """
    if len(segments) < 2:
        return False
    are_moved = all(name != segment for name, segment in zip(moved, segments, strict=True))
    return are_moved or all(re.match(_NATURAL_NAME, segment) for segment in segments)


_NAME_BEFORE_INITIALS = r"""(?x)
    (?P<family>[^\W\d_][\w'’-]+(?:\ [^\W\d_][\w'’-]+)*)\ +
    (?P<initials>(?:[^\W\d_a-z]\.[\s-]*)+|(?P<capitals>(?!II|IV)[A-Z]{1,3}))  # Smith J. R., Smith JR, not III
"""


def _move_initials(name: str) -> str:
    """
    A name of a list with commas in the order of BibTeX.

    "Smith JR" -> "Smith, JR"; "SMITH J. R." -> "SMITH, J. R."
    "John Smith", "JOHN LEE" -> unchanged: in a name in capitals, LEE may be a word
    """
    match = re.fullmatch(_NAME_BEFORE_INITIALS, name)
    if match is None:
        return name
    may_be_word = match["capitals"] and match["family"].isupper()
    if may_be_word:
        return name
    return f"{match['family']}, {match['initials']}"


def _parse_name(name_text: str) -> tuple[Name, str]:
    r"""One name and its footnote marks: "Lee, Ada$^*$" -> Ada Lee, "*"; "{\bf Lee}, Ada" -> Ada Lee, ""."""
    name_text = remove_emphasis(name_text)
    if _is_group_name(name_text):
        group, marks = split_footnote_marks(latex_to_text(name_text).text.rstrip(", "))
        return Name(group=group), marks
    segments = [segment.strip() for segment in split_outside_braces(name_text, ",")]
    if len(segments) == 3 and is_name_suffix(segments[2]):
        # King, Martin Luther, Jr.
        name_text = f"{segments[0]}, {segments[2]}, {segments[1]}"

    marks = ""
    decoded_parts: list[str] = []
    for part in _split_parts(name_text):
        text, part_marks = split_footnote_marks(latex_to_text(part).text) if part else ("", "")
        # ADS writes "M. -R."
        text = re.sub(r"(?<=[^\W\d_]\.)\s+-(?=[^\W\d_])", "-", text)
        decoded_parts.append(text.replace("{", "").replace("}", ""))
        marks += part_marks
    given, von, family, suffix = decoded_parts
    name = Name(given=given, von=von, family=family, suffix=suffix)
    # a single word is a family name
    return (name if family else replace(name, given="", family=given)), marks


_EMPHASIZED_NAME = (
    rf"\\[a-zA-Z]{{2,}}\s*\{{{_BALANCED_TEXT}\}}|\{{\\(?:bf|em|it|bfseries)\s+{_BALANCED_TEXT}\}}"
)
r"""\textbf{Lee, Ada}, or {\bf Lee, Ada}."""


def remove_emphasis(name_text: str) -> str:
    r"""A name without a command around it: "{\textbf{Jane Doe}}*" becomes "Jane Doe*"."""
    if "\\" not in name_text:
        return name_text
    bare_name = name_text.rstrip(FOOTNOTE_MARKS + " ")
    emphasized = re.fullmatch(_EMPHASIZED_NAME, bare_name)
    emphasized = emphasized or re.fullmatch(_EMPHASIZED_NAME, bare_name.removeprefix("{").removesuffix("}"))
    if emphasized is None:
        return name_text
    return f"{(emphasized[1] or emphasized[2] or '').strip()}{name_text[len(bare_name) :]}"


_ORGANIZATION_WORD = r"""(?x)
    (?<![\w-])(?:Organi[sz]ation|University|Universit[àéäy]t?|Universidad|Institutes?|Institut|Consortium
    |Collaboration|Committee|Association|Agency|Ministry|Laboratory|Commission|Foundation|Nations
    |Working\ Group|Task\ Force|Research\ Group|Study\ Group|Investigators|Initiative)
    (?![\w-])                                          # World Health Organization,
"""
"""A word of an organization, as EndNote and many authors write it without braces."""


def _is_group_name(name_text: str) -> bool:
    r"""
    Whether the whole name is in braces, or has a word that only organizations have.

    "{The ATLAS Collaboration}", "World Health Organization," -> True
    "Institute, Ada", "Ada {King} {Lee}", "{\O}" (a letter) -> False
    """
    bare_name = name_text.strip(", ")
    is_in_words = " " in bare_name and "," not in bare_name
    if is_in_words and re.search(_ORGANIZATION_WORD, bare_name):
        return True

    stripped = name_text.rstrip("*")
    is_in_braces = stripped[:1] == "{" and stripped[-1] == "}"
    if not is_in_braces or stripped.startswith("{\\"):
        return False
    # the last brace does not close the first one: {King} and {Lee}
    return find_closing_sign(stripped) == len(stripped) - 1


def _is_particle(token: str) -> bool:
    """Whether BibTeX reads a token as a particle: its first letter outside braces is lower case."""
    if token.startswith("{") and not token.startswith("{\\"):
        return False
    letter = next((c for c in latex_to_text(token).text if c.isalpha()), "A")
    return letter.islower()


def _split_parts(name_text: str) -> Iterator[str]:
    """
    Given name, particle, family name and suffix of a name, as bibtexparser splits it.

    A name without commas may have its suffix at the end.
    """
    # the library reads the accent of "Jo\~ao" as a space
    if "\\~" in name_text:
        name_text = re.sub(r"\\~\s*(\{[^{}]*\}|\\[ij](?![a-zA-Z])|\w)", r"{\\~\1}", name_text)
    first, particles, last, suffix = split_name_parts(name_text)
    # without a comma, our own rules know more particles and suffixes
    if "," not in name_text:
        words = [*first, *particles, *last]
        yield from split_natural_order(words or [""], _is_particle)
        return

    # "Ruiz de Austri, R." is no "von"
    is_von = bool(particles) and _is_particle(particles[0])
    von, family = (particles, last) if is_von else ([], [*particles, *last])
    yield from (" ".join(words) for words in (first, von, family, suffix))


def _split_at_and(value: str) -> list[str]:
    """The parts of a value between the "and" outside braces; an empty one for two "and" in a row."""
    value += "}" * (value.count("{") - value.count("}"))
    # the library splits only between two names, and reads "and A" as one; these two are cut off below
    marked = f"{{}} and {value} and {{}}"
    # braces for an empty name: "A and and B" -> "A and {} and B"
    if not value or "and and" in marked.casefold():
        marked = re.sub(r"(?i)( and)(?= +and )", r"\1 {}", marked)
    # the library drops a command at the start of a name: "and \\'Alvarez"
    if "\\" in marked:
        marked = re.sub(r"(?i)( and +)(?=\\)", r"\1{}", marked)
    parts = split_name_list(marked)[1:-1]
    return [part.removeprefix("{}") for part in parts]


def split_outside_braces(text: str, pattern: str) -> list[str]:
    """Split a text at each match of a pattern outside braces: "{A, B}, C" -> "{A, B}", " C"."""
    if "{" not in text:
        return re.split(pattern, text)
    segments: list[str] = []
    depth = 0
    start = 0
    for match in re.finditer(rf"[{{}}]|{pattern}", text):
        if match[0] == "{":
            depth += 1
        elif match[0] == "}":
            depth = max(0, depth - 1)
        elif depth == 0:
            segments.append(text[start : match.start()])
            start = match.end()
    return [*segments, text[start:]]
