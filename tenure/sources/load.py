"""
Loads a site from its sources: decodes the Nodes, joins entries by key, sorts them, checks across files.

load_site() reads site.yaml, the profile, content/ and bib/ in this order. _ContentReader makes collections of
the lists and the texts in content/; a file that it does not know is copied or reported.
"""

from collections.abc import Container, Iterator, Mapping
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

from tenure.cache.store import CacheStore
from tenure.markdown.html import make_slug, make_unique, plain_text
from tenure.model import entries as entry_classes
from tenure.model.entries import Entry, Markdown, Profile
from tenure.model.field_html import keep_field_html
from tenure.model.languages import Language
from tenure.model.links import is_url_segment
from tenure.model.people import AuthorIndex
from tenure.model.site import (
    Collection,
    CollectionKind,
    ListHeader,
    Settings,
    Site,
    ThemeConfig,
    map_entries,
)
from tenure.problems import Place, Problems
from tenure.publish import Artifact
from tenure.record import replace
from tenure.site_folder import BuildOptions, LoadedSite
from tenure.source_paths import PUBLISHED_HIDDEN_FOLDER
from tenure.sources.cross_references import PEOPLE, list_people, resolve_references
from tenure.sources.publications.additions import read_additions
from tenure.sources.publications.collect import Bibliography, read_bibliography
from tenure.sources.publications.lint import lint_bibliography
from tenure.sources.reading.files import find_files, parse_markdown_file, parse_yaml, read_source_text
from tenure.sources.reading.language_selection import (
    LanguageSelection,
    TextFile,
    group_translations,
    mark_publications,
    split_language,
)
from tenure.sources.reading.media import complete_collections
from tenure.sources.reading.node import Node
from tenure.sources.schema.decode import IgnoredKeys, decode_node, describe_entry
from tenure.sources.schema.keys import report_ignored_keys
from tenure.sources.schema.link_forms import build_link, shorten_for_message
from tenure.sources.schema.lists import extract_entries, join_role_groups, read_item
from tenure.sources.schema.spec import read_spec
from tenure.sources.schema.value_forms import split_at_commas
from tenure.sources.settings import read_profile, read_site_yaml
from tenure.sources.theme.theme_settings import load_theme_settings

COLLECTION_TYPES: Mapping[str, tuple[CollectionKind, type[Entry], str]] = {
    "education": ("education", entry_classes.Education, "education entry"),
    "experience": ("experience", entry_classes.Experience, "experience entry"),
    "projects": ("projects", entry_classes.Project, "project"),
    "talks": ("talks", entry_classes.Talk, "talk"),
    "awards": ("awards", entry_classes.Award, "award"),
    "service": ("service", entry_classes.Service, "service entry"),
    "teaching": ("teaching", entry_classes.Course, "course"),
    "news": ("news", entry_classes.News, "news line"),
    "posts": ("posts", entry_classes.Post, "post"),
    "pages": ("pages", entry_classes.Prose, "page"),
    "people": ("items", entry_classes.Person, "person"),
}
"""Collections with a special type, by name: kind, class of the entries, the name of an entry in messages."""

CollectionType = tuple[CollectionKind, type[Entry], str]


def find_collection_type(name: str) -> CollectionType:
    """The kind of a collection, the class of its entries, and the name of an entry in messages."""
    return COLLECTION_TYPES.get(name, ("items", entry_classes.CustomEntry, f"{name} entry"))


NON_LIST_FILES = ("profile", "publications", "coauthors", "counts")
"""Files in content/ that are not lists of entries."""


STYLE_SHEET = "style.css"
"""The file in content/ with the site's own style sheet."""

NEWEST_FIRST_KINDS = frozenset({"news", "posts"})
COPIED_FOLDERS = frozenset({"files", "images", "img", "assets", "static", PUBLISHED_HIDDEN_FOLDER})
"""Folders in content/ whose files are only copied, whatever their type."""

READ_SUFFIXES = frozenset({".yaml", ".yml", ".md", ".bib"})
"""The files in content/ that are not copied, in lower case."""

TOOL_FILES = frozenset(
    "_config mkdocs environment docker-compose compose netlify render codecov action".split()
)
"""Names of YAML files in the folder of a site that belong to other programs."""

Current = TypeVar("Current")
AnyEntry = TypeVar("AnyEntry", bound=Entry)

UNKNOWN_OWNER = Profile(name="")
"""Replaces an unreadable profile, so that the mistakes in bib/ are reported in the same run."""


def load_site(root: Path, problems: Problems, store: CacheStore, options: BuildOptions) -> LoadedSite | None:
    """
    Read the sources in a folder and report every mistake; None if no site can be built from them.

    `store` has the results of earlier builds. In a preview, the last valid site.yaml and profile take the
    place of those that cannot be read now.
    """
    current_settings, moved_keys, selection = read_site_yaml(root, problems, options.language)
    known_settings = _keep_last(options, "site.yaml", current_settings)
    settings = _apply_options(known_settings or Settings(), options)

    sources = _ContentReader(root, problems, options, store, selection, _list_ids(options))
    current_profile, profile_lists = read_profile(root, problems, moved_keys, selection)
    sources.read_content()
    sources.add_profile_lists(profile_lists)
    theme_look = load_theme_settings(root, settings, _list_page_languages(settings, sources), problems)
    if theme_look is not None:
        theme_look = replace(theme_look, style_sheet=sources.take_style_sheet())

    profile = _keep_last(options, "content/profile.yaml", current_profile)
    owner = profile or UNKNOWN_OWNER
    author_index = AuthorIndex.from_people(list_people(sources.collections), is_group=owner.is_group)
    bibliography = read_bibliography(
        root,
        settings,
        owner,
        sources.static_files,
        read_additions(root, author_index, problems, selection),
        problems=problems,
        store=store,
        include_drafts=options.include_drafts,
    )
    # a build reads on with default settings, to report all mistakes; a preview would show another site
    has_settings = known_settings is not None or options.last_contents is None
    if profile is None or theme_look is None or not has_settings:
        return None

    collections = _merge_collections(sources.collections, bibliography, problems)
    collections = complete_collections(collections, sources.static_files, problems)
    if options.language and options.language != selection.languages[0]:
        collections = mark_publications(collections, selection.languages[0])
    collections, profile = resolve_references(collections, profile, settings, problems)
    _report_list_names(collections, problems)

    site = Site(
        profile=profile,
        settings=settings,
        active_theme=theme_look,
        collections=collections,
        files=frozenset(artifact.path for artifact in (*sources.static_files, *bibliography.optional_files)),
        coauthors=bibliography.additions.coauthors,
        counts=bibliography.additions.counts,
    )
    if not options.language:
        _report_root_files(root, problems)
    return LoadedSite(
        site,
        (*sources.static_files, *bibliography.page_files),
        bibliography.optional_files,
        bibliography.bib_counts,
        partial(lint_bibliography, bibliography.parsed_publications, profile, problems),
    )


def _list_ids(options: BuildOptions) -> dict[Place, str]:
    """The ids of the entries of the site in its main language, by their places."""
    collections = options.original.collections.values() if options.original else ()
    return {entry.source: entry.id for collection in collections for entry in collection.entries}


def _keep_last(options: BuildOptions, name: str, current: Current | None) -> Current | None:
    """`current`; in the preview, the last valid contents of the file if it is None for an invalid file."""
    contents = options.last_contents
    if contents is None:
        return current
    if current is not None:
        contents.values[name] = current
    return cast("Current | None", contents.values.get(name))


def _report_root_files(root: Path, problems: Problems) -> None:
    """Report lists and bibliographies beside site.yaml, which are not read there; files of tools are none."""
    hints = {".bib": "move it to bib/", ".yaml": "move it to content/", ".yml": "move it to content/"}
    for path in sorted(root.iterdir()):
        hint = hints.get(path.suffix.casefold(), "")
        is_known = path.name == "site.yaml" or path.stem in TOOL_FILES or path.name.startswith(".")
        if hint and not is_known:
            hint = "rename it to site.yaml" if path.name == "site.yml" else hint
            problems.report("unknown-file", Place(path.name), "this file is not read", hint)


MIN_NAME_SIMILARITY = 0.88
"""The similarity of names that are probably one: "eduction", "education" have 0.94, "notes", "news" 0.67."""


def _report_list_names(collections: Mapping[str, Collection], problems: Problems) -> None:
    """Report lists without a title whose name is nearly that of a special list: eduction.yaml, or post/."""
    for name, collection in collections.items():
        similar = next(iter(get_close_matches(name, COLLECTION_TYPES, 1, MIN_NAME_SIMILARITY)), "")
        is_own = name not in COLLECTION_TYPES and collection.kind == "items" and not collection.title
        if is_own and similar and similar not in collections:
            message = f'"{name}" is a list of your own, without the fields of "{similar}"'
            hint = f'rename it to "{similar}", or give it a title'
            problems.report("list-name", Place(collection.entries[0].source.file), message, hint)


def _apply_options(settings: Settings, options: BuildOptions) -> Settings:
    """The settings with the theme, the URL and the language that a build asks for."""
    # the panel of the preview shows a theme with the options that it has now, and not with those of site.yaml
    if options.theme_options is not None:
        settings = replace(settings, theme=ThemeConfig(name=options.theme, options=options.theme_options))
    elif options.theme not in ("", settings.theme.name):
        settings = replace(settings, theme=replace(settings.theme, name=options.theme, is_trial=True))
    if options.base_url:
        settings = replace(settings, url=options.base_url)
    if options.language:
        settings = replace(settings, language=options.language)
    return settings


def _list_page_languages(settings: Settings, sources: "_ContentReader") -> Iterator[Language]:
    """The possible languages of pages: those of configured pages, of collections and of entries."""
    yield from (page.language for page in settings.all_pages or ())
    for collection in sources.collections.values():
        yield collection.language
        yield from (entry.language for entry in collection.entries)


def _merge_collections(
    content_lists: Mapping[str, Collection], bibliography: Bibliography, problems: Problems
) -> dict[str, Collection]:
    """The collections of content/, with links to people, and those of bib/; a name in both is reported."""
    for name, collection in bibliography.collections.items():
        if name in content_lists:
            place = Place(content_lists[name].entries[0].source.file)
            bib_file = collection.entries[0].source.file
            message = f'"{name}" is read from {bib_file} and also from {place.file}'
            problems.report("duplicate-collection", place, message, "rename one of the two")
    linked_lists = map_entries(content_lists, bibliography.additions.link_people)
    return {**linked_lists, **bibliography.collections}


class _ContentReader:
    """
    Reads content/; collects its collections and the files to copy.

    `ids` are those of the entries of the site in its main language, which are those of all languages.
    """

    def __init__(
        self,
        root: Path,
        problems: Problems,
        options: BuildOptions,
        store: CacheStore,
        selection: LanguageSelection,
        ids: Mapping[Place, str],
    ) -> None:
        self.root = root
        self.problems = problems
        self.options = options
        self.store = store
        self.selection = selection
        self.ids = ids
        self.collections: dict[str, Collection] = {}
        self.static_files: list[Artifact] = []

    def read_content(self) -> None:
        """Read content/: lists, texts, folders of texts. All other files are copied."""
        lists: dict[str, list[Entry]] = {}
        folders: dict[str, list[Entry]] = {}
        headings: dict[str, ListHeader] = {}
        paths, texts = self._find_files()
        for path in paths:
            relative_path = path.relative_to(self.root / "content")
            name = f"content/{relative_path.as_posix()}"
            folder = ""
            if len(relative_path.parts) > 1:
                folder = relative_path.parts[0]
            if folder in COPIED_FOLDERS or path.suffix.casefold() not in READ_SUFFIXES:
                self.static_files.append(Artifact(relative_path.as_posix(), path, Place(name)))
            elif path.suffix.casefold() == ".md":
                entry = self._read_text_file(texts[path], name, folder)
                if entry and folder:
                    folders.setdefault(folder, []).append(entry)
                elif entry:
                    self._add_text(entry, self._find_stem(texts[path]))
            elif reason := _find_reason_not_to_read(path, folder):
                self.problems.report("unknown-file", Place(name), *reason)
            elif folder:
                folders.setdefault(folder, []).extend(self._read_list_file(path, name, folder)[1])
            elif path.stem not in NON_LIST_FILES:
                headings[path.stem], entries = self._read_list_file(path, name)
                lists.setdefault(path.stem, []).extend(entries)

        for collection in sorted({*lists, *folders}):
            files = sorted(folders.get(collection, []), key=_date_sort_key, reverse=True)
            heading = headings.get(collection, ListHeader())
            self._add_collection(collection, [*lists.get(collection, []), *files], heading)

    def _add_text(self, entry: Entry, stem: str) -> None:
        """Add a text that is directly in content/, such as about.md."""
        if self.options.include_drafts or not entry.draft:
            self.collections[stem] = Collection(name=stem, kind="prose", entries=(entry,))

    def take_style_sheet(self) -> str:
        """The text of content/style.css, which pages load with the theme and which is not copied; or ""."""
        for file in self.static_files:
            if file.path == STYLE_SHEET:
                self.static_files.remove(file)
                path = self.root / "content" / STYLE_SHEET
                return read_source_text(path, file.source.file, self.problems) or ""
        return ""

    def _find_files(self) -> tuple[list[Path], dict[Path, TextFile]]:
        """All files in content/ except translations, and the Markdown files with their translations."""
        folder = self.root / "content"
        paths = list(find_files(folder, "content", self.problems))
        read_paths = [path for path in paths if path.relative_to(folder).parts[0] not in COPIED_FOLDERS]
        markdown_paths = [path for path in read_paths if path.suffix.casefold() == ".md"]
        texts = group_translations(markdown_paths, self.root, self.selection, self.problems)
        translations = {path for text in texts.values() for path in text.translations.values()}
        return [path for path in paths if path not in translations], texts

    def _add_collection(self, name: str, entries: list[Entry], heading: ListHeader) -> None:
        """
        Add a list with its entries in order, each with an id; one with the name of a text is reported.

        Without its drafts, and not at all if it has no entries.
        """
        kind = find_collection_type(name)[0]
        entries = [entry for entry in entries if self.options.include_drafts or not entry.draft]
        if name == PEOPLE:
            entries = [self._link_site(e) if isinstance(e, entry_classes.Person) else e for e in entries]
        if kind in NEWEST_FIRST_KINDS:
            entries.sort(key=_date_sort_key, reverse=True)
        if not entries:
            return
        # content/research.md is a collection too, with one entry
        if name in self.collections:
            place = Place(entries[0].source.file)
            message = f'"{name}" is both a list and the text content/{name}.md'
            self.problems.report("duplicate-collection", place, message, "rename one of the two")
            return

        completed = tuple(self._assign_ids(entries))
        self.collections[name] = Collection(
            name=name,
            kind=kind,
            entries=completed,
            title=heading.title,
            language=heading.language,
            order=heading.order,
        )

    def _link_site(self, person: entry_classes.Person) -> entry_classes.Person:
        """A person with a link to their own site, `site: https://ada.example.org`; a folder is reported."""
        if not person.site:
            return person
        link, message = build_link("website", person.site)
        hint = "write an https:// address"
        if link and not person.site.startswith(("http://", "https://")):
            link = None
            message = f'"{person.site}" is not the URL of a site'
            example = "fetch: {members: {ada: https://…}} in site.yaml"
            hint = f"write the URL; to take over the publications of that site: {example}"
        if link is None:
            self.problems.report("bad-value", person.place_of("site"), message, hint)
            return person
        return replace(person, links=(*(other for other in person.links if other.url != link.url), link))

    def _assign_ids(self, entries: list[Entry]) -> Iterator[Entry]:
        """Give each entry an id. Ids in the sources are unchanged; duplicates among them are reported."""
        sources_by_id: dict[str, Place] = {}
        for entry in entries:
            if entry.id:
                if entry.id in sources_by_id:
                    message = f'the id "{entry.id}" is taken by the entry at {sources_by_id[entry.id]}'
                    self.problems.report("duplicate-id", entry.place_of("id"), message, "choose another id")
                sources_by_id[entry.id] = entry.source

        # those of other entries are made of their names, or are as in the main language
        for entry in entries:
            slug = self.ids.get(entry.source) or make_slug(plain_text(entry.name)[:60]) or "entry"
            entry_id = entry.id or make_unique(slug, sources_by_id)
            sources_by_id.setdefault(entry_id, entry.source)
            yield replace(entry, id=entry_id)

    def _read_list_file(self, path: Path, name: str, folder: str = "") -> tuple[ListHeader, list[Entry]]:
        """
        The heading and entries of a YAML file; those of its last version if no entry can be read.

        `folder` is the collection if the file is in a folder of one; otherwise its name is the collection.
        """
        count_before = self.problems.count()
        text = read_source_text(path, name, self.problems)
        collection = folder or path.stem

        def parse_list() -> tuple[ListHeader, list[Entry]]:
            node = parse_yaml(text or "", name, self.problems)
            if node is None or node.value is None:
                return ListHeader(), []
            return self._decode_list(self.selection.select(node, self.problems), collection, name)

        key = (name, collection, text or "", *self.selection.cache_key)
        current = self.store.call("content", None, key, parse_list, self.problems)
        # a file without entries and without a problem is empty on purpose
        is_missing = not current[1] and self.problems.count() > count_before
        return _keep_last(self.options, name, None if is_missing else current) or current

    def _decode_list(self, node: Node, collection: str, name: str) -> tuple[ListHeader, list[Entry]]:
        """The heading and entries of a collection in one file."""
        _, cls, entry_label = find_collection_type(collection)
        order: tuple[str, ...] = ()
        if cls is entry_classes.Person:
            node, order = join_role_groups(node, collection, name, self.problems)
        heading_node, list_node = extract_entries(node, collection, cls, self.problems)
        heading = ListHeader()
        if heading_node.mapping:
            heading = decode_node(heading_node, ListHeader, self.problems, name) or heading
        heading = replace(heading, order=order)
        if list_node is None:
            hint = f"begin each entry with a hyphen: - {read_spec(cls).main or 'title'}: …"
            message = f"{name} is {node.shape}, not a list of entries"
            # a file that is one text because of a mistake of YAML has a message about that mistake
            if not node.text or not any(p.place.file == name for p in self.problems.sorted_problems()):
                self.problems.report("wrong-shape", node.place, message, hint)
            return heading, []

        ignored: IgnoredKeys = []
        entries: list[Entry | None] = []
        for number, item in enumerate(list_node.items, 1):
            description = f"{entry_label} {number}"
            nodes = read_item(item, collection, cls, self.problems, description)
            entries += [self._decode_entry(node, cls, description, ignored=ignored) for node in nodes]
        report_ignored_keys(ignored, self.problems)
        return heading, [entry for entry in entries if entry is not None]

    def add_profile_lists(self, lists: Node) -> None:
        """Add the text and the lists in the profile; one that has a separate file too is an error."""
        for name, node in lists.mapping.items():
            place = lists.key_place(name)
            file = "content/about.md" if name == "about" else f"content/{name}.yaml"
            if name in self.collections:
                message = f'the profile has "{name}", and {file} as well'
                self.problems.report("duplicate-collection", place, message, f"move it to {file}")
                continue

            message = f'"{name}" of the profile is read as {file}'
            self.problems.report("alias", place, message, f"move it to {file}")
            if name == "about":
                body = Markdown(keep_field_html(node.text, has_blocks=True))
                text = entry_classes.Prose(body=body, id=name, source=node.place)
                self.collections[name] = Collection(name=name, kind="prose", entries=(text,))
            elif node.value:
                items = split_at_commas(node) if node.text else node
                heading, entries = self._decode_list(items, name, node.place.file)
                self._add_collection(name, entries, heading)

    def _decode_entry(
        self,
        node: Node,
        cls: type[AnyEntry],
        description: str,
        preset: Mapping[str, Any] | None = None,
        ignored: IgnoredKeys | None = None,
    ) -> AnyEntry | None:
        """An entry of a class from a Node; None if it is invalid. One that shows nothing is reported."""
        description = describe_entry(description, node, cls)
        count_before = self.problems.count()
        entry = decode_node(node, cls, self.problems, description, preset, ignored=ignored)
        if entry is None:
            return None

        has_text = bool(preset and (preset.get("text") or preset.get("body")))
        has_errors = any(p.level == "error" for p in self.problems.added_since(count_before))
        if _is_empty_text(entry):
            hint = "write the text, or delete the file"
            self.problems.report("empty-text", Place(node.place.file), f"{description} has no words", hint)
        elif not (entry.name or has_text or has_errors) and _shows_nothing(node, cls):
            # with an error, the entry may show nothing because of that
            hint = f"add {read_spec(cls).main or 'title'}: …, or delete the entry"
            self.problems.report("missing-key", node.place, f"{description} has no text to show", hint)
        return self._check_id(entry)

    def _check_id(self, entry: AnyEntry) -> AnyEntry:
        """An entry without an id that cannot be a part of a URL, which is reported."""
        if not entry.id or is_url_segment(entry.id):
            return entry
        slug = make_slug(entry.id)
        message = f"the id “{shorten_for_message(entry.id)}” cannot be a part of a URL"
        hint = f"write id: {slug}" if slug else "delete it"
        self.problems.report("bad-path", entry.place_of("id"), message, hint)
        return replace(entry, id="")

    def _read_text_file(self, file: TextFile, name: str, folder: str) -> Entry | None:
        """The entry of a Markdown file and its translation, with the text as its body, or None."""
        translation = file.translations.get(self.selection.language)
        paths = {name: file.path}
        if translation:
            paths[translation.relative_to(self.root).as_posix()] = translation
        texts = {name: read_source_text(path, name, self.problems) for name, path in paths.items()}

        entry = None
        if None not in texts.values():
            parse_text = partial(self._parse_text_file, cast("dict[str, str]", texts), file, folder)
            key = (name, folder, *texts.values(), *self.selection.cache_key)
            entry = self.store.call("content", None, key, parse_text, self.problems)
        entry = _keep_last(self.options, name, entry)
        return None if entry is None or _is_empty_text(entry) else entry

    def _parse_text_file(self, texts: Mapping[str, str], file: TextFile, folder: str) -> Entry | None:
        """
        The entry of a text in the language that is read; None if a file of it cannot be parsed.

        `texts` are by the names of its files: content/about.md, and content/about.de.md for that language.
        """
        parsed = [parse_markdown_file(text, name, self.problems) for name, text in texts.items()]
        files = [text_file for text_file in parsed if text_file]
        if len(files) < len(parsed):
            return None
        text = files[0]
        if self.selection.is_needed:
            text = self.selection.select_text(files, file.language, self.problems)

        # content/projects/loom/index.md -> "loom"
        stem = self._find_stem(file)
        if folder and stem in ("index", "_index"):
            stem = file.path.parent.name
        cls: type[Entry] = entry_classes.Prose
        label = "the text"
        if folder:
            _, cls, label = find_collection_type(folder)
        written = {read_spec(cls).find_field(key) for key in text.front_matter.mapping}
        source = Place([*texts][-1], text.front_matter.place.line if folder else 1, 1)

        preset: dict[str, Any] = {"source": source, **_divide_body(text.body, cls, folder, written)}
        if "id" not in written or not folder:
            preset["id"] = make_slug(stem)
        return self._decode_entry(text.front_matter, cls, f"{label} {stem}", preset)

    def _find_stem(self, file: TextFile) -> str:
        """The name of a Markdown file without its suffix, and without a language if the site has several."""
        if self.selection.is_needed:
            return split_language(file.path)[0]
        return file.path.stem


def _is_empty_text(entry: Entry) -> bool:
    """Whether an entry is a text without a title and without words."""
    return isinstance(entry, entry_classes.Prose) and not entry.title.strip() and not entry.body.strip()


METADATA_FIELDS = frozenset({"date", "period", "start", "end", "tags", "id", "draft", "language"})
"""Fields that give an entry nothing to show."""


def _shows_nothing(node: Node, cls: type[Entry]) -> bool:
    """Whether an entry without a name has nothing that a page shows: {date: 2024, tags: [R]}."""
    fields = map(read_spec(cls).find_field, node.mapping)
    return cls is entry_classes.Education or METADATA_FIELDS.issuperset(fields)


def _divide_body(body: str, cls: type[Entry], folder: str, written: Container[str]) -> dict[str, Markdown]:
    """The fields that the text of a Markdown file gives, beside those of its front matter."""
    if cls is entry_classes.News and "text" not in written:
        return {"text": Markdown(body), "body": Markdown("")}
    if cls is entry_classes.Prose and folder and "title" not in written:
        title, rest = _split_title(body)
        return {"body": Markdown(rest), "title": Markdown(title)}
    return {"body": Markdown(body)}


def _find_reason_not_to_read(path: Path, folder: str) -> tuple[str, str] | None:
    """Why a list or a bibliography in content/ is not read, and the repair; None if it is read."""
    if path.suffix.casefold() == ".bib":
        return "this file is not read here", "move it to bib/"
    if folder in ("posts", "pages", *NON_LIST_FILES):
        return "this file is not read here", "put the list directly into content/"
    hint = "" if folder else _suggest_file_name(path)
    return ("this file is not read", hint) if hint else None


def _suggest_file_name(path: Path) -> str:
    """A hint for a list whose file name is similar to a known one; "" if it is not."""
    folded = path.stem.casefold()
    if path.stem in NON_LIST_FILES and path.suffix == ".yml" and path.with_suffix(".yaml").is_file():
        return f"delete it: {path.stem}.yaml is read instead"
    known_names = (*COLLECTION_TYPES, *NON_LIST_FILES)
    matches = (name for name in known_names if name.rstrip("s") == folded.rstrip("s"))
    known_name = next(matches, path.stem)
    if known_name != path.stem:
        return f"rename it to {known_name}{path.suffix}"
    return ""


def _date_sort_key(entry: Entry) -> Any:
    """The dates by which lists are sorted; an entry without a date comes after all others."""
    if entry.entry_period:
        return entry.entry_period.sort_key
    return ((0, 0, 0), (0, 0, 0))


def _split_title(body: str) -> tuple[str, str]:
    """The first heading of a text, "" if it begins with none, and the text without it if it is of level 1."""
    first_line, _, text = body.lstrip().partition("\n")
    if not first_line.startswith("#"):
        return "", body
    rest = text.lstrip("\n") if first_line.startswith("# ") else body
    return first_line.lstrip("# ").strip(), rest
