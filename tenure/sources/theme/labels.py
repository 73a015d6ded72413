"""
Loads the labels of a theme in a language from the files translations/<tag>.yaml in its folders.

The objects: a label is a word of the theme, with forms such as "one" and "other"; English has all labels, and
gives those that a language lacks.
"""

import string
from collections.abc import Mapping, Sequence
from pathlib import Path

from tenure.model.languages import PLURAL_CATEGORIES, Language
from tenure.model.translations import Translations
from tenure.problems import Place, Problems, suggest_word
from tenure.record import Record
from tenure.sources.reading.files import read_yaml

ENGLISH = Language("en")
LABEL_PREFIXES = frozenset(
    ["page", "section", "more", "link", "status", "kind", "type", "talk", "group", "season", "field"]
)
"""Prefixes of labels that end in a name chosen by the site: "section_patents"."""


class _Label(Record):
    """A label in a file: its forms ("" is the default form) and its place."""

    forms: Mapping[str, str]
    place: Place

    @property
    def placeholders(self) -> frozenset[str]:
        """The names of its placeholders; raises ValueError for invalid braces."""
        parts = (part for form in self.forms.values() for part in string.Formatter().parse(form))
        return frozenset(name for _, name, _, _ in parts if name is not None)


class TranslationLoader(Record):
    """Loads labels from the folders of a theme and of the themes that it extends, nearest first."""

    theme: str
    folders: Sequence[Path]
    problems: Problems

    def load_for_site(self, language: Language, place: Place) -> Translations:
        """
        The labels in the language of the site, which is written at `place`.

        Missing labels are English, and reported.
        """
        english = self._load_english()
        labels = {} if language == ENGLISH else self._load_labels(language.fallbacks, english)
        own_file = f"themes/{self.theme}/translations/{language}.yaml"
        missing = [key for key in english if key not in labels]

        if not labels and language != ENGLISH:
            message = f'no theme has labels in the language "{language}"; the English labels are used'
            self.problems.report("missing-labels", place, message, f"write them in {own_file}")
        elif labels and missing:
            own_files = (f"themes/{self.theme}/translations/{tag}.yaml" for tag in language.fallbacks)
            file = next((name for name in own_files if self.problems.has_source(name)), own_file)
            more = " and others" if len(missing) > 5 else ""
            message = f"labels are not translated, and shown in English: {', '.join(missing[:5])}{more}"
            hint = "add them; themes/base/translations/en.yaml has all labels"
            self.problems.report("missing-labels", Place(file), message, hint)
        return _build_translations(language if labels else ENGLISH, {**english, **labels})

    def load_for_pages(self, languages: Sequence[Language]) -> dict[str, Translations]:
        """
        The labels in the languages of single pages, if there are any translations.
        Missing labels are English.
        """
        english_labels = self._load_english() if languages else {}
        labels_by_tag = {tag: self._load_labels(tag.fallbacks, english_labels) for tag in languages}
        return {
            tag: _build_translations(tag, {**english_labels, **labels})
            for tag, labels in labels_by_tag.items()
            if labels or tag.primary_subtag == "en"
        }

    def _load_english(self) -> dict[str, _Label]:
        """The English labels; a theme may add keys to those of the last folder."""
        reference = self._read_labels_file(self.folders[-1], ENGLISH)
        return self._load_labels([ENGLISH], reference, may_add_keys=True)

    def _load_labels(
        self, tags: Sequence[Language], reference: Mapping[str, _Label], *, may_add_keys: bool = False
    ) -> dict[str, _Label]:
        """
        The valid labels for these tags in all folders; the nearest folder has priority, then the first tag.

        A label may have the placeholders of the same label in `reference`.
        """
        files = (self._read_labels_file(folder, tag) for folder in self.folders for tag in tags)
        labels: dict[str, _Label] = {}
        for key, label in (item for file in files for item in file.items()):
            if not may_add_keys and key not in reference and key.partition("_")[0] not in LABEL_PREFIXES:
                hint = suggest_word(key, reference, "themes/base/translations/en.yaml has all labels")
                self.problems.report("unknown-key", label.place, f'the theme has no label "{key}"', hint)
            elif problem := _find_label_problem(key, label, reference.get(key)):
                self.problems.report("bad-labels", label.place, *problem)
            else:
                labels.setdefault(key, label)
        return labels

    def _read_labels_file(self, folder: Path, tag: Language) -> dict[str, _Label]:
        """
        The labels of one file by key: {page: {one: page, other: pages}} -> the forms "one", "other" and "".
        """
        path = folder / "translations" / f"{tag}.yaml"
        name = f"themes/{folder.name}/translations/{path.name}"
        node = read_yaml(path, name, self.problems) if path.is_file() else None
        if node is None:
            return {}
        if node.value is not None and not node.mapping:
            message = f"{name} is {node.shape}"
            self.problems.report("wrong-shape", node.place, message, "write key: word lines, without hyphens")

        labels: dict[str, _Label] = {}
        for key, child in node.mapping.items():
            forms = {form: form_node.text for form, form_node in child.mapping.items()}
            default = child.value if isinstance(child.value, str) else forms.get("other")
            if default is not None:
                forms[""] = default
            labels[key] = _Label(forms, node.key_place(key))
        return labels


LABEL_FORMS = (*PLURAL_CATEGORIES, "short", "long", "first", "day")


def _find_label_problem(key: str, label: _Label, reference: _Label | None) -> tuple[str, str] | None:
    """
    The message and hint for an invalid label, or None; `reference` is the English label if there is one.
    """
    if not any(label.forms.values()):
        return f'the label "{key}" is empty', f"write {key}: …"
    unknown_form = next((form for form in label.forms if form and form not in LABEL_FORMS), "")
    if unknown_form:
        hint = f"the forms of a label are {', '.join(LABEL_FORMS)}"
        return f'the label "{key}" has an unknown form "{unknown_form}"', hint
    if not label.forms.get(""):
        return f'the label "{key}" has no form "other"', "add other: …"
    try:
        placeholders = label.placeholders
    except ValueError:
        return f'a brace in the label "{key}" is never closed', "write {{ for a literal brace"

    allowed = reference.placeholders if reference else placeholders
    # pages give the number to each of these labels, also where English has none: "more_news: All news"
    if key.startswith("more"):
        allowed |= {"total"}
    unknown = sorted(placeholders - allowed)
    if not unknown:
        return None
    listed = ", ".join(f"{{{name}}}" for name in sorted(allowed))
    hint = f"its placeholders are {listed}" if allowed else "remove the placeholder"
    return f'the label "{key}" has an unknown placeholder {{{unknown[0]}}}', hint


def _build_translations(language: Language, labels: Mapping[str, _Label]) -> Translations:
    """The labels by key and form: "page.one", "page.other", and "page" for the default form."""
    texts = {
        f"{key}.{form}" if form else key: text
        for key, label in labels.items()
        for form, text in label.forms.items()
    }
    return Translations(language, texts)
