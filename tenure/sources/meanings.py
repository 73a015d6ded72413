"""What each field of a source says, in a line: for editors, and for the reference of the documentation."""

from collections.abc import Mapping
from typing import Any

from tenure.model import scholar
from tenure.model.additions import Coauthor, Overlay
from tenure.model.site import Checks, CvWish, Heading, PageWish, Redirects, SectionWish, Settings, ThemeWish
from tenure.sources.options import Option

_INSTITUTION = "the university, school or institute"
_WHEN = "when it was, as people write it: 2024-05, May 2024, Spring 2024"
_ADVISORS = "who advises or advised you there"

MEANINGS: Mapping[Any, Mapping[str, str]] = {
    scholar.Entry: {
        "summary": "one or two sentences, shown in lists",
        "details": "bullets; a bullet may have bullets beneath it",
        "note": "a remark behind the entry",
        "url": "where the name of the entry leads",
        "links": "labels and their addresses: {code: https://…, slides: talk.pdf}",
        "tags": "words to filter by, and for posts and news a page each",
        "publications": "keys of entries in bib/ that belong to it; linked both ways",
        "image": "a picture: its file in content/",
        "image_alt": 'what the picture shows, for those who cannot see it; "" where it only decorates',
        "draft": "true leaves it out of the site; `serve` shows it",
        "id": "its part of the address, where the usual one will not do",
        "language": "its language where it is not the site's: de, pt-BR, zh",
    },
    scholar.Education: {
        "institution": _INSTITUTION,
        "degree": "the degree: Ph.D. in Computer Science",
        "area": "the field, where the degree does not say it",
        "location": "city and country",
        "period": "from when to when: Sep 2021 - present; or start and end",
        "advisors": _ADVISORS,
        "thesis": "the title of the thesis",
        "grade": "the grade or average",
        "rank": "the place among others: 3/20",
    },
    scholar.Experience: {
        "organization": "where it was: a university, a company, a laboratory",
        "unit": "the department, group or team",
        "title": "the name of the work, where it has one",
        "role": "what you were there: Research Intern",
        "location": "city and country",
        "period": "from when to when: May 2024 - Dec 2024; or start and end",
        "advisors": _ADVISORS,
        "mentors": "who mentors or mentored you there",
        "topic": "what it was about",
    },
    scholar.Project: {
        "title": "the name of the project",
        "date": _WHEN,
        "tagline": "a line beneath the title, and in the table of contents",
        "role": "your part in it",
        "features": "what it can do, as bullets",
        "technologies": "what it is made with",
    },
    scholar.Talk: {
        "title": "the title of the talk",
        "event": "the occasion: a seminar, a conference, a group",
        "place": "the house or the city",
        "host": "who invited you",
        "kind": "what it was: invited, keynote, tutorial",
        "date": _WHEN,
        "slides": "the slides: a file in content/, or an address",
        "video": "the recording",
    },
    scholar.Award: {
        "title": "the prize, grant, fellowship or honour",
        "organization": "who gave it",
        "date": _WHEN,
        "amount": "the sum, as it is written: $1,000",
    },
    scholar.Service: {
        "role": "the duty: Reviewer, Area Chair",
        "organization": "for whom",
        "date": _WHEN,
        "groups": "any list under a name of your own: journals: [IEEE TPDS, TMLR]",
    },
    scholar.Course: {
        "course": "the course, as it is called",
        "role": "your part: Lecturer, Teaching Assistant",
        "institution": _INSTITUTION,
        "term": "the terms: Fall 2023, or [Fall 2023, Fall 2024]",
    },
    scholar.News: {
        "text": "the line; that of a file is its text",
        "date": _WHEN,
        "title": "a headline, where it has one",
    },
    scholar.Post: {
        "title": "the title",
        "date": _WHEN,
        "updated": "the day it was last changed",
    },
    scholar.Item: {
        "title": "what it is called",
        "text": "the entry itself, where it has no title",
        "organization": "who or where",
        "role": "your part in it",
        "location": "city and country",
        "date": _WHEN,
    },
    scholar.Prose: {
        "title": "the title; else the first heading of the text",
        "date": _WHEN,
        "updated": "the day it was last changed",
        "menu": "false keeps the page out of the menu",
    },
    scholar.Affiliation: {
        "name": "the name of the organization",
        "url": "its address",
        "ror": "its identifier at ror.org",
    },
    scholar.Profile: {
        "name": "your name, as you write it",
        "aliases": "every other spelling of it that stands in your .bib files",
        "role": "what you are: Ph.D. student in Computer Science",
        "affiliation": "where you are: a name, or name, url and ror; or several",
        "email": "your address of e-mail, or several",
        "location": "city and country",
        "office": "where you are found: a building and a room",
        "pronouns": "your pronouns",
        "photo": "your picture: its file in content/",
        "photo_alt": "what it shows; usually “Portrait of” and your name",
        "tagline": "a line beneath your name",
        "interests": "what you work on",
        "links": "where else you are found: {github: ada, orcid: 0000-0000-0000-0000}",
        "cv": "a CV of your own: its file in content/; then none is made",
    },
    Overlay: {
        "key": "the key of the entry in bib/",
        "selected": "true puts it among the selected, false takes it out",
        "awards": "awards, added to those of the entry",
        "note": "a remark behind it",
        "text": "more on it, which stands on its own page",
        "image": "its thumbnail: a file in content/",
        "image_alt": "what the thumbnail shows",
        "links": "further links: {talk: https://…}",
        "tags": "words to filter by, added to those of the entry",
        "abbr": "the short name of the venue: SOSP '24",
        "pdf": "the paper: a file, or an address",
        "code": "its code",
        "slides": "its slides: a file, or an address",
        "video": "its recording",
        "status": "what is to come of it: submitted, accepted, in press",
        "draft": "true leaves it out of the site; `serve` shows it",
    },
    Coauthor: {
        "name": "the person, as the publications spell the name",
        "url": "where every spelling of the name leads",
        "affiliation": "where the person is, for the table of collaborators",
        "aliases": "the other spellings of the name",
    },
    Heading: {
        "title": "the heading of the list, where the usual one will not do",
        "language": "the language of its entries where it is not the site's",
    },
    Settings: {
        "schema": "the version of the sources; `tenure migrate` brings older ones up to it",
        "title": "the name of the site; usually yours",
        "url": "where you publish it: for feeds, search engines and previews of links",
        "description": "a sentence about the site, for search engines",
        "language": "the language of the site: en, de, pt-BR, zh",
        "theme": "the theme by its name; or its name with options",
        "updated": "when you last looked through it; shown at the foot of each page",
        "footer": "a text at the foot of each page",
        "pages": "the pages in the order of the menu; good ones where this is missing",
        "records": "which files for machines stand beside the pages; [] for none",
        "cvs": "the CVs that are typeset as PDF, by name",
        "redirects": "addresses that pages had before, each with the one to go to: {/bio.html: /}",
        "checks": "which warnings not to tell",
    },
    PageWish: {
        "name": "a collection, a text of content/pages/, or cv: the usual page of that name",
        "path": "the address of the page from the root of the site: /teaching/",
        "title": "the title of the page, in the menu as well",
        "intro": "a text above the sections",
        "sections": "what stands on it, in this order",
        "menu": "false keeps it out of the menu",
        "language": "its language where it is not the site's",
    },
    SectionWish: {
        "name": "a collection: publications, talks, patents of content/patents.yaml; or a text: about of content/about.md",
        "title": "the heading; usually the name of the collection",
        "show": "which entries: all; for publications also those you are first author of, the selected, or the rest",
        "kind": "only publications of these types (article, inproceedings), or talks of these kinds",
        "tag": "only entries that bear one of these tags",
        "without": "no entry that bears one of these tags",
        "year": "only entries of these years",
        "limit": "so many entries at most; the page leads to the others",
        "group": "headings within: by year, by term (teaching), or by kind (publications, talks)",
        "number": "numbers before the entries",
        "restart": "true begins the numbers anew, where a page has several lists",
        "order": "the order: as written, or by date",
        "intro": "a text above the entries",
        "brief": "true shows each entry in a line",
        "bib": "the .bib files of the list; it is none of the publications where it has a name of its own",
    },
    CvWish: {
        "name": "the name of the file: resume makes resume.pdf",
        "title": "what the document is called",
        "look": "compact, or a theme's name; usually that of the site's theme",
        "paper": "the paper",
        "margins": "in millimetres: all, or [top and bottom, left and right]",
        "size": "of the text, in points",
        "pages": "how many pages it may have",
        "sections": "what stands in it; usually what stands on the page cv",
        "tag": "in a section where entries bear one of these tags, only those",
        "without": "no entry that bears one of these tags",
        "links": "true prints the rows of links, such as slides and code",
    },
    ThemeWish: {
        "name": "the theme: classic, folio, plain, or one of your own",
        "options": "what the theme lets you choose; `tenure theme show` lists it",
    },
    Redirects: {"ways": "an old address and the one to go to: /cv.html: /cv/"},
    Checks: {"ignore": "codes of warnings: missing-alt, bib-missing-venue"},
    Option: {
        "type": "what may be chosen",
        "default": "what is chosen where the site says nothing",
        "choices": "the names to choose from; for a colour each with its two colours",
        "grounds": "the backgrounds that a colour is read on: fdfcfb 16181b",
        "tint": "the percentage of a colour that is mixed into the page behind it",
        "help": "a line about it",
    },
}
"""The meaning of each field that may be written, by the type that has it."""

START = {"start": "when it began", "end": "when it ended: a date, present, or ~May 2027 (expected)"}
"""The two keys that may be written in place of a period."""


def meaning_of(cls: Any, field: str) -> str:
    """What a field of a type, or of one it stands on, says; "" where that has not been written yet."""
    return next((MEANINGS[kind][field] for kind in cls.__mro__ if field in MEANINGS.get(kind, {})), "")
