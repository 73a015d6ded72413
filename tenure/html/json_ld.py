"""Describes a page with the vocabulary of schema.org, as JSON-LD."""

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from tenure.html.citation_tags import find_own_pdf
from tenure.markdown.html import plain_text
from tenure.model.dates import Period
from tenure.model.entries import Entry, Person, Post, Project, Publication, Talk
from tenure.model.links import Link
from tenure.model.names import Author, parse_owner_name
from tenure.model.people import person_page_path
from tenure.model.publication_types import find_reference_type, publisher_or_institution, split_page_range
from tenure.model.site import Site
from tenure.plan.pages import Page, entry_page_path
from tenure.record import Record

MAX_LIST_ITEMS = 100
"""Maximum length of an ItemList; a list of 10,000 entries would double the size of its page."""

ORCID_URL_PREFIX = "https://orcid.org/"


def format_script_json(value: object, *, ordered: bool = False) -> str:
    """JSON that cannot end a script element or begin a comment (HTML, 4.12.1.3)."""
    json_text = json.dumps(
        value, ensure_ascii=False, sort_keys=ordered, separators=(",", ":") if not ordered else None
    )
    for character in "<>&":
        if character in json_text:
            json_text = json_text.replace(character, f"\\u{ord(character):04x}")
    return json_text


def find_orcid(urls: Sequence[str]) -> str:
    """The first ORCID URL among some URLs, or ""."""
    return next((url for url in urls if url.startswith(ORCID_URL_PREFIX)), "")


class JsonLdBuilder(Record):
    """
    Describes the pages of a site; `site_url` is the site's URL without its last slash, or "".

    URLs of the site are written only if `site_url` is set. `owner` is the complete Person of the profile, `owner_reference`
    the short form for other nodes.
    """

    site: Site
    site_url: str
    owner: dict[str, Any]
    owner_reference: dict[str, Any]

    @classmethod
    def for_site(cls, site: Site, site_url: str) -> "JsonLdBuilder":
        """Build the descriptions that all pages of a site share."""
        profile = site.profile
        if profile.is_group:
            return cls(site, site_url, *_describe_group(site, site_url))
        urls = _web_urls(profile.links)
        name = parse_owner_name(profile.name)
        owner_reference = {
            "@type": "Person",
            "@id": find_orcid(urls) or (f"{site_url}/#me" if site_url else "#me"),
            "name": profile.name,
        }
        owner = {
            **owner_reference,
            "givenName": name.given,
            "familyName": name.family_with_particle,
            "alternateName": [alias for alias in profile.aliases if "," not in alias],
            "jobTitle": plain_text(profile.role),
            "affiliation": [
                _describe_organization(affiliation.name, affiliation.url, affiliation.ror)
                for affiliation in profile.affiliation
            ],
            "alumniOf": _describe_schools(site),
            "award": _award_names(site),
            "knowsAbout": [plain_text(interest) for interest in profile.interests],
            "image": _file_url(site, site_url, profile.photo),
            "url": f"{site_url}/" if site_url else "",
            "sameAs": urls,
        }
        return cls(site, site_url, _drop_empty_values(owner), owner_reference)

    def describe_page(self, page: Page) -> dict[str, Any]:
        """A page as JSON-LD, with its @context."""
        page_url = self.site.locate_path(page.url_path) if self.site_url else ""
        if isinstance(page.entry, Publication):
            data = self.describe_publication(page.entry, page)
        elif page.kind == "home":
            data = {
                "@type": "ProfilePage",
                "name": page.title,
                "dateModified": self._last_update(),
                "mainEntity": self.owner,
                "isPartOf": self._describe_site(),
            }
        elif isinstance(page.entry, Person):
            membership = {"memberOf": self.owner_reference} if self.site.profile.is_group else {}
            person = _describe_person(self.site, page.entry, self.site_url)
            data = {"@type": "ProfilePage", "name": page.title, "mainEntity": person | membership}
        elif page.entry is not None and page.kind in ("project", "post"):
            data = self._describe_entry(page.entry, page)
        elif page.kind in ("cv", "page") and not any(section.items for section in page.sections):
            data = {"@type": "AboutPage", "name": page.title, "about": self.owner_reference}
        else:
            data = self._describe_list(page)
        language = {"inLanguage": str(page.language)} if page.versions else {}
        return {"@context": "https://schema.org", **_drop_empty_values({"url": page_url} | data | language)}

    def _last_update(self) -> str:
        updated = self.site.settings.updated
        return updated.iso if updated else ""

    def _describe_site(self) -> dict[str, Any]:
        return {
            "@type": "WebSite",
            "name": self.site.title,
            "url": self.site.absolute_url("/") if self.site_url else "",
        }

    def describe_publication(self, publication: Publication, page: Page) -> dict[str, Any]:
        """A publication; its authors in order, with their ORCID if known."""
        form, venue = find_reference_type(publication), publication.venue
        doi_url = f"https://doi.org/{publication.doi}" if publication.doi else ""
        first_page, last_page = split_page_range(plain_text(venue.pages))
        title, pdf = plain_text(publication.title), find_own_pdf(publication)
        publisher = publisher_or_institution(publication)
        arxiv_url = f"https://arxiv.org/abs/{publication.eprint}" if publication.eprint else ""
        return {
            "@type": form.schema,
            "@id": doi_url,
            "name": title,
            "headline": title,
            "author": [
                {**self.describe_author(author), "affiliation": _affiliations_of(author, publication)}
                for author in publication.authors.people
            ],
            **self._describe_contributors(publication),
            "datePublished": publication.date.iso if publication.date else "",
            "isPartOf": self._describe_container(publication, form.csl),
            "publisher": _describe_organization(publisher) if publisher else {},
            "pageStart": first_page,
            "pageEnd": last_page,
            "identifier": {"@type": "PropertyValue", "propertyID": "DOI", "value": publication.doi}
            if doi_url
            else {},
            "sameAs": [url for url in (doi_url, arxiv_url) if url],
            "abstract": plain_text(publication.abstract),
            "keywords": [plain_text(tag) for tag in publication.tags],
            "award": [plain_text(award) for award in publication.awards],
            "encoding": {
                "@type": "MediaObject",
                "encodingFormat": "application/pdf",
                "contentUrl": f"{self.site_url}{pdf}",
            }
            if pdf and self.site_url
            else {},
            "mainEntityOfPage": self._describe_web_page(page),
        }

    def _describe_contributors(self, publication: Publication) -> dict[str, list[dict[str, Any]]]:
        """The editors, the translators, and other people with a role, but not the authors of the book and the holder."""
        people: dict[str, list[dict[str, Any]]] = {"editor": [], "translator": [], "contributor": []}
        variable = {"": "editor", "translator": "translator"}.get(publication.editor_role, "contributor")
        people[variable] += map(self.describe_author, publication.editors.people)
        for fact in publication.facts:
            if fact.name not in ("bookauthor", "holder"):
                variable = "translator" if "translator" in (fact.name, fact.role) else "contributor"
                people[variable] += map(self.describe_author, fact.people.people)
        return people

    def _describe_container(self, publication: Publication, csl: str) -> dict[str, Any]:
        """The container of a publication: the issue and volume of a journal, or a book."""
        venue = publication.venue
        name = plain_text(venue.name)
        if not name:
            return {}
        if csl != "article-journal":
            schema_type = "Book" if csl in ("paper-conference", "chapter") else "CreativeWork"
            return {"@type": schema_type, "name": name}
        container: dict[str, Any] = {"@type": "Periodical", "name": name}
        if venue.volume:
            number = plain_text(venue.volume)
            container = {"@type": "PublicationVolume", "volumeNumber": number, "isPartOf": container}
        if venue.number:
            number = plain_text(venue.number)
            container = {"@type": "PublicationIssue", "issueNumber": number, "isPartOf": container}
        return container

    def describe_people(self, ids: Sequence[str]) -> list[dict[str, Any]] | dict[str, Any]:
        """The people of content/people.yaml with these ids; without one of them, the owner of the site."""
        people = [_describe_person(self.site, p, self.site_url) for p in self.site.people if p.id in ids]
        return people or self.owner_reference

    def describe_author(self, author: Author) -> dict[str, Any]:
        """An author, with the identifier if it is known."""
        people = [p for p in self.site.people if p.id == author.person] if author.person else []
        if people:
            return {**_refer_to_person(people[0], self.site_url), "name": author.name.full_name}
        if author.me:
            return {**self.owner_reference, "name": author.name.full_name}
        if author.name.group:
            return {"@type": "Organization", "name": author.name.group}
        return {
            "@type": "Person",
            "@id": find_orcid([author.url]),
            "name": author.name.full_name,
            "url": author.url,
        }

    def _describe_web_page(self, page: Page) -> dict[str, Any]:
        parent_path = f"/{page.path.split('/')[1]}/"
        translations = self.site.active_theme.translations
        name = translations.get(f"page_{parent_path.strip('/')}", parent_path.strip("/"))
        levels = [(name, parent_path), (page.title, page.path)]
        items = [
            {
                "@type": "ListItem",
                "position": number,
                "name": title,
                **({"item": self.site.absolute_url(path)} if self.site_url else {}),
            }
            for number, (title, path) in enumerate(levels, 1)
        ]
        breadcrumb = {"@type": "BreadcrumbList", "itemListElement": items}
        return {"@type": "WebPage", "isPartOf": self._describe_site(), "breadcrumb": breadcrumb}

    def _describe_entry(self, entry: Entry, page: Page) -> dict[str, Any]:
        """A project or a post of the site."""
        has_code = isinstance(entry, Project) and any(
            link.label in ("Code", "GitHub") for link in entry.links
        )
        work_type = "SoftwareSourceCode" if has_code else "CreativeWork"
        schema_type = "BlogPosting" if isinstance(entry, Post) else work_type
        modified = entry.updated.iso if isinstance(entry, Post) and entry.updated else ""
        return {
            "@type": schema_type,
            "name": page.title,
            "headline": page.title,
            "description": page.description,
            "author": self.describe_people(entry.people),
            "datePublished" if isinstance(entry, Post) else "dateCreated": _start_date(entry.entry_period),
            "dateModified": modified,
            "keywords": [plain_text(tag) for tag in entry.tags],
            "mainEntityOfPage": self._describe_web_page(page),
        }

    def _describe_list(self, page: Page) -> dict[str, Any]:
        items_by_entry = {id(item.entry): item for section in page.sections for item in section.items}
        items = [*items_by_entry.values()]
        elements = []
        for number, item in enumerate(items[:MAX_LIST_ITEMS], 1):
            element: dict[str, Any] = {"@type": "ListItem", "position": number}
            path = entry_page_path(item.entry) or (f"{page.path}#{item.id}" if item.id else "")
            if isinstance(item.entry, Talk):
                element["item"] = self._describe_event(item.entry)
            else:
                element["name"] = plain_text(item.entry.name)
                element["url"] = self.site.absolute_url(path) if self.site_url and path else ""
            elements.append(element)
        item_list = {"@type": "ItemList", "numberOfItems": len(items), "itemListElement": elements}
        return {
            "@type": "CollectionPage",
            "name": page.title,
            "about": self.owner_reference,
            "mainEntity": item_list,
        }

    def _describe_event(self, talk: Talk) -> dict[str, Any]:
        location = {"@type": "Place", "name": plain_text(talk.place)} if talk.place else {}
        return {
            "@type": "Event",
            "name": plain_text(talk.title or talk.event or talk.place),
            "superEvent": {"@type": "Event", "name": plain_text(talk.event)}
            if talk.title and talk.event
            else {},
            "startDate": _start_date(talk.date),
            "location": location,
            "performer": self.describe_people(talk.people),
        }


def _refer_to_person(person: Person, site_url: str) -> dict[str, Any]:
    """A person of the site: the ORCID, or the page, as identifier."""
    path = person_page_path(person)
    page_url = f"{site_url}{path}" if site_url and path else ""
    orcid = find_orcid([link.url for link in person.links])
    return {
        "@type": "Person",
        "@id": orcid or page_url,
        "name": plain_text(person.title),
        "url": page_url or person.url,
    }


def _describe_person(site: Site, person: Person, site_url: str) -> dict[str, Any]:
    return {
        **_refer_to_person(person, site_url),
        "jobTitle": plain_text(person.role),
        "knowsAbout": [plain_text(interest) for interest in person.interests],
        "image": _file_url(site, site_url, person.image),
        "sameAs": _web_urls(person.links),
    }


def _describe_group(site: Site, site_url: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """A group with its members and former members, and the short form for other nodes."""
    profile = site.profile
    identifier = _describe_organization(profile.name, "", profile.ror)["@id"]
    reference = {
        "@type": "ResearchProject" if profile.kind == "project" else "ResearchOrganization",
        "@id": identifier or (f"{site_url}/#group" if site_url else "#group"),
        "name": profile.name,
    }
    former = [person for person in site.people if person.has_left(site.settings.updated)]
    members = [person for person in site.people if person not in former]
    group = {
        **reference,
        "alternateName": [*profile.aliases],
        "description": plain_text(profile.tagline),
        "parentOrganization": [
            _describe_organization(parent.name, parent.url, parent.ror) for parent in profile.affiliation
        ],
        "member": [_describe_person(site, person, site_url) for person in members],
        "alumni": [_refer_to_person(person, site_url) for person in former],
        "award": _award_names(site),
        "knowsAbout": [plain_text(interest) for interest in profile.interests],
        "address": profile.location,
        "logo": _file_url(site, site_url, profile.photo),
        "url": f"{site_url}/" if site_url else "",
        "sameAs": _web_urls(profile.links),
    }
    return _drop_empty_values(group), reference


def _start_date(period: Period | None) -> str:
    return period.start.iso if period and period.start else ""


def _web_urls(links: Sequence[Link]) -> list[str]:
    return [link.url for link in links if link.url.startswith("http")]


def _file_url(site: Site, site_url: str, name: str) -> str:
    """The URL of a file that the sources name; "" without a file, or without the URL of the site."""
    if not site_url or not name:
        return ""
    matches = [path for path in sorted(site.files) if path == name or path.endswith(f"/{name}")]
    return f"{site_url}/{quote(matches[0] if matches else name.lstrip('/'))}"


def _describe_organization(name: str, url: str = "", ror: str = "") -> dict[str, Any]:
    """An organization; its ROR identifier as a URL."""
    identifier = f"https://ror.org/{ror.rpartition('/')[2]}" if ror else ""
    return {"@type": "Organization", "@id": identifier, "name": plain_text(name), "url": url}


def _affiliations_of(author: Author, publication: Publication) -> list[dict[str, Any]]:
    return [
        _describe_organization(affiliation.name, affiliation.url, affiliation.ror)
        for affiliation in publication.affiliations
        if author in affiliation.select_authors(publication.authors)
    ]


def _describe_schools(site: Site) -> list[dict[str, Any]]:
    names = dict.fromkeys(entry.name for entry in site.iterate_entries("education"))
    return [{"@type": "CollegeOrUniversity", "name": plain_text(name)} for name in names]


def _award_names(site: Site) -> list[str]:
    return [plain_text(entry.name) for entry in site.iterate_entries("awards")]


def _drop_empty_values(value: Any) -> Any:
    if type(value) is dict:
        return {
            name: child if type(child) is str else reduced
            for name, child in value.items()
            if child and (type(child) is str or (reduced := _drop_empty_values(child)))
        }
    return [_drop_empty_values(child) for child in value] if type(value) is list else value
