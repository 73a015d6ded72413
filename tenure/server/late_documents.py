"""
The CVs of a preview: it shows a page before the CVs are typeset again.

`LateDocuments` gives a build the CVs of the last one, with their problems, and makes the new ones when the
preview says so.
"""

from collections.abc import Callable, Sequence

from tenure.build import BuildResult, attach_problems, write_cvs
from tenure.cache.store import CacheStore
from tenure.parallel import run_in_thread
from tenure.plan.language_versions import CvDocuments
from tenure.problems import Problem, Problems
from tenure.publish import Artifact
from tenure.record import Record, replace

Paths = tuple[str, ...]
"""The paths of the CVs of one language: ("de/cv.pdf", "de/cv.docx")."""


class _MadeCvs(Record):
    """CVs that were made, and what was reported for them."""

    files: tuple[Artifact, ...]
    problems: tuple[Problem, ...]


CvWriter = Callable[[Problems], _MadeCvs]


class LateDocuments:
    """
    The CVs of the last build, and what makes those that wait.

    A CV with another name is made at once, so that each file exists to which pages link.
    """

    def __init__(self) -> None:
        self._made: dict[Paths, _MadeCvs] = {}
        self._waiting: dict[Paths, CvWriter] = {}
        self._sources: tuple[tuple[str, str], ...] = ()

    def make_cvs(
        self, documents: CvDocuments, store: CacheStore, problems: Problems, files: Sequence[Artifact]
    ) -> Sequence[Artifact]:
        """The CVs of the last build, if there are such; the new ones wait."""
        folder = documents.folder
        paths = tuple(f"{folder}{name}" for cv in documents.cvs for name in cv.file_names)

        def make(own_problems: Problems) -> _MadeCvs:
            earlier_count = own_problems.count()
            cvs = write_cvs(documents, store, own_problems, files)
            made = tuple(replace(cv, path=f"{folder}{cv.path}") for cv in cvs)
            return _MadeCvs(made, own_problems.added_since(earlier_count))

        def make_late(own_problems: Problems) -> _MadeCvs:
            made = make(own_problems)
            store.save()
            return made

        last = self._made.get(paths)
        if last is None or len(last.files) < len(paths):
            last = make(problems)
            self._made = {**self._made, paths: last}
        else:
            problems.add(last.problems)
            self._waiting = {**self._waiting, paths: make_late}
            self._sources = problems.source_texts()
        # the build adds the folder
        return [replace(cv, path=cv.path.removeprefix(folder)) for cv in last.files]

    def is_document(self, path: str) -> bool:
        """Whether a file is a CV."""
        return any(path in paths for paths in self._made)

    def are_waiting(self, path: str = "") -> bool:
        """Whether the CV at a path must be made again; without a path, whether any must."""
        return any(path in ("", *paths) for paths in self._waiting)

    def end_waiting(self) -> None:
        """Nothing waits any more: the preview has the new CVs, or they cannot be made."""
        self._waiting = {}

    def complete_build(self, build: BuildResult, stop: Callable[[], None]) -> BuildResult:
        """
        A build with the CVs that wait, and with what is reported for them.

        `stop` is called meanwhile; an exception in it ends this, and the CVs still wait.
        """
        problems = Problems()
        for file, text in self._sources:
            problems.add_source(file, text)
        waiting = self._waiting
        made = run_in_thread(lambda: {paths: make(problems) for paths, make in waiting.items()}, stop)

        earlier = {problem for paths in made for problem in self._made[paths].problems}
        reported = (*build.problems, *build.notes, *build.untranslated)
        problems.add(problem for problem in reported if problem not in earlier)
        late_paths = {path for paths in made for path in paths}
        kept = [file for file in build.artifacts if file.path not in late_paths]
        new = [file for cvs in made.values() for file in cvs.files]
        self._made = {**self._made, **made}

        ignored = build.site.settings.checks.ignore if build.site else ()
        return attach_problems(replace(build, artifacts=(*kept, *new)), problems, ignored)
