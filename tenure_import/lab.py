"""Labs on Jekyll: members, citations and projects of lab-website-template, and the profiles of al-folio's people pages."""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

from tenure.record import replace
from tenure.sources.bibtex.writer import guess_entry_type, join_author_names
from tenure_import.engine import Document, Import
from tenure_import.publications import fold_title
from tenure_import.samples import is_sample_person, is_sample_text
from tenure_import.source import (
    Data,
    Entry,
    drop_empty,
    get_entries,
    get_items,
    get_mapping,
    get_text,
    get_texts,
    split_front_matter,
)

ROLE_WORDS: Mapping[str, str] = {
    "pi": "Principal Investigator", "principal-investigator": "Principal Investigator", "postdoc": "Postdoctoral Researcher",
    "phd": "PhD Student", "masters": "Master's Student", "undergrad": "Undergraduate Student", "programmer": "Programmer", "mascot": "Mascot",
}  # fmt: skip
"""The words that lab-website-template shows for a role."""

GROUP_NAMES: Mapping[str, str] = {"alum": "alumni", "former": "alumni", "past": "alumni"}
MEMBER_KEYS = ("aliases", "start", "end", "interests", "advisor", "email", "url", "thesis")


def read_lab(run: Import) -> None:
    """Members, citations and projects of a lab; the site of several members is that of a group."""
    types = run.source.data("_data/types.yaml", "_data/types.yml")
    own_words = (
        {key: get_text(value, "description") for key, value in types.items()}
        if isinstance(types, dict)
        else {}
    )
    words = {**ROLE_WORDS, **{key: text for key, text in own_words.items() if text}}
    run.documents = [
        replace(document, front=_read_member(run, document, words)) if document.list == "people" else document
        for document in run.documents
    ]
    _read_profile_pages(run)
    if sum(document.list == "people" for document in run.documents) > 1:
        run.profile["kind"] = "group"
        run.profile.pop("photo", None)
    _read_citations(run)
    _read_projects(run)


def _read_member(run: Import, document: Document, words: Mapping[str, str]) -> Entry:
    """The front matter of a member with Tenure's keys."""
    front = document.front
    role = get_text(front, "role", "position")
    group = get_text(front, "group", "status")
    links: Entry = {}
    pairs: list[tuple[str, Data]] = [*get_mapping(front, "links").items()]
    pairs += [
        (key, front[key])
        for key in ("website", "orcid", "github", "twitter", "linkedin", "scholar")
        if key in front
    ]
    for key, value in pairs:
        text = value.strip() if isinstance(value, str) else ""
        if text and "mail" not in key:
            links[key.replace("home-page", "website")] = (
                text.split("&")[0] if key == "google-scholar" else text
            )
    addresses = [get_text(get_mapping(front, "links"), "email", "mail"), get_text(front, "email")]
    if isinstance(front.get("links"), str) and front["links"]:
        run.note(document.name, f"links: {front['links']}")
    known = {key: front[key] for key in MEMBER_KEYS if key in front}
    return drop_empty(
        {
            "name": get_text(front, "name", "title"),
            "role": get_text(front, "description") or words.get(role.casefold(), role),
            "group": ""
            if known.get("end")
            else GROUP_NAMES.get(group.casefold(), group)
            or ("alumni" if document.name.startswith("_alumni/") else ""),
            "image": get_text(front, "image", "img", "photo", "avatar"),
            "organization": get_text(front, "affiliation"),
            **known,
            "email": next(filter(None, addresses), ""),
            "links": links,
        }
    )


def _read_profile_pages(run: Import) -> None:
    """The people of al-folio's pages with the layout `profiles`; the file with the text of a person is no page."""
    for page in [d for d in run.documents if get_text(d.front, "layout") == "profiles"]:
        found = 0
        for person in get_entries(page.front, "profiles"):
            name = f"_pages/{get_text(person, 'content')}"
            front, body = split_front_matter(run.source.text(name))
            heading = re.match(r"\s*#+\s+(.+)\n*", body)
            stem = re.sub(r"^about[_-]?", "", PurePosixPath(name).stem)
            title = get_text(front, "name") or (heading[1].strip() if heading else "")
            title = title or " ".join(re.split(r"[_-]+", stem)).title()
            run.documents = [document for document in run.documents if document.name != name]
            if not body or is_sample_person(title) or is_sample_text(body) or "einstein" in stem:
                run.note(page.name, f"profiles: {name} is sample content, or missing")
                continue
            found += 1
            entry = drop_empty({"name": title, "image": get_text(person, "image")})
            text = body[heading.end() :] if heading else body
            run.documents.append(Document(name, "people", entry, text, f"/people/{stem}/"))
            if info := get_text(person, "more_info"):
                run.note(name, f"more_info: {' '.join(re.sub(r'<[^<>]*>', ' ', info).split())}")
        if found:
            run.documents.remove(page)


def _read_citations(run: Import) -> None:
    """_data/citations.yaml, which the template makes from identifiers."""
    name = next(iter(run.source.find(r"_data/citations\.ya?ml")), "")
    known = frozenset(run.bibliography.titles)
    for item in get_entries(run.source.data(name)):
        title = get_text(item, "title")
        if not title or fold_title(title) in known:
            continue
        kind, _, number = get_text(item, "id").partition(":")
        venue = get_text(item, "publisher", "journal")
        entry_type = guess_entry_type(venue, title)
        fields = {
            "title": run.line(title, name),
            "author": join_author_names(get_texts(item, "authors")),
            {"article": "journal", "inproceedings": "booktitle"}.get(entry_type, "publisher"): venue,
            "date": get_text(item, "date"),
            {"doi": "doi", "pubmed": "pmid", "arxiv": "eprint"}.get(kind, "url"): number
            if kind in ("doi", "pubmed", "arxiv")
            else get_text(item, "link"),
            "archiveprefix": "arXiv" if kind == "arxiv" else "",
        }
        key = run.bibliography.add(entry_type, fields)
        links: Entry = {}
        for button in get_entries(item, "buttons"):
            if url := run.resolve(get_text(button, "link")):
                links[get_text(button, "text") or get_text(button, "type").capitalize() or "link"] = url
        if repository := get_text(item, "repo"):
            links.setdefault("code", f"https://github.com/{repository}")
        description = get_text(item, "description")
        text = "" if is_sample_text(description) else run.line(description, name)
        overlay = drop_empty(
            {"image": run.value(get_text(item, "image"), name, "image"), "text": text, "links": links}
        )
        if overlay:
            run.overlays.append({"key": key, **overlay})


def _read_projects(run: Import) -> None:
    """_data/projects.yaml of the template; its sample projects are left out."""
    name = next(iter(run.source.find(r"_data/projects\.ya?ml")), "")
    if not any(document.list == "people" for document in run.documents):
        return
    for item in get_entries(run.source.data(name)):
        repository = get_text(item, "repo")
        if re.fullmatch(r"Cool \w+", get_text(item, "title")) or is_sample_text(
            get_text(item, "description")
        ):
            run.note(name, f"{get_text(item, 'title')}: sample content of the template")
            continue
        values: Entry = {
            "title": get_text(item, "title", "name"),
            "tagline": get_text(item, "subtitle"),
            "summary": get_text(item, "description"),
            "image": get_text(item, "image"),
            "url": get_text(item, "link", "url", "website"),
            "code": f"https://github.com/{repository}" if repository else "",
            "tags": get_items(item, "tags"),
        }
        run.add_entry("projects", "", run.entry("projects", drop_empty(values), name))
