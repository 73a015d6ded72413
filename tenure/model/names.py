"""Names of people and groups, authors, and the search for the site's owner among them."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from tenure.frozen import dataclass

MARKERS = "*†‡§¶#∗⁎"
EQUAL = "*∗⁎"
SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv"})


@dataclass(frozen=True, slots=True)
class Name:
    """
    A person's name in BibTeX's four parts, or a group's name in `group`.

    The parts are those of Patashnik, "BibTeXing" (1988), section 4: First, von, Last, Jr.
    """

    given: str = ""
    von: str = ""
    family: str = ""
    suffix: str = ""
    group: str = ""

    @classmethod
    def parse(cls, text: str) -> "Name":
        """Parse plain text such as "Rui Pan", "Pan, Rui" or "Steele, Jr., Guy L."; raise ValueError if it is empty."""
        parts = [part for part in (" ".join(part.split()) for part in text.split(",")) if part]
        if not parts:
            raise ValueError("a name is empty")
        suffix = parts.pop(1) if len(parts) > 1 and is_suffix(parts[1]) else ""
        if len(parts) > 1:
            return cls(given=", ".join(parts[1:]), family=parts[0], suffix=suffix)
        given, von, family, last = spoken(parts[0].split(), lambda word: word[0].islower())
        return cls(given=given, von=von, family=family, suffix=suffix or last)

    @property
    def full(self) -> str:
        """The name in natural order: "Francis Y. Yan", "Martin Luther King, Jr."."""
        if self.group:
            return self.group
        if is_cjk(self.family + self.given) and " " not in self.given:
            return self.family + self.given
        name = " ".join(part for part in (self.given, self.von, self.family) if part)
        return f"{name}, {self.suffix}" if self.suffix else name

    @property
    def inverted(self) -> str:
        """The name in index order: "Yan, Francis Y."."""
        if self.group:
            return self.group
        last = " ".join(part for part in (self.von, self.family) if part)
        return ", ".join(part for part in (last, self.suffix, self.given) if part)


@dataclass(frozen=True, slots=True)
class Author:
    """
    One author of one publication; `me` is true for the site's owner.

    `marks` are the footnote marks of the name. `url` is set in content/coauthors.yaml.
    """

    name: Name
    me: bool = False
    equal: bool = False
    corresponding: bool = False
    marks: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Authors:
    """The authors of one publication in order; `others` is true if the source ends in "and others"."""

    people: tuple[Author, ...] = ()
    others: bool = False

    @property
    def leads(self) -> bool:
        """Whether the owner is the first author, alone or by equal contribution."""
        for author in self.people:
            if author.me:
                return author is self.people[0] or author.equal
            if not author.equal:
                return False
        return False

    @property
    def any_equal(self) -> bool:
        return any(author.equal for author in self.people)

    def with_owner(self, spellings: Sequence[Name]) -> "Authors":
        """
        The same authors with the owner marked.

        An author with exactly one of the spellings is the owner; the order of the name parts and accents are
        ignored. Otherwise it is the only author whose given names are initials of a spelling ("R. Pan" for
        "Rui Pan"). If several authors match by initials, nobody is marked.
        """
        exact = {name_key(name) for name in spellings}
        mine = [i for i, author in enumerate(self.people) if name_key(author.name) in exact]
        if not mine:
            fits = [
                i for i, a in enumerate(self.people) if any(abbreviates(a.name, name) for name in spellings)
            ]
            mine = fits if len(fits) == 1 else []
        if not mine:
            return self
        people = tuple(replace(a, me=i in mine) for i, a in enumerate(self.people))
        return replace(self, people=people)

    def shortened(self, most: int) -> "Shortened":
        """At most `max_authors` visible authors: the first ones and the last one; the others are hidden."""
        if most < 3 or len(self.people) <= most:
            return Shortened(self.people, (), ())
        head = self.people[: most - 2]
        tail = self.people[-1:]
        hidden = self.people[most - 2 : -1]
        return Shortened(head, hidden, tail)


@dataclass(frozen=True, slots=True)
class Shortened:
    """A long list of authors in three parts; `head` and `tail` are shown, `hidden` is folded."""

    head: tuple[Author, ...]
    hidden: tuple[Author, ...]
    tail: tuple[Author, ...]

    @property
    def owner(self) -> Author | None:
        """The owner if hidden, so that a theme can still show the name."""
        return next((author for author in self.hidden if author.me), None)


def spoken(words: Sequence[str], is_particle: Callable[[str], bool]) -> tuple[str, str, str, str]:
    """The given name, particle, family name and suffix of a name in natural order; in CJK the family name is first."""
    suffix = words[-1] if len(words) > 1 and is_suffix(words[-1]) else ""
    bare = words[:-1] if suffix else words
    if is_cjk("".join(bare)):
        return " ".join(bare[1:]), "", bare[0], suffix
    lower = [i for i, word in enumerate(bare[:-1]) if is_particle(word)]
    start, end = (lower[0], lower[-1] + 1) if lower else (len(bare) - 1, len(bare) - 1)
    return " ".join(bare[:start]), " ".join(bare[start:end]), " ".join(bare[end:]), suffix


def is_suffix(word: str) -> bool:
    """Whether a word is a suffix such as "Jr." or "III"."""
    return word.strip(".").casefold() in SUFFIXES


def split_marks(text: str) -> tuple[str, str]:
    """Split footnote marks from a name: "Dai*" gives ("Dai", "*")."""
    core = text.strip()
    bare = core.strip(MARKERS + " ")
    if bare.endswith(","):
        bare = core.strip(MARKERS + " ,")  # "Dai*,†"
    marks = "".join(c for c in core if c in MARKERS)
    return (bare, marks) if marks and not any(c in MARKERS for c in bare) else (core, "")


@lru_cache(maxsize=65536)
def fold(text: str) -> str:
    """The text in lower case, without accents, with punctuation as spaces: for comparing and searching."""
    decomposed = unicodedata.normalize("NFKD", text)
    plain = "".join(c for c in decomposed if not unicodedata.combining(c)).casefold()
    plain = plain.translate(_SPECIAL)
    return " ".join(re.sub(r"[^\w]+", " ", plain).split())


_SPECIAL = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "þ": "th", "ı": "i"})


def name_key(name: Name) -> tuple[str, str]:
    """A key that is equal for two spellings of one name: (family, given and suffix), folded. CJK names have one part."""
    if name.group:
        return (fold(name.group), "")
    if is_cjk(name.family + name.given):
        return ("".join(fold(f"{name.family} {name.given}").split()), "")
    first, *rest = fold(f"{name.von} {name.family} {name.suffix}").split() or [""]
    family = " ".join([first, *(word for word in rest if word not in SUFFIXES)])
    return (family, " ".join([*fold(name.given).split(), *(word for word in rest if word in SUFFIXES)]))


def abbreviates(short: Name, long: Name) -> bool:
    """Whether `short_name` has the family name of `long_name` and initials of its given names: "J.-P." or "JP"."""
    words = re.findall(r"\w+", short.given)
    if not words or not all(len(word) == 1 or (len(word) < 4 and word.isupper()) for word in words):
        return False
    initials = fold(" ".join("".join(words))).split()
    (family, given), (same, _) = name_key(long), name_key(short)
    return (
        family == same
        and len(initials) <= len(given.split())
        and all(map(str.startswith, given.split(), initials))
    )


@lru_cache(maxsize=65536)
def is_cjk(text: str) -> bool:
    """Whether a name is written in Han, kana or Hangul: the family name is first, without a space."""
    letters = [] if text.isascii() else [c for c in text if c.isalpha()]
    return bool(letters) and all("\u3040" <= c <= "\u9fff" or "\uac00" <= c <= "\ud7a3" for c in letters)


def spellings(name: str, aliases: Iterable[str]) -> tuple[Name, ...]:
    """Parse the owner's name and its aliases; empty ones are ignored."""
    return tuple(Name.parse(text) for text in (name, *aliases) if text.strip())
