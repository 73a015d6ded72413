"""Links to profiles on other sites: their labels, by host or by the icon in the source."""

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from tenure.importers.cv_entries import parse_web_url
from tenure.importers.samples import is_sample_url
from tenure.importers.session import ImportSession

PROFILE_HOSTS: Mapping[str, str] = {
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


def label_profile_link(url: str, default_label: str = "") -> str:
    """The label of a link: the name of a known host, else `default_label`, else the host itself."""
    host = (urlsplit(url).hostname or "").removeprefix("www.")
    for profile_host, label in PROFILE_HOSTS.items():
        if (
            host == profile_host
            or host.endswith(f".{profile_host}")
            or (profile_host == "scholar.google" and host.startswith(profile_host))
        ):
            return label
    fallback_label = " ".join(re.sub(r"[-_/]+", " ", default_label).split())
    return f"{fallback_label[:1].upper()}{fallback_label[1:]}" if fallback_label else host


def add_profile_link(session: ImportSession, url: str, default_label: str, place: str) -> None:
    """Add a link of the profile, or its e-mail address; sample content and invalid URLs are reported as skipped."""
    email_match = re.fullmatch(r"(?:mailto:)?([^\s@/]+@[^\s@/]+\.[^\s@/]+)", url.strip())
    if is_sample_url(url):
        session.record_skipped(place, f"sample content of the template: {url}")
    elif email_match:
        session.profile.setdefault("email", email_match[1])
    elif parse_web_url(url):
        label = label_profile_link(parse_web_url(url), default_label)
        known_url = session.profile_links.get(label)
        if known_url and known_url != parse_web_url(url):
            label = f"{label} ({urlsplit(parse_web_url(url)).path.strip('/').rpartition('/')[2] or default_label})"
        session.profile_links.setdefault(label, parse_web_url(url))
    elif url.strip():
        session.record_skipped(place, f"a link of the profile that is not a web address: {url.strip()[:90]}")
