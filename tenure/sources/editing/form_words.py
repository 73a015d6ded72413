"""
The words of forms: the label of each field, and its help where the help of the sources shows syntax.

A row is "field: label | help", or "Record.field: …" for the field of one record. Without a row, the label is
the key with spaces, "Photo alt", and the help is that of the field (`help_for_field`).
"""

from collections.abc import Iterator, Mapping, Sequence

from tenure.record import Record


class Words(Record):
    """The label of a field in a form, and its help; "" if that of the sources has no syntax."""

    label: str
    help: str = ""


_ROWS = """
abbr: Short name of the venue
accent: Colour | the colour of headings and links: a name such as rust or ocean, or a code such as #0b5fa5; by default that of the theme
aliases: Other spellings of the name | the other ways in which papers spell the name, one a line
allow: Other hosts | the other hosts that pages may load from
Profile.affiliation: Affiliation | your institution
affiliations: Institutions of the authors | without authors, an institution is that of all
alt: Description | what it shows, for people who do not see it; empty if it is only decorative
abstracts: Show abstracts | show the abstract of each publication, folded
authors: Authors there | the authors who worked there, by their place in the list: 1-3; without it, all
bib: Files of papers | only the publications of these files
brief: One line an entry | show each entry as one line
by: Of these people | only publications of these people, and entries that name them
category_id: Category code
checks: Warnings to ignore
cloudflare: Cloudflare Web Analytics
compare: Two pictures to compare | two pictures, before and after
coauthors: Co-authors
counts: Citation counts | show how often each publication is cited
FetchConfig.counts: Citation counts | openalex: the command fetch writes how often each publication is cited
cv: Your own CV | a PDF of your own; Tenure then makes none
cvs: CVs as PDF
details: Points | one a line
dois: DOIs | the DOIs of papers that the command fetch adds, one a line
draft: Draft | hide the entry from the published site; the preview shows it
during: Only while a member
email: E-mail | your e-mail address; several with commas between them
Person.email: E-mail | the e-mail address; several with commas between them
end: End | the end date, present, or ~May 2027 if it is expected
features: What it can do | one a line
fetch: Papers from other services | the services from which the command fetch completes the publications
file: File | a picture or a video (mp4, webm) of the site
former: Has left | the person has left; an end in the past says so too
giscus: Comments by giscus
goatcounter: Statistics by GoatCounter
group: Grouped by
groups: Headings of roles | a role, and the heading above those who have it
head: Head of the group | the head of the group, or several, by name
hosts: Hosts of style sheets, frames and media
id: Address of its page | the last part of the address, if the default one does not suit: caching-2024
Umami.id: Website code
ignore: Warnings | the codes of the warnings to ignore, one a line
image: Picture | choose a picture, or drop it here
image_alt: Picture description | what the picture shows, for people who do not see it; empty if it is only decorative
intro: Text above it
kind: Kind
Profile.kind: Whose site it is | a person, a group, a centre or a project; on the site of a group, all its people are the owners of the papers
SectionConfig.kind: Only these kinds | only publications of these kinds (article, inproceedings), or talks of these kinds
language: Language | the code of the language, if it differs from that of the site: de, pt-BR, zh
Settings.language: Language | the code of the language of the site: en, de, pt-BR, zh
LanguageConfig.language: Language | the code of the language: de, zh-Hant
languages: Further languages | each has its pages in a folder of its own
layout: Layout of its page | record, or project with a large head, wide pictures and buttons
limit: At most
links: Links | paste an address; the name before it says what it leads to
Profile.links: Links | your pages at GitHub, ORCID, Google Scholar and others: paste the address
CvConfig.links: Print the links | print the links of entries, such as slides and code
mapping: How a page finds its discussion
margins: Margins | the margins in millimetres: one number for all; or one for top and bottom, and in a second line one for left and right
media: More pictures and videos | more pictures and videos for the page of the entry
members: Sites of members | sites made with Tenure, each with a name; the command fetch adds their new publications
menu: In the menu | the page is in the menu
name: Name
CvConfig.name: Name of the file | the name of the PDF without its ending: resume
Coauthor.name: Name
PageConfig.name: Page
SectionConfig.name: List or text
number: Numbered
orcid: ORCID iD
order: Order | written (as in the file), newest or oldest
page: Page of its own | make a page for the person; a person with a text has one
Profile.office: Office
pages: Pages | the pages in the order of the menu; by default Tenure chooses them
PageConfig.pages: Pages of the group
CvConfig.pages: Pages at most
past: Former people
path: Address on the site | the address of the page, if it differs from the name of the file: /lehre/
PageConfig.path: Address on the site | the address of the page: /teaching/; or that of another site, for a link in the menu
LanguageConfig.path: Folder
pdf: PDF | the paper: choose the PDF or drop it here, or paste an address
people: People | people of the site who belong to it, one a line; their pages and the entry link to each other
photo: Photo | choose your photo, or drop it here
CvConfig.photo: Photo | print the photo of the profile
photo_alt: Photo description | what the photo shows, for people who do not see it; by default “Portrait of” and your name
plausible: Statistics by Plausible
poster: Still picture of a video | the picture before it plays; by default the one with the name of the video
preprint_of: Published version | the key of the published version, which takes over the links of this preprint
publications: Papers | papers that belong to it; both link to each other
rank: Rank in the class
records: Data files
redirects: Old addresses | an old address on the site, such as /bio.html, and the new one
repo: Repository
repo_id: Repository code
Profile.ror: ROR identifier | the identifier of the group in the registry ror.org
ror: ROR identifier | its identifier in the registry ror.org; it may stay empty
schema: Version of the format
scripts: Hosts of scripts
search: Search | add a search over all pages of the site
sections: Sections | the sections of the page, in this order
selected: Selected | show it among the selected papers
server: Own server
services: Services of other hosts | statistics, comments and videos of other hosts
show: Which entries
Person.site: Own site
site: Code
size: Size of the text
slides: Slides | choose the PDF or drop it here, or paste an address
start: Start
style: Citation style
summary: Summary | one or two sentences, shown in lists
tag: Only these tags
tags: Tags | words by which pages choose entries
term: Term | Fall 2023; several one a line
then: Now | what a former member does now: Assistant Professor, University of Z
Media.caption: Text below it
Person.title: Name
Person.image: Photo | choose a photo, or drop it here; by default the picture with the name of the person
Talk.video: Video | paste the address of the video
umami: Statistics by Umami
unit: Department or group
updated: Last change
url: Address | the address to which the name of the entry leads
Affiliation.url: Homepage | its homepage: paste the address
PaperAffiliation.url: Homepage
Coauthor.url: Homepage
Settings.url: Address of the site | where the site is published; feeds, search engines and link previews need it
vimeo: Videos of Vimeo | show videos of Vimeo in the page
video: Video | paste the address of the video, or write the name of a file
view: Shown as
where: On which pages | home, posts, pages, projects, publications, or the address of a page, one a line
without: Not these tags
FetchConfig.without: Never these papers
year: Only these years
youtube: Videos of YouTube | show videos of YouTube in the page
News.text: Text
Education.period: Period | Sep 2021 - present
Experience.period: Period | May 2024 - Dec 2024
Settings.pages: Pages | the pages in the order of the menu; by default Tenure chooses them
"""

_FIRST_FIELDS: Mapping[str, str] = {
    "Profile": "name role affiliation photo email links tagline interests",
    "Settings": "title url description pages language languages",
}
"""The fields that a form shows first, in this order; the others are under "More fields"."""

GROUP_FIELDS = frozenset({"head", "ror"})
"""The fields of the profile that only a group, a centre or a project has."""


def _read_rows(text: str) -> Iterator[tuple[str, Words]]:
    for row in text.strip().split("\n"):
        field, _, words = row.partition(": ")
        label, _, help_text = words.partition(" | ")
        yield field, Words(label, help_text)


_WORDS: Mapping[str, Words] = dict(_read_rows(_ROWS))


def find_words(cls: type[Record], name: str) -> Words:
    """The label and the help of a field in a form: Profile, "photo_alt" -> "Photo description"."""
    for base in cls.__mro__:
        if words := _WORDS.get(f"{base.__name__}.{name}"):
            return words
    default = Words(name[:1].upper() + name[1:].replace("_", " "))
    return _WORDS.get(name, default)


def list_first_fields(cls: type[Record], own_fields: Sequence[str]) -> Sequence[str]:
    """The fields that a form of a record shows first: those of its own, or a choice of them."""
    chosen = _FIRST_FIELDS.get(cls.__name__, "")
    return chosen.split() or own_fields
