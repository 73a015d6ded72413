"""Files that a publication links to: they are searched in bib/ and content/, and copied next to its page."""

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

    A link that matches no file or several files is removed, and reported at its place in `line_ranges`; a link in a text
    leaves its label. The files of a publication without a page are not moved.
    """
    if not any(map(_names_file, list_publication_urls(publication))):
        return publication, ()
    copies: dict[str, Artifact] = {}

    def resolve_url(url: Url) -> Url:
        is_whole_name = bool(source_files.index.find_paths(url))  # also "Slides #2.pdf", which is no anchor
        name, separator, query = (url, "", "") if is_whole_name else re.split(r"([?#]|$)", url, maxsplit=1)
        is_copied = name[:1] == "/" and unquote(name[1:]) in source_files.artifacts
        if is_copied or not (is_whole_name or _names_file(url)):
            return url
        matches = source_files.index.find_paths(name) or source_files.index.find_paths(unquote(name))
        if len(matches) == 1 and publication.page:
            artifact = source_files.artifacts[matches[0]]
            path = f"publications/{publication.id}/{PurePosixPath(artifact.path).name}"
            if path != artifact.path:
                copies[artifact.path] = Artifact(path, artifact.body, artifact.source)
            return Url(f"/{quote(path)}{separator}{query}")
        if len(matches) == 1:
            return url
        place = find_url_place(name, line_ranges, problems) or publication.source
        if name[:1] == "/" and not place.file.endswith(".bib"):
            return url  # that of content/publications.yaml is an error, which the check of links reports
        if matches:
            code = "bib-bad-value" if place.file.endswith(".bib") else "ambiguous-file"
            report_several_files(name, matches, place, problems, code)
        else:
            message = f"there is no file “{name}” for “{publication.key}”"
            problems.report("missing-file", place, message, _suggest_file(name, source_files))
        return Url("")

    return resolve_publication_urls(publication, resolve_url), tuple(copies.values())


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
