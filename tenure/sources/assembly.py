"""Loads a site from its sources: decodes the Nodes, joins entries by key, sorts them, checks across files."""

import dataclasses
import re
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

from tenure.memo import Memo
from tenure.model import scholar
from tenure.model.languages import Language
from tenure.model.links import is_host
from tenure.model.scholar import Entry, Markdown, Profile, Publication
from tenure.model.site import Collection, Heading, Kind, Settings, Site
from tenure.output import Artifact
from tenure.problems import CODES, Place, Problems, did_you_mean
from tenure.project import Project, Wishes
from tenure.recall import Recall
from tenure.sources.containers import entries_of
from tenure.sources.files import Prose, find, read_prose, read_text, read_yaml
from tenure.sources.misplaced import Divided, add_keys, divide_profile, divide_settings
from tenure.sources.publications import Shelf, read_shelf, tell_unknown_keys
from tenure.sources.review import review
from tenure.sources.schema import decode, main_key, main_words
from tenure.sources.shapes import reshape, resolve_entry
from tenure.sources.themes import look
from tenure.sources.tree import Node
from tenure.text import plain, slug, unique

KINDS: Mapping[str, tuple[Kind, type[Entry], str]] = {
    "education": ("education", scholar.Education, "education entry"),
    "experience": ("experience", scholar.Experience, "experience entry"),
    "projects": ("projects", scholar.Project, "project"),
    "talks": ("talks", scholar.Talk, "talk"),
    "awards": ("awards", scholar.Award, "award"),
    "service": ("service", scholar.Service, "service entry"),
    "teaching": ("teaching", scholar.Course, "course"),
    "news": ("news", scholar.News, "news line"),
    "posts": ("posts", scholar.Post, "post"),
    "pages": ("pages", scholar.Prose, "page"),
}
"""Collections with a special type, by name: kind, class of the entries, and the name of an entry in messages."""

APART = ("profile", "publications", "coauthors")
"""Files in content/ that are not lists of entries."""

NEWEST_FIRST = frozenset({"news", "posts"})
FILE_FOLDERS = frozenset({"files", "images", "img", "assets", "static"})
"""Folders in content/ whose files are only copied, whatever their type."""

Current = TypeVar("Current")
AnyEntry = TypeVar("AnyEntry", bound=Entry)

VERSION = 1
NOBODY = Profile(name="")
"""Replaces an unreadable profile, so that the mistakes in bib/ are reported in the same run."""


def load(root: Path, problems: Problems, memo: Memo, wishes: Wishes) -> Project | None:
    """
    Read the sources in a folder and report every mistake; None if no site can be built from them.

    `cache` has the results of earlier builds.
    """
    last = _LastVersions(memo.recall, is_used=wishes.keep_last)
    current, moved = _read_settings(root, problems)
    written = last.replace_missing("site.yaml", current)
    settings = written or Settings()
    if wishes.theme not in ("", settings.theme.name):
        settings = replace(settings, theme=replace(settings.theme, name=wishes.theme, tried=True))
    if wishes.base_url:
        settings = replace(settings, url=wishes.base_url)
    sources = _Sources(root, problems, drafts=wishes.drafts, recall=memo.recall, last=last)
    current_profile, lists = _profile(root, problems, moved)
    sources.read()
    sources.add_lists(lists)
    theme_look = look(root, settings.theme, settings.language, _languages(settings, sources), problems)
    profile = last.replace_missing("content/profile.yaml", current_profile)
    shelf = read_shelf(
        root, settings, profile or NOBODY, sources.static, problems=problems, memo=memo, drafts=wishes.drafts
    )
    if profile is None or theme_look is None or (written is None and wishes.keep_last):
        return None
    if wishes.thorough:
        review(shelf.reviewed, problems)
    collections = _published(_together(sources.collections, shelf, problems))
    _join(collections, problems)
    site = Site(
        profile=profile,
        settings=settings,
        look=theme_look,
        collections=collections,
        files=frozenset(artifact.path for artifact in (*sources.static, *shelf.spare)),
        coauthors=shelf.additions.coauthors,
    )
    return Project(site, (*sources.static, *shelf.copies), shelf.spare, shelf.counts)


def _languages(settings: Settings, sources: "_Sources") -> Iterator[Language]:
    """The possible languages of pages: those of configured pages, of collections and of entries (with repetitions)."""
    yield from (wish.language for wish in settings.every_page or ())
    for collection in sources.collections.values():
        yield collection.language
        yield from (entry.language for entry in collection.entries)


def _together(lists: Mapping[str, Collection], shelf: Shelf, problems: Problems) -> dict[str, Collection]:
    """The collections of content/, with links to people, and those of bib/; a name in both is reported."""
    for name, collection in shelf.collections.items():
        if name in lists:
            place = Place(lists[name].entries[0].source.split(":")[0])
            bib = Place.at(collection.entries[0].source).file
            message = f'"{name}" is read from {bib} and also from {place.file}'
            problems.tell("duplicate-collection", place, message, "rename one of the two")
    linked = {
        name: replace(one, entries=tuple(map(shelf.additions.of_entry, one.entries)))
        for name, one in lists.items()
    }
    return {**linked, **shelf.collections}


@dataclasses.dataclass(frozen=True)
class _LastVersions:
    """The last valid contents of each file; only if `is_used` (in the preview)."""

    recall: Recall
    is_used: bool

    def replace_missing(self, name: str, current: Current | None) -> Current | None:
        """`current`, or the last valid contents if `current` is None (the file is invalid); None if there are none."""
        if not self.is_used:
            return current
        value = self.recall.get("last version", name) if current is None else current
        if value is not None:
            self.recall.put("last version", name, value)
        return cast("Current | None", value)


def read_settings(root: Path, problems: Problems) -> Settings:
    """The settings in site.yaml; the defaults if it is missing or unreadable. Every mistake is reported."""
    return _read_settings(root, problems)[0] or Settings()


def _read_settings(root: Path, problems: Problems) -> tuple[Settings | None, Node]:
    """
    The settings in site.yaml (the defaults if it does not exist), and the keys in it that belong in the profile.

    The settings are None if the file cannot be read.
    """
    path, nothing = root / "site.yaml", Node({}, Place("site.yaml"))
    if not path.is_file():
        return Settings(), nothing
    text = read_text(path, "site.yaml", problems)
    node = read_yaml(text, "site.yaml", problems) if text is not None else None
    if node is None:
        return None, nothing
    if node.value is None:
        return Settings(), nothing
    divided = Divided(node, nothing)
    if node.entries:
        divided = divide_settings(reshape(node, Settings, problems, "site.yaml"), problems)
    settings = decode(divided.own, Settings, problems, "site.yaml")
    if settings is None:
        return None, divided.elsewhere
    if settings.schema != VERSION:
        place = next(problems.places(r"(?m)(?<=^schema: )\S+", "site.yaml"), Place("site.yaml"))
        message = f"site.yaml has schema {settings.schema}; this version of Tenure reads schema {VERSION}"
        newer = f"write schema: {VERSION}, or install another version of Tenure"
        hint = "run the command migrate" if settings.schema < VERSION else newer
        problems.tell("schema-version", place, message, hint)
    return _checked(settings, problems), divided.elsewhere


def _checked(settings: Settings, problems: Problems) -> Settings:
    """Settings without an invalid URL. Invalid URLs and unknown codes of warnings to ignore are reported."""
    warnings = [code for code, (level, _) in CODES.items() if level == "warning"]
    for code in settings.checks.ignore:
        if code not in warnings:
            place = problems.where(code, "site.yaml") or Place("site.yaml")
            near = did_you_mean(code, warnings)
            known = f'"{code}" is an error, and cannot be ignored', "correct what it reports"
            unknown = f'there is no warning "{code}"', f'did you mean "{near}"?' if near else ""
            problems.tell("bad-choice", place, *(known if code in CODES else unknown))
    if settings.url and not re.match(r"https?://[^/\s]", settings.url):
        written = rf"(?m)^\w+[ -]?\w+: *[\"']?({re.escape(settings.url)})"
        place = next(problems.places(written, "site.yaml"), Place("site.yaml"))
        if is_host(settings.url):
            return replace(settings, url=f"https://{settings.url}")
        hint = f"write https://{settings.url.rpartition('://')[2].lstrip('/')}"
        if settings.url.startswith("/"):
            hint = "delete it, or write the whole address of the site: https://…"
        problems.tell("bad-address", place, f"“{settings.url}” is not the URL of a site", hint)
        return replace(settings, url="")
    return settings


def _profile(root: Path, problems: Problems, moved: Node) -> tuple[Profile | None, Node]:
    """The profile with `moved_keys` from site.yaml, and the lists in it that belong in separate files."""
    nothing = Node({}, Place("content/profile.yaml"))
    path = next(
        (p for p in (root / "content/profile.yaml", root / "content/profile.yml") if p.is_file()), None
    )
    if path is None:
        message = "content/profile.yaml does not exist"
        problems.tell("no-profile", Place("content/profile.yaml"), message, "begin it with: name: Your Name")
        return None, nothing
    name = f"content/{path.name}"
    text = read_text(path, name, problems)
    node = read_yaml(text, name, problems) if text is not None else None
    if node is None or not node.entries:
        return (decode(node, Profile, problems, "the profile") if node is not None else None), nothing
    divided = divide_profile(reshape(node, Profile, problems, "the profile"), problems)
    whole = add_keys(divided.own, moved, problems)
    return decode(whole, Profile, problems, "the profile"), divided.elsewhere


WORDLESS = frozenset(
    {"date", "dates", "period", "start", "end", "tags", "tag", "id", "draft", "language", "lang"}
)
"""Keys that give an entry nothing to show."""


@dataclasses.dataclass
class _Sources:
    """Reads content/; collects its collections and the files to copy."""

    root: Path
    problems: Problems
    drafts: bool
    recall: Recall
    last: _LastVersions
    collections: dict[str, Collection] = field(default_factory=dict)
    static: list[Artifact] = field(default_factory=list)

    def read(self) -> None:
        """Read content/: lists, texts, folders of texts. All other files are copied."""
        lists: dict[str, list[Entry]] = {}
        folders: dict[str, list[Entry]] = {}
        headings: dict[str, Heading] = {}
        for path in find(self.root / "content", "content", self.problems):
            inside = path.relative_to(self.root / "content")
            name = f"content/{inside.as_posix()}"
            folder = inside.parts[0] if len(inside.parts) > 1 else ""
            if folder in FILE_FOLDERS or path.suffix.casefold() not in (".yaml", ".yml", ".md", ".bib"):
                self.static.append(Artifact(inside.as_posix(), path, name))
            elif path.suffix == ".md" and folder:
                entry = self.last.replace_missing(name, self._from_file(path, name, folder))
                folders.setdefault(folder, []).extend([] if entry is None else [entry])
            elif path.suffix == ".md":
                self._text(path, name)
            elif path.suffix != ".bib" and folder and folder not in ("posts", "pages", *APART):
                folders.setdefault(folder, []).extend(self._list(path, name, folder)[1])
            elif path.suffix == ".bib" or folder:
                hint = "move it to bib/" if path.suffix == ".bib" else "put the list directly into content/"
                self.problems.tell("unknown-file", Place(name), "this file is not read here", hint)
            elif (hint := _misnamed(path)) != "":
                self.problems.tell("unknown-file", Place(name), "this file is not read", hint)
            elif path.stem not in APART:
                headings[path.stem], entries = self._list(path, name)
                lists.setdefault(path.stem, []).extend(entries)
        for collection in sorted({*lists, *folders}):
            files = sorted(folders.get(collection, []), key=_when, reverse=True)
            heading = headings.get(collection, Heading())
            self._add(collection, [*lists.get(collection, []), *files], heading)

    def _add(self, name: str, entries: list[Entry], heading: Heading) -> None:
        kind: Kind = KINDS[name][0] if name in KINDS else "items"
        entries = [entry for entry in entries if self.drafts or not entry.draft]
        if kind in NEWEST_FIRST:
            entries.sort(key=_when, reverse=True)
        if not entries:
            return
        if name in self.collections:
            place = Place(entries[0].source.split(":")[0])
            message = f'"{name}" is both a list and the text content/{name}.md'
            self.problems.tell("duplicate-collection", place, message, "rename one of the two")
            return
        self.collections[name] = Collection(
            name=name,
            kind=kind,
            entries=tuple(self._with_ids(entries)),
            title=heading.title,
            language=heading.language,
        )

    def _with_ids(self, entries: list[Entry]) -> Iterator[Entry]:
        """Give each entry an id. Ids in the sources are unchanged; duplicates among them are reported."""
        taken: dict[str, str] = {}
        for entry in entries:
            if entry.id:
                if entry.id in taken:
                    message = f'the id "{entry.id}" is taken by the entry at {taken[entry.id]}'
                    at = Place.at(entry.source)
                    found = [*self.problems.places(rf"(?<=\bid: ){re.escape(entry.id)}\b", at.file), at]
                    where = next((place for place in found if place.line >= at.line), at)
                    self.problems.tell("duplicate-id", where, message, "choose another id")
                taken[entry.id] = entry.source
        for entry in entries:
            wanted = entry.id or unique(slug(plain(entry.name)[:60]) or "entry", taken)
            taken.setdefault(wanted, entry.source)
            yield replace(entry, id=wanted)

    def _list(self, path: Path, name: str, folder: str = "") -> tuple[Heading, list[Entry]]:
        """
        The heading and entries of a YAML file; those of its last version if no entry can be read.

        `folder` is the collection if the file is in a folder of one; otherwise its name is the collection.
        """
        before = self.problems.count()
        text = read_text(path, name, self.problems)
        node = read_yaml(text, name, self.problems) if text is not None else None
        heading, entries = Heading(), list[Entry]()
        if node is not None and node.value is not None:
            decode_list = partial(self._decoded, node, folder or path.stem, name)
            heading, entries = self.recall.once("list", node, None, self.problems, decode_list)
        is_missing = not entries and self.problems.count() > before
        last = self.last.replace_missing(name, None if is_missing else (heading, entries))
        return last or (heading, entries)

    def _decoded(self, node: Node, collection: str, name: str) -> tuple[Heading, list[Entry]]:
        """The heading and entries of a collection in one file."""
        _, cls, called = KINDS.get(collection, ("items", scholar.Item, f"{collection} entry"))
        own, listed = entries_of(node, collection, cls, self.problems)
        heading = Heading()
        if own.entries:
            heading = decode(own, Heading, self.problems, name) or heading
        if listed is None:
            hint = f"begin each entry with a hyphen: - {main_key(cls)}: …"
            message = f"{name} is {node.shape}, not a list of entries"
            self.problems.tell("wrong-shape", node.place, message, hint)
            return heading, []
        found = [self._entry(item, cls, f"{called} {i}") for i, item in enumerate(listed.items, 1)]
        return heading, [entry for entry in found if entry is not None]

    def add_lists(self, lists: Node) -> None:
        """Add the text and the lists in the profile; one that has a separate file too is an error."""
        for name, node in lists.entries.items():
            place = lists.key_place(name) if name in lists.keys else node.place
            file = f"content/{name}.md" if name == "about" else f"content/{name}.yaml"
            if name in self.collections:
                message = f'the profile has "{name}", and {file} as well'
                self.problems.tell("duplicate-collection", place, message, f"move it to {file}")
                continue
            message = f'"{name}" of the profile is read as {file}'
            self.problems.tell("alias", place, message, f"move it to {file}")
            if name == "about":
                body = Markdown(node.words)
                text = scholar.Prose(body=body, id=name, source=str(node.place))
                self.collections[name] = Collection(name=name, kind="prose", entries=(text,))
            else:
                if not node.items and not (node.entries or node.words):
                    continue
                words = (part.strip() for part in node.words.split(","))
                listed = Node(tuple(Node(part, node.place) for part in words if part), node.place)
                heading, entries = self._decoded(listed if node.words else node, name, node.place.file)
                self._add(name, entries, heading)

    def _entry(
        self, node: Node, cls: type[AnyEntry], who: str, given: Mapping[str, Any] | None = None
    ) -> AnyEntry | None:
        name = main_words(node, cls)
        who = f"{who} ({name})" if name else who
        node = resolve_entry(node, cls, self.problems, who)
        entry = decode(node, cls, self.problems, who, {"source": str(node.place), **(given or {})})
        written = bool(given and (given.get("text") or given.get("body")))
        if entry is not None and not entry.name and not written and node.entries.keys() <= WORDLESS:
            hint = f"add {main_key(cls)}: …, or delete the entry"
            self.problems.tell("missing-key", node.place, f"{who} has no text to show", hint)
        return entry

    def _resolved(self, node: Node, cls: type[Entry], who: str) -> Node:
        """Front matter with aliases replaced by the names of the fields."""
        name = main_words(node, cls)
        return resolve_entry(node, cls, self.problems, f"{who} ({name})" if name else who)

    def _from_file(self, path: Path, name: str, collection: str) -> Entry | None:
        """The entry in a Markdown file, with the text as its body; None if it cannot be read."""
        prose = self._prose(path, name)
        if prose is None:
            return None
        _, cls, called = KINDS.get(collection, ("items", scholar.Item, f"{collection} entry"))
        stem = path.parent.name if path.stem in ("index", "_index") else path.stem
        front = self._resolved(prose.front, cls, f"{called} {stem}")
        given: dict[str, Any] = {"source": f"{name}:{front.place.line}:1", "body": Markdown(prose.body)}
        if "id" not in front.entries:
            given["id"] = slug(stem)
        if cls is scholar.News and "text" not in front.entries:
            given |= {"text": Markdown(prose.body), "body": Markdown("")}
        if "title" not in front.entries and cls is scholar.Prose:
            title, rest = _titled(prose.body)
            given |= {"title": Markdown(title), "body": Markdown(rest)}
        return self._entry(Node({**front.entries}, front.place, front.keys), cls, f"{called} {stem}", given)

    def _text(self, path: Path, name: str) -> None:
        """Add a Markdown file directly in content/ as a collection with one entry."""
        entry = self.last.replace_missing(name, self._text_entry(path, name))
        if entry is not None and (self.drafts or not entry.draft) and (entry.body or entry.name):
            self.collections[path.stem] = Collection(name=path.stem, kind="prose", entries=(entry,))

    def _text_entry(self, path: Path, name: str) -> scholar.Prose | None:
        """The entry of a Markdown file directly in content/; None if it cannot be read."""
        prose = self._prose(path, name)
        if prose is None:
            return None
        given = {"source": f"{name}:1:1", "body": Markdown(prose.body), "id": slug(path.stem)}
        return self._entry(prose.front, scholar.Prose, f"the text {path.stem}", given)

    def _prose(self, path: Path, name: str) -> Prose | None:
        text = read_text(path, name, self.problems)
        return read_prose(text, name, self.problems) if text is not None else None


def _misnamed(path: Path) -> str:
    """A hint for a list whose file name is similar to a known one; "" if it is not."""
    folded = path.stem.casefold()
    if path.stem in APART and path.suffix == ".yml" and path.with_suffix(".yaml").is_file():
        return f"delete it: {path.stem}.yaml is read instead"
    known = next((name for name in (*KINDS, *APART) if name.rstrip("s") == folded.rstrip("s")), path.stem)
    return f"rename it to {known}{path.suffix}" if known != path.stem else ""


def _when(entry: Entry) -> Any:
    return entry.when.order if entry.when else ((0, 0, 0), (0, 0, 0))


def _titled(body: str) -> tuple[str, str]:
    """The first heading of a text ("" if it does not begin with one), and the text without it if it is of level 1."""
    first, _, rest = body.lstrip().partition("\n")
    if not first.startswith("#"):
        return "", body
    return first.lstrip("# ").strip(), rest.lstrip("\n") if first.startswith("# ") else body


def _published(collections: Mapping[str, Collection]) -> dict[str, Collection]:
    """The collections with keys of preprints in entries replaced by the keys of their published versions."""
    papers = collections.get("publications")
    became = {
        preprint: paper.key
        for paper in (papers.entries if papers else ())
        if isinstance(paper, Publication)
        for preprint in paper.preprints
    }
    if not became:
        return dict(collections)

    def renamed(entry: Entry) -> Entry:
        keys = tuple(dict.fromkeys(became.get(key, key) for key in entry.publications))
        return replace(entry, publications=keys) if keys != entry.publications else entry

    return {name: replace(c, entries=tuple(map(renamed, c.entries))) for name, c in collections.items()}


def _join(collections: Mapping[str, Collection], problems: Problems) -> None:
    """Report publication keys in entries that no .bib file has, or that have no page."""
    papers = collections.get("publications")
    keys = {paper.key for paper in papers.entries if isinstance(paper, Publication)} if papers else set()
    apart = [entry for collection in collections.values() for entry in collection.entries]
    keys_apart = {entry.key for entry in apart if isinstance(entry, Publication) and not entry.page} - keys
    for collection in collections.values():
        for entry in collection.entries:
            at = Place.at(entry.source)
            tell_unknown_keys([(key, at) for key in entry.publications], keys, problems)
            for key in keys_apart.intersection(entry.publications):
                message = f'"{key}" is in a separate list and has no page to link to'
                place = next(problems.places(rf"(?<![\w-]){re.escape(key)}(?![\w-])", at.file), at)
                problems.tell("unknown-publication", place, message, "write its URL under links:")
