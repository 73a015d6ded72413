"""Citations in Markdown texts: `[@key, p. 3]` and `@key` become author and year."""

import difflib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, get_args, get_type_hints

from tenure.model.entries import Entry, Markdown, Publication
from tenure.model.latex_citations import LATEX_CITATION, find_cited_keys, read_notes
from tenure.model.names import Name, is_cjk_text
from tenure.model.publication_links import escape_text
from tenure.model.site import Site
from tenure.problems import Edit, Place, Problems, find_similar_word, suggest_word
from tenure.record import Record, field_names, replace

_CITATION_KEY = r"[\w](?:[\w:.#$%&+?~/-]*[\w/])?"
_LITERAL_TEXT = r"""^(?P<fence>```+|~~~+).*?^(?P=fence)[^\n]*$|(?P<tick>`+).*?(?P=tick)|\$\$.*?\$\$|(?<![\\$\w])\$(?=\S)[^$\n]*?[^\s$\\]\$(?![\d$])|<[^<>\n]*>"""
"""Code, formulas and tags, in which nothing is a citation."""

_CITATION_PATTERN = re.compile(
    rf"""(?P<literal>{_LITERAL_TEXT}
    |\]\([^()\n]*\)|\\[\\@\[]|(?<=[\w.@/])@)
    |\[(?P<inside>[^\[\]\n]*?(?<![\w.@/\\])-?@{_CITATION_KEY}[^\[\]]*)\](?!\()
    |(?<![\w.@/\\])@(?P<bare>{_CITATION_KEY})""",
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)
_LATEX_CITATION_PATTERN = re.compile(
    rf"{_LITERAL_TEXT}|(?P<citation>{LATEX_CITATION.pattern})", re.DOTALL | re.MULTILINE | re.IGNORECASE
)
_CITATION_PART = re.compile(rf"(?P<before>.*?)(?P<bare>-?)@(?P<key>{_CITATION_KEY})(?P<after>.*)", re.DOTALL)


class CitedText(Record):
    """A text with citations as links, the cited publications in order, and the keys that are not found."""

    text: Markdown
    publications: tuple[Publication, ...]
    unknown_keys: tuple[str, ...]
    doubtful_keys: tuple[str, ...]


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

        Source: Pandoc User's Guide, "Citation syntax". A bare @word without a publication is not changed and is one
        of `doubtful_keys`; in brackets it is one of `unknown_keys`.
        """
        if "@" not in text:
            return CitedText(Markdown(text), (), (), ())
        cited: list[Publication] = []
        unknown_keys: list[str] = []
        doubtful_keys: list[str] = []

        def replace_citation(match: re.Match[str]) -> str:
            if match["literal"] is not None:
                return "@" if match["literal"] == "\\@" else match[0]
            if match["bare"]:
                paper = self.publications.get(match["bare"])
                if paper is None:
                    doubtful_keys.append(match["bare"])
                    return match[0]
                cited.append(paper)
                return self._link_label(paper, f"{self.format_authors(paper)} ({self._year_text(paper)})")
            resolved_parts = [
                self._resolve_part(part, cited, unknown_keys) for part in match["inside"].split(";")
            ]
            return f"({self.translations['semicolon'].join(resolved_parts)})"

        resolved_text = _CITATION_PATTERN.sub(replace_citation, text)
        return CitedText(
            Markdown(resolved_text), tuple(dict.fromkeys(cited)), tuple(unknown_keys), tuple(doubtful_keys)
        )

    def _resolve_part(self, part: str, cited: list[Publication], unknown_keys: list[str]) -> str:
        match = _CITATION_PART.fullmatch(part.strip())
        if match is None:
            return part.strip()
        paper = self.publications.get(match["key"])
        if paper is None:
            unknown_keys.append(match["key"])
            return part.strip()
        cited.append(paper)
        label = (
            self._year_text(paper)
            if match["bare"]
            else self.translations["comma"].join((self.format_authors(paper), self._year_text(paper)))
        )
        return f"{match['before']}{self._link_label(paper, label)}{match['after']}"

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
        return str(paper.date.year) if paper.date and paper.date.year else self.translations["no_date"]

    def format_reference(self, paper: Publication) -> Markdown:
        """A publication as one line of a list of references."""
        people = paper.authors.people or paper.editors.people
        names = [escape_text(author.name.full_name) for author in people]
        authors = self.translations["comma"].join(names[:6]) + (
            f" {self.translations['et_al']}" if len(names) > 6 or paper.authors.others else ""
        )
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
    fragments: list[str] = []
    position = 0
    for match in _CITATION_PATTERN.finditer(text):
        if match["inside"] is not None:
            fragments.append(text[position : match.start()].rstrip(" \t"))
            position = match.end()
    return "".join((*fragments, text[position:]))


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


@cache
def _markdown_fields(cls: type[Record]) -> tuple[str, ...]:
    """Fields of a record that contain Markdown, directly or in nested values."""
    hints = get_type_hints(cls)
    return tuple(name for name in field_names(cls) if _has_markdown_type(hints[name], cls))


def _has_markdown_type(hint: Any, owner: type[Record]) -> bool:
    if hint is Markdown or hint is owner:
        return True
    if get_args(hint):
        return any(_has_markdown_type(part, owner) for part in get_args(hint))
    return isinstance(hint, type) and issubclass(hint, Record) and bool(_markdown_fields(hint))


def check_citations(site: Site, library: CitationLibrary, problems: Problems) -> None:
    """Report each citation without a publication, and each in LaTeX, at its places in the source."""
    profile = next((f for f in ("content/profile.yaml", "content/profile.yml") if problems.has_source(f)), "")
    sources: list[tuple[Any, Place]] = [(site.profile, Place(profile)), (site.settings, Place("site.yaml"))]
    for collection in site.collections.values():
        sources += [(e, e.source) for e in collection.entries if not isinstance(e, Publication)]
    sources += [(paper.body, Place("content/publications.yaml")) for paper in site.publications if paper.body]
    issues: dict[tuple[str, str], tuple[_CitationIssue | None, Place]] = {}
    for value, entry_place in sources:
        for text in iterate_markdown(value):
            for citation, describe in _find_wrong_citations(text, library, problems).items():
                key = entry_place.file, citation
                if key not in issues:
                    issues[key] = describe(), entry_place
    texts = dict(problems.source_texts()) if issues else {}

    @cache
    def index_citations(file: str) -> Mapping[str, list[Place]]:
        places: dict[str, list[Place]] = {}
        for match in _CITATION_IN_SOURCE.finditer(texts.get(file, "")):
            places.setdefault(match[0], []).append(problems.locate(file, *match.span()))
        return places

    for (file, citation), (issue, entry_place) in issues.items():
        if issue is None:
            continue
        for place in index_citations(file).get(citation, [entry_place]):
            edits = (Edit(place, issue.replacement),) if issue.replacement and place.length else ()
            problems.report(issue.code, place, issue.message, issue.hint, edits)


class _CitationIssue(Record):
    """The problem of a citation; `replacement` is the text that is certainly meant, or ""."""

    code: str
    message: str
    hint: str
    replacement: str = ""


_CITATION_IN_SOURCE = re.compile(
    rf"(?<![\w.@/\\])@{_CITATION_KEY}|{LATEX_CITATION.pattern}", re.DOTALL | re.IGNORECASE
)


def _find_wrong_citations(
    text: str, library: CitationLibrary, problems: Problems
) -> Mapping[str, Callable[[], _CitationIssue | None]]:
    """The citations of a text that are not found or in LaTeX, each with the function that describes its problem."""
    if "@" not in text and "cite" not in text:
        return {}
    cited = library.resolve_citations(text)
    found: dict[str, Callable[[], _CitationIssue | None]] = {}
    for key in cited.unknown_keys:
        found[f"@{key}"] = partial(_describe_unknown_key, key, library, problems)
    for key in cited.doubtful_keys:
        found.setdefault(f"@{key}", partial(_describe_doubtful_key, key, library))
    for match in _LATEX_CITATION_PATTERN.finditer(text) if "cite" in text else ():
        if match["citation"]:
            found[match["citation"]] = partial(_describe_latex_citation, match, library)
    return found


def _describe_doubtful_key(key: str, library: CitationLibrary) -> _CitationIssue | None:
    """The problem of a word after @ that is almost a key, else None."""
    similar = difflib.get_close_matches(key, library.publications, n=1, cutoff=0.8)
    if not similar:
        return None
    hint = f'did you mean "@{similar[0]}"? If not, write \\@{key}'
    return _CitationIssue("doubtful-citation", f"“@{key}” looks like a citation", hint)


def _describe_latex_citation(match: re.Match[str], library: CitationLibrary) -> _CitationIssue:
    r"""The problem of a citation in LaTeX (`\cite{key}`), which readers see as it is written."""
    citation, keys = match["citation"], [key for key, _ in find_cited_keys(match)]
    unknown_key = next((key for key in keys if key not in library.publications), "")
    if unknown_key:
        similar = find_similar_word(unknown_key, library.publications)
        message = f'no .bib file has the key "{unknown_key}", and {citation} is shown as it is written'
        hint = f"did you mean [@{similar}]?" if similar else "write [@key], with the key of an entry"
        return _CitationIssue("latex-citation", message, hint)
    prefix, note = read_notes(match)
    translation = f"[{prefix}{'; '.join(f'@{key}' for key in keys)}{', ' if note else ''}{note}]"
    message, hint = f"{citation} is shown as it is written", f"write {translation}"
    return _CitationIssue("latex-citation", message, hint, translation)


def _describe_unknown_key(key: str, library: CitationLibrary, problems: Problems) -> _CitationIssue:
    """The problem of a citation whose key is not found."""
    entry_place = problems.find_entry(key)
    if entry_place is not None:
        hint = f"its entry is in {entry_place.file}, line {entry_place.line}: cite another entry, or show this one"
        message = f'"{key}" is not shown as a publication, and cannot be cited'
        return _CitationIssue("unknown-citation", message, hint)
    otherwise = f"add its entry to a .bib file, or write \\@{key} if this is not a citation"
    hint = suggest_word(key, library.publications, otherwise)
    corrected_key = next((known for known in library.publications if known.casefold() == key.casefold()), "")
    replacement = f"@{corrected_key}" if corrected_key else ""
    return _CitationIssue("unknown-citation", f'no .bib file has the key "{key}"', hint, replacement)
