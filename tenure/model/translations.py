"""Translations of the interface in one language, with plural forms and alphabetical order."""

from collections.abc import Iterator, Mapping

from tenure.model.languages import Language, ordinal_category, plural_category
from tenure.model.links import url_scheme
from tenure.model.names import fold_text


class Translations(Mapping[str, str]):
    """
    Messages of one language by key.

    The key of a message has its default form; "key.form" has another plural or ordinal form: "more.one". A
    message is also an attribute, because templates write `t.more` a hundred times a page, and looking it up
    there first would fail.
    """

    def __init__(self, language: Language, messages: Mapping[str, str]) -> None:
        vars(self).update((key, text) for key, text in messages.items() if not hasattr(type(self), key))
        self.language = language
        self.messages = messages

    def __getitem__(self, key: str) -> str:
        return self.messages[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.messages)

    def __repr__(self) -> str:
        return f"Translations({self.language!r}, {self.messages!r})"

    def __len__(self) -> int:
        return len(self.messages)

    def select_form(self, key: str, form: str) -> str:
        """
        The message in a plural or ordinal form, or else in its default form; raises KeyError for no message.
        """
        return self.messages.get(f"{key}.{form}") or self.messages[key]

    def format_count(self, key: str, total: int, count: int | None = None) -> str:
        """
        A message with its numbers: "All 11 publications"; without `count`, a script of the page fills it in.
        """
        form = plural_category(self.language.primary_subtag, total)
        message = self.select_form(key, form).replace("{total}", str(total))
        if count is None:
            return message
        return message.replace("{count}", str(count))

    def format_ordinal(self, key: str, number: int) -> str:
        """A message with an ordinal number: "2nd edition"."""
        form = ordinal_category(self.language.primary_subtag, number)
        return self.select_form(key, form).replace("{number}", str(number))

    def format_labelled(self, label: str, value: str) -> str:
        """A value with its label: "Advisor: A"."""
        return f"{self['label'].format(label=label)} {value}"

    def translate_link_label(self, label: str, url: str = "") -> str:
        """The label of a link such as "Code", translated if it can be; that of a telephone has its number."""
        text = self.get(f"link_{label.casefold().replace(' ', '-')}", label)
        if url_scheme(url) != "tel":
            return text
        number = url.partition(":")[2].strip()
        return text if number in text else self.format_labelled(text, number)

    def alphabetical_key(self, text: str) -> tuple[tuple[int, int], ...]:
        """
        A sort key by the alphabet of the language.

        Letters of the message `alphabet` sort in its order, other letters without their accents, digits
        before letters. Scripts without an alphabet, such as Chinese, sort by code point.
        """
        alphabet = self["alphabet"]
        lower = text
        if "ı" in alphabet:  # in Turkish, I is ı in lower case
            lower = text.replace("I", "ı").replace("İ", "i")

        sort_key: list[tuple[int, int]] = []
        for letter in lower.casefold():
            characters = letter if letter in alphabet else fold_text(letter) or " "
            for character in characters:
                if character in alphabet:
                    sort_key.append((1, alphabet.index(character)))
                else:
                    sort_key.append((2 if character.isalpha() else 0, ord(character)))
        # (-1, 0) ends a text, so that a shorter one is first; texts with the same letters sort by code points
        return (*sort_key, (-1, 0), *((0, ord(letter)) for letter in text))
