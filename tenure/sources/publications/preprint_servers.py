"""
Preprint servers: recognition of their names, numbers, URLs and DOIs.

journal = {arXiv preprint arXiv:2405.01234 [cs.DC]} -> arXiv, number 2405.01234; doi = {10.1101/2020.01.01.123456} -> bioRxiv.
"""

import re
from collections.abc import Mapping
from functools import cache, lru_cache

from tenure.model.identifiers import (
    ARXIV_PATTERN,
    DOI_PATTERN,
    find_doi,
    make_arxiv_url,
    make_doi_url,
    parse_arxiv,
)
from tenure.record import Record

ARXIV = "arXiv"
SERVER_NAMES: Mapping[str, str] = {
    "arxiv": ARXIV, "arxiv.org": ARXIV, "corr": ARXIV, "computing research repository": ARXIV, "computing research repository (corr)": ARXIV,
    "biorxiv": "bioRxiv", "bioarxiv": "bioRxiv", "medrxiv": "medRxiv", "medarxiv": "medRxiv", "chemrxiv": "ChemRxiv", "psyarxiv": "PsyArXiv",
    "socarxiv": "SocArXiv", "eartharxiv": "EarthArXiv", "ecoevorxiv": "EcoEvoRxiv", "edarxiv": "EdArXiv", "engrxiv": "engrXiv",
    "techrxiv": "TechRxiv", "authorea": "Authorea", "research square": "Research Square", "preprints": "Preprints.org",
    "preprints.org": "Preprints.org", "osf": "OSF Preprints", "ssrn": "SSRN", "hal": "HAL", "iacr eprint": "Cryptology ePrint Archive",
    "cryptology eprint archive": "Cryptology ePrint Archive", "iacr cryptology eprint archive": "Cryptology ePrint Archive",
    "iacr eprint archive": "Cryptology ePrint Archive",
}  # fmt: skip
"""The displayed names of preprint servers, by their spellings."""

_CSHL = (r"(?:\d{4}\.\d\d\.\d\d\.)?\d{6,8}(?:v\d+)?", "https://doi.org/10.1101/{}")
NUMBERS: Mapping[str, tuple[str, str]] = {
    ARXIV: (ARXIV_PATTERN, make_arxiv_url("{}")),
    "bioRxiv": _CSHL,
    "medRxiv": _CSHL,
    "SSRN": (r"\d{5,8}", "https://ssrn.com/abstract={}"),
    "HAL": (r"(?:hal|halshs|inria|tel|cel|ird|insu)-\d{8}(?:v\d+)?", "https://hal.science/{}"),
    "Cryptology ePrint Archive": (r"\d{4}/\d{1,5}", "https://eprint.iacr.org/{}"),
}
"""The numbers of a server and their URL; DOIs are known at each."""

OPERATORS = frozenset({"cold spring harbor laboratory", "openrxiv", "cornell university", "arxiv"})
"""Publishers by which indexes name the operator of a server."""


@cache
def _compile_venue_pattern() -> re.Pattern[str]:
    """A pattern for a venue that is only the name of a server, with or without a number; compiled on first use."""
    name = "|".join(re.escape(text) for text in sorted(SERVER_NAMES, key=len, reverse=True))
    words = r"""(?:\W*\b(?:e-?prints?|pre-?prints?|electronic\ journal|repository|archive|server|working\ papers?
        |abs|abstract|paper|report|doi|id|no|number)\b)*"""
    number = "|".join([DOI_PATTERN, *dict.fromkeys(pattern for pattern, _ in NUMBERS.values())])
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


@lru_cache(maxsize=4096)
def parse_preprint(venue: str) -> Preprint | None:
    """The preprint that a venue describes ("arXiv preprint arXiv:2405.01234"); None for any other venue (plain text)."""
    text = " ".join(venue.split())
    folded = text.casefold()
    if not re.search(r"xiv|\bcorr\b|research|ssrn|\bhal\b|\bosf\b|print|authorea", folded):
        return None  # a cheap test, as most venues are no servers
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
    pattern, url = NUMBERS.get(server, ("", ""))
    return Preprint(server, number, url.format(number)) if re.fullmatch(f"(?i){pattern}", number) else None


_SERVER_ADDRESS = r"""(?xi)
    (?P<medrxiv>.*\bmedrxiv\.org/)                        # https://www.medrxiv.org/content/…
    |(?P<biorxiv>.*(?:\bbiorxiv\.org/|10\.(?:1101|64898)/\d))   # 10.1101/2020.01.01.123456; journals have letters: 10.1101/gr.1
    |(?P<arxiv>.*(?:\barxiv\.org/(?:abs|pdf)/|10\.48550/arxiv\.))
"""


def find_server(*addresses: str) -> Preprint | None:
    """The preprint at the first of some URLs and DOIs that is one of bioRxiv, medRxiv or arXiv; None if there is none."""
    matches = (re.match(_SERVER_ADDRESS, address) for address in addresses if address)
    group = next((match.lastgroup for match in matches if match), None)
    return Preprint(SERVER_NAMES[group]) if group else None
