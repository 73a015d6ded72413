"""Parse the names in BibTeX's author and editor fields, also where a field is a list as in a sentence."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from operator import ne

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
from tenure.sources.bibtex.latex import latex_to_text
from tenure.sources.bibtex.splitter import split_name_list, split_name_parts
from tenure.sources.bibtex.values import find_closing_sign

LIST_SEPARATORS = (r"\&", "&", ";", "；", "、")
"""Signs that separate people in a sentence, and that BibTeX does not know."""

_ORGANIZATION_WORD = re.compile(
    r"(?<![\w-])(?:Organi[sz]ation|University|Universit[àéäy]t?|Universidad|Institutes?|Institut|Consortium|Collaboration|Committee|Association|Agency|Ministry|"
    r"Laboratory|Commission|Foundation|Nations|Working Group|Task Force|Research Group|Study Group|Investigators|Initiative)(?![\w-])"
)
"""A word of an organization, as EndNote and many authors write it without braces: "World Health Organization,"."""

_KEYED_NAME = re.compile(r"(?:family|given|prefix|suffix|useprefix)\s*=")
_NATURAL_NAME = re.compile(r"(?:[^\W\d_a-z]\.[\s-]*)+(?![\w-]{1,2}\.)\S*\w{2}")
_NAME_BEFORE_INITIALS = re.compile(r"([^\W\d_][\w'’-]+(?:\s[^\W\d_][\w'’-]+)*)\s+((?:[^\W\d_a-z]\.[\s-]*)+)")
"""A name in a list with commas whose initials are after the family name: "Doe J. A."."""

_INITIALS = re.compile(r"(?:[^\W\d_]{1,2}\.[\s-]*)+")

_ACCENT_BEFORE_SPACE = re.compile(r"(\\(?:[cdbuvHrkt]|['`^\"~=.]))\s+(\w|\\[ij](?![A-Za-z]))")
_COMMAND_BEFORE_SPACE = re.compile(r"(\\(?:[oOlLij]|ss|ae|AE|oe|OE|aa|AA|dh|DH|dj|DJ|th|TH))\s+(?=[a-z])")

ET_AL_WORDS = frozenset({"others", "et al", "et al.", "..."})
_BALANCED_TEXT = r"((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)"
_EMPHASIZED_NAME = re.compile(
    rf"\\[a-zA-Z]{{2,}}\s*\{{{_BALANCED_TEXT}\}}|\{{\\(?:bf|em|it|bfseries)\s+{_BALANCED_TEXT}\}}"
)
_BRACED_NAME = re.compile(r"\{([^{},]+,\s*(?:[^\W\d_]\.[\s-]*)+)\}")
"""A name in braces that is one of a person, as its initials say: "{Doe, J.}*"."""

_ET_AL_SUFFIX = re.compile(r"(.*?)(?<![\s,])[\s,]+et\.?\s+al\.?", re.IGNORECASE)
_HOMONYM_NUMBER = re.compile(r"(?<=[^\W\d])(?:\s|~)+0\d{3}(?=\s*(?:,|$))")
"""The number of one of several people with the same name. Source: dblp, FAQ, "How are homonyms handled"."""

_AFFILIATION_MARK = re.compile(
    r"\$\^\{?[\da-z](?:[\s,]+[\da-z])*\}?\$|\\textsuperscript\{\d[\d\s,]*\}|<sup>\d[\d\s,]*</sup>|\^(?=[*†‡§])"
)
"""The number of an affiliation after a name, and the caret before a footnote mark."""

_INITIAL_BEFORE_SPACE = re.compile(r"(?<=[^\W\d_]\.)\s+-(?=[^\W\d_])")
"""The space within double initials, as ADS writes them: "M. -R."."""

_LIFE_DATES = re.compile(r",\s*(?:b\.\s*)?\d{4}\s*[-–]?\s*(?:\d{4})?\.?$")
"""The years of a life in the catalogue of a library: "Doe, Jane, 1970-"."""


class ParsedAuthors(Record):
    """The authors of a field, and problem messages."""

    authors: Authors
    issues: tuple[str, ...] = ()


def parse_authors(value: str, *, may_end_in_initials: bool = False) -> ParsedAuthors:
    """
    Parse the authors of a field. `may_end_in_initials`: "Kumar V" is a name in natural order, and not one of PubMed.

    Source: Patashnik, "BibTeXing" (1988), section 4, on "and", commas and lower-case particles; biblatex manual,
    section 3.6, on `family=…, given=…`.
    """
    parts = _split_at_and(" ".join(_unwrap_list(_brace_commands(value)).split()))
    parts = [part.strip() for part in parts]
    is_natural = not any("," in part.rstrip(", ") for part in parts[1:])
    moved = [] if may_end_in_initials or len(parts) < 2 else [*map(_move_capital_initials, parts)]
    is_moved = moved and all(map(ne, parts, moved))
    read_parts = [
        _read_part(part, (moved[i],) if is_moved else None, is_natural=is_natural)
        for i, part in enumerate(parts)
    ]
    people = tuple(author for authors, _ in read_parts for author in authors.people)
    issues = tuple(issue for _, part_issues in read_parts for issue in part_issues)
    has_others = any(authors.others for authors, _ in read_parts)
    if not (people or has_others or issues):
        issues = ("an author is empty",)
    return ParsedAuthors(Authors(people, has_others), issues)


@lru_cache(maxsize=65536)
def _read_part(
    part: str, names: tuple[str, ...] | None, *, is_natural: bool
) -> tuple[Authors, tuple[str, ...]]:
    """The authors in the text between two "and", usually one, and problem messages; `names` are given if they are known."""
    people: list[Author] = []
    issues: list[str] = []
    has_others = False
    for name_text in _split_list(part, is_natural=is_natural) if names is None else names:
        et_al = _ET_AL_SUFFIX.fullmatch(name_text)
        is_et_al = name_text.strip(" ,").casefold() in ET_AL_WORDS
        has_others = has_others or is_et_al or et_al is not None
        if is_et_al:
            continue
        name, marks = _parse_name(et_al[1] if et_al else name_text)
        if name.full_name:
            is_equal = any(mark in EQUAL_CONTRIBUTION_MARKS for mark in marks)
            people.append(Author(name, equal=is_equal, marks=marks))
        else:
            issues.append("an author is empty")
    if people:
        issues += _check_name(part)
    return Authors(tuple(people), has_others), tuple(issues)


def _brace_commands(value: str) -> str:
    r"""Names in which a command before a space does not end a word: "Fran\c cois" becomes "Fran{\c c}ois"."""
    if "\\" not in value:
        return value
    return _COMMAND_BEFORE_SPACE.sub(r"{\1}", _ACCENT_BEFORE_SPACE.sub(r"{\1 \2}", value))


def _check_name(part: str) -> Iterator[str]:
    """Problem messages about a doubtful name, the text between two "and"."""
    et_al = _ET_AL_SUFFIX.fullmatch(part)
    name_text = et_al[1] if et_al else part
    segments = [segment.strip() for segment in split_outside_braces(_LIFE_DATES.sub("", name_text), ",")]
    if not segments[-1] and not _is_group_name(name_text):
        yield f"“{name_text}” ends in a comma"
    elif not _KEYED_NAME.match(name_text) and _has_too_many_parts(segments):
        yield f"“{name_text}” has too many commas for one name"


def _has_too_many_parts(segments: list[str]) -> bool:
    """Whether a name has more parts between commas than "von Last, Jr, First"."""
    return (
        len(segments) > 3
        or (len(segments) == 3 and " " in segments[1] and not is_name_suffix(segments[2]))
        or (len(segments) == 2 and _is_list_with_initials(segments))
    )


_EQUAL_NOTE = re.compile(r"equal|co-?first|joint|shared", re.IGNORECASE)
_CORRESPONDING_NOTE = re.compile(r"corresp|corr\b|contact", re.IGNORECASE)
_OWNER_NOTE = re.compile(r"\bme\b|self|highlight|bold|own", re.IGNORECASE)


def apply_annotations(authors: Authors, annotation: str) -> Authors:
    """
    Apply data annotations to authors: "1=equal; 2=equal, me; 3=corresponding".

    Source: biblatex manual, section 3.7, "Data Annotations".
    """
    pairs = re.findall(r"(\d{1,6})(?::[\w-]+)?\s*=\s*([^;]*)", annotation)
    notes = {int(number): note for number, note in pairs}
    people: list[Author] = []
    for number, author in enumerate(authors.people, 1):
        note = notes.get(number, "")
        is_equal = author.equal or bool(_EQUAL_NOTE.search(note))
        is_corresponding = author.corresponding or bool(_CORRESPONDING_NOTE.search(note))
        is_owner = author.me or bool(_OWNER_NOTE.search(note))
        people.append(replace(author, equal=is_equal, corresponding=is_corresponding, me=is_owner))
    return replace(authors, people=tuple(people))


def _parse_name(name_text: str) -> tuple[Name, str]:
    """One name and its footnote marks."""
    name_text = _LIFE_DATES.sub("", _HOMONYM_NUMBER.sub("", _AFFILIATION_MARK.sub("", name_text)))
    name_text = remove_emphasis(name_text)
    if _KEYED_NAME.match(name_text):
        return _parse_keyed_name(name_text)
    if _is_group_name(name_text):
        group, marks = split_footnote_marks(latex_to_text(name_text).text.rstrip(", "))
        return Name(group=group), marks
    segments = [part.strip() for part in split_outside_braces(name_text, ",")]
    if len(segments) == 3 and is_name_suffix(segments[2]) and not is_name_suffix(segments[1]):
        name_text = f"{segments[0]}, {segments[2]}, {segments[1]}"  # King, Martin Luther, Jr.
    marks = ""
    decoded_parts: list[str] = []
    for part in _split_parts(name_text):
        text, part_marks = split_footnote_marks(latex_to_text(part).text)
        decoded_parts.append(_INITIAL_BEFORE_SPACE.sub("-", text.replace("{", "").replace("}", "")))
        marks += part_marks
    given, von, family, suffix = decoded_parts
    name = Name(given=given, von=von, family=family, suffix=suffix)
    return _ensure_family_name(name), marks


def remove_emphasis(name_text: str) -> str:
    r"""A name without a command or braces around it: "{\textbf{Jane Doe}}*" becomes "Jane Doe*", "{Doe, J.}" "Doe, J."."""
    bare_name = name_text.rstrip(FOOTNOTE_MARKS + " ")
    marks = name_text[len(bare_name) :]
    if bare_name.startswith("{\\") and find_closing_sign(bare_name) == len(bare_name) - 1:
        inner = _EMPHASIZED_NAME.fullmatch(bare_name[1:-1].strip())
        bare_name = inner[0] if inner else bare_name
    emphasized = _EMPHASIZED_NAME.fullmatch(bare_name)
    if emphasized:
        return f"{(emphasized[1] or emphasized[2] or '').strip()}{marks}"
    braced = _BRACED_NAME.fullmatch(bare_name)
    return f"{braced[1]}{marks}" if braced else name_text


def _parse_keyed_name(name_text: str) -> tuple[Name, str]:
    fields = dict(re.findall(r"(?<![\w-])(family|given|prefix|suffix)\s*=\s*(\{[^}]*\}|[^,]*)", name_text))
    decoded = {key: latex_to_text(value.strip()).text for key, value in fields.items()}
    family, marks = split_footnote_marks(decoded.get("family", ""))
    name = Name(decoded.get("given", ""), decoded.get("prefix", ""), family, decoded.get("suffix", ""))
    return _ensure_family_name(name), marks


def _ensure_family_name(name: Name) -> Name:
    """The name with a family name; a single name becomes the family name."""
    return name if name.family else replace(name, given="", family=name.given)


def _is_group_name(name_text: str) -> bool:
    """Whether the whole name is in braces ("{The ATLAS Collaboration}"), or has a word that only organizations have."""
    bare_name = name_text.strip(", ")
    is_plain = " " in bare_name and not re.search("[,=]", bare_name)
    if is_plain and _ORGANIZATION_WORD.search(bare_name):
        return True
    stripped = name_text.rstrip("*")
    if stripped[:1] != "{" or stripped[-1] != "}" or stripped.startswith("{\\"):
        return False
    return find_closing_sign(stripped) == len(stripped) - 1


def _is_particle(token: str) -> bool:
    """Whether BibTeX reads a token as a particle: its first letter outside braces is lower case."""
    if token.startswith("{") and not token.startswith("{\\"):
        return False
    letter = next((c for c in latex_to_text(token).text if c.isalpha()), "A")
    return letter.islower()


def _split_parts(name_text: str) -> Iterator[str]:
    """Given name, particle, family name and suffix of a name, as bibtexparser splits it; a name without commas may have its suffix at the end."""
    first, particles, last, suffix = split_name_parts(_brace_tildes(name_text))
    if "," not in name_text:
        words = [*first, *particles, *last]
        yield from split_natural_order(words or [""], _is_particle)
        return
    is_von = bool(particles) and _is_particle(particles[0])  # "Ruiz de Austri, R." is no "von"
    von, family = (particles, last) if is_von else ([], [*particles, *last])
    yield from (" ".join(words) for words in (first, von, family, suffix))


def _brace_tildes(name_text: str) -> str:
    r"""A name in which the library does not read an accent as a space: "Jo\~ao" becomes "Jo{\~a}o"."""
    if "\\~" not in name_text:
        return name_text
    return re.sub(r"\\~\s*(\{[^{}]*\}|\\[ij](?![a-zA-Z])|\w)", r"{\\~\1}", name_text)


def _split_at_and(value: str) -> list[str]:
    """The parts of a value between the "and" outside braces, as bibtexparser splits it; an empty one for two "and" in a row."""
    value += "}" * (value.count("{") - value.count("}"))
    # Braces for an empty name, and before a command, which the library drops at the start of a name: "and \\'Alvarez".
    marked = re.sub(r"(?i)( and)(?= +and )", r"\1 {}", f"{{}} and {value} and {{}}")
    parts = split_name_list(re.sub(r"(?i)( and +)(?=\\)", r"\1{}", marked))[1:-1]
    return [part.removeprefix("{}") for part in parts]


def _unwrap_list(value: str) -> str:
    """A value without the braces around all of its names: "{Doe, Jane and Roe, Eva}"; those of one organization stay."""
    inner = value.strip()
    if inner[:1] != "{" or find_closing_sign(inner) != len(inner) - 1:
        return value
    parts = _split_at_and(inner[1:-1])
    return inner[1:-1] if len(parts) > 1 and all("," in part for part in parts) else value


def split_outside_braces(text: str, pattern: str) -> list[str]:
    """Split a text at each match of a pattern outside braces."""
    segments, depth, start = [], 0, 0
    for match in re.finditer(rf"[{{}}]|{pattern}", text):
        if match[0] in ("{", "}"):
            depth = max(0, depth + (1 if match[0] == "{" else -1))
        elif depth == 0:
            segments.append(text[start : match.start()])
            start = match.end()
    return [*segments, text[start:]]


def _split_list(part: str, *, is_natural: bool) -> Iterator[str]:
    """The names in a part between "and". `is_natural`: no later part is written "Family, Given"."""
    if _KEYED_NAME.match(part) or _ORGANIZATION_WORD.search(part):
        yield part
        return
    pieces = [piece.strip() for piece in split_outside_braces(part, "[;；、]") if piece.strip()]
    if not pieces:
        yield part
    for piece in pieces:
        sides = [side.strip() for side in split_outside_braces(piece, r"\\?&")]
        people = sides if all(" " in side for side in sides) else [piece]
        for person in people:
            if len(pieces) + len(people) > 2 and "," not in person:
                yield _move_capital_initials(person)
            else:
                yield from _split_at_list_commas(person, is_natural=is_natural)


def _split_at_list_commas(text: str, *, is_natural: bool) -> Iterator[str]:
    """The names of a list with commas; the text itself if it is one name."""
    segments = [segment.strip() for segment in split_outside_braces(text, ",")]
    has_last_comma = len(segments) > 1 and not segments[-1]
    segments = segments[:-1] if has_last_comma else segments
    if len(segments) < 2 or not all(segments) or any(map(is_name_suffix, segments)):
        yield text
    elif all(" " in segment for segment in segments) and (
        len(segments) > 2 or (has_last_comma and is_natural) or _is_list_with_initials(segments)
    ):
        yield from map(_move_initials, segments)
    elif len(segments) > 3 and len(segments) % 2 == 0 and all(map(_is_given_name, segments[1::2])):
        yield from _join_pairs(segments)
    else:
        yield text


def _join_pairs(segments: Sequence[str]) -> Iterator[str]:
    """The names in "Doe, Jane, Roe, Eva"."""
    for family, given in zip(segments[::2], segments[1::2], strict=True):
        yield f"{family}, {given}"


def _is_list_with_initials(segments: Sequence[str]) -> bool:
    """Whether each part between commas has initials before or after a family name, as no family name has: "J. Doe, E. Roe"."""
    return all(_NATURAL_NAME.match(segment) is not None for segment in segments) or all(
        _move_initials(segment) != segment for segment in segments
    )


def _is_given_name(segment: str) -> bool:
    """Whether a part between commas may be a given name: one word, or one with initials."""
    return " " not in segment or _INITIALS.search(segment) is not None


def is_initials(word: str) -> bool:
    """Whether a word is the initials of given names, as PubMed writes them: "JR"."""
    return len(word) < 4 and word.isalpha() and word.isupper() and word.isascii()


def _move_initials(name: str) -> str:
    """A name of a list with commas in the order of BibTeX: "Smith JR" is "Smith, JR", "Smith J. R." is "Smith, J. R."."""
    match = _NAME_BEFORE_INITIALS.fullmatch(name)
    return f"{match[1]}, {match[2]}" if match else _move_capital_initials(name)


def _move_capital_initials(name: str) -> str:
    """A name that PubMed writes "Smith JR" in the order of BibTeX: "Smith, JR"."""
    family, _, initials = name.rpartition(" ")
    if not family or "," in family or "{" in family:
        return name
    is_moved = is_initials(initials) and not family.isupper() and not is_name_suffix(initials)
    return f"{family}, {initials}" if is_moved else name
