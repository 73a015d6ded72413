"""Labels of the interface: the files of every language in the package, plural forms, and alphabetical order."""

import string
from collections.abc import Mapping

import pytest
import yaml
from conftest import ROOT
from words_writer import WordsWriter

from tenure.model.dates import Date, Period
from tenure.model.languages import (
    PLURAL_CATEGORIES,
    Language,
    detect_direction,
    ordinal_category,
    plural_category,
)
from tenure.model.translations import Translations

FOLDER = ROOT / "themes/base/translations"
TAGS = sorted(path.stem for path in FOLDER.glob("*.yaml"))
ORDINALS = {"edition_number"}
DATES = {"date_day": {"short", "long", "first"}, "date_month": {"short", "long"}}


def read_labels(tag: str) -> dict[str, dict[str, str]]:
    """Return the labels of a file, each by its forms; the form is "" if there is only one."""
    result = yaml.load((FOLDER / f"{tag}.yaml").read_text(encoding="utf-8"), yaml.BaseLoader)
    assert isinstance(result, dict)
    return {key: word if isinstance(word, dict) else {"": word} for key, word in result.items()}


def load_translations(tag: str) -> Translations:
    result: dict[str, str] = {}
    for key, forms in read_labels(tag).items():
        result |= {f"{key}.{form}" if form else key: text for form, text in forms.items()}
        result[key] = forms.get("", forms.get("other", ""))
    return Translations(Language(tag), result)


def find_placeholders(forms: Mapping[str, str]) -> set[str]:
    return {name for text in forms.values() for _, name, _, _ in string.Formatter().parse(text) if name}


ENGLISH = read_labels("en")


def test_no_label_has_the_name_of_a_method() -> None:
    """`t.link` in a template is a label; a method with that name would hide it."""
    assert [key for key in ENGLISH if hasattr(Translations, key)] == []


@pytest.mark.parametrize("tag", TAGS)
def test_every_file_has_the_keys_of_english_in_their_order(tag: str) -> None:
    assert list(read_labels(tag)) == list(ENGLISH)


@pytest.mark.parametrize("tag", TAGS)
def test_every_label_has_the_placeholders_of_the_english_one(tag: str) -> None:
    different = {
        k: f
        for k, f in read_labels(tag).items()
        if find_placeholders(f) != find_placeholders(ENGLISH[k]) or not all(f.values())
    }
    assert different == {}


@pytest.mark.parametrize("tag", TAGS)
def test_plural_forms_are_those_of_the_language(tag: str) -> None:
    plural_forms = {plural_category(tag, n) for n in range(1000)} | {"other"}
    ordinal_forms = {ordinal_category(tag, n) for n in range(1000)} | {"other"}
    for key, forms in read_labels(tag).items():
        if key.startswith("month_"):
            assert set(forms) <= {"", "day", "other"}, key
        elif key in DATES:
            assert set(forms) <= {"", "other"} | DATES[key], key
        else:
            assert set(forms) <= {""} | (ordinal_forms if key in ORDINALS else plural_forms), key
        assert "" in forms or "other" in forms, key


@pytest.mark.parametrize("tag", TAGS)
def test_every_plural_label_has_all_forms(tag: str) -> None:
    """A label with only some of the language's plural forms would be wrong for the other numbers."""
    needed = {plural_category(tag, n) for n in range(1, 1000)}
    for key, forms in read_labels(tag).items():
        if set(forms) & set(PLURAL_CATEGORIES) - {"other"} and key not in ORDINALS:
            assert needed <= set(forms), key


@pytest.mark.parametrize("tag", [tag for tag in TAGS if tag != "en"])
def test_labels_are_translated(tag: str) -> None:
    """Most labels differ from the English ones; names such as BibTeX and DOI do not."""
    same = [key for key, forms in read_labels(tag).items() if forms == ENGLISH[key]]
    assert len(same) < len(ENGLISH) * 0.3, same


def test_ordinals() -> None:
    labels = [
        load_translations("en").format_ordinal("edition_number", n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 112)
    ]
    assert " ".join(text.partition(" ")[0] for text in labels) == "1st 2nd 3rd 4th 11th 12th 13th 21st 112th"
    assert [load_translations("fr").format_ordinal("edition_number", n) for n in (1, 2)] == [
        "1re édition",
        "2e édition",
    ]
    assert load_translations("de").format_ordinal("edition_number", 2) == "2. Auflage"


def test_lists_of_names() -> None:
    def join_names(language: str, *names: str) -> str:
        return str(WordsWriter().list_names(load_translations(language), names))

    assert join_names("en", "A", "B", "C") == "A, B, and C"
    assert join_names("de", "A", "B", "C") == "A, B und C"
    assert join_names("zh", "甲", "乙", "丙") == "甲、乙和丙"
    assert join_names("ar", "A", "B") == "A وB"
    assert (join_names("fr", "A"), join_names("fr")) == ("A", "")


PERIOD = Period(Date(2021, 9), ongoing=True)


def test_directions() -> None:
    right_to_left = ["ar", "he", "fa", "ar-EG", "az-Arab", "uz-Arab-AF"]
    assert [Language(tag).direction for tag in right_to_left] == ["rtl"] * len(right_to_left)
    assert [Language(tag).direction for tag in ("en", "ku-Latn", "ar-Latn", "zh-Hant")] == ["ltr"] * 4
    assert [detect_direction(text) for text in ("مرحبا GPU بالعالم", "GPU مرحبا acceleration", "12–15", "Δ")] == [
        "rtl", "ltr", "", "ltr"]  # fmt: skip
