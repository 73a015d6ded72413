"""State of one import: the files to write, and a note of everything imported, converted, moved or skipped."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from tenure.counts import number
from tenure.frozen import dataclass
from tenure.importers.front_matter import mended, read_front, read_toml
from tenure.importers.places import bare_address, every_file, is_within, real_file
from tenure.importers.yaml_text import Data, yaml_text
from tenure.problems import Problem, Problems
from tenure.sources.files import Prose, read_text, read_yaml
from tenure.sources.tree import Node
from tenure.text import unique

Fate = Literal["came", "changed", "left", "moved"]
Entry = dict[str, Data]


@dataclass(frozen=True, slots=True)
class Note:
    """The outcome of one imported item: its location in the source ("_news/a.md:3") and a description."""

    fate: Fate
    place: str
    words: str


@dataclass(frozen=True, slots=True)
class Imported:
    """
    The result of an import: the new files by path, as text or bytes, and the notes.

    `owner` is the name of the site's owner ("" if unknown); `profile` is the rest of content/profile.yaml as YAML;
    `files_read` counts the source files read or copied; `read_errors` are the problems of unreadable data files.
    """

    system: str
    owner: str
    profile: str
    files: Mapping[str, str | bytes]
    notes: tuple[Note, ...]
    read: int = 0
    unreadable: tuple[Problem, ...] = ()

    def noted(self, fate: Fate) -> tuple[Note, ...]:
        """Return the notes with one outcome, in source order."""
        return tuple(note for note in self.notes if note.fate == fate)


class Gathering:
    """Collects the files and notes of one import while the source is read."""

    def __init__(self, root: Path) -> None:
        self.root = root if root.is_dir() else root.parent
        self.notes: dict[Note, None] = {}
        self.unreadable: list[Problem] = []
        self.files: dict[str, str | bytes] = {}
        self.profile: Entry = {}
        self.links: dict[str, Data] = {}
        self.settings: Entry = {}
        self.addresses: dict[str, str] = {}
        self.redirects: dict[str, str] = {}
        self.from_bib: dict[str, str] = {}
        self._lists: dict[str, list[Entry]] = {}
        self._titles: dict[str, str] = {}
        self._copied: dict[str, str] = {}
        self._read: set[str] = set()
        self._paths = {path.relative_to(self.root).as_posix(): path for path in every_file(root)}

    def came(self, place: object, words: str) -> None:
        """Record an item that was imported."""
        self._note("came", place, words)

    def changed(self, place: object, words: str) -> None:
        """Record an item that was imported in another form."""
        self._note("changed", place, words)

    def left(self, place: object, words: str) -> None:
        """Record an item that was not imported."""
        self._note("left", place, words)

    def _note(self, fate: Fate, place: object, words: str) -> None:
        """Add a note with its description in one line."""
        self.notes[Note(fate, str(place), " ".join(words.split()))] = None

    def moved(self, place: object, old: str, new: str) -> None:
        """Record the old and the new URL of a page."""
        self.addresses.setdefault(bare_address(old), new)
        if old.strip("/") != new.strip("/"):
            self.notes[Note("moved", str(place), f"{old} is now {new}")] = None
            self.redirects.setdefault(f"/{old.lstrip('/')}", new)

    def name_of(self, path: Path) -> str:
        """Return a file's path relative to the imported folder, as used in notes."""
        return path.relative_to(self.root).as_posix()

    def below(self, folder: str, *suffixes: str) -> list[Path]:
        """Return the source files below a folder, sorted by path; only those with one of the suffixes, if any are given."""
        within = f"{folder.strip('/')}/" if folder.strip("/") else ""
        return [
            path
            for name, path in self._paths.items()
            if name.startswith(within) and (not suffixes or path.suffix.casefold() in suffixes)
        ]

    def pass_over(self, folder: str) -> None:
        """Count the files of a folder as read, so that they are not reported."""
        self._read.update(self.name_of(path) for path in self.below(folder))

    def path(self, *names: str) -> Path | None:
        """Return the first of these files that exists in the source."""
        return next((self._paths[name] for name in names if name in self._paths), None)

    def text(self, path: Path) -> str | None:
        """Return a file's text, decoded as Windows-1252 if not UTF-8; None, and reported, if unreadable or outside the source."""
        name = self.name_of(path)
        self._read.add(name)
        if not is_within(path, self.root):
            self.left(name, "a link to a place outside the source, which is not followed")
            return None
        problems = Problems()
        text = read_text(path, name, problems)
        told = problems.told()
        if text is None and any(problem.code == "encoding" for problem in told):
            self.changed(name, "a text that is not UTF-8 is read as Windows-1252")
            return re.sub(r"\r\n?", "\n", path.read_bytes().decode("cp1252", "replace"))
        self._tell(problems)
        return text

    def yaml(self, path: Path) -> Node | None:
        """Parse a YAML, JSON or TOML file; None, and reported, if it cannot be parsed."""
        text = self.text(path)
        if text is None:
            return None
        problems = Problems()
        name = self.name_of(path)
        if path.suffix == ".toml":
            node = read_toml(text, name, problems)
        else:
            node = read_yaml(_tamed(text, path.suffix == ".json"), name, problems)
        self.unreadable += [problem for problem in problems.told() if node is None]
        self._tell(problems)
        return node

    def prose(self, path: Path) -> Prose | None:
        """Read a document with its front matter; None, and reported, if even line-by-line recovery fails."""
        text = self.text(path)
        if text is None:
            return None
        problems = Problems()
        name = self.name_of(path)
        text = re.sub(
            r"\A\s*---\n.*?^---", lambda m: _tamed(m[0], False), text, flags=re.DOTALL | re.MULTILINE
        )
        prose = read_front(text, name, problems)
        if prose is None:
            prose = mended(text, name)
            if prose is not None:
                self.changed(f"{name}:1", "its front matter is broken, and was read line by line")
        self._tell(problems)
        return prose

    def _tell(self, problems: Problems) -> None:
        for problem in problems.told():
            self.left(f"{problem.place.file}:{problem.place.line}", f"{problem.message} ({problem.hint})")

    def add(self, collection: str, entry: Mapping[str, Data], place: object, title: str = "") -> None:
        """Add an entry to a collection; `title` is the heading of a custom collection."""
        self._lists.setdefault(collection, []).append(dict(entry))
        if title:
            self._titles.setdefault(collection, title)
        shown = next((v for v in entry.values() if isinstance(v, str)), "")
        self.came(place, f"{collection}: {_short(shown)}")

    def put_list(self, name: str, entries: Sequence[Entry]) -> None:
        """Write a list to content/ that is not a collection."""
        self.files[f"content/{name}.yaml"] = yaml_text(entries)

    @property
    def has_works(self) -> bool:
        """Whether a publication was imported."""
        return any(
            name.startswith("bib/")
            and name.removeprefix("bib/") not in self.from_bib.values()
            and isinstance(text, str)
            and re.search(r"@\s*\w+\s*[{(]", text)
            for name, text in self.files.items()
        )

    def has_file(self, prefix: str) -> bool:
        """Whether a new file's path begins with the prefix."""
        return any(name.startswith(prefix) for name in self.files)

    def is_own(self, address: str) -> bool:
        """Whether a URL belongs to the old site."""
        own = str(self.settings.get("url", ""))
        return bool(own) and f"{address.rstrip('/')}/".startswith(own)

    def without_host(self, address: str) -> str:
        """Return a URL of the old site as a path from its root; other URLs unchanged."""
        own = str(self.settings.get("url", ""))
        return f"/{address.removeprefix(own.rstrip('/')).lstrip('/')}" if self.is_own(address) else address

    def has(self, collection: str) -> bool:
        """Whether a collection has an entry."""
        return collection in self._lists

    def write(self, path: str, text: str) -> str:
        """Add a text file and return its path; a number is appended if the path is in use."""
        stem, dot, suffix = path.rpartition(".")
        taken = {name.rpartition(".")[0] for name in self.files}
        made = unique(stem, taken) + dot + suffix
        self.files[made] = text
        return made

    def copy(self, name: str) -> str:
        """Copy a source file to content/files/. Returns its path in content/, or "" if the source has no such file."""
        key = real_file(self.root, name)
        if not key:
            return ""
        path = Path(key)
        if key not in self._copied:
            stem, dot, suffix = re.sub(r"[^\w.-]+", "-", path.name).rpartition(".")
            taken = {value.rpartition(".")[0] for value in self._copied.values()}
            self._copied[key] = unique(f"files/{stem}", taken) + dot + suffix
            self.files[f"content/{self._copied[key]}"] = path.read_bytes()
            self.came(name.lstrip("/"), f"file: {self._copied[key]}")
        return self._copied[key]

    def unread(self) -> list[str]:
        """Return the relative paths of the source files that were neither read nor copied; hidden files are never listed."""
        return [
            name
            for name in self._paths
            if name not in self._read and real_file(self.root, name) not in self._copied
        ]

    def name_the_rest(self, machinery: re.Pattern[str], assets: re.Pattern[str]) -> None:
        """Report every unread file: `asset_files` as one note per folder, `ignored_files` not at all, others one by one."""
        folders: Counter[str] = Counter()
        for name in self.unread():
            if machinery.match(name):
                continue
            if assets.search(name):
                folders[name.rpartition("/")[0] or "."] += 1
            else:
                self.left(name, "a file that is not read")
        for folder, count in folders.items():
            self.left(folder, f"{number(count, 'file')} that no imported content uses")

    def done(self, system: str, fallback: str = "") -> Imported:
        """Return the result of the import; `default_owner` is used if the profile has no name."""
        owner = self.profile.get("name", "") or fallback
        rest = {key: value for key, value in self.profile.items() if value and key != "name"}
        if self.links:
            rest["links"] = self.links
        files = dict(self.files)
        for name, entries in self._lists.items():
            title = self._titles.get(name, "")
            data: Mapping[str, Data] | Sequence[Data] = (
                {"title": title, "entries": entries} if title else entries
            )
            files[f"content/{name}.yaml"] = yaml_text(data)
        if self.settings:
            files["site.yaml"] = yaml_text(self.settings)
        read = len(self._read) + len(self._copied)
        return Imported(
            system, str(owner), yaml_text(rest), files, tuple(self.notes), read, tuple(self.unreadable)
        )


def _short(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= 70 else f"{line[:69]}…"


def _tamed(text: str, is_json: bool) -> str:
    """Normalize a text for YAML 1.1: join surrogate pairs, replace indenting tabs, remove comments in place of a value."""
    if is_json:
        text = re.sub(r"\\u(d[89ab]\w\w)\\u(d[c-f]\w\w)", _joined, text, flags=re.IGNORECASE)
        text = re.sub(r"\\u(?=d[89a-f]\w\w)", r"\\\\u", text, flags=re.IGNORECASE)
    else:
        text = re.sub(r"^([ \t-]*[\w-]+[ \t]*:)[ \t]+#.*$", r"\1", text, flags=re.MULTILINE)
    return re.sub(r"^[ \t]*\t[ \t]*", lambda m: m[0].replace("\t", "  "), text, flags=re.MULTILINE)


def _joined(found: re.Match[str]) -> str:
    return bytes.fromhex(found[1] + found[2]).decode("utf-16-be")


class Taken:
    """Reads a mapping of the source key by key, and reports the keys that were never read."""

    def __init__(self, node: Node, gathering: Gathering) -> None:
        self.node = node
        self._gathering = gathering
        self._left = dict(node.entries)

    @property
    def place(self) -> str:
        """The file and line of the mapping."""
        return f"{self.node.place.file}:{self.node.place.line}"

    def node_of(self, *keys: str) -> Node | None:
        """Return the first non-empty value of these keys; all of them count as read."""
        found = [self._left.pop(key, None) for key in keys]
        filled = [node for node in found if node is not None and node.value not in (None, "", (), {})]
        for node in filled[1:]:
            if words_of(node) != words_of(filled[0]):
                self._gathering.left(_at(node), f"a second value: {_short(words_of(node))}")
        return filled[0] if filled else None

    def words(self, *keys: str) -> str:
        """Return the text of the first non-empty value of these keys, or ""."""
        node = self.node_of(*keys)
        return words_of(node) if node is not None else ""

    def list(self, *keys: str) -> list[Node]:
        """Return the items of a list; a single value counts as a list of one item."""
        node = self.node_of(*keys)
        return [] if node is None else list(node.items) if isinstance(node.value, tuple) else [node]

    def lists(self) -> Entry:
        """Return all unread lists of strings by their source keys."""
        found = [
            key for key, node in self._left.items() if node.items and all(item.words for item in node.items)
        ]
        return {key: [words_of(item) for item in self._left.pop(key).items] for key in found}

    def rest(self) -> dict[str, Node]:
        """Return the nodes that were not read yet."""
        return dict(self._left)

    def drop(self, *keys: str) -> None:
        """Mark keys as read because they contain nothing that a site shows."""
        for key in keys:
            self._left.pop(key, None)

    def leave(self, name: str) -> None:
        """Report the whole mapping as skipped, with a label."""
        words = words_of(self.node)
        if words:
            self._gathering.left(self.place, f"{name}: {_short(words)}")
        self._left = {}

    def finish(self) -> None:
        """Report every value that was not read."""
        for key, node in self._left.items():
            if node.value not in (None, "", (), {}):
                self._gathering.left(_at(node), f"{key}: {_short(words_of(node))}")
        self._left = {}


def _at(node: Node) -> str:
    return f"{node.place.file}:{node.place.line}"


def words_of(node: Node) -> str:
    """Return a value as text: lists joined by commas, mappings as "key: value" pairs."""
    if isinstance(node.value, tuple):
        return ", ".join(words for item in node.items if (words := words_of(item)))
    if isinstance(node.value, Mapping):
        return ", ".join(f"{key}: {words_of(item)}" for key, item in node.entries.items())
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]", "", node.words).strip()
