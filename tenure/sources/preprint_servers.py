"""Preprint servers: recognition of their names and numbers in the journal field of an entry."""

import re
from collections.abc import Mapping

from tenure.frozen import dataclass

ARXIV = "arXiv"
ARXIV_NUMBER = r"\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+(?:\.[a-z]{2})?/\d{7}(?:v\d+)?"
"""Source: arXiv, "Understanding the arXiv identifier": the scheme since April 2007, and the scheme before it."""

_DOI = r"10\.\d{4,9}/[^\s,;]+"


@dataclass(frozen=True, slots=True)
class Server:
    """A preprint server: regular expressions for its name and its numbers, and the URL of a number ("": it is a DOI)."""

    name: str
    number: str = _DOI
    address: str = ""


SERVERS: Mapping[str, Server] = {
    ARXIV: Server(
        r"arxiv(?:\.org)?|(?:computing research repository(?:\s*\(corr\))?)|corr",
        ARXIV_NUMBER,
        "https://arxiv.org/abs/{}",
    ),
    "bioRxiv": Server("bioarxiv|biorxiv"),
    "medRxiv": Server("medarxiv|medrxiv"),
    "ChemRxiv": Server("chemrxiv"),
    "PsyArXiv": Server("psyarxiv"),
    "SocArXiv": Server("socarxiv"),
    "EarthArXiv": Server("eartharxiv"),
    "EcoEvoRxiv": Server("ecoevorxiv"),
    "EdArXiv": Server("edarxiv"),
    "engrXiv": Server("engrxiv"),
    "TechRxiv": Server("techrxiv"),
    "Authorea": Server("authorea"),
    "Research Square": Server("research square"),
    "Preprints.org": Server(r"preprints(?:\.org)?"),
    "OSF Preprints": Server("osf"),
    "SSRN": Server("ssrn", r"\d{5,8}", "https://ssrn.com/abstract={}"),
    "HAL": Server("hal", r"(?:hal|halshs|inria|tel|cel|ird|insu)-\d{8}(?:v\d+)?", "https://hal.science/{}"),
    "Cryptology ePrint Archive": Server(
        "(?:iacr )?cryptology eprint archive|iacr eprint(?: archive)?",
        r"\d{4}/\d{1,5}",
        "https://eprint.iacr.org/{}",
    ),
}
"""Preprint servers by their displayed name."""

_LIKELY = re.compile(r"xiv|corr\b|computing research|ssrn|\bhal\b|\bosf\b|print|authorea|research square")
_WORDS = (
    r"(?:\W*\b(?:e-?prints?|pre-?prints?|electronic journal|repository|archive|server|working papers?"
    r"|abs|abstract|paper|report|doi|id|no|number)\b)*"
)

_HOUSES = r"cornell university\)|cold spring harbor laboratory\)|the preprint server for [a-z ]+"
"""Additions that bibliographic indexes write after the name of a server."""

_ARXIV_ADDRESS = re.compile(rf"(?:https?://)?(?:www\.)?arxiv\.org/(?:abs|pdf)/({ARXIV_NUMBER})(?:\.pdf)?")


def _pattern(server: Server) -> re.Pattern[str]:
    """A pattern for a venue that consists of the name of a server, with or without a number."""
    name = f"(?:{server.name})"
    number = rf"(?P<number>{server.number})"
    return re.compile(
        rf"(?:(?:available|published|posted) (?:at|on) |e-?print |preprint )?{name}{_WORDS}(?:\W*{name})?{_WORDS}\W*"
        rf"(?:{number})?\W*(?:\[[\w.-]+\]|\([\w.-]+\)|{_HOUSES})?\W*"
    )


_PATTERNS = {name: _pattern(server) for name, server in SERVERS.items()}


@dataclass(frozen=True, slots=True)
class Preprint:
    """A preprint: its server, and its number and URL there ("" if unknown)."""

    server: str
    number: str = ""
    url: str = ""


def may_name_server(written: str) -> bool:
    """Whether a field may name a preprint server. A cheap test before `parse_preprint`, as most fields do not."""
    return bool(written) and _LIKELY.search(written.casefold()) is not None


def parse_preprint(venue: str) -> Preprint | None:
    """The preprint that a venue describes ("arXiv preprint arXiv:2405.01234"); None for any other venue (plain text)."""
    text = " ".join(venue.split())
    folded = text.casefold()
    address = _ARXIV_ADDRESS.fullmatch(text)
    if address is not None:
        return Preprint(ARXIV, address[1], f"https://arxiv.org/abs/{address[1]}")
    for name, pattern in _PATTERNS.items():
        match = pattern.fullmatch(folded)
        if match is None:
            continue
        # the original spelling: the subject classes of old numbers have capitals ("math.GT/0309136")
        number = text[match.start("number") : match.end("number")] if match["number"] else ""
        number = number.rstrip(".")
        url = SERVERS[name].address or "https://doi.org/{}"
        return Preprint(name, number, url.format(number) if number else "")
    return None


_CARRIED = re.compile(rf"(?:abs/|arxiv:\s*)?({ARXIV_NUMBER})", re.IGNORECASE)


def parse_arxiv_number(text: str) -> str:
    """The arXiv number in the volume or pages field of an entry ("abs/2405.01234"); "" if there is none."""
    match = _CARRIED.fullmatch(text.strip())
    return match[1] if match else ""
