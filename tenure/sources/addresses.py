"""Links from user names, DOIs, arXiv numbers and URLs."""

import re
from collections.abc import Mapping

from tenure.model.links import Address, Link, is_safe, scheme_of

SERVICES: Mapping[str, tuple[str, str]] = {
    "arxiv": ("arXiv", "https://arxiv.org/a/{}"),
    "bluesky": ("Bluesky", "https://bsky.app/profile/{}"),
    "dblp": ("DBLP", "https://dblp.org/pid/{}"),
    "facebook": ("Facebook", "https://www.facebook.com/{}"),
    "github": ("GitHub", "https://github.com/{}"),
    "gitlab": ("GitLab", "https://gitlab.com/{}"),
    "huggingface": ("Hugging Face", "https://huggingface.co/{}"),
    "inspire": ("INSPIRE", "https://inspirehep.net/authors/{}"),
    "instagram": ("Instagram", "https://www.instagram.com/{}"),
    "kaggle": ("Kaggle", "https://www.kaggle.com/{}"),
    "linkedin": ("LinkedIn", "https://www.linkedin.com/in/{}"),
    "mathgenealogy": ("Mathematics Genealogy", "https://www.mathgenealogy.org/id.php?id={}"),
    "openreview": ("OpenReview", "https://openreview.net/profile?id={}"),
    "orcid": ("ORCID", "https://orcid.org/{}"),
    "osf": ("OSF", "https://osf.io/{}"),
    "researchgate": ("ResearchGate", "https://www.researchgate.net/profile/{}"),
    "scholar": ("Google Scholar", "https://scholar.google.com/citations?user={}"),
    "scopus": ("Scopus", "https://www.scopus.com/authid/detail.uri?authorId={}"),
    "semanticscholar": ("Semantic Scholar", "https://www.semanticscholar.org/author/{}"),
    "stackoverflow": ("Stack Overflow", "https://stackoverflow.com/users/{}"),
    "twitter": ("Twitter", "https://twitter.com/{}"),
    "wikidata": ("Wikidata", "https://www.wikidata.org/wiki/{}"),
    "wikipedia": ("Wikipedia", "https://en.wikipedia.org/wiki/{}"),
    "wos": ("Web of Science", "https://www.webofscience.com/wos/author/record/{}"),
    "x": ("X", "https://x.com/{}"),
    "youtube": ("YouTube", "https://www.youtube.com/@{}"),
    "zotero": ("Zotero", "https://www.zotero.org/{}"),
}
"""The label of each service, and the URL of a user name there."""

OTHER_NAMES: Mapping[str, str] = {
    "googlescholar": "scholar",
    "gscholar": "scholar",
    "scholargoogle": "scholar",
    "bsky": "bluesky",
    "inspirehep": "inspire",
    "hf": "huggingface",
    "webofscience": "wos",
    "researcherid": "wos",
    "mathematicsgenealogy": "mathgenealogy",
    "twitterx": "x",
    "masto": "mastodon",
}
"""Other names of the services, without spaces and hyphens."""

_SUFFIX = re.compile(r"(?:user_?name|user_?id|user|id|url|profile|link|handle|account|channel)$")
_MASTODON = re.compile(r"@?(?P<user>[\w.-]+)@(?P<host>[\w-]+(?:\.[\w-]+)+)")
"""A Mastodon user: "@ada@mastodon.social". Source: Mastodon documentation, "Your profile", addresses."""

LABELS: Mapping[str, str] = {
    "acm": "ACM",
    "api": "API",
    "arxiv": "arXiv",
    "cv": "CV",
    "doi": "DOI",
    "hal": "HAL",
    "html": "HTML",
    "ieee": "IEEE",
    "jstor": "JSTOR",
    "npm": "npm",
    "pdf": "PDF",
    "pmid": "PubMed",
    "pypi": "PyPI",
    "ror": "ROR",
    "ssrn": "SSRN",
    "supp": "Supplement",
    "url": "Link",
}

_DOI = re.compile(
    r"(?:doi:?\s*|(?:https?://)?(?:[\w-]+\.)*doi\.[\w.-]+/(?:doi/)?)?(10\.\d{4,9}/\S+?)(?:[,;]\s.*)?",
    re.IGNORECASE | re.DOTALL,
)
"""A DOI, with or without a prefix or a resolver; the first of several. Source: DOI Handbook, section 2.2."""
_HOST = re.compile(
    r"^(?:www\.|[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|edu|io|dev|ac\.uk)(?:/|$))", re.IGNORECASE
)


def doi_of(text: str) -> str:
    """The bare DOI ("10.1145/3600006.3613163") of a text that is a DOI with or without a prefix; "" for other texts."""
    found = _DOI.fullmatch(text.strip())
    return found[1] if found else ""


def service_of(name: str) -> str:
    """The service that a key names: "scholar" for "google_scholar" or "scholar_userid"; "" if it names none."""
    folded = re.sub(r"[\W_]+", "", name.casefold())
    for word in (folded, _SUFFIX.sub("", folded)):
        known = OTHER_NAMES.get(word, word)
        if known in SERVICES or known == "mastodon":
            return known
    return ""


def label_of(name: str) -> str:
    """The label for the name of a link: "PDF" for "pdf", "Project page" for "project_page"."""
    plain = re.sub(r"[\W_]+", "", name.casefold())
    known = LABELS.get(name.casefold()) or SERVICES.get(OTHER_NAMES.get(plain, name.casefold()), ("",))[0]
    if known:
        return known
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def link_of(name: str, text: str) -> tuple[Link | None, str]:
    """A link from its name and value, and ""; None and an error message if the URL is not safe."""
    address = text.strip()
    if not is_safe(address):
        return None, f"“{address}” is not a URL that can be linked"
    service = SERVICES.get(name.casefold()) or SERVICES.get(service_of(name))
    label = service[0] if service and not scheme_of(address) else label_of(name)
    mastodon = _MASTODON.fullmatch(address)
    if mastodon and (address.startswith("@") or service_of(name) == "mastodon"):
        address, label = f"https://{mastodon['host']}/@{mastodon['user']}", label_of(name) or "Mastodon"
    elif name.casefold() == "doi" and doi_of(address):
        address = f"https://doi.org/{doi_of(address)}"
    elif re.fullmatch(r"[^@\s/:]+@[^@\s/:]+\.\w+", address):
        address = f"mailto:{address}"
    elif service and not scheme_of(address) and "/" not in address.strip("/").removeprefix("@")[:1]:
        address = address if _HOST.match(address) else service[1].format(address.lstrip("@"))
    if _HOST.match(address) and not scheme_of(address) and "." in address.partition("/")[0]:
        address = f"https://{address}"
    return Link(label=label or shown(address), url=Address(address)), ""


def shown(address: str) -> str:
    """A URL for display: without scheme, "www." and the last slash."""
    return re.sub(r"^(?:https?://(?:www\.)?|mailto:|tel:)", "", address).rstrip("/")
