"""The CV as JSON Resume; facts outside its schema have extra keys."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from tenure.model import scholar
from tenure.model.dates import Date, Period
from tenure.model.scholar import Entry, Publication
from tenure.outlets.pretty import keyed
from tenure.outlets.words import Words
from tenure.text import unique

SCHEMA = "https://raw.githubusercontent.com/jsonresume/resume-schema/v1.0.0/schema.json"


def json_resume(words: Words, works: Sequence[Mapping[str, Any]]) -> str:
    """
    The CV in JSON Resume 1.0.0; authors, talks, service, teaching and other collections have extra keys.

    `csl_items` are the site's publications as CSL-JSON, in the same order.

    Source: jsonresume.org/schema; a date is YYYY, YYYY-MM or YYYY-MM-DD, and an open end is omitted.
    """
    site, made = words.site, _Resume(words)
    whole: dict[str, Any] = {
        "$schema": SCHEMA,
        "basics": made.basics(),
        "work": made.each("experience", made.work),
        "education": made.each("education", made.education),
        "awards": made.each("awards", made.award),
        "publications": [*map(made.publication, site.publications, works)],
        "projects": made.each("projects", made.project),
        "interests": [{"name": made.words.plain(interest)} for interest in site.profile.interests],
        "talks": made.each("talks", made.talk),
        "service": made.each("service", made.service),
        "teaching": made.each("teaching", made.course),
        "meta": made.meta(),
    }
    for name, collection in site.collections.items():
        if collection.kind == "items":
            whole[unique(name, {key for key, value in whole.items() if value})] = made.items(name)
    full = {name: value if name == "publications" else _full(value) for name, value in whole.items()}
    return keyed({name: value for name, value in full.items() if value}) + "\n"


class _Resume:
    """Converts the entries of a site to objects of JSON Resume."""

    def __init__(self, words: Words) -> None:
        self.site = words.site
        self.words = words

    def each(self, kind: str, make: Callable[[Any], dict[str, Any]]) -> list[dict[str, Any]]:
        found = (c for c in self.site.collections.values() if c.kind == kind)
        return [make(entry) | self._common(entry) for collection in found for entry in collection.entries]

    def items(self, name: str) -> list[dict[str, Any]]:
        entries = self.site.collections[name].entries
        return [self.item(e) | self._common(e) for e in entries if isinstance(e, scholar.Item)]

    def _common(self, entry: Entry) -> dict[str, Any]:
        """Fields of the schema that any entry may have: summary, highlights, keywords, url."""
        url = entry.url or next((link.url for link in entry.links), "")
        return {
            "summary": self._text(entry.summary, entry.note),
            "highlights": [*self._lines(entry.details)],
            "keywords": [self.words.plain(tag) for tag in entry.tags],
            "url": self._url(url),
        }

    def _text(self, *parts: str) -> str:
        return " ".join(self.words.plain(part) for part in parts if part)

    def _lines(self, points: Iterable[scholar.Point]) -> Iterable[str]:
        for point in points:
            yield self.words.plain(point.text)
            yield from self._lines(point.points)

    def _url(self, written: str) -> str:
        """The URL if it is absolute after resolving, otherwise ""."""
        whole = self.words.address(written) if written else ""
        return whole if whole.startswith(("http://", "https://")) else ""

    def basics(self) -> dict[str, Any]:
        who = self.site.profile
        return {
            "name": who.name,
            "label": self._text(who.role),
            "image": self._url(who.photo),
            "email": who.email[0] if who.email else "",
            "url": self.site.settings.url,
            "summary": self._text(who.tagline),
            "location": {"address": self._text(who.location)},
            "profiles": [
                {"network": link.label, "url": link.url} for link in who.links if link.url.startswith("http")
            ],
            "affiliations": [
                {"name": self._text(a.name), "url": a.url, "ror": a.ror} for a in who.affiliation
            ],
        }

    def work(self, entry: scholar.Experience) -> dict[str, Any]:
        return {
            "name": self._text(entry.organization),
            "position": self._text(entry.role),
            "location": self._text(entry.location),
            "description": ": ".join(self._text(p) for p in (entry.unit, entry.title, entry.topic) if p),
            **_span(entry.period),
            "advisors": [self._text(name) for name in entry.advisors],
            "mentors": [self._text(name) for name in entry.mentors],
        }

    def education(self, entry: scholar.Education) -> dict[str, Any]:
        return {
            "institution": self._text(entry.institution),
            "studyType": self._text(entry.degree),
            "area": self._text(entry.area),
            **_span(entry.period),
            "score": self._text(entry.grade),
            "rank": self._text(entry.rank),
            "location": self._text(entry.location),
            "thesis": self._text(entry.thesis),
            "advisors": [self._text(name) for name in entry.advisors],
        }

    def award(self, entry: scholar.Award) -> dict[str, Any]:
        return {
            "title": self._text(entry.title),
            "awarder": self._text(entry.organization),
            "date": _iso(entry.date.start if entry.date else None),
            "amount": entry.amount,
        }

    def publication(self, paper: Publication, item: Mapping[str, Any]) -> dict[str, Any]:
        """The schema's fields of a publication, its authors, and its CSL-JSON under "csl"."""
        said = {
            "name": item["title"],
            "publisher": self._text(
                paper.venue.name or paper.venue.institution or paper.venue.publisher or paper.server
            ),
            "releaseDate": _iso(paper.date),
            "url": self._url(item.get("URL", "")),
            "summary": self._text(paper.abstract),
            "authors": [author.name.full for author in paper.authors.people],
            "awards": [self._text(award) for award in paper.awards],
        }
        work = {name: value for name, value in item.items() if name not in ("title", "abstract", "URL")}
        return {**_full(said), "csl": work}

    def project(self, entry: scholar.Project) -> dict[str, Any]:
        return {
            "name": self._text(entry.title),
            "description": self._text(entry.tagline) or self._text(entry.summary),
            "roles": [self._text(entry.role)] if entry.role else [],
            **_span(entry.date),
            "features": [*self._lines(entry.features)],
            "technologies": [self._text(word) for word in entry.technologies],
        }

    def talk(self, entry: scholar.Talk) -> dict[str, Any]:
        return {
            "name": self._text(entry.title),
            "event": self._text(entry.event),
            "location": self._text(entry.place),
            "type": entry.kind,
            "host": self._text(entry.host),
            **_span(entry.date),
        }

    def service(self, entry: scholar.Service) -> dict[str, Any]:
        return {
            "position": self._text(entry.role),
            "organization": self._text(entry.organization),
            **_span(entry.date),
            **{group.label: [self._text(item) for item in group.items] for group in entry.groups},
        }

    def course(self, entry: scholar.Course) -> dict[str, Any]:
        return {
            "course": self._text(entry.course),
            "position": self._text(entry.role),
            "institution": self._text(entry.institution),
            "terms": [self.words.period(term) for term in entry.term],
        }

    def item(self, entry: scholar.Item) -> dict[str, Any]:
        return {
            "name": self._text(entry.name),
            "position": self._text(entry.role),
            "organization": self._text(entry.organization) if entry.title else "",
            "location": self._text(entry.location),
            **_span(entry.date),
        }

    def meta(self) -> dict[str, Any]:
        updated = self.site.settings.updated
        _, month, day = updated.order if updated else (0, 0, 0)
        when = (
            f"{updated.year:04d}-{month or 1:02d}-{day or 1:02d}T00:00:00" if updated and updated.year else ""
        )
        return {"version": "v1.0.0", "canonical": self._url("/resume.json"), "lastModified": when}


def _span(period: Period | None) -> dict[str, Any]:
    """Start and end; a single date is both. "expected" marks an end in the future."""
    if period is None:
        return {}
    end = period.end if period.end or period.ongoing else period.start
    expected = bool(end and end.expected)
    return {"startDate": _iso(period.start), "endDate": _iso(end), "expected": expected or None}


def _iso(date: Date | None) -> str:
    """A date in the schema's format; a season is its first month."""
    if date is None or date.year is None:
        return ""
    _, month, day = date.order
    return "-".join(
        [f"{date.year:04d}", *([f"{month:02d}"] if month else []), *([f"{day:02d}"] if day else [])]
    )


def _full(value: Any) -> Any:
    """Remove empty values recursively; zero is not empty."""
    if isinstance(value, dict):
        kept = {name: _full(child) for name, child in value.items()}
        return {name: child for name, child in kept.items() if child or child == 0}
    return [*map(_full, value)] if isinstance(value, list) else value
