"""Parse the names in BibTeX's author and editor fields."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from tenure.frozen import dataclass
from tenure.model.names import EQUAL, Author, Authors, Name, is_suffix, split_marks, spoken
from tenure.sources.latex import to_text

OTHERS = frozenset({"others", "et al", "et al.", "..."})
_WHOLE = r"((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)"
_SELF = re.compile(
    rf"\\(?:textbf|underline|emph|textit|mathbf)\s*\{{{_WHOLE}\}}|\{{\\(?:bf|em|it|bfseries)\s+{_WHOLE}\}}"
)
_ET_AL = re.compile(r"(.*?)[\s,]+et\.?\s+al\.?", re.IGNORECASE)
_KEYED = re.compile(r"(?:family|given|prefix|suffix)\s*=")


@dataclass(frozen=True, slots=True)
class Read:
    """The authors of a field, and problem messages."""

    authors: Authors
    complaints: tuple[str, ...] = ()


def read_authors(value: str) -> Read:
    """
    Parse the authors of a field.

    Source: Patashnik, "BibTeXing" (1988), section 4, on "and", commas and lower-case particles; biblatex manual,
    section 3.6, on `family=…, given=…`.
    """
    people: list[Author] = []
    complaints: list[str] = []
    others = False
    for part in map(str.strip, _split_and(f" {' '.join(value.split())} ")):
        if part.strip(" ,").casefold() in OTHERS:
            others = True
            continue
        shortened = _ET_AL.fullmatch(part)
        others = others or shortened is not None
        words = shortened[1] if shortened else part
        name, marks = _name(words)
        if not name.full:
            complaints.append("an author is empty")
            continue
        complaints += _complaints(words)
        people.append(Author(name, equal=any(mark in EQUAL for mark in marks), marks=marks))
    return Read(Authors(tuple(people), others), tuple(complaints))


def _complaints(words: str) -> Iterator[str]:
    """Problem messages about a doubtful name."""
    parts = [part.strip() for part in _split_commas(words)]
    if not parts[-1]:
        yield f"“{words}” ends in a comma"
    elif not _KEYED.match(words) and _is_crowded(parts):
        yield f"“{words}” has too many commas for one name"


def _is_crowded(parts: list[str]) -> bool:
    """Whether a name has more parts between commas than "von Last, Jr, First"."""
    return len(parts) > 3 or (len(parts) == 3 and " " in parts[1] and not is_suffix(parts[2]))


_EQUAL = re.compile(r"equal|co-?first|joint|shared", re.IGNORECASE)
_CORRESPONDING = re.compile(r"corresp|corr\b|contact", re.IGNORECASE)
_OWNER = re.compile(r"\bme\b|self|highlight|bold|own", re.IGNORECASE)


def annotated(authors: Authors, written: str) -> Authors:
    """
    Apply data annotations to authors: "1=equal; 2=equal, me; 3=corresponding".

    Source: biblatex manual, section 3.7, "Data Annotations".
    """
    notes = {int(n): words for n, words in re.findall(r"(\d+)(?::[\w-]+)?\s*=\s*([^;]*)", written)}
    people = tuple(
        replace(
            author,
            equal=author.equal or bool(_EQUAL.search(notes.get(i, ""))),
            corresponding=author.corresponding or bool(_CORRESPONDING.search(notes.get(i, ""))),
            me=author.me or bool(_OWNER.search(notes.get(i, ""))),
        )
        for i, author in enumerate(authors.people, 1)
    )
    return replace(authors, people=people)


def _split_and(value: str) -> Iterator[str]:
    """Split at each "and" outside braces."""
    if "{" not in value:
        yield from re.split(r" and(?= )", value, flags=re.IGNORECASE)
        return
    depth = start = 0
    for found in re.finditer(r"\\.|[{}]| [aA][nN][dD](?= )", value):
        if found[0] == "{":
            depth += 1
        elif found[0] == "}":
            depth = max(0, depth - 1)
        elif depth == 0 and found[0][0] != "\\":
            yield value[start : found.start()]
            start = found.end()
    yield value[start:]


@lru_cache(maxsize=65536)
def _name(words: str) -> tuple[Name, str]:
    """One name and its footnote marks."""
    emphasised = _SELF.fullmatch(words)
    if emphasised:
        words = (emphasised[1] or emphasised[2] or "").strip()
    if _KEYED.match(words):
        return _keyed(words)
    if _is_group(words):
        group, marks = split_marks(to_text(words).text)
        return Name(group=group), marks
    parts = [part.strip() for part in _split_commas(words)]
    while len(parts) > 1 and not parts[-1]:
        parts.pop()
    if len(parts) == 1:
        given, von, family, suffix = spoken(_tokens(parts[0]) or [""], _is_lower)
    else:
        von, family = _von(_tokens(parts[0]))
        suffix = parts.pop(2 if len(parts) == 3 and is_suffix(parts[2]) else 1) if len(parts) > 2 else ""
        given = ", ".join(parts[1:])
    marks = ""
    decoded: list[str] = []
    for part in (given, von, family, suffix):
        text, found = split_marks(to_text(part).text)
        decoded.append(text)
        marks += found
    name = Name(given=decoded[0], von=decoded[1], family=decoded[2], suffix=decoded[3])
    return _with_family(name), marks


def _keyed(words: str) -> tuple[Name, str]:
    found = dict(re.findall(r"(?<![\w-])(family|given|prefix|suffix)\s*=\s*(\{[^}]*\}|[^,]*)", words))
    read = {key: to_text(value.strip()).text for key, value in found.items()}
    family, marks = split_marks(read.get("family", ""))
    name = Name(read.get("given", ""), read.get("prefix", ""), family, read.get("suffix", ""))
    return _with_family(name), marks


def _with_family(name: Name) -> Name:
    """The name with a family name; a single name becomes the family name."""
    return name if name.family else replace(name, given="", family=name.given)


def _is_group(words: str) -> bool:
    """Whether the whole name is in braces: "{The ATLAS Collaboration}"."""
    if not (words.startswith("{") and words.rstrip("*").endswith("}")) or words.startswith("{\\"):
        return False
    depth = 0
    core = words.rstrip("*")
    for i, character in enumerate(core):
        depth += {"{": 1, "}": -1}.get(character, 0)
        if depth == 0 and i < len(core) - 1:
            return False
    return True


def _split_commas(words: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for i, character in enumerate(words):
        if character in "{}":
            depth = max(0, depth + (1 if character == "{" else -1))
        elif character == "," and depth == 0:
            parts.append(words[start:i])
            start = i + 1
    return [*parts, words[start:]]


def _tokens(words: str) -> list[str]:
    """Split at white space and ties (~) outside braces."""
    tokens, depth, current = [], 0, ""
    for character in re.sub(r"(?<!\\)~", " ", words):
        depth = max(0, depth + {"{": 1, "}": -1}.get(character, 0))
        if character.isspace() and depth == 0:
            tokens.append(current)
            current = ""
        else:
            current += character
    return [token for token in (*tokens, current) if token]


def _is_lower(token: str) -> bool:
    """Whether BibTeX reads a token as a particle: its first letter outside braces is lower case."""
    if token.startswith("{") and not token.startswith("{\\"):
        return False
    letter = next((c for c in to_text(token).text if c.isalpha()), "A")
    return letter.islower()


def _von(tokens: list[str]) -> tuple[str, str]:
    """Split "von Last", the part before a comma, into particle and family name."""
    lower = [i for i, token in enumerate(tokens[:-1]) if _is_lower(token)]
    if not lower or lower[0] != 0:
        return "", " ".join(tokens)
    last = next((i for i in range(len(tokens) - 1) if i not in lower), len(tokens) - 1)
    return " ".join(tokens[:last]), " ".join(tokens[last:])
