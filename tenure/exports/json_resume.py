"""The CV as JSON Resume; facts outside its schema have extra keys."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from tenure.exports.json_text import format_json_object
from tenure.exports.plain_text import SiteTextConverter
from tenure.markdown.html import make_unique
from tenure.model import entries as entry_classes
from tenure.model.dates import Date, Period
from tenure.model.entries import Entry, Publication
from tenure.model.links import email_url
from tenure.model.site import CollectionKind

EntryConverter = Callable[[Any], dict[str, Any]]
"""Converts an entry of one class."""

SCHEMA_URL = "https://raw.githubusercontent.com/jsonresume/resume-schema/v1.0.0/schema.json"


def make_json_resume(converter: SiteTextConverter, csl_items: Sequence[Mapping[str, Any]]) -> str:
    """
    The CV in JSON Resume 1.0.0; authors, talks, service, teaching and other collections have extra keys.

    `csl_items` are the site's publications as CSL-JSON, in the same order.

    Source: jsonresume.org/schema; a date is YYYY, YYYY-MM or YYYY-MM-DD, and an open end is omitted.
    """
    site, builder = converter.site, _ResumeBuilder(converter)
    document: dict[str, Any] = {
        "$schema": SCHEMA_URL,
        "basics": builder.make_basics(),
        "work": builder.convert_kind("experience", builder.make_work),
        "education": builder.convert_kind("education", builder.make_education),
        "awards": builder.convert_kind("awards", builder.make_award),
        "publications": [*map(builder.make_publication, site.publications, csl_items)],
        "projects": builder.convert_kind("projects", builder.make_project),
        "interests": [{"name": converter.to_plain_text(interest)} for interest in site.profile.interests],
        "talks": builder.convert_kind("talks", builder.make_talk),
        "service": builder.convert_kind("service", builder.make_service),
        "teaching": builder.convert_kind("teaching", builder.make_course),
        "meta": builder.make_meta(),
    }
    for name, collection in site.collections.items():
        if collection.kind == "items":
            key = make_unique(name, {key for key, value in document.items() if value})
            document[key] = builder.convert_items(name)
    cleaned = {name: _remove_empty(value) for name, value in document.items()}
    return format_json_object({name: value for name, value in cleaned.items() if value}) + "\n"


class _ResumeBuilder:
    """Converts the entries of a site to objects of JSON Resume."""

    def __init__(self, converter: SiteTextConverter) -> None:
        self.site = converter.site
        self.converter = converter

    def convert_kind(self, kind: CollectionKind, convert: EntryConverter) -> list[dict[str, Any]]:
        """The entries of all collections of a kind."""
        return [convert(entry) | self._common_fields(entry) for entry in self.site.iterate_entries(kind)]

    def convert_items(self, name: str) -> list[dict[str, Any]]:
        """The entries of a list of the site's own."""
        return [
            self.make_item(entry) | self._common_fields(entry) | self._make_text(name, entry)
            for entry in self.site.entries_of(name)
            if isinstance(entry, entry_classes.CustomEntry)
        ]

    def _common_fields(self, entry: Entry) -> dict[str, Any]:
        """Fields of the schema that any entry may have: summary, highlights, keywords, url."""
        url = entry.url or next((link.url for link in entry.links), "")
        return {
            "summary": self._join_texts(entry.summary, entry.note),
            "highlights": [*self._iterate_points(entry.details)],
            "keywords": [self.converter.to_plain_text(tag) for tag in entry.tags],
            "url": self._absolute_url(url),
        }

    def _join_texts(self, *parts: str) -> str:
        return " ".join(self.converter.to_plain_text(part) for part in parts if part)

    def _iterate_points(self, points: Iterable[entry_classes.Point]) -> Iterable[str]:
        for point in points:
            yield self.converter.to_plain_text(point.text)
            yield from self._iterate_points(point.points)

    def _absolute_url(self, url: str) -> str:
        """The URL if it is absolute after resolving, otherwise ""."""
        resolved_url = self.converter.resolve_url(url) if url else ""
        return resolved_url if resolved_url.startswith(("http://", "https://")) else ""

    def _make_summary(self) -> str:
        """The text about the owner, without headings and tables; the tagline if there is none."""
        bodies = (entry.body for entry in self.site.entries_of("about"))
        return self._join_texts(*bodies) or self._join_texts(self.site.profile.tagline)

    def make_basics(self) -> dict[str, Any]:
        profile = self.site.profile
        return {
            "name": profile.name,
            "alternateName": [*profile.aliases],
            "label": self._join_texts(profile.role or profile.tagline),
            "image": self._absolute_url(profile.photo),
            "email": next(filter(email_url, profile.email), ""),
            "url": self.site.settings.url,
            "summary": self._make_summary(),
            "location": {"address": self._join_texts(profile.location)},
            "profiles": [
                {"network": link.label, "url": link.url}
                for link in profile.links
                if link.url.startswith("http")
            ],
            "affiliations": [
                {"name": self._join_texts(a.name), "url": a.url, "ror": a.ror} for a in profile.affiliation
            ],
        }

    def make_work(self, entry: entry_classes.Experience) -> dict[str, Any]:
        """A position; a title without a role is that of the position, as most people write it."""
        title = entry.title if entry.role else ""
        return {
            "name": self._join_texts(entry.organization),
            "position": self._join_texts(entry.role or entry.title),
            "location": self._join_texts(entry.location),
            "description": ": ".join(self._join_texts(p) for p in (entry.unit, title, entry.topic) if p),
            **_date_fields(entry.period),
            "advisors": [self._join_texts(name) for name in entry.advisors],
            "mentors": [self._join_texts(name) for name in entry.mentors],
        }

    def make_education(self, entry: entry_classes.Education) -> dict[str, Any]:
        return {
            "institution": self._join_texts(entry.institution),
            "studyType": self._join_texts(entry.degree),
            "area": self._join_texts(entry.area),
            **_date_fields(entry.period),
            "score": self._join_texts(entry.grade),
            "rank": self._join_texts(entry.rank),
            "location": self._join_texts(entry.location),
            "thesis": self._join_texts(entry.thesis),
            "advisors": [self._join_texts(name) for name in entry.advisors],
        }

    def make_award(self, entry: entry_classes.Award) -> dict[str, Any]:
        return {
            "title": self._join_texts(entry.title),
            "awarder": self._join_texts(entry.organization),
            "date": _format_date(entry.date.start if entry.date else None),
            "amount": entry.amount,
        }

    def make_publication(self, paper: Publication, csl_item: Mapping[str, Any]) -> dict[str, Any]:
        """The schema's fields of a publication, its authors and its awards."""
        venue = paper.venue
        publisher = venue.name or venue.institution or venue.publisher or paper.server
        return {
            "name": csl_item["title"],
            "publisher": self._join_texts(publisher),
            "releaseDate": _format_date(paper.date),
            "url": self._absolute_url(csl_item.get("URL", "")),
            "summary": self._join_texts(paper.abstract),
            "authors": [author.name.full_name for author in paper.authors.people],
            "awards": [self._join_texts(award) for award in paper.awards],
        }

    def make_project(self, entry: entry_classes.Project) -> dict[str, Any]:
        return {
            "name": self._join_texts(entry.title),
            "description": self._join_texts(entry.tagline) or self._join_texts(entry.summary),
            "roles": [self._join_texts(entry.role)] if entry.role else [],
            **_date_fields(entry.date),
            "features": [*self._iterate_points(entry.features)],
            "technologies": [self._join_texts(technology) for technology in entry.technologies],
        }

    def make_talk(self, entry: entry_classes.Talk) -> dict[str, Any]:
        return {
            "name": self._join_texts(entry.title),
            "event": self._join_texts(entry.event),
            "location": self._join_texts(entry.place),
            "type": entry.kind,
            "host": self._join_texts(entry.host),
            **_date_fields(entry.date),
        }

    def make_service(self, entry: entry_classes.Service) -> dict[str, Any]:
        return {
            "position": self._join_texts(entry.role),
            "organization": self._join_texts(entry.organization),
            **_date_fields(entry.date),
            **{group.label: [self._join_texts(item) for item in group.items] for group in entry.groups},
        }

    def make_course(self, entry: entry_classes.Course) -> dict[str, Any]:
        return {
            "course": self._join_texts(entry.course),
            "position": self._join_texts(entry.role),
            "institution": self._join_texts(entry.institution),
            "terms": [self.converter.format_periods(term) for term in entry.term],
        }

    def make_item(self, entry: entry_classes.CustomEntry) -> dict[str, Any]:
        return {
            "name": self._join_texts(entry.name),
            "position": self._join_texts(entry.role),
            "organization": self._join_texts(entry.organization) if entry.title else "",
            "location": self._join_texts(entry.location),
            **_date_fields(entry.date),
        }

    def _make_text(self, name: str, entry: entry_classes.CustomEntry) -> dict[str, Any]:
        """The text beside the title of an entry, with the keys that the schema has for these lists."""
        text = self._join_texts(entry.text) if entry.title else ""
        if name == "skills" and text and not entry.tags:
            return {"keywords": re.split(r",\s+(?![^()]*\))", text)}
        if name == "languages" and text:
            return {"name": "", "language": self._join_texts(entry.title), "fluency": text}
        return {"reference" if name == "references" else "text": text} if text else {}

    def make_meta(self) -> dict[str, Any]:
        updated = self.site.settings.updated
        _, month, day = updated.sort_key if updated else (0, 0, 0)
        timestamp = ""
        if updated and updated.year:
            timestamp = f"{updated.year:04d}-{month or 1:02d}-{day or 1:02d}T00:00:00"
        url = self._absolute_url("/resume.json")
        return {"version": "v1.0.0", "canonical": url, "lastModified": timestamp}


def _date_fields(period: Period | None) -> dict[str, Any]:
    """Start and end; a single date is both. "expected" marks an end in the future."""
    if period is None:
        return {}
    end = period.end if period.end or period.ongoing else period.start
    expected = bool(end and end.expected) or None
    return {"startDate": _format_date(period.start), "endDate": _format_date(end), "expected": expected}


def _format_date(date: Date | None) -> str:
    """A date in the schema's format; a season is its first month."""
    if date is None or date.year is None:
        return ""
    _, month, day = date.sort_key
    return f"{date.year:04d}" + "".join(f"-{number:02d}" for number in (month, day) if number)


def _remove_empty(value: Any) -> Any:
    """Remove empty values recursively; zero is not empty."""
    if isinstance(value, dict):
        cleaned = {name: _remove_empty(child) for name, child in value.items()}
        return {name: child for name, child in cleaned.items() if child or child == 0}
    return [*map(_remove_empty, value)] if isinstance(value, list) else value
