"""Names of people and groups, authors, and the search for the site's owner among them."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence

from tenure.limits import cache_texts
from tenure.record import Record, replace

FOOTNOTE_MARKS = "*†‡§¶#∗⁎"
EQUAL_CONTRIBUTION_MARKS = "*∗⁎"
NAME_SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv"})
FAMILY_NAME_CONJUNCTIONS = frozenset({"y", "i", "e"})
"""Spanish, Catalan and Portuguese for "and", between the two family names of one person: Ramón y Cajal."""


class Name(Record):
    """
    A name in BibTeX's four parts, or that of a group.

    Source of the parts: Patashnik, "BibTeXing" (1988), section 4: First, von, Last, Jr.
    """

    given: str = ""
    von: str = ""
    family: str = ""
    suffix: str = ""
    group: str = ""

    @classmethod
    def parse(cls, text: str) -> "Name":
        """
        Parse plain text such as "Rui Pan", "Pan, Rui" or "Steele, Jr., Guy L."; a text without words is a
        group.
        """
        parts = (" ".join(part.split()) for part in text.split(","))
        segments = [part for part in parts if part]
        if not segments:
            return cls(group=text.strip())

        suffix = ""
        if len(segments) > 1 and is_name_suffix(segments[1]):
            suffix = segments.pop(1)
        if len(segments) > 1:
            return cls(given=", ".join(segments[1:]), family=segments[0], suffix=suffix)
        given, von, family, last_suffix = split_natural_order(segments[0].split(), _is_lower_case)
        return cls(given=given, von=von, family=family, suffix=suffix or last_suffix)

    @property
    def full_name(self) -> str:
        """The name in natural order: "Francis Y. Yan", "Martin Luther King, Jr."."""
        return _join_name(self)

    @property
    def inverted_name(self) -> str:
        """The name in index order: "Yan, Francis Y."."""
        if self.group:
            return self.group
        return ", ".join(part for part in (self.family_with_particle, self.suffix, self.given) if part)

    @property
    def family_with_particle(self) -> str:
        """The family name after its particle: "van der Berg"."""
        return f"{self.von} {self.family}".strip()


@cache_texts
def _join_name(name: Name) -> str:
    """The name in natural order; cached, because the same people write many publications."""
    if name.group:
        return name.group
    if is_cjk_text(name.family + name.given) and " " not in name.given:
        return name.family + name.given
    joined = " ".join(part for part in (name.given, name.von, name.family) if part)
    return f"{joined}, {name.suffix}" if name.suffix else joined


class Author(Record):
    """
    One author of one publication; `me` is true for the site's owner, and for all people of the site of a
    group.

    `marks` are footnote marks; `url` is from content/coauthors.yaml, `person` the id in content/people.yaml.
    """

    name: Name
    me: bool = False
    equal: bool = False
    corresponding: bool = False
    marks: str = ""
    url: str = ""
    person: str = ""


class Authors(Record):
    """The authors of one publication in order; `others` is true if the source ends in "and others"."""

    people: tuple[Author, ...] = ()
    others: bool = False

    @property
    def owner_is_first(self) -> bool:
        """Whether the owner is the first author, alone or by equal contribution."""
        # the leaders are all before the first author without an equal contribution, or the first one alone
        first_other = next((i for i, author in enumerate(self.people) if not author.equal), len(self.people))
        leaders = self.people[: max(first_other, 1)]
        return any(author.me for author in leaders)

    @property
    def has_equal_contribution(self) -> bool:
        return any(author.equal for author in self.people)

    def with_owner_marked(self, spellings: Sequence[Name]) -> "Authors":
        """
        The same authors with the owner marked.

        The owner has one of the spellings, in any order of its parts and without accents, or else is the only
        author with initials of a spelling ("R. Pan" for "Rui Pan").
        """
        keys = {name_match_key(name) for name in spellings}
        owners = [author for author in self.people if name_match_key(author.name) in keys]
        if not owners:
            owners = [author for author in self.people if _has_initials_of(author.name, spellings)]
            if len(owners) != 1:
                return self
        return replace(self, people=tuple(replace(author, me=author in owners) for author in self.people))


def _has_initials_of(short_name: Name, names: Iterable[Name]) -> bool:
    """Whether a name is a shorter form of one of some names: "R. Pan" of "Rui Pan"."""
    return any(is_abbreviation_of(short_name, name) for name in names)


def split_natural_order(
    tokens: Sequence[str], is_particle: Callable[[str], bool]
) -> tuple[str, str, str, str]:
    """
    The given name, particle, family name and suffix of a name in natural order.

    Ludwig van Beethoven -> Ludwig, van, Beethoven; Santiago Ramón y Cajal -> Santiago, "", Ramón y Cajal
    """
    words = tokens
    suffix = ""
    if len(tokens) > 1 and is_name_suffix(tokens[-1]):
        suffix = tokens[-1]
        words = tokens[:-1]
    if is_cjk_text("".join(words)):
        return " ".join(words[1:]), "", words[0], suffix

    # the particle is words[start:end]
    particles = [i for i, word in enumerate(words[:-1]) if is_particle(word)]
    start = end = len(words) - 1
    # "y" joins the family names before and after it, and is no particle
    last = particles[-1] if particles else 0
    if last > 1 and words[last] in FAMILY_NAME_CONJUNCTIONS and last - 1 not in particles:
        particles.pop()
        start = end = last - 1
    if particles:
        start = particles[0]
        end = particles[-1] + 1
    return " ".join(words[:start]), " ".join(words[start:end]), " ".join(words[end:]), suffix


def _is_lower_case(word: str) -> bool:
    return word[0].islower()


def is_name_suffix(word: str) -> bool:
    """Whether a word is a suffix such as "Jr." or "III"."""
    return word.strip(".").casefold() in NAME_SUFFIXES


def split_footnote_marks(text: str) -> tuple[str, str]:
    """Split footnote marks from a name: "Dai*" and "Dai*,†" give ("Dai", "*") and ("Dai", "*†")."""
    stripped = text.strip()
    marks = "".join(c for c in stripped if c in FOOTNOTE_MARKS)
    name = stripped.strip(FOOTNOTE_MARKS + " ")
    if name.endswith(","):
        name = stripped.strip(FOOTNOTE_MARKS + " ,")
    if not marks or any(c in FOOTNOTE_MARKS for c in name):
        return stripped, ""
    return name, marks


@cache_texts
def fold_text(text: str) -> str:
    """The text in lower case, without accents, with punctuation as spaces: for comparing and searching."""
    decomposed = unicodedata.normalize("NFKD", text)
    folded = "".join(c for c in decomposed if not unicodedata.combining(c)).casefold()
    return " ".join(re.sub(r"[^\w]+", " ", folded.translate(_LETTER_REPLACEMENTS)).split())


_LETTER_REPLACEMENTS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "þ": "th", "ı": "i"}
)


@cache_texts
def name_match_key(name: Name) -> tuple[str, str]:
    """
    A key that is equal for two spellings of one name: family, and given with suffix. A CJK name has one part.
    """
    if name.group:
        return (fold_text(name.group), "")
    if is_cjk_text(name.family + name.given):
        return ("".join(fold_text(f"{name.family} {name.given}").split()), "")

    # a suffix may be written in any part of the name: it is compared with the given name
    name = _move_particle(name)
    first_word, *others = fold_text(f"{name.von} {name.family} {name.suffix}").split() or [""]
    suffixes = [word for word in others if word in NAME_SUFFIXES]
    family = " ".join([first_word, *(word for word in others if word not in NAME_SUFFIXES)])
    return (family, " ".join([*fold_text(name.given).split(), *suffixes]))


def _move_particle(name: Name) -> Name:
    """
    The name with a particle that stands after the given name before the family name.

    "Montaigne, Michel de" -> Michel de Montaigne; "Cajal, Santiago Ramón y" -> Santiago Ramón y Cajal
    """
    words = name.given.split()
    if words and words[-1] in FAMILY_NAME_CONJUNCTIONS:
        given, von, family, _ = split_natural_order([*words, *name.family.split()], _is_lower_case)
        return replace(name, given=given, von=von, family=family)

    start = len(words)
    while start > 1 and _is_lower_case(words[start - 1]):
        start -= 1
    if name.von or start == len(words):
        return name
    return replace(name, given=" ".join(words[:start]), von=" ".join(words[start:]))


def is_abbreviation_of(short_name: Name, long_name: Name) -> bool:
    """
    Whether a name has the family name of another one, and its given names or their initials: "J.-P." or "JP".

    "Robert Hale" and "R. Hale" are Robert J. Hale, and "Robert J. Hale" is Robert James Hale. A given name
    that is written in full cannot be missing: "Mary Hale" is not Mary Jane Hale.
    """
    short_name = _move_particle(short_name)
    given_words = re.findall(r"\w+", short_name.given)
    family, given = name_match_key(long_name)
    if not given_words or family != name_match_key(short_name)[0]:
        return False

    long_words = given.split()
    if all(map(_is_initials, given_words)):
        initials = fold_text(" ".join("".join(given_words))).split()
        return len(initials) <= len(long_words) and all(map(str.startswith, long_words, initials))

    # the first name is the same, the next ones or their initials, and only initials are missing
    words = fold_text(short_name.given).split()
    if long_words[:1] != words[:1] or len(words) > len(long_words):
        return False
    pairs = zip(long_words, words, strict=False)
    has_same_words = all(short in (long, long[:1]) for long, short in pairs)
    return has_same_words and all(len(word) == 1 for word in long_words[len(words) :])


def _is_initials(word: str) -> bool:
    """J, JP"""
    return len(word) == 1 or (len(word) < 4 and word.isupper())


def may_be_same_person(one: Name, other: Name) -> bool:
    """
    Whether two names have the same family name, apart from the particle, and the same first given name or its
    initial.

    "F. v. d. Heide" may be Fritz von der Heide, and "Jana Heide" Jana Maria von der Heide.
    """
    names = [_move_particle(name) for name in (one, other)]
    # the first given names: "f" of "F. v. d. Heide", "" without one
    first, second = ((fold_text(name.given).split() or [""])[0] for name in names)
    if not first or not second:
        return False
    is_initial = first == second[:1] or second == first[:1]
    has_same_start = first == second or is_initial
    return has_same_start and fold_text(names[0].family) == fold_text(names[1].family)


def parse_spellings(name: str, aliases: Iterable[str]) -> tuple[Name, ...]:
    """Parse a person's name and its aliases without academic titles; empty ones are ignored."""
    return tuple(Name.parse(remove_titles(text)) for text in (name, *aliases) if text.strip())


_TITLE_WORDS = frozenset(
    """
    prof professor professorin dr drs pd privdoz mr mrs ms mx sir dame
    ing ir mag dipling dring rer nat phil med habil hc em emer
    """.split()
)
_DEGREES = r"""(?xi)
    (?:,\s*(?: Ph\.?\s?D | D\.?\s?Phil | Sc\.?\s?D | Ed\.?\s?D        # , Ph.D.
             | M\.?\s?Sc | M\.?B\.?A | Dr\.[\w. ]* | FRS\w? )\.?)+\s*$    # , M.Sc., FRS
"""
"""Degrees after a name that could not be the initials of given names, as M.A. could."""


@cache_texts
def remove_titles(text: str) -> str:
    """A name without academic titles: "Prof. Robert Hale, Ph.D." gives "Robert Hale"."""
    words = re.sub(_DEGREES, "", " ".join(text.split())).split()
    while len(words) > 1 and re.sub(r"[.-]", "", words[0]).casefold() in _TITLE_WORDS:
        words = words[1:]
    return " ".join(words) or text


def remove_degrees(name: str) -> str:
    """
    A name without the degrees after it: "Jana Weber, M.A." gives "Jana Weber".

    A degree is written without a space and follows at least two words, of which the first has a capital:
    "Weber, M.A." and "Ríos Vidal, M. A." have initials.
    """
    degrees = r"(?:,\s*(?:[BM]\.?(?:A|Ed|Phil|Sc|Eng)|Dipl\.?-?\w+|LL\.?[BMD])\.?)+\s*$"
    before = re.sub(degrees, "", re.sub(_DEGREES, "", name))
    if len(before.split()) < 2 or before[0].islower():
        return name
    return before


def parse_owner_name(name: str) -> Name:
    """
    Parse the name of a profile without academic titles and degrees, and without a form in brackets: "Wei Li
    (李伟)".
    """
    return Name.parse(remove_titles(remove_degrees(re.sub(r"\s+\([^()]*\)\s*$", "", name))))


def add_double_family_names(spellings: Iterable[Name]) -> tuple[Name, ...]:
    """
    The spellings of a name, and those in which its last two words are the family name.

    "Mateo Ríos Vidal" does not show whether the family name is Vidal or Ríos Vidal; his publications do.
    """
    names = dict.fromkeys(spellings)
    for name in tuple(names):
        *given, middle = name.given.split() or [""]
        # an initial is no family name: "Mateo J. Vidal"
        if given and not name.von and len(middle.strip(".")) > 1:
            names[replace(name, given=" ".join(given), family=f"{middle} {name.family}")] = None
    return tuple(names)


_FORM_IN_BRACKETS = re.compile('[("“]([^()"“”]+)[)"”]')
"""The other form of a name: `Boqi (Percy) Chen` -> `Percy`, `Wei Li (李伟)` -> `李伟`."""


def list_owner_spellings(name: str, aliases: Iterable[str]) -> tuple[Name, ...]:
    """
    A person's name, its aliases, and the forms of them in which co-authors may write them.

    "Boqi (Percy) Chen" is also Boqi Chen and Percy Chen, and "Wei Li (李伟)" is also Wei Li and 李伟.
    """
    texts: list[str] = []
    for text in (remove_degrees(name), *aliases):
        # "Boqi (Percy) Chen" -> "Boqi ", ["Percy", " Chen"]
        before, *nickname = _FORM_IN_BRACKETS.split(text, maxsplit=1)
        texts += [text, *(f"{form}{nickname[-1]}" for form in (before, *nickname[:1]) if nickname)]
    return add_double_family_names(parse_spellings("", texts))


def is_cjk_text(text: str) -> bool:
    """Whether all letters of a text are Han, kana or Hangul; false if it has no letter."""
    if text.isascii():
        return False
    letters = [letter for letter in text if letter.isalpha()]
    return bool(letters) and all(map(_is_cjk_letter, letters))


def _is_cjk_letter(letter: str) -> bool:
    """Whether a letter is Chinese, Japanese or Korean: 王, あ, 김."""
    ranges = (("\u3005", "\u9fff"), ("\uac00", "\ud7a3"), ("\uf900", "\ufaff"), ("\U00020000", "\U0003ffff"))
    return any(first <= letter <= last for first, last in ranges)


def list_name_forms(name: str) -> tuple[str, ...]:
    """The name itself, and the two forms of it: `Wei Li (李伟)` -> `Wei Li (李伟)`, `Wei Li`, `李伟`."""
    bracketed = _FORM_IN_BRACKETS.search(name)
    if bracketed is None:
        return (name,)

    rest = " ".join(_FORM_IN_BRACKETS.sub(" ", name).split())
    return tuple(form for form in (name, rest, bracketed[1].strip()) if form)


def find_initials(name: str) -> str:
    """The first letters of the first and the last word of a name, without a form in brackets."""
    words = remove_titles(_FORM_IN_BRACKETS.sub("", name)).split()
    return "".join(word[0] for word in words[:1] + words[1:][-1:]).upper()
