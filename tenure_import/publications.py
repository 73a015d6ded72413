"""
Publications that another system keeps one by one, as BibTeX.

A `Publication` comes from front matter, a citation in prose, or an entry of cite.bib; the `Bibliography`
gathers them.
"""

import html
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from urllib.parse import unquote

from tenure.model.identifiers import find_arxiv, find_doi, parse_doi
from tenure.model.publications import VENUE_FIELDS
from tenure.problems import Problems
from tenure.record import Record
from tenure.sources.bibtex.bib_text import split_entries
from tenure.sources.bibtex.bib_writer import (
    format_bib_entry,
    guess_entry_type,
    join_author_names,
)
from tenure.sources.bibtex.reader import CITATION_KEY, TYPE_KEY, read_bibtex
from tenure.sources.latex.conversion import latex_to_text
from tenure_import.source import Data, Entry, get_items, get_mapping, get_text, get_texts, join_texts

LINK_FIELDS = ("pdf", "code", "slides", "video", "poster", "website", "url", "preprint", "supp")
COPIED_FIELDS = tuple("volume number pages publisher award abbr editor series issn isbn pmid".split())

PUBLICATION_KEYS = frozenset(
    """
    abstract author authors bibtex_entry citation date description doi draft id image journal link links name
    permalink redirect_from releaseDate selected summary tags title type venue year
    """.split()
).union(LINK_FIELDS, COPIED_FIELDS)
"""The keys of a publication that become a field; others are reported."""

_INITIALS = r"(?:[A-ZÀ-ÞŁŚŻČŠŽ]\.?[\s-]?){1,4}"
"""J. A., JA, J.-P."""

_INVERTED = re.compile(rf"([^,;]+,\s*{_INITIALS})(?:\s*[,;]\s*|\s*$)")
"""A name as in APA style: "Doe, J. A."."""

_VANCOUVER = re.compile(r"((?:[a-z]{1,3}\s)*[^\W\d_][\w'’-]+)\s+((?:[A-ZÀ-Þ]\.?-?){1,3})")
"""A name as in Vancouver style: "van Doe JA"."""

_FULL_NAME = re.compile(
    r"""
    (?!(?:The|In|On|An|For|My|This)\s|A\s[a-z])
    [^\W\d_][\w.'’-]*
    (?:[\s,]+(?:
        [^\W\d_a-zà-ÿ][\w.'’-]*
        |d[aeiou]s?|de[lnr]?|v[ao]n|zu|zur|ter?n?|el|al|bin|la|le|y|e
    ))+\.?
    """,
    re.VERBOSE,
)
"""A name of two words and more, not the beginning of a sentence: "Ludwig van Beethoven"."""


def split_authors(text: str) -> list[str]:
    """
    The names in one text; [] if that is not certain.

    "Doe, J., & Roe, R." -> "Doe, J.", "Roe, R."; "Ada Doe, Bo Roe et al." -> "Ada Doe", "Bo Roe", "others".
    """
    # without the marks of emphasis, tags, and daggers: "**Doe, J.**†" -> "Doe, J."
    text = re.sub(r"\*\*|__|(?<!\w)[*_]|[*_](?!\w)|<[^<>]*>|[†‡]|^\W+", "", html.unescape(text[:20_000]))
    text = " ".join(text.split()).strip(' ,;:("“”')
    others = re.search(r"[,\s]*\bet\.? al\b|[,\s]*\.\.\.|…", text)
    if others:
        text = text[: others.start()]

    names = _split_names(re.sub(r"(?:\s*,)?\s+(?:and|&|und)\s+", "; ", text))
    if not all(len(name) < 80 and _FULL_NAME.fullmatch(name) for name in names):
        return []
    return [*names, "others"] if names and others else names


def _split_names(text: str) -> list[str]:
    """
    The parts of a list of names: "Ada Doe, Bo Roe" -> "Ada Doe", "Bo Roe"; "Doe, J., Roe, R." -> "Doe, J.", …

    Those in Vancouver style, "Doe JA, Roe R", become "Doe, J. A.", "Roe, R.".
    """
    inverted = _INVERTED.findall(text)
    # all of the text is such names
    if inverted and re.sub(r"[\s,;.]", "", "".join(inverted)) == re.sub(r"[\s,;.]", "", text):
        names = inverted
    # "Doe, Ada; Roe, Bo": the comma is within a name
    elif ";" in text and all("," in part for part in text.split(";")):
        names = text.split(";")
    else:
        names = re.split(r"\s*[,;]\s*", text)
    names = [name.strip() for name in names if name.strip(" .")]

    short = [_VANCOUVER.fullmatch(name.rstrip(".")) for name in names]
    if all(short):
        names = [f"{match[1]}, {_format_initials(match[2])}" for match in short if match]
    return names


def _format_initials(text: str) -> str:
    """Initials with points: "JA" -> "J. A."."""
    return " ".join(f"{letter}." for letter in text if letter.isalpha())


def list_authors(data: Data) -> list[str]:
    """
    The authors of an entry: a list of names, or a text with several; a name may be a mapping of parts.

    [{given: Ada, family: Doe}, Bo Roe] and "Ada Doe and Bo Roe" -> "Ada Doe", "Bo Roe"
    """
    names: list[str] = []
    for item in get_items(data):
        mapping = get_mapping(item)
        full = join_texts(mapping, "given", "family") or join_texts(mapping, "firstname", "lastname")
        full = full or join_texts(mapping, "first", "last")
        name = item if isinstance(item, str) else get_text(mapping, "name") or full
        # "Ada Doe and Bo Roe", "Doe, A.; Roe, B."; one name of a list may have one comma: "Doe, Ada"
        has_several = re.search(r"\s(?:and|&)\s|;|,.*,", name) or (isinstance(data, str) and "," in name)
        own_names = split_authors(name) if has_several else []
        names += own_names or [name]
    return [name for name in names if name]


class Publication(Record):
    """An entry of BibTeX: its type, and its fields in Markdown."""

    kind: str
    fields: Mapping[str, str]
    is_certain: bool = True
    """Whether its authors could be read."""


TYPES: Mapping[str, str] = {
    **dict.fromkeys(
        "journal journals manuscripts article article-journal 2 journal-article".split(), "article"
    ),
    **dict.fromkeys(
        "conference conferences workshop 1 paper-conference conference-paper".split(), "inproceedings"
    ),
    **dict.fromkeys("book books 5".split(), "book"),
    **dict.fromkeys("chapter chapters 6".split(), "incollection"),
    **dict.fromkeys("thesis theses 7 phd".split(), "phdthesis"),
    **dict.fromkeys("report reports 4 working-paper".split(), "techreport"),
    **dict.fromkeys("preprint preprints 3".split(), "misc"),
}
"""The words and numbers for the kind of a publication, and the types of BibTeX."""

_MARKUP_OF_VENUE = re.compile(r"\*|(?<!\w)_|_(?!\w)|<[^<>]*>|\[(?P<label>[^\]]*)\]\([^)]*\)")
"""*Caches*, <i>Caches</i>, [Caches](url): the marks go, the label stays."""


def convert_publication(data: Entry, links: Mapping[str, str], abstract: str) -> Publication:
    """
    Front matter with the keys `title`, `author`, `citation` … as BibTeX; `links` have their new URLs.

    Without authors that can be read with certainty, the whole citation is kept as a note.
    """
    title = get_text(data, "title")
    citation = get_text(data, "citation")
    # "In *Proceedings of Looms*." -> "Proceedings of Looms"
    venue = _MARKUP_OF_VENUE.sub(r"\g<label>", get_text(data, "venue")).strip(" .,")
    venue = re.sub(r"^In:?\s+(?=[A-Z])", "", venue)
    kinds = (TYPES.get(str(item).casefold(), "") for item in get_items(data, "type"))
    kind = next(filter(None, kinds), "") or guess_entry_type(venue, title)
    names = list_authors(data.get("author", "")) or _read_cited_authors(citation, title)

    # "2020-01-01" -> "2020", "2020-03-15" -> "2020-03"
    date = re.match(r"\d{4}(?:-\d\d)?", get_text(data, "date").replace("-01-01", ""))
    own_doi = get_text(data, "doi")
    doi = parse_doi(own_doi) or find_doi(f"{own_doi} {links.get('url', '')} {citation}")
    arxiv = find_arxiv(" ".join([*links.values(), venue, citation]))
    is_certain = bool(names) or not citation
    fields = {
        "title": title,
        "author": join_author_names(names),
        VENUE_FIELDS.get(kind, "howpublished"): venue,
        "date": date[0] if date else get_text(data, "date", "year"),
        "doi": doi,
        "eprint": arxiv,
        "archiveprefix": "arXiv" if arxiv else "",
        # https://doi.org/10.1/x says what the DOI says
        **{name: url for name, url in links.items() if not doi or not unquote(url).endswith(doi)},
        "abstract": abstract,
        "keywords": ", ".join(get_texts(data, "tags")),
        "selected": "true" if get_text(data, "selected") == "true" else "",
        "note": "" if is_certain else citation,
        **{name: get_text(data, name) for name in COPIED_FIELDS},
    }
    return Publication(kind, {name: text for name, text in fields.items() if text}, is_certain)


_VOLUME = re.compile(r"\d+\s*[,(:]\s*\d+")
"""12(3), 12, 5: what stands behind the name of a journal."""


def _read_cited_authors(citation: str, title: str) -> list[str]:
    """
    The authors of a citation in prose: those before its year, a quotation mark or the title.

    "Doe, J. (2020). Looms.", "Looms" -> "Doe, J."; [] if that is not certain.
    """
    head = re.split(r"\(?\b(?:1[5-9]|20)\d\d|[\"“]|&quot;", citation, maxsplit=1)[0]
    names = split_authors(head.split(title[:40] or "\0")[0])
    if names or not _VOLUME.search(citation):
        return names
    # "W. Li, C. Zhao, and X. Li, Phys. Rev. A 113, 1 (2021)"
    leading = re.match(rf"(?:{_INITIALS}\s*[^\W\d_][\w'’-]+(?:,\s*(?:and\s+)?|\s+and\s+))+", citation)
    return split_authors(leading[0]) if leading else []


class Bibliography:
    """The entries of the new bib/papers.bib by key."""

    def __init__(self) -> None:
        self.entries: dict[str, str] = {}
        self.titles: set[str] = set()

    def add(self, kind: str, fields: Mapping[str, str], key: str = "", bibtex: str = "") -> str:
        """
        Add an entry and return its key; `bibtex` is the same entry in LaTeX, whose fields are kept.

        A field is added only where `bibtex` has none that says the same.
        """
        node = next(iter(read_bibtex(bibtex, "", Problems()).entries), None) if bibtex.strip() else None
        latex: dict[str, str] = {}
        if node is not None:
            key = node.mapping[CITATION_KEY].text
            kind = node.mapping[TYPE_KEY].text
            latex = {name: value.text for name, value in node.mapping.items() if name[0] != "@"}

        # the fields that the entry has, also under another name: `year` is the date, `booktitle` a venue
        given = {*latex}
        venue_fields = {*VENUE_FIELDS.values()}
        if "year" in latex:
            given.add("date")
        if "journaltitle" in latex or venue_fields & latex.keys():
            given |= {*venue_fields, "howpublished"}
        own_fields = {name: text for name, text in fields.items() if name not in given}
        key, entry = format_bib_entry(kind, key, own_fields, self.entries, latex)
        self.entries[key] = entry
        self.add_title(fields.get("title", "") or latex_to_text(latex.get("title", "")).text)
        return key

    def add_title(self, title: str) -> None:
        """Remember the title of a publication that a file of the source has."""
        self.titles.add(fold_title(title))

    def has_title(self, title: str) -> bool:
        """Whether a publication with this title was imported."""
        return fold_title(title) in self.titles - {""}


def fold_title(title: str) -> str:
    """A title without case, markup and punctuation, for comparison: "On <i>Looms</i>!" -> "onlooms"."""
    plain = re.sub(r"<[^<>]*>|\[([^\]]*)\]\([^)]*\)", r"\1", html.unescape(title))
    return re.sub(r"[\W_]", "", plain).casefold()


def list_bib_titles(text: str) -> list[str]:
    """The titles of the entries of a .bib file; "" for an entry without one."""
    titles: list[str] = []
    for entry in split_entries(text):
        fields = dict(entry.fields)
        # "{{Looms}}" -> Looms
        raw = re.sub(r'^["{\s]+|["}\s]+$', "", fields.get("title", ""))
        titles.append(latex_to_text(raw).text)
    return titles


def find_frequent_author(texts: Sequence[str]) -> str:
    """The author of most entries of .bib files; "" without authors."""
    counts: Counter[str] = Counter()
    for text in texts:
        for entry in read_bibtex(text, "", Problems()).entries:
            for name in latex_to_text(entry.child("author").text).text.split(" and "):
                family, comma, given = name.partition(",")
                full = f"{given.strip()} {family.strip()}" if comma else name.strip()
                # "{The Loom Collaboration}" is no person
                if full and full != "others" and "{" not in name:
                    counts[full] += 1
    return max(counts, key=lambda name: (counts[name], len(name)), default="")
