"""
Tenure in the page “Try it”: what worker.js calls, by name, with the values of a message, and what it answers.

The sources of the site are in SITE, a folder in memory; the page keeps them. Each function of CALLS takes and
returns values that a message can hold.
"""

import json
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.abc import MetaPathFinder
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from begin import begin_empty, begin_from_files, import_orcid_record, pack_site, read_zip

import tenure
from tenure.build import build_site, write_cvs
from tenure.cache.store import CacheStore
from tenure.markdown.html import plain_text
from tenure.model.site import Site
from tenure.plan.clicks import Click, describe_site, find_origin, find_page, list_papers
from tenure.plan.language_versions import CvDocuments
from tenure.plan.pages import Page
from tenure.problems import Edit, Place, Problem, Problems, problem_as_json
from tenure.publish import Artifact
from tenure.record import replace, to_builtins
from tenure.server.overlay import describe_build
from tenure.server.snapshot import Snapshot
from tenure.server.theme_panel import ThemePanel, list_new_lines
from tenure.site_folder import BuildOptions, LastContents
from tenure.source_paths import is_unread_folder
from tenure.sources.editing.edits import plan_file_change
from tenure.sources.editing.form_calls import FORM_EDITS, FORM_READS, TEXT_CALLS
from tenure.sources.editing.rebase import rebase_edit
from tenure.sources.editing.unused_pictures import list_unused_pictures
from tenure.sources.editing.value_edits import Source

SITE = Path("/site")
PROGRAM = Path(tenure.__file__).parent
Files = Mapping[str, bytes]
"""The bytes of files by their path in the site."""


class Engine:
    """The site as it was built last, and what the page has of it."""

    def __init__(self) -> None:
        self.panel = ThemePanel(SITE)
        self._store = CacheStore()
        self._contents = LastContents()
        self._snapshot = Snapshot()
        self._site: Site | None = None
        self._pages: Sequence[Page] = ()
        self._pdfs: dict[str, bytes] = {}
        self._late_cvs: list[tuple[CvDocuments, Sequence[Artifact]]] = []

    def build(self, changed: Sequence[str]) -> Mapping[str, Any]:
        """
        Build the site; the answer has the files that differ from the last build, with the PDFs of `typeset`.
        """
        self._late_cvs = []
        options = BuildOptions(include_drafts=True, last_contents=self._contents)
        trial = self.panel.trial
        if trial:
            options = replace(options, theme=trial.name, theme_options=trial.options)
        build = build_site(SITE, options=options, store=self._store, make_cvs=self._keep_pdfs)
        if build.site:
            self._site, self._pages = build.site, build.pages

        previous = self._snapshot
        paths: Sequence[str] = ()
        if build.is_complete:
            self._snapshot = previous.with_build(build)
            paths = [*self._snapshot.find_changed_paths(previous, changed)]
        current = self._snapshot.files
        scripts = [path for path, file in current.items() if _is_own_script(file)]

        return {
            "files": {path: current[path].read() for path in paths if path in current},
            "removed": [path for path in paths if path not in current],
            "report": describe_build(build, has_previous_build=bool(previous.number)),
            "problems": list(map(_describe_problem, build.problems)),
            "scripts": scripts,
            "blocked": [path for path in current if path.endswith(".js") and path not in scripts],
            "cvs": [
                f"{documents.folder}{cv.name}.pdf"
                for documents, _ in self._late_cvs
                for cv in documents.cvs
                if "pdf" in cv.formats
            ],
            "title": build.site.title if build.site else "",
            "facts": to_builtins(describe_site(build.site)) if build.site else None,
            "late": bool(self._late_cvs),
            "drafts": _list_drafts(build.site) if build.site else [],
        }

    def typeset(self) -> Mapping[str, Any]:
        """The PDFs of the last build that differ from the last ones."""
        problems = Problems()
        files: dict[str, bytes] = {}
        for documents, sources in self._late_cvs:
            for cv in write_cvs(documents, self._store, problems, sources):
                files[f"{documents.folder}{cv.path}"] = cv.read()
        changed = {path: body for path, body in files.items() if self._pdfs.get(path) != body}
        self._pdfs |= files
        return {"files": changed, "problems": list(map(_describe_problem, problems.sorted_problems()))}

    def list_papers(self, file: str) -> Any:
        """Key, title, year and mark of each publication of a .bib file in the last build."""
        return to_builtins(list_papers(self._site, file)) if self._site else []

    def find_origin(self, page: str, ids: Sequence[str], section: str, part: str) -> Any:
        """The source of what was clicked on a page of the last build."""
        click = Click(page, tuple(ids), section, part)
        return to_builtins(find_origin(self._site, self._pages, click)) if self._site else None

    def find_page(self, file: str, shown: str) -> str:
        """The page of the last build that shows most of a source, best that which is shown."""
        return find_page(self._pages, file, shown)

    def _keep_pdfs(
        self, documents: CvDocuments, store: CacheStore, problems: Problems, files: Sequence[Artifact]
    ) -> Iterator[Artifact]:
        """The last PDFs: a page is shown before its CV is typeset again."""
        del store, problems
        self._late_cvs.append((documents, files))
        for cv in documents.cvs:
            for path in cv.file_names:
                body = self._pdfs.get(f"{documents.folder}{path}", b"")
                yield Artifact(path, body, cv.source)


def _describe_problem(problem: Problem) -> Mapping[str, object]:
    """The problem with its length, for the line under its place."""
    return {**problem_as_json(problem), "length": problem.place.length}


def _list_drafts(site: Site) -> Sequence[str]:
    """The names of what is not published yet, but can be read by everybody who has the sources."""
    entries = [entry for collection in site.collections.values() for entry in collection.entries]
    return [plain_text(entry.name) for entry in (*entries, *site.publications) if entry.draft]


def _is_own_script(file: Artifact) -> bool:
    """
    Whether a file is a script of Tenure: of a packaged theme, or one that a build writes, as for the search.
    """
    return file.path.endswith(".js") and (not file.source.file or file.read() in OWN_SCRIPTS)


def write_sources(files: Mapping[str, bytes | None], trusts_templates: bool = True) -> None:
    """Write source files, without the templates of themes if they are not trusted; None deletes a file."""
    for name, body in (files if trusts_templates else _drop_templates(files)).items():
        path = SITE / name
        if body is None:
            path.unlink(missing_ok=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)


def _drop_templates(files: Mapping[str, bytes | None]) -> Mapping[str, bytes | None]:
    """
    The files without those of themes. Of a theme of the site stays its theme.yaml: it is the theme that this
    one extends, or folio.
    """
    kept = {name: body for name, body in files.items() if not name.startswith("themes/")}
    for theme in {name.split("/")[1] for name in files.keys() - kept.keys()}:
        name = f"themes/{theme}/theme.yaml"
        is_known = (PROGRAM / "themes" / theme).is_dir() or (name not in files and (SITE / name).exists())
        settings = bytes(files.get(name) or b"")
        if not is_known:
            kept[name] = settings if b"extends:" in settings else settings + b"\nextends: folio\n"
    return kept


def repair_problem(problem: Mapping[str, Any]) -> Files:
    """The changed file after the repair of a problem; raises UneditableError. The page writes it."""
    file = problem["file"]
    edits = [Edit(Place(file, e["line"], e["column"], e["length"]), e["text"]) for e in problem["edits"]]
    return {file: plan_file_change(SITE, file, [edits]).new_bytes}


def read_source(name: str, file: str, text: str, *values: Any) -> str:
    """What a form shows of a source, by the name of a function of FORM_READS, as JSON, as `serve` sends it."""
    # Pyodide would make undefined of None, which is null in JSON
    return json.dumps(FORM_READS[name](Source(file, text), *values))


def edit_source(name: str, file: str, text: str, base: str, *values: Any) -> Mapping[str, bytes | None]:
    """
    The changed source after an edit of FORM_EDITS, whose values are those of the text `base`, and None for a
    picture that no source names any more; the page writes them.

    Raises UneditableError.
    """
    source = Source(file, text)
    if base != text:
        values = tuple(rebase_edit(name, Source(file, base), source, values))
    new_text = FORM_EDITS[name](source, *values)
    unused = list_unused_pictures(SITE, source, values[0], new_text) if name == "setValue" else ()
    return {file: new_text.encode(), **dict.fromkeys(unused)}


def clear_site() -> None:
    """Delete all sources, and forget what was built."""
    global ENGINE
    shutil.rmtree(SITE)
    SITE.mkdir()
    ENGINE = Engine()


def choose_theme(choice: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """
    The state of the panel of themes, as tenure/server/client/panels.js needs it, after a choice, as it sends
    it.

    `files` has site.yaml if the choice is saved. Raises PanelError.
    """
    panel = ENGINE.panel
    files: dict[str, bytes] = {}
    written = ""
    if choice and choice.get("save"):
        change = panel.plan_choice(choice.get("choice"))
        files, written = {change.file: change.new_bytes}, list_new_lines(change)
    elif choice:
        panel.try_choice(choice.get("choice"))
    return {**panel.describe(), "written": written, "files": files}


class LateModuleNeeded(BaseException):
    """A module was imported that is not loaded at first: worker.js loads it, and makes the call again."""


class _LateFinder(MetaPathFinder):
    """Ends a call that imports one of the modules that were not loaded at first."""

    def __init__(self, names: frozenset[str]) -> None:
        self._names = names

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:
        del path, target
        if fullname in self._names:
            raise LateModuleNeeded(fullname)


def find_late_modules() -> None:
    """End each call that imports a late module, until `install_late_modules`."""
    names = (PROGRAM.parent / "late_modules.txt").read_text(encoding="utf-8").split("\n")
    sys.meta_path.insert(0, _LateFinder(frozenset(names)))


def install_late_modules(archive: bytes) -> None:
    """Install the late modules."""
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, _LateFinder)]
    with ZipFile(BytesIO(archive)) as modules:
        modules.extractall(PROGRAM.parent)
    sys.path_importer_cache.clear()


SITE.mkdir(exist_ok=True)
OWN_SCRIPTS = frozenset(path.read_bytes() for path in (PROGRAM / "themes").glob("*/assets/*.js"))
ENGINE = Engine()
CALLS: Mapping[str, Callable[..., object]] = {
    "write": write_sources,
    "clear": clear_site,
    "repair": repair_problem,
    "build": lambda changed: ENGINE.build(changed),
    "typeset": lambda: ENGINE.typeset(),
    "themes": choose_theme,
    "readZip": read_zip,
    "isUnread": is_unread_folder,
    "beginEmpty": begin_empty,
    "begin": begin_from_files,
    "importOrcid": import_orcid_record,
    "packSite": lambda: pack_site(SITE),
    "papers": lambda file: ENGINE.list_papers(file),
    "find": lambda *values: ENGINE.find_origin(*values),
    "page": lambda *values: ENGINE.find_page(*values),
    "read": read_source,
    "edit": edit_source,
    **TEXT_CALLS,
}


def call(name: str, values: Sequence[Any]) -> Any:
    """Call a function of CALLS; worker.js answers what it raises as {error}."""
    return CALLS[name](*values)
