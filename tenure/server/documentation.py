"""The documentation in the preview: built at the first request, in a process of its own, and only read."""

import os
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from tenure.documentation import PACKAGE_FOLDER, name_anchor, write_sources

DOCUMENTATION_PATH = "/livereload/docs/"
"""The path of the documentation on the preview server, which does not depend on the site's URL."""


class DocumentationError(Exception):
    """The documentation cannot be built; the message says why."""


def find_section(code: str, level: str) -> str:
    """The address of the section of a problem, below DOCUMENTATION_PATH."""
    return f"problems/#{name_anchor(code, level)}"


class DocumentationSite:
    """The pages of the documentation, which are built below `.cache/` of a site when the first is wanted."""

    def __init__(self, root: Path) -> None:
        self._folder = root / ".cache" / "documentation"
        self._files: Future[Mapping[str, Path]] | None = None
        self._builder = ThreadPoolExecutor(1)

    def request_files(self) -> Future[Mapping[str, Path]]:
        """
        The files by their paths: problems/index.html; the result raises DocumentationError.

        They are built once; after a failure, the next request tries again.
        """
        if self._files is None or (self._files.done() and self._files.exception()):
            self._files = self._builder.submit(self._build_files)
        return self._files

    def _build_files(self) -> Mapping[str, Path]:
        """Build the documentation as any site is built, with the libraries of this process."""
        sources = self._folder / "sources"
        output = self._folder / "output"
        write_sources(sources)
        libraries = [str(PACKAGE_FOLDER.parent), *filter(None, sys.path)]
        variables = {**os.environ, "PYTHONPATH": os.pathsep.join(libraries)}
        command = [sys.executable, "-m", "tenure", "build", "--site", "sources", "--output", "output"]
        result = subprocess.run(
            command, cwd=self._folder, env=variables, capture_output=True, text=True, check=False
        )
        if result.returncode:
            raise DocumentationError(result.stderr or result.stdout)
        return {path.relative_to(output).as_posix(): path for path in output.rglob("*") if path.is_file()}
