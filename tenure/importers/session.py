"""State of one import: the files to write, and a note of everything imported, converted, moved or skipped."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from tenure.counts import format_count
from tenure.importers.front_matter import parse_toml, read_front_matter, recover_front_matter
from tenure.importers.paths import is_inside_folder, list_all_files, normalize_old_url, resolve_source_file
from tenure.importers.yaml_writer import YamlData, format_yaml
from tenure.markdown.html import make_unique
from tenure.problems import Problem, Problems
from tenure.record import Record
from tenure.sources.files import MarkdownFile, parse_yaml, read_source_text
from tenure.sources.node import Node

ImportOutcome = Literal["imported", "converted", "skipped", "moved"]
EntryData = dict[str, YamlData]


class ImportNote(Record):
    """The outcome of one imported item: its location in the source ("_news/a.md:3") and a description."""

    outcome: ImportOutcome
    location: str
    description: str


class ImportResult(Record):
    """
    The result of an import: the new files by path, as text or bytes, and the notes.

    `owner` is the name of the site's owner ("" if unknown); `profile` is the rest of content/profile.yaml as YAML;
    `files_read` counts the source files read or copied; `read_errors` are the problems of unreadable data files.
    """

    system: str
    owner: str
    profile: str
    files: Mapping[str, str | bytes]
    notes: tuple[ImportNote, ...]
    files_read: int = 0
    read_errors: tuple[Problem, ...] = ()

    def filter_notes(self, outcome: ImportOutcome) -> tuple[ImportNote, ...]:
        """Return the notes with one outcome, in source order."""
        return tuple(note for note in self.notes if note.outcome == outcome)


class ImportSession:
    """Collects the files and notes of one import while the source is read."""

    def __init__(self, root: Path) -> None:
        self.root = root if root.is_dir() else root.parent
        self.notes: dict[ImportNote, None] = {}
        self.read_errors: list[Problem] = []
        self.files: dict[str, str | bytes] = {}
        self.profile: EntryData = {}
        self.profile_links: dict[str, YamlData] = {}
        self.settings: EntryData = {}
        self.new_urls: dict[str, str] = {}
        self.redirects: dict[str, str] = {}
        self.bib_sections: dict[str, str] = {}
        self._collections: dict[str, list[EntryData]] = {}
        self._collection_titles: dict[str, str] = {}
        self._copied_files: dict[str, str] = {}
        self._read_files: set[str] = set()
        self._source_paths = {path.relative_to(self.root).as_posix(): path for path in list_all_files(root)}

    def record_imported(self, location: object, description: str) -> None:
        """Record an item that was imported."""
        self._add_note("imported", location, description)

    def record_converted(self, location: object, description: str) -> None:
        """Record an item that was imported in another form."""
        self._add_note("converted", location, description)

    def record_skipped(self, location: object, description: str) -> None:
        """Record an item that was not imported."""
        self._add_note("skipped", location, description)

    def _add_note(self, outcome: ImportOutcome, location: object, description: str) -> None:
        """Add a note with its description in one line."""
        self.notes[ImportNote(outcome, str(location), " ".join(description.split()))] = None

    def record_moved(self, location: object, old_url: str, new_url: str) -> None:
        """Record the old and the new URL of a page."""
        self.new_urls.setdefault(normalize_old_url(old_url), new_url)
        if old_url.strip("/") != new_url.strip("/"):
            self.notes[ImportNote("moved", str(location), f"{old_url} is now {new_url}")] = None
            self.redirects.setdefault(f"/{old_url.lstrip('/')}", new_url)

    def relative_path(self, path: Path) -> str:
        """Return a file's path relative to the imported folder, as used in notes."""
        return path.relative_to(self.root).as_posix()

    def find_files(self, folder: str, *suffixes: str) -> list[Path]:
        """Return the source files below a folder, sorted by path; only those with one of the suffixes, if any are given."""
        folder_prefix = f"{folder.strip('/')}/" if folder.strip("/") else ""
        return [
            path
            for name, path in self._source_paths.items()
            if name.startswith(folder_prefix) and (not suffixes or path.suffix.casefold() in suffixes)
        ]

    def ignore_folder(self, folder: str) -> None:
        """Count the files of a folder as read, so that they are not reported."""
        self._read_files.update(self.relative_path(path) for path in self.find_files(folder))

    def find_first_file(self, *names: str) -> Path | None:
        """Return the first of these files that exists in the source."""
        return next((self._source_paths[name] for name in names if name in self._source_paths), None)

    def read_source_text(self, path: Path) -> str | None:
        """Return a file's text, decoded as Windows-1252 if not UTF-8; None, and reported, if unreadable or outside the source."""
        name = self.relative_path(path)
        self._read_files.add(name)
        if not is_inside_folder(path, self.root):
            self.record_skipped(name, "a link to a place outside the source, which is not followed")
            return None
        problems = Problems()
        text = read_source_text(path, name, problems)
        reported = problems.sorted_problems()
        if text is None and any(problem.code == "encoding" for problem in reported):
            self.record_converted(name, "a text that is not UTF-8 is read as Windows-1252")
            return re.sub(r"\r\n?", "\n", path.read_bytes().decode("cp1252", "replace"))
        self._report_problems(problems)
        return text

    def read_data_file(self, path: Path) -> Node | None:
        """Parse a YAML, JSON or TOML file; None, and reported, if it cannot be parsed."""
        text = self.read_source_text(path)
        if text is None:
            return None
        problems = Problems()
        name = self.relative_path(path)
        if path.suffix == ".toml":
            node = parse_toml(text, name, problems)
        else:
            node = parse_yaml(_normalize_yaml(text, path.suffix == ".json"), name, problems)
        self.read_errors += [problem for problem in problems.sorted_problems() if node is None]
        self._report_problems(problems)
        return node

    def read_document(self, path: Path) -> MarkdownFile | None:
        """Read a document with its front matter; None, and reported, if even line-by-line recovery fails."""
        text = self.read_source_text(path)
        if text is None:
            return None
        problems = Problems()
        name = self.relative_path(path)
        text = re.sub(
            r"\A\s*---\n.*?^---", lambda m: _normalize_yaml(m[0], False), text, flags=re.DOTALL | re.MULTILINE
        )
        document = read_front_matter(text, name, problems)
        if document is None:
            document = recover_front_matter(text, name)
            if document is not None:
                self.record_converted(f"{name}:1", "its front matter is broken, and was read line by line")
        self._report_problems(problems)
        return document

    def _report_problems(self, problems: Problems) -> None:
        for problem in problems.sorted_problems():
            self.record_skipped(
                f"{problem.place.file}:{problem.place.line}", f"{problem.message} ({problem.hint})"
            )

    def add_entry(
        self, collection: str, entry: Mapping[str, YamlData], location: object, title: str = ""
    ) -> None:
        """Add an entry to a collection; `title` is the heading of a custom collection."""
        self._collections.setdefault(collection, []).append(dict(entry))
        if title:
            self._collection_titles.setdefault(collection, title)
        first_text = next((v for v in entry.values() if isinstance(v, str)), "")
        self.record_imported(location, f"{collection}: {_shorten_text(first_text)}")

    def add_list_file(self, name: str, entries: Sequence[EntryData]) -> None:
        """Write a list to content/ that is not a collection."""
        self.files[f"content/{name}.yaml"] = format_yaml(entries)

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

    def has_file_with_prefix(self, prefix: str) -> bool:
        """Whether a new file's path begins with the prefix."""
        return any(name.startswith(prefix) for name in self.files)

    def is_own_url(self, url: str) -> bool:
        """Whether a URL belongs to the old site."""
        own_url = str(self.settings.get("url", ""))
        return bool(own_url) and f"{url.rstrip('/')}/".startswith(own_url)

    def strip_own_host(self, url: str) -> str:
        """Return a URL of the old site as a path from its root; other URLs unchanged."""
        own_url = str(self.settings.get("url", ""))
        return f"/{url.removeprefix(own_url.rstrip('/')).lstrip('/')}" if self.is_own_url(url) else url

    def has_collection(self, collection: str) -> bool:
        """Whether a collection has an entry."""
        return collection in self._collections

    def add_text_file(self, path: str, text: str) -> str:
        """Add a text file and return its path; a number is appended if the path is in use."""
        stem, dot, suffix = path.rpartition(".")
        used_stems = {name.rpartition(".")[0] for name in self.files}
        unique_path = make_unique(stem, used_stems) + dot + suffix
        self.files[unique_path] = text
        return unique_path

    def copy_file(self, name: str) -> str:
        """Copy a source file to content/files/. Returns its path in content/, or "" if the source has no such file."""
        resolved_path = resolve_source_file(self.root, name)
        if not resolved_path:
            return ""
        path = Path(resolved_path)
        if resolved_path not in self._copied_files:
            stem, dot, suffix = re.sub(r"[^\w.-]+", "-", path.name).rpartition(".")
            used_stems = {value.rpartition(".")[0] for value in self._copied_files.values()}
            self._copied_files[resolved_path] = make_unique(f"files/{stem}", used_stems) + dot + suffix
            self.files[f"content/{self._copied_files[resolved_path]}"] = path.read_bytes()
            self.record_imported(name.lstrip("/"), f"file: {self._copied_files[resolved_path]}")
        return self._copied_files[resolved_path]

    def list_unread_files(self) -> list[str]:
        """Return the relative paths of the source files that were neither read nor copied; hidden files are never listed."""
        return [
            name
            for name in self._source_paths
            if name not in self._read_files and resolve_source_file(self.root, name) not in self._copied_files
        ]

    def report_unread_files(self, ignored_files: re.Pattern[str], asset_files: re.Pattern[str]) -> None:
        """Report every unread file: `asset_files` as one note per folder, `ignored_files` not at all, others one by one."""
        folder_counts: Counter[str] = Counter()
        for name in self.list_unread_files():
            if ignored_files.match(name):
                continue
            if asset_files.search(name):
                folder_counts[name.rpartition("/")[0] or "."] += 1
            else:
                self.record_skipped(name, "a file that is not read")
        for folder, count in folder_counts.items():
            self.record_skipped(folder, f"{format_count(count, 'file')} that no imported content uses")

    def build_result(self, system: str, default_owner: str = "") -> ImportResult:
        """Return the result of the import; `default_owner` is used if the profile has no name."""
        owner = self.profile.get("name", "") or default_owner
        profile_data = {key: value for key, value in self.profile.items() if value and key != "name"}
        if self.profile_links:
            profile_data["links"] = self.profile_links
        files = dict(self.files)
        for name, entries in self._collections.items():
            title = self._collection_titles.get(name, "")
            data: Mapping[str, YamlData] | Sequence[YamlData] = (
                {"title": title, "entries": entries} if title else entries
            )
            files[f"content/{name}.yaml"] = format_yaml(data)
        if self.settings:
            files["site.yaml"] = format_yaml(self.settings)
        files_read = len(self._read_files) + len(self._copied_files)
        return ImportResult(
            system,
            str(owner),
            format_yaml(profile_data),
            files,
            tuple(self.notes),
            files_read,
            tuple(self.read_errors),
        )


def _shorten_text(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 70 else f"{line[:69]}…"


def _normalize_yaml(text: str, is_json: bool) -> str:
    """Normalize a text for YAML 1.1: join surrogate pairs, replace indenting tabs, remove comments in place of a value."""
    if is_json:
        text = re.sub(r"\\u(d[89ab]\w\w)\\u(d[c-f]\w\w)", _join_surrogates, text, flags=re.IGNORECASE)
        text = re.sub(r"\\u(?=d[89a-f]\w\w)", r"\\\\u", text, flags=re.IGNORECASE)
    else:
        text = re.sub(r"^([ \t-]*[\w-]+[ \t]*:)[ \t]+#.*$", r"\1", text, flags=re.MULTILINE)
    return re.sub(r"^[ \t]*\t[ \t]*", lambda m: m[0].replace("\t", "  "), text, flags=re.MULTILINE)


def _join_surrogates(match: re.Match[str]) -> str:
    return bytes.fromhex(match[1] + match[2]).decode("utf-16-be")


class MappingReader:
    """Reads a mapping of the source key by key, and reports the keys that were never read."""

    def __init__(self, node: Node, session: ImportSession) -> None:
        self.node = node
        self._session = session
        self._unread = dict(node.mapping)

    @property
    def location(self) -> str:
        """The file and line of the mapping."""
        return f"{self.node.place.file}:{self.node.place.line}"

    def read_node(self, *keys: str) -> Node | None:
        """Return the first non-empty value of these keys; all of them count as read."""
        nodes = [self._unread.pop(key, None) for key in keys]
        filled_nodes = [node for node in nodes if node is not None and node.value not in (None, "", (), {})]
        for node in filled_nodes[1:]:
            if node_to_text(node) != node_to_text(filled_nodes[0]):
                self._session.record_skipped(
                    _format_location(node), f"a second value: {_shorten_text(node_to_text(node))}"
                )
        return filled_nodes[0] if filled_nodes else None

    def read_text(self, *keys: str) -> str:
        """Return the text of the first non-empty value of these keys, or ""."""
        node = self.read_node(*keys)
        return node_to_text(node) if node is not None else ""

    def read_items(self, *keys: str) -> list[Node]:
        """Return the items of a list; a single value counts as a list of one item."""
        node = self.read_node(*keys)
        return [] if node is None else list(node.items) if isinstance(node.value, tuple) else [node]

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

    def skip_all(self, label: str) -> None:
        """Report the whole mapping as skipped, with a label."""
        text = node_to_text(self.node)
        if text:
            self._session.record_skipped(self.location, f"{label}: {_shorten_text(text)}")
        self._unread = {}

    def report_unread_keys(self) -> None:
        """Report every value that was not read."""
        for key, node in self._unread.items():
            if node.value not in (None, "", (), {}):
                self._session.record_skipped(
                    _format_location(node), f"{key}: {_shorten_text(node_to_text(node))}"
                )
        self._unread = {}


def _format_location(node: Node) -> str:
    return f"{node.place.file}:{node.place.line}"


def node_to_text(node: Node) -> str:
    """Return a value as text: lists joined by commas, mappings as "key: value" pairs."""
    if isinstance(node.value, tuple):
        return ", ".join(text for item in node.items if (text := node_to_text(item)))
    if isinstance(node.value, Mapping):
        return ", ".join(f"{key}: {node_to_text(item)}" for key, item in node.mapping.items())
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]", "", node.text).strip()
