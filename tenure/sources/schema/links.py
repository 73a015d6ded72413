"""Links in the spellings of people and of other systems: user names, DOIs, arXiv numbers, URLs, and nested mappings."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from tenure.model.links import Link, Url, is_safe_url, parse_email, url_scheme
from tenure.sources.node import Node
from tenure.sources.schema.spec import fold_key

LINK_LABEL_KEYS = ("name", "label", "title", "text", "network", "platform", "site", "service", "type", "icon")
LINK_URL_KEYS = ("url", "link", "href", "address", "username", "user", "handle", "id", "value")

PROFILE_SERVICES: Mapping[str, tuple[str, str]] = {
    "arxiv": ("arXiv", "https://arxiv.org/a/{}"),
    "bluesky": ("Bluesky", "https://bsky.app/profile/{}"),
    "dblp": ("DBLP", "https://dblp.org/pid/{}"),
    "facebook": ("Facebook", "https://www.facebook.com/{}"),
    "github": ("GitHub", "https://github.com/{}"),
    "gitlab": ("GitLab", "https://gitlab.com/{}"),
    "huggingface": ("Hugging Face", "https://huggingface.co/{}"),
    "inspire": ("INSPIRE", "https://inspirehep.net/authors/{}"),
    "imdb": ("IMDb", "https://www.imdb.com/name/{}"),
    "instagram": ("Instagram", "https://www.instagram.com/{}"),
    "kaggle": ("Kaggle", "https://www.kaggle.com/{}"),
    "leetcode": ("LeetCode", "https://leetcode.com/u/{}"),
    "linkedin": ("LinkedIn", "https://www.linkedin.com/in/{}"),
    "mathscinet": ("MathSciNet", "https://mathscinet.ams.org/mathscinet/MRAuthorID/{}"),
    "mathgenealogy": ("Mathematics Genealogy", "https://www.mathgenealogy.org/id.php?id={}"),
    "openreview": ("OpenReview", "https://openreview.net/profile?id={}"),
    "orcid": ("ORCID", "https://orcid.org/{}"),
    "osf": ("OSF", "https://osf.io/{}"),
    "reddit": ("Reddit", "https://www.reddit.com/user/{}"),
    "researchgate": ("ResearchGate", "https://www.researchgate.net/profile/{}"),
    "scholar": ("Google Scholar", "https://scholar.google.com/citations?user={}"),
    "scopus": ("Scopus", "https://www.scopus.com/authid/detail.uri?authorId={}"),
    "semanticscholar": ("Semantic Scholar", "https://www.semanticscholar.org/author/{}"),
    "stackoverflow": ("Stack Overflow", "https://stackoverflow.com/users/{}"),
    "telegram": ("Telegram", "https://t.me/{}"),
    "twitter": ("Twitter", "https://twitter.com/{}"),
    "weibo": ("Weibo", "https://weibo.com/{}"),
    "wikidata": ("Wikidata", "https://www.wikidata.org/wiki/{}"),
    "wikipedia": ("Wikipedia", "https://en.wikipedia.org/wiki/{}"),
    "wos": ("Web of Science", "https://www.webofscience.com/wos/author/record/{}"),
    "x": ("X", "https://x.com/{}"),
    "youtube": ("YouTube", "https://www.youtube.com/@{}"),
    "zbmath": ("zbMATH", "https://zbmath.org/authors/?q=ai:{}"),
    "zhihu": ("Zhihu", "https://www.zhihu.com/people/{}"),
    "zotero": ("Zotero", "https://www.zotero.org/{}"),
}
"""The label of each service, and the URL of a user name there."""

SERVICE_ALIASES: Mapping[str, str] = {
    "googlescholar": "scholar", "gscholar": "scholar", "scholargoogle": "scholar", "bsky": "bluesky", "inspirehep": "inspire", "hf": "huggingface",
    "webofscience": "wos", "researcherid": "wos", "mathematicsgenealogy": "mathgenealogy", "twitterx": "x", "masto": "mastodon",
    "mrauthor": "mathscinet", "scopusauthor": "scopus",
}  # fmt: skip
"""Other names of the services, without spaces and hyphens."""

_KEY_SUFFIX = re.compile(r"(?:user_?name|user_?id|user|id|url|profile|link|handle|account|channel)$")
_MASTODON_NAME = re.compile(r"@?(?P<user>[\w.-]+)@(?P<host>[\w-]+(?:\.[\w-]+)+)")
"""A Mastodon user: "@ada@mastodon.social". Source: Mastodon documentation, "Your profile", addresses."""

KNOWN_LINK_LABELS: Mapping[str, str] = {
    "acm": "ACM", "api": "API", "arxiv": "arXiv", "cv": "CV", "doi": "DOI", "hal": "HAL", "html": "HTML", "ieee": "IEEE", "jstor": "JSTOR",
    "ads": "ADS", "googlebooks": "Google Books", "hdl": "Handle", "iacr": "IACR ePrint", "mr": "MathSciNet", "pmcid": "PubMed Central", "urn": "URN", "zbl": "zbMATH",
    "npm": "npm", "pdf": "PDF", "pmid": "PubMed", "pypi": "PyPI", "ror": "ROR", "ssrn": "SSRN", "supp": "Supplement", "url": "Link",
}  # fmt: skip

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


@lru_cache(maxsize=1024)
def find_service(name: str) -> str:
    """The service that a key names: "scholar" for "google_scholar" or "scholar_userid"; "" if it names none."""
    folded = fold_key(name)
    for candidate in (folded, _KEY_SUFFIX.sub("", folded)):
        known = SERVICE_ALIASES.get(candidate, candidate)
        if known in PROFILE_SERVICES or known == "mastodon":
            return known
    return ""


@lru_cache(maxsize=1024)
def format_link_label(name: str) -> str:
    """The label for the name of a link: "PDF" for "pdf", "Project page" for "project_page"."""
    service = SERVICE_ALIASES.get(fold_key(name), name.casefold())
    text = name.replace("_", " ").strip()
    known = KNOWN_LINK_LABELS.get(name.casefold()) or PROFILE_SERVICES.get(service, ("",))[0]
    return known or text[:1].upper() + text[1:]


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
    elif ("@" in url or "mail" in name.casefold()) and parse_email(url):
        url = f"mailto:{parse_email(url)}"
    elif service and not url_scheme(url) and "/" not in url.strip("/").removeprefix("@")[:1]:
        url = url if _HOST_PATTERN.match(url) else service[1].format(url.lstrip("@"))
    if _HOST_PATTERN.match(url) and not url_scheme(url) and "." in url.partition("/")[0]:
        url = f"https://{url}"
    return Link(label=label or shorten_url(url) or url, url=Url(url)), ""


def shorten_url(url: str) -> str:
    """A URL for display: without scheme, "www." and the last slash."""
    return re.sub(r"^(?:https?://(?:www\.)?|mailto:|tel:)", "", url).rstrip("/")


def shorten_for_message(text: str) -> str:
    """A text on one line, at most 40 characters, for a message."""
    line = " ".join(text.split())
    return line if len(line) <= 40 else line[:39].rstrip() + "…"


def list_link_pairs(node: Node) -> list[tuple[Node, Node]]:
    """Pairs of label and URL nodes in order; a missing label is an empty node."""
    if isinstance(node.value, str):
        return [(Node(None, node.place), node)]
    if isinstance(node.value, tuple):
        return [pair for item in node.value for pair in list_link_pairs(item)]
    if {"label", "url"} == set(node.mapping):
        return [(node.mapping["label"], node.mapping["url"])]
    if len(node.mapping) > 1 and find_link_url(node) != "…":
        return [(Node(None, node.place), node)]
    return [(Node(key, node.key_place(key)), child) for key, child in node.mapping.items()]


def find_link_label(node: Node) -> str:
    """The label of another system's link in lower case, for use as a key; "" if it has none."""
    return next((node.mapping[key].text.casefold() for key in LINK_LABEL_KEYS if key in node.mapping), "")


def find_link_url(node: Node) -> str:
    """The URL or user name in another system's link, shortened for a message; "…" if it has none."""
    key = next((key for key in LINK_URL_KEYS if key in node.mapping), "")
    return shorten_for_message(node.mapping[key].text) if key else "…"


def normalize_links(node: Node) -> Node:
    """Return links in any form as a list of {label: URL}, or the same node if no link is nested."""
    links = tuple(_normalize_each_link(node))
    return Node(tuple(link for link, _ in links), node.place) if any(is_new for _, is_new in links) else node


def _normalize_each_link(node: Node) -> Iterator[tuple[Node, bool]]:
    if node.items and not _is_labelled_pair(node):
        for item in node.items:
            yield from _normalize_each_link(item)
        return
    link = _parse_labelled_link(node) or _parse_link_text(node)
    if link is not None:
        yield link, True
        return
    for key, child in node.mapping.items():
        nested_link = _parse_labelled_link(child, key) if child.mapping else None
        link = nested_link or Node({key: child}, child.place, {key: node.key_place(key)})
        yield link, nested_link is not None
    if isinstance(node.value, str):
        yield node, False


_LINK_TEXT = re.compile(
    r"\[(?P<label>[^\[\]]*)\]\(\s*<?(?P<url>[^\s()<>]+)>?(?:\s+[\"'][^\n]*)?\s*\)|<(?P<autolink>[a-z]+://[^\s<>]+)>"
    r"|(?P<name>[^\n:/]{1,60}):\s+(?P<address>https?://\S+)"
)
"""A link in a text: in Markdown, between angle brackets, or after its label and a colon."""


def _is_labelled_pair(node: Node) -> bool:
    """Return whether a list is a label and its URL: [Code, https://…]."""
    label, url = (item.text for item in node.items) if len(node.items) == 2 else ("", "")
    is_url = _is_web_url(url) or re.fullmatch(r"[\w./-]*\.[a-z]{2,4}", url) is not None
    return is_url and re.search(r"^https?:|[./]", label) is None and label != ""


def _is_web_url(text: str) -> bool:
    return text.startswith(("http://", "https://", "www."))


def _parse_link_text(node: Node) -> Node | None:
    """Return the link that a pair or a text means, or None."""
    if node.items:
        label, url = node.items
        return Node({label.text: url}, node.place, {label.text: label.place})
    text = node.text.strip()
    match = _LINK_TEXT.fullmatch(text)
    if match is None:
        service, separator, user = text.partition(": ")
        is_link = separator and find_service(service)
        return Node.from_children({service: Node(user.strip(), node.place)}, node.place) if is_link else None
    url = Node(match["url"] or match["autolink"] or match["address"], node.place)
    label_text = (match["label"] or match["name"] or "").strip()
    return Node.from_children({label_text: url}, node.place) if label_text else url


def _parse_labelled_link(node: Node, label: str = "") -> Node | None:
    """Return a link that has one key for its label and one for its URL, or None."""
    nodes_by_key = {fold_key(key): child for key, child in node.mapping.items() if child.text}
    url_node = next((nodes_by_key[key] for key in LINK_URL_KEYS if key in nodes_by_key), None)
    labels = [nodes_by_key[key].text for key in LINK_LABEL_KEYS if key in nodes_by_key]
    if url_node is None or (not labels and not label):
        return None
    if not label and "icon" in nodes_by_key and len(labels) == 1:
        label = re.split(r"[\s/]+", labels[0])[-1].removeprefix("fa-")
        label = "Email" if url_node.text.startswith("mailto:") else label
    link_text = label or labels[0]
    return Node.from_children({link_text: url_node}, node.place)


def label_from_key(key: str) -> str:
    """Return the label of a link from its key: "demo" for "demo_url", "url_demo" and "demoLink"."""
    words = capitalize_key(key).split(" ")
    affixes = ("url", "link", "uri", "href")
    if len(words) > 1 and words[-1].casefold() in affixes:
        words = words[:-1]
    elif len(words) > 1 and words[0].casefold() in affixes:
        words = words[1:]
    return " ".join(words).casefold() if len(words) == 1 else " ".join(words)


def capitalize_key(key: str) -> str:
    """Return a key as a label: "Field of study" for "field_of_study"."""
    text = re.sub(r"(?<=[a-z])(?=[A-Z][a-z])|_+", " ", key).strip()
    return text[:1].upper() + text[1:]
