"""
Files that a publication links to: they are searched in bib/ and content/, and copied next to its page.

slides = {talk.pdf} -> the link /publications/pan2025/talk.pdf, and a copy of files/talk.pdf there
"""

import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from urllib.parse import quote, unquote

from tenure.model.entries import Publication
from tenure.model.links import Url, is_bare_host_url, is_local_file_url
from tenure.model.publication_links import (
    LineRange,
    find_url_place,
    list_publication_urls,
    resolve_publication_urls,
)
from tenure.problems import Place, Problems, find_similar_word
from tenure.publish import Artifact
from tenure.sources.reading.source_files import SourceFiles


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
