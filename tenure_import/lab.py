"""
Labs on Jekyll: the members and the citations of lab-website-template.

A member is a document of _members/;
a citation is an item of a data file, with an identifier such as doi:10.1000/1.
"""

from collections.abc import Mapping

from tenure.model.identifiers import make_arxiv_url
from tenure.record import replace
from tenure_import.imported_document import Document
from tenure_import.importer import Import
from tenure_import.publications import fold_title
from tenure_import.source import (
    Data,
    Entry,
    drop_empty,
    get_entries,
    get_mapping,
    get_text,
    get_texts,
    keep_keys,
)

ROLE_WORDS: Mapping[str, str] = {
    "pi": "Principal Investigator",
    "principal-investigator": "Principal Investigator",
    "postdoc": "Postdoctoral Researcher",
    "phd": "PhD Student",
    "masters": "Master's Student",
    "undergrad": "Undergraduate Student",
    "programmer": "Programmer",
    "mascot": "Mascot",
}
"""The words that lab-website-template shows for a role."""

GROUP_NAMES: Mapping[str, str] = {"alum": "alumni", "former": "alumni", "past": "alumni"}
MEMBER_KEYS = ("aliases", "start", "end", "interests", "advisor", "email", "url", "thesis")
SERVICE_KEYS = ("website", "orcid", "github", "twitter", "linkedin", "scholar")


def read_lab(run: Import) -> None:
    """Members and citations of a lab; the site of several members is that of a group."""
    types = get_mapping(run.source.data("_data/types.yaml", "_data/types.yml"))
    own_words = drop_empty({key: get_text(value, "description") for key, value in types.items()})
    words = {**ROLE_WORDS, **{key: str(text) for key, text in own_words.items()}}
    run.documents = [
        replace(document, front=_read_member(run, document, words)) if document.list == "people" else document
        for document in run.documents
    ]

    if sum(document.list == "people" for document in run.documents) > 1:
        run.profile["kind"] = "group"
        run.profile.pop("photo", None)
    _read_citations(run)


def _read_member(run: Import, document: Document, words: Mapping[str, str]) -> Entry:
    """The front matter of a member with Tenure's keys."""
    front = document.front
    own_links = get_mapping(front, "links")
    if text := get_text(front, "links"):
        run.note(document.name, f"links: {text}")

    role = get_text(front, "role", "position")
    default = "alumni" if document.name.startswith("_alumni/") else ""
    group = get_text(front, "group", "status") or default
    known = {key: front[key] for key in MEMBER_KEYS if key in front}
    return drop_empty(
        {
            "name": get_text(front, "name", "title"),
            "role": get_text(front, "description") or words.get(role.casefold(), role),
            # a member with an end is a former one, and needs no group for it
            "group": "" if known.get("end") else GROUP_NAMES.get(group.casefold(), group),
            "image": get_text(front, "image", "img", "photo", "avatar"),
            "organization": get_text(front, "affiliation"),
            **known,
            "email": get_text(own_links, "email", "mail") or get_text(front, "email"),
            "links": _read_accounts({**own_links, **keep_keys(front, *SERVICE_KEYS)}),
        }
    )


def _read_accounts(data: Entry) -> Entry:
    """The accounts of a member by the names of services."""
    links: Entry = {}
    for key, value in data.items():
        if isinstance(value, str) and "mail" not in key:
            text = value.strip()
            if key == "google-scholar":
                text = text.split("&")[0]
            links[key.replace("home-page", "website")] = text
    return drop_empty(links)


def _read_citations(run: Import) -> None:
    """_data/citations.yaml, which the template makes from identifiers such as doi:10.1000/1."""
    name = next(iter(run.source.find(r"_data/citations\.ya?ml")), "")
    known = {"", *run.bibliography.titles}

    for item in get_entries(run.source.data(name)):
        title = get_text(item, "title")
        if fold_title(title) in known:
            continue
        kind, _, number = get_text(item, "id").partition(":")
        values: Entry = {
            "title": title,
            "author": [*get_texts(item, "authors")],
            "venue": get_text(item, "publisher", "journal"),
            "date": get_text(item, "date"),
            "doi": number if kind == "doi" else "",
            "pmid": number if kind == "pubmed" else "",
            "preprint": make_arxiv_url(number) if kind == "arxiv" else "",
            "url": "" if kind in ("doi", "pubmed", "arxiv") else get_text(item, "link"),
            "image": get_text(item, "image"),
            "links": _list_buttons(item),
        }
        run.add_publication(values, get_text(item, "description"), name)


def _list_buttons(item: Entry) -> list[Data]:
    """The links of a citation, and that to its repository."""
    buttons: list[Data] = []
    for button in get_entries(item, "buttons"):
        name = get_text(button, "text") or get_text(button, "type").capitalize()
        buttons.append({"url": get_text(button, "link"), "name": name})
    if repository := get_text(item, "repo"):
        buttons.append({"url": f"https://github.com/{repository}", "name": "code"})
    return buttons
