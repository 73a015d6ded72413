"""The words of a theme's interface in a language, from the files words/<tag>.yaml of its folders."""

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
"""Beginnings of words whose rest is a name that a site may choose: "section_patents"."""


@dataclass(frozen=True, slots=True)
class _Word:
    """A word as a file has it: its forms, "" for the usual one, and where it stands."""

    forms: Mapping[str, str]
    place: Place

    @property
    def blanks(self) -> frozenset[str]:
        """What is filled into it; raises ValueError for braces that are no pattern."""
        parts = (part for form in self.forms.values() for part in string.Formatter().parse(form))
        return frozenset(name for _, name, _, _ in parts if name is not None)


@dataclass(frozen=True, slots=True)
class Dictionary:
    """The words of a theme and of those that it extends: their folders, nearest first."""

    theme: str
    folders: Sequence[Path]
    problems: Problems

    def of_site(self, language: Language) -> Words:
        """The words of the site's language; English stands in for what is missing, which is told."""
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
        """The words of languages that single pages are in, where there are any; English for what is missing."""
        english = self._english()
        found = {language: self._read(language.fallbacks, english) for language in languages}
        return {
            tag: _words(tag, {**english, **words})
            for tag, words in found.items()
            if words or tag.base == "en"
        }

    def _english(self) -> dict[str, _Word]:
        """The English texts, in which a theme of one's own may have keys of its own."""
        return self._read([ENGLISH], {}, self._file(self.folders[-1] / "words" / f"{ENGLISH}.yaml"))

    def _read(
        self,
        tags: Sequence[Language],
        english: Mapping[str, _Word],
        models: Mapping[str, _Word] | None = None,
    ) -> dict[str, _Word]:
        """
        The words of these tags in all folders; the nearest folder wins, then the first tag.

        A word may have the places that its model has, by default the English one.
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
        """Whether a word can stand where it is wanted; told where not."""
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
    """The forms of a word; the one for most numbers is its usual one as well."""
    if isinstance(node.value, str):
        yield "", node.value
    for form, child in node.entries.items():
        yield form, child.words
        if form == "other":
            yield "", child.words


def _fault(key: str, word: _Word, model: _Word | None) -> tuple[str, str] | None:
    """What is wrong with a word and how to write it, or None; `model` is the English one, where there is one."""
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
