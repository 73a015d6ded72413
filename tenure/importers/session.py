"""State of one import: the files to write, and a note of everything imported, converted, moved or skipped."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tenure.importers.source_folder import ImportNote, SourceFolder, location_of, normalize_old_url
from tenure.importers.yaml_writer import YamlData, format_yaml
from tenure.markdown.html import make_slug, make_unique
from tenure.model.names import Name, fold_text, name_match_key, parse_spellings
from tenure.problems import Problem
from tenure.record import Record, field
from tenure.sources.bibtex.latex import latex_to_text
from tenure.sources.bibtex.splitter import split_entries
from tenure.sources.node import Node

EntryData = dict[str, YamlData]
_TEMPLATE_TAG = re.compile(
    r"(?P<code>`[^`]*`)|\{\{<(?:(?!\{\{<).)*?>\}\}|\{\{%(?:(?!\{\{%).)*?%\}\}|\{%(?:(?!\{%).)*?%\}|\{\{-?\s*(?:site|page|post|include|layout)\.[^{}]*\}\}",
    re.DOTALL,
)
"""A tag of Hugo, Quarto or Liquid outside code, which prints a computed text."""


class ImportResult(Record):
    """
    The result of an import: the new files by path, as text or bytes, and the notes.

    `owner` is the name of the site's owner ("" if unknown); `profile` is the rest of content/profile.yaml as YAML;
    `owner_names` has the name of the owner by language, if it differs; `guessed_from` says from what the owner is guessed ("" if the source names the owner); `files_read` counts the source files read or copied; `read_errors` are the problems of unreadable data files;
    `origins` has the location in the source of each new file, and of each entry as "file#index" or "file#key".
    """

    system: str
    owner: str
    profile: str
    files: Mapping[str, str | bytes]
    notes: tuple[ImportNote, ...]
    files_read: int = 0
    read_errors: tuple[Problem, ...] = ()
    origins: Mapping[str, str] = field(default_factory=dict)
    guessed_from: str = ""
    owner_names: Mapping[str, str] = field(default_factory=dict)


class _TextStems(Record):
    """The paths of the text files of the new site, without their suffixes."""

    files: Mapping[str, str | bytes]

    def __contains__(self, stem: object) -> bool:
        return any(f"{stem}.{suffix}" in self.files for suffix in ("md", "yaml", "bib"))


class ImportSession(SourceFolder):
    """Collects the files of the new site while the source is read."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.files: dict[str, str | bytes] = {}
        self.profile: EntryData = {}
        self.profile_links: dict[str, YamlData] = {}
        self.settings: EntryData = {}
        self.new_urls: dict[str, str] = {}
        self.redirects: dict[str, str] = {}
        self.bib_sections: dict[str, str] = {}
        self.list_pages: dict[str, str] = {}
        self.page_introductions: dict[str, str] = {}
        self.page_titles: dict[str, str] = {}
        self.origins: dict[str, str] = {}
        self._titles_by_file: dict[str, frozenset[str]] = {}
        self.collections: dict[str, list[EntryData]] = {}
        self.collection_titles: dict[str, YamlData] = {}
        self._file_stems: set[str] = set()

    def record_moved(self, location: str, old_url: str, new_url: str) -> None:
        """Record the old and the new URL of a page."""
        self.new_urls.setdefault(normalize_old_url(old_url), new_url)
        if old_url.strip("/") != new_url.strip("/"):
            self.notes[ImportNote("moved", location, f"{old_url} is now {new_url}")] = None
            self.redirects.setdefault(f"/{old_url.lstrip('/')}", new_url)

    def add_entry(
        self, collection: str, entry: Mapping[str, YamlData], location: str, title: str = ""
    ) -> None:
        """
        Add the non-empty fields of an entry to a collection; `title` is the heading of a custom collection.

        A name that is not a name of a collection, such as a path, becomes one.
        """
        entry, collection = filled(self.remove_template_tags(entry, location)), _collection_name(collection)
        entries = self.collections.setdefault(collection, [])
        self.origins[f"content/{collection}.yaml#{len(entries)}"] = location
        entries.append(entry)
        if title:
            self.collection_titles.setdefault(collection, title)
        first_text = next((value for value in entry.values() if isinstance(value, str)), "")
        self.record_imported(location, f"{collection}: {shorten_text(first_text)}")

    def remove_template_tags(self, data: Mapping[str, YamlData], location: str) -> EntryData:
        """The data without the tags of templates that no converter knows; each is reported."""

        def clean_text(text: str) -> str:
            tags = [match[0] for match in _TEMPLATE_TAG.finditer(text) if not match["code"]]
            for tag in tags:
                self.record_skipped(location, f"a tag of the template: {shorten_text(tag)}")
            cleaned = _TEMPLATE_TAG.sub(lambda match: match["code"] or "", text)
            return (cleaned if "\n" in text else " ".join(cleaned.split())).strip() if tags else text

        def clean_value(value: YamlData) -> YamlData:
            if isinstance(value, str):
                return clean_text(value) if "{{" in value or "{%" in value else value
            if isinstance(value, Mapping):
                return {clean_text(key): clean_value(child) for key, child in value.items()}
            return [clean_value(child) for child in value]

        return {key: clean_value(value) for key, value in data.items()}

    def has_collection(self, collection: str) -> bool:
        """Whether a collection has an entry."""
        return _collection_name(collection) in self.collections

    def add_coauthors(self, coauthors: Sequence[EntryData]) -> int:
        """
        Write co-authors to content/coauthors.yaml; returns their number.

        A name that several entries have keeps the URL of the last one.
        """
        index_by_key: dict[tuple[str, str], tuple[int, str]] = {}
        for index, entry in enumerate(coauthors):
            for spelling in (entry["name"], *entry.get("aliases", ())):
                (name,) = parse_spellings(str(spelling), ()) or (Name(),)
                earlier_index, _ = index_by_key.get(name_match_key(name), (-1, ""))
                if earlier_index < 0 or coauthors[earlier_index]["url"] != entry["url"]:
                    index_by_key[name_match_key(name)] = index, str(spelling)
        entries: list[EntryData] = []
        for index, entry in enumerate(coauthors):
            names = [name for i, name in index_by_key.values() if i == index]
            if names:
                entries.append(filled({"name": names[0], "url": entry["url"], "aliases": names[1:]}))
        if entries:
            self.files["content/coauthors.yaml"] = format_yaml(entries)
        return len(entries)

    @property
    def has_publications(self) -> bool:
        """Whether a publication was imported."""
        return any(
            name.startswith("bib/")
            and name.removeprefix("bib/") not in self.bib_sections.values()
            and isinstance(text, str)
            and re.search(r"@\s*\w+\s*[{(]", text)
            for name, text in self.files.items()
        )

    def has_publication(self, title: str) -> bool:
        """Whether a .bib file that was imported has a publication with this title."""
        for path, text in self.files.items():
            if path.endswith(".bib") and path not in self._titles_by_file and isinstance(text, str):
                entries = (dict(entry.fields) for entry in split_entries(text))
                titles = (re.sub(r'^["{\s]+|["}\s]+$', "", fields.get("title", "")) for fields in entries)
                self._titles_by_file[path] = frozenset(
                    fold_text(latex_to_text(title).text) for title in titles
                )
        folded_title = fold_text(re.sub(r"[*_]{1,2}|\[([^\]]*)\]\([^)]*\)", r"\1", title))
        return bool(folded_title) and any(folded_title in titles for titles in self._titles_by_file.values())

    def has_content(self, name: str) -> bool:
        """Whether content/ has entries or documents with this name."""
        return self.has_collection(name) or any(path.startswith(f"content/{name}/") for path in self.files)

    def is_own_url(self, url: str) -> bool:
        """Whether a URL belongs to the old site."""
        own_url = str(self.settings.get("url", ""))
        return bool(own_url) and f"{url.rstrip('/')}/".startswith(own_url)

    def strip_own_host(self, url: str) -> str:
        """Return a URL of the old site as a path from its root; other URLs unchanged."""
        own_url = str(self.settings.get("url", ""))
        return f"/{url.removeprefix(own_url.rstrip('/')).lstrip('/')}" if self.is_own_url(url) else url

    def add_text_file(self, path: str, text: str, location: str = "") -> str:
        """Add a text file from a location of the source and return its path; a number is appended if it is in use."""
        stem, dot, suffix = path.rpartition(".")
        unique_path = make_unique(stem, _TextStems(self.files)) + dot + suffix
        self.files[unique_path] = text
        if location:
            self.origins[unique_path] = location
        return unique_path

    def add_introduction(self, text: str, location: str) -> None:
        """Add a text as content/about.md."""
        self.add_text_file("content/about.md", f"{text}\n", location)
        self.record_imported(location, "introduction")

    def copy_file(self, name: str) -> str:
        """Copy a source file to content/files/. Returns its path in content/, or "" if the source has no such file."""
        path = self.resolve_file(name)
        if path is None:
            return ""
        if path not in self.copied_files:
            stem, dot, suffix = re.sub(r"[^\w.-]+", "-", path.name).rpartition(".")
            if len(self._file_stems) < len(self.copied_files):
                self._file_stems = {value.rpartition(".")[0] for value in self.copied_files.values()}
            unique_stem = make_unique(f"files/{stem}", self._file_stems)
            self._file_stems.add(unique_stem)
            self.copied_files[path] = unique_stem + dot + suffix
            self.files[f"content/{self.copied_files[path]}"] = path.read_bytes()
            self.origins[f"content/{self.copied_files[path]}"] = name.lstrip("/")
            self.record_imported(name.lstrip("/"), f"file: {self.copied_files[path]}")
        return self.copied_files[path]

    def copy_first_file(self, names: Iterable[str]) -> str:
        """Copy the first of these files that exists in the source. Returns its path in content/, or ""."""
        return next((copied_file for name in names if (copied_file := self.copy_file(name))), "")

    def build_result(self, system: str, default_owner: str = "") -> ImportResult:
        """Return the result of the import; `default_owner` is used if the profile has no name."""
        profile = filled(self.remove_template_tags(self.profile, "content/profile.yaml"))
        name = profile.pop("name", "")
        names = {str(key): str(text) for key, text in name.items()} if isinstance(name, Mapping) else {}
        owner = next(iter(names.values()), "") or str(name or default_owner)
        if self.profile_links:
            links = {"links": _unique_links(self.profile_links)}
            profile |= self.remove_template_tags(links, "content/profile.yaml")
        files = dict(self.files)
        for name, entries in self.collections.items():
            title = self.collection_titles.get(name, "")
            data = {"title": title, "entries": entries} if title else entries
            files[f"content/{name}.yaml"] = format_yaml(data)
        settings = filled(self.remove_template_tags(self.settings, "site.yaml"))
        if settings:
            files["site.yaml"] = format_yaml(settings)
        files_read = len(self.read_files) + len(self.copied_files)
        notes, errors = tuple(self.notes), tuple(self.read_errors)
        return ImportResult(
            system, owner, format_yaml(profile), files, notes, files_read, errors, self.origins, "", names
        )


def _collection_name(name: str) -> str:
    return name if re.fullmatch(r"[\w-]+", name) else make_slug(name) or "more"


def _unique_links(links: Mapping[str, YamlData]) -> dict[str, YamlData]:
    """The links of a profile without second ones to the same account."""
    unique: dict[tuple[str, str], str] = {}
    for label, url in links.items():
        service = re.sub(r"\W", "", label).casefold()
        account = str(url).rstrip("/").rpartition("/")[2].casefold().lstrip("@")
        service = "x" if service == "twitter" else service
        unique.setdefault((service, account), label)
    return {label: links[label] for label in unique.values()}


def filled(data: Mapping[str, YamlData]) -> EntryData:
    """Return the fields that are not empty."""
    return {key: value for key, value in data.items() if value}


def shorten_text(text: str) -> str:
    """Return a text in one line of at most 70 characters, for a note."""
    line = " ".join(text.split())
    return line if len(line) <= 70 else f"{line[:69]}…"


class MappingReader:
    """Reads a mapping of the source key by key, and reports the keys that were never read."""

    def __init__(self, node: Node, session: ImportSession) -> None:
        self.node = node
        self.session = session
        self._unread = dict(node.mapping)

    @property
    def location(self) -> str:
        """The file and line of the mapping."""
        return location_of(self.node)

    def read_node(self, *keys: str) -> Node | None:
        """Return the first non-empty value of these keys; all of them count as read."""
        nodes = [self._unread.pop(key, None) for key in keys]
        filled_nodes = [node for node in nodes if node is not None and node.value not in (None, "", (), {})]
        for node in filled_nodes[1:]:
            if node_to_text(node) != node_to_text(filled_nodes[0]):
                self.session.record_skipped(node, f"a second value: {shorten_text(node_to_text(node))}")
        return filled_nodes[0] if filled_nodes else None

    def read_text(self, *keys: str) -> str:
        """Return the text of the first non-empty value of these keys, or ""."""
        return node_to_text(self.read_node(*keys))

    def read_flag(self, key: str) -> bool:
        """Whether the value of a key is "true" or "yes"."""
        return self.read_text(key).casefold() in ("true", "yes")

    def read_draft(self) -> str:
        """Return the value of `draft` for content/: "true" or ""."""
        return "true" if self.read_flag("draft") else ""

    def read_mapping(self, key: str) -> "MappingReader":
        """Return a reader for the mapping at a key; it has no keys if there is no mapping."""
        return MappingReader(self.read_node(key) or Node({}, self.node.place), self.session)

    def read_items(self, *keys: str) -> list[Node]:
        """Return the items of a list; a single value counts as a list of one item."""
        node = self.read_node(*keys)
        return [] if node is None else list(node.items) if isinstance(node.value, tuple) else [node]

    def read_mappings(self, *keys: str) -> "list[MappingReader]":
        """Return a reader for each item of a list."""
        return [MappingReader(node, self.session) for node in self.read_items(*keys)]

    def read_texts(self, *keys: str) -> list[str]:
        """Return the texts of a list."""
        return [node_to_text(node) for node in self.read_items(*keys)]

    def read_text_lists(self) -> EntryData:
        """Return all unread lists of strings by their source keys."""
        list_keys = [
            key for key, node in self._unread.items() if node.items and all(item.text for item in node.items)
        ]
        return {key: [node_to_text(item) for item in self._unread.pop(key).items] for key in list_keys}

    def unread_nodes(self) -> dict[str, Node]:
        """Return the nodes that were not read yet."""
        return dict(self._unread)

    def ignore_keys(self, *keys: str) -> None:
        """Mark keys as read because they contain nothing that a site shows."""
        for key in keys:
            self._unread.pop(key, None)

    def record_skipped(self, description: str) -> None:
        """Record something in the mapping that was not imported."""
        self.session.record_skipped(self.location, description)

    def record_reclassified(self, description: str) -> None:
        """Record that the mapping was imported as something else."""
        self.session.record_reclassified(self.location, description)

    def record_converted(self, description: str) -> None:
        """Record something in the mapping that was imported in another form."""
        self.session.record_converted(self.location, description)

    def skip_all(self, label: str) -> None:
        """Report the whole mapping as skipped, with a label."""
        text = node_to_text(self.node)
        if text:
            self.record_skipped(f"{label}: {shorten_text(text)}")
        self._unread = {}

    def report_unread_keys(self, *ignored_keys: str) -> None:
        """Report every value that was not read, except those of `ignored_keys`."""
        for key, node in self._unread.items():
            if key not in ignored_keys and node.value not in (None, "", (), {}):
                self.session.record_skipped(node, f"{key}: {shorten_text(node_to_text(node))}")
        self._unread = {}


def node_to_text(node: Node | None) -> str:
    """Return a value as text: lists joined by commas, mappings as "key: value" pairs, nothing as ""."""
    if node is None:
        return ""
    if isinstance(node.value, tuple):
        return ", ".join(text for item in node.items if (text := node_to_text(item)))
    if isinstance(node.value, Mapping):
        return ", ".join(f"{key}: {node_to_text(item)}" for key, item in node.mapping.items())
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]", "", node.text).strip()


def join_filled(*texts: str, separator: str = ", ") -> str:
    """Join the texts that are not empty."""
    return separator.join(text for text in texts if text)
