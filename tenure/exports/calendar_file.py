"""The talks as iCalendar."""

import re
from collections.abc import Iterable, Iterator
from datetime import date, timedelta

from tenure.exports.plain_text import SiteTextConverter
from tenure.markdown.html import make_slug
from tenure.model.dates import Date, Period, days_in_month
from tenure.model.entries import Talk

MAX_LINE_OCTETS = 75
"""Maximum length of a line without its line end. Source: RFC 5545, 3.1."""

_CONTROL_CHARACTER = re.compile(r"[\x00-\x08\n-\x1f\x7f\x85\u2028\u2029]")


def make_calendar(converter: SiteTextConverter) -> str:
    """
    The talks with a known month as events of iCalendar (RFC 5545); a talk without a day lasts the whole month.

    DTSTAMP is the last change of the source (RFC 5545, 3.8.7.2): the site's `updated`, or the talk's date.
    """
    site = converter.site
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Tenure//Talks//EN", "METHOD:PUBLISH"]
    title = f"{site.active_theme.translations['section_talks']}: {site.profile.name}"
    lines.append(f"NAME:{escape_value(title)}")
    for entry in site.iterate_entries():
        if isinstance(entry, Talk) and entry.date:
            lines += _event_lines(converter, entry, entry.date)
    return fold_lines([*lines, "END:VCALENDAR"])


def _event_lines(converter: SiteTextConverter, talk: Talk, period: Period) -> Iterator[str]:
    """The event of a talk; nothing if a year or month is unknown. DTEND is exclusive (RFC 5545, 3.6.1)."""
    site = converter.site
    first_day, last_day = _first_day(period.start), _last_day(period.end or period.start)
    if first_day is None or last_day is None or last_day == date.max:
        return
    changed_day = _first_day(site.settings.updated) or first_day
    uid_host = make_slug(site.profile.name) or "tenure"
    yield "BEGIN:VEVENT"
    yield f"UID:{escape_value(talk.id)}@{uid_host}.talks"
    yield f"DTSTAMP:{changed_day:%Y%m%d}T000000Z"
    yield f"DTSTART;VALUE=DATE:{first_day:%Y%m%d}"
    yield f"DTEND;VALUE=DATE:{last_day + timedelta(1):%Y%m%d}"
    yield f"SUMMARY:{escape_value(converter.to_plain_text(talk.title or talk.event or talk.place))}"
    location = ", ".join(
        converter.to_plain_text(part) for part in (talk.event if talk.title else "", talk.place) if part
    )
    if location:
        yield f"LOCATION:{escape_value(location)}"
    description = "\n".join(converter.to_plain_text(part) for part in (talk.summary, talk.note) if part)
    if description:
        yield f"DESCRIPTION:{escape_value(description)}"
    link = talk.url or talk.slides or talk.video
    if link and (site.settings.url or link.startswith("http")):
        yield f"URL:{converter.resolve_url(link)}"
    yield "TRANSP:TRANSPARENT"
    yield "END:VEVENT"


def _first_day(partial_date: Date | None) -> date | None:
    """The first day of a date; None if its year or month is unknown."""
    if partial_date is None or not partial_date.year or not partial_date.month:
        return None
    return date(partial_date.year, partial_date.month, partial_date.day or 1)


def _last_day(partial_date: Date | None) -> date | None:
    """The last day of a date; None if its year or month is unknown."""
    first_day = _first_day(partial_date)
    if partial_date is None or first_day is None or partial_date.day:
        return first_day
    return first_day.replace(day=days_in_month(first_day.year, first_day.month))


def escape_value(text: str) -> str:
    r"""Escape a text value: `\`, `;`, `,` and line ends become `\\`, `\;`, `\,` and `\n` (RFC 5545, 3.3.11)."""
    return r"\n".join(re.sub(r"([\\;,])", r"\\\1", text).splitlines())


def fold_lines(lines: Iterable[str]) -> str:
    """
    Join lines with CR LF; long lines continue after a space, and no character is split (RFC 5545, 3.1).

    Control characters, which no value may contain (RFC 5545, 3.1), are removed: a line end in a URL must not start a line.
    """
    return "".join(f"{part}\r\n" for line in lines for part in _fold_line(_CONTROL_CHARACTER.sub("", line)))


def _fold_line(line: str) -> Iterator[str]:
    part, size = "", 0
    for character in line:
        octets = len(character.encode("utf-8", "replace"))
        if size + octets > MAX_LINE_OCTETS:
            yield part
            part, size = " ", 1
        part += character
        size += octets
    yield part
