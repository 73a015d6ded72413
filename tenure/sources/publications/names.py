"""Parse the names in BibTeX's author and editor fields."""

import re
from collections.abc import Iterator
from functools import lru_cache

from tenure.model.names import (
    EQUAL_CONTRIBUTION_MARKS,
    FOOTNOTE_MARKS,
    Author,
    Authors,
    Name,
    is_name_suffix,
    split_footnote_marks,
    split_native_name,
    split_natural_order,
)
from tenure.record import Record, replace
from tenure.sources.bibtex.latex import latex_to_text
from tenure.sources.bibtex.values import find_closing_sign
from tenure.sources.publications.author_lists import (
    KEYED_NAME,
    ORGANIZATION_WORD,
    is_list_with_initials,
    list_names,
    split_outside_braces,
)

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
    people: list[Author] = []
    issues: list[str] = []
    has_others = False
    for part, names in list_names(_brace_commands(value), may_end_in_initials=may_end_in_initials):
        found: list[Author] = []
        for name_text in names:
            et_al = _ET_AL_SUFFIX.fullmatch(name_text)
            is_et_al = name_text.strip(" ,").casefold() in ET_AL_WORDS
            has_others = has_others or is_et_al or et_al is not None
            if is_et_al:
                continue
            name, marks = _parse_name(et_al[1] if et_al else name_text)
            if name.full_name:
                is_equal = any(mark in EQUAL_CONTRIBUTION_MARKS for mark in marks)
                found.append(Author(name, equal=is_equal, marks=marks))
            else:
                issues.append("an author is empty")
        people += found
        issues += _check_name(part) if found else ()
    return ParsedAuthors(Authors(tuple(people), has_others), tuple(issues))


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
    elif not KEYED_NAME.match(name_text) and _has_too_many_parts(segments):
        yield f"“{name_text}” has too many commas for one name"


def _has_too_many_parts(segments: list[str]) -> bool:
    """Whether a name has more parts between commas than "von Last, Jr, First"."""
    return (
        len(segments) > 3
        or (len(segments) == 3 and " " in segments[1] and not is_name_suffix(segments[2]))
        or (len(segments) == 2 and is_list_with_initials(segments))
    )


_EQUAL_NOTE = re.compile(r"equal|co-?first|joint|shared", re.IGNORECASE)
_CORRESPONDING_NOTE = re.compile(r"corresp|corr\b|contact", re.IGNORECASE)
_OWNER_NOTE = re.compile(r"\bme\b|self|highlight|bold|own", re.IGNORECASE)


def apply_annotations(authors: Authors, annotation: str) -> Authors:
    """
    Apply data annotations to authors: "1=equal; 2=equal, me; 3=corresponding".

    Source: biblatex manual, section 3.7, "Data Annotations".
    """
    notes = {
        int(number): note for number, note in re.findall(r"(\d{1,6})(?::[\w-]+)?\s*=\s*([^;]*)", annotation)
    }
    people = tuple(
        replace(
            author,
            equal=author.equal or bool(_EQUAL_NOTE.search(notes.get(i, ""))),
            corresponding=author.corresponding or bool(_CORRESPONDING_NOTE.search(notes.get(i, ""))),
            me=author.me or bool(_OWNER_NOTE.search(notes.get(i, ""))),
        )
        for i, author in enumerate(authors.people, 1)
    )
    return replace(authors, people=people)


@lru_cache(maxsize=65536)
def _parse_name(name_text: str) -> tuple[Name, str]:
    """One name and its footnote marks."""
    name_text = _LIFE_DATES.sub("", _HOMONYM_NUMBER.sub("", _AFFILIATION_MARK.sub("", name_text)))
    name_text = remove_emphasis(name_text)
    if KEYED_NAME.match(name_text):
        return _parse_keyed_name(name_text)
    if _is_group_name(name_text):
        group, marks = split_footnote_marks(latex_to_text(name_text).text.rstrip(", "))
        return Name(group=group), marks
    latin_text, native = split_native_name(name_text)
    segments = [part.strip() for part in split_outside_braces(latin_text, ",")]
    while len(segments) > 1 and not segments[-1]:
        segments.pop()
    if len(segments) == 1:
        given, von, family, suffix = split_natural_order(
            _split_tokens(segments[0]) or [""], _is_particle, native
        )
    else:
        von, family = _split_particle(_split_tokens(segments[0]))
        suffix = (
            segments.pop(2 if len(segments) == 3 and is_name_suffix(segments[2]) else 1)
            if len(segments) > 2
            else ""
        )
        given = ", ".join(segments[1:])
    marks = ""
    decoded_parts: list[str] = []
    for part in (given, von, family, suffix):
        text, part_marks = split_footnote_marks(latex_to_text(part).text)
        decoded_parts.append(_INITIAL_BEFORE_SPACE.sub("-", text.replace("{", "").replace("}", "")))
        marks += part_marks
    given, von, family, suffix = decoded_parts
    name = Name(given=given, von=von, family=family, suffix=suffix, native=native)
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
    if (
        " " in bare_name
        and "," not in bare_name
        and "=" not in bare_name
        and ORGANIZATION_WORD.search(bare_name)
    ):
        return True
    stripped = name_text.rstrip("*")
    if stripped[:1] != "{" or stripped[-1] != "}" or stripped.startswith("{\\"):
        return False
    return find_closing_sign(stripped) == len(stripped) - 1


def _split_tokens(text: str) -> list[str]:
    """Split at white space and ties (~) outside braces."""
    tokens, depth, current = [], 0, ""
    for character in re.sub(r"(?<!\\)~", " ", text):
        depth = max(0, depth + {"{": 1, "}": -1}.get(character, 0))
        if character.isspace() and depth == 0:
            tokens.append(current)
            current = ""
        else:
            current += character
    return [token for token in (*tokens, current) if token]


def _is_particle(token: str) -> bool:
    """Whether BibTeX reads a token as a particle: its first letter outside braces is lower case."""
    if token.startswith("{") and not token.startswith("{\\"):
        return False
    letter = next((c for c in latex_to_text(token).text if c.isalpha()), "A")
    return letter.islower()


def _split_particle(tokens: list[str]) -> tuple[str, str]:
    """Split "von Last", the part before a comma, into particle and family name."""
    particle_indexes = [i for i, token in enumerate(tokens[:-1]) if _is_particle(token)]
    if not particle_indexes or particle_indexes[0] != 0:
        return "", " ".join(tokens)
    family_start = next((i for i in range(len(tokens) - 1) if i not in particle_indexes), len(tokens) - 1)
    return " ".join(tokens[:family_start]), " ".join(tokens[family_start:])
