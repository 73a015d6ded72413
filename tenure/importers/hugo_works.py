"""Imports publications of a Hugo site (a folder each, with index.md and cite.bib) to BibTeX and content/publications.yaml."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from tenure.importers.entries import address_of, date_of
from tenure.importers.gathering import Entry, Gathering, Taken, words_of
from tenure.importers.hugo_bundles import LOOKS, Bundle, bundles, links_of, old_addresses, picture_of
from tenure.importers.hugo_config import Hugo
from tenure.importers.hugo_texts import HugoTexts
from tenure.importers.latex_text import joined_names
from tenure.importers.references import arxiv_in, doi_in, numbers_in
from tenure.importers.samples import is_sample
from tenure.importers.works import VENUE_OF, Works, entry_in, kind_of, page_of
from tenure.sources.tree import Node

FOLDERS = ("publication", "publications", "papers", "paper")
KINDS: Mapping[str, str] = {
    "1": "inproceedings", "2": "article", "3": "misc", "4": "techreport", "5": "book", "6": "incollection", "7": "phdthesis",
    "8": "patent", "paper-conference": "inproceedings", "article-journal": "article", "article": "misc", "manuscript": "misc",
    "report": "techreport", "book": "book", "chapter": "incollection", "thesis": "phdthesis", "patent": "patent",
    "speech": "misc", "dataset": "dataset", "software": "software", "article-newspaper": "article", "article-magazine": "article",
}  # fmt: skip
"""BibTeX entry type for each number (Academic and Wowchemy) and CSL type (Hugo Blox)."""

IDS: Mapping[str, str] = {
    "openreview": "https://openreview.net/forum?id={}", "acl_id": "https://aclanthology.org/{}",
    "hal": "https://hal.science/{}", "dblp": "https://dblp.org/rec/{}.html", "osf": "https://osf.io/{}",
    "zenodo": "https://zenodo.org/records/{}", "openalex": "https://openalex.org/{}",
    "semanticscholar": "https://www.semanticscholar.org/paper/{}", "pwc": "https://paperswithcode.com/paper/{}",
    "huggingface_model": "https://huggingface.co/{}", "huggingface_dataset": "https://huggingface.co/datasets/{}",
    "huggingface_space": "https://huggingface.co/spaces/{}",
}  # fmt: skip
"""URL pattern for each identifier of the newest generation."""

FIELDS = frozenset({"pdf", "code", "slides", "poster", "video", "website", "supp"})
"""Links with a BibTeX field of their own."""


def put_works(
    texts: HugoTexts, site: Hugo, names: Mapping[str, str]
) -> tuple[dict[str, list[str]], dict[str, str]]:
    """
    Import every publication; `names_by_user` has people's names by user name.

    Returns the keys of each project's publications, and the key of each publication by the name of its folder.
    """
    works = Works(texts.gathering)
    related: dict[str, list[str]] = {}
    for bundle in bundles(texts, site, FOLDERS):
        key, projects = _put_work(works, site, bundle, names)
        for project in projects:
            related.setdefault(project, []).append(key)
    works.write()
    return related, works.keys


def _put_work(works: Works, site: Hugo, bundle: Bundle, names: Mapping[str, str]) -> tuple[str, list[str]]:
    """Import one publication. Returns its key and the projects that it refers to."""
    gathering, taken, here = bundle.texts.gathering, bundle.taken, bundle.texts
    name = gathering.name_of(bundle.path)
    raw = _cited(gathering, bundle.path)
    kinds = [words_of(node) for node in taken.list("publication_types", "publication_type")]
    venue, given = _venue(here, taken)
    title = here.line(taken.words("title"), taken.place)
    kind = next((KINDS[one] for one in kinds if one in KINDS), "") or kind_of(venue, title)
    if raw is not None and (raw.entries["@kind"].words != "misc" or kind == "misc"):
        kind = raw.entries["@kind"].words
    links = links_of(here, taken, gathering)
    more: Entry = {"abbr": _bare(here.line(taken.words("publication_short"), taken.place))}
    fields = {
        "title": title,
        "subtitle": here.line(taken.words("subtitle"), taken.place),
        "author": _authors(taken, names, more),
        "date": _date(taken, raw),
        **_abstract(here, taken),
        "keywords": ", ".join(words_of(node) for node in (*taken.list("tags"), *taken.list("categories"))),
        "selected": "true" if taken.words("featured").casefold() == "true" else "",
        **_identified(taken, links),
        **{label: url for label, url in links.items() if label in FIELDS},
    }
    if not (raw is not None and {"journal", "booktitle", "journaltitle"} & raw.entries.keys()):
        fields[VENUE_OF.get(kind, "howpublished")] = venue
        fields |= given
    more |= {
        "links": _labelled(links),
        "image": picture_of(here, taken, bundle.path),
        "text": _text(bundle, fields),
    }
    _beside(here, bundle, fields)
    draft = taken.words("draft").casefold() == "true"
    more |= {"draft": "true"} if draft else {}
    key = works.add(kind, fields, more, name, raw=raw, name=bundle.name)
    projects = [words_of(node).casefold() for node in taken.list("projects")]
    taken.drop(*LOOKS, "highlight", "highlight_name", "publication_type")
    for address in () if draft else old_addresses(site, bundle):
        gathering.moved(name, address, page_of(key))
    taken.finish()
    return key, projects


def _cited(gathering: Gathering, path: Path) -> Node | None:
    """Return the entry of cite.bib or another .bib file of the folder, or None."""
    if path.stem not in ("index", "_index"):
        return None
    found = [
        one for one in gathering.below(gathering.name_of(path.parent), ".bib") if one.parent == path.parent
    ]
    text = gathering.text(found[0]) if found else None
    return entry_in(text) if text else None


def _bare(words: str) -> str:
    words = re.sub(r"[*_]+", "", words).strip(" .,;")
    return re.sub(r"^(?:In|in)[:\s]+", "", words)


def _venue(texts: HugoTexts, taken: Taken) -> tuple[str, dict[str, str]]:
    """Return the venue, and volume, number and pages if they follow its name."""
    written = re.sub(r"^\s*[Ii]n\s+(?=[*_\"A-Z])", "", texts.line(taken.words("publication"), taken.place))
    emphasised = re.match(r"\s*([*_])(?P<name>[^*_]+)\1[\s,.]*(?P<rest>.*)$", written)
    if emphasised and not re.search(r"[A-Za-z]{4}", re.sub(r"pages|vol(?:ume)?", "", emphasised["rest"])):
        return emphasised["name"].strip(), numbers_in(f", {re.sub(r'[*_]', '', emphasised['rest'])}")
    return _bare(written), {}


def _authors(taken: Taken, names: Mapping[str, str], more: Entry) -> str:
    """Return the `author` field, with a mark for equal contribution; other author notes go to `note` of the overlay."""
    notes = [words_of(node) for node in taken.list("author_notes")]
    made: list[str] = []
    told: list[str] = []
    for i, node in enumerate(taken.list("authors", "author")):
        written = re.sub(r"[*_]{2}", "", words_of(node)).strip()
        user = re.sub(r"[\s_]+", "-", written).casefold()
        name = names.get(written.casefold()) or names.get(user) or written
        note = notes[i] if i < len(notes) else ""
        if re.search(r"equal|joint (?:first|lead)|co-?first", note, re.IGNORECASE):
            name = f"{name}*" if not name.endswith("*") else name
        elif note:
            told.append(f"{name}: {note}")
        made.append(name)
    if told:
        more["note"] = "; ".join(told)
    return joined_names(made)


def _date(taken: Taken, raw: Node | None) -> str:
    """Return the publication date; 1 January is read as the year alone, unless cite.bib has a month."""
    when = date_of(taken.words("date", "year"))
    taken.drop("publishDate", "publishdate", "lastmod", "year")
    if when.endswith("-01-01") and not (raw is not None and "month" in raw.entries):
        return when[:4]
    return when


def _abstract(texts: HugoTexts, taken: Taken) -> dict[str, str]:
    """Return the field `abstract`: the abstract, else the summary."""
    abstract, summary = (texts.inner(taken.words(key), taken.place) for key in ("abstract", "summary"))
    abstract, summary = ("" if is_sample(words) else words for words in (abstract, summary))
    if abstract and summary and summary[:60] != abstract[:60]:
        texts.gathering.left(taken.place, f"summary: {summary[:90]} (its abstract was imported)")
    return {"abstract": abstract or summary}


def _identified(taken: Taken, links: dict[str, str]) -> dict[str, str]:
    """Return DOI, arXiv number and URL from any field or link; other identifiers are added to `links`."""
    block = taken.node_of("hugoblox")
    ids = block.entries["ids"].entries if block is not None and "ids" in block.entries else {}
    known = {key: words_of(node) for key, node in ids.items() if words_of(node)}
    links |= {key: form.format(known[key]) for key, form in IDS.items() if key in known}
    written = taken.words("doi", "DOI") or known.get("doi", "")
    found = {"doi": doi_in(written) or doi_in(links.get("doi", ""))}
    links.pop("doi", None)
    if written and not found["doi"] and address_of(written):
        links.setdefault("url", address_of(written))
    arxiv = known.get("arxiv") or next((number for url in links.values() if (number := arxiv_in(url))), "")
    if arxiv:
        found |= {"eprint": arxiv, "archiveprefix": "arXiv"}
        for label in [
            label
            for label, url in links.items()
            if arxiv in url and label.casefold() in ("preprint", "arxiv", "url")
        ]:
            del links[label]
    found["url"] = links.pop("url", "")
    return {key: value for key, value in found.items() if value}


def _labelled(links: Mapping[str, str]) -> dict[str, str]:
    return {label: url for label, url in links.items() if label not in FIELDS}


def _text(bundle: Bundle, fields: Mapping[str, str]) -> str:
    body = "" if is_sample(bundle.prose.body) else bundle.body()
    if is_sample(bundle.prose.body):
        bundle.texts.gathering.left(
            bundle.place, "sample content of the template: the text of the publication"
        )
    return "" if body == fields.get("abstract") else body


def _beside(texts: HugoTexts, bundle: Bundle, fields: dict[str, str]) -> None:
    """Use the PDF with the name of its folder as the publication's PDF."""
    found = (
        texts.gathering.below(texts.gathering.name_of(bundle.path.parent), ".pdf")
        if bundle.path.stem == "index"
        else []
    )
    beside: Sequence[Path] = [
        path for path in found if path.parent == bundle.path.parent and path.stem == bundle.name
    ]
    if beside and not fields.get("pdf"):
        fields["pdf"] = texts.gathering.copy(texts.gathering.name_of(beside[0]))
