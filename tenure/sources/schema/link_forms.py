"""Links as people and other systems write them: user names, DOIs, arXiv numbers, URLs, nested mappings."""

import re
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import urlsplit

from tenure.limits import cache_texts
from tenure.model.identifiers import make_doi_url, parse_doi
from tenure.model.links import Link, Url, is_safe_url, is_valid_url, parse_email, quote_colon, url_scheme
from tenure.sources.reading.node import Node
from tenure.sources.schema.spec import fold_key

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
    "bsky": "bluesky",
    "googlescholar": "scholar",
    "gscholar": "scholar",
    "hf": "huggingface",
    "inspirehep": "inspire",
    "masto": "mastodon",
    "mathematicsgenealogy": "mathgenealogy",
    "mrauthor": "mathscinet",
    "researcherid": "wos",
    "scholargoogle": "scholar",
    "scopusauthor": "scopus",
    "twitterx": "x",
    "webofscience": "wos",
}
"""Other names of the services, without spaces and hyphens."""

_KEY_SUFFIX = r"""(?x)
    (?: user_?name | user_?id | author_?id | user | id | url | profile | link | handle  # githubUser
        | account | channel )$
"""
_MASTODON_NAME = r"@?(?P<user>[\w.-]+)@(?P<host>[\w-]+(?:\.[\w-]+)+)"
"""A Mastodon user: "@ada@mastodon.social". Source: Mastodon documentation, "Your profile", addresses."""

KNOWN_LINK_LABELS: Mapping[str, str] = {
    "acm": "ACM",
    "ads": "ADS",
    "api": "API",
    "arxiv": "arXiv",
    "cv": "CV",
    "doi": "DOI",
    "googlebooks": "Google Books",
    "hal": "HAL",
    "hdl": "Handle",
    "html": "HTML",
    "iacr": "IACR ePrint",
    "ieee": "IEEE",
    "jstor": "JSTOR",
    "mr": "MathSciNet",
    "npm": "npm",
    "pdf": "PDF",
    "pmcid": "PubMed Central",
    "pmid": "PubMed",
    "pypi": "PyPI",
    "ror": "ROR",
    "ssrn": "SSRN",
    "supp": "Supplement",
    "url": "Link",
    "urn": "URN",
    "zbl": "zbMATH",
}

_HOST_PATTERN = r"""(?xi)
    www\.                                                                         # www.example.org
    | [a-z0-9-]+ (?:\.[a-z0-9-]+)* \. (?:com|org|net|edu|io|dev|ac\.uk) (?:/|$)    # example.org/code
"""


@cache_texts
def find_service(name: str) -> str:
    """The service that a key names: "scholar" for "google_scholar" or "scholar_userid"; or ""."""
    folded = fold_key(name)
    for candidate in (folded, re.sub(_KEY_SUFFIX, "", folded)):
        known = SERVICE_ALIASES.get(candidate, candidate)
        if known in PROFILE_SERVICES or known == "mastodon":
            return known
    return ""


def find_service_of_url(url: str) -> str:
    """The service to which a URL belongs: "github" for "https://github.com/ada"; "" for other hosts."""
    hostname = urlsplit(url).hostname if is_valid_url(url) else ""
    host = (hostname or "").removeprefix("www.")
    if host.startswith("scholar.google."):
        return "scholar"
    services = ((urlsplit(template).hostname or "", name) for name, (_, template) in PROFILE_SERVICES.items())
    return next((name for known, name in services if known.removeprefix("www.") == host), "")


@cache_texts
def format_link_label(name: str) -> str:
    """The label for the name of a link: "PDF" for "pdf", "Project page" for "project_page"."""
    service = SERVICE_ALIASES.get(fold_key(name), name.casefold())
    text = name.replace("_", " ").strip()
    known = KNOWN_LINK_LABELS.get(name.casefold()) or PROFILE_SERVICES.get(service, ("",))[0]
    return known or text[:1].upper() + text[1:]


def build_link(name: str, text: str) -> tuple[Link | None, str]:
    """
    A link from its name and value, and ""; None and an error message if the URL is not safe.

    "github", "ada" -> GitHub, https://github.com/ada; "code", "a.org/x" -> Code, https://a.org/x
    """
    url = quote_colon(text.strip())
    if not is_safe_url(url):
        return None, f"“{url}” is not a URL that can be linked"
    service = PROFILE_SERVICES.get(name.casefold()) or PROFILE_SERVICES.get(find_service(name))
    label = service[0] if service and not url_scheme(url) else format_link_label(name)
    mastodon = re.fullmatch(_MASTODON_NAME, url)
    # any other ada@example.org is an e-mail address
    if mastodon and (url.startswith("@") or find_service(name) == "mastodon"):
        url = f"https://{mastodon['host']}/@{mastodon['user']}"
        label = format_link_label(name) or "Mastodon"
    else:
        url = _complete_url(name, url, service[1] if service else "")
    return Link(label=label or shorten_url(url) or url, url=Url(url)), ""


def _complete_url(name: str, text: str, template: str) -> str:
    """
    The URL that a text means in a link with this name; `template` is that of a user in its service.

    "doi", "10.1000/182" -> "https://doi.org/10.1000/182"
    "e-mail", "ada@example.edu" -> "mailto:ada@example.edu"
    "github", "ada" -> "https://github.com/ada"
    "code", "example.org/code" -> "https://example.org/code"
    """
    if name.casefold() == "doi" and parse_doi(text):
        return make_doi_url(parse_doi(text))
    if ("@" in text or "mail" in name.casefold()) and parse_email(text):
        return f"mailto:{parse_email(text)}"
    if url_scheme(text):
        return text

    is_host = re.match(_HOST_PATTERN, text)
    # /files/ada.pdf is a path
    is_path = "/" in text.strip("/").removeprefix("@")[:1]
    if template and not is_host and not is_path:
        return template.format(text.lstrip("@"))
    if is_host and "." in text.partition("/")[0]:
        return f"https://{text}"
    return text


def shorten_url(url: str) -> str:
    """A URL for display: without scheme, "www." and the last slash."""
    return re.sub(r"^(?:https?://(?:www\.)?|mailto:|tel:)", "", url).rstrip("/")


def shorten_for_message(text: str) -> str:
    """A text on one line, at most 40 characters, for a message."""
    line = " ".join(text.split())
    if len(line) <= 40:
        return line
    return line[:39].rstrip() + "…"


def list_links(node: Node, label: str = "") -> Iterator[tuple[str, Node]]:
    """
    The links in any form with their labels, "" if one has none.

    {code: https://…}, [Code, https://…], [Code](https://…), Code: https://…
    {name: Code, url: https://…}: one key for each part
    """
    named = _read_parts(node, label)
    if named:
        yield named
    elif node.text:
        yield _read_link_text(node, label)
    elif _is_label_and_url(node.items):
        yield node.items[0].text, node.items[1]
    else:
        for item in node.items:
            yield from list_links(item, label)
        for key, child in node.mapping.items():
            yield from list_links(child, key)


LINK_LABEL_KEYS = ("name", "label", "title", "text", "network", "platform", "site", "service", "type", "icon")

LINK_URL_KEYS = ("url", "link", "href", "address", "username", "user", "handle", "id", "value")


def _read_parts(node: Node, label: str) -> tuple[str, Node] | None:
    """The label and the URL of a mapping with keys for them, {name: Code, url: https://…}, or None."""
    parts = {fold_key(key): child for key, child in node.mapping.items() if child.text}
    url = next((parts[key] for key in LINK_URL_KEYS if key in parts), None)
    name = next((parts[key].text for key in LINK_LABEL_KEYS if key in parts), "")
    if not url or not (name or label):
        return None
    # {icon: envelope, url: mailto:…}
    if not label and name == node.child("icon").text and url.text.startswith("mailto:"):
        return "Email", url
    # {icon: fas fa-code, url: …}
    return label or name.rpartition("fa-")[2], url


def _is_label_and_url(items: Sequence[Node]) -> bool:
    """Whether a list of two texts is a label and its URL: [Code, https://…]."""
    if len(items) != 2 or not items[0].text:
        return False
    first, second = (item.text for item in items)
    # https://a.org, www.a.org, talk.pdf; not [talk.pdf, slides.pdf], which are two
    is_url = re.match(r"https?:|www\.|[\w./-]*\.[a-z]{2,4}$", second)
    return bool(is_url) and not re.search(r"^https?:|[./]", first)


_LINK_TEXT = r"""(?x)
    \[(?P<label>[^\[\]]*)\]                                                    # [Code](https://example.org)
      \(\s* <?(?P<url>[^\s()<>]+)>? (?:\s+["'][^\n]*)? \s*\)
    | <(?P<autolink>[a-z]+://[^\s<>]+)>                                          # <https://example.org>
    | (?P<name>[^\n:/]{1,60}):\s+(?P<address>https?://\S+)                       # Code: https://example.org
"""


def _read_link_text(node: Node, label: str) -> tuple[str, Node]:
    """The label and the URL of a text: "[Code](https://a.org)", "<https://a.org>", "github: ada"."""
    match = re.fullmatch(_LINK_TEXT, node.text.strip())
    if match:
        url = Node(match["url"] or match["autolink"] or match["address"], node.place)
        return label or (match["label"] or match["name"] or "").strip(), url
    service, separator, user = node.text.partition(": ")
    is_user = separator and not label and find_service(service)
    if is_user:
        return (service, Node(user.strip(), node.place))
    return (label, node)


def label_from_key(key: str) -> str:
    """Return the label of a link from its key: "demo" for "demo_url", "url_demo" and "demoLink"."""
    text = re.sub(r"(?i)^(?:url|link|uri|href) | (?:url|link|uri|href)$", "", capitalize_key(key))
    return text if " " in text else text.casefold()


def capitalize_key(key: str) -> str:
    """Return a key as a label: "Field of study" for "field_of_study"."""
    text = re.sub(r"(?<=[a-z])(?=[A-Z][a-z])|_+", " ", key).strip()
    return text[:1].upper() + text[1:]
