"""All Nodes to the one Site: decode, join by key, order, check across files."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tenure.model import scholar
from tenure.model.names import spellings
from tenure.model.scholar import Entry, Markdown, Profile, Publication
from tenure.model.site import Collection, Kind, Settings, Site
from tenure.output import Artifact
from tenure.problems import Place, Problems, did_you_mean
from tenure.sources.bibliography import publication
from tenure.sources.bibtex import KEY, read_bibtex
from tenure.sources.files import Prose, find, read_prose, read_text, read_yaml
from tenure.sources.schema import decode, main_words
from tenure.sources.themes import look
from tenure.sources.tree import Node
from tenure.text import plain, slug

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
"""Collections that have a kind of their own: name, type of their entries, and what one entry is called."""

NEWEST_FIRST = frozenset({"news", "posts"})
FILE_FOLDERS = frozenset({"files", "images", "img", "assets", "static"})
"""Folders of content/ whose files are only copied, whatever they are."""

VERSION = 1


@dataclass(frozen=True, slots=True)
class Count:
    """How many entries a .bib file has, how many of them the site shows, how many are told as problems."""

    found: int
    shown: int
    told: int


@dataclass(frozen=True, slots=True)
class Project:
    """A folder of sources, read: the site, the files that are copied, and the .bib files' counts."""

    site: Site
    static: tuple[Artifact, ...]
    counts: Mapping[str, Count]


def load(root: Path, problems: Problems, base_url: str = "", theme: str = "") -> Project | None:
    """Read the sources in a folder; every mistake is told, None where there is no site to be made of them."""
    settings = _settings(root, problems)
    if theme:
        settings = replace(settings, theme=replace(settings.theme, name=theme, options={}))
    if base_url:
        settings = replace(settings, url=base_url)
    sources = _Sources(root, problems)
    sources.read()
    theme_look = look(root, settings.theme, settings.language, problems)
    profile = _profile(root, problems)
    if profile is None or theme_look is None:
        return None
    counts = sources.read_bibliographies(profile)
    _join(sources.collections, problems)
    site = Site(
        profile=profile,
        settings=settings,
        look=theme_look,
        collections=sources.collections,
        files=frozenset(artifact.path for artifact in sources.static),
    )
    return Project(site, tuple(sources.static), counts)


def _settings(root: Path, problems: Problems) -> Settings:
    path = root / "site.yaml"
    text = read_text(path, "site.yaml", problems) if path.is_file() else None
    node = read_yaml(text, "site.yaml", problems) if text is not None else None
    if node is None or node.value is None:
        return Settings()
    settings = decode(node, Settings, problems, "site.yaml") or Settings()
    if settings.schema != VERSION:
        place = problems.where("schema", "site.yaml") or Place("site.yaml")
        message = f"site.yaml is of schema {settings.schema}, and this Tenure reads {VERSION}"
        problems.tell("schema-version", place, message, f"write schema: {VERSION}, or install another Tenure")
    return settings


def _profile(root: Path, problems: Problems) -> Profile | None:
    path = next(
        (p for p in (root / "content/profile.yaml", root / "content/profile.yml") if p.is_file()), None
    )
    if path is None:
        message = "content/profile.yaml is not there"
        problems.tell("no-profile", Place("content/profile.yaml"), message, "begin it with: name: Your Name")
        return None
    name = f"content/{path.name}"
    text = read_text(path, name, problems)
    node = read_yaml(text, name, problems) if text is not None else None
    return decode(node, Profile, problems, "the profile") if node is not None else None


@dataclass
class _Sources:
    """The collections and files of a folder while they are being read."""

    root: Path
    problems: Problems
    collections: dict[str, Collection] = field(default_factory=dict)
    static: list[Artifact] = field(default_factory=list)

    def read(self) -> None:
        """Read content/: lists, texts, folders of texts; every other file is one to copy."""
        lists: dict[str, list[Entry]] = {}
        titles: dict[str, str] = {}
        for path in find(self.root / "content"):
            inside = path.relative_to(self.root / "content")
            name = f"content/{inside.as_posix()}"
            folder = inside.parts[0] if len(inside.parts) > 1 else ""
            if folder in FILE_FOLDERS or path.suffix.casefold() not in (".yaml", ".yml", ".md", ".bib"):
                self.static.append(Artifact(inside.as_posix(), path, name))
            elif path.suffix == ".md" and folder:
                lists.setdefault(folder, []).extend(self._from_file(path, name, folder))
            elif path.suffix == ".md":
                self._text(path, name)
            elif path.suffix == ".bib" or folder:
                hint = "move it to bib/" if path.suffix == ".bib" else "a list stands directly in content/"
                self.problems.tell("unknown-file", Place(name), "this file is not read here", hint)
            elif path.stem != "profile":
                title, entries = self._list(path, name)
                titles[path.stem] = title
                lists.setdefault(path.stem, [])[:0] = entries
        for collection, entries in sorted(lists.items()):
            self._add(collection, entries, titles.get(collection, ""))

    def _add(self, name: str, entries: list[Entry], title: str) -> None:
        kind: Kind = KINDS[name][0] if name in KINDS else "items"
        entries = [entry for entry in entries if not entry.draft]
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
            name=name, kind=kind, entries=tuple(self._with_ids(entries)), title=title
        )

    def _with_ids(self, entries: list[Entry]) -> Iterator[Entry]:
        """Entries with an id each; one written by hand keeps it, and two alike are told."""
        taken: dict[str, str] = {}
        for entry in entries:
            if entry.id:
                if entry.id in taken:
                    message = f'the id "{entry.id}" is taken by {taken[entry.id]}'
                    self.problems.tell(
                        "duplicate-id", Place(entry.source.split(":")[0]), message, "choose another id"
                    )
                taken[entry.id] = entry.source
        for entry in entries:
            wanted = entry.id or _next_free(slug(plain(entry.name)[:60]) or "entry", taken)
            taken.setdefault(wanted, entry.source)
            yield replace(entry, id=wanted)

    def _list(self, path: Path, name: str) -> tuple[str, list[Entry]]:
        """The entries of a YAML list, and the title it gives itself."""
        text = read_text(path, name, self.problems)
        node = read_yaml(text, name, self.problems) if text is not None else None
        if node is None or node.value is None:
            return "", []
        title = ""
        if isinstance(node.value, Mapping) and isinstance(node.entries.get("entries", node).value, tuple):
            title = node.entries["title"].words if "title" in node.entries else ""
            node = node.entries["entries"]
        if not isinstance(node.value, tuple):
            hint = "begin each entry with a hyphen: - title: …"
            self.problems.tell(
                "wrong-shape", node.place, f"{name} is {node.shape}, not a list of entries", hint
            )
            return title, []
        _, cls, called = KINDS.get(path.stem, ("items", scholar.Item, f"{path.stem} entry"))
        found = [self._entry(item, cls, f"{called} {i}") for i, item in enumerate(node.value, 1)]
        return title, [entry for entry in found if entry is not None]

    def _entry(
        self, node: Node, cls: type[Entry], who: str, given: Mapping[str, Any] | None = None
    ) -> Entry | None:
        name = main_words(node, cls)
        who = f"{who} ({name})" if name else who
        return decode(node, cls, self.problems, who, {"source": str(node.place), **(given or {})})

    def _from_file(self, path: Path, name: str, collection: str) -> Iterator[Entry]:
        """An entry from a Markdown file: its front matter, and its text as the body."""
        prose = self._prose(path, name)
        if prose is None:
            return
        _, cls, called = KINDS.get(collection, ("items", scholar.Item, f"{collection} entry"))
        stem = path.parent.name if path.stem in ("index", "_index") else path.stem
        front = prose.front
        given: dict[str, Any] = {"source": f"{name}:{front.place.line}:1", "body": Markdown(prose.body)}
        if "id" not in front.entries:
            given["id"] = slug(stem)
        if cls is scholar.News and "text" not in front.entries:
            given |= {"text": Markdown(prose.body), "body": Markdown("")}
        if "title" not in front.entries and cls is scholar.Prose:
            given["title"] = Markdown(_first_heading(prose.body))
        entry = self._entry(Node({**front.entries}, front.place, front.keys), cls, f"{called} {stem}", given)
        if entry is not None:
            yield entry

    def _text(self, path: Path, name: str) -> None:
        """A text directly in content/ is a collection of its own."""
        prose = self._prose(path, name)
        if prose is None:
            return
        given = {"source": f"{name}:1:1", "body": Markdown(prose.body), "id": slug(path.stem)}
        entry = self._entry(prose.front, scholar.Prose, f"the text {path.stem}", given)
        if entry is not None and not entry.draft and (prose.body or entry.name):
            self.collections[path.stem] = Collection(name=path.stem, kind="prose", entries=(entry,))

    def _prose(self, path: Path, name: str) -> Prose | None:
        text = read_text(path, name, self.problems)
        return read_prose(text, name, self.problems) if text is not None else None

    def read_bibliographies(self, profile: Profile) -> dict[str, Count]:
        """Read bib/: every .bib file, newest year first; every other file is one to copy."""
        owner = spellings(profile.name, profile.aliases)
        found: list[Publication] = []
        counts: dict[str, Count] = {}
        taken: dict[str, str] = {}
        for path in find(self.root / "bib"):
            name = path.relative_to(self.root).as_posix()
            if path.suffix != ".bib":
                self.static.append(Artifact(name, path, name))
                continue
            text = read_text(path, name, self.problems)
            if text is None:
                continue
            read = read_bibtex(text, name, self.problems)
            before = len(found)
            for node in read.entries:
                wanted = _next_free(slug(node.entries[KEY].words) or "entry", taken)
                taken[wanted] = str(node.place)
                found.append(publication(node, owner, wanted, self.problems))
            shown = len(found) - before
            counts[name] = Count(read.found, shown, read.found - shown)
        if found:
            found.sort(key=lambda entry: -(entry.date.year or 0) if entry.date else 1)
            self.collections["publications"] = Collection(
                name="publications", kind="publications", entries=tuple(found)
            )
        return counts


def _when(entry: Entry) -> Any:
    return entry.when.order if entry.when else ((0, 0, 0), (0, 0, 0))


def _next_free(wanted: str, taken: Mapping[str, str]) -> str:
    name, number = wanted, 2
    while name in taken:
        name, number = f"{wanted}-{number}", number + 1
    return name


def _first_heading(body: str) -> str:
    first = body.lstrip().partition("\n")[0]
    return first.lstrip("# ").strip() if first.startswith("#") else ""


def _join(collections: Mapping[str, Collection], problems: Problems) -> None:
    """Tell each publication that an entry names and no .bib file has."""
    papers = collections.get("publications")
    keys = {paper.key for paper in papers.entries if isinstance(paper, Publication)} if papers else set()
    for collection in collections.values():
        for entry in collection.entries:
            for key in entry.publications:
                if key not in keys:
                    file = entry.source.split(":")[0]
                    near = did_you_mean(key, keys)
                    hint = f'did you mean "{near}"?' if near else "its key must stand in a .bib file of bib/"
                    place = problems.where(key, file) or Place(file)
                    problems.tell("unknown-publication", place, f'no .bib file has the key "{key}"', hint)
