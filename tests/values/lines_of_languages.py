"""Lines of languages.txt: a language, and words or numbers that it orders, inflects or joins."""

from functools import cache

import yaml
from conftest import ROOT
from words_writer import WordsWriter

from tenure.model.languages import Language, plural_category
from tenure.model.translations import Translations


@cache
def load_translations(tag: str) -> Translations:
    """Return the labels of a language as a build has them."""
    file = ROOT / f"themes/base/translations/{tag}.yaml"
    result: dict[str, str] = {}
    for key, word in yaml.load(file.read_text("utf-8"), yaml.CSafeLoader).items():
        forms = word if isinstance(word, dict) else {"": word}
        result |= {f"{key}.{form}" if form else key: str(text) for form, text in forms.items()}
        result[key] = str(forms.get("", forms.get("other", "")))
    return Translations(Language(tag), result)


def list_plurals(tag: str) -> str:
    """Return the plural forms of 0, 1, 2 and 21."""
    return " ".join(plural_category(tag, number) for number in (0, 1, 2, 21))


def find_direction(tag: str) -> str:
    return Language(tag).direction


def read_language_tag(text: str) -> str:
    try:
        return Language.parse(text)
    except ValueError as error:
        return f"refused: {error.args[1]}"


def write_ordinals(text: str) -> str:
    tag, *numbers = text.replace(":", "").split()
    return " ".join(load_translations(tag).format_ordinal("edition_number", int(n)) for n in numbers)


def write_names(text: str) -> str:
    tag, _, names = text.partition(": ")
    return str(WordsWriter().list_names(load_translations(tag), names.split()))


def sort_words(text: str) -> str:
    """Return words in the order of a language: "tag: words"."""
    tag, _, words = text.partition(": ")
    shuffled = sorted(words.split(), key=lambda word: word[::-1])
    return " ".join(sorted(shuffled, key=load_translations(tag).alphabetical_key))
