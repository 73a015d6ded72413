"""The fields of an entry that are links: URLs, DOIs, identifiers of databases and files."""

import re
from collections.abc import Iterator, Mapping
from urllib.parse import unquote

from tenure.model.entries import PublicationFact
from tenure.model.links import Link, Url, suggest_safe_url
from tenure.model.publication_links import escape_text
from tenure.record import replace
from tenure.sources.publications.entry_fields import EntryFields
from tenure.sources.publications.fields import (
    BIB_FIELDS,
    LINK_FIELDS,
    PLACEHOLDER,
    TRUE_VALUES,
    URL_TEMPLATES,
    find_use,
    strip_url_affix,
)
from tenure.sources.publications.preprint_servers import ARXIV, Preprint, parse_arxiv_number
from tenure.sources.schema.links import build_link, format_link_label, parse_doi

LOCATION_LINKS = frozenset({"arxiv", "doi", "eprint_url", "hal", "html", "pmid", "url", "website"})
"""Links to the publication itself: one with a URL that is already linked is omitted. Other links also name the content."""

EPRINT_TYPES: Mapping[str, str] = {
    "pubmed": "pmid",
    "medline": "pmid",
    "pmc": "pmcid",
    "pubmedcentral": "pmcid",
    "zbmath": "zbl",
    "mathscinet": "mr",
    "mathreviews": "mr",
    "handle": "hdl",
    "bibcode": "ads",
    "googlebook": "googlebooks",
    "psyarxiv": "osf",
    "socarxiv": "osf",
}
"""Other names of the databases in `eprinttype`. Source: biblatex manual, section 3.14.7."""

_SHORT_DOI = re.compile(r"(?:doi:\s*|https?://(?:dx\.)?doi\.org/)?(10/[A-Za-z0-9]{3,})")
"""Source: shortDOI Service, https://shortdoi.org: "10/" and a short name."""

_DOI_URL = re.compile(r"(?:https?://(?:dx\.)?doi\.org/)?10\.", re.IGNORECASE)
_HOST = re.compile(r"https?://(?:www\.)?([^/:?#]+)", re.IGNORECASE)
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+)", re.IGNORECASE)
_PDF_URL = re.compile(r"\.pdf(?:[?#]|\s*$)|/e?pdf/")
_NEXT_URL = re.compile(r"[,;]?\s+(?=https?://)", re.IGNORECASE)
_TEXT_AFTER_URL = re.compile(
    r"\W|(?:last|accessed|visited|retrieved|checked|online|and|or|in|on|see)\b", re.IGNORECASE
)
"""The start of a text after a URL: "(accessed 2020-01-01)"."""

_PERCENT_CODE = re.compile(r"%[0-9A-Fa-f]{2}")


def read_doi(fields: EntryFields) -> str:
    """The DOI of an entry without a resolver, also from its URL; "" if it has none."""
    value = fields.read_url("doi")
    return parse_doi(_decode_doi(value)) if value else _find_doi_in_url(fields)


def _find_doi_in_url(fields: EntryFields) -> str:
    """The DOI in the field `url`, where Paperpile writes it; "" if the URL is another one."""
    url = fields.read_url("url")
    return parse_doi(_decode_doi(url)) if _DOI_URL.match(url) else ""


class LinkReader:
    """Reads the links of one entry; a value that cannot be linked is reported and becomes a fact."""

    def __init__(self, fields: EntryFields, eprint: str, preprint: Preprint | None) -> None:
        self._fields = fields
        self._preprint = preprint
        self.facts: list[PublicationFact] = []
        self._values = self._collect_values(eprint)

    def _collect_values(self, eprint: str) -> dict[str, str]:
        """The values of all fields as URLs; identifiers are under the names of their databases."""
        values = {name: self._fields.read_url(name) for name in self._fields.values}
        for name, row in BIB_FIELDS.items():
            if row.role == "id" and name not in URL_TEMPLATES and values.get(name):
                values.setdefault(row.label, values[name].split()[0])
        archive = re.sub(r"[^a-z]", "", self._fields.read_text("eprinttype", "archiveprefix").casefold())
        archive = EPRINT_TYPES.get(archive, archive)
        number = values.get("eprint", "")
        if re.match(r"https?://", number) and "arxiv.org" not in number:
            values.setdefault("pdf" if _PDF_URL.search(number) else "eprint_url", number)
        elif number and archive in URL_TEMPLATES and archive != "arxiv":
            values.setdefault(archive, number)
        elif number and not eprint and parse_doi(number):
            values["eprint_url"] = number
        elif number and not eprint:
            label = self._fields.read_text("eprinttype", "archiveprefix") or "eprint"
            self.facts.append(PublicationFact(format_link_label(label), escape_text(number)))
        if eprint:
            values["arxiv"] = eprint
        if not values.get("doi") and _find_doi_in_url(self._fields):
            values["doi"] = values.pop("url")
        if values.get("adsurl") and not any(values.get(name) for name in ("doi", "eprint", "url", "ads")):
            values["ads"] = values["adsurl"]
        return values

    def list_links(self) -> Iterator[Link]:
        """The links in order; a second link to the publication itself under another spelling is omitted."""
        seen_urls: set[str] = set()
        if self._preprint is not None and self._preprint.url and self._preprint.server != ARXIV:
            seen_urls.add(_normalize_url(self._preprint.url))
            yield Link(label=self._preprint.server, url=Url(self._preprint.url))
        for name in self._list_names():
            for position, url in enumerate(self._list_urls(name)):
                link, complaint = build_link(strip_url_affix(name), url)
                if link is None or url.startswith(("#", "?")):
                    message = complaint or f"“{url}” is not a URL that can be linked"
                    self._refuse_value(name, url, message, suggest_safe_url(url))
                elif strip_url_affix(name) not in LOCATION_LINKS or not self._is_linked(
                    name, link.url, seen_urls
                ):
                    seen_urls.add(_normalize_url(link.url))
                    host = _HOST.match(link.url)
                    yield replace(link, label=host[1]) if position and host else link

    def _is_linked(self, name: str, url: str, seen_urls: set[str]) -> bool:
        """Whether a URL of the publication is linked already, or `url` is the page to which its DOI leads."""
        doi = read_doi(self._fields).casefold()
        address = re.sub(
            r"v\d+(?:\.full)?$", "", unquote(url).casefold().rstrip("/")
        )  # …/10.1101/2020.1.1.1v2
        is_page_of_doi = bool(doi) and (
            address.endswith(f"/{doi}") or ("scopus.com/" in address and f"doi={doi}&" in address)
        )
        hal = self._values.get("hal", "").casefold()
        is_page_of_hal = bool(hal) and address.endswith(f"/{hal}")
        is_page = name == "url" and (is_page_of_hal or is_page_of_doi) and "/pdf" not in address
        return is_page or _normalize_url(url) in seen_urls

    def _list_names(self) -> list[str]:
        """The names of the links: those with a fixed place, then the others by name."""
        other_names = sorted(
            name
            for name, value in self._values.items()
            if value and name not in LINK_FIELDS and _is_other_link(name, value)
        )
        return [name for name in LINK_FIELDS if name in self._values] + other_names

    def _list_urls(self, name: str) -> Iterator[str]:
        """The URLs of a field; several are separated by white space."""
        for value in _NEXT_URL.split(self._values[name]):
            url = self._resolve_url(name, self._repair_spaces(name, value) if " " in value else value)
            if url:
                yield url

    def _repair_spaces(self, name: str, value: str) -> str:
        """A URL with codes for its spaces; a text after the URL is reported, and a DOI has no spaces."""
        first_word, _, rest = value.partition(" ")
        if not first_word.casefold().startswith("http"):
            return value
        if _DOI_URL.match(value) and len(rest.split()) == 1 and "/" not in first_word.partition("10.")[2]:
            return value.replace(" ", "")
        if not _TEXT_AFTER_URL.match(rest):
            return value.replace(" ", "%20")
        url = first_word.rstrip(",;.")
        message = f'the {name} of "{self._fields.key}" has more than a URL; {url} is linked'
        self._fields.report("bib-bad-address", name, rest, message, "put the rest into note")
        return url

    def _refuse_value(self, name: str, value: str, message: str, hint: str) -> None:
        """Report a value that cannot be linked, and show it as text."""
        self._fields.report("bib-bad-address", name, value, f'{message} in "{self._fields.key}"', hint)
        self.facts.append(PublicationFact(format_link_label(strip_url_affix(name)), escape_text(value)))

    def _resolve_url(self, field: str, value: str) -> str:
        """The URL for a field's value, or "". A wrong DOI is reported."""
        if not value or value.casefold() in TRUE_VALUES | {"false"} or PLACEHOLDER.fullmatch(value):
            return ""
        if field == "doi":
            return self._resolve_doi(value)
        if parse_doi(value) and "://" not in value:
            return f"https://doi.org/{parse_doi(value)}"
        if field == "arxiv" and "://" not in value:
            return URL_TEMPLATES[field].format(value)
        is_file = field in LINK_FIELDS and "/" in value.strip("/")
        if field in URL_TEMPLATES and "://" not in value and not is_file:
            if field == "pmcid":
                value = f"PMC{value}" if value.isdecimal() else value.upper()
            return URL_TEMPLATES[field].format(value.removeprefix("MR") if field == "mr" else value)
        return value

    def _resolve_doi(self, value: str) -> str:
        """The URL of a DOI; "" if it is none."""
        short_doi = _SHORT_DOI.fullmatch(value)
        if short_doi:
            return f"https://doi.org/{short_doi[1]}"
        doi = parse_doi(_decode_doi(value))
        if doi and len(value.split()) > 1:
            message = f'the doi of "{self._fields.key}" holds more than a DOI; {doi} is linked'
            first_word = value.split(maxsplit=1)[0]
            hint = "keep one, and put the rest into url"
            self._fields.report("bib-bad-address", "doi", first_word, message, hint)
        elif not doi and parse_arxiv_number(value):
            hint = f"write eprint = {{{parse_arxiv_number(value)}}}"
            message = f'“{value}” is a number of arXiv and not a DOI in "{self._fields.key}"'
            self._fields.report("bib-bad-address", "doi", value, message, hint)
            return ""
        elif not doi and "://" not in value:
            hint = "write doi = {10.…/…}, or delete the field"
            self._refuse_value("doi", value, f"“{value}” is not a DOI", hint)
            return ""
        return f"https://doi.org/{doi}" if doi else value


def _is_other_link(name: str, value: str) -> bool:
    has_url_name = name in URL_TEMPLATES or name.endswith("_url") or name.startswith("url_")
    return has_url_name or find_use(name, value) == "link"


def _decode_doi(value: str) -> str:
    """A DOI without percent codes, which some programs write ("10.1000%2F182")."""
    return unquote(value) if _PERCENT_CODE.search(value) else value


def _normalize_url(url: str) -> str:
    """A form in which two spellings of the address of one publication are equal."""
    doi = parse_doi(_decode_doi(url))
    if doi:
        arxiv_number = _ARXIV_DOI.fullmatch(doi)
        return f"arxiv.org/abs/{arxiv_number[1]}" if arxiv_number else f"doi:{doi.casefold()}"
    host, slash, path = re.sub(r"(?i)^https?://(?:www\.|export\.)?", "", url).rstrip("/").partition("/")
    address = f"{host.casefold()}{slash}{path}"
    is_arxiv = address.startswith("arxiv.org/")
    return address.removesuffix(".pdf").replace("/pdf/", "/abs/") if is_arxiv else address
