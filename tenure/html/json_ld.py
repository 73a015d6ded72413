"""Describes a page with the vocabulary of schema.org, as JSON-LD."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any
from urllib.parse import quote

from tenure.markdown.html import plain_text
from tenure.model.dates import Date, Period
from tenure.model.entries import Affiliation, Education, Entry, Person, Post, Project, Publication
from tenure.model.links import Link
from tenure.model.names import Author, parse_owner_name
from tenure.model.people import person_page_path
from tenure.model.site import Site
from tenure.plan.pages import Page
from tenure.presentation.paper_record import make_record
from tenure.record import Record, encode_json

JsonObject = dict[str, Any]

ORCID_URL_PREFIX = "https://orcid.org/"

PUBLICATION_PROPERTIES: Mapping[str, str] = {
    "name": "title",
    "headline": "title",
    "datePublished": "date",
    "pageStart": "first_page",
    "pageEnd": "last_page",
    "abstract": "abstract",
}
"""The properties of a publication with the names of their texts in the record."""

CONTAINERS: Mapping[str, str] = {
    "article-journal": "Periodical",
    "chapter": "Book",
    "paper-conference": "Book",
}
"""The type of what a publication is in, by its type in CSL; CreativeWork for others."""


def format_script_json(value: object) -> str:
    """JSON that cannot end a script element or begin a comment (HTML, 4.12.1.3)."""
    json_text = encode_json(value)
    for character in "<>&":
        if character in json_text:
            json_text = json_text.replace(character, f"\\u{ord(character):04x}")
    return json_text


def find_orcid(urls: Sequence[str]) -> str:
    """The first ORCID URL among some URLs, or ""."""
    return next((url for url in urls if url.startswith(ORCID_URL_PREFIX)), "")


class JsonLdBuilder(Record, dict=True):
    """
    Describes the pages of a site; `site_url` is the site's URL without its last slash, or "".

    URLs of the site are written only if `site_url` is set.
    """

    site: Site
    site_url: str

    @property
    def _home_url(self) -> str:
        return f"{self.site_url}/" if self.site_url else ""

    @cached_property
    def owner_reference(self) -> JsonObject:
        """The owner in the short form for other nodes: a Person, or the organization of a group."""
        profile = self.site.profile
        if profile.is_group:
            identifier = _ror_url(profile.ror) or f"{self._home_url}#group"
        else:
            identifier = find_orcid(_web_urls(profile.links)) or f"{self._home_url}#me"
        schema_types = {"person": "Person", "project": "ResearchProject"}
        schema_type = schema_types.get(profile.kind, "ResearchOrganization")
        return {"@type": schema_type, "@id": identifier, "name": profile.name}

    @cached_property
    def owner(self) -> JsonObject:
        """The owner with all facts of the profile; a group with its members and former members."""
        site = self.site
        profile = self.site.profile
        organizations = [_describe_organization(affiliation) for affiliation in profile.affiliation]

        facts: JsonObject
        if profile.is_group:
            # a former member is named only: the page of the group is not about them
            former = [person for person in site.people if person.has_left(site.settings.updated)]
            facts = {
                "alternateName": [*profile.aliases],
                "description": plain_text(profile.tagline),
                "parentOrganization": organizations,
                "member": [self._describe_person(p) for p in site.people if p not in former],
                "alumni": [self._refer_to_person(person) for person in former],
                "address": profile.location,
            }
        else:
            name = parse_owner_name(profile.name)
            education = [entry for entry in site.iterate_entries("education") if isinstance(entry, Education)]
            # a degree may have no institution
            schools = dict.fromkeys(plain_text(e.institution) for e in education if e.institution)
            facts = {
                "givenName": name.given,
                "familyName": name.family_with_particle,
                # not "Example, Ada", a spelling of .bib files
                "alternateName": [alias for alias in profile.aliases if "," not in alias],
                "jobTitle": plain_text(profile.role),
                "affiliation": organizations,
                "alumniOf": [{"@type": "CollegeOrUniversity", "name": school} for school in schools],
            }

        facts |= {
            "award": [plain_text(entry.name) for entry in site.iterate_entries("awards")],
            "knowsAbout": [plain_text(interest) for interest in profile.interests],
            "logo" if profile.is_group else "image": self._file_url(profile.photo),
            "url": self._home_url,
            "sameAs": _web_urls(profile.links),
        }
        return {**self.owner_reference, **facts}

    def describe_page(self, page: Page) -> JsonObject:
        """
        A page as JSON-LD, with its @context: a publication, a project or a post, a person, or only a page.
        """
        entry = page.entry
        if isinstance(entry, Publication):
            data = self._describe_publication(entry, page)
        elif page.kind == "home":
            data = {"@type": "ProfilePage", "name": page.title, "mainEntity": self.owner}
            data |= {
                "dateModified": _write_day(self.site.settings.updated),
                "isPartOf": self._describe_site(),
            }
        elif isinstance(entry, Person):
            person = self._describe_person(entry)
            if self.site.profile.is_group:
                person["memberOf"] = self.owner_reference
            data = {"@type": "ProfilePage", "name": page.title, "mainEntity": person}
        elif entry is not None and page.kind in ("project", "post"):
            data = self._describe_entry(entry, page)
        else:
            data = {"@type": "WebPage", "name": page.title, "about": self.owner_reference}

        page_url = self.site.locate_path(page.url_path) if self.site_url else ""
        data = {"url": page_url} | data
        if page.versions:
            data["inLanguage"] = str(page.language)
        return {"@context": "https://schema.org", **_drop_empty_values(data)}

    def _describe_site(self) -> JsonObject:
        return {"@type": "WebSite", "name": self.site.title, "url": self._absolute_url("/")}

    def _absolute_url(self, path: str) -> str:
        """The URL of a path of the site, "" if it is unknown."""
        return self.site.absolute_url(path) if self.site_url and path else ""

    def _describe_publication(self, publication: Publication, page: Page) -> JsonObject:
        """A publication; its authors in order, with their ORCID if known."""
        record = make_record(publication)
        form = record.form
        texts = record.texts
        authors = []
        for author in publication.authors.people:
            places = [
                _describe_organization(place)
                for place in publication.affiliations
                if author in place.select_authors(publication.authors)
            ]
            authors.append(self._describe_author(author) | {"affiliation": places})

        people: dict[str, list[JsonObject]] = {"editor": [], "translator": [], "contributor": []}
        for role, others in record.people:
            # the authors of the book are not those of the chapter
            if role != "bookauthor":
                variable = {"": "editor", "translator": "translator"}.get(role, "contributor")
                people[variable] += map(self._describe_author, others.people)

        data = {
            "@type": form.schema,
            "@id": publication.doi_url,
            **{name: texts[text] for name, text in PUBLICATION_PROPERTIES.items()},
            "author": authors,
            **people,
            "isPartOf": {"@type": CONTAINERS.get(form.csl, "CreativeWork"), "name": texts["name"]},
            "publisher": {"@type": "Organization", "name": texts["organization"]},
            "sameAs": [publication.doi_url, publication.arxiv_url],
            "keywords": [*record.keywords],
            "award": [plain_text(award) for award in publication.awards],
            "mainEntityOfPage": self._describe_web_page(page),
        }
        if publication.doi:
            data["identifier"] = {"@type": "PropertyValue", "propertyID": "DOI", "value": texts["doi"]}
        if texts["pdf"] and self.site_url:
            file = {"@type": "MediaObject", "encodingFormat": "application/pdf"}
            data["encoding"] = file | {"contentUrl": f"{self.site_url}{texts['pdf']}"}
        return data

    def _describe_people(self, ids: Sequence[str]) -> list[JsonObject] | JsonObject:
        """The people of content/people.yaml with these ids; without one of them, the owner of the site."""
        return [self._describe_person(p) for p in self.site.people if p.id in ids] or self.owner_reference

    def _describe_author(self, author: Author) -> JsonObject:
        """An author, with the identifier if it is known: that of a person of the site, or an ORCID iD."""
        name = author.name.full_name
        for person in self.site.people:
            if author.person and person.id == author.person:
                return self._refer_to_person(person) | {"name": name}
        if author.me:
            return self.owner_reference | {"name": name}
        if author.name.group:
            return {"@type": "Organization", "name": name}
        return {"@type": "Person", "@id": find_orcid([author.url]), "name": name, "url": author.url}

    def _refer_to_person(self, person: Person) -> JsonObject:
        """A person of the site: the ORCID, or the page, as identifier."""
        path = person_page_path(person)
        page_url = ""
        if self.site_url and path:
            page_url = f"{self.site_url}{path}"
        return {
            "@type": "Person",
            "@id": find_orcid([link.url for link in person.links]) or page_url,
            "name": plain_text(person.title),
            "url": page_url or person.url,
        }

    def _describe_person(self, person: Person) -> JsonObject:
        """A person of the site with all facts; the others are in `_refer_to_person`."""
        return self._refer_to_person(person) | {
            "jobTitle": plain_text(person.role),
            "knowsAbout": [plain_text(interest) for interest in person.interests],
            "image": self._file_url(person.image),
            "sameAs": _web_urls(person.links),
        }

    def _file_url(self, name: str) -> str:
        """The URL of a file that the sources name; "" without a file, or without the URL of the site."""
        if not self.site_url or not name:
            return ""
        files = (path for path in sorted(self.site.files) if path == name or path.endswith(f"/{name}"))
        return f"{self.site_url}/{quote(next(files, name.lstrip('/')))}"

    def _describe_web_page(self, page: Page) -> JsonObject:
        """The page with its place in the site: "Publications" > "A title"."""
        folder = page.path.split("/")[1]
        levels = [
            (self.site.active_theme.translations.get(f"page_{folder}", folder), f"/{folder}/"),
            (page.title, page.path),
        ]
        items = [
            {"@type": "ListItem", "position": number, "name": title, "item": self._absolute_url(path)}
            for number, (title, path) in enumerate(levels, 1)
        ]
        breadcrumb = {"@type": "BreadcrumbList", "itemListElement": items}
        return {"@type": "WebPage", "isPartOf": self._describe_site(), "breadcrumb": breadcrumb}

    def _describe_entry(self, entry: Entry, page: Page) -> JsonObject:
        """A project or a post of the site."""
        schema_type = "CreativeWork"
        if isinstance(entry, Post):
            schema_type = "BlogPosting"
        elif isinstance(entry, Project) and any(link.label in ("Code", "GitHub") for link in entry.links):
            schema_type = "SoftwareSourceCode"

        return {
            "@type": schema_type,
            "name": page.title,
            "headline": page.title,
            "description": page.description,
            "author": self._describe_people(entry.people),
            "datePublished" if isinstance(entry, Post) else "dateCreated": start_date(entry.entry_period),
            "dateModified": _write_day(entry.updated) if isinstance(entry, Post) else "",
            "keywords": [plain_text(tag) for tag in entry.tags],
            "mainEntityOfPage": self._describe_web_page(page),
        }


def start_date(period: Period | None) -> str:
    """The first day of a period as a value of schema.org and Open Graph, "" if it is unknown: "2024-09"."""
    return _write_day(period.start) if period else ""


def _write_day(date: Date | None) -> str:
    return date.iso if date else ""


def _web_urls(links: Iterable[Link]) -> list[str]:
    return [link.url for link in links if link.url.startswith("http")]


def _ror_url(ror: str) -> str:
    """The URL of a ROR identifier, "" without one."""
    return f"https://ror.org/{ror.rpartition('/')[2]}" if ror else ""


def _describe_organization(place: Affiliation) -> JsonObject:
    """An organization with its ROR as identifier."""
    names = {"@type": "Organization", "@id": _ror_url(place.ror), "name": plain_text(place.name)}
    return names | {"url": place.url}


def _drop_empty_values(value: Any) -> Any:
    """A value without the empty texts, lists and objects in it; an object that has only a type is empty."""
    if type(value) is dict:
        filled = {name: reduced for name, child in value.items() if (reduced := _drop_empty_values(child))}
        has_only_type = len(filled) == 1 and "@type" in filled
        return {} if has_only_type else filled
    if type(value) is list:
        return [_drop_empty_values(child) for child in value if child]
    return value
