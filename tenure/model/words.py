"""The words of an interface in one language: by key, by number, and the order of its alphabet."""

from collections.abc import Iterator, Mapping, Sequence

from tenure.frozen import dataclass
from tenure.model.languages import Language, ordinal, plural
from tenure.model.names import fold


@dataclass(frozen=True, slots=True)
class Words(Mapping[str, str]):
    """
    Words by key, in a language.

    A word of several forms stands under its key as it is for most numbers, and under "key.form" for each: "more.one".
    """

    language: Language
    all: Mapping[str, str]

    def __getitem__(self, key: str) -> str:
        return self.all[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.all)

    def __len__(self) -> int:
        return len(self.all)

    def form(self, key: str, form: str) -> str:
        """A word in a form, or as it is where it has no such form; raises KeyError where there is no such word."""
        return self.all.get(f"{key}.{form}") or self.all[key]

    def counted(self, key: str, total: int, count: int | None = None) -> str:
        """
        A pattern with its numbers in it: "All 11 publications", "4 of 11".

        `total` decides the form of the word; where `count` is not given, its place is left for the script.
        """
        filled = self.form(key, plural(self.language.base, total)).replace("{total}", str(total))
        return filled if count is None else filled.replace("{count}", str(count))

    def ordered(self, key: str, number: int) -> str:
        """A pattern with a number in a row in it: "2nd edition"."""
        return self.form(key, ordinal(self.language.base, number)).replace("{number}", str(number))

    def labelled(self, label: str, value: str) -> str:
        """What is said under a label: "Advisor: A"."""
        return f"{self['label'].format(label=label)} {value}"

    def called(self, label: str) -> str:
        """What a link is called here: "Code" in the words of the language, what it has no word for as written."""
        return self.get(f"link_{label.casefold().replace(' ', '-')}", label)

    def joined(self, names: Sequence[str]) -> str:
        """Names in a row: "A", "A and B", "A, B, and C"."""
        if len(names) < 2:
            return "".join(names)
        first, last = self["list_comma"].join(names[:-1]), names[-1]
        return self["and_two" if len(names) == 2 else "and_many"].format(first=first, last=last)

    def order(self, text: str) -> tuple[tuple[int, int], ...]:
        """
        A key that sorts words by the language's alphabet.

        Letters of the word `alphabet` come in its order, all others without their accents; digits come before
        letters. Scripts that have no alphabet here, Chinese among them, sort by code point.
        """
        alphabet = self["alphabet"]
        lower = text.replace("I", "ı").replace("İ", "i") if "ı" in alphabet else text
        key: list[tuple[int, int]] = []
        for letter in lower.casefold():
            for part in letter if letter in alphabet else fold(letter) or " ":
                place = alphabet.find(part)
                key.append((1, place) if place >= 0 else (2 if part.isalpha() else 0, ord(part)))
        return (*key, (-1, 0), *((0, ord(letter)) for letter in text))
