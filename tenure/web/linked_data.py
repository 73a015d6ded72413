"""Describes a page with the vocabulary of schema.org, as JSON-LD."""

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from tenure.frozen import dataclass
from tenure.model.dates import Period
from tenure.model.kinds import first_and_last, form_of, house_of
from tenure.model.names import Author, spellings
from tenure.model.scholar import Entry, Post, Project, Publication, Talk
from tenure.model.site import Site
from tenure.text import plain
from tenure.web.citing import own_pdf
from tenure.web.pages import Page, address

MOST_LISTED = 100
"""Maximum length of an ItemList; a list of 10,000 entries would double the size of its page."""

ORCID = "https://orcid.org/"


def script_json(value: object, *, ordered: bool = False) -> str:
    """JSON that cannot end a script element or begin a comment (HTML, 4.12.1.3)."""
    made = json.dumps(
        value, ensure_ascii=False, sort_keys=ordered, separators=(",", ":") if not ordered else None
    )
    for character in "<>&":
        if character in made:
            made = made.replace(character, f"\\u{ord(character):04x}")
    return made


def orcid(addresses: Sequence[str]) -> str:
    """The first ORCID URL among some URLs, or ""."""
    return next((url for url in addresses if url.startswith(ORCID)), "")


@dataclass(frozen=True, slots=True)
class LinkedData:
    """
    Describes the pages of a site; `site_url` is the site's URL without its last slash, or "".

    URLs of the site are written only if `site_url` is set. `owner` is the complete Person of the profile, `owner_reference`
    the short form for other nodes.
    """

    site: Site
    root: str
    owner: dict[str, Any]
    me: dict[str, Any]

    @classmethod
    def of(cls, site: Site, root: str) -> "LinkedData":
        """Build the descriptions that all pages of a site share."""
        who = site.profile
        links = [link.url for link in who.links if link.url.startswith("http")]
        name = spellings(who.name, ())[0]
        me = {"@type": "Person", "@id": orcid(links) or (f"{root}/#me" if root else "#me"), "name": who.name}
        photo = f"{root}{quote(_path(site, who.photo))}" if root and who.photo else ""
        owner = {
            **me,
            "givenName": name.given,
            "familyName": " ".join(part for part in (name.von, name.family) if part),
            "alternateName": [alias for alias in who.aliases if "," not in alias],
            "jobTitle": plain(who.role),
            "affiliation": [_house(a.name, a.url, a.ror) for a in who.affiliation],
            "alumniOf": _schools(site),
            "award": _awards(site),
            "knowsAbout": [plain(interest) for interest in who.interests],
            "image": photo,
            "url": f"{root}/" if root else "",
            "sameAs": links,
        }
        return cls(site, root, _full(owner), me)

    def page(self, page: Page) -> dict[str, Any]:
        """A page as JSON-LD, with its @context."""
        here = f"{self.root}{page.path}" if self.root else ""
        if isinstance(page.entry, Publication):
            made = self.work(page.entry, page)
        elif page.kind == "home":
            made = {
                "@type": "ProfilePage",
                "name": page.title,
                "dateModified": self._updated(),
                "mainEntity": self.owner,
                "isPartOf": self._site(),
            }
        elif page.entry is not None and page.kind in ("project", "post"):
            made = self._account(page.entry, page)
        elif page.kind in ("cv", "page") and not any(section.items for section in page.sections):
            made = {"@type": "AboutPage", "name": page.title, "about": self.me}
        else:
            made = self._list(page)
        return {"@context": "https://schema.org", **_full({"url": here} | made)}

    def _updated(self) -> str:
        updated = self.site.settings.updated
        return updated.iso if updated else ""

    def _site(self) -> dict[str, Any]:
        return {"@type": "WebSite", "name": self.site.title, "url": f"{self.root}/" if self.root else ""}

    def work(self, paper: Publication, page: Page) -> dict[str, Any]:
        """A publication; its authors in order, with their ORCID if known."""
        form, venue = form_of(paper), paper.venue
        doi = f"https://doi.org/{paper.doi}" if paper.doi else ""
        first, last = first_and_last(plain(venue.pages))
        title, pdf = plain(paper.title), own_pdf(paper)
        house = {"@type": "Organization", "name": plain(house_of(paper))} if house_of(paper) else {}
        return {
            "@type": form.schema,
            "@id": doi,
            "name": title,
            "headline": title,
            "author": [self._person(author) for author in paper.authors.people],
            "editor": [self._person(editor) for editor in paper.editors.people],
            "datePublished": paper.date.iso if paper.date else "",
            "isPartOf": self._whole(paper, form.csl),
            "publisher": house,
            "pageStart": first,
            "pageEnd": last,
            "identifier": {"@type": "PropertyValue", "propertyID": "DOI", "value": paper.doi} if doi else {},
            "sameAs": [
                url for url in (doi, f"https://arxiv.org/abs/{paper.eprint}" if paper.eprint else "") if url
            ],
            "abstract": plain(paper.abstract),
            "keywords": [plain(tag) for tag in paper.tags],
            "award": [plain(award) for award in paper.awards],
            "encoding": {
                "@type": "MediaObject",
                "encodingFormat": "application/pdf",
                "contentUrl": f"{self.root}{pdf}",
            }
            if pdf and self.root
            else {},
            "mainEntityOfPage": self._web_page(page),
        }

    def _whole(self, paper: Publication, csl: str) -> dict[str, Any]:
        """What a publication appeared in: the issue and volume of a journal, or a book."""
        venue = paper.venue
        name = plain(venue.name)
        if not name:
            return {}
        if csl != "article-journal":
            return {
                "@type": "Book" if csl in ("paper-conference", "chapter") else "CreativeWork",
                "name": name,
            }
        whole: dict[str, Any] = {"@type": "Periodical", "name": name}
        if venue.volume:
            number = plain(venue.volume)
            whole = {"@type": "PublicationVolume", "volumeNumber": number, "isPartOf": whole}
        if venue.number:
            whole = {"@type": "PublicationIssue", "issueNumber": plain(venue.number), "isPartOf": whole}
        return whole

    def _person(self, author: Author) -> dict[str, Any]:
        if author.me:
            return {**self.me, "name": author.name.full}
        if author.name.group:
            return {"@type": "Organization", "name": author.name.group}
        return {"@type": "Person", "@id": orcid([author.url]), "name": author.name.full, "url": author.url}

    def _web_page(self, page: Page) -> dict[str, Any]:
        """The web page itself, with its breadcrumbs."""
        above = f"/{page.path.split('/')[1]}/"
        words = self.site.look.words
        name = words.get(f"page_{above.strip('/')}", above.strip("/"))
        way = [(name, above), (page.title, page.path)]
        lines = [
            {
                "@type": "ListItem",
                "position": number,
                "name": title,
                **({"item": f"{self.root}{path}"} if self.root else {}),
            }
            for number, (title, path) in enumerate(way, 1)
        ]
        breadcrumb = {"@type": "BreadcrumbList", "itemListElement": lines}
        return {"@type": "WebPage", "isPartOf": self._site(), "breadcrumb": breadcrumb}

    def _account(self, entry: Entry, page: Page) -> dict[str, Any]:
        """A project or a post of the site."""
        code = isinstance(entry, Project) and any(link.label in ("Code", "GitHub") for link in entry.links)
        kind = "BlogPosting" if isinstance(entry, Post) else "SoftwareSourceCode" if code else "CreativeWork"
        changed = entry.updated.iso if isinstance(entry, Post) and entry.updated else ""
        return {
            "@type": kind,
            "name": page.title,
            "headline": page.title,
            "description": page.description,
            "author": self.me,
            "datePublished" if kind == "BlogPosting" else "dateCreated": _start(entry.when),
            "dateModified": changed,
            "keywords": [plain(tag) for tag in entry.tags],
            "mainEntityOfPage": self._web_page(page),
        }

    def _list(self, page: Page) -> dict[str, Any]:
        found = {id(item.entry): item for section in page.sections for item in section.items}
        items = [*found.values()]
        elements = []
        for number, item in enumerate(items[:MOST_LISTED], 1):
            line: dict[str, Any] = {"@type": "ListItem", "position": number}
            path = address(item.entry) or (f"{page.path}#{item.id}" if item.id else "")
            if isinstance(item.entry, Talk):
                line["item"] = self._event(item.entry)
            else:
                line["name"] = plain(item.entry.name)
                line["url"] = f"{self.root}{path}" if self.root and path else ""
            elements.append(line)
        listed = {"@type": "ItemList", "numberOfItems": len(items), "itemListElement": elements}
        return {"@type": "CollectionPage", "name": page.title, "about": self.me, "mainEntity": listed}

    def _event(self, talk: Talk) -> dict[str, Any]:
        place = {"@type": "Place", "name": plain(talk.place)} if talk.place else {}
        return {
            "@type": "Event",
            "name": plain(talk.title or talk.event or talk.place),
            "superEvent": {"@type": "Event", "name": plain(talk.event)} if talk.title and talk.event else {},
            "startDate": _start(talk.date),
            "location": place,
            "performer": self.me,
        }


def _start(period: Period | None) -> str:
    return period.start.iso if period and period.start else ""


def _path(site: Site, name: str) -> str:
    """The path on the site of a file that the sources name."""
    found = [path for path in sorted(site.files) if path == name or path.endswith(f"/{name}")]
    return f"/{found[0]}" if found else f"/{name.lstrip('/')}"


def _house(name: str, url: str = "", ror: str = "") -> dict[str, Any]:
    """An organization; its ROR identifier as a URL."""
    identifier = f"https://ror.org/{ror.rpartition('/')[2]}" if ror else ""
    return {"@type": "Organization", "@id": identifier, "name": plain(name), "url": url}


def _schools(site: Site) -> list[dict[str, Any]]:
    found = (c for c in site.collections.values() if c.kind == "education")
    names = dict.fromkeys(entry.name for c in found for entry in c.entries)
    return [{"@type": "CollegeOrUniversity", "name": plain(name)} for name in names]


def _awards(site: Site) -> list[str]:
    found = (c for c in site.collections.values() if c.kind == "awards")
    return [plain(entry.name) for c in found for entry in c.entries]


def _full(value: Any) -> Any:
    """The value without its empty parts."""
    if type(value) is dict:
        return {
            name: child if type(child) is str else full
            for name, child in value.items()
            if child and (type(child) is str or (full := _full(child)))
        }
    return [_full(child) for child in value] if type(value) is list else value
