"""The CV as JSON Resume; facts outside its schema have extra keys."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tenure.exports.feeds import format_timestamp
from tenure.exports.plain_text import SiteTextConverter, format_json_list
from tenure.markdown.html import make_unique
from tenure.model.dates import Date, Period
from tenure.model.entries import (
    Award,
    CustomEntry,
    Entry,
    Experience,
    Point,
    Project,
    Publication,
    Service,
)
from tenure.model.links import email_url
from tenure.model.site import CollectionKind
from tenure.presentation.paper_record import make_record
from tenure.record import Record

SCHEMA_URL = "https://raw.githubusercontent.com/jsonresume/resume-schema/v1.0.0/schema.json"

FIELDS: Mapping[str, str] = {
    "experience": "name organization, position role, location location, description unit, startDate period,"
    " advisors advisors, mentors mentors",
    "education": "institution institution, studyType degree, area area, startDate period, score grade,"
    " rank rank, location location, thesis thesis, advisors advisors",
    "awards": "title title, awarder organization, date date",
    "projects": "name title, description tagline, roles role, startDate date, features features,"
    " technologies technologies",
    "talks": "name title, event event, location place, type kind, host host, startDate date",
    "service": "position role, organization organization, startDate date",
    "teaching": "course course, position role, institution institution, terms term",
    "items": "name name, position role, organization organization, location location, startDate date",
}
"""The keys of JSON Resume with the fields of an entry, by kind; `_special_fields` replaces some."""


def make_json_resume(converter: SiteTextConverter) -> str:
    """
    The CV in JSON Resume 1.0.0; authors, talks, service, teaching and other collections have extra keys.

    Source: jsonresume.org/schema; a date is YYYY, YYYY-MM or YYYY-MM-DD, and an open end is omitted.
    """
    site = converter.site
    resume = _Resume(converter)
    changed_at = ""
    if site.settings.updated and site.settings.updated.year:
        changed_at = format_timestamp(site.settings.updated).removesuffix("Z")

    document: dict[str, Any] = {
        "$schema": SCHEMA_URL,
        "basics": resume.describe_owner(),
        "work": resume.describe_kind("experience"),
        "education": resume.describe_kind("education"),
        "awards": resume.describe_kind("awards"),
        "publications": [resume.describe_publication(paper) for paper in site.publications],
        "projects": resume.describe_kind("projects"),
        "interests": [{"name": interest} for interest in resume.list_texts(site.profile.interests)],
        "talks": resume.describe_kind("talks"),
        "service": resume.describe_kind("service"),
        "teaching": resume.describe_kind("teaching"),
        "meta": {
            "version": "v1.0.0",
            "canonical": resume.absolute_url("/resume.json"),
            "lastModified": changed_at,
        },
    }
    for name, collection in site.collections.items():
        if collection.kind == "items":
            # an empty list of the schema gives its name away
            key = make_unique(name, {key for key, value in document.items() if value})
            document[key] = [
                resume.describe_entry(entry, "items") | resume.describe_text(entry, name)
                for entry in collection.entries
                if isinstance(entry, CustomEntry)
            ]

    # one line for each entry, so that a diff of two files shows what has changed
    lines = []
    for name, value in _remove_empty(document).items():
        text = json.dumps(value, ensure_ascii=False)
        if isinstance(value, list):
            text = format_json_list(value, "  ")
        lines.append(f"  {json.dumps(name, ensure_ascii=False)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


class _Resume(Record):
    """Describes the entries of a site as objects of JSON Resume."""

    converter: SiteTextConverter

    def describe_kind(self, kind: CollectionKind) -> list[dict[str, Any]]:
        """The entries of all collections of a kind."""
        return [self.describe_entry(entry, kind) for entry in self.converter.site.iterate_entries(kind)]

    def describe_entry(self, entry: Entry, kind: str) -> dict[str, Any]:
        """The fields of an entry: those of its kind, and those that any entry may have."""
        fields: dict[str, Any] = {}
        # "position role" -> "position", "role"
        for key, name in (row.split() for row in FIELDS[kind].split(",")):
            value = getattr(entry, name)
            if isinstance(value, str):
                fields[key] = self._join_texts(value)
            elif isinstance(value, Period) and key == "date":
                fields[key] = _format_date(value.start)
            elif isinstance(value, Period):
                fields |= _date_fields(value)
            elif value:
                fields[key] = [*self.list_texts(value)]

        url = entry.url or next((link.url for link in entry.links), "")
        common_fields = {
            "summary": self._join_texts(entry.summary, entry.note),
            "highlights": [*self.list_texts(entry.details)],
            "keywords": [*self.list_texts(entry.tags)],
            "url": self.absolute_url(url),
        }
        return fields | self._special_fields(entry) | common_fields

    def _special_fields(self, entry: Entry) -> dict[str, Any]:
        """Fields that are not one field of the entry, but joined, or chosen among several."""
        if isinstance(entry, Experience):
            # a title without a role is that of the position, as most people write it
            title = entry.title if entry.role else ""
            description = ": ".join(self.list_texts(filter(None, (entry.unit, title, entry.topic))))
            return {"position": self._join_texts(entry.role or entry.title), "description": description}
        if isinstance(entry, Award):
            return {"amount": entry.amount}
        if isinstance(entry, Project):
            description = self._join_texts(entry.tagline) or self._join_texts(entry.summary)
            return {"description": description, "roles": [*self.list_texts(filter(None, [entry.role]))]}

        if isinstance(entry, Service):
            return {group.label: [*self.list_texts(group.items)] for group in entry.groups}
        if isinstance(entry, CustomEntry) and not entry.title:
            # it is the name
            return {"organization": ""}
        return {}

    def describe_text(self, entry: CustomEntry, name: str) -> dict[str, Any]:
        """
        The text beside the title of an entry, with the keys that the schema has for these lists.

        The skill "Languages: C, Rust" -> {keywords: [C, Rust]}; {} without a title, as the text is the name.
        """
        text = self._join_texts(entry.text) if entry.title else ""
        if not text:
            return {}
        if name == "skills" and not entry.tags:
            # not at the comma in "C (GNU, Clang), Rust"
            return {"keywords": re.split(r",\s+(?![^()]*\))", text)}
        if name == "languages":
            return {"name": "", "language": self._join_texts(entry.title), "fluency": text}
        return {"reference": text} if name == "references" else {"text": text}

    def describe_publication(self, paper: Publication) -> dict[str, Any]:
        """The schema's fields of a publication, its authors and its awards."""
        texts = make_record(paper).texts
        venue = paper.venue
        return {
            "name": texts["title"],
            "publisher": self._join_texts(venue.name or venue.institution or venue.publisher or paper.server),
            "releaseDate": _format_date(paper.date),
            "url": self.absolute_url(texts["url"]),
            "summary": self._join_texts(paper.abstract),
            "authors": [author.name.full_name for author in paper.authors.people],
            "awards": [*self.list_texts(paper.awards)],
        }

    def describe_owner(self) -> dict[str, Any]:
        """The owner of the site: the profile, and the text about the owner or else the tagline."""
        site = self.converter.site
        profile = self.converter.site.profile
        links = [link for link in profile.links if link.url.startswith("http")]
        bodies = (entry.body for entry in site.entries_of("about"))

        return {
            "name": profile.name,
            "alternateName": [*profile.aliases],
            "label": self._join_texts(profile.role or profile.tagline),
            "image": self.absolute_url(profile.photo),
            "email": next(filter(email_url, profile.email), ""),
            "url": site.settings.url,
            "summary": self._join_texts(*bodies) or self._join_texts(profile.tagline),
            "location": {"address": self._join_texts(profile.location)},
            "profiles": [{"network": link.label, "url": link.url} for link in links],
            "affiliations": [
                {"name": self._join_texts(place.name), "url": place.url, "ror": place.ror}
                for place in profile.affiliation
            ],
        }

    def _join_texts(self, *parts: str) -> str:
        """The plain texts of some parts in one line."""
        return " ".join(self.converter.to_plain_text(part) for part in parts if part)

    def list_texts(self, values: Iterable[str | Point | Period]) -> Iterator[str]:
        """The plain texts of a list, points below others included."""
        for value in values:
            if isinstance(value, Point):
                yield self.converter.to_plain_text(value.text)
                yield from self.list_texts(value.points)
            elif isinstance(value, Period):
                yield value.format_text(self.converter.site.active_theme.translations)
            else:
                yield self.converter.to_plain_text(value)

    def absolute_url(self, url: str) -> str:
        """The URL if it is absolute after resolving, otherwise ""."""
        resolved_url = self.converter.resolve_url(url)
        return resolved_url if resolved_url.startswith(("http://", "https://")) else ""


def _date_fields(period: Period) -> dict[str, Any]:
    """Start and end; a single date is both. "expected" marks an end in the future."""
    end = period.end if period.end or period.ongoing else period.start
    expected = bool(end and end.expected)
    return {"startDate": _format_date(period.start), "endDate": _format_date(end), "expected": expected}


def _format_date(date: Date | None) -> str:
    """A date in the schema's format; a season is its first month."""
    if date is None or date.year is None:
        return ""
    _, month, day = date.sort_key
    return "-".join([f"{date.year:04d}", *(f"{number:02d}" for number in (month, day) if number)])


def _remove_empty(value: Any) -> Any:
    """Remove empty values from objects, also from those in lists."""
    if isinstance(value, dict):
        children = ((name, _remove_empty(child)) for name, child in value.items())
        return {name: child for name, child in children if child}
    if isinstance(value, list):
        return [*map(_remove_empty, value)]
    return value
