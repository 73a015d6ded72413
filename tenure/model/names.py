"""An author, equal contribution, a group, and whether it is you."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

MARKERS = "*†‡§¶#∗⁎"
EQUAL = "*∗⁎"


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
        """Read "Rui Pan" or "Pan, Rui" as plain text; raises ValueError for an empty name."""
        words = " ".join(text.split())
        if not words:
            raise ValueError("a name is empty")
        family, comma, given = words.partition(",")
        if comma:
            return cls(given=given.strip(), family=family.strip())
        given, _, family = words.rpartition(" ")
        return cls(given=given, family=family)

    @property
    def full(self) -> str:
        """The name as it is read aloud: "Francis Y. Yan", "Martin Luther King, Jr."."""
        if self.group:
            return self.group
        if is_cjk(self.family + self.given) and " " not in self.given:
            return self.family + self.given
        name = " ".join(part for part in (self.given, self.von, self.family) if part)
        return f"{name}, {self.suffix}" if self.suffix else name

    @property
    def inverted(self) -> str:
        """The name as indexes print it: "Yan, Francis Y."."""
        if self.group:
            return self.group
        last = " ".join(part for part in (self.von, self.family) if part)
        return ", ".join(part for part in (last, self.suffix, self.given) if part)


@dataclass(frozen=True, slots=True)
class Author:
    """One author of one work: the name, the marks it bears there, and whether it is the site's owner."""

    name: Name
    me: bool = False
    equal: bool = False
    corresponding: bool = False
    marks: str = ""


@dataclass(frozen=True, slots=True)
class Authors:
    """The authors of one work in order; `others` says that the source ends in "and others"."""

    people: tuple[Author, ...] = ()
    others: bool = False

    @property
    def leads(self) -> bool:
        """Whether the owner is first author, or shares the first place by equal contribution."""
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

        An exact spelling wins, under any order of names and any accents; failing that, one author whose given
        names are initials of a listed spelling ("R. Pan" for "Rui Pan"), provided only one author fits.
        """
        exact = {name_key(name) for name in spellings}
        mine = [i for i, author in enumerate(self.people) if name_key(author.name) in exact]
        if not mine:
            keys = [name_key(name) for name in spellings]
            fits = [
                i for i, a in enumerate(self.people) if any(_abbreviates(name_key(a.name), k) for k in keys)
            ]
            mine = fits if len(fits) == 1 else []
        if not mine:
            return self
        people = tuple(replace(a, me=i in mine) for i, a in enumerate(self.people))
        return replace(self, people=people)

    def shortened(self, most: int) -> "Shortened":
        """The authors to show where only `most` have room: the first ones, the owner, the last; see Shortened."""
        if most < 3 or len(self.people) <= most:
            return Shortened(self.people, (), ())
        head = self.people[: most - 2]
        tail = self.people[-1:]
        hidden = self.people[most - 2 : -1]
        return Shortened(head, hidden, tail)


@dataclass(frozen=True, slots=True)
class Shortened:
    """A long list of authors in three parts: shown, folded away, shown again."""

    head: tuple[Author, ...]
    hidden: tuple[Author, ...]
    tail: tuple[Author, ...]

    @property
    def owner(self) -> Author | None:
        """The owner where they stand among the folded ones, so that a theme can still show them."""
        return next((author for author in self.hidden if author.me), None)


def split_marks(text: str) -> tuple[str, str]:
    """Split marks glued to a name: "Dai*" gives ("Dai", "*")."""
    core = text.strip()
    bare = core.strip(MARKERS + " ")
    marks = "".join(c for c in core if c in MARKERS)
    return (bare, marks) if marks and not any(c in MARKERS for c in bare) else (core, "")


@lru_cache(maxsize=65536)
def fold(text: str) -> str:
    """Lower case without accents, punctuation as spaces: for comparing and searching names."""
    decomposed = unicodedata.normalize("NFKD", text)
    plain = "".join(c for c in decomposed if not unicodedata.combining(c)).casefold()
    plain = plain.translate(_SPECIAL)
    return " ".join(re.sub(r"[^\w]+", " ", plain).split())


_SPECIAL = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "þ": "th", "ı": "i"})


def name_key(name: Name) -> tuple[str, str]:
    """What makes two spellings of one name equal: (family, given), folded."""
    if name.group:
        return (fold(name.group), "")
    return (fold(f"{name.von} {name.family}"), fold(f"{name.given} {name.suffix}"))


def _abbreviates(short: tuple[str, str], long: tuple[str, str]) -> bool:
    """Whether `short` has the same family name and only initials of `long`'s given names."""
    if short[0] != long[0] or not short[1] or not long[1]:
        return False
    initials = [
        c for word in short[1].split() for c in (word if len(word) <= 2 and word.isascii() else [word])
    ]
    given = long[1].split()
    if any(len(part) > 1 for part in initials) or len(initials) > len(given):
        return False
    return all(word.startswith(part) for part, word in zip(initials, given, strict=False))


def is_cjk(text: str) -> bool:
    """Whether a name is written in Han, kana or Hangul, where the family name comes first, unspaced."""
    letters = [c for c in text if c.isalpha()]
    return bool(letters) and all("\u3040" <= c <= "\u9fff" or "\uac00" <= c <= "\ud7a3" for c in letters)


def spellings(name: str, aliases: Iterable[str]) -> tuple[Name, ...]:
    """Every spelling of the owner's name as names; empty ones are passed over."""
    return tuple(Name.parse(text) for text in (name, *aliases) if text.strip())
