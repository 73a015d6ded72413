"""A CV as plain data for the Typst template of a theme."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tenure.model.scholar import Markdown, Prose, Publication
from tenure.model.site import Collection, Colour, CvWish, SectionWish, Site
from tenure.outlets.rows import numbers, rows_of
from tenure.outlets.runs import Block, Run, paragraph
from tenure.outlets.wording import Runs, Wording, filled
from tenure.problems import Problems
from tenure.web.sections import Section, make_section

PAPERS = {"a4": "a4", "letter": "us-letter"}
"""Paper sizes by their names in Typst."""

LONG = 3
"""Minimum number of projects for a table of contents."""

POINTS_IN_MILLIMETRE = 72 / 25.4


def curriculum(
    site: Site, wish: CvWish, problems: Problems, shown: Mapping[str, Collection] | None = None
) -> dict[str, Any]:
    """
    The input of a theme's cv.typ: the person, and sections with rows; all text as runs and blocks.

    `collections` replaces the site's collections. `margins` (points: top and bottom, left and right) and `size`
    (points) are None if not configured. `scale` multiplies the size of letters and gaps.
    """
    made: list[Section] = []
    part = site if shown is None else replace(site, collections=shown)
    for section in wish.sections or ():
        one = make_section(part, _narrowed(part, wish, section), "cv", made, problems)
        if one is not None:
            made.append(one)
    accounts = {section.kind for section in made} <= {"projects", "prose"}
    say = Wording.of(site, _numbers(made), links=wish.links, accounts=accounts)
    margins = [side * POINTS_IN_MILLIMETRE for side in wish.margins[:2]]
    updated = site.settings.updated
    language, *subtags = site.settings.language.split("-")
    return {
        "title": wish.title,
        "language": language,
        "region": next((tag for tag in subtags if len(tag) == 2), None),
        "description": site.settings.description,
        "paper": PAPERS[wish.paper],
        "margins": [margins[0], margins[-1]] if margins else None,
        "size": wish.size or None,
        "scale": 1,
        "person": _person(say),
        "sections": [_section(say, section) for section in made],
        "updated": filled(say.t["last_updated"], {"date": say.date(updated)}) if updated else [],
        "options": {k: v.light if isinstance(v, Colour) else v for k, v in site.look.options.items()},
    }


def _narrowed(site: Site, wish: CvWish, section: SectionWish) -> SectionWish:
    """Add the tags of the whole CV to the filters of a section."""
    collection = site.collections.get(section.name)
    tags = {tag for entry in collection.entries for tag in entry.tags} if collection else set()
    taken = wish.tag if not section.tag and tags & set(wish.tag) else ()
    if not taken and not tags & set(wish.without):
        return section
    # Without `source`: a section that is empty because of the tags of the whole CV is not reported.
    return replace(section, tag=section.tag or taken, without=(*section.without, *wish.without), source="")


def _numbers(sections: Sequence[Section]) -> dict[str, tuple[str, int]]:
    """Anchor and number of the numbered publications in the CV, by key."""
    items = [item for section in reversed(sections) for item in section.items if item.id and item.number]
    return {i.entry.key: (i.id, i.number) for i in items if isinstance(i.entry, Publication) and i.number}


def _person(say: Wording) -> dict[str, Any]:
    who = say.site.profile
    places = [say.led(say.plain(place.name), place.url) for place in who.affiliation]
    contacts: list[Runs] = [say.led([email], f"mailto:{email}") for email in who.email]
    contacts += [say.led([say.t.called(link.label)], link.url) for link in who.links]
    address = say.site.settings.url
    if address and not any(link.url.rstrip("/") == address.rstrip("/") for link in who.links):
        contacts.append(say.led([address.partition("://")[2].rstrip("/")], address))
    contacts += [say.told(say.t["office"], say.plain(who.office))] if who.office else []
    contacts += [say.plain(who.location)] if who.location else []
    return {
        "name": who.name,
        "pronouns": who.pronouns,
        "position": say.listed([say.inline(who.role), *places]),
        "tagline": say.inline(who.tagline),
        "contacts": contacts,
        "interests": say.told(say.t["interests"], say.listed([say.plain(word) for word in who.interests])),
    }


def _section(say: Wording, section: Section) -> dict[str, Any]:
    """A section: its title, introduction, text, and rows in groups; `legend` explains the star."""
    return {
        "name": section.name,
        "kind": section.kind,
        "title": say.inline(section.title),
        "legend": f"* {say.t['equal']}" if section.legend else "",
        "intro": say.blocks(section.intro),
        "text": _text(say, section.text, brief=section.brief) if section.text else [],
        "contents": _contents(say, section),
        "groups": [
            *({"title": say.plain(figure.title), "rows": numbers(say, figure)} for figure in section.figures),
            *(
                {
                    "title": say.inline(listing.title),
                    "rows": rows_of(say, section.kind, listing.items, brief=section.brief),
                }
                for listing in section.listings
            ),
        ],
    }


def _contents(say: Wording, section: Section) -> dict[str, Any] | None:
    """The table of contents of full projects: title, anchor and dates of each, or None."""
    if not say.accounts or section.kind != "projects" or section.brief or len(section.items) < LONG:
        return None
    return {
        "title": say.plain(say.t["contents"]),
        "rows": [
            {
                "title": say.inline(item.entry.name),
                "id": item.id,
                "dates": say.period(item.entry.when, "long"),
            }
            for item in section.items
        ],
    }


def _text(say: Wording, text: Prose, *, brief: bool) -> list[Block]:
    """The blocks of a text with its byline, summary and details."""
    updated: Sequence[Run] = say.date(text.updated, "long")
    when = say.listed(
        [
            say.period(text.date, "long"),
            filled(say.t["updated_on"], {"date": list(updated)}) if updated else [],
            say.listed([say.plain(tag) for tag in text.tags]),
        ]
    )
    blocks = (
        paragraph(when, "byline") + paragraph(say.inline(text.summary), "summary") + say.blocks(text.body)
    )
    return (
        blocks
        if brief
        else blocks
        + say.about(replace(text, summary=Markdown(""), body=Markdown("")), say.points(text.details))
    )
