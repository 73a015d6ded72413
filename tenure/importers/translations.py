"""Merges what was imported from a site in another language: texts by language in YAML, and translations beside Markdown files."""

import re
from collections.abc import Mapping, Sequence

from tenure.counts import format_count
from tenure.importers.session import EntryData, ImportSession, filled
from tenure.importers.source_folder import normalize_old_url
from tenure.importers.yaml_writer import YamlData, format_yaml, node_to_data
from tenure.model.languages import Language
from tenure.problems import Problems
from tenure.record import Record
from tenure.sources.files import parse_markdown_file

SHARED_KEYS = frozenset(
    {"date", "dates", "period", "year", "start", "end", "term", "image", "photo", "url", "links", "email", "slides", "video", "draft", "id", "key", "publications", "cv", "orcid", "aliases"}
)  # fmt: skip
"""Keys whose values are the same in all languages."""

DATE_KEYS = ("date", "period", "start", "end", "term")


class SourceLanguage(Record):
    """A language of a source: its tag, the folder of its texts, the name that its URLs begin with, and its own domain."""

    tag: Language
    folder: str
    url_prefix: str
    url: str = ""

    @property
    def setting(self) -> YamlData:
        """The item of `languages` in site.yaml; the folder of the pages keeps its name."""
        options: dict[str, YamlData] = {}
        if self.url_prefix != self.tag.lower():
            options["path"] = self.url_prefix
        if self.url:
            options["url"] = self.url
        return {str(self.tag): options} if options else str(self.tag)

    def strip_location(self, location: str) -> str:
        """The file of a location without line, language and folder of the language: post/a of content/de/post/a.md:3."""
        name = re.sub(r":\d+$", "", location).removeprefix(f"{self.folder}/")
        return re.sub(r"(?:\.[a-z]{2,3}(?:-\w+)?)?\.\w+$", "", name)


class TranslationMerger:
    """Adds the content of `translation`, which is in another language, to the content of `main`."""

    def __init__(
        self,
        main: ImportSession,
        main_language: SourceLanguage,
        translation: ImportSession,
        language: SourceLanguage,
    ) -> None:
        self.main = main
        self.main_language = main_language
        self.translation = translation
        self.language = language
        self._names: dict[str, str] = {}

    def merge_content(self) -> None:
        """Merge everything; `languages` of site.yaml names the language."""
        languages = self.main.settings.get("languages", [])
        self.main.settings["languages"] = [*languages, self.language.setting]
        self._merge_texts()
        for name in self.translation.collections:
            self._merge_collection(name)
        self._merge_profile()
        self._merge_settings()
        self._merge_publications()
        self._copy_used_files()
        self._merge_notes()

    def merge_values(self, main: YamlData, other: YamlData) -> YamlData:
        """One value for both languages: a mapping of their tags if they differ, and the first one if there is no text to translate."""
        if not other or main == other:
            return main
        if not main:
            return {self.language.tag: other}
        is_translated = isinstance(main, Mapping) and self.main_language.tag in main
        if isinstance(main, Mapping) and is_translated:
            return {**main, self.language.tag: other}
        if isinstance(main, Mapping) and "name" in main and isinstance(other, str):
            other = {"name": other}
        if isinstance(other, Mapping) and "name" in other and isinstance(main, str):
            main = {"name": main}
        if isinstance(main, Mapping) and isinstance(other, Mapping):
            return self.merge_mappings(main, other)
        if isinstance(main, str) or isinstance(other, str) or all(isinstance(item, str) for item in main):
            return {self.main_language.tag: main, self.language.tag: other}
        if isinstance(main, Sequence) and isinstance(other, Sequence) and len(main) == len(other):
            return [self.merge_values(*pair) for pair in zip(main, other, strict=True)]
        return main

    def merge_mappings(self, main: Mapping[str, YamlData], other: Mapping[str, YamlData]) -> EntryData:
        """The fields of both languages; dates, images and links are those of the first one that has them."""
        merged: EntryData = dict(main)
        for key, value in filled(other).items():
            if key not in SHARED_KEYS:
                merged[key] = self.merge_values(main.get(key, ""), value)
            elif not main.get(key):
                merged[key] = value
        return merged

    def _pair_origins(self, keys: Sequence[str], main_keys: Sequence[str]) -> dict[str, str]:
        """The file or entry in the main language for each one in the other: those of the same source file, in their order."""
        groups: dict[str, tuple[list[str], list[str]]] = {}
        for session, language, names, side in (
            (self.main, self.main_language, main_keys, 0),
            (self.translation, self.language, keys, 1),
        ):
            for key in names:
                origin = language.strip_location(session.origins.get(key, key))
                groups.setdefault(origin, ([], []))[side].append(key)
        pairs: dict[str, str] = {}
        for main_group, group in groups.values():
            if len(main_group) == len(group):
                pairs |= dict(zip(group, main_group, strict=True))
        return pairs

    def _merge_texts(self) -> None:
        """Write the differences of each Markdown file beside its original; a text without an original is written whole."""
        texts, main_texts = (
            {name: text for name, text in session.files.items() if name.endswith(".md")}
            for session in (self.translation, self.main)
        )
        suffix = f".{self.language.tag}.md"
        originals = {name: text for name, text in main_texts.items() if not name.endswith(suffix)}
        pairs = self._pair_origins([*texts], [*originals])
        for name, text in texts.items():
            original = pairs.get(name) or (name if name in originals else "")
            path = (original or name).removesuffix(".md") + suffix
            self._names[_stem_of(name)] = _stem_of(original or name)
            self.main.files[path] = self._keep_differences(str(text), originals.get(original, ""), name)
            self.main.origins[path] = self.translation.origins.get(name, name)
            location = self.translation.origins.get(name) or self.language.folder
            if original:
                self.main.record_imported(location, f"{path}: the translation of {original}")
            else:
                description = f"{path}: a text without an original in {self.main_language.tag}"
                self.main.record_converted(location, description)

    def _keep_differences(self, text: str, original: str | bytes, name: str) -> str:
        """A translation without the keys that it shares with its original."""
        if not original:
            return text
        file = parse_markdown_file(text, name, Problems())
        original_file = parse_markdown_file(str(original), name, Problems())
        if file is None or original_file is None:
            return text
        original_keys = original_file.front_matter.mapping
        front: EntryData = {}
        for key, node in file.front_matter.mapping.items():
            value = node_to_data(node)
            is_equal = key in original_keys and node_to_data(original_keys[key]) == value
            if key not in SHARED_KEYS and not is_equal:
                front[key] = value
        front_matter = f"---\n{format_yaml(front)}---\n" if front else ""
        return f"{front_matter}{file.body.strip(chr(10))}\n"

    def _merge_collection(self, name: str) -> None:
        """Merge the entries of a list; entries without a counterpart are added in their language."""
        entries, main_entries = self.translation.collections[name], self.main.collections.get(name, [])
        path = f"content/{name}.yaml"
        pairs = self._pair_origins(
            [f"{path}#{i}" for i in range(len(entries))], [f"{path}#{i}" for i in range(len(main_entries))]
        )
        merged = set(pairs.values())
        added = 0
        for i, entry in enumerate(entries):
            counterpart = pairs.get(f"{path}#{i}") or self._find_by_date(entry, main_entries, path, merged)
            if counterpart:
                merged.add(counterpart)
                index = int(counterpart.rpartition("#")[2])
                main_entries[index] = self.merge_mappings(main_entries[index], entry)
                continue
            added += 1
            origin = self.translation.origins.get(f"{path}#{i}", path)
            self.main.add_entry(name, {**entry, "language": self.language.tag}, origin)
        titles = [session.collection_titles.get(name, "") for session in (self.main, self.translation)]
        if titles[1]:
            self.main.collection_titles[name] = self.merge_values(*titles)
        count = len(entries) - added
        location = re.sub(r":\d+$", "", self.translation.origins.get(f"{path}#0", path))
        if count:
            description = f"{name}: {format_count(count, 'entry', 'entries')} in {self.language.tag}"
            self.main.record_imported(location, description)

    def _find_by_date(
        self, entry: EntryData, main_entries: Sequence[EntryData], path: str, merged: set[str]
    ) -> str:
        """The only entry in the main language with the same dates and links, which is not merged yet; "" without one."""
        signature = [entry.get(key) for key in (*DATE_KEYS, "url")]
        found = [
            f"{path}#{index}"
            for index, main_entry in enumerate(main_entries)
            if any(signature)
            and f"{path}#{index}" not in merged
            and [main_entry.get(key) for key in (*DATE_KEYS, "url")] == signature
        ]
        return found[0] if len(found) == 1 else ""

    def _merge_profile(self) -> None:
        main, other = self.main.profile, self.translation.profile
        names = [str(session.get("name", "")) for session in (main, other)]
        self.main.profile = self.merge_mappings(main, other)
        if all(names) and names[0] != names[1]:
            aliases = [*main.get("aliases", ()), *names]
            self.main.profile["aliases"] = [*dict.fromkeys(map(str, aliases))]
        known_urls = {str(url).rstrip("/") for url in self.main.profile_links.values()}
        for label, url in self.translation.profile_links.items():
            if str(url).rstrip("/") not in known_urls:
                self.main.profile_links.setdefault(label, url)

    def _merge_settings(self) -> None:
        """Merge the description, the sections of the home page, and the titles of pages."""
        main, other = self.main.settings, self.translation.settings
        if "description" in other:
            main["description"] = self.merge_values(main.get("description", ""), other["description"])
        pages, other_pages = (_name_pages(settings.get("pages", ())) for settings in (main, other))
        for name, other_page in other_pages.items():
            own_name = self._names.get(name, name)
            if own_name in pages:
                pages[own_name] = self._merge_page(pages[own_name], other_page)
            elif pages:
                menu: EntryData = {
                    self.main_language.tag: "false",
                    self.language.tag: other_page.get("menu") or "true",
                }
                pages[own_name] = {**other_page, "name": own_name, "menu": menu}
        if pages:
            main["pages"] = [
                page["name"] if [*page] == ["name"] else {k: v for k, v in page.items() if v}
                for page in pages.values()
            ]

    def _merge_page(self, page: EntryData, other: EntryData) -> EntryData:
        """The configuration of a page: sections that differ, and the titles, by language."""
        sections, other_sections = page.get("sections", ()), self._rename_sections(other.get("sections", ()))
        merged = dict(page)
        if other_sections and sections and sections != other_sections:
            by_language: Mapping[str, YamlData] = (
                sections if isinstance(sections, Mapping) else {self.main_language.tag: sections}
            )
            merged["sections"] = {**by_language, self.language.tag: other_sections}
        if page.get("title") and other.get("title"):
            merged["title"] = self.merge_values(page["title"], other["title"])
        elif other.get("title"):
            title = f"the title {other['title']} of the page {page['name']}"
            place = f"site.yaml ({self.language.tag})"
            self.main.record_skipped(place, f"{title}; the word of the language is shown")
        return merged

    def _rename_sections(self, sections: YamlData) -> list[YamlData]:
        """The sections with the names that their texts have in the main language."""
        renamed: list[YamlData] = []
        for section in sections if not isinstance(sections, str | Mapping) else ():
            if isinstance(section, Mapping):
                renamed.append({self._names.get(name, name): value for name, value in section.items()})
            else:
                renamed.append(self._names.get(str(section), section))
        return renamed

    def _merge_publications(self) -> None:
        """Add the .bib files of publications that exist only in the other language."""
        overlays = "content/publications.yaml"
        for name, text in self.translation.files.items():
            if name.startswith("bib/") and name not in self.main.files:
                self.main.files[name] = text
        if overlays in self.translation.files:
            texts = (str(session.files.get(overlays, "")) for session in (self.main, self.translation))
            self.main.files[overlays] = "\n".join(filter(None, texts))
        for key, origin in self.translation.origins.items():
            if key.startswith(("bib/", overlays)):
                self.main.origins[key] = origin

    def _copy_used_files(self) -> None:
        """Copy the images and papers that the merged content names."""
        texts = [text for text in self.main.files.values() if isinstance(text, str)]
        data = str([self.main.profile, self.main.profile_links, self.main.collections])
        for path, new_name in self.translation.copied_files.items():
            name = f"content/{new_name}"
            is_used = new_name in data or any(new_name in text for text in texts)
            if name not in self.main.files and is_used:
                self.main.files[name] = self.translation.files[name]
                self.main.origins[name] = self.translation.origins[name]
                self.main.copied_files[path] = new_name

    def _merge_notes(self) -> None:
        """Add the notes about what was left out or changed, and the new URLs of the pages."""
        for note in self.translation.notes:
            if note.outcome not in ("imported", "moved"):
                self.main.notes.setdefault(note)
        self.main.read_files |= self.translation.read_files
        errors = self.main.read_errors
        errors += [error for error in self.translation.read_errors if error not in errors]
        prefix = self.language.url_prefix
        for old_url, new_url in self.translation.new_urls.items():
            path = normalize_old_url(new_url)
            folder, _, stem = path.rpartition("/")
            own_url = f"/{folder}/{self._names.get(stem, stem)}/" if folder else new_url
            self.main.new_urls.setdefault(old_url, own_url)
            if not old_url.startswith(f"{prefix}/"):
                self.main.record_moved(self.language.folder, f"/{prefix}/{old_url}/", f"/{prefix}{own_url}")


def _stem_of(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")


def _name_pages(pages: YamlData) -> dict[str, EntryData]:
    """The configurations of pages by name; the home page has none, but a path."""
    named: dict[str, EntryData] = {}
    for page in pages if not isinstance(pages, str | Mapping) else ():
        if isinstance(page, str):
            named[page] = {"name": page}
        elif isinstance(page, Mapping):
            named["home" if page.get("path") == "/" else str(page.get("name", ""))] = dict(page)
    return named
