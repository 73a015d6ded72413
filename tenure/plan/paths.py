"""Paths of pages on the site: which values can be one, and how they are completed."""

import re

from tenure.markdown.html import make_slug
from tenure.model.links import is_valid_url, parse_url
from tenure.problems import Place, Problems


def is_web_url(value: str) -> bool:
    """Whether the path of a page is the URL of another site, which the menu links to."""
    return value.startswith(("https://", "http://")) and is_valid_url(value)


def is_site_path(value: str) -> bool:
    """Whether the value can be a path on this site; hidden names are for other programs (.git) and the manifest (.tenure)."""
    return ".." not in value and _SITE_PATH.fullmatch(value) is not None


_SITE_PATH = re.compile(r"/?(?:(?!\.(?!well-known/))[^\s\x00-\x1f\x7f/\\?#%:*\"<>|]+(?:/|$))*")


def report_invalid_path(value: str, place: Place, problems: Problems, hint: str = "") -> bool:
    """Report a value of site.yaml that cannot be a path on this site; True if it was reported."""
    if is_site_path(value):
        return False
    path = parse_url(value).path if "://" in value else value
    if "://" in value:
        hint = hint or "add title: …, and remove sections: the menu then links to it"
    suggested_path = "/".join(make_slug(part) for part in path.split("/") if make_slug(part))
    hint = hint or (f"write /{suggested_path}/" if suggested_path else "write it like /talks/")
    problems.report("bad-path", place, f"“{value}” cannot be a path of this site", hint)
    return True


def normalize_path(value: str) -> str:
    """Add the missing slashes: "talks" becomes "/talks/", "talks.html" becomes "/talks.html"."""
    path = value if value.startswith("/") else f"/{value}"
    return path if path.endswith(("/", ".html")) else f"{path}/"
