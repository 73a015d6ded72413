"""The requests to each service: ORCID, content negotiation of DOIs, Crossref, OpenAlex, and .bib files."""

import os
from collections.abc import Iterator, Sequence
from urllib.parse import quote

from tenure.fetch.client import Client, FetchError, service_url
from tenure.sources.bibtex.bib_text import split_entries
from tenure.sources.reading.node import Node, parse_json

CSL_JSON = "application/vnd.citationstyles.csl+json"
DAY = 86_400.0
"""Seconds for which an answer about one work is used again: `fetch` and `fetch --write` ask once."""

MAX_PUT_CODES = 50
"""The number of works in one request; ORCID accepts 100."""


def request_record(client: Client, orcid: str) -> Node:
    """The public record of an ORCID iD (ORCID API 3.0, /record); raises FetchError."""
    return _request_json(client, f"{_orcid_url(orcid)}/record", f"orcid.org/{orcid}")


def request_works(client: Client, orcid: str, put_codes: Sequence[str]) -> Iterator[Node]:
    """The works of a record with their contributors (ORCID API 3.0, /works/CODES); raises FetchError."""
    for start in range(0, len(put_codes), MAX_PUT_CODES):
        url = f"{_orcid_url(orcid)}/works/{','.join(put_codes[start : start + MAX_PUT_CODES])}"
        answer = _request_json(client, url, f"orcid.org/{orcid}")
        yield from (item.child("work") for item in answer.child("bulk").items)


def request_csl_item(client: Client, doi: str) -> Node:
    """The metadata of a DOI as CSL-JSON, by content negotiation; raises FetchError."""
    url = f"{service_url('DOI', 'https://doi.org')}/{quote(doi)}"
    item = _request_json(client, url, f"doi.org/{doi}", CSL_JSON, max_age=DAY)
    if not item.child("title").value:
        raise FetchError(f"doi.org/{doi} has no title")
    return item


def request_crossref_work(client: Client, doi: str) -> Node:
    """The metadata of a DOI at Crossref, with its relations and updates; raises FetchError."""
    url = f"{service_url('CROSSREF', 'https://api.crossref.org')}/works/{quote(doi, safe='')}"
    return _request_json(client, url, f"crossref.org/{doi}", max_age=DAY).child("message")


def request_openalex_work(client: Client, doi: str) -> Node:
    """The work of a DOI at OpenAlex; raises FetchError. The key in OPENALEX_API_KEY is optional."""
    work = f"{service_url('OPENALEX', 'https://api.openalex.org')}/works/doi:{quote(doi)}"
    url = f"{work}?select=cited_by_count,authorships,best_oa_location"
    key = os.environ.get("OPENALEX_API_KEY", "")
    if key:
        url = f"{url}&api_key={quote(key)}"
    return _request_json(client, url, f"openalex.org/{doi}", max_age=DAY)


def request_bibtex(client: Client, url: str) -> str:
    """The text of a .bib file; raises FetchError if it is no UTF-8, has control characters, or no entry."""
    body = client.get(url, "application/x-bibtex, text/plain;q=0.9, */*;q=0.5")
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        raise FetchError(f"the file at {url} is not UTF-8") from None
    if any(letter < " " and letter not in "\t\n\r\f" for letter in text) or "\x7f" in text:
        raise FetchError(f"the file at {url} has control characters")
    if next(iter(split_entries(text)), None) is None:
        raise FetchError(f"the file at {url} has no BibTeX entry")
    return text


def _orcid_url(orcid: str) -> str:
    """The address of a record: https://pub.orcid.org/v3.0/0000-0002-1825-0097."""
    return f"{service_url('ORCID', 'https://pub.orcid.org/v3.0')}/{orcid}"


def _request_json(
    client: Client, url: str, name: str, accept: str = "application/json", *, max_age: float = 0
) -> Node:
    """The JSON at a URL, a mapping; raises FetchError."""
    node = parse_json(client.get(url, accept, max_age=max_age), name)
    if node is None or not node.mapping:
        raise FetchError(f"the answer about {name} is not a JSON object")
    return node
