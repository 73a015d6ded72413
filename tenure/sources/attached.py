"""Files that a publication links to: they are searched in bib/ and content/, and copied next to its page."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from urllib.parse import quote, unquote

from tenure.frozen import dataclass
from tenure.model.files import Files
from tenure.model.links import Address, is_host, is_local
from tenure.model.scholar import Publication
from tenure.output import Artifact
from tenure.problems import Place, Problems, did_you_mean

Span = tuple[Place, int]
"""The first line of an entry in its source, and the number of its lines."""


@dataclass(frozen=True, slots=True)
class Beside:
    """The copied files of bib/ and content/: an index by path and end of path, and the artifacts by path on the site."""

    files: Files
    copies: Mapping[str, Artifact]

    @classmethod
    def of(cls, artifacts: Iterable[Artifact]) -> "Beside":
        """Index these files."""
        copies = {artifact.path: artifact for artifact in artifacts}
        return cls(Files(copies), copies)


def attach(
    paper: Publication, beside: Beside, spans: Sequence[Span], problems: Problems
) -> tuple[Publication, tuple[Artifact, ...]]:
    """
    A publication whose links to files point next to its page, and the copies of these files.

    A link that matches no file or several files is removed, and reported at its place in `line_ranges`. The files of a
    publication without a page are not moved.
    """
    if not any(map(is_local, (paper.image, *(link.url for link in paper.links)))):
        return paper, ()
    found: dict[str, Artifact] = {}

    def moved(written: Address) -> Address:
        if not is_local(written):
            return written
        name, mark, rest = re.split(r"([?#]|$)", written, maxsplit=1)
        names = beside.files.find(unquote(name)) or beside.files.find(name)
        if len(names) == 1 and paper.page:
            copy = beside.copies[names[0]]
            path = f"publications/{paper.id}/{PurePosixPath(copy.path).name}"
            if path != copy.path:
                found[copy.path] = Artifact(path, copy.body, copy.source)
            return Address(f"/{quote(path)}{mark}{rest}")
        if len(names) == 1:
            return written
        place = _place(name, spans, problems) or Place.at(paper.source)
        if names:
            hint = "write more of the path: " + ", ".join(names[:3])
            problems.tell("ambiguous-file", place, f"“{name}” matches {len(names)} files", hint)
        else:
            message = f"there is no file “{name}” for “{paper.key}”"
            problems.tell("missing-file", place, message, _instead(name, beside))
        return Address("")

    links = tuple(replace(link, url=moved(link.url)) for link in paper.links)
    made = replace(paper, links=tuple(link for link in links if link.url), image=moved(paper.image))
    return made, tuple(found.values())


def _place(words: str, spans: Sequence[Span], problems: Problems) -> Place | None:
    """The place of a URL in the line ranges, with or without the backslashes of LaTeX."""
    signs = "".join(rf"\\?{re.escape(c)}" if c in "_%&#~" else re.escape(c) for c in words)
    for start, lines in spans:
        for place in problems.places(rf"(?<![\w./-])({signs})(?![\w/-])", start.file):
            if start.line <= place.line < start.line + lines:
                return place
    return None


def _instead(name: str, beside: Beside) -> str:
    """A hint for a path that matches no file."""
    bare = re.sub(r"^(?:\.\./|\./|content/)+", "", name)
    if bare != name and len(beside.files.find(bare)) == 1:
        return f'write "{bare}"'
    if is_host(name):
        return f"write https://{name}"
    names = {PurePosixPath(path).name: path for path in beside.copies}
    near = did_you_mean(PurePosixPath(name).name, names)
    return f'did you mean "{names[near]}"?' if near else "put the file into bib/ or content/files/"
