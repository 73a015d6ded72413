"""
The fields of entries in .bib files: one table says what each is, and whether readers get it in their BibTeX.

isbn -> a fact with the label ISBN; code = {https://…} -> a link;
a field without a row is private and not shown.
"""

import difflib
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Literal, NamedTuple

from tenure.limits import cache_texts
from tenure.model.files import IMAGE_PATTERN, VIDEO_PATTERN
from tenure.model.identifiers import parse_doi
from tenure.record import Record

Role = Literal[
    "title",
    "names",
    "date",
    "venue",
    "number",
    "link",
    "resource",
    "id",
    "image",
    "tag",
    "text",
    "people",
    "fact",
    "switch",
    "citation",
]
"""
The role of a field. A "link" is one with any value, a "resource" only with a URL or a file;
"people" are names shown as a fact; "citation" is for citation styles and is not shown.
"""


class BibField(Record):
    """
    A field: its role and label, and whether it is in the BibTeX of readers; `crossref` inherits some.

    The label is the name of a fact or of a group of fields;
    of an identifier, its URL or the name of its database. A field that is inherited keeps its name.
    """

    role: Role
    label: str = ""
    public: bool = True
    inherited: bool = True


class FieldIssue(NamedTuple):
    """A doubtful text in a field: the message, the excerpt and the repair."""

    field: str
    message: str
    excerpt: str
    hint: str


def _list_rows(
    role: Role, names: str, label: str = "", *, public: bool = True, inherited: bool = True
) -> Iterator[tuple[str, BibField]]:
    """The rows of some fields, "name" or "name=label"."""
    for text in names.split():
        name, _, own_label = text.partition("=")
        yield name, BibField(role, own_label or label, public, inherited)


BIB_FIELDS: Mapping[str, BibField] = dict([
    *_list_rows("title", "title subtitle titleaddon", inherited=False),
    *_list_rows(
        "names",
        "author editor editortype editoratype editorbtype editorctype nameatype namebtype "
        "namectype collaboration",
    ),
    *_list_rows("date", "date year month day pubstate"),
    *_list_rows("date", "status", public=False),
    *_list_rows(
        "venue",
        "journaltitle journal booktitle journalsubtitle journaltitleaddon booksubtitle "
        "booktitleaddon reporter publisher series address",
    ),
    *_list_rows("venue", "school institution organization university court authority", "institution"),
    *_list_rows("venue", "shortjournal shortbooktitle"),
    *_list_rows("venue", "abbr rank", public=False, inherited=False),
    *_list_rows(
        "number",
        "volume number pages eid pagetotal numpages chapter part volumes edition version sver",
    ),
    *_list_rows("number", "articleno article-number art_number articlenumber", "article number"),
    *_list_rows("number", "eprint eprinttype archiveprefix arxivid type language langid"),
    *_list_rows("number", "crossref xdata", inherited=False),
    # Links with any value, in their order; other links follow.
    *_list_rows("link", "pdf", public=False, inherited=False),
    *_list_rows("link", "arxiv=https://arxiv.org/abs/{} doi"),
    *_list_rows("link", "html", public=False),
    *_list_rows("link", "hal=https://hal.science/{} pmid=https://pubmed.ncbi.nlm.nih.gov/{}/"),
    *_list_rows("link", "code", public=False, inherited=False),
    *_list_rows("link", "data", public=False),
    *_list_rows("link", "slides poster video", public=False, inherited=False),
    *_list_rows("link", "supp blog website", public=False),
    *_list_rows("link", "url"),
    *_list_rows(
        "resource",
        "demo project appendix colab dataset github homepage notebook openreview paper "
        "presentation publisher_page",
        public=False,
    ),
    *_list_rows(
        "resource",
        "recording repo repository software supplement supplementary talk tutorial youtube uri "
        "review",
        public=False,
    ),
    *_list_rows("resource", "archive conference license"),
    *_list_rows(
        "id",
        "pmcid=https://pmc.ncbi.nlm.nih.gov/articles/{}/ jstor=https://www.jstor.org/stable/{} "
        "zbl=https://zbmath.org/?q=an:{}",
    ),
    *_list_rows(
        "id",
        "urn=https://nbn-resolving.org/{} hal_id=hal pmc=pmcid mrnumber=mr zblnumber=zbl "
        "zmnumber=zbl bibcode=ads",
    ),
    *_list_rows(
        "id",
        "mr=https://mathscinet.ams.org/mathscinet-getitem?mr={} "
        "googlebooks=https://books.google.com/books?id={}",
        public=False,
    ),
    *_list_rows(
        "id",
        "hdl=https://hdl.handle.net/{} ads=https://ui.adsabs.harvard.edu/abs/{} "
        "ssrn=https://ssrn.com/abstract={}",
        public=False,
    ),
    *_list_rows(
        "id",
        "iacr=https://eprint.iacr.org/{} osf=https://osf.io/{} pubmed_id=pmid pubmedid=pmid",
        public=False,
    ),
    *_list_rows("image", "preview", public=False, inherited=False),
    *_list_rows("image", "image thumbnail thumb teaser img picture", public=False),
    *_list_rows("tag", "keywords", inherited=False),
    *_list_rows("tag", "keyword"),
    *_list_rows("tag", "tags author_keywords", public=False),
    *_list_rows("text", "abstract", inherited=False),
    *_list_rows("text", "note addendum howpublished nameaddon"),
    *_list_rows("text", "additional_info award award_name awards", public=False),
    # Source of the names in facts and of the facts: biblatex manual, section 2.2.2.
    *_list_rows(
        "people",
        "translator=translator annotator=annotator commentator=commentator "
        "introduction=introduction foreword=foreword",
    ),
    *_list_rows("people", "afterword=afterword bookauthor=bookauthor holder=holder"),
    *_list_rows("people", "editora editorb editorc collaborator namea nameb namec", "contributors"),
    *_list_rows("fact", "eventtitle eventtitleaddon venue location eventdate", "event"),
    *_list_rows("fact", "issue issuetitle issuesubtitle issuetitleaddon", "issue"),
    *_list_rows("fact", "maintitle mainsubtitle maintitleaddon", "series"),
    *_list_rows(
        "fact",
        "origtitle origlocation origpublisher origdate origyear originalyear origlanguage",
        "original",
    ),
    *_list_rows("fact", "reprinttitle=reprint"),
    *_list_rows("fact", "shorttitle=shorttitle", inherited=False),
    *_list_rows("fact", "library=library urldate=accessed"),
    *_list_rows("fact", "isbn=ISBN issn=ISSN isan=ISAN ismn=ISMN isrn=ISRN iswc=ISWC"),
    *_list_rows("fact", "eisbn=EISBN", public=False),
    *_list_rows("fact", "eissn=EISSN"),
    *_list_rows("switch", "hidden hide draft", "draft", public=False),
    *_list_rows("switch", "preprint_of", public=False),
    *_list_rows("switch", "selected", public=False, inherited=False),
    *_list_rows(
        "citation",
        "entryset entrysubtype execute ids indextitle label options presort related "
        "relatedoptions relatedstring",
        inherited=False,
    ),
    *_list_rows(
        "citation",
        "relatedtype shortauthor shorteditor shorthand shorthandintro sortkey sorttitle sortyear "
        "xref",
        inherited=False,
    ),
    *_list_rows(
        "citation",
        "acmid adsnote adsurl authortype bibsource biburl bookpagination copyright country "
        "eprintclass fjournal gender hal_version",
    ),
    *_list_rows(
        "citation",
        "hyphenation indexsorttitle issue_date key langidopts lccn mrclass mrreviewer oclc "
        "pagination primaryclass reportnumber",
    ),
    *_list_rows("citation", "shortseries slaccitation sortname sortshorthand swhid city meetingname"),
])  # fmt: skip
"""
Every field that is read, in the order of links and facts.

Any other is private and, unless its value is a URL, not shown.
"""


@cache
def rank_fields(roles: tuple[Role, ...]) -> Mapping[str, int]:
    """The position in the table of each field with one of these roles."""
    return {name: rank for rank, (name, row) in enumerate(BIB_FIELDS.items()) if row.role in roles}


PLACEHOLDER = re.compile(
    r"\W*|n\.?/?a\.?|tb[ad]|none|null|todo|coming soon|not available|to be (?:announced|determined|added)",
    re.IGNORECASE,
)
"""A value that says only that there is none."""

TRUE_VALUES = frozenset({"true", "yes", "1", "y"})
SWITCH_VALUES = TRUE_VALUES | {"false", "no", "0", "n"}

_MANAGER_FIELD = r"""(?x)
    bdsk-|mendeley-|x-|citeulike-|jabref|opt|xx        # of a program, or disabled: bdsk-url-1, optnote
    |.+\+an(?::.*)?$                                   # annotations of biblatex: author+an
    |journal-|local-?url$|(?!url-)[a-z]+-(?!url$)[\w-]+$       # of databases: times-cited
    |(?!ee$)[a-z][a-z\d]$|pii$|refid$                  # z9
    |no(?:address|author|date|doi|editor|isbn|issn|month|note|pages|series|title|url|year)$
    |(?:timestamp|owner|groups?|file|annote|annotation|abstractnote|bibtex_show|__markedentry
        |google_scholar_id|rating|ranking|read|readstatus|priority|printed|color|comments?|username
        |list[a-f]|user[a-f]|verb[a-c])$
"""
_FILE_PATTERN = re.compile(r"[^\s/][^\s]*\.[A-Za-z][A-Za-z0-9]{1,4}")
"""slides/talk.pdf."""

_URL_PATTERN = re.compile(r"https?://\S+(?:[,;]?\s+https?://\S+)*", re.IGNORECASE)
"""One or several URLs: https://a.org, https://b.org."""

_MEDIA_FILE = rf"(?i)\S+(?:{IMAGE_PATTERN}|{VIDEO_PATTERN})(?:[?#]\S*)?"
"""marconi.png, or https://a.org/loom.mp4?t=3."""

FieldUse = Literal["shown", "link", "citation", "manager", "unused"]
"""
What a field is used for: "citation" and "manager" fields are not shown, as intended;
an "unused" one is reported.
"""


@cache
def list_fields(role: Role, label: str | None = None) -> tuple[str, ...]:
    """The fields with a role and, if one is given, a label, in the order of the table."""
    rows = BIB_FIELDS.items()
    return tuple(name for name, row in rows if row.role == role and label in (None, row.label))


URL_TEMPLATES: Mapping[str, str] = {name: row.label for name, row in BIB_FIELDS.items() if "{}" in row.label}
"""The URL of an identifier, by the name of its database."""

LINK_FIELDS = list_fields("link")
IMAGE_FIELDS = list_fields("image")
TEXT_FIELDS = frozenset(list_fields("text"))


def strip_url_affix(field: str) -> str:
    """The link name of a field: "code" for "code_url", "url_code" and "codeurl"; "url" is unchanged."""
    return re.sub(r"^url[_-]?(?=\w)|[_-]?url$", "", field) or field


@cache_texts
def _is_manager_field(field: str) -> bool:
    """Whether a field without a row belongs to a reference manager or a database, or is disabled."""
    return re.match(_MANAGER_FIELD, field) is not None


@cache_texts
def find_use(field: str, value: str) -> FieldUse:
    """What a field with this value is used for: journal = {Looms} is "shown", pdf = {a.pdf} is a "link"."""
    row = BIB_FIELDS.get(field)
    if row is None:
        return _find_use_without_row(field, value)
    if row.role == "link":
        return "link"
    if row.role == "citation":
        return "citation"
    if row.role not in ("resource", "image") or not value.strip() or find_image_field({field: value}):
        return "shown"

    # archive = {arXiv.org} is no file
    may_be_file = row.role == "resource" and not row.public
    if _is_address(value) or (may_be_file and _FILE_PATTERN.fullmatch(value.strip())):
        return "link"
    if row.public:
        return "citation"
    return "shown" if value.strip().casefold() in SWITCH_VALUES else "unused"


def _find_use_without_row(field: str, value: str) -> FieldUse:
    """
    What an unknown field is used for: a link if its value is an address; not reported if a program wrote it.
    """
    if not value.strip():
        return "shown"
    if _is_manager_field(field):
        return "manager"
    return "link" if _is_address(value) else "unused"


def _is_address(value: str) -> bool:
    """Whether a value is a DOI, or one or several URLs."""
    return bool(parse_doi(value)) or _URL_PATTERN.fullmatch(value.strip()) is not None


def find_image_field(fields: Mapping[str, str]) -> str:
    """The field that names the image of an entry; "" if there is none. `preview` always does."""
    for name in IMAGE_FIELDS:
        value = fields.get(name, "").strip()
        is_image = value and (name == "preview" or re.fullmatch(_MEDIA_FILE, value))
        if is_image and value.casefold() not in SWITCH_VALUES:
            return name
    return ""


def is_draft_entry(fields: Mapping[str, str]) -> bool:
    """Whether a field marks the entry as a draft."""
    return any(
        fields.get(name, "").strip().casefold() in TRUE_VALUES for name in list_fields("switch", "draft")
    )


def suggest_field(field: str) -> str:
    """
    The known field that an unknown one probably misspells ("abstract" for "abstarct"); "" if none is similar.
    """
    if not field.isalpha() or len(field) < 3:
        return ""
    usual = (
        name for name, row in BIB_FIELDS.items() if row.role not in ("citation", "id", "image", "resource")
    )
    known = sorted({*usual, "preview", "project", "dataset"})
    for name in known:
        if name != field and sorted(name) == sorted(field):
            return name

    near = difflib.get_close_matches(field, [name for name in known if name[0] == field[0]], n=1, cutoff=0.83)
    if near and near[0] != field:
        return near[0]
    return ""
