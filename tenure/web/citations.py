"""Citations in Markdown texts: `[@key, p. 3]` and `@key` become author and year."""

import difflib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, get_args, get_type_hints

from tenure.frozen import dataclass
from tenure.model.names import Name, is_cjk
from tenure.model.scholar import Entry, Markdown, Publication
from tenure.model.site import Site
from tenure.problems import Edit, Place, Problems, did_you_mean

_KEY = r"[\w](?:[\w:.#$%&+?~/-]*[\w/])?"
_TEXT = re.compile(
    rf"""(?P<kept>^(?P<fence>```+|~~~+).*?^(?P=fence)[^\n]*$|(?P<tick>`+).*?(?P=tick)|\$\$.*?\$\$|(?<![\\$\w])\$(?=\S)[^$\n]*?[^\s$\\]\$(?![\d$])|<[^<>\n]*>
    |\]\([^()\n]*\)|\\[@\[]|(?<=[\w.@/])@)
    |\[(?P<inside>[^\[\]\n]*?(?<![\w.@/\\])-?@{_KEY}[^\[\]]*)\](?!\()
    |(?<![\w.@/\\])@(?P<bare>{_KEY})""",
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)
_PART = re.compile(rf"(?P<before>.*?)(?P<bare>-?)@(?P<key>{_KEY})(?P<after>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Cited:
    """A text with citations as links, the cited publications in order, and the keys that are not found."""

    text: Markdown
    publications: tuple[Publication, ...]
    unknown: tuple[str, ...]
    doubtful: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Library:
    """The publications of a site by citation key, with the labels for formatting citations."""

    publications: Mapping[str, Publication]
    words: Mapping[str, str]
    path: Callable[[Publication], str]

    @classmethod
    def of(cls, site: Site, path: Callable[[Publication], str]) -> "Library":
        """The library of a site."""
        return cls(keys_of(site.publications), site.look.words, path)

    def cite(self, text: str) -> Cited:
        """
        A Markdown text with its citations resolved.

        Source: Pandoc User's Guide, "Citation syntax". A bare @word without a publication is not changed and is one
        of `doubtful_keys`; in brackets it is one of `unknown_keys`.
        """
        if "@" not in text:
            return Cited(Markdown(text), (), (), ())
        named: list[Publication] = []
        unknown: list[str] = []
        doubtful: list[str] = []

        def resolve(found: re.Match[str]) -> str:
            if found["kept"] is not None:
                return "@" if found["kept"] == "\\@" else found[0]
            if found["bare"]:
                paper = self.publications.get(found["bare"])
                if paper is None:
                    doubtful.append(found["bare"])
                    return found[0]
                named.append(paper)
                return self._link(paper, f"{self.names(paper)} ({self._year(paper)})")
            parts = [self._part(part, named, unknown) for part in found["inside"].split(";")]
            return f"({self.words['semicolon'].join(parts)})"

        made = _TEXT.sub(resolve, text)
        return Cited(Markdown(made), tuple(dict.fromkeys(named)), tuple(unknown), tuple(doubtful))

    def _part(self, part: str, named: list[Publication], unknown: list[str]) -> str:
        found = _PART.fullmatch(part.strip())
        if found is None:
            return part.strip()
        paper = self.publications.get(found["key"])
        if paper is None:
            unknown.append(found["key"])
            return part.strip()
        named.append(paper)
        label = (
            self._year(paper)
            if found["bare"]
            else self.words["comma"].join((self.names(paper), self._year(paper)))
        )
        return f"{found['before']}{self._link(paper, label)}{found['after']}"

    def _link(self, paper: Publication, label: str) -> str:
        path = self.path(paper)
        return f"[{label}](<{path}>)" if path else label

    def names(self, paper: Publication) -> str:
        """The authors as in a citation: one, two, or the first and "et al."."""
        people = [author.name for author in (paper.authors.people or paper.editors.people)]
        if not people:
            return str(paper.title)
        first = _family(people[0])
        if len(people) == 1 and not paper.authors.others:
            return first
        if len(people) == 2:
            return self.words["and_two"].format(first=first, last=_family(people[1]))
        return f"{first} {self.words['et_al']}"

    def spoken(self, text: str) -> str:
        """A text without links: citations in brackets are removed, others become names and years."""
        if "@" not in text:
            return text
        return replace(self, path=lambda _: "").cite(without_citations(text)).text

    def cited_by(self, entry: Entry) -> tuple[Publication, ...]:
        """Publications cited in the texts of an entry; texts of publications cite nothing."""
        texts = () if isinstance(entry, Publication) else texts_of(entry)
        return tuple(dict.fromkeys(paper for text in texts for paper in self.cite(text).publications))

    def _year(self, paper: Publication) -> str:
        return str(paper.date.year) if paper.date and paper.date.year else self.words["no_date"]

    def reference(self, paper: Publication) -> Markdown:
        """A publication as one line of a list of references."""
        people = [author.name.full for author in (paper.authors.people or paper.editors.people)]
        shown = self.words["comma"].join(people[:6]) + (
            f" {self.words['et_al']}" if len(people) > 6 or paper.authors.others else ""
        )
        venue = paper.venue.name or paper.venue.institution or paper.venue.publisher
        title = self._link(paper, paper.title)
        ended = paper.title.rstrip("*_").endswith((".", "?", "!"))
        parts = [
            f"{shown.rstrip('.')}." if shown else "",
            title if ended else f"{title}.",
            f"*{venue}*." if venue else "",
        ]
        return Markdown(" ".join(part for part in (*parts, f"{self._year(paper).rstrip('.')}.") if part))


def _family(name: Name) -> str:
    """Family name for a citation; the full name if the family name is one Chinese or Korean character."""
    if len(name.family) == 1 and is_cjk(name.family):
        return name.full
    return name.group or " ".join(part for part in (name.von, name.family) if part)


def without_citations(text: str) -> str:
    """Remove citations in brackets and the space before them."""
    if "@" not in text:
        return text
    kept: list[str] = []
    at = 0
    for found in _TEXT.finditer(text):
        if found["inside"] is not None:
            kept.append(text[at : found.start()].rstrip(" \t"))
            at = found.end()
    return "".join((*kept, text[at:]))


def keys_of(publications: Sequence[Publication]) -> Mapping[str, Publication]:
    """Publications by key, including the keys of their preprints; the first of two equal keys wins."""
    joined = {key: paper for paper in publications for key in paper.preprints}
    return joined | {paper.key: paper for paper in reversed(publications)}


def texts_of(value: Any) -> Iterator[str]:
    """All Markdown texts in a value of the model."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for child in value:
            yield from texts_of(child)
    elif is_dataclass(value) and not isinstance(value, type):
        for name in _written_fields(type(value)):
            yield from texts_of(getattr(value, name))


@cache
def _written_fields(cls: type) -> tuple[str, ...]:
    """Fields of a dataclass that contain Markdown, directly or in nested values."""
    hints = get_type_hints(cls)
    return tuple(field.name for field in fields(cls) if _is_written(hints[field.name], cls))


def _is_written(hint: Any, within: type) -> bool:
    if hint is Markdown or hint is within:
        return True
    if get_args(hint):
        return any(_is_written(part, within) for part in get_args(hint))
    return isinstance(hint, type) and is_dataclass(hint) and bool(_written_fields(hint))


def check_citations(site: Site, library: Library, problems: Problems) -> None:
    """Report each citation without a publication, at its place in the source."""
    profile = next((f for f in ("content/profile.yaml", "content/profile.yml") if problems.has_read(f)), "")
    sources: list[tuple[Any, Place]] = [(site.profile, Place(profile)), (site.settings, Place("site.yaml"))]
    for collection in site.collections.values():
        sources += [(e, Place.at(e.source)) for e in collection.entries if not isinstance(e, Publication)]
    sources += [(paper.body, Place("content/publications.yaml")) for paper in site.publications if paper.body]
    for value, at in sources:
        for text in texts_of(value):
            cited = library.cite(text)
            for key in cited.unknown:
                right = next((k for k in library.publications if k.casefold() == key.casefold()), "")
                _tell(key, at, "unknown-citation", _unknown(key, library, problems), problems, right=right)
            for word in cited.doubtful:
                near = next(iter(difflib.get_close_matches(word, library.publications, n=1, cutoff=0.8)), "")
                said = f"“@{word}” looks like a citation", f'did you mean "@{near}"? If not, write \\@{word}'
                if near:
                    _tell(word, at, "doubtful-citation", said, problems)


def _unknown(key: str, library: Library, problems: Problems) -> tuple[str, str]:
    """Message and hint for a citation whose key is not found."""
    entry = next(problems.places(rf"@\w+\s*[{{(]\s*({re.escape(key)})\s*[,\n]"), None)
    if entry is not None:
        message = f'"{key}" is not shown as a publication, and cannot be cited'
        return (
            message,
            f"its entry is in {entry.file}, line {entry.line}: cite another entry, or show this one",
        )
    near = did_you_mean(key, library.publications)
    hint = (
        f'did you mean "{near}"?'
        if near
        else f"add its entry to a .bib file, or write \\@{key} if this is not a citation"
    )
    return f'no .bib file has the key "{key}"', hint


def _tell(  # noqa: PLR0913 - a problem and its place
    key: str, at: Place, code: str, said: tuple[str, str], problems: Problems, *, right: str = ""
) -> None:
    """
    Report every citation of a key from the entry on, or the entry itself if the key is not in the file.

    `corrected_key` is the key that is certainly meant, or "".
    """
    pattern = rf"(?<![\w.@/\\])(@{re.escape(key)})(?!\w)"
    places = [place for place in problems.places(pattern, at.file) if place.line >= at.line]
    for place in places or [at]:
        edits = (Edit(place, f"@{right}"),) if right and place.length else ()
        problems.tell(code, place, *said, edits)
