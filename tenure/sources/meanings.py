"""The one-line help of each field of a source, for editors and for the tables of the documentation."""

from collections.abc import Mapping
from typing import Any

from tenure.model import scholar
from tenure.model.additions import Coauthor, Overlay
from tenure.model.site import Checks, CvWish, Heading, PageWish, Redirects, SectionWish, Settings, ThemeWish
from tenure.sources.options import Option

_INSTITUTION = "the university, school or institute"
_WHEN = "the date or period: 2024-05, May 2024, Spring 2024"
_ADVISORS = "your advisor there, or several"

MEANINGS: Mapping[Any, Mapping[str, str]] = {
    scholar.Entry: {
        "summary": "one or two sentences; lists show them, but not sections with brief: true",
        "details": "bullets; a bullet may contain bullets",
        "note": "a note, shown at the end of the entry",
        "url": "the URL that the name of the entry links to",
        "links": "links with their labels: {code: https://…, slides: talk.pdf}",
        "tags": "tags; sections can filter by them, and each tag of posts and news has a page",
        "publications": "keys of the publications in bib/ that belong to the entry; the entry and the publications link to each other",
        "image": "an image: the name of a file in content/",
        "image_alt": 'the alt text of the image; "" if the image is only decorative',
        "draft": "true hides the entry from the published site; `serve` shows it",
        "id": "the URL slug, if the default one does not suit: caching-2024",
        "language": "the language, if it differs from that of the site: de, pt-BR, zh",
    },
    scholar.Education: {
        "institution": _INSTITUTION,
        "degree": "the degree: Ph.D. in Computer Science",
        "area": "the field of study, if the degree does not contain it",
        "location": "city and country",
        "period": "the period: Sep 2021 - present; or use start and end",
        "advisors": _ADVISORS,
        "thesis": "the title of the thesis",
        "grade": "the grade or average",
        "rank": "your rank in the class: 3/20",
    },
    scholar.Experience: {
        "organization": "the employer: a university, a company, a laboratory",
        "unit": "the department, group or team",
        "title": "the name of the work, if it has one",
        "role": "your position: Research Intern",
        "location": "city and country",
        "period": "the period: May 2024 - Dec 2024; or use start and end",
        "advisors": _ADVISORS,
        "mentors": "your mentor there, or several",
        "topic": "the topic of the work",
    },
    scholar.Project: {
        "title": "the name of the project",
        "date": _WHEN,
        "tagline": "a line below the title, also shown in the table of contents",
        "role": "your role",
        "features": "what the project can do, as bullets",
        "technologies": "the languages, libraries and tools of the project",
    },
    scholar.Talk: {
        "title": "the title of the talk",
        "event": "the event: a seminar, a conference, a group meeting",
        "place": "the institution or the city",
        "host": "the person who invited you",
        "kind": "the kind of talk: invited, keynote, tutorial",
        "date": _WHEN,
        "slides": "the slides: a file in content/, or a URL",
        "video": "the video: a URL, or a file in content/",
    },
    scholar.Award: {
        "title": "the prize, grant, fellowship or honour",
        "organization": "the organization that gave it",
        "date": _WHEN,
        "amount": "the amount, as you write it: $1,000",
    },
    scholar.Service: {
        "role": "your role: Reviewer, Area Chair",
        "organization": "the organization, conference or journal",
        "date": _WHEN,
        "groups": "a list with a name of your choice: journals: [IEEE TPDS, TMLR]",
    },
    scholar.Course: {
        "course": "the name of the course",
        "role": "your role: Lecturer, Teaching Assistant",
        "institution": _INSTITUTION,
        "term": "the term, or several: Fall 2023, or [Fall 2023, Fall 2024]",
    },
    scholar.News: {
        "text": "the text of the news item; in a .md file, the text below the front matter",
        "date": _WHEN,
        "title": "a headline, if you want one",
    },
    scholar.Post: {
        "title": "the title",
        "date": _WHEN,
        "updated": "the date of the last change",
    },
    scholar.Item: {
        "title": "the name of the entry",
        "text": "the text of the entry, if it has no title",
        "organization": "the organization or the place",
        "role": "your role",
        "location": "city and country",
        "date": _WHEN,
    },
    scholar.Prose: {
        "title": "the title; by default the first heading of the text",
        "date": _WHEN,
        "updated": "the date of the last change",
        "menu": "false removes the page from the menu",
    },
    scholar.Affiliation: {
        "name": "the name of the organization",
        "url": "its homepage",
        "ror": "its identifier in the registry ror.org",
    },
    scholar.Profile: {
        "name": "your name, as you write it",
        "aliases": "the other spellings of your name in your .bib files",
        "role": "your position: Ph.D. student in Computer Science",
        "affiliation": "your institution: a name, or name, url and ror; or several institutions",
        "email": "your e-mail address, or several",
        "location": "city and country",
        "office": "your office: building and room",
        "pronouns": "your pronouns",
        "photo": "your photo: the name of a file in content/",
        "photo_alt": "the alt text of the photo; by default “Portrait of” and your name",
        "tagline": "a line below your name",
        "interests": "your research interests",
        "links": "your profiles on other sites: {github: ada, orcid: 0000-0000-0000-0000}",
        "cv": "your own CV: a PDF file in content/; Tenure then generates none",
    },
    Overlay: {
        "key": "the key of the entry in bib/",
        "selected": "true marks the publication as selected, false removes the mark",
        "awards": "awards, added to those in the .bib entry",
        "note": "a note, shown at the end of the entry",
        "text": "more text, shown on the publication's own page",
        "image": "the thumbnail: the name of a file in content/",
        "image_alt": "the alt text of the thumbnail",
        "links": "more links: {talk: https://…}",
        "tags": "tags, added to those in the .bib entry",
        "abbr": "the short name of the venue: SOSP '24",
        "pdf": "the paper: a file or a URL",
        "code": "the source code: a URL or a file",
        "slides": "the slides: a file or a URL",
        "video": "the video: a URL or a file",
        "status": "the status before publication: submitted, accepted, in press",
        "draft": "true hides the entry from the published site; `serve` shows it",
    },
    Coauthor: {
        "name": "the name of the person, as written in the publications",
        "url": "the homepage that every spelling of the name links to",
        "affiliation": "the institution of the person, for the table of collaborators",
        "aliases": "the other spellings of the name",
    },
    Heading: {
        "title": "the heading of the list, if the default one does not suit",
        "language": "the language of the entries, if it differs from that of the site",
    },
    Settings: {
        "schema": "the version of the source format; `tenure migrate` updates older sources",
        "title": "the name of the site; by default your name",
        "url": "the URL where you publish the site; feeds, search engines and link previews need it",
        "description": "one sentence about the site, for search engines",
        "language": "the language of the site: en, de, pt-BR, zh",
        "theme": "the name of the theme; or a name with options",
        "updated": "the date of your last revision, shown at the bottom of each page",
        "footer": "a text at the bottom of each page",
        "pages": "the pages in the order of the menu; without this key, default pages",
        "search": "true adds a search over all pages of the site",
        "records": "the data files to publish with the site; [] for none",
        "cvs": "the CVs to typeset as PDF, by name",
        "redirects": "old paths of pages, each with its new path: {/bio.html: /}",
        "checks": "the warnings to ignore",
    },
    PageWish: {
        "name": "the name of a list, of a text in content/pages/, or cv: the default page of that name",
        "path": "the path of the page on the site: /teaching/",
        "title": "the title of the page and of its menu item",
        "intro": "a text above the sections",
        "sections": "the sections of the page, in this order",
        "menu": "false removes the page from the menu",
        "language": "the language of the page, if it differs from that of the site",
        "pages": "the pages of a group in the menu: {title: Research, pages: [publications, talks]}",
    },
    SectionWish: {
        "name": "the name of a list (publications, talks; patents for content/patents.yaml) or of a text (about for content/about.md)",
        "title": "the heading; by default the name of the list",
        "show": "the entries to show: all; selected or first_author (publications only); rest: all that earlier sections of the page do not show",
        "kind": "show only publications of these types (article, inproceedings), or talks of these kinds",
        "tag": "show only entries with one of these tags",
        "without": "hide entries with one of these tags",
        "year": "show only entries of these years",
        "limit": "the maximum number of entries; the section links to the page with all of them, if there is one",
        "group": "group the entries under headings: by year, by term (teaching), or by kind (publications, talks)",
        "number": "number the entries",
        "restart": "true restarts the numbering in this section",
        "order": "the order: as written in the file, or by date",
        "intro": "a text above the entries",
        "brief": "true shows each entry as one line",
        "bib": "read the section from these files in bib/ only; in a section with a new name, such as press, these entries are not part of publications",
    },
    CvWish: {
        "name": "the name of the PDF file without .pdf: resume",
        "title": "the title of the document",
        "look": "the layout: compact, or the name of a theme; by default the theme of the site",
        "paper": "the paper size",
        "margins": "the margins in millimetres: one number for all, or [top and bottom, left and right]",
        "size": "the font size of the text, in points",
        "pages": "the maximum number of pages",
        "sections": "the sections of the document; by default those of the page cv",
        "tag": "in each section that has entries with one of these tags, show only those entries",
        "without": "hide entries with one of these tags",
        "links": "true prints the links of entries, such as slides and code",
    },
    ThemeWish: {
        "name": "the theme: classic, folio, plain, or one of your own",
        "options": "the options of the theme; `tenure theme show` lists them",
    },
    Redirects: {"ways": "an old path and its new path: /cv.html: /cv/"},
    Checks: {"ignore": "the codes of the warnings to ignore: missing-alt, bib-missing-venue"},
    Option: {
        "type": "the type of the option: choice, boolean, text or colour",
        "default": "the value if the site does not set the option",
        "choices": "the possible values; for a colour, each name with its light and its dark colour",
        "grounds": "the backgrounds behind a colour, light and dark, for the contrast check: fdfcfb 16181b",
        "tint": "the percentage of the colour that the theme mixes into the background",
        "help": "one line that explains the option",
    },
}
"""The help of each field, by the type that has the field."""

START = {"start": "the start date", "end": "the end date, present, or ~May 2027 (expected)"}
"""The two keys that can replace a period."""


def meaning_of(cls: Any, field: str) -> str:
    """The help of a field of a type or of one of its base types; "" if there is none."""
    return next((MEANINGS[kind][field] for kind in cls.__mro__ if field in MEANINGS.get(kind, {})), "")
