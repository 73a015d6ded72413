"""Citations in text, `[@key, p. 3]` and `@key`, to author and year with a list of references."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tenure.model.names import Name
from tenure.model.scholar import Markdown, Publication

_KEY = r"[\w](?:[\w:.#$%&+?~/-]*[\w/])?"
_TEXT = re.compile(
    rf"""(?P<kept>^(?P<fence>```+|~~~+).*?^(?P=fence)[^\n]*$|(?P<tick>`+).*?(?P=tick)|\$\$.*?\$\$|\$[^$\n]+\$|<[^<>\n]*>
    |\]\([^()\n]*\)|\\[@\[]|(?<=[\w.@/])@)
    |\[(?P<inside>[^\[\]\n]*?(?<![\w.@/\\])-?@{_KEY}[^\[\]]*)\](?!\()
    |(?<![\w.@/\\])@(?P<bare>{_KEY})""",
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)
_PART = re.compile(rf"(?P<before>.*?)(?P<bare>-?)@(?P<key>{_KEY})(?P<after>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Cited:
    """A text with its citations as links, the publications it names in order, and the keys that none has."""

    text: Markdown
    publications: tuple[Publication, ...]
    unknown: tuple[str, ...]
    doubtful: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Library:
    """The publications that a text may cite, by key, and the words between names."""

    publications: Mapping[str, Publication]
    words: Mapping[str, str]
    path: Callable[[Publication], str]

    def cite(self, text: str) -> Cited:
        """
        A Markdown text with its citations resolved.

        Source: Pandoc User's Guide, "Citation syntax". A bare @word that no publication bears is left as it is and
        counted as doubtful; within brackets it is unknown.
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
            return f"({'; '.join(parts)})"

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
        label = self._year(paper) if found["bare"] else f"{self.names(paper)}, {self._year(paper)}"
        return f"{found['before']}{self._link(paper, label)}{found['after']}"

    def _link(self, paper: Publication, label: str) -> str:
        path = self.path(paper)
        return f"[{label}](<{path}>)" if path else label

    def names(self, paper: Publication) -> str:
        """The authors as a citation names them: one, two, or the first and "et al."."""
        people = [author.name for author in (paper.authors.people or paper.editors.people)]
        if not people:
            return str(paper.title)
        first = _family(people[0])
        if len(people) == 1 and not paper.authors.others:
            return first
        if len(people) == 2:
            return self.words["and_two"].format(first=first, second=_family(people[1]))
        return f"{first} {self.words['et_al']}"

    def _year(self, paper: Publication) -> str:
        return str(paper.date.year) if paper.date and paper.date.year else self.words["undated"]

    def reference(self, paper: Publication) -> Markdown:
        """The line of a publication in a list of references."""
        people = [author.name.full for author in (paper.authors.people or paper.editors.people)]
        shown = ", ".join(people[:6]) + (
            f" {self.words['et_al']}" if len(people) > 6 or paper.authors.others else ""
        )
        venue = paper.venue.name or paper.venue.institution or paper.venue.publisher
        parts = [shown, self._link(paper, paper.title), f"*{venue}*" if venue else "", self._year(paper)]
        return Markdown(". ".join(part.rstrip(".") for part in parts if part) + ".")


def _family(name: Name) -> str:
    return name.group or " ".join(part for part in (name.von, name.family) if part)


def without_citations(text: str) -> str:
    """A text for places that show no links, such as descriptions: citations in brackets are left out."""
    if "@" not in text:
        return text
    return _TEXT.sub(lambda found: found[0] if found["kept"] is not None or found["bare"] else "", text)


def keys_of(publications: Sequence[Publication]) -> Mapping[str, Publication]:
    """Publications by key; the first of two alike wins."""
    return {paper.key: paper for paper in reversed(publications)}
