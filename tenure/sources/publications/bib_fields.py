"""Fields of entries in .bib files: shown fields, links, fields of other programs, and unknown fields."""

import difflib
import re
from collections.abc import Mapping

BIB_IMAGE_FIELDS = ("preview", "image", "thumbnail", "thumb", "teaser", "img", "picture")
"""Fields that may name an image of the publication; `preview` always does."""

DRAFT_FIELDS = ("hidden", "hide", "draft")
"""Fields that omit an entry from the site if they are true."""

TRUE_VALUES = frozenset({"true", "yes", "1", "y"})
SWITCH_VALUES = TRUE_VALUES | {"false", "no", "0", "n"}

TAG_FIELDS = ("keywords", "keyword", "tags")

ALWAYS_LINK_FIELDS = (
    "pdf",
    "arxiv",
    "doi",
    "html",
    "hal",
    "pmid",
    "code",
    "data",
    "slides",
    "poster",
    "video",
    "supp",
    "blog",
    "website",
    "url",
)
"""Fields that are links with any value, in the order of a publication's links; other links follow."""

POSSIBLE_LINK_FIELDS = frozenset(
    """demo project
    appendix colab dataset github homepage notebook openreview paper presentation publisher_page recording repo
    repository software supplement supplementary talk tutorial youtube""".split()  # noqa: SIM905 - a list of words
)
"""Fields that are links if their value is a URL or a file. A field of any other name is a link if its value is a URL."""

SHOWN_FIELDS = frozenset(
    """abbr abstract additional_info address annotation archiveprefix arxivid author award award_name booktitle
    booksubtitle crossref date day doi edition editor eid eprint eprinttype eventtitle hal_id howpublished institution
    issue journal journaltitle langid language location maintitle month note number organization pages preprint_of
    publisher pubstate school selected series shortbooktitle shortjournal status subtitle title type venue volume xdata
    year""".split()  # noqa: SIM905 - a list of words
)

PROGRAM_FIELDS = frozenset(
    """abstractnote acknowledgement acmid acronym addendum adsnote adsurl affiliation affiliations altmetric annote
    annotator archive arraycount article-number articleno bibdate bibsource biburl bibtex_show booktitleaddon calltype
    chapter citedby citations classmap coden collaboration color comment comments commentator conflocation confdate
    conference conftitle copyright corpsource country creationdate date-added date-modified
    dimensions doi-asserted-by editora editorb editorc editortype entryset entrysubtype eprintclass eventdate
    eventtitleaddon execute eventyear file fjournal foreword funding gender google_scholar_id groups hal_version holder
    hyphenation ids indextitle indexsorttitle index inspirehep_id internal-note internal_note introduction isan isbn
    isbn-13 ismn isrn issn issn-l issn-linking issue_date issuetitle issuesubtitle iswc journal-url journalsubtitle key
    keywords-plus label langidopts lastchecked lccn library listarg local-url mainsubtitle maintitleaddon
    meetingdate mendeley-tags modificationdate mrclass mrnumber mrreviewer nationality nodoi noisbn noissn number-of-cited-references
    nameaddon numpages oclc onlinedate openalex options origdate origlanguage origlocation origpublisher origtitle owner
    pagetotal pagination part paywalled pii pmc pmcid preprint presort price primaryclass primaryclassname printed priority
    pubcountry publicationtype pubmodel pubstatus qualityassured ranking rating read readstatus refid related
    relatedoptions relatedstring relatedtype remark reprinttitle reportnumber researcherid-numbers review s2id
    semanticscholar shortauthor shorteditor shorthand shorthandintro shortseries shorttitle slaccitation sortkey sortname
    sortshorthand sorttitle sortyear source sponsor subject sver swhid tableofcontents termlist timestamp titleaddon
    translator treatment unique-id urldate urlday urlmonth urlyear urn username version volumes web-of-science-categories
    web-of-science-index xref
    affiliationaddress af afterword alttitle bookauthor bookpagination bookpages c1 citation-subset classcodes
    classification collaborator countrypub di editoratype editorbtype editorctype em ga generalterms inspire j9 ji
    journalabr la license lista listb listc listd liste listf medline-pst meetingaddress namea nameb namec
    nlm-id nr pa pg pi publisherinfo pn received revised rp sc sn sponsororg tc thesaurus usera userb userc userd
    usere userf ut verba verbb verbc wc z9 zblnumber zbl zmnumber zmreviewer zotero __markedentry""".split()  # noqa: SIM905 - a list of words
)
"""Fields of BibTeX, biblatex, reference managers and databases that a list of publications does not show."""

_PROGRAM_FIELD_PATTERN = re.compile(
    r"bdsk-|mendeley-|x-|citeulike-|jabref|biblatex|opt|xx|.+\+an(?::.*)?$|^(?:title|author|note|journal)-"
)
"""Names that programs generate. Emacs disables a field with the prefix opt."""

_DISABLED_FIELD_PATTERN = re.compile(
    r"no(?:address|author|date|doi|editor|isbn|issn|month|note|pages|series|title|url|year)$"
)
_FILE_PATTERN = re.compile(r"[^\s/][^\s]*\.[A-Za-z][A-Za-z0-9]{1,4}")
_URL_PATTERN = re.compile(r"https?://\S+", re.IGNORECASE)
_IMAGE_PATTERN = re.compile(r"\S+\.(?:apng|avif|gif|jpe?g|png|svg|webp)(?:[?#]\S*)?", re.IGNORECASE)
_URL_AFFIX = re.compile(r"^url[_-]?(?=\w)|[_-]?url$")


def is_web_url(value: str) -> bool:
    """Whether a value is an http or https URL and nothing else."""
    return _URL_PATTERN.fullmatch(value.strip()) is not None


def is_image_path(value: str) -> bool:
    """Whether a value is the path or URL of an image file."""
    return _IMAGE_PATTERN.fullmatch(value.strip()) is not None


def strip_url_affix(field: str) -> str:
    """The link name of a field: "code" for "code_url", "url_code" and "codeurl"; "url" is unchanged."""
    return _URL_AFFIX.sub("", field) or field


def is_program_field(field: str) -> bool:
    """Whether a field belongs to a citation style, a program or a database, and is not shown."""
    return (
        field in PROGRAM_FIELDS
        or _PROGRAM_FIELD_PATTERN.match(field) is not None
        or _DISABLED_FIELD_PATTERN.match(field) is not None
    )


def is_link_field(field: str, value: str) -> bool:
    """Whether a field outside ALWAYS_LINK_FIELDS is a link: its value is a URL, or a file in POSSIBLE_LINK_FIELDS."""
    if field in SHOWN_FIELDS or is_program_field(field) or find_image_field({field: value}):
        return False
    return is_web_url(value) or (
        field in POSSIBLE_LINK_FIELDS and _FILE_PATTERN.fullmatch(value.strip()) is not None
    )


def find_image_field(fields: Mapping[str, str]) -> str:
    """The field that names the image of an entry; "" if there is none."""
    for name in BIB_IMAGE_FIELDS:
        value = fields.get(name, "").strip()
        if value and value.casefold() not in SWITCH_VALUES and (name == "preview" or is_image_path(value)):
            return name
    return ""


def is_draft_entry(fields: Mapping[str, str]) -> bool:
    """Whether a field marks the entry as a draft."""
    return any(fields.get(name, "").strip().casefold() in TRUE_VALUES for name in DRAFT_FIELDS)


def is_known_field(field: str, value: str) -> bool:
    """Whether a field is shown, has an effect, or belongs to another program; false for a field to report."""
    if (
        field in ALWAYS_LINK_FIELDS
        or field in SHOWN_FIELDS
        or field in (*DRAFT_FIELDS, *TAG_FIELDS)
        or not value.strip()
    ):
        return True
    if is_program_field(field) or find_image_field({field: value}) or is_link_field(field, value):
        return True
    return (
        field in BIB_IMAGE_FIELDS or field in POSSIBLE_LINK_FIELDS
    ) and value.strip().casefold() in SWITCH_VALUES


def suggest_field(field: str) -> str:
    """The known field that an unknown field probably misspells ("abstract" for "abstarct"); "" if none is similar."""
    if not field.isalpha() or len(field) < 3:
        return ""
    known = sorted(
        {*SHOWN_FIELDS, *ALWAYS_LINK_FIELDS, "keywords", "preview", "hidden", "project", "dataset"}
    )
    for name in known:
        if name != field and sorted(name) == sorted(field):
            return name
    near = difflib.get_close_matches(field, [name for name in known if name[0] == field[0]], n=1, cutoff=0.83)
    return near[0] if near and near[0] != field else ""
