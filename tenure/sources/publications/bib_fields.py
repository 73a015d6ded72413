"""Fields of entries in .bib files: shown fields, links, fields of other programs, and unknown fields."""

import difflib
import re
from collections.abc import Mapping
from functools import lru_cache

from tenure.sources.publications.fact_fields import FACT_FIELDS

BIB_IMAGE_FIELDS = ("preview", "image", "thumbnail", "thumb", "teaser", "img", "picture")
"""Fields that may name an image of the publication; `preview` always does."""

DRAFT_FIELDS = ("hidden", "hide", "draft")
"""Fields that omit an entry from the site if they are true."""

TRUE_VALUES = frozenset({"true", "yes", "1", "y"})
SWITCH_VALUES = TRUE_VALUES | {"false", "no", "0", "n"}

PLACEHOLDER = re.compile(
    r"\W*|n\.?/?a\.?|tb[ad]|none|null|todo|coming soon|not available|to be (?:announced|determined|added)",
    re.IGNORECASE,
)
"""A value that says only that there is none."""

TAG_FIELDS = ("keywords", "keyword", "tags")
AUTHOR_TAG_FIELD = "author_keywords"
"""The keywords of the authors, as Scopus writes them; `keywords` has then those of the database."""

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

URL_TEMPLATES: Mapping[str, str] = {
    "arxiv": "https://arxiv.org/abs/{}",
    "hal": "https://hal.science/{}",
    "pmid": "https://pubmed.ncbi.nlm.nih.gov/{}/",
    "pmcid": "https://pmc.ncbi.nlm.nih.gov/articles/{}/",
    "jstor": "https://www.jstor.org/stable/{}",
    "zbl": "https://zbmath.org/?q=an:{}",
    "mr": "https://mathscinet.ams.org/mathscinet-getitem?mr={}",
    "googlebooks": "https://books.google.com/books?id={}",
    "hdl": "https://hdl.handle.net/{}",
    "urn": "https://nbn-resolving.org/{}",
    "ads": "https://ui.adsabs.harvard.edu/abs/{}",
    "ssrn": "https://ssrn.com/abstract={}",
    "iacr": "https://eprint.iacr.org/{}",
    "osf": "https://osf.io/{}",
}
"""The URL of an identifier, by the name of its database."""

POSSIBLE_LINK_FIELDS = frozenset(
    """demo project
    appendix colab dataset github homepage notebook openreview paper presentation publisher_page recording repo
    repository software supplement supplementary talk tutorial youtube""".split()  # noqa: SIM905 - a list of words
)
"""Fields that are links if their value is a URL or a file. A field of any other name is a link if its value is a URL."""

SHOWN_FIELDS = FACT_FIELDS | frozenset(
    """abbr abstract addendum additional_info address archiveprefix art_number article-number articleno articlenumber authority
    author_keywords collaboration arxivid author award award_name awards
    bibcode booksubtitle booktitle booktitleaddon chapter court crossref date day doi edition editor eid eissn eprint
    eprinttype eventtitle hal_id howpublished institution issue issuetitleaddon journal journalsubtitle
    journaltitle journaltitleaddon langid language location mainsubtitle maintitle maintitleaddon month
    mrnumber nameaddon note number numpages organization pages pagetotal part pmc preprint_of pubmed_id pubmedid publisher
    pubstate reporter school selected series shortbooktitle shortjournal status subtitle sver title titleaddon type university
    venue version volume volumes xdata year zblnumber zmnumber""".split()  # noqa: SIM905 - a list of words
)

LINKED_PROGRAM_FIELDS = frozenset({"archive", "conference", "license", "review", "uri"})
"""Fields of programs that are links if their value is a URL."""

PROGRAM_FIELDS = frozenset(
    """abstractnote acknowledgement acmid acronym adsnote adsurl affiliation affiliations altmetric annotation annote archive
    arraycount authortype bibdate bibsource biburl bibtex_show calltype citedby citations classmap
    coden color comment comments conflocation confdate conference conftitle copyright corpsource
    country creationdate date-added date-modified dimensions doi-asserted-by entryset entrysubtype extra-id
    eprintclass execute eventyear file fjournal funding gender google_scholar_id groups hal_local_reference hal_version hyphenation ids
    indextitle indexsorttitle index inspirehep_id internal-note internal_note isbn-13 issn-l issn-linking issue_date
    journal-url key keywords-plus label langidopts lastchecked lccn listarg local-url localfile meetingdate mendeley-tags
    modificationdate mrclass mrreviewer nationality nodoi noisbn noissn number-of-cited-references oai-id oai-set oclc onlinedate
    openalex options owner pagination paywalled pii presort price primaryclass primaryclassname printed priority
    pubcountry publicationtype pubmodel pubstatus qualityassured ranking rating read readstatus refid related
    relatedoptions relatedstring relatedtype remark reportnumber researcherid-numbers review s2id semanticscholar
    shortauthor shorteditor shorthand shorthandintro shortseries slaccitation sortkey sortname sortshorthand
    sorttitle sortyear source sponsor subject swhid tableofcontents termlist timestamp treatment unique-id uri
    urlday urlmonth urlyear urn username web-of-science-categories web-of-science-index xref affiliationaddress af
    alttitle bookpagination bookpages c1 citation-subset classcodes classification countrypub di em ga generalterms
    inspire j9 ji journalabr la license lista listb listc listd liste listf medline-pst abbrev_source_title book-group-author cited-references correspondence_address correspondence_address1 da
    doc-delivery-number document_type early-access-date funding-acknowledgement funding-text funding_details funding_text journal-iso oa orcid-numbers publication_stage
    references research-areas times-cited usage-count-last-180-days usage-count-since-2013 author-email zbmath meetingaddress nlm-id nr pa pg pi publisherinfo pn received revised rp sc sn sponsororg tc thesaurus usera userb userc
    userd usere userf ut verba verbb verbc wc z9 zmreviewer zotero __markedentry""".split()  # noqa: SIM905 - a list of words
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
_URL_PATTERN = re.compile(r"https?://\S+(?:[,;]?\s+https?://\S+)*", re.IGNORECASE)
_DOI_PATTERN = re.compile(r"(?:doi:\s*)?10\.\d{4,9}/\S+", re.IGNORECASE)
_IMAGE_PATTERN = re.compile(r"\S+\.(?:apng|avif|gif|jpe?g|mp4|png|svg|webm|webp)(?:[?#]\S*)?", re.IGNORECASE)
_URL_AFFIX = re.compile(r"^url[_-]?(?=\w)|[_-]?url$")


def strip_url_affix(field: str) -> str:
    """The link name of a field: "code" for "code_url", "url_code" and "codeurl"; "url" is unchanged."""
    return _URL_AFFIX.sub("", field) or field


@lru_cache(maxsize=4096)
def is_program_field(field: str) -> bool:
    """Whether a field belongs to a citation style, a program or a database, and is not shown."""
    return (
        field in PROGRAM_FIELDS
        or _PROGRAM_FIELD_PATTERN.match(field) is not None
        or _DISABLED_FIELD_PATTERN.match(field) is not None
    )


def is_link_field(field: str, value: str) -> bool:
    """Whether a field outside ALWAYS_LINK_FIELDS is a link: its value is URLs or a DOI, or a file in POSSIBLE_LINK_FIELDS."""
    if field in SHOWN_FIELDS or find_image_field({field: value}):
        return False
    if is_program_field(field) and field not in LINKED_PROGRAM_FIELDS:
        return False
    files = (_FILE_PATTERN,) if field in POSSIBLE_LINK_FIELDS else ()
    return any(pattern.fullmatch(value.strip()) for pattern in (_URL_PATTERN, _DOI_PATTERN, *files))


def find_image_field(fields: Mapping[str, str]) -> str:
    """The field that names the image of an entry; "" if there is none."""
    for name in BIB_IMAGE_FIELDS:
        value = fields.get(name, "").strip()
        is_image = name == "preview" or _IMAGE_PATTERN.fullmatch(value)
        if value and value.casefold() not in SWITCH_VALUES and is_image:
            return name
    return ""


def is_draft_entry(fields: Mapping[str, str]) -> bool:
    """Whether a field marks the entry as a draft."""
    return any(fields.get(name, "").strip().casefold() in TRUE_VALUES for name in DRAFT_FIELDS)


def is_known_field(field: str, value: str) -> bool:
    """Whether a field is shown, has an effect, or belongs to another program; false for a field to report."""
    if (
        field in ALWAYS_LINK_FIELDS
        or field in URL_TEMPLATES
        or field in SHOWN_FIELDS
        or field in (*DRAFT_FIELDS, *TAG_FIELDS)
        or not value.strip()
    ):
        return True
    if is_program_field(field) or find_image_field({field: value}) or is_link_field(field, value):
        return True
    is_possible = field in BIB_IMAGE_FIELDS or field in POSSIBLE_LINK_FIELDS
    return is_possible and value.strip().casefold() in SWITCH_VALUES


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
