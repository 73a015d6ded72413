"""
Texts in several languages: selects those of one language, and marks texts that have no translation.

The objects: a mapping of languages is a value of the tree, {en: Looms, de: Webstühle}; a translation of a
text is a file beside it, about.de.md; a LanguageSelection keeps what belongs to one language.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from tenure.model.entries import Entry, Markdown, Publication
from tenure.model.languages import Language, find_language
from tenure.model.site import Collection, map_entries
from tenure.problems import Place, Problems
from tenure.record import Record, replace
from tenure.sources.reading.files import MarkdownFile
from tenure.sources.reading.node import Node

NAME_KEYS = frozenset(
    {"advisor", "advisors", "mentor", "mentors", "host", "id", "slug", "key", "tags", "tag"}
)
"""Keys whose values are names or identifiers, which have no language."""


class LanguageSelection(Record):
    """
    The language that sources are read for; `languages` are all languages of the site, the main one first.

    With one language, nothing is selected or marked.
    """

    language: Language
    languages: tuple[Language, ...]

    @property
    def is_needed(self) -> bool:
        """Whether a site has several languages."""
        return len(self.languages) > 1

    @property
    def cache_key(self) -> tuple[str, ...]:
        """The part of cache keys that depends on the language."""
        if self.is_needed:
            return tuple(map(str, (self.language, *self.languages)))
        return ()

    def select(self, node: Node, problems: Problems, source_language: str = "") -> Node:
        """
        The tree of a file with each mapping of languages replaced by one text;
        the file is in the main language by default.
        """
        if not self.is_needed:
            return node
        return self._select(node, problems, source_language or self.languages[0])

    def select_text(
        self, files: Sequence[MarkdownFile], source_language: Language, problems: Problems
    ) -> MarkdownFile:
        """
        A text with the keys and the body of its translation, the last of `files`;
        the original gives the missing ones.

        about.md {title: About}, about.de.md {title: Über mich} in German -> {title: Über mich}, with the text
        of about.de.md, or of about.md, marked as English, if it has none
        """
        original, *translations = files
        front_matter = self.select(original.front_matter, problems, source_language)
        has_language = "language" in front_matter.mapping or "lang" in front_matter.mapping
        foreign = ""
        if source_language != self.language and not has_language:
            foreign = source_language
        translated_text = next((file for file in translations if file.body.strip()), None)
        if foreign and original.body.strip() and not translated_text:
            file = original.front_matter.place.file
            hint = f"write {split_language(Path(file))[0]}.{self.language}.md beside it"
            problems.report("untranslated", Place(file), "the text has no translation", hint)

        for translation in translations:
            own = self.select(translation.front_matter, problems, self.language)
            # the id of the original is that of all languages; a slug of the translation is its path
            names = {key: "path" if key in ("slug", "id") else key for key in own.mapping}
            own_children = {names[key]: child for key, child in own.mapping.items()}
            own_node = Node(own_children, own.place, {names[key]: place for key, place in own.keys.items()})
            front_matter = front_matter.without_keys(("language", "lang")).with_keys_of(own_node)

        if translated_text:
            return MarkdownFile(front_matter, translated_text.body, translated_text.body_line)
        return MarkdownFile(front_matter, _mark_body(original.body, foreign), original.body_line)

    def _select(self, node: Node, problems: Problems, source_language: str) -> Node:
        """
        A tree with one text for each mapping of languages; texts in another language are marked with it.

        {title: {en: Looms, de: Webstühle}} in German -> {title: Webstühle}; {title: Looms} -> Looms, marked
        as English
        """
        if node.mapping:
            if self._is_translated(node):
                return self._choose(node, problems)
            if "language" in node.mapping or "lang" in node.mapping:
                # the entry has a language of its own
                source_language = self.language
            children = {
                key: self._select(child, problems, self.language if key in NAME_KEYS else source_language)
                for key, child in node.mapping.items()
            }
            return Node(children, node.place, node.keys)

        if node.items:
            return Node(
                tuple(self._select(item, problems, source_language) for item in node.items), node.place
            )

        is_marked = isinstance(node.value, str) and source_language != self.language
        return replace(node, language=source_language) if is_marked else node

    def _is_translated(self, node: Node) -> bool:
        """
        Whether a mapping has a text for each language.

        At least one key is a language of the site, no value is a mapping, and either all keys are languages,
        or the main language is among them.
        """
        tags = {_find_tag(key) for key in node.mapping}
        if not tags & {*self.languages} or any(child.mapping for child in node.mapping.values()):
            return False
        return self.languages[0] in tags or "" not in tags

    def _choose(self, node: Node, problems: Problems) -> Node:
        """The text for the language; the one in the main language, or the first one, if there is none."""
        children = {_find_tag(key): child for key, child in node.mapping.items()}
        for key in [key for key in node.mapping if _find_tag(key) not in self.languages]:
            message = f'"{key}" is no language of the site, and the keys beside it are'
            hint = "name it in languages: in site.yaml, or move it out of the texts in several languages"
            problems.report("unknown-translation", node.key_place(key), message, hint)
        for tag in (self.language, *self.languages):
            if tag in children and children[tag].value:
                return self._select(children[tag], problems, tag)
        return Node(None, node.place)


def _find_tag(key: str) -> Language:
    """The language of a key that is its tag; "" for another key."""
    language = find_language(key)
    if language.casefold() == key.casefold():
        return language
    return Language("")


def read_languages(settings_node: Node, language: str = "") -> LanguageSelection:
    """The languages that site.yaml names, and the one to read: by default the main language."""
    main, further, cvs = map(settings_node.child, ("language", "languages", "cvs"))
    texts = [main.text, *further.text.split(","), *further.mapping]
    # a name, a mapping with its options under "language", or under the name itself
    for item in further.items:
        own_name = item.mapping["language"].text if "language" in item.mapping else item.text
        texts.append(own_name or next(iter(item.mapping), ""))
    texts += [node.child("language").text for node in (*cvs.mapping.values(), *cvs.items)]

    tags = [find_language(text) for text in texts]
    languages = tuple(dict.fromkeys((tags[0] or Language("en"), *filter(None, tags[1:]))))
    return LanguageSelection(Language(language) or languages[0], languages)


def mark_language(text: str, language: str, *, is_block: bool = False) -> str:
    """Markdown in an element that states its language; unchanged without a language or text."""
    if not language or not text.strip():
        return text
    if is_block or "\n\n" in text:
        return f'<div lang="{language}">\n\n{text}\n\n</div>'
    return f'<span lang="{language}">{text}</span>'


def _mark_body(body: str, language: str) -> str:
    """The body of a file with its language; its title stays the first line."""
    first_line, line_end, text = body.lstrip().partition("\n")
    if not first_line.startswith("# "):
        return mark_language(body, language, is_block=True)
    title = mark_language(first_line.removeprefix("# ").strip(), language)
    return f"# {title}{line_end}{mark_language(text, language, is_block=True)}"


def mark_publications(collections: Mapping[str, Collection], language: Language) -> dict[str, Collection]:
    """
    The collections with the language of publications that state none,
    whose titles and abstracts are never translated.
    """

    def mark_entry(entry: Entry) -> Entry:
        if not isinstance(entry, Publication) or entry.language:
            return entry
        abstract = Markdown(mark_language(entry.abstract, language, is_block=True))
        return replace(entry, language=language, abstract=abstract)

    return map_entries(collections, mark_entry)


class TextFile(Record):
    """A Markdown file of content/ and its translations by language; `language` is that of the file."""

    path: Path
    language: Language
    translations: Mapping[Language, Path]


def split_language(path: Path) -> tuple[str, Language]:
    """
    The stem of a Markdown file without the tag of a language at its end,
    and the tag: "about" and "de" of about.de.md.
    """
    stem, _, tag = path.stem.rpartition(".")
    language = find_language(tag) if stem and tag[:1].islower() else Language("")
    return (stem, language) if language else (path.stem, Language(""))


def group_translations(
    paths: Sequence[Path], root: Path, selection: LanguageSelection, problems: Problems
) -> dict[Path, TextFile]:
    """
    Markdown files by path, each with its translations, which are no keys;
    a translation into another language is reported.

    Without about.md, the first of about.en.md and about.de.md in the order of the languages is the original.
    """
    groups: dict[tuple[Path, str], dict[Language, Path]] = {}
    for path in paths:
        stem, language = split_language(path)
        is_foreign = language not in ("", *selection.languages)
        if is_foreign and path.with_name(f"{stem}.md") in paths:
            message = f'this file translates {stem}.md, but the site has no language "{language}"'
            hint = f"write languages: [{', '.join((*selection.languages[1:], language))}] in site.yaml"
            problems.report("unknown-translation", Place(path.relative_to(root).as_posix()), message, hint)
        if is_foreign or not selection.is_needed:
            stem = path.name
            language = Language("")
        groups.setdefault((path.parent, stem), {})[language] = path

    texts: dict[Path, TextFile] = {}
    for files in groups.values():
        original = next(tag for tag in (Language(""), *selection.languages) if tag in files)
        translations = {tag: path for tag, path in files.items() if tag != original}
        texts[files[original]] = TextFile(files[original], original or selection.languages[0], translations)

    return texts
