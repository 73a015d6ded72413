"""What an import brings together: files to write, and a note of everything that came, changed or was left."""

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
    """What became of something: its place in the source ("_news/a.md:3"), and in words what it was."""

    fate: Fate
    place: str
    words: str


@dataclass(frozen=True, slots=True)
class Imported:
    """
    The sources made of another system's files: path to text or bytes, and what is told of them.

    `owner` is whose site it is, "" where the source does not say; `profile` is the rest of content/profile.yaml;
    `read` counts the files of the source that were read or copied, `unreadable` is why files of data could not be.
    """

    system: str
    owner: str
    profile: str
    files: Mapping[str, str | bytes]
    notes: tuple[Note, ...]
    read: int = 0
    unreadable: tuple[Problem, ...] = ()

    def noted(self, fate: Fate) -> tuple[Note, ...]:
        """The notes of one fate, in the order of the source."""
        return tuple(note for note in self.notes if note.fate == fate)


class Gathering:
    """The files and notes of one import while its source is being read."""

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
        """Note what came over as it was."""
        self._note("came", place, words)

    def changed(self, place: object, words: str) -> None:
        """Note what came over in another form."""
        self._note("changed", place, words)

    def left(self, place: object, words: str) -> None:
        """Note what did not come over."""
        self._note("left", place, words)

    def _note(self, fate: Fate, place: object, words: str) -> None:
        """Note what became of something, in one line."""
        self.notes[Note(fate, str(place), " ".join(words.split()))] = None

    def moved(self, place: object, old: str, new: str) -> None:
        """Note the address that a page had and the one it has."""
        self.addresses.setdefault(bare_address(old), new)
        if old.strip("/") != new.strip("/"):
            self.notes[Note("moved", str(place), f"{old} is now {new}")] = None
            self.redirects.setdefault(f"/{old.lstrip('/')}", new)

    def name_of(self, path: Path) -> str:
        """A file as notes name it: its path from the folder that is imported."""
        return path.relative_to(self.root).as_posix()

    def below(self, folder: str, *suffixes: str) -> list[Path]:
        """The files of a folder of the source and those beneath it, in a fixed order; of some suffixes, where any are given."""
        within = f"{folder.strip('/')}/" if folder.strip("/") else ""
        return [
            path
            for name, path in self._paths.items()
            if name.startswith(within) and (not suffixes or path.suffix.casefold() in suffixes)
        ]

    def pass_over(self, folder: str) -> None:
        """Take the files of a folder as told of."""
        self._read.update(self.name_of(path) for path in self.below(folder))

    def path(self, *names: str) -> Path | None:
        """The first of these files that is in the source."""
        return next((self._paths[name] for name in names if name in self._paths), None)

    def text(self, path: Path) -> str | None:
        """A file's text; noted and None where it cannot be read or lies elsewhere, read as Windows-1252 where it is not UTF-8."""
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
        """The YAML, JSON or TOML of a file; noted and None where it is none."""
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
        """A text with its front matter; noted and None where that is broken beyond reading line by line."""
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
        """An entry of a collection; `title` heads one that has no kind of its own."""
        self._lists.setdefault(collection, []).append(dict(entry))
        if title:
            self._titles.setdefault(collection, title)
        shown = next((v for v in entry.values() if isinstance(v, str)), "")
        self.came(place, f"{collection}: {_short(shown)}")

    def put_list(self, name: str, entries: Sequence[Entry]) -> None:
        """A list of content/ that is no collection."""
        self.files[f"content/{name}.yaml"] = yaml_text(entries)

    @property
    def has_works(self) -> bool:
        """Whether a publication came over."""
        return any(
            name.startswith("bib/")
            and name.removeprefix("bib/") not in self.from_bib.values()
            and isinstance(text, str)
            and re.search(r"@\s*\w+\s*[{(]", text)
            for name, text in self.files.items()
        )

    def has_file(self, prefix: str) -> bool:
        """Whether a file came whose path begins so."""
        return any(name.startswith(prefix) for name in self.files)

    def is_own(self, address: str) -> bool:
        """Whether an address is one of the old site itself."""
        own = str(self.settings.get("url", ""))
        return bool(own) and f"{address.rstrip('/')}/".startswith(own)

    def without_host(self, address: str) -> str:
        """An address of the old site from its root."""
        own = str(self.settings.get("url", ""))
        return f"/{address.removeprefix(own.rstrip('/')).lstrip('/')}" if self.is_own(address) else address

    def has(self, collection: str) -> bool:
        """Whether a collection has an entry already."""
        return collection in self._lists

    def write(self, path: str, text: str) -> str:
        """A text among the sources; a path that is taken gets a number. Returns the path."""
        stem, dot, suffix = path.rpartition(".")
        taken = {name.rpartition(".")[0] for name in self.files}
        made = unique(stem, taken) + dot + suffix
        self.files[made] = text
        return made

    def copy(self, name: str) -> str:
        """Copy a file of the source to content/files/; its name there, or "" where it is not in the source."""
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
        """Every file of the source that was neither read nor copied, by its name; none whose path has a leading dot."""
        return [
            name
            for name in self._paths
            if name not in self._read and real_file(self.root, name) not in self._copied
        ]

    def name_the_rest(self, machinery: re.Pattern[str], assets: re.Pattern[str]) -> None:
        """Note every file that no rule read: `assets` by their folder, others one by one, what begins as `machinery` not at all."""
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
        """The import as one value; `fallback` is the name of a profile that says none."""
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
    """Text as YAML 1.1 reads it: pairs of surrogates joined, no tabs before words, no value that is a comment."""
    if is_json:
        text = re.sub(r"\\u(d[89ab]\w\w)\\u(d[c-f]\w\w)", _joined, text, flags=re.IGNORECASE)
        text = re.sub(r"\\u(?=d[89a-f]\w\w)", r"\\\\u", text, flags=re.IGNORECASE)
    else:
        text = re.sub(r"^([ \t-]*[\w-]+[ \t]*:)[ \t]+#.*$", r"\1", text, flags=re.MULTILINE)
    return re.sub(r"^[ \t]*\t[ \t]*", lambda m: m[0].replace("\t", "  "), text, flags=re.MULTILINE)


def _joined(found: re.Match[str]) -> str:
    return bytes.fromhex(found[1] + found[2]).decode("utf-16-be")


class Taken:
    """A mapping of a source from which values are taken; what nobody took is noted."""

    def __init__(self, node: Node, gathering: Gathering) -> None:
        self.node = node
        self._gathering = gathering
        self._left = dict(node.entries)

    @property
    def place(self) -> str:
        """Its file and line."""
        return f"{self.node.place.file}:{self.node.place.line}"

    def node_of(self, *keys: str) -> Node | None:
        """The value of the first of these keys that is filled in; all of them count as taken."""
        found = [self._left.pop(key, None) for key in keys]
        filled = [node for node in found if node is not None and node.value not in (None, "", (), {})]
        for node in filled[1:]:
            if words_of(node) != words_of(filled[0]):
                self._gathering.left(_at(node), f"a second value: {_short(words_of(node))}")
        return filled[0] if filled else None

    def words(self, *keys: str) -> str:
        """The words of the first of these keys that is filled in, "" where none is."""
        node = self.node_of(*keys)
        return words_of(node) if node is not None else ""

    def list(self, *keys: str) -> list[Node]:
        """The items of a list; a single value is a list of one."""
        node = self.node_of(*keys)
        return [] if node is None else list(node.items) if isinstance(node.value, tuple) else [node]

    def lists(self) -> Entry:
        """What is left that is a list of words, under the names of the source."""
        found = [
            key for key, node in self._left.items() if node.items and all(item.words for item in node.items)
        ]
        return {key: [words_of(item) for item in self._left.pop(key).items] for key in found}

    def rest(self) -> dict[str, Node]:
        """What nobody took so far."""
        return dict(self._left)

    def drop(self, *keys: str) -> None:
        """Keys that say nothing that a site could show."""
        for key in keys:
            self._left.pop(key, None)

    def leave(self, name: str) -> None:
        """Note all of it as left, by a name."""
        words = words_of(self.node)
        if words:
            self._gathering.left(self.place, f"{name}: {_short(words)}")
        self._left = {}

    def finish(self) -> None:
        """Note every value that was not taken."""
        for key, node in self._left.items():
            if node.value not in (None, "", (), {}):
                self._gathering.left(_at(node), f"{key}: {_short(words_of(node))}")
        self._left = {}


def _at(node: Node) -> str:
    return f"{node.place.file}:{node.place.line}"


def words_of(node: Node) -> str:
    """The words of a value: those of a list with commas, those of a mapping with its keys."""
    if isinstance(node.value, tuple):
        return ", ".join(words for item in node.items if (words := words_of(item)))
    if isinstance(node.value, Mapping):
        return ", ".join(f"{key}: {words_of(item)}" for key, item in node.entries.items())
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]", "", node.words).strip()
