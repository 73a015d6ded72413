"""
Preprint servers: recognition of their names, numbers, URLs and DOIs.

journal = {arXiv preprint arXiv:2405.01234 [cs.DC]}
-> arXiv, number 2405.01234; 10.26434/chemrxiv-1 -> ChemRxiv
"""

import re
from collections.abc import Mapping
from functools import cache

from tenure.limits import cache_texts
from tenure.model.identifiers import (
    ARXIV_PATTERN,
    DOI_PATTERN,
    find_doi,
    make_arxiv_url,
    make_doi_url,
    parse_arxiv,
)
from tenure.record import Record


class Server(Record):
    """
    A preprint server: its names in lower case, what its URLs and DOIs have, and its numbers with their URL.

    The DOIs are known at each server. Source: the prefixes in the metadata of Crossref and DataCite.
    """

    names: str
    address: str = ""
    number: str = ""
    url: str = ""


ARXIV = "arXiv"
_CSHL_NUMBER = r"(?:\d{4}\.\d\d\.\d\d\.)?\d{6,8}(?:v\d+)?"
"""2024.05.13.123456v2, or 123456 of bioRxiv and medRxiv."""

_CSHL_URL = "https://doi.org/10.1101/{}"
_HAL_NUMBER = r"(?:hal|halshs|inria|tel|cel|ird|insu)-\d{8}(?:v\d+)?"
"""hal-01234567v2."""

SERVERS: Mapping[str, Server] = {
    ARXIV: Server(
        "arxiv; arxiv.org; corr; computing research repository; computing research repository (corr)",
        r"\barxiv\.org/(?:abs|pdf)/|10\.48550/arxiv\.",
        ARXIV_PATTERN,
        make_arxiv_url("{}"),
    ),
    "medRxiv": Server("medrxiv; medarxiv", r"\bmedrxiv\.org/", _CSHL_NUMBER, _CSHL_URL),
    # 10.1101/2020.01.01.123456; journals of the same publisher have letters: 10.1101/gr.1
    "bioRxiv": Server("biorxiv; bioarxiv", r"\bbiorxiv\.org/|10\.(?:1101|64898)/\d", _CSHL_NUMBER, _CSHL_URL),
    "Authorea": Server("authorea", r"10\.22541/au"),
    "ChemRxiv": Server("chemrxiv", r"10\.26434/chemrxiv"),
    "Cryptology ePrint Archive": Server(
        "iacr eprint; cryptology eprint archive; iacr cryptology eprint archive; iacr eprint archive",
        number=r"\d{4}/\d{1,5}",
        url="https://eprint.iacr.org/{}",
    ),
    "EarthArXiv": Server("eartharxiv", r"10\.31223/x"),
    "EcoEvoRxiv": Server("ecoevorxiv"),
    "EdArXiv": Server("edarxiv"),
    "HAL": Server("hal", number=_HAL_NUMBER, url="https://hal.science/{}"),
    "NBER": Server("", r"10\.3386/w\d"),
    "OSF Preprints": Server("osf", r"10\.31219/osf"),
    "Preprints.org": Server("preprints; preprints.org", r"10\.20944/preprints"),
    "PsyArXiv": Server("psyarxiv", r"10\.31234/osf"),
    "Research Square": Server("research square", r"10\.21203/rs"),
    "SSRN": Server("ssrn", r"10\.2139/ssrn", r"\d{5,8}", "https://ssrn.com/abstract={}"),
    "SocArXiv": Server("socarxiv", r"10\.31235/osf"),
    "TechRxiv": Server("techrxiv", r"10\.36227/techrxiv"),
    "engrXiv": Server("engrxiv"),
}
"""The preprint servers by their displayed names."""

SERVER_NAMES: Mapping[str, str] = {
    spelling: name for name, server in SERVERS.items() for spelling in filter(None, server.names.split("; "))
}

OPERATORS = frozenset({"cold spring harbor laboratory", "openrxiv", "cornell university", "arxiv"})
"""Publishers by which indexes name the operator of a server."""


@cache
def _compile_venue_pattern() -> re.Pattern[str]:
    """
    A pattern for a venue that is only the name of a server, with or without a number.

    "arXiv preprint arXiv:2405.01234 [cs.DC]", "bioRxiv 2024.05.13.123456", "arXiv (Cornell University)"
    """
    name = "|".join(re.escape(text) for text in sorted(SERVER_NAMES, key=len, reverse=True))
    words = r"""(?:\W*\b(?:e-?prints?|pre-?prints?|electronic\ journal|repository|archive|server
        |working\ papers?|abs|abstract|paper|report|doi|id|no|number)\b)*"""
    numbers = dict.fromkeys(server.number for server in SERVERS.values() if server.number)
    number = "|".join([DOI_PATTERN, *numbers])

    # (?!-\d): the "hal" of "HAL hal-01234567" begins the number
    return re.compile(
        rf"""
        (?:(?:available|published|posted)\ (?:at|on)\ |e-?print\ |preprint\ )?
        (?P<name>{name})(?!-\d){words}(?:\W*(?:{name})(?!-\d))?{words}\W*      # arXiv preprint arXiv:
        (?P<number>{number})?\W*                                  # 2405.01234
        (?:\[[\w.,\ -]+\]|\([\w.,\ -]+\)                          # [cond-mat, q-bio]
          |cornell\ university\)|cold\ spring\ harbor\ laboratory\)|the\ preprint\ server\ for\ [a-z\ ]+)?\W*
        """,
        re.VERBOSE,
    )


class Preprint(Record):
    """A preprint: its server, and its number and URL there ("" if unknown)."""

    server: str
    number: str = ""
    url: str = ""


@cache_texts
def parse_preprint(venue: str) -> Preprint | None:
    """
    The preprint that a venue describes ("arXiv preprint arXiv:2405.01234"); None for any other plain text.
    """
    text = " ".join(venue.split())
    folded = text.casefold()
    # a cheap test, as most venues are no servers
    if not any(name in folded for name in SERVER_NAMES):
        return None
    # arXiv:2405.01234 [cs.DC], but not "arXiv preprint arXiv:2405.01234", which is left to the pattern
    if number := parse_arxiv(text):
        return Preprint(ARXIV, number, make_arxiv_url(number))
    match = _compile_venue_pattern().fullmatch(folded)
    if match is None:
        return None

    server = SERVER_NAMES[match["name"]]
    if not match["number"]:
        return Preprint(server)
    # the original spelling: the subject classes of old numbers have capitals ("math.GT/0309136")
    number = text[match.start("number") : match.end("number")]
    number = parse_arxiv(number) or number
    doi = find_doi(number)
    if doi and server != ARXIV:
        return Preprint(server, doi, make_doi_url(doi))
    form = SERVERS[server]
    is_number = re.fullmatch(form.number, number, re.IGNORECASE)
    return Preprint(server, number, form.url.format(number)) if is_number else None


def find_server(*addresses: str) -> Preprint | None:
    """The preprint at the first of some URLs and DOIs that belongs to a server; None if there is none."""
    for address in filter(None, addresses):
        for name, server in SERVERS.items():
            if server.address and re.search(server.address, address, re.IGNORECASE):
                return Preprint(name)
    return None


def names_preprint(venue: str) -> bool:
    """
    Whether a venue is a server, or is called a preprint: "ChemRxiv", "arXiv, submitted", "Working paper".
    """
    words = r"(?i)\b(?:\w+xiv|preprint|ssrn|working paper)\b"
    return parse_preprint(venue) is not None or re.search(words, venue) is not None
