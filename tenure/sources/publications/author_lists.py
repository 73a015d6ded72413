"""Split the value of BibTeX's author and editor fields into names, also where it is a list as in a sentence."""

import re
from collections.abc import Iterator, Sequence

from tenure.model.names import is_name_suffix
from tenure.sources.bibtex.values import find_closing_sign

LIST_SEPARATORS = (r"\&", "&", ";", "；", "、")
"""Signs that separate people in a sentence, and that BibTeX does not know."""

ORGANIZATION_WORD = re.compile(
    r"(?<![\w-])(?:Organi[sz]ation|University|Universit[àéäy]t?|Universidad|Institutes?|Institut|Consortium|Collaboration|Committee|Association|Agency|Ministry|"
    r"Laboratory|Commission|Foundation|Nations|Working Group|Task Force|Research Group|Study Group|Investigators|Initiative)(?![\w-])"
)
"""A word of an organization, as EndNote and many authors write it without braces: "World Health Organization,"."""

KEYED_NAME = re.compile(r"(?:family|given|prefix|suffix|useprefix)\s*=")
_NATURAL_NAME = re.compile(r"(?:[^\W\d_a-z]\.[\s-]*)+(?![\w-]{1,2}\.)\S*\w{2}")
_NAME_BEFORE_INITIALS = re.compile(r"([^\W\d_][\w'’-]+(?:\s[^\W\d_][\w'’-]+)*)\s+((?:[^\W\d_a-z]\.[\s-]*)+)")
"""A name in a list with commas whose initials are after the family name: "Doe J. A."."""

_INITIALS = re.compile(r"(?:[^\W\d_]{1,2}\.[\s-]*)+")


def list_names(value: str, *, may_end_in_initials: bool) -> list[tuple[str, tuple[str, ...]]]:
    """The parts of a field between "and", each with its names: usually one, and more if the part is a list itself."""
    parts = [part.strip() for part in split_at_and(f" {' '.join(_unwrap_list(value).split())} ")]
    is_natural = not any("," in part.rstrip(", ") for part in parts[1:])
    if (
        len(parts) > 1
        and not may_end_in_initials
        and all(_move_capital_initials(part) != part for part in parts)
    ):
        return [(part, (_move_capital_initials(part),)) for part in parts]
    return [(part, tuple(_split_list(part, is_natural=is_natural))) for part in parts]


def _unwrap_list(value: str) -> str:
    """A value without the braces around all of its names: "{Doe, Jane and Roe, Eva}"; those of one organization stay."""
    inner = value.strip()
    if inner[:1] != "{" or find_closing_sign(inner) != len(inner) - 1:
        return value
    parts = list(split_at_and(inner[1:-1]))
    return inner[1:-1] if len(parts) > 1 and all("," in part for part in parts) else value


def split_at_and(value: str) -> Iterator[str]:
    """Split at each "and" outside braces."""
    if "{" not in value:
        yield from re.split(r" and(?= )", value, flags=re.IGNORECASE)
        return
    depth = start = 0
    for match in re.finditer(r"\\.|[{}]| [aA][nN][dD](?= )", value):
        if match[0] == "{":
            depth += 1
        elif match[0] == "}":
            depth = max(0, depth - 1)
        elif depth == 0 and match[0][0] != "\\":
            yield value[start : match.start()]
            start = match.end()
    yield value[start:]


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
    if KEYED_NAME.match(part) or ORGANIZATION_WORD.search(part):
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
        len(segments) > 2 or (has_last_comma and is_natural) or is_list_with_initials(segments)
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


def is_list_with_initials(segments: Sequence[str]) -> bool:
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
