"""The sources of the command `fetch`, as `site.yaml` names them."""

from collections.abc import Mapping
from typing import Annotated, Literal, Self

from tenure.model.field_annotations import AlternativeNames, CommaSeparated, ExtraFields
from tenure.model.orcid import parse_orcid
from tenure.model.places import SourceRecord
from tenure.model.services import ValidatedText
from tenure.record import field


class OrcidId(ValidatedText):
    """An ORCID iD; its last character is a check digit."""

    __slots__ = ()
    PATTERN = r"(?:https?://orcid\.org/)?\d{4}-\d{4}-\d{4}-\d{3}[0-9Xx]"
    DESCRIPTION = "an ORCID iD"
    EXAMPLE = "0000-0002-1825-0097"

    @classmethod
    def parse(cls, text: str) -> Self:
        """The iD without the URL; raise ValueError if the check digit does not fit."""
        orcid = parse_orcid(super().parse(text))
        if not orcid:
            raise ValueError(
                f"“{text}” is not {cls.DESCRIPTION}", "its last character does not fit the others"
            )
        return cls(orcid)


class Doi(ValidatedText):
    """A DOI, also as URL."""

    __slots__ = ()
    PATTERN = r"(?:https?://(?:dx\.)?doi\.org/|doi:)?10\.\d{4,9}/[^\s\"'<>]+"
    DESCRIPTION = "a DOI"
    EXAMPLE = "10.1145/3600006.3613163"

    @classmethod
    def parse(cls, text: str) -> Self:
        """The DOI without a resolver."""
        doi = super().parse(text)
        return cls(doi[doi.index("10.") :])


class NamedUrls(SourceRecord, kw_only=True):
    """A mapping from names to URLs."""

    urls: Annotated[Mapping[str, str], ExtraFields()] = field(default_factory=dict)
    """a name and its URL: zotero.bib: https://…"""


class FetchConfig(SourceRecord, kw_only=True):
    """The services from which `fetch` completes the publications. A build requests nothing from them."""

    orcid: Annotated[tuple[OrcidId, ...], CommaSeparated()] = ()
    """your ORCID iD, or several; new works are appended to bib/orcid.bib"""
    dois: Annotated[tuple[Doi, ...], CommaSeparated(), AlternativeNames(aliases=("doi",))] = ()
    """DOIs whose works are appended to bib/dois.bib"""
    bib: NamedUrls = field(default_factory=NamedUrls)
    """files in bib/ that are copies of a URL: {zotero.bib: https://…}"""
    members: NamedUrls = field(default_factory=NamedUrls)
    """sites made with Tenure, by a name; their new publications are appended to bib/members.bib: {ada: https://ada.example.org}"""
    counts: Literal["openalex"] | None = None
    """openalex writes how often each publication is cited, and the institutions of co-authors, into content/counts.yaml"""
    without: Annotated[tuple[str, ...], CommaSeparated()] = ()
    """DOIs and keys of publications that are never added and never reported"""
