"""Collects the publications of a site: the entries of bib/, resolved, completed from content/ and sorted into lists."""

import dataclasses
import re
from collections.abc import Collection as Names
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path

from tenure.frozen import dataclass
from tenure.memo import Memo
from tenure.model.additions import Overlay
from tenure.model.files import Files
from tenure.model.names import Name, spellings
from tenure.model.scholar import Profile, Publication
from tenure.model.site import Collection, Settings
from tenure.output import Artifact
from tenure.problems import Edit, Place, Problems, did_you_mean
from tenure.project import Count
from tenure.recall import Recall
from tenure.sources.additions import Additions, added, read_additions
from tenure.sources.attached import Beside, Span, attach
from tenure.sources.bibtex import KEY, KIND, SOURCE, Bibliography, read_bibtex, strings_in
from tenure.sources.decoding import decoded
from tenure.sources.files import find, read_text
from tenure.sources.inheritance import DATA_ONLY, containers, inherit
from tenure.sources.preprints import join_preprints
from tenure.sources.review import Reviewed
from tenure.sources.tree import Node
from tenure.sources.unchanged import Sound, again, sound
from tenure.text import slug, unique

MAIN = "publications"
"""Name of the list with every .bib file that no section uses for a separate list."""

TO_THE_END = 1_000_000
QUIET = "to hide this warning: checks: {ignore: [bib-container]}"


@dataclass(frozen=True, slots=True)
class Shelf:
    """
    The contents of bib/: lists of publications by name, the parsed entries to lint, and the counts of each .bib file.

    `page_files` are copied next to the pages of publications. `optional_files` are the other files in bib/, published
    only if something links to them.
    """

    collections: Mapping[str, Collection]
    reviewed: tuple[Reviewed, ...]
    counts: Mapping[str, Count]
    copies: tuple[Artifact, ...]
    spare: tuple[Artifact, ...]
    additions: Additions


def read_shelf(  # noqa: PLR0913 - every input of a list of publications
    root: Path,
    settings: Settings,
    profile: Profile,
    static: Sequence[Artifact],
    *,
    problems: Problems,
    memo: Memo,
    drafts: bool = False,
) -> Shelf:
    """
    Read bib/ and the additions to publications in content/.

    `static_files` are the files in content/ that are only copied. Drafts are omitted unless `include_drafts` is true.
    """
    paths = {path.relative_to(root).as_posix(): path for path in find(root / "bib", "bib", problems)}
    spare = tuple(Artifact(name, path, name) for name, path in paths.items() if path.suffix != ".bib")
    named = [name for name, path in paths.items() if path.suffix == ".bib"]
    volumes = _volumes({name: paths[name] for name in named}, problems, memo.recall)
    lists = _lists(settings, named, problems)
    apart = {file for files in lists.values() for file in files}
    nodes = [node for volume in volumes.values() for node in volume.written]
    additions = read_additions(root, problems)
    reader = _Reader(
        owner=spellings(profile.name, profile.aliases),
        additions=additions,
        beside=Beside.of([*static, *spare]),
        within=containers(nodes),
        problems=problems,
        memo=memo,
        drafts=drafts,
    )
    shelves = {
        name: reader.shelf([volumes[file] for file in files if file in volumes], name)
        for name, files in {MAIN: [file for file in named if file not in apart], **lists}.items()
    }
    overlays = [(more.key, Place.at(more.source)) for more in additions.overlays.values()]
    tell_unknown_keys(overlays, {node.entries[KEY].words for node in nodes}, problems)
    titles = {wish.name: wish.title or "" for wish in reversed(settings.from_bib)} | {MAIN: ""}
    collections = {
        name: Collection(
            name=name, kind="publications", entries=_ordered(found, problems), title=titles[name]
        )
        for name, found in shelves.items()
        if found
    }
    copies = tuple(reader.copies)
    return Shelf(collections, shelves[MAIN], reader.counts, copies, spare, additions)


def tell_unknown_keys(named: Iterable[tuple[str, Place]], known: Names[str], problems: Problems) -> None:
    """
    Report each unknown publication key in `references` (pairs of a key and the place of the entry that uses it).

    A key that a .bib file contains in an entry that could not be parsed is not reported.
    """
    for key, at in named:
        if key in known or any(problems.places(rf"[{{(]\s*{re.escape(key)}\s*[,\n]")):
            continue
        near = did_you_mean(key, known)
        hint = f'did you mean "{near}"?' if near else "add its entry to a .bib file in bib/"
        places = [*problems.places(rf"(?<![\w-]){re.escape(key)}(?![\w-])", at.file)]
        place = next((place for place in places if place.line >= at.line), Place(at.file))
        is_certain = place.length and near.casefold() == key.casefold()
        edits = (Edit(place, near),) if is_certain else ()
        problems.tell("unknown-publication", place, f'no .bib file has the key "{key}"', hint, edits)


@dataclass(frozen=True, slots=True)
class _Volume:
    """A parsed .bib file: its entries as in the file, and the same entries with inherited fields."""

    file: str
    found: int
    written: tuple[Node, ...]
    heirs: tuple[Node, ...] = ()


def _volumes(paths: Mapping[str, Path], problems: Problems, recall: Recall) -> dict[str, _Volume]:
    """Every readable .bib file by name. String macros and inheritance work across files."""
    texts = {
        name: text for name, path in paths.items() if (text := read_text(path, name, problems)) is not None
    }
    macros = {name: strings_in(text) for name, text in texts.items()}
    read: dict[str, Bibliography] = {}
    for name, text in texts.items():
        others = {
            word: value
            for other, own in reversed(macros.items())
            if other != name
            for word, value in own.items()
        }
        read[name] = _read(text, name, others, problems, recall)
    heirs = iter(inherit([node for found in read.values() for node in found.entries], problems))
    return {
        name: _Volume(name, found.found, found.entries, tuple(next(heirs) for _ in found.entries))
        for name, found in read.items()
    }


def _read(
    text: str, name: str, strings: Mapping[str, str], problems: Problems, recall: Recall
) -> Bibliography:
    """One .bib file. If an earlier version was parsed without problems, only its changed blocks are parsed."""
    known = recall.get("bib", name, strings)
    found = again(text, name, known, strings) if isinstance(known, Sound) else None
    if found is None:
        before = problems.count()
        made = read_bibtex(text, name, problems, strings)
        found = sound(text, made) if recall.keeping and problems.count() == before else None
        if found is None:
            return made
    recall.put("bib", name, found, strings)
    return found.entries


def _lists(settings: Settings, files: Sequence[str], problems: Problems) -> dict[str, tuple[str, ...]]:
    """The .bib files of each separate list that a section asks for. Missing files are reported."""
    known = Files(files)
    lists: dict[str, tuple[str, ...]] = {}
    for wish in settings.from_bib:
        at = Place.at(wish.source, len(wish.name))
        named = tuple(file for name in wish.bib for file in _named(name, known, files, at, problems))
        if wish.name != MAIN and named and lists.setdefault(wish.name, named) != named:
            message = f'"{wish.name}" is read from {_and(lists[wish.name])}; it cannot also be read from {_and(named)}'
            problems.tell("duplicate-collection", at, message, "give one of the two sections another name")
    return lists


def _named(name: str, known: Files, files: Sequence[str], at: Place, problems: Problems) -> tuple[str, ...]:
    """The one .bib file that matches a name in a section; () and a report if none or several match."""
    found = known.find(name)
    if len(found) == 1:
        return found
    words = rf"(?<![\w./-]){re.escape(name)}(?![\w./-])"
    place = next((place for place in problems.places(words, at.file) if place.line >= at.line), at)
    if found:
        hint = f"write more of the path: {', '.join(found[:3])}"
        problems.tell("ambiguous-file", place, f"“{name}” matches {len(found)} files", hint)
        return ()
    near = did_you_mean(name, [file.removeprefix("bib/") for file in files])
    hint = f'did you mean "{near}"?' if near else "add the file to bib/"
    problems.tell("missing-file", place, f"there is no file “{name}” in bib/", hint)
    return ()


def _and(files: Sequence[str]) -> str:
    return " and ".join(files)


def _ordered(found: Sequence[Reviewed], problems: Problems) -> tuple[Publication, ...]:
    """Publications with their preprints joined, newest year first; within a year in the order of the files."""
    joined = [
        (pair.key, pair.field("preprint_of").strip()) for pair in found if pair.field("preprint_of").strip()
    ]
    papers = join_preprints([pair.publication for pair in found], joined, problems)
    return tuple(sorted(papers, key=_age))


def _age(paper: Publication) -> int:
    """Sort key: forthcoming publications, then the newest year first, then publications without a year."""
    if paper.date is None or paper.date.year is None:
        return -9999 if paper.status else 1
    return -paper.date.year


@dataclasses.dataclass
class _Reader:
    """Reads lists of publications; collects the counts of the files and the files to copy."""

    owner: tuple[Name, ...]
    additions: Additions
    beside: Beside
    within: frozenset[str]
    problems: Problems
    memo: Memo
    drafts: bool
    counts: dict[str, Count] = field(default_factory=dict)
    copies: list[Artifact] = field(default_factory=list)

    def shelf(self, volumes: Sequence[_Volume], name: str) -> tuple[Reviewed, ...]:
        """The shown entries of some .bib files, in the order of the files. Updates `counts` and `page_files`."""
        works = [heir for volume in volumes for heir in volume.heirs if not _is_data(heir)]
        papers = iter(decoded(works, self.owner, self.problems, self.memo))
        around = (self.owner, self.additions, self.beside.copies, self.within, self.drafts)
        around = self.memo.recall.same("around", around)
        shown: list[Reviewed] = []
        taken: set[str] = set()
        keys: dict[str, Place] = {}
        for volume in volumes:
            before = len(shown)
            for node, heir in zip(volume.written, volume.heirs, strict=True):
                key = node.entries[KEY].words
                first = keys.setdefault(key, node.place) is node.place
                self._tell_repeated(key, node.place, keys[key])
                if _is_data(heir):
                    self._tell_data(node)
                    continue
                wanted = unique(slug(key) or "entry", taken)
                made = self._made(node, heir, next(papers), wanted, around, first=first, page=name == MAIN)
                if made is not None:
                    shown.append(made)
                    taken.add(wanted)
            number = len(shown) - before
            self.counts[volume.file] = Count(volume.found, number, volume.found - number)
        return tuple(shown)

    def _made(  # noqa: PLR0913 - every input of the cached result
        self,
        node: Node,
        heir: Node,
        paper: Publication,
        wanted: str,
        around: object,
        *,
        first: bool,
        page: bool,
    ) -> Reviewed | None:
        """
        An entry of the list as a publication with its id; None if the entry is omitted.

        The result is cached. It is computed again if any argument changes; `shared_inputs` are the inputs that all
        entries have in common.
        """

        def make() -> tuple[Reviewed | None, tuple[Artifact, ...]]:
            one = replace(paper, id=wanted, source=str(heir.place), page=page)
            more = self.additions.overlays.get(one.key) if first else None
            if more is not None and more.draft and not self.drafts:
                return None, ()
            if one.draft and not self.drafts:
                return None, ()
            if self._told_within(one, node.place):
                return None, ()
            one, copies = self._completed(one, node, more)
            return Reviewed(node, one), copies

        beside = (around, wanted, first, page)
        made, copies = self.memo.recall.once("made", heir, beside, self.problems, make)
        self.copies += copies
        return made

    def _completed(
        self, paper: Publication, node: Node, more: Overlay | None
    ) -> tuple[Publication, tuple[Artifact, ...]]:
        """A publication with its overlay, the URLs of its authors and its files; and the copies of these files."""
        spans: list[Span] = [(node.place, node.entries[SOURCE].words.count("\n") + 1)]
        if more is not None:
            paper = added(paper, more)
            spans.append((Place.at(more.source), TO_THE_END))
        if self.additions.people:
            people = self.additions.of_people
            paper = replace(paper, authors=people(paper.authors), editors=people(paper.editors))
        return attach(paper, self.beside, spans, self.problems)

    def _tell_repeated(self, key: str, place: Place, first: Place) -> None:
        """Report a key that an earlier .bib file has too. Repetitions within one file are reported by its parser."""
        if key and first.file != place.file:
            message = f'the key "{key}" is used twice, first in {first.file}:{first.line}'
            self.problems.tell("bib-duplicate-key", place, message, "give one of the two another key")

    def _tell_data(self, node: Node) -> None:
        """Report an entry that only holds data for other entries, so that no entry is dropped silently."""
        kind, key = node.entries[KIND].words, node.entries[KEY].words
        what = "a set; its entries are shown instead" if kind == "set" else "data for other entries"
        self.problems.tell("bib-container", node.place, f"“{key}” is {what}", QUIET)

    def _told_within(self, paper: Publication, place: Place) -> bool:
        """Return whether an entry is only a container of other entries, and not by the site's owner; if so, report it."""
        people = (*paper.authors.people, *paper.editors.people)
        if not paper.key or paper.key not in self.within or any(person.me for person in people):
            return False
        message = f"“{paper.key}” is shown inside the entries that refer to it"
        self.problems.tell("bib-container", place, message, QUIET)
        return True


def _is_data(node: Node) -> bool:
    return node.entries[KIND].words in DATA_ONLY
