"""Loads the labels of a theme in a language from the files words/<tag>.yaml in its folders."""

import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from tenure.frozen import dataclass
from tenure.model.languages import PLURALS, Language
from tenure.model.words import Words
from tenure.problems import Place, Problems, did_you_mean
from tenure.sources.files import read_text, read_yaml
from tenure.sources.tree import Node

ENGLISH = Language("en")
FORMS = (*PLURALS, "short", "long", "first", "day")
FAMILIES = ("page", "section", "more", "link", "status", "kind", "type", "talk", "group", "season")
"""Prefixes of labels that end in a name chosen by the site: "section_patents"."""


@dataclass(frozen=True, slots=True)
class _Word:
    """A label in a file: its forms ("" is the default form) and its place."""

    forms: Mapping[str, str]
    place: Place

    @property
    def blanks(self) -> frozenset[str]:
        """The names of its placeholders; raises ValueError for invalid braces."""
        parts = (part for form in self.forms.values() for part in string.Formatter().parse(form))
        return frozenset(name for _, name, _, _ in parts if name is not None)


@dataclass(frozen=True, slots=True)
class Dictionary:
    """Loads labels from the folders of a theme and of the themes that it extends, nearest first."""

    theme: str
    folders: Sequence[Path]
    problems: Problems

    def of_site(self, language: Language) -> Words:
        """The labels in the language of the site. Missing labels are English, and reported."""
        english = self._english()
        if language == ENGLISH:
            return _words(ENGLISH, english)
        found = self._read(language.fallbacks, english)
        own = f"themes/{self.theme}/words/{language}.yaml"
        if not found:
            place = next(
                self.problems.places(rf"language:\s*({language})\b", "site.yaml"), Place("site.yaml")
            )
            message = f'no theme has labels in the language "{language}"; the English labels are used'
            self.problems.tell("missing-words", place, message, f"write them in {own}")
            return _words(ENGLISH, english)
        missing = [key for key in english if key not in found]
        if missing:
            mine = (f"themes/{self.theme}/words/{tag}.yaml" for tag in language.fallbacks)
            file = next((name for name in mine if self.problems.has_read(name)), own)
            some = ", ".join(missing[:5]) + (" and others" if len(missing) > 5 else "")
            message = f"labels are not translated, and shown in English: {some}"
            self.problems.tell(
                "missing-words",
                Place(file),
                message,
                "add them; themes/base/words/en.yaml has all labels labels",
            )
        return _words(language, {**english, **found})

    def of_pages(self, languages: Iterable[Language]) -> dict[str, Words]:
        """The labels in the languages of single pages, if there are any translations. Missing labels are English."""
        english = self._english()
        found = {language: self._read(language.fallbacks, english) for language in languages}
        return {
            tag: _words(tag, {**english, **words})
            for tag, words in found.items()
            if words or tag.base == "en"
        }

    def _english(self) -> dict[str, _Word]:
        """The English labels; a site's theme may add keys."""
        return self._read([ENGLISH], {}, self._file(self.folders[-1] / "words" / f"{ENGLISH}.yaml"))

    def _read(
        self,
        tags: Sequence[Language],
        english: Mapping[str, _Word],
        models: Mapping[str, _Word] | None = None,
    ) -> dict[str, _Word]:
        """
        The valid labels for these tags in all folders; the nearest folder has priority, then the first tag.

        A label may have the placeholders of the same label in `reference_labels`, by default the English labels.
        """
        found: dict[str, _Word] = {}
        for folder in self.folders:
            for tag in tags:
                for key, word in self._file(folder / "words" / f"{tag}.yaml").items():
                    if self._is_sound(key, word, english, models or english):
                        found.setdefault(key, word)
        return found

    def _file(self, path: Path) -> dict[str, _Word]:
        if not path.is_file():
            return {}
        name = f"themes/{path.parent.parent.name}/words/{path.name}"
        text = read_text(path, name, self.problems)
        node = read_yaml(text, name, self.problems) if text is not None else None
        if node is None or node.value is None:
            return {}
        if not node.entries:
            message = f"{name} is {node.shape}"
            self.problems.tell("wrong-shape", node.place, message, "write key: word lines, without hyphens")
        return {key: _Word(dict(_forms(child)), node.key_place(key)) for key, child in node.entries.items()}

    def _is_sound(
        self, key: str, word: _Word, english: Mapping[str, _Word], models: Mapping[str, _Word]
    ) -> bool:
        """Whether a label is known and valid; if not, it is reported."""
        if english and key not in english and key.partition("_")[0] not in FAMILIES:
            near = did_you_mean(key, english)
            hint = f'did you mean "{near}"?' if near else "themes/base/words/en.yaml has all labels labels"
            self.problems.tell("unknown-key", word.place, f'the theme has no label "{key}"', hint)
            return False
        fault = _fault(key, word, models.get(key))
        if fault:
            self.problems.tell("bad-words", word.place, *fault)
        return not fault


def _forms(node: Node) -> Iterator[tuple[str, str]]:
    """The forms of a label; the form "other" is also the default form."""
    if isinstance(node.value, str):
        yield "", node.value
    for form, child in node.entries.items():
        yield form, child.words
        if form == "other":
            yield "", child.words


def _fault(key: str, word: _Word, model: _Word | None) -> tuple[str, str] | None:
    """The message and hint for an invalid label, or None; `reference` is the English label if there is one."""
    if not any(word.forms.values()):
        return f'the label "{key}" is empty', f"write {key}: …"
    strange = next((form for form in word.forms if form and form not in FORMS), "")
    if strange:
        return (
            f'the label "{key}" has an unknown form "{strange}"',
            f"the forms of a label are {', '.join(FORMS)}",
        )
    if not word.forms.get(""):
        return f'the label "{key}" has no form "other"', "add other: …"
    try:
        blanks = word.blanks
    except ValueError:
        return f'a brace in the label "{key}" is never closed', "write {{ for a literal brace"
    known = (model.blanks if model else blanks) | ({"total"} if key.startswith("more") else set())
    wrong = next(iter(sorted(blanks - known)), None)
    if wrong is None:
        return None
    hint = (
        f"its placeholders are {', '.join(f'{{{name}}}' for name in sorted(known))}"
        if known
        else "remove the placeholder"
    )
    return f'the label "{key}" has an unknown placeholder {{{wrong}}}', hint


def _words(language: Language, found: Mapping[str, _Word]) -> Words:
    made = {
        f"{key}.{form}" if form else key: text
        for key, word in found.items()
        for form, text in word.forms.items()
    }
    return Words(language, made)
