"""
Collects the publications of a site: the entries of bib/, completed from content/ and sorted into lists.

The objects: a _BibFile has the Nodes of its entries; a ParsedPublication is the Node of an entry with its
publication; a list is all publications of some .bib files, and becomes a Collection.

Files that a publication links to are searched in bib/ and content/, and copied next to its page:
slides = {talk.pdf} -> the link /publications/pan2025/talk.pdf, and a copy of files/talk.pdf there
"""

import re
from collections import Counter
from collections.abc import Collection as Names
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path, PurePosixPath
from urllib.parse import quote, unquote

from tenure.cache.store import CacheStore
from tenure.markdown.html import make_slug, make_unique
from tenure.model.entries import Profile, Publication
from tenure.model.files import PAPER_FOLDER, FileIndex, name_paper_file
from tenure.model.links import Link, Url, is_bare_host_url, is_local_file_url
from tenure.model.names import Name, list_owner_spellings
from tenure.model.overlays import Overlay
from tenure.model.publications import (
    LineRange,
    find_url_place,
    list_publication_urls,
    resolve_publication_urls,
)
from tenure.model.site import Collection, Settings
from tenure.problems import Edit, Place, Problems, find_similar_word, suggest_word
from tenure.publish import Artifact
from tenure.record import Record, replace
from tenure.site_folder import BibCounts
from tenure.sources.bibtex.bib_fields import find_use
from tenure.sources.bibtex.reader import (
    CITATION_KEY,
    DATA_ONLY_TYPES,
    SOURCE_KEY,
    TYPE_KEY,
    find_container_keys,
    inherit_fields,
    read_bib_files,
)
from tenure.sources.publications.additions import Additions, apply_overlay
from tenure.sources.publications.latex_review import report_unknown_commands, resolve_citations
from tenure.sources.publications.lint import (
    ParsedPublication,
    list_identity_keys,
    list_possible_owner_spellings,
)
from tenure.sources.publications.preprints import DeclaredVersion, find_preprint_pairs, join_preprints
from tenure.sources.publications.publication import build_publication
from tenure.sources.reading.files import SourceFiles, find_files, read_source_text
from tenure.sources.reading.media import MediaCompleter
from tenure.sources.reading.node import Node
from tenure.sources.schema.link_forms import format_link_label

MAIN_LIST = "publications"
"""Name of the list with every .bib file that no section uses for a separate list."""

UNLIMITED_LINES = 1_000_000


class Bibliography(Record):
    """
    The contents of bib/: lists of publications by name,
    the parsed entries to lint, and the counts of each .bib file.

    `page_files` are copied next to the pages of publications. `optional_files` are the other files in bib/,
    published only if something links to them.
    """

    collections: Mapping[str, Collection]
    parsed_publications: tuple[ParsedPublication, ...]
    bib_counts: Mapping[str, BibCounts]
    page_files: tuple[Artifact, ...]
    optional_files: tuple[Artifact, ...]
    additions: Additions


def read_bibliography(
    root: Path,
    settings: Settings,
    profile: Profile,
    static_files: Sequence[Artifact],
    additions: Additions,
    *,
    problems: Problems,
    store: CacheStore,
    include_drafts: bool = False,
) -> Bibliography:
    """
    Read bib/ and the additions to publications in content/.

    `static_files` are the files in content/ that are only copied.
    """
    bib_paths, other_paths = _find_bib_paths(root, problems)
    optional_files = tuple(Artifact(name, path, Place(name)) for name, path in other_paths.items())
    bib_files = _read_bib_files(bib_paths, problems)
    files_by_list = _assign_files_to_lists(settings, [*bib_paths], problems)
    nodes = [node for bib_file in bib_files.values() for node in bib_file.source_entries]

    reader = _PublicationReader(
        owner=list_owner_spellings(profile.name, profile.aliases),
        additions=additions,
        source_files=SourceFiles.from_artifacts([*static_files, *optional_files]),
        container_keys=find_container_keys(nodes),
        problems=problems,
        store=store,
        paper_files=_find_paper_files(nodes, static_files, problems),
        include_drafts=include_drafts,
    )
    # MAIN_LIST has all files that no section reads for itself
    publications_by_list: dict[str, tuple[ParsedPublication, ...]] = {}
    for name, files in files_by_list.items():
        list_files = [bib_files[file] for file in files if file in bib_files]
        publications_by_list[name] = reader.read_list(list_files, name)
    publications_by_list[MAIN_LIST] = _join_copies(
        publications_by_list[MAIN_LIST], problems, is_group=additions.author_index.is_group
    )

    known_keys = {node.mapping[CITATION_KEY].text for node in nodes}
    overlay_keys = [(overlay.key, overlay.place_of("key")) for overlay in additions.overlays.values()]
    report_unknown_publications(overlay_keys, known_keys, problems)
    collections = _build_collections(publications_by_list, settings, additions, problems)
    shown = _count_shown_entries(publications_by_list, collections, additions)
    return Bibliography(
        collections,
        publications_by_list[MAIN_LIST],
        {name: BibCounts(bib_file.entry_count, shown[name]) for name, bib_file in bib_files.items()},
        tuple(reader.page_files),
        optional_files,
        additions,
    )


def _find_paper_files(
    nodes: Sequence[Node], static_files: Sequence[Artifact], problems: Problems
) -> Mapping[str, str]:
    """
    The PDFs in content/papers/ by the key that is their name: pan2025 -> papers/pan2025.pdf

    A name that two keys give is nobody's, and is reported.
    """
    keys_by_path: dict[str, dict[str, None]] = {}
    for node in nodes:
        key = node.mapping[CITATION_KEY].text
        keys_by_path.setdefault(f"{PAPER_FOLDER}/{name_paper_file(key)}.pdf", {})[key] = None

    paper_files: dict[str, str] = {}
    for file in static_files:
        keys = [*keys_by_path.get(file.path, ())]
        if len(keys) == 1:
            paper_files[keys[0]] = file.path
        elif keys:
            message = f"this name belongs to {' and '.join(keys)}, so the PDF is nobody's"
            hint = "write pdf = {" + file.path + "} into the entry to which it belongs"
            problems.report("unknown-file", file.source, message, hint)
    return paper_files


def _build_collections(
    publications_by_list: Mapping[str, Sequence[ParsedPublication]],
    settings: Settings,
    additions: Additions,
    problems: Problems,
) -> dict[str, Collection]:
    """The lists that have entries, ordered; a separate list has the title of its first section."""
    titles = {section.name: section.title or "" for section in reversed(settings.bib_sections)}
    return {
        name: Collection(
            name=name,
            kind="publications",
            entries=_order_publications(entries, additions, problems),
            title="" if name == MAIN_LIST else titles[name],
        )
        for name, entries in publications_by_list.items()
        if entries
    }


def _count_shown_entries(
    publications_by_list: Mapping[str, Sequence[ParsedPublication]],
    collections: Mapping[str, Collection],
    additions: Additions,
) -> Counter[str]:
    """The number of entries of each .bib file that are shown, on their own or as the preprint of another."""
    shown_places = {entry.source for listed in collections.values() for entry in listed.entries}
    return Counter(
        entry.node.place.file
        for entry in chain.from_iterable(publications_by_list.values())
        if entry.node.place in shown_places
        or _find_declared_version(entry, additions.overlays.get(entry.key))
    )


def read_every_entry(root: Path, profile: Profile) -> tuple[ParsedPublication, ...]:
    """
    Every entry of every .bib file as it is written: also drafts, and those of separate lists.

    Nothing is reported.
    """
    problems = Problems()
    bib_files = _read_bib_files(_find_bib_paths(root, problems)[0], problems)
    nodes = [node for file in bib_files.values() for node in file.resolved_entries]
    return decode_bib_entries(nodes, profile)


def count_possible_owner_spellings(texts: Mapping[str, str], profile: Profile) -> Mapping[str, int]:
    """
    The names in .bib files that may be another spelling of the owner's, with the numbers of their entries.
    """
    nodes = [node for file in _parse_bib_files(texts, Problems()).values() for node in file.resolved_entries]
    spellings = list_possible_owner_spellings(decode_bib_entries(nodes, profile), profile)
    return {spelling: len(entries) for spelling, entries in spellings.items()}


def _find_bib_paths(root: Path, problems: Problems) -> tuple[dict[str, Path], dict[str, Path]]:
    """
    The .bib files in bib/ and the other files there, by name.

    One whose ending Windows hides, papers.bib.txt, is reported.
    """
    bib_paths = dict[str, Path]()
    other_paths = dict[str, Path]()
    for path in find_files(root / "bib", "bib", problems):
        paths = bib_paths if path.suffix == ".bib" else other_paths
        name = path.relative_to(root).as_posix()
        paths[name] = path
        if name.endswith(".bib.txt"):
            problems.report("unknown-file", Place(name), "this file is not read", f"rename it to {path.stem}")
    return bib_paths, other_paths


def decode_bib_entries(nodes: Sequence[Node], profile: Profile) -> tuple[ParsedPublication, ...]:
    """Each entry with its publication; nothing is reported."""
    owner = list_owner_spellings(profile.name, profile.aliases)
    publications = decode_entries(nodes, owner, Problems(), CacheStore())
    return tuple(map(ParsedPublication, nodes, publications))


def report_unknown_publications(
    references: Iterable[tuple[str, Place]], known_keys: Names[str], problems: Problems
) -> None:
    """
    Report each unknown publication key in `references` (pairs of a key and its place).

    A key that a .bib file contains in an entry that could not be parsed is not reported.
    """
    for key, place in references:
        if key in known_keys or problems.find_entry(key):
            continue
        near = find_similar_word(key, known_keys)
        hint = "add its entry to a .bib file in bib/"
        if not known_keys:
            hint = "publications are not written in YAML: add its entry to a .bib file in bib/"
        if near:
            hint = f'did you mean "{near}"?'

        is_certain = place.length == len(key) and near.casefold() == key.casefold()
        edits = (Edit(place, near),) if is_certain else ()
        problems.report("unknown-publication", place, f'no .bib file has the key "{key}"', hint, edits)


class _BibFile(Record):
    """A parsed .bib file: its entries as in the file, and the same entries with inherited fields."""

    entry_count: int
    source_entries: tuple[Node, ...]
    resolved_entries: tuple[Node, ...] = ()


def _read_bib_files(paths: Mapping[str, Path], problems: Problems) -> dict[str, _BibFile]:
    """Every readable .bib file by name."""
    texts = {name: read_source_text(path, name, problems) for name, path in paths.items()}
    return _parse_bib_files({name: text for name, text in texts.items() if text is not None}, problems)


def _parse_bib_files(texts: Mapping[str, str], problems: Problems) -> dict[str, _BibFile]:
    """The texts of .bib files by name. String macros and inheritance work across files."""
    parsed_files = read_bib_files(texts, problems)
    nodes = [node for parsed in parsed_files.values() for node in parsed.entries]
    report_unknown_commands(nodes, problems)
    resolved = iter(inherit_fields(resolve_citations(nodes, problems), problems))

    files: dict[str, _BibFile] = {}
    for name, parsed in parsed_files.items():
        resolved_entries = tuple(islice(resolved, len(parsed.entries)))
        files[name] = _BibFile(parsed.entry_count, parsed.entries, resolved_entries)
    return files


def _assign_files_to_lists(
    settings: Settings, bib_names: Sequence[str], problems: Problems
) -> dict[str, tuple[str, ...]]:
    """
    The .bib files of each list: those that a section asks for, and all others. Missing files are reported.
    """
    file_index = FileIndex(bib_names)
    files_by_list: dict[str, tuple[str, ...]] = {}
    for section in settings.bib_sections:
        found = (
            _find_bib_file(name, section.item_place_of("bib", name), file_index, bib_names, problems)
            for name in section.bib
        )
        files = tuple(filter(None, found))
        if not files or section.name == MAIN_LIST:
            continue
        first_files = files_by_list.setdefault(section.name, files)
        if first_files != files:
            first = " and ".join(first_files)
            message = (
                f'"{section.name}" is read from {first}; it cannot also be read from {" and ".join(files)}'
            )
            hint = "give one of the two sections another name"
            problems.report("duplicate-collection", section.place_of("name"), message, hint)

    separate_files = {file for files in files_by_list.values() for file in files}
    return {MAIN_LIST: tuple(file for file in bib_names if file not in separate_files), **files_by_list}


def _find_bib_file(
    name: str, place: Place, file_index: FileIndex, bib_names: Sequence[str], problems: Problems
) -> str:
    """The one .bib file that matches a name in a section; "" and a report if none or several match."""
    matches = file_index.find_paths(name)
    if len(matches) == 1:
        return matches[0]
    if matches:
        report_several_files(name, matches, place, problems)
        return ""
    hint = suggest_word(name, [file.removeprefix("bib/") for file in bib_names], "add the file to bib/")
    problems.report("missing-file", place, f"there is no file “{name}” in bib/", hint)
    return ""


def _join_copies(
    entries: Sequence[ParsedPublication], problems: Problems, *, is_group: bool
) -> tuple[ParsedPublication, ...]:
    """
    The publications, each once, although several files have it; the first entry is kept.

    Two entries are one if they are equal. In the files of a group's members,
    they are also one work if they have one DOI, or one title, type and year, and one first author or key.
    """
    if len({entry.node.place.file for entry in entries}) < 2:
        return tuple(entries)

    # the entries by their place among all, and the place of the entry with a key of a work
    kept_entries: dict[int, ParsedPublication] = {}
    positions: dict[str, int] = {}
    for position, entry in enumerate(entries):
        keys = _list_work_keys(entry.publication) if is_group else [repr(_list_fields(entry.node))]
        first = next((positions[key] for key in keys if key in positions), position)
        kept = kept_entries.get(first)
        # the parser of a file reports what is in it twice
        if kept is None or kept.node.place.file == entry.node.place.file:
            kept_entries[position] = entry
            positions.update(dict.fromkeys(keys, position))
            continue

        kept_entries[first] = _add_copy(kept, entry)
        place = kept.node.place
        message = f"“{entry.key}” is also in {place.file}:{place.line}, and is shown once"
        problems.report("bib-joined", entry.node.place, message, "delete one of the two if they differ")
    return tuple(kept_entries.values())


def _add_copy(kept: ParsedPublication, copy: ParsedPublication) -> ParsedPublication:
    """A publication that can also be found by the key of its copy, and is selected if one of them is."""
    paper = kept.publication
    copy_key = () if copy.key == kept.key else (copy.key,)
    joined = replace(
        paper,
        preprints=(*paper.preprints, *copy_key),
        selected=paper.selected or copy.publication.selected,
    )
    return replace(kept, publication=joined)


def _list_work_keys(paper: Publication) -> list[str]:
    """Texts that two entries of one work share in the files of a group's members."""
    year = paper.date.year if paper.date else ""
    facts = f"{paper.kind} {paper.server} {year}"
    keys = [key if key.startswith("doi ") else f"{key} {facts}" for key in list_identity_keys(paper)]
    return [*keys, f"key {paper.key} {paper.title} {facts}"]


def _list_fields(node: Node) -> list[tuple[str, str]]:
    """The fields of an entry with its type and key, by name; without those that only a program reads."""
    return sorted(
        (name, " ".join(child.text.split()))
        for name, child in node.mapping.items()
        if name != SOURCE_KEY and find_use(name, child.text) != "manager"
    )


def _order_publications(
    entries: Sequence[ParsedPublication], additions: Additions, problems: Problems
) -> tuple[Publication, ...]:
    """
    Publications with their preprints joined, newest year first; within a year in the order of the files.

    Those without a year have one heading and are together:
    first if one of them has a state, such as "in press", otherwise last.
    """
    declared_pairs: dict[str, DeclaredVersion] = {}
    for entry in entries:
        version = _find_declared_version(entry, additions.overlays.get(entry.key))
        if version is not None:
            declared_pairs[entry.key] = version
    related_keys = [entry.key for entry in entries if entry.field_text("related")]

    publications = [entry.publication for entry in entries]
    recognized_pairs = find_preprint_pairs(publications, [*declared_pairs, *related_keys])
    joined = join_preprints(publications, declared_pairs, problems, recognized_pairs)

    has_state = any(paper.status for paper in joined if not _read_year(paper))
    # before, or after, each real year
    undated_year = 9999 if has_state else -1
    return tuple(sorted(joined, key=lambda paper: -(_read_year(paper) or undated_year)))


def _read_year(paper: Publication) -> int:
    """The year of a publication; 0 if it has none."""
    year = paper.date.year if paper.date else None
    return year or 0


def _find_declared_version(parsed: ParsedPublication, overlay: Overlay | None) -> DeclaredVersion | None:
    """The published version that an overlay or the field `preprint_of` declares; None if there is none."""
    if overlay is not None and overlay.preprint_of:
        return DeclaredVersion(overlay.preprint_of, overlay.place_of("preprint_of"))
    key = parsed.field_text("preprint_of").strip()
    return DeclaredVersion(key, parsed.preprint_of_place) if key else None


class _PublicationReader:
    """Reads lists of publications; collects the files to copy."""

    def __init__(
        self,
        owner: tuple[Name, ...],
        additions: Additions,
        source_files: SourceFiles,
        container_keys: frozenset[str],
        problems: Problems,
        store: CacheStore,
        paper_files: Mapping[str, str],
        *,
        include_drafts: bool,
    ) -> None:
        self.owner = owner
        self.additions = additions
        self.source_files = source_files
        self.container_keys = container_keys
        self.problems = problems
        self.store = store
        self.paper_files = paper_files
        self.include_drafts = include_drafts
        self.page_files: list[Artifact] = []

    def read_list(self, bib_files: Sequence[_BibFile], name: str) -> tuple[ParsedPublication, ...]:
        """
        The shown entries of some .bib files, in the order of the files. Updates `page_files`.

        Without drafts, and without entries that only give data to others, which are reported.
        """
        sources = [node for bib_file in bib_files for node in bib_file.source_entries]
        resolved = [node for bib_file in bib_files for node in bib_file.resolved_entries]
        # `resolved` has the fields that an entry inherits; one publication for each entry that can be shown
        shown_nodes = [node for node in resolved if not _is_data_only(node)]
        publications = iter(decode_entries(shown_nodes, self.owner, self.problems, self.store))

        parsed_publications: list[ParsedPublication] = []
        used_ids: set[str] = set()
        first_nodes: dict[str, Node] = {}
        for node in sources:
            key = node.mapping[CITATION_KEY].text
            is_first = first_nodes.setdefault(key, node) is node
            self._report_repeated_key(key, node, first_nodes[key])
            if _is_data_only(node):
                self._report_data_only(node)
                continue

            entry_id = make_unique(make_slug(key) or "entry", used_ids)
            publication = replace(next(publications), id=entry_id, source=node.place, page=name == MAIN_LIST)
            parsed = self._complete_publication(node, publication, is_first=is_first)
            if parsed is not None:
                parsed_publications.append(parsed)
                used_ids.add(entry_id)
        return tuple(parsed_publications)

    def _complete_publication(
        self, node: Node, publication: Publication, *, is_first: bool
    ) -> ParsedPublication | None:
        """A publication with its overlay and files; None for a draft, and for the book of shown chapters."""
        # an addition of content/publications.yaml is for the first entry with its key
        overlay = self.additions.overlays.get(publication.key) if is_first else None
        is_draft = publication.draft or (overlay is not None and overlay.draft)
        if is_draft and not self.include_drafts:
            return None
        publication = self.additions.link_publication(publication)
        if self._report_if_container(publication, node.place):
            return None
        completed, page_files = self._add_content(publication, node, overlay)
        self.page_files.extend(page_files)
        return ParsedPublication(node, completed)

    def _add_content(
        self, publication: Publication, node: Node, overlay: Overlay | None
    ) -> tuple[Publication, tuple[Artifact, ...]]:
        """A publication with its overlay and its files; and the copies of these files."""
        line_ranges: list[LineRange] = [(node.place, node.mapping[SOURCE_KEY].text.count("\n") + 1)]
        if overlay is not None:
            publication = apply_overlay(publication, overlay, self.problems)
            line_ranges.append((overlay.source, UNLIMITED_LINES))
        pdf = self.paper_files.get(publication.key, "")
        label = format_link_label("pdf")
        if pdf and label not in [link.label for link in publication.links]:
            links = (Link(label=label, url=Url(quote(pdf))), *publication.links)
            publication = replace(publication, links=links)
        publication = MediaCompleter(self.source_files, self.problems).complete_entry(
            publication, lambda url: find_url_place(url, line_ranges, self.problems)
        )
        return attach_files(publication, self.source_files, line_ranges, self.problems)

    def _report_repeated_key(self, key: str, node: Node, first_node: Node) -> None:
        """
        Report a key that an earlier .bib file has too.

        Repetitions within one file are reported by its parser, copies by `_join_copies`.
        """
        first_place = first_node.place
        if not key or first_place.file == node.place.file:
            return
        # one title: an entry without a title says nothing against it
        nodes = [entry for entry in (node, first_node) if "title" in entry.mapping]
        titles = {re.sub(r"\W", "", entry.child("title").text).casefold() for entry in nodes}
        is_same_work = len(titles) == 1
        is_of_members = self.additions.author_index.is_group and is_same_work

        if not is_of_members and _list_fields(node) != _list_fields(first_node):
            message = f'the key "{key}" is used twice, first in {first_place.file}:{first_place.line}'
            hint = "delete one of the two" if is_same_work else "give one of the two another key"
            self.problems.report("bib-duplicate-key", node.place, message, hint)

    def _report_data_only(self, node: Node) -> None:
        """Report an entry that only holds data for other entries, so that no entry is dropped silently."""
        kind = node.mapping[TYPE_KEY].text
        key = node.mapping[CITATION_KEY].text
        description = "a set; its entries are shown instead" if kind == "set" else "data for other entries"
        self.problems.report("bib-joined", node.place, f"“{key}” is {description}")

    def _report_if_container(self, publication: Publication, place: Place) -> bool:
        """
        Report an entry that only contains other entries and is not by the site's owner; whether it is one.
        """
        people = (*publication.authors.people, *publication.editors.people)
        is_container = publication.key and publication.key in self.container_keys
        if not is_container or any(person.me for person in people):
            return False
        message = f"“{publication.key}” is shown inside the entries that refer to it"
        self.problems.report("bib-joined", place, message)
        return True


def _is_data_only(node: Node) -> bool:
    return node.mapping[TYPE_KEY].text in DATA_ONLY_TYPES


def decode_entries(
    nodes: Sequence[Node], owner: Sequence[Name], problems: Problems, store: CacheStore
) -> list[Publication]:
    """
    The publication of each entry, in order, without an id; doubtful values are reported.

    An entry with problems is decoded in every build, so that each problem has its current place in the file.
    """
    owner_names = repr(owner)

    def decode_entry(node: Node) -> Publication:
        # The place is not an input, because it is set in every build.
        inputs = owner_names, _list_values(node)
        return store.call("entries", None, inputs, lambda: build_publication(node, owner, problems), problems)

    return [decode_entry(node) for node in nodes]


def _list_values(node: Node) -> object:
    """The texts, lists and pairs of a Node, without their places."""
    value = node.value
    if isinstance(value, tuple):
        return [_list_values(child) for child in value]
    if value is None or isinstance(value, str):
        return value
    return [
        (name, child.value if isinstance(child.value, str) else _list_values(child))
        for name, child in value.items()
    ]


def attach_files(
    publication: Publication, source_files: SourceFiles, line_ranges: Sequence[LineRange], problems: Problems
) -> tuple[Publication, tuple[Artifact, ...]]:
    """
    A publication whose links to files point next to its page, and the copies of these files.

    A link that matches no file or several files is removed, and reported at its place in `line_ranges`;
    a link in a text leaves its label. The files of a publication without a page are not moved.
    """
    if not any(map(_names_file, list_publication_urls(publication))):
        return publication, ()
    linker = _FileLinker(publication, source_files, line_ranges, problems)
    linked = resolve_publication_urls(publication, linker.resolve_url)
    return linked, tuple(linker.copies.values())


class _FileLinker:
    """Links a publication to its files; `copies` are those for its page, by the path of the original."""

    def __init__(
        self,
        publication: Publication,
        source_files: SourceFiles,
        line_ranges: Sequence[LineRange],
        problems: Problems,
    ) -> None:
        self._publication = publication
        self._source_files = source_files
        self._line_ranges = line_ranges
        self._problems = problems
        self.copies: dict[str, Artifact] = {}

    def resolve_url(self, url: Url) -> Url:
        """slides.pdf -> /publications/pan2025/slides.pdf; "" for no file or several; another URL as it is."""
        index = self._source_files.index
        # also "Slides #2.pdf", which is no anchor
        is_whole_name = bool(index.find_paths(url))
        if not is_whole_name and not _names_file(url):
            return url
        name = url if is_whole_name else re.split("[?#]", url, maxsplit=1)[0]
        if name[:1] == "/" and unquote(name[1:]) in self._source_files.artifacts:
            return url

        matches = index.find_paths(name) or index.find_paths(unquote(name))
        if len(matches) == 1:
            if self._publication.page:
                return self._copy_file(matches[0], url.removeprefix(name))
            return url
        place = find_url_place(name, self._line_ranges, self._problems) or self._publication.source
        # the check of links reports a missing /files/x.pdf in content/publications.yaml, as an error
        if name[:1] == "/" and not place.file.endswith(".bib"):
            return url
        self._report_file(name, matches, place)
        return Url("")

    def _copy_file(self, source_path: str, suffix: str) -> Url:
        """The URL of the copy next to the page of the publication, with a query or an anchor after it."""
        artifact = self._source_files.artifacts[source_path]
        path = f"publications/{self._publication.id}/{PurePosixPath(artifact.path).name}"
        if path != artifact.path:
            self.copies[artifact.path] = Artifact(path, artifact.body, artifact.source)
        return Url(f"/{quote(path)}{suffix}")

    def _report_file(self, name: str, matches: Sequence[str], place: Place) -> None:
        """Report a name that matches several files, or none."""
        if matches:
            code = "bib-bad-value" if place.file.endswith(".bib") else "ambiguous-file"
            report_several_files(name, matches, place, self._problems, code)
            return
        message = f"there is no file “{name}” for “{self._publication.key}”"
        hint = _suggest_file(name, self._source_files)
        self._problems.report("missing-file", place, message, hint)


def _names_file(url: str) -> bool:
    """Whether a URL names a file of the site: "x.pdf", "/files/x.pdf", not the page "/talks/"."""
    return is_local_file_url(url) or re.match(r"/(?!/)[^?#]*\.\w+(?:[?#]|$)", url) is not None


def report_several_files(
    name: str, matches: Sequence[str], place: Place, problems: Problems, code: str = "ambiguous-file"
) -> None:
    """Report a name that may mean several files."""
    hint = f"write more of the path: {', '.join(matches[:3])}"
    problems.report(code, place, f"“{name}” matches {len(matches)} files", hint)


def _suggest_file(name: str, source_files: SourceFiles) -> str:
    """A hint for a path that matches no file."""
    short_name = re.sub(r"^(?:\.\./|\./|content/)+", "", name)
    if short_name != name and len(source_files.index.find_paths(short_name)) == 1:
        return f'write "{short_name}"'
    if is_bare_host_url(name):
        return f"write https://{name}"
    nearest_name = find_similar_word(PurePosixPath(name).name, source_files.paths_by_name)
    if nearest_name:
        return f'did you mean "{source_files.paths_by_name[nearest_name]}"?'
    return "put the file into bib/ or content/files/"
