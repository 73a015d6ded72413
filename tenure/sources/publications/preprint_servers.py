"""Preprint servers: recognition of their names and numbers in the journal field of an entry."""

import re
from collections.abc import Mapping
from functools import cache

from tenure.record import Record

ARXIV = "arXiv"
ARXIV_NUMBER = r"\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+(?:\.[a-z]{2})?/\d{7}(?:v\d+)?"
"""Source: arXiv, "Understanding the arXiv identifier": the scheme since April 2007, and the scheme before it."""

_DOI_PATTERN = r"10\.\d{4,9}/[^\s,;]+"


class PreprintServer(Record):
    """A preprint server: regular expressions for its name and its numbers, and the URL of a number ("": it is a DOI)."""

    name_pattern: str
    number_pattern: str = _DOI_PATTERN
    url_template: str = ""


PREPRINT_SERVERS: Mapping[str, PreprintServer] = {
    ARXIV: PreprintServer(
        r"arxiv(?:\.org)?|(?:computing research repository(?:\s*\(corr\))?)|corr",
        ARXIV_NUMBER,
        "https://arxiv.org/abs/{}",
    ),
    "bioRxiv": PreprintServer("bioarxiv|biorxiv"),
    "medRxiv": PreprintServer("medarxiv|medrxiv"),
    "ChemRxiv": PreprintServer("chemrxiv"),
    "PsyArXiv": PreprintServer("psyarxiv"),
    "SocArXiv": PreprintServer("socarxiv"),
    "EarthArXiv": PreprintServer("eartharxiv"),
    "EcoEvoRxiv": PreprintServer("ecoevorxiv"),
    "EdArXiv": PreprintServer("edarxiv"),
    "engrXiv": PreprintServer("engrxiv"),
    "TechRxiv": PreprintServer("techrxiv"),
    "Authorea": PreprintServer("authorea"),
    "Research Square": PreprintServer("research square"),
    "Preprints.org": PreprintServer(r"preprints(?:\.org)?"),
    "OSF Preprints": PreprintServer("osf"),
    "SSRN": PreprintServer("ssrn", r"\d{5,8}", "https://ssrn.com/abstract={}"),
    "HAL": PreprintServer(
        "hal", r"(?:hal|halshs|inria|tel|cel|ird|insu)-\d{8}(?:v\d+)?", "https://hal.science/{}"
    ),
    "Cryptology ePrint Archive": PreprintServer(
        "(?:iacr )?cryptology eprint archive|iacr eprint(?: archive)?",
        r"\d{4}/\d{1,5}",
        "https://eprint.iacr.org/{}",
    ),
}
"""Preprint servers by their displayed name."""

_SERVER_HINT = re.compile(
    r"xiv|corr\b|computing research|ssrn|\bhal\b|\bosf\b|print|authorea|research square"
)
_EXTRA_WORDS = (
    r"(?:\W*\b(?:e-?prints?|pre-?prints?|electronic journal|repository|archive|server|working papers?"
    r"|abs|abstract|paper|report|doi|id|no|number)\b)*"
)

_OPERATOR_NOTES = r"cornell university\)|cold spring harbor laboratory\)|the preprint server for [a-z ]+"
"""Additions that bibliographic indexes write after the name of a server."""

_ARXIV_URL = re.compile(rf"(?:https?://)?(?:www\.)?arxiv\.org/(?:abs|pdf)/({ARXIV_NUMBER})(?:\.pdf)?")


@cache
def _compile_venue_pattern(server_name: str) -> re.Pattern[str]:
    """A pattern for a venue that consists of the name of a server, with or without a number; compiled on first use."""
    server = PREPRINT_SERVERS[server_name]
    name = f"(?:{server.name_pattern})"
    number = rf"(?P<number>{server.number_pattern})"
    return re.compile(
        rf"(?:(?:available|published|posted) (?:at|on) |e-?print |preprint )?{name}{_EXTRA_WORDS}(?:\W*{name})?{_EXTRA_WORDS}\W*"
        rf"(?:{number})?\W*(?:\[[\w.-]+\]|\([\w.-]+\)|{_OPERATOR_NOTES})?\W*"
    )


class Preprint(Record):
    """A preprint: its server, and its number and URL there ("" if unknown)."""

    server: str
    number: str = ""
    url: str = ""


def may_name_preprint_server(value: str) -> bool:
    """Whether a field may name a preprint server. A cheap test before `parse_preprint`, as most fields do not."""
    return bool(value) and _SERVER_HINT.search(value.casefold()) is not None


def parse_preprint(venue: str) -> Preprint | None:
    """The preprint that a venue describes ("arXiv preprint arXiv:2405.01234"); None for any other venue (plain text)."""
    text = " ".join(venue.split())
    folded = text.casefold()
    arxiv_url = _ARXIV_URL.fullmatch(text)
    if arxiv_url is not None:
        return Preprint(ARXIV, arxiv_url[1], f"https://arxiv.org/abs/{arxiv_url[1]}")
    for name in PREPRINT_SERVERS:
        match = _compile_venue_pattern(name).fullmatch(folded)
        if match is None:
            continue
        # the original spelling: the subject classes of old numbers have capitals ("math.GT/0309136")
        number = text[match.start("number") : match.end("number")] if match["number"] else ""
        number = number.rstrip(".")
        url = PREPRINT_SERVERS[name].url_template or "https://doi.org/{}"
        return Preprint(name, number, url.format(number) if number else "")
    return None


_ARXIV_NUMBER_FIELD = re.compile(rf"(?:abs/|arxiv:\s*)?({ARXIV_NUMBER})", re.IGNORECASE)


def parse_arxiv_number(text: str) -> str:
    """The arXiv number in the volume or pages field of an entry ("abs/2405.01234"); "" if there is none."""
    match = _ARXIV_NUMBER_FIELD.fullmatch(text.strip())
    return match[1] if match else ""
