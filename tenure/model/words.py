"""Translations of the interface in one language, with plural forms and alphabetical order."""

from collections.abc import Iterator, Mapping, Sequence

from tenure.frozen import dataclass
from tenure.model.languages import Language, ordinal, plural
from tenure.model.names import fold


@dataclass(frozen=True, slots=True)
class Words(Mapping[str, str]):
    """
    Messages of one language by key.

    The key of a message has its default form; "key.form" has another plural or ordinal form: "more.one".
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
        """The message in a plural or ordinal form, or else in its default form; raises KeyError for an unknown key."""
        return self.all.get(f"{key}.{form}") or self.all[key]

    def counted(self, key: str, total: int, count: int | None = None) -> str:
        """
        A message with its numbers: "All 11 publications", "4 of 11".

        `total` selects the plural form. Without `count`, `{count}` remains for the page's script.
        """
        filled = self.form(key, plural(self.language.base, total)).replace("{total}", str(total))
        return filled if count is None else filled.replace("{count}", str(count))

    def ordered(self, key: str, number: int) -> str:
        """A message with an ordinal number: "2nd edition"."""
        return self.form(key, ordinal(self.language.base, number)).replace("{number}", str(number))

    def labelled(self, label: str, value: str) -> str:
        """A value with its label: "Advisor: A"."""
        return f"{self['label'].format(label=label)} {value}"

    def called(self, label: str) -> str:
        """The translated label of a link such as "Code"; a label without a translation stays as written."""
        return self.get(f"link_{label.casefold().replace(' ', '-')}", label)

    def joined(self, names: Sequence[str]) -> str:
        """Names as one list: "A", "A and B", "A, B, and C"."""
        if len(names) < 2:
            return "".join(names)
        first, last = self["list_comma"].join(names[:-1]), names[-1]
        return self["and_two" if len(names) == 2 else "and_many"].format(first=first, last=last)

    def order(self, text: str) -> tuple[tuple[int, int], ...]:
        """
        A sort key by the alphabet of the language.

        Letters of the message `alphabet` sort in its order, other letters without their accents, digits before
        letters. Scripts without an alphabet, such as Chinese, sort by code point.
        """
        alphabet = self["alphabet"]
        lower = text.replace("I", "ı").replace("İ", "i") if "ı" in alphabet else text
        key: list[tuple[int, int]] = []
        for letter in lower.casefold():
            for part in letter if letter in alphabet else fold(letter) or " ":
                place = alphabet.find(part)
                key.append((1, place) if place >= 0 else (2 if part.isalpha() else 0, ord(part)))
        return (*key, (-1, 0), *((0, ord(letter)) for letter in text))
