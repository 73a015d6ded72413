"""Publications that another system keeps one by one, as BibTeX: front matter, a citation in prose, an entry of cite.bib."""

import html
import re
from collections.abc import Mapping, Sequence
from urllib.parse import unquote

from tenure.model.identifiers import find_arxiv, find_doi, parse_doi
from tenure.model.publication_types import VENUE_FIELDS
from tenure.problems import Problems
from tenure.record import Record
from tenure.sources.bibtex.latex import latex_to_text
from tenure.sources.bibtex.reader import CITATION_KEY, TYPE_KEY, read_bibtex
from tenure.sources.bibtex.splitter import split_entries
from tenure.sources.bibtex.writer import (
    format_bib_entry,
    guess_entry_type,
    join_author_names,
)
from tenure_import.source import Data, Entry, get_items, get_mapping, get_text, join_texts

TYPES: Mapping[str, str] = {
    **dict.fromkeys(("journal", "journals", "manuscripts", "article", "article-journal", "2", "journal-article"), "article"),
    **dict.fromkeys(("conference", "conferences", "workshop", "1", "paper-conference", "conference-paper"), "inproceedings"),
    **dict.fromkeys(("book", "books", "5"), "book"),
    **dict.fromkeys(("chapter", "chapters", "6"), "incollection"),
    **dict.fromkeys(("thesis", "theses", "7", "phd"), "phdthesis"),
    **dict.fromkeys(("report", "reports", "4", "working-paper"), "techreport"),
    **dict.fromkeys(("preprint", "preprints", "3"), "misc"),
}  # fmt: skip
"""The words and numbers for the kind of a publication, and the types of BibTeX."""

LINK_FIELDS = ("pdf", "code", "slides", "video", "poster", "website", "url", "preprint", "supp")
COPIED_FIELDS = (
    "volume", "number", "pages", "publisher", "award", "abbr", "editor", "series", "issn", "isbn", "pmid",
)  # fmt: skip

_INITIALS = r"(?:[A-ZÀ-ÞŁŚŻČŠŽ]\.?[\s-]?){1,4}"
_INVERTED = re.compile(rf"([^,;]+,\s*{_INITIALS})(?:\s*[,;]\s*|\s*$)")
"""A name as in APA style: "Doe, J. A."."""

_VANCOUVER = re.compile(r"((?:[a-z]{1,3}\s)*[^\W\d_][\w'’-]+)\s+((?:[A-ZÀ-Þ]\.?-?){1,3})")
"""A name as in Vancouver style: "van Doe JA"."""

_FULL_NAME = re.compile(
    r"(?!(?:The|In|On|An|For|My|This)\s|A\s[a-z])[^\W\d_][\w.'’-]*(?:[\s,]+(?:[^\W\d_a-zà-ÿ][\w.'’-]*|d[aeiou]s?|de[lnr]?|v[ao]n|zu|zur|ter?n?|el|al|bin|la|le|y|e))+\.?"
)


def split_authors(text: str) -> list[str]:
    """
    The names in one text; [] if that is not certain.

    "Doe, J., & Roe, R." -> "Doe, J.", "Roe, R."; "Ada Doe, Bo Roe et al." -> "Ada Doe", "Bo Roe", "others".
    """
    text = re.sub(r"\*\*|__|(?<!\w)[*_]|[*_](?!\w)|<[^<>]*>|[†‡]|^\W+", "", html.unescape(text[:20_000]))
    text = " ".join(text.split()).strip(' ,;:("“”')
    others = re.search(r"[,\s]*\bet\.? al\b|[,\s]*\.\.\.|…", text)
    text = text[: others.start()] if others else text
    text = re.sub(r"(?:\s*,)?\s+(?:and|&|und)\s+", "; ", text)
    inverted = _INVERTED.findall(text)
    if inverted and re.sub(r"[\s,;.]", "", "".join(inverted)) == re.sub(r"[\s,;.]", "", text):
        names = inverted
    elif ";" in text and all("," in part for part in text.split(";")):
        names = text.split(";")
    else:
        names = re.split(r"\s*[,;]\s*", text)
    names = [name.strip() for name in names if name.strip(" .")]
    short = [_VANCOUVER.fullmatch(name.rstrip(".")) for name in names]
    if names and all(short):
        names = [
            f"{match[1]}, {' '.join(f'{c}.' for c in match[2] if c.isalpha())}" for match in short if match
        ]
    is_certain = bool(names) and all(len(name) < 80 and _FULL_NAME.fullmatch(name) for name in names)
    return [*names, *(["others"] if others else [])] if is_certain else []


def list_authors(data: Data) -> list[str]:
    """The authors of an entry: a list of names, or a text with several; a name may be a mapping of its parts."""
    names: list[str] = []
    for item in get_items(data):
        mapping = get_mapping(item)
        full = join_texts(mapping, "given", "family") or join_texts(mapping, "firstname", "lastname")
        full = full or join_texts(mapping, "first", "last")
        name = item if isinstance(item, str) else get_text(mapping, "name") or full
        has_several = re.search(r"\s(?:and|&)\s|;|,.*,", name) or (isinstance(data, str) and "," in name)
        names += (split_authors(name) if has_several else []) or [name]
    return [name for name in names if name]


class Publication(Record):
    """An entry of BibTeX: its type and its fields in Markdown; `is_certain` is false if its authors could not be read."""

    kind: str
    fields: Mapping[str, str]
    is_certain: bool = True


def convert_publication(data: Entry, links: Mapping[str, str], abstract: str) -> Publication:
    """Front matter with the keys `title`, `author`, `venue`, `citation` … as BibTeX; `links` have their new URLs."""
    title, citation = get_text(data, "title"), get_text(data, "citation")
    venue = re.sub(
        r"\*|(?<!\w)_|_(?!\w)|<[^<>]*>|\[([^\]]*)\]\([^)]*\)", r"\1", get_text(data, "venue")
    ).strip(" .,")
    venue = re.sub(r"^In:?\s+(?=[A-Z])", "", venue)
    kinds = (TYPES.get(str(item).casefold(), "") for item in get_items(data, "type"))
    kind = next(filter(None, kinds), "") or guess_entry_type(venue, title)
    names = list_authors(data.get("author", ""))
    if not names and citation:
        head = re.split(r"\(?\b(?:1[5-9]|20)\d\d|[\"“]|&quot;", citation, maxsplit=1)[0]
        names = split_authors(head.split(title[:40] or "\0")[0])
    if (
        not names and citation and _VOLUME.search(citation)
    ):  # "W. Li, C. Zhao, and X. Li, Phys. Rev. A 113, 1 (2021)"
        leading = re.match(rf"(?:{_INITIALS}\s*[^\W\d_][\w'’-]+(?:,\s*(?:and\s+)?|\s+and\s+))+", citation)
        names = split_authors(leading[0]) if leading else []
    date = re.match(r"\d{4}(?:-\d\d(?!-01-01))?", get_text(data, "date").replace("-01-01", ""))
    texts = " ".join([*links.values(), venue, citation])
    own_doi = get_text(data, "doi")
    doi = parse_doi(own_doi) or find_doi(f"{own_doi} {links.get('url', '')} {citation}")
    arxiv = find_arxiv(texts)
    fields = {
        "title": title,
        "author": join_author_names(names),
        VENUE_FIELDS.get(kind, "howpublished"): venue,
        "date": date[0] if date else get_text(data, "date", "year"),
        "doi": doi,
        **({"eprint": arxiv, "archiveprefix": "arXiv"} if arxiv else {}),
        **{name: url for name, url in links.items() if url and not (doi and unquote(url).endswith(doi))},
        "abstract": abstract,
        "keywords": ", ".join(item for item in get_items(data, "tags") if isinstance(item, str)),
        "selected": "true" if get_text(data, "selected") == "true" else "",
        "note": "" if names or not citation else citation,
        **{name: get_text(data, name) for name in COPIED_FIELDS},
    }
    return Publication(
        kind, {name: text for name, text in fields.items() if text}, bool(names) or not citation
    )


_VOLUME = re.compile(r"\d+\s*[,(:]\s*\d+")


class Bibliography:
    """The entries of the new bib/papers.bib by key."""

    def __init__(self) -> None:
        self.entries: dict[str, str] = {}
        self.titles: set[str] = set()

    def add(self, kind: str, fields: Mapping[str, str], key: str = "", bibtex: str = "") -> str:
        """Add an entry and return its key; `bibtex` is the same entry in LaTeX, whose fields are kept as they are."""
        node = next(iter(read_bibtex(bibtex, "", Problems()).entries), None) if bibtex.strip() else None
        latex: dict[str, str] = {}
        if node is not None:
            key, kind = node.mapping[CITATION_KEY].text, node.mapping[TYPE_KEY].text
            latex = {name: value.text for name, value in node.mapping.items() if name[0] != "@"}
        given = {*latex} | ({"date"} if {"year", "date"} & latex.keys() else set())
        given |= (
            {*VENUE_FIELDS.values(), "howpublished"}
            if {*VENUE_FIELDS.values(), "journaltitle"} & latex.keys()
            else set()
        )
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
    """A title without case, markup and punctuation, for comparison."""
    return re.sub(
        r"[\W_]", "", re.sub(r"<[^<>]*>|\[([^\]]*)\]\([^)]*\)", r"\1", html.unescape(title))
    ).casefold()


def list_bib_titles(text: str) -> list[str]:
    """The titles of the entries of a .bib file."""
    titles: list[str] = []
    for entry in split_entries(text):
        fields = dict(entry.fields)
        raw = re.sub(r'^["{\s]+|["}\s]+$', "", fields.get("title", ""))
        titles.append(latex_to_text(raw).text)
    return titles


def find_frequent_author(texts: Sequence[str]) -> str:
    """The author of most entries of .bib files; "" without authors."""
    counts: dict[str, int] = {}
    for text in texts:
        for entry in read_bibtex(text, "", Problems()).entries:
            names = latex_to_text(entry.child("author").text).text.split(" and ")
            for name in names:
                family, comma, given = name.partition(",")
                full = f"{given.strip()} {family.strip()}" if comma else name.strip()
                if full and full != "others" and "{" not in name:
                    counts[full] = counts.get(full, 0) + 1
    return max(counts, key=lambda name: (counts[name], len(name)), default="")
