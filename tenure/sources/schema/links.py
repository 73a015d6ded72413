"""Links from user names, DOIs, arXiv numbers and URLs."""

import re
from collections.abc import Mapping

from tenure.model.links import Link, Url, is_safe_url, url_scheme

PROFILE_SERVICES: Mapping[str, tuple[str, str]] = {
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

SERVICE_ALIASES: Mapping[str, str] = {
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

_KEY_SUFFIX = re.compile(r"(?:user_?name|user_?id|user|id|url|profile|link|handle|account|channel)$")
_MASTODON_NAME = re.compile(r"@?(?P<user>[\w.-]+)@(?P<host>[\w-]+(?:\.[\w-]+)+)")
"""A Mastodon user: "@ada@mastodon.social". Source: Mastodon documentation, "Your profile", addresses."""

KNOWN_LINK_LABELS: Mapping[str, str] = {
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

_DOI_PATTERN = re.compile(
    r"(?:doi:?\s*|(?:https?://)?(?:[\w-]+\.)*doi\.[\w.-]+/(?:doi/)?)?(10\.\d{4,9}/\S+?)(?:[,;]\s.*)?",
    re.IGNORECASE | re.DOTALL,
)
"""A DOI, with or without a prefix or a resolver; the first of several. Source: DOI Handbook, section 2.2."""
_HOST_PATTERN = re.compile(
    r"^(?:www\.|[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|edu|io|dev|ac\.uk)(?:/|$))", re.IGNORECASE
)


def parse_doi(text: str) -> str:
    """The bare DOI ("10.1145/3600006.3613163") of a text that is a DOI with or without a prefix; "" for other texts."""
    match = _DOI_PATTERN.fullmatch(text.strip())
    return match[1] if match else ""


def find_service(name: str) -> str:
    """The service that a key names: "scholar" for "google_scholar" or "scholar_userid"; "" if it names none."""
    folded = re.sub(r"[\W_]+", "", name.casefold())
    for candidate in (folded, _KEY_SUFFIX.sub("", folded)):
        known = SERVICE_ALIASES.get(candidate, candidate)
        if known in PROFILE_SERVICES or known == "mastodon":
            return known
    return ""


def format_link_label(name: str) -> str:
    """The label for the name of a link: "PDF" for "pdf", "Project page" for "project_page"."""
    plain = re.sub(r"[\W_]+", "", name.casefold())
    known = (
        KNOWN_LINK_LABELS.get(name.casefold())
        or PROFILE_SERVICES.get(SERVICE_ALIASES.get(plain, name.casefold()), ("",))[0]
    )
    if known:
        return known
    text = name.replace("_", " ").strip()
    return text[:1].upper() + text[1:]


def build_link(name: str, text: str) -> tuple[Link | None, str]:
    """A link from its name and value, and ""; None and an error message if the URL is not safe."""
    url = text.strip()
    if not is_safe_url(url):
        return None, f"“{url}” is not a URL that can be linked"
    service = PROFILE_SERVICES.get(name.casefold()) or PROFILE_SERVICES.get(find_service(name))
    label = service[0] if service and not url_scheme(url) else format_link_label(name)
    mastodon = _MASTODON_NAME.fullmatch(url)
    if mastodon and (url.startswith("@") or find_service(name) == "mastodon"):
        url, label = f"https://{mastodon['host']}/@{mastodon['user']}", format_link_label(name) or "Mastodon"
    elif name.casefold() == "doi" and parse_doi(url):
        url = f"https://doi.org/{parse_doi(url)}"
    elif re.fullmatch(r"[^@\s/:]+@[^@\s/:]+\.\w+", url):
        url = f"mailto:{url}"
    elif service and not url_scheme(url) and "/" not in url.strip("/").removeprefix("@")[:1]:
        url = url if _HOST_PATTERN.match(url) else service[1].format(url.lstrip("@"))
    if _HOST_PATTERN.match(url) and not url_scheme(url) and "." in url.partition("/")[0]:
        url = f"https://{url}"
    return Link(label=label or shorten_url(url), url=Url(url)), ""


def shorten_url(url: str) -> str:
    """A URL for display: without scheme, "www." and the last slash."""
    return re.sub(r"^(?:https?://(?:www\.)?|mailto:|tel:)", "", url).rstrip("/")
