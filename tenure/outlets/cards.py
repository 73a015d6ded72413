"""vCard of the researcher and iCalendar of the talks; both formats consist of content lines."""

import re
from collections.abc import Iterable, Iterator
from datetime import date, timedelta

from tenure.model.dates import Date, Period
from tenure.model.names import Name
from tenure.model.scholar import Talk
from tenure.model.site import Site
from tenure.outlets.words import Words
from tenure.text import slug

MOST_OCTETS = 75
"""Maximum length of a line without its line end. Sources: RFC 6350, 3.2; RFC 5545, 3.1."""


def vcard(site: Site) -> str:
    """The researcher as a vCard 4.0 (RFC 6350)."""
    who, words = site.profile, Words.of(site)
    name = Name.parse(who.name)
    last = " ".join(part for part in (name.von, name.family) if part)
    parts = (name.group or last, name.given, "", "", name.suffix)
    links = (link.url for link in who.links if link.url.startswith("http"))
    addresses = (site.settings.url, *links) if site.settings.url else links
    lines = [
        "BEGIN:VCARD",
        "VERSION:4.0",
        "KIND:individual",
        f"FN:{escaped(who.name)}",
        f"N:{';'.join(escaped(part) for part in parts)}",
        *(f"ORG:{escaped(words.plain(place.name))}" for place in who.affiliation),
        *([f"TITLE:{escaped(words.plain(who.role))}"] if who.role else []),
        *(f"EMAIL:{escaped(email)}" for email in who.email),
        *([f"ADR;LABEL={_parameter(words.plain(who.location))}:;;;;;;"] if who.location else []),
        *(f"URL:{address}" for address in dict.fromkeys(addresses)),
        *([f"PHOTO:{words.address(who.photo)}"] if who.photo and site.settings.url else []),
        *([f"NOTE:{escaped(words.plain(who.tagline))}"] if who.tagline else []),
        "END:VCARD",
    ]
    return folded(lines)


def calendar(site: Site) -> str:
    """
    The talks with a known month as events of iCalendar (RFC 5545); a talk without a day lasts the whole month.

    DTSTAMP is the last change of the source (RFC 5545, 3.8.7.2): the site's `updated`, or the talk's date.
    """
    words = Words.of(site)
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Tenure//Talks//EN", "METHOD:PUBLISH"]
    title = f"{site.look.words['section_talks']}: {site.profile.name}"
    lines.append(f"NAME:{escaped(title)}")
    for talk in dated_talks(site):
        lines += _event(site, talk, words)
    return folded([*lines, "END:VCALENDAR"])


def dated_talks(site: Site) -> tuple[Talk, ...]:
    """The talks whose year and month are known."""
    entries = (entry for collection in site.collections.values() for entry in collection.entries)
    return tuple(e for e in entries if isinstance(e, Talk) and e.date and _day(e.date.start) is not None)


def _event(site: Site, talk: Talk, words: Words) -> Iterator[str]:
    when = talk.date or Period()
    first, after = _day(when.start), _after(when.end or when.start)
    if first is None or after is None:
        return
    stamp = _day(site.settings.updated) or first
    host = slug(site.profile.name) or "tenure"
    yield "BEGIN:VEVENT"
    yield f"UID:{talk.id}@{host}.talks"
    yield f"DTSTAMP:{stamp:%Y%m%d}T000000Z"
    yield f"DTSTART;VALUE=DATE:{first:%Y%m%d}"
    yield f"DTEND;VALUE=DATE:{after:%Y%m%d}"
    yield f"SUMMARY:{escaped(words.plain(talk.title or talk.event or talk.place))}"
    place = ", ".join(words.plain(part) for part in (talk.event if talk.title else "", talk.place) if part)
    if place:
        yield f"LOCATION:{escaped(place)}"
    about = "\n".join(words.plain(part) for part in (talk.summary, talk.note) if part)
    if about:
        yield f"DESCRIPTION:{escaped(about)}"
    link = talk.url or talk.slides or talk.video
    if link and (site.settings.url or link.startswith("http")):
        yield f"URL:{words.address(link)}"
    yield "TRANSP:TRANSPARENT"
    yield "END:VEVENT"


def _day(day: Date | None) -> date | None:
    """The first day of a date; None if its year or month is unknown."""
    return date(day.year, day.month, day.day or 1) if day and day.year and day.month else None


def _after(day: Date | None) -> date | None:
    """The day after the last day of a date; DTEND is exclusive (RFC 5545, 3.6.1)."""
    first = _day(day)
    if day is None or first is None:
        return None
    return first + timedelta(days=1) if day.day else (first + timedelta(days=31)).replace(day=1)


def escaped(text: str) -> str:
    r"""Escape a text value: `\`, `;`, `,` and line ends become `\\`, `\;`, `\,` and `\n` (RFC 6350, 3.4; RFC 5545, 3.3.11)."""
    words = re.sub(r"([\\;,])", r"\\\1", text)
    return re.sub(r"\r\n?|\n", r"\\n", words)


def _parameter(text: str) -> str:
    """Quote a parameter value; quotes and line ends in it are encoded with carets (RFC 6868, 3.1)."""
    words = text.replace("^", "^^").replace('"', "^'")
    return '"' + re.sub(r"\r\n?|\n", "^n", words) + '"'


def folded(lines: Iterable[str]) -> str:
    """Join lines with CR LF; long lines continue after a space, and no character is split (RFC 6350, 3.2)."""
    return "".join(f"{part}\r\n" for line in lines for part in _fold(line))


def _fold(line: str) -> Iterator[str]:
    part, size = "", 0
    for character in line:
        octets = len(character.encode("utf-8", "replace"))
        if size + octets > MOST_OCTETS:
            yield part
            part, size = " ", 1
        part += character
        size += octets
    yield part
