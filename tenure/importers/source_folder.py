"""The folder of a source: finds, reads and parses its files, and notes what was imported and what was not."""

import os
import re
from collections import Counter
from pathlib import Path
from typing import Literal

from tenure.counts import format_count
from tenure.importers.front_matter import parse_toml, read_front_matter, recover_front_matter
from tenure.problems import Problem, Problems
from tenure.record import Record
from tenure.sources.files import MarkdownFile, parse_yaml, read_source_text
from tenure.sources.node import Node

ImportOutcome = Literal["imported", "reclassified", "converted", "skipped", "moved"]

IGNORED_PATHS = re.compile(r"(?:^|/)(?:\.|__pycache__|node_modules/|_site/|vendor/bundle/|venv/)")
"""Paths that are not imported: hidden files, generated files and installed packages."""


class ImportNote(Record):
    """The outcome of one imported item: its location in the source ("_news/a.md:3") and a description."""

    outcome: ImportOutcome
    location: str
    description: str


class SourceFolder:
    """Reads the files of one source, and collects the notes of its import."""

    def __init__(self, root: Path) -> None:
        self.root = root if root.is_dir() else root.parent
        self.notes: dict[ImportNote, None] = {}
        self.read_errors: list[Problem] = []
        self.read_files: set[str] = set()
        self.copied_files: dict[Path, str] = {}
        self._source_paths = {path.relative_to(self.root).as_posix(): path for path in list_all_files(root)}

    def record_imported(self, location: str | Node, description: str) -> None:
        """Record an item that was imported."""
        self._add_note("imported", location, description)

    def record_reclassified(self, location: str | Node, description: str) -> None:
        """Record what was imported as something else than it was in the source."""
        self._add_note("reclassified", location, description)

    def record_converted(self, location: str | Node, description: str) -> None:
        """Record an item that was imported in another form."""
        self._add_note("converted", location, description)

    def record_skipped(self, location: str | Node, description: str) -> None:
        """Record an item that was not imported."""
        self._add_note("skipped", location, description)

    def record_sample(self, location: str | Node, description: str = "") -> None:
        """Record sample content of the template, which is not imported."""
        details = f": {description}" if description else ""
        self._add_note("skipped", location, f"sample content of the template{details}")

    def _add_note(self, outcome: ImportOutcome, location: str | Node, description: str) -> None:
        """Add a note with its description in one line."""
        location = location_of(location) if isinstance(location, Node) else location
        self.notes[ImportNote(outcome, location, " ".join(description.split()))] = None

    def relative_path(self, path: Path) -> str:
        """Return a file's path relative to the imported folder, as used in notes."""
        return path.relative_to(self.root).as_posix()

    def find_files(self, folder: str, *suffixes: str) -> list[Path]:
        """Return the source files below a folder, sorted by path; only those with one of the suffixes, if any are given."""
        prefix = f"{folder.strip('/')}/" if folder.strip("/") else ""
        return [
            path
            for name, path in self._source_paths.items()
            if name.startswith(prefix) and (not suffixes or path.suffix.casefold() in suffixes)
        ]

    def find_siblings(self, path: Path, *suffixes: str) -> list[Path]:
        """Return the source files in the same folder as a file, sorted by path."""
        files = self.find_files(self.relative_path(path.parent), *suffixes)
        return [file for file in files if file.parent == path.parent]

    def find_first_file(self, *names: str) -> Path | None:
        """Return the first of these files that exists in the source."""
        return next((self._source_paths[name] for name in names if name in self._source_paths), None)

    def ignore_folder(self, folder: str) -> None:
        """Count the files of a folder as read, so that they are not reported."""
        self.read_files.update(self.relative_path(path) for path in self.find_files(folder))

    def read_source_text(self, path: Path) -> str | None:
        """Return a file's text, decoded as Windows-1252 if not UTF-8; None, and reported, if unreadable or outside the source."""
        name = self.relative_path(path)
        self.read_files.add(name)
        if not is_inside_folder(path, self.root):
            self.record_skipped(name, "a link to a place outside the source, which is not followed")
            return None
        problems = Problems()
        text = read_source_text(path, name, problems)
        if text is None and any(problem.code == "encoding" for problem in problems.sorted_problems()):
            self.record_converted(name, "a text that is not UTF-8 is read as Windows-1252")
            return re.sub(r"\r\n?", "\n", path.read_bytes().decode("cp1252", "replace"))
        self._report_problems(problems)
        return text

    def read_data_file(self, path: Path | None) -> Node | None:
        """Parse a YAML, JSON or TOML file; None if there is no file, and None, reported, if it cannot be parsed."""
        text = self.read_source_text(path) if path is not None else None
        if path is None or text is None:
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

    def read_document(self, path: Path | None) -> MarkdownFile | None:
        """Read a document with its front matter; None, and reported, if even line-by-line recovery fails."""
        text = self.read_source_text(path) if path is not None else None
        return (
            self.parse_document(text, self.relative_path(path))
            if path is not None and text is not None
            else None
        )

    def parse_document(self, text: str, name: str) -> MarkdownFile | None:
        """Parse the text of a document with its front matter; None, and reported, if even line-by-line recovery fails."""
        problems = Problems()
        pattern = re.compile(r"\A\s*---\n.*?^---", re.DOTALL | re.MULTILINE)
        text = pattern.sub(lambda match: _normalize_yaml(match[0], False), text)
        document = read_front_matter(text, name, problems)
        if document is None:
            document = recover_front_matter(text, name)
            if document is not None:
                self.record_converted(f"{name}:1", "its front matter is broken, and was read line by line")
        self._report_problems(problems)
        return document

    def _report_problems(self, problems: Problems) -> None:
        for problem in problems.sorted_problems():
            location = f"{problem.place.file}:{problem.place.line}"
            self.record_skipped(location, f"{problem.message} ({problem.hint})")

    def report_unread_files(self, ignored_files: re.Pattern[str], asset_files: re.Pattern[str]) -> None:
        """Report every unread file: `asset_files` as one note per folder, `ignored_files` not at all, others one by one."""
        folder_counts: Counter[str] = Counter()
        for name in self._source_paths:
            is_used = name in self.read_files or self.resolve_file(name) in self.copied_files
            if is_used or ignored_files.match(name):
                continue
            if asset_files.search(name):
                folder_counts[name.rpartition("/")[0] or "."] += 1
            else:
                self.record_skipped(name, "a file that is not read")
        for folder, count in folder_counts.items():
            self.record_skipped(folder, f"{format_count(count, 'file')} that no imported content uses")

    def resolve_file(self, name: str) -> Path | None:
        """Return the resolved path of a source file; None if it does not exist or is outside the source."""
        try:
            path = (self.root / name.lstrip("/")).resolve()
            return path if path.is_file() and path.is_relative_to(self.root.resolve()) else None
        except (OSError, RuntimeError, ValueError):  # name too long, circular links, NUL character
            return None


def location_of(node: Node) -> str:
    """Return the file and line of a value, as used in notes; data of a service has no line."""
    return f"{node.place.file}:{node.place.line}" if node.place.line else node.place.file


def _normalize_yaml(text: str, is_json: bool) -> str:
    """Normalize a text for YAML 1.1: join surrogate pairs, replace indenting tabs, remove comments in place of a value."""
    if is_json:
        text = re.sub(
            r"\\u(d[89ab][\da-f]{2})\\u(d[c-f][\da-f]{2})",
            _join_surrogates,
            text,
            flags=re.IGNORECASE | re.ASCII,
        )
        text = re.sub(r"\\u(?=d[89a-f]\w\w)", r"\\\\u", text, flags=re.IGNORECASE)
    else:
        text = re.sub(r"^([ \t-]*[\w-]+[ \t]*:)[ \t]+#.*$", r"\1", text, flags=re.MULTILINE)
    return re.sub(r"^[ \t]*\t[ \t]*", lambda m: m[0].replace("\t", "  "), text, flags=re.MULTILINE)


def _join_surrogates(match: re.Match[str]) -> str:
    return bytes.fromhex(match[1] + match[2]).decode("utf-16-be")


def list_source_files(folder: Path, *suffixes: str) -> list[Path]:
    """Return the files below a folder sorted by path, or the file itself; without ignored paths and links out of the folder."""
    return [
        path
        for path in list_all_files(folder)
        if (not suffixes or path.suffix.casefold() in suffixes) and is_inside_folder(path, folder)
    ]


def list_all_files(source: Path) -> list[Path]:
    """Return the files below a folder sorted by path, or the file itself; links out of the folder are included."""
    if source.is_file():
        return [source]
    paths = []
    for base, folders, names in os.walk(source):
        folders[:] = [
            name
            for name in folders
            if not IGNORED_PATHS.search(f"{name}/") and not Path(base, name).is_symlink()
        ]
        paths += [Path(base, name) for name in names if not name.startswith(".")]
    return sorted(path for path in paths if path.is_file() and not IGNORED_PATHS.search(path.name))


def is_inside_folder(path: Path, root: Path) -> bool:
    """Whether a file is in a folder after symbolic links are resolved."""
    try:
        return path.resolve().is_relative_to((root if root.is_dir() else root.parent).resolve())
    except (OSError, RuntimeError):  # a link to itself
        return False


def normalize_old_url(url: str) -> str:
    """Return an old URL in a form for comparison: no outer slashes, file suffix, `index`, query or fragment."""
    url_path = re.split(r"[?#]", url, maxsplit=1)[0].strip("/")
    return re.sub(r"(?:^|/)index$", "", re.sub(r"\.(?:html?|q?md|ipynb)$", "", url_path)).strip("/")
