"""Links to profiles on other sites: their labels, by host or by the icon in the source."""

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from tenure.importers.entries import address_of
from tenure.importers.gathering import Gathering
from tenure.importers.samples import is_sample_address

HOSTS: Mapping[str, str] = {
    "academia.edu": "Academia.edu",
    "arxiv.org": "arXiv",
    "bitbucket.org": "Bitbucket",
    "bsky.app": "Bluesky",
    "codepen.io": "CodePen",
    "dblp.org": "DBLP",
    "dblp.uni-trier.de": "DBLP",
    "facebook.com": "Facebook",
    "github.com": "GitHub",
    "gitlab.com": "GitLab",
    "hal.science": "HAL",
    "huggingface.co": "Hugging Face",
    "impactstory.org": "Impactstory",
    "inspirehep.net": "INSPIRE",
    "instagram.com": "Instagram",
    "kaggle.com": "Kaggle",
    "linkedin.com": "LinkedIn",
    "medium.com": "Medium",
    "ncbi.nlm.nih.gov": "PubMed",
    "openreview.net": "OpenReview",
    "orcid.org": "ORCID",
    "osf.io": "OSF",
    "publons.com": "Publons",
    "quora.com": "Quora",
    "researchgate.net": "ResearchGate",
    "scholar.google": "Google Scholar",
    "scopus.com": "Scopus",
    "semanticscholar.org": "Semantic Scholar",
    "soundcloud.com": "SoundCloud",
    "ssrn.com": "SSRN",
    "stackoverflow.com": "Stack Overflow",
    "strava.com": "Strava",
    "t.me": "Telegram",
    "telegram.me": "Telegram",
    "threads.net": "Threads",
    "twitter.com": "Twitter",
    "webofscience.com": "Web of Science",
    "wikipedia.org": "Wikipedia",
    "x.com": "X",
    "xing.com": "XING",
    "youtube.com": "YouTube",
    "zhihu.com": "Zhihu",
    "zotero.org": "Zotero",
}
"""Hosts of profiles, with the label of a link to each."""


def label_of(url: str, otherwise: str = "") -> str:
    """The label of a link: the name of a known host, else `default_label`, else the host itself."""
    host = (urlsplit(url).hostname or "").removeprefix("www.")
    for known, label in HOSTS.items():
        if (
            host == known
            or host.endswith(f".{known}")
            or (known == "scholar.google" and host.startswith(known))
        ):
            return label
    spoken = " ".join(re.sub(r"[-_/]+", " ", otherwise).split())
    return f"{spoken[:1].upper()}{spoken[1:]}" if spoken else host


def put_link(gathering: Gathering, url: str, otherwise: str, place: str) -> None:
    """Add a link of the profile, or its e-mail address; sample content and invalid URLs are reported as skipped."""
    mail = re.fullmatch(r"(?:mailto:)?([^\s@/]+@[^\s@/]+\.[^\s@/]+)", url.strip())
    if is_sample_address(url):
        gathering.left(place, f"sample content of the template: {url}")
    elif mail:
        gathering.profile.setdefault("email", mail[1])
    elif address_of(url):
        label = label_of(address_of(url), otherwise)
        known = gathering.links.get(label)
        if known and known != address_of(url):
            label = f"{label} ({urlsplit(address_of(url)).path.strip('/').rpartition('/')[2] or otherwise})"
        gathering.links.setdefault(label, address_of(url))
    elif url.strip():
        gathering.left(place, f"a link of the profile that is not a web address: {url.strip()[:90]}")
