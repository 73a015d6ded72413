"""
The fields of an entry that are links: URLs, DOIs, identifiers of databases and files.

doi = {https://dx.doi.org/10.1000%2F182} -> the link DOI, once; mrnumber = {1234} -> a link to MathSciNet.
"""

import re
from collections.abc import Iterator, Mapping
from urllib.parse import unquote

from tenure.model.entries import PublicationFact
from tenure.model.identifiers import make_doi_url, parse_arxiv, parse_doi
from tenure.model.links import Link, Url, suggest_safe_url
from tenure.model.publications import escape_text
from tenure.record import replace
from tenure.sources.bibtex.bib_fields import (
    BIB_FIELDS,
    LINK_FIELDS,
    PLACEHOLDER,
    TRUE_VALUES,
    URL_TEMPLATES,
    find_use,
    strip_url_affix,
)
from tenure.sources.bibtex.preprint_servers import ARXIV, Preprint
from tenure.sources.publications.entry_fields import EntryFields
from tenure.sources.schema.link_forms import build_link, format_link_label

LOCATION_LINKS = frozenset({"arxiv", "doi", "eprint_url", "hal", "html", "pmid", "url", "website"})
"""
Links to the publication itself: one with a URL that is already linked is omitted.

Other links also name the content.
"""

NO_LINK_FIELDS = frozenset(
    name for name, row in BIB_FIELDS.items() if row.role not in ("link", "resource", "id", "image")
) - {"eprint", "adsurl"}
"""Fields that never become a link."""

EPRINT_TYPES: Mapping[str, str] = {
    "bibcode": "ads",
    "googlebook": "googlebooks",
    "handle": "hdl",
    "mathreviews": "mr",
    "mathscinet": "mr",
    "medline": "pmid",
    "pmc": "pmcid",
    "psyarxiv": "osf",
    "pubmed": "pmid",
    "pubmedcentral": "pmcid",
    "socarxiv": "osf",
    "zbmath": "zbl",
}
"""Other names of the databases in `eprinttype`. Source: biblatex manual, section 3.14.7."""


def read_doi(fields: EntryFields) -> str:
    """
    The DOI of an entry without a resolver, also from `url`, where Paperpile writes it; "" if it has none.
    """
    value = fields.read_url("doi")
    if not value and re.match(r"(?i)(?:https?://(?:dx\.)?doi\.org/)?10\.", fields.read_url("url")):
        value = fields.read_url("url")
    return parse_doi(value)


class LinkReader:
    """
    Reads the links of one entry with a DOI ("");
    a value that cannot be linked is reported and becomes a fact.
    """

    def __init__(self, fields: EntryFields, doi: str, eprint: str, preprint: Preprint | None) -> None:
        self._fields = fields
        self._doi = doi
        self._preprint = preprint
        self.facts: list[PublicationFact] = []
        self._values = self._collect_values(eprint)

    def _collect_values(self, eprint: str) -> dict[str, str]:
        """
        The values as URLs, by field; identifiers are under the names of their databases.

        {doi: 10.1000/182, code: https://a.org} stays; {eprint: 2401.1} is under "arxiv". A DOI that only the
        field `url` has is under "doi".
        """
        fields = self._fields
        values = {name: fields.read_url(name) for name in fields.values if name not in NO_LINK_FIELDS}
        for name in fields.list_names("id"):
            if name not in URL_TEMPLATES and values[name]:
                values.setdefault(BIB_FIELDS[name].label, values[name].split()[0])

        if values.get("eprint"):
            self._add_eprint(values, values["eprint"], eprint)
        if eprint:
            values["arxiv"] = eprint
        # the DOI was read from `url`
        if not values.get("doi") and self._doi:
            values["doi"] = values.pop("url")
        # every entry of the Astrophysics Data System has its `adsurl`: it is a link if there is no better one
        if values.get("adsurl") and not any(values.get(name) for name in ("doi", "eprint", "url", "ads")):
            values["ads"] = values["adsurl"]
        return values

    def _add_eprint(self, values: dict[str, str], number: str, arxiv_number: str) -> None:
        """
        Add the field `eprint` to the values, or to the facts, unless it is the number of arXiv.

        eprint = {https://a.org/x.pdf} -> pdf; {https://a.org/x} -> eprint_url
        eprint = {hal-01234567}, eprinttype = {hal} -> hal
        eprint = {10.1000/182} -> eprint_url; {1234}, archiveprefix = {X} -> the fact X, 1234
        """
        label = self._fields.read_text("eprinttype", "archiveprefix")
        archive = re.sub(r"[^a-z]", "", label.casefold())
        archive = EPRINT_TYPES.get(archive, archive)
        if re.match(r"https?://", number) and "arxiv.org" not in number:
            is_file = re.search(r"\.pdf(?:[?#]|\s*$)|/e?pdf/", number)
            values.setdefault("pdf" if is_file else "eprint_url", number)
        elif archive in URL_TEMPLATES and archive != "arxiv":
            values.setdefault(archive, number)
        elif not arxiv_number and parse_doi(number):
            values["eprint_url"] = number
        elif not arxiv_number:
            self.facts.append(PublicationFact(format_link_label(label or "eprint"), escape_text(number)))

    def list_links(self) -> Iterator[Link]:
        """
        The links: those with a fixed place, then the others by name.

        A second link to the publication itself is omitted: `url` after a DOI that leads to the same page.
        """
        # a field for any place, `url` or `website`, is left out if another link leads there; slides are not
        seen_urls: set[str] = set()
        preprint = self._preprint
        if preprint is not None and preprint.url and preprint.server != ARXIV:
            seen_urls.add(_normalize_url(preprint.url))
            yield Link(label=preprint.server, url=Url(preprint.url))

        others = (name for name in self._values if name not in LINK_FIELDS)
        other_names = sorted(name for name in others if _is_other_link(name, self._values[name]))
        for name in (*(name for name in LINK_FIELDS if name in self._values), *other_names):
            is_location = strip_url_affix(name) in LOCATION_LINKS
            for link in self._build_links(name):
                address = _normalize_url(link.url)
                is_repeated = address in seen_urls
                if name == "url" and self._is_page_of_identifier(link.url):
                    is_repeated = True
                if not (is_location and is_repeated):
                    seen_urls.add(address)
                    yield link

    def _build_links(self, name: str) -> Iterator[Link]:
        """
        The links of a field; all but the first have the names of their hosts. Other values are reported.
        """
        for position, url in enumerate(self._list_urls(name)):
            link, complaint = build_link(strip_url_affix(name), url)
            if link is None or url.startswith(("#", "?")):
                message = complaint or f"“{url}” is not a URL that can be linked"
                self._refuse_value(name, url, message, suggest_safe_url(url))
                continue
            host = re.match(r"https?://(?:www\.)?([^/:?#]+)", link.url) if position else None
            yield replace(link, label=host[1]) if host else link

    def _is_page_of_identifier(self, url: str) -> bool:
        """Whether a URL is the page to which the DOI or the number of HAL leads: "…/10.1101/2020.1.1.1v2"."""
        address = unquote(url).casefold()
        names = [*filter(None, (self._doi.casefold(), self._values.get("hal", "").casefold()))]
        # …/doi/pdf/10.1000/182 is the file
        if "/pdf" in address or not any(name in address for name in names):
            return False
        address = re.sub(r"v\d+(?:\.full)?$", "", address.rstrip("/"))
        return any(address.endswith(f"/{name}") for name in names)

    def _list_urls(self, name: str) -> Iterator[str]:
        """
        The URLs of a field; several are separated by white space, and a text after a URL is reported.

        pdf = {https://a.org/x.pdf, https://b.org/x.pdf} -> both; {true} and {TODO} are no URLs and dropped.
        """
        for text in re.split(r"[,;]?\s+(?=https?://)", self._values[name]):
            value = text
            if not value or value.casefold() in TRUE_VALUES | {"false"} or PLACEHOLDER.fullmatch(value):
                continue

            first_word, _, rest = value.partition(" ")
            if rest and (parse_doi(first_word) or re.match(r"https?://", first_word)):
                value = first_word.rstrip(",;.")
                message = f'the {name} of "{self._fields.key}" has more than a URL; {value} is linked'
                self._fields.report("bib-bad-value", name, rest, message, "put the rest into note")
            if name == "doi" and not parse_doi(value) and "://" not in value:
                hint = "write doi = {10.…/…}, or delete the field"
                self._refuse_value(name, value, f"“{value}” is not a DOI", hint)
                continue
            yield _resolve_url(name, value)

    def _refuse_value(self, name: str, value: str, message: str, hint: str) -> None:
        """Report a value that cannot be linked, and show it as text."""
        self._fields.report("bib-bad-value", name, value, f'{message} in "{self._fields.key}"', hint)
        self.facts.append(PublicationFact(format_link_label(strip_url_affix(name)), escape_text(value)))


def _resolve_url(field: str, value: str) -> str:
    """The URL for a field's value: doi, "10.1000/182" -> https://doi.org/10.1000/182; a file stays a file."""
    is_url = "://" in value
    doi = ""
    if field == "doi" or not is_url:
        doi = parse_doi(value)
    if doi:
        return make_doi_url(doi)
    is_file = field in LINK_FIELDS and field != "arxiv" and "/" in value.strip("/")
    if field not in URL_TEMPLATES or is_url or is_file:
        return value

    # "1234" and "pmc1234" -> "PMC1234"; "MR1234" -> "1234"
    if field == "pmcid":
        value = f"PMC{value}" if value.isdecimal() else value.upper()
    if field == "mr":
        value = value.removeprefix("MR")
    return URL_TEMPLATES[field].format(value)


def _is_other_link(name: str, value: str) -> bool:
    """Whether a field that is no known link has one: code_url, url_slides, or any with a URL as its value."""
    has_url_name = name in URL_TEMPLATES or name.endswith("_url") or name.startswith("url_")
    return bool(value) and (has_url_name or find_use(name, value) == "link")


def _normalize_url(url: str) -> str:
    """A form in which two spellings of the address of one publication are equal."""
    if identifier := parse_arxiv(url) or parse_doi(url).casefold():
        return identifier
    host, slash, path = re.sub(r"(?i)^https?://(?:www\.)?", "", url).rstrip("/").partition("/")
    return f"{host.casefold()}{slash}{path}"
