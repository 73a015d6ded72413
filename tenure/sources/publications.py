"""Everything about bib/: its entries with what they inherit and what content/ adds, as lists in order."""

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
"""The list of all files that no section names for a list of its own."""

TO_THE_END = 1_000_000
QUIET = "to hide this warning: checks: {ignore: [bib-container]}"


@dataclass(frozen=True, slots=True)
class Shelf:
    """
    What bib/ gives: lists of publications by name, those to review, and the counts of its .bib files.

    `copies` are files that stand beside the pages of publications; `spare` are those in bib/ that are on the site
    only where something links to them.
    """

    collections: Mapping[str, Collection]
    reviewed: tuple[Reviewed, ...]
    counts: Mapping[str, Count]
    copies: tuple[Artifact, ...]
    spare: tuple[Artifact, ...]
    additions: Additions


def read_shelf(  # noqa: PLR0913 - all that a list of publications is made from, each by its name
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
    Read bib/, and what content/ says of publications.

    `static` are the files beside the other sources; drafts are left out unless `drafts` asks for them.
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
    """Tell each key, named in an entry at a place, that is none of the known ones; one of a lost entry is not told."""
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
    """A .bib file as read: its entries as they are written, and each with what it inherits."""

    file: str
    found: int
    written: tuple[Node, ...]
    heirs: tuple[Node, ...] = ()


def _volumes(paths: Mapping[str, Path], problems: Problems, recall: Recall) -> dict[str, _Volume]:
    """Every .bib file that can be read, by name; macros and inheritance cross files."""
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
    """A .bib file; where it was read before without a problem, only what has changed in it is read."""
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
    """The .bib files of each list that a section has for itself; a file that is not there is told."""
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
    """The .bib file that a section means by a name; told where there is none, or several."""
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
    """What is to come first, then by year; within one, and where there is none, in the order of the files."""
    joined = [
        (pair.key, pair.field("preprint_of").strip()) for pair in found if pair.field("preprint_of").strip()
    ]
    papers = join_preprints([pair.publication for pair in found], joined, problems)
    return tuple(sorted(papers, key=_age))


def _age(paper: Publication) -> int:
    """A key that sorts the newest first, a forthcoming work before all, and one of unknown year after all."""
    if paper.date is None or paper.date.year is None:
        return -9999 if paper.status else 1
    return -paper.date.year


@dataclasses.dataclass
class _Reader:
    """Makes lists of publications, and keeps what they come to."""

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
        """The entries of some files that are shown, in the order of the files."""
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

    def _made(  # noqa: PLR0913 - all that an entry becomes a publication of the list with
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
        An entry as it stands in the list, under its id; None where it is left out.

        It is made anew where any of this has changed, or what is `around` it.
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
        """A publication with what content/ says of it and of its authors, and with its files."""
        spans: list[Span] = [(node.place, node.entries[SOURCE].words.count("\n") + 1)]
        if more is not None:
            paper = added(paper, more)
            spans.append((Place.at(more.source), TO_THE_END))
        if self.additions.people:
            people = self.additions.of_people
            paper = replace(paper, authors=people(paper.authors), editors=people(paper.editors))
        return attach(paper, self.beside, spans, self.problems)

    def _tell_repeated(self, key: str, place: Place, first: Place) -> None:
        """Tell a key that an earlier .bib file has; within one file its reader tells it."""
        if key and first.file != place.file:
            message = f'the key "{key}" is used twice, first in {first.file}:{first.line}'
            self.problems.tell("bib-duplicate-key", place, message, "give one of the two another key")

    def _tell_data(self, node: Node) -> None:
        """Tell an entry that is no work, but data for others, so that none is left out in silence."""
        kind, key = node.entries[KIND].words, node.entries[KEY].words
        what = "a set; its entries are shown instead" if kind == "set" else "data for other entries"
        self.problems.tell("bib-container", node.place, f"“{key}” is {what}", QUIET)

    def _told_within(self, paper: Publication, place: Place) -> bool:
        """Whether an entry is a book that others are part of, and not the owner's own; told."""
        people = (*paper.authors.people, *paper.editors.people)
        if not paper.key or paper.key not in self.within or any(person.me for person in people):
            return False
        message = f"“{paper.key}” is shown inside the entries that refer to it"
        self.problems.tell("bib-container", place, message, QUIET)
        return True


def _is_data(node: Node) -> bool:
    return node.entries[KIND].words in DATA_ONLY
