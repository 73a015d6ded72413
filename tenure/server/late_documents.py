"""
The CVs and records of a preview: it shows a page before they are made again.

`LateDocuments` gives a build those of the last one, with their problems, and makes the new ones when the
preview says so.
"""

from collections.abc import Callable, Iterable, Sequence

from tenure.build import BuildResult, attach_problems, write_cvs
from tenure.cache.store import CacheStore
from tenure.exports.records import list_export_files, make_export_files
from tenure.model.site import Site
from tenure.parallel import run_in_thread
from tenure.plan.language_versions import CvDocuments
from tenure.plan.pages import Plan
from tenure.problems import Problem, Problems
from tenure.publish import Artifact
from tenure.record import Record, replace

DocumentWriter = Callable[[Problems], Iterable[Artifact]]


class _MadeDocuments(Record):
    """
    Documents that were made, the paths of all of their kind, and what was reported for them.

    `write_new` makes the new ones, if they wait.
    """

    paths: tuple[str, ...]
    files: tuple[Artifact, ...]
    problems: tuple[Problem, ...]
    write_new: DocumentWriter | None = None


class LateDocuments:
    """
    The CVs and records of the last build, and what makes those that wait.

    Those with other names are made at once, so that each file exists to which pages link.
    """

    def __init__(self) -> None:
        # "records", and the first path of the CVs in a language: "de/cv.pdf"
        self._made: dict[str, _MadeDocuments] = {}
        self._sources: tuple[tuple[str, str], ...] = ()
        self._store = CacheStore()

    def make_cvs(
        self, documents: CvDocuments, store: CacheStore, problems: Problems, files: Sequence[Artifact]
    ) -> Sequence[Artifact]:
        """The CVs of the last build, if there are such; the new ones wait."""
        folder = documents.folder
        paths = tuple(f"{folder}{name}" for cv in documents.cvs for name in cv.file_names)

        def write(own_problems: Problems) -> Iterable[Artifact]:
            return (
                replace(cv, path=f"{folder}{cv.path}")
                for cv in write_cvs(documents, store, own_problems, files)
            )

        self._store = store
        self._sources = problems.source_texts()
        made = self._find_last(paths[0], paths, write, problems)
        # the build adds the folder
        return [replace(cv, path=cv.path.removeprefix(folder)) for cv in made]

    def make_records(self, site: Site, plan: Plan) -> Sequence[Artifact]:
        """The records of the last build, if there are such, with their places of now; the new ones wait."""
        places = {path: place for path, place, _ in list_export_files(site, plan)}
        made = self._find_last("records", tuple(places), lambda _: make_export_files(site, plan), Problems())
        return [replace(record, source=places[record.path]) for record in made]

    def _find_last(
        self, name: str, paths: tuple[str, ...], write: DocumentWriter, problems: Problems
    ) -> Sequence[Artifact]:
        """The documents of the last build, if these are all; the new ones wait."""
        last = self._made.get(name)
        if last and last.paths == paths and len(last.files) == len(paths):
            problems.add(last.problems)
            last = replace(last, write_new=write)
        else:
            last = _make_documents(paths, write, problems)
        self._made = {**self._made, name: last}
        return last.files

    def is_document(self, path: str) -> bool:
        """Whether a file is a CV or a record."""
        return any(path in made.paths for made in self._made.values())

    def are_waiting(self, path: str = "") -> bool:
        """Whether the document at a path must be made again; without a path, whether any must."""
        return any(made.write_new and path in ("", *made.paths) for made in self._made.values())

    def end_waiting(self) -> None:
        """Nothing waits any more: the preview has the new documents, or they cannot be made."""
        self._made = {name: replace(made, write_new=None) for name, made in self._made.items()}

    def complete_build(self, build: BuildResult, stop: Callable[[], None]) -> BuildResult:
        """
        A build with the documents that wait, and with what is reported for them.

        `stop` is called meanwhile; an exception in it ends this, and the documents still wait.
        """
        problems = Problems()
        for file, text in self._sources:
            problems.add_source(file, text)
        made = run_in_thread(
            lambda: {
                name: _make_documents(last.paths, last.write_new, problems, stop)
                for name, last in self._made.items()
                if last.write_new
            },
            stop,
        )
        self._store.save()

        earlier = {problem for name in made for problem in self._made[name].problems}
        reported = (*build.problems, *build.notes, *build.untranslated)
        problems.add(problem for problem in reported if problem not in earlier)
        late_paths = {path for documents in made.values() for path in documents.paths}
        kept = [file for file in build.artifacts if file.path not in late_paths]
        new = [file for documents in made.values() for file in documents.files]
        self._made = {**self._made, **made}

        ignored = build.site.settings.checks.ignore if build.site else ()
        return attach_problems(replace(build, artifacts=(*kept, *new)), problems, ignored)


def _make_documents(
    paths: tuple[str, ...], write: DocumentWriter, problems: Problems, stop: Callable[[], None] = lambda: None
) -> _MadeDocuments:
    """Make documents; an exception in `stop` ends this after one of them."""
    earlier_count = problems.count()
    files = []
    for file in write(problems):
        stop()
        files.append(file)
    return _MadeDocuments(paths, tuple(files), problems.added_since(earlier_count))
