"""Labels of the interface: the files of every language in the package, plural forms, and alphabetical order."""

import string
from collections.abc import Mapping
from functools import cache

import pytest
import yaml
from conftest import ROOT

from tenure.model.languages import PLURAL_CATEGORIES, ordinal_category, plural_category
from tenure.model.translations import Translations

FOLDER = ROOT / "themes/base/translations"
TAGS = sorted(path.stem for path in FOLDER.glob("*.yaml"))
ORDINALS = {"edition_number"}
DATES = {"date_day": {"short", "long", "first"}, "date_month": {"short", "long"}}


@cache
def read_labels(tag: str) -> dict[str, dict[str, str]]:
    """Return the labels of a file, each by its forms; the form is "" if there is only one."""
    result = yaml.load((FOLDER / f"{tag}.yaml").read_text("utf-8"), yaml.BaseLoader)
    assert isinstance(result, dict)
    return {key: word if isinstance(word, dict) else {"": word} for key, word in result.items()}


def find_placeholders(forms: Mapping[str, str]) -> set[str]:
    return {name for text in forms.values() for _, name, _, _ in string.Formatter().parse(text) if name}


ENGLISH = read_labels("en")


def test_no_label_has_the_name_of_a_method() -> None:
    """`t.link` in a template is a label; a method with that name would hide it."""
    assert [key for key in ENGLISH if hasattr(Translations, key)] == []


def test_every_file_has_the_keys_of_english_in_their_order() -> None:
    assert [tag for tag in TAGS if list(read_labels(tag)) != list(ENGLISH)] == []


def test_every_label_has_the_placeholders_of_the_english_one() -> None:
    different = [
        (tag, key)
        for tag in TAGS
        for key, forms in read_labels(tag).items()
        if find_placeholders(forms) != find_placeholders(ENGLISH[key]) or not all(forms.values())
    ]
    assert different == []


@pytest.mark.parametrize("tag", TAGS)
def test_plural_forms_are_those_of_the_language(tag: str) -> None:
    plural_forms = {plural_category(tag, n) for n in range(1000)} | {"other"}
    needed = {plural_category(tag, n) for n in range(1, 1000)}
    ordinal_forms = {ordinal_category(tag, n) for n in range(1000)} | {"other"}
    for key, forms in read_labels(tag).items():
        if key.startswith("month_"):
            assert set(forms) <= {"", "day", "other"}, key
        elif key in DATES:
            assert set(forms) <= {"", "other"} | DATES[key], key
        else:
            assert set(forms) <= {""} | (ordinal_forms if key in ORDINALS else plural_forms), key
        assert "" in forms or "other" in forms, key
        if set(forms) & set(PLURAL_CATEGORIES) - {"other"} and key not in ORDINALS:
            assert needed <= set(forms), f"{key} would be wrong for some numbers"


def test_labels_are_translated() -> None:
    """Most labels differ from the English ones; names such as BibTeX and DOI do not."""
    for tag in sorted({*TAGS} - {"en"}):
        same = [key for key, forms in read_labels(tag).items() if forms == ENGLISH[key]]
        assert len(same) < len(ENGLISH) * 0.3, (tag, same)
