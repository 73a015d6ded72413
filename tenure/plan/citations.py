"""
Citations in Markdown texts: `[@key, p. 3]` and `@key` become author and year.

The objects: a CitationLibrary has the publications by key; a CitedText is a text whose citations are links,
with what it cites. The check of citations finds those that nothing answers, in the sources.
"""

import difflib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, get_args, get_type_hints

from tenure.model.entries import Entry, Markdown, Publication
from tenure.model.latex_citations import LATEX_CITATION, find_cited_keys, read_notes
from tenure.model.names import Name, is_cjk_text
from tenure.model.publications import escape_text
from tenure.model.site import Site
from tenure.problems import Edit, Place, Problems, find_similar_word, suggest_word
from tenure.record import Record, field_names, replace

_CITATION_KEY = r"[\w](?:[\w:.#$%&+?~/-]*[\w/])?"
"""A key in a text, which does not end with a sign: lee2020 of "@lee2020."."""

MAX_REFERENCE_NAMES = 6
"""Authors of a reference below a text; others are “et al.”."""

_CITATION_PATTERN = re.compile(
    rf"""
      (?P<literal> ^(?P<fence>```+|~~~+).*?^(?P=fence)[^\n]*$ | (?P<tick>`+).*?(?P=tick)    # code
        | \$\$.*?\$\$ | (?<![\\$\w])\$(?=\S)[^$\n]*?[^\s$\\]\$(?![\d$]) | <[^<>\n]*>   # formulas and tags
        | \]\([^()\n]*\) | \\[\\@\[] | (?<=[\w.@/])@)                                   # ](a@b), \@, a@b
    | \[(?P<inside>[^\[\]\n]*?(?<![\w.@/\\])-?@{_CITATION_KEY}[^\[\]]*)\](?!\()        # [@key, p. 3]
    | (?<![\w.@/\\])@(?P<bare>{_CITATION_KEY})                                         # @key
    | (?P<latex>{LATEX_CITATION.pattern})                                             # \cite{{key}}
    """,
    re.DOTALL | re.MULTILINE | re.VERBOSE | re.IGNORECASE,
)
_CITATION_PART = re.compile(rf"(?P<before>.*?)(?P<bare>-?)@(?P<key>{_CITATION_KEY})(?P<after>.*)", re.DOTALL)
"""see -@lee2020, p. 3 -> "see ", "-", "lee2020", ", p. 3"."""


class CitedText(Record):
    """
    A text with citations as links, the cited publications in order, and the other citations as written.

    Each of these has its problem code.
    """

    text: Markdown
    publications: tuple[Publication, ...] = ()
    unresolved: tuple[tuple[str, str], ...] = ()


class CitationLibrary(Record):
    """The publications of a site by citation key, with the labels for formatting citations."""

    publications: Mapping[str, Publication]
    translations: Mapping[str, str]
    publication_path: Callable[[Publication], str]

    @classmethod
    def for_site(cls, site: Site, publication_path: Callable[[Publication], str]) -> "CitationLibrary":
        """The library of a site."""
        return cls(index_by_key(site.publications), site.active_theme.translations, publication_path)

    def resolve_citations(self, text: str) -> CitedText:
        """
        A Markdown text with its citations resolved.

        Source: Pandoc User's Guide, "Citation syntax". A bare @word without a publication is not changed.
        """
        # a text without a citation, which most are
        if "@" not in text and "cite" not in text:
            return CitedText(Markdown(text))
        cited: dict[Publication, None] = {}
        # the code of the problem, and the citation as written
        unresolved: list[tuple[str, str]] = []

        # "see @lee, p. 3" -> "see [Lee, 2020](/publications/lee/), p. 3"; "-@lee" has the year alone
        def replace_part(part: str) -> str:
            match = _CITATION_PART.fullmatch(part)
            if match is None:
                return part
            paper = self.publications.get(match["key"])
            if paper is None:
                unresolved.append(("unknown-citation", f"@{match['key']}"))
                return part
            cited[paper] = None
            label = self._year_text(paper)
            if not match["bare"]:
                label = self.translations["comma"].join((self.format_authors(paper), label))
            return f"{match['before']}{self._link_label(paper, label)}{match['after']}"

        # [see @lee; @kim], a bare @lee, or what only looks like one, which is noted and stays
        def replace_citation(match: re.Match[str]) -> str:
            # [see @lee, p. 3; @kim] -> (see Lee, 2020, p. 3; Kim, 2019)
            if match["inside"]:
                parts = [replace_part(part.strip()) for part in match["inside"].split(";")]
                return f"({self.translations['semicolon'].join(parts)})"
            # @lee -> Lee (2020)
            paper = self.publications.get(match["bare"] or "")
            if paper is not None:
                cited[paper] = None
                return self._link_label(paper, f"{self.format_authors(paper)} ({self._year_text(paper)})")
            if match["bare"] or match["latex"]:
                unresolved.append(("doubtful-citation" if match["bare"] else "latex-citation", match[0]))
            # \@lee -> @lee; code, formulas and addresses stay
            return "@" if match[0] == "\\@" else match[0]

        return CitedText(
            Markdown(_CITATION_PATTERN.sub(replace_citation, text)), tuple(cited), tuple(unresolved)
        )

    def _link_label(self, paper: Publication, label: str) -> str:
        path = self.publication_path(paper)
        return f"[{label}](<{path}>)" if path else label

    def format_authors(self, paper: Publication) -> str:
        """The authors as in a citation: one, two, or the first and "et al."."""
        names = [author.name for author in (paper.authors.people or paper.editors.people)]
        if not names:
            return str(paper.title)
        first = escape_text(_citation_name(names[0]))
        if len(names) == 1 and not paper.authors.others:
            return first
        if len(names) == 2:
            return self.translations["and_two"].format(
                first=first, last=escape_text(_citation_name(names[1]))
            )
        return f"{first} {self.translations['et_al']}"

    def render_without_links(self, text: str) -> str:
        """A text without links: citations in brackets are removed, others become names and years."""
        if "@" not in text:
            return text
        return replace(self, publication_path=lambda _: "").resolve_citations(remove_citations(text)).text

    def find_cited_publications(self, entry: Entry) -> tuple[Publication, ...]:
        """Publications cited in the texts of an entry; texts of publications cite nothing."""
        texts = () if isinstance(entry, Publication) else iterate_markdown(entry)
        return tuple(
            dict.fromkeys(paper for text in texts for paper in self.resolve_citations(text).publications)
        )

    def _year_text(self, paper: Publication) -> str:
        """The year of a publication: "2020", or "n.d." in the language."""
        if paper.date and paper.date.year:
            return str(paper.date.year)
        return self.translations["no_date"]

    def format_reference(self, paper: Publication) -> Markdown:
        """A publication as one line of a list of references: "Ada Lee, Bo Kim. Looms. *Caches*. 2024."."""
        people = paper.authors.people or paper.editors.people
        names = [escape_text(author.name.full_name) for author in people]
        authors = self.translations["comma"].join(names[:MAX_REFERENCE_NAMES])
        if len(names) > MAX_REFERENCE_NAMES or paper.authors.others:
            authors = f"{authors} {self.translations['et_al']}"
        venue = paper.venue.name or paper.venue.institution or paper.venue.publisher
        title = self._link_label(paper, paper.title)
        has_end_mark = paper.title.rstrip("*_").endswith((".", "?", "!"))
        parts = [
            f"{authors.rstrip('.')}." if authors else "",
            title if has_end_mark else f"{title}.",
            f"*{venue}*." if venue else "",
        ]
        return Markdown(" ".join(part for part in (*parts, f"{self._year_text(paper).rstrip('.')}.") if part))


def _citation_name(name: Name) -> str:
    """Family name for a citation; the full name if the family name is one Chinese or Korean character."""
    if len(name.family) == 1 and is_cjk_text(name.family):
        return name.full_name
    return name.group or name.family_with_particle


def remove_citations(text: str) -> str:
    """Remove citations in brackets and the space before them."""
    if "@" not in text:
        return text
    marked = _CITATION_PATTERN.sub(lambda match: match[0] if match["inside"] is None else "\0", text)
    return re.sub(r"(?<![ \t])[ \t]*\0", "", marked)


def index_by_key(publications: Sequence[Publication]) -> Mapping[str, Publication]:
    """Publications by key, including the keys of their preprints; the first of two equal keys wins."""
    preprint_keys = {key: paper for paper in publications for key in paper.preprints}
    return preprint_keys | {paper.key: paper for paper in reversed(publications)}


def iterate_markdown(value: Any) -> Iterator[str]:
    """All Markdown texts in a value of the model."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for child in value:
            yield from iterate_markdown(child)
    elif isinstance(value, Record):
        for name in _markdown_fields(type(value)):
            yield from iterate_markdown(getattr(value, name))


def list_texts_without_citations(site: Site) -> set[str]:
    """The texts of publications with an "@", a sign as in an abstract: only texts of the author cite."""
    return {
        text
        for entry in site.iterate_entries()
        if isinstance(entry, Publication)
        for text in iterate_markdown(entry)
        if "@" in text
    }


@cache
def _markdown_fields(cls: type[Record]) -> tuple[str, ...]:
    """Fields of a record that contain Markdown, directly or in nested values."""
    hints = get_type_hints(cls)
    return tuple(name for name in field_names(cls) if _has_markdown_type(hints[name], cls))


def _has_markdown_type(hint: Any, owner: type[Record]) -> bool:
    """Whether an annotation has Markdown somewhere: `tuple[Markdown, ...]`, or a record with such a field."""
    if hint is Markdown or hint is owner:
        return True
    if get_args(hint):
        return any(_has_markdown_type(part, owner) for part in get_args(hint))
    return isinstance(hint, type) and issubclass(hint, Record) and bool(_markdown_fields(hint))


_CITATION_IN_SOURCE = rf"(?si)(?<![\w.@/\\])@{_CITATION_KEY}|{LATEX_CITATION.pattern}"
r"""@lee2020, and \cite{lee2020}; ada@example.edu and \@lee are none."""


def check_citations(site: Site, library: CitationLibrary, problems: Problems) -> None:
    """
    Report each citation without a publication, and each in LaTeX, at its places in the source.

    A citation that is not found in its file, because it is written with escapes, is reported at its entry.
    """
    profile = next((f for f in ("content/profile.yaml", "content/profile.yml") if problems.has_source(f)), "")
    sources: list[tuple[Any, Place]] = [(site.profile, Place(profile)), (site.settings, Place("site.yaml"))]
    for collection in site.collections.values():
        sources += [(e, e.source) for e in collection.entries if not isinstance(e, Publication)]
    sources += [(paper.body, Place("content/publications.yaml")) for paper in site.publications if paper.body]
    found = _find_unresolved(sources, library)
    texts = dict(problems.source_texts()) if found else {}

    @cache
    def index_citations(file: str) -> Mapping[str, list[Place]]:
        """The places of each citation in a file, by its text."""
        places: dict[str, list[Place]] = {}
        for match in re.finditer(_CITATION_IN_SOURCE, texts.get(file, "")):
            places.setdefault(match[0], []).append(problems.locate(file, *match.span()))
        return places

    for (file, citation), (code, entry_place) in found.items():
        message, hint, replacement = _describe_citation(code, citation, library, problems)
        # it is no mistake after all
        if not message:
            continue
        for place in index_citations(file).get(citation, [entry_place]):
            edits = (Edit(place, replacement),) if replacement and place.length else ()
            problems.report(code, place, message, hint, edits)


def _find_unresolved(
    sources: Sequence[tuple[Any, Place]], library: CitationLibrary
) -> dict[tuple[str, str], tuple[str, Place]]:
    """The problem code and the place of each unresolved citation, by its file and text."""
    found: dict[tuple[str, str], tuple[str, Place]] = {}
    for value, place in sources:
        for text in iterate_markdown(value):
            for code, citation in library.resolve_citations(text).unresolved:
                # a certain one, [@kim], takes the place of a doubtful one, @kim
                if code != "doubtful-citation" or (place.file, citation) not in found:
                    found[place.file, citation] = code, place
    return found


def _describe_citation(
    code: str, citation: str, library: CitationLibrary, problems: Problems
) -> tuple[str, str, str]:
    """
    The message for a citation, "" if there is none; a repair; and the text that is certainly meant or "".

    "@leee2020" -> did you mean "@lee2020"; "\\cite{lee}" -> write [@lee]; "@me" in a text,
    "doubtful-citation", is none if no key is like it.
    """
    key = citation[1:]
    if code == "doubtful-citation":
        similar_keys = difflib.get_close_matches(key, library.publications, n=1, cutoff=0.8)
        if not similar_keys:
            return "", "", ""
        hint = f'did you mean "@{similar_keys[0]}"? If not, write \\@{key}'
        return f"“@{key}” looks like a citation", hint, ""

    latex = LATEX_CITATION.fullmatch(citation)
    if latex:
        keys = [key for key, _ in find_cited_keys(latex)]
        unknown_key = next((key for key in keys if key not in library.publications), "")
        if unknown_key:
            similar = find_similar_word(unknown_key, library.publications)
            message = f'no .bib file has the key "{unknown_key}", and {citation} is shown as it is written'
            return (
                message,
                f"did you mean [@{similar}]?" if similar else "write [@key], with the key of an entry",
                "",
            )
        prefix, note = read_notes(latex)
        translation = f"[{prefix}{'; '.join(f'@{key}' for key in keys)}{', ' if note else ''}{note}]"
        return f"{citation} is shown as it is written", f"write {translation}", translation

    place = problems.find_entry(key)
    if place is not None:
        hint = f"its entry is in {place.file}, line {place.line}: cite another entry, or show this one"
        return f'"{key}" is not shown as a publication, and cannot be cited', hint, ""
    otherwise = f"add its entry to a .bib file, or write \\@{key} if this is not a citation"
    corrected = next(
        (f"@{known}" for known in library.publications if known.casefold() == key.casefold()), ""
    )
    hint = suggest_word(key, library.publications, otherwise)
    return f'no .bib file has the key "{key}"', hint, corrected
