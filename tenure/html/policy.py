"""The Content-Security-Policy of a page: what it may load and run."""

import base64
import hashlib
import html
import re
from collections.abc import Mapping
from functools import lru_cache

from tenure.markdown.html_tags import Tag, format_tag, rewrite_tags

PolicySources = Mapping[str, tuple[str, ...]]
"""Source expressions by directive: {"script-src": ("'self'", "https://gc.zgo.at")} (CSP Level 3, 2.3.1)."""

DEFAULT_POLICY: PolicySources = {
    "default-src": ("'self'",),
    "script-src": ("'self'",),
    "style-src": ("'self'", "file:", "'unsafe-inline'"),
    "img-src": ("'self'", "file:", "data:", "https:"),
    "font-src": ("'self'", "file:", "data:"),
    "media-src": ("'self'", "file:", "https:"),
    "connect-src": ("'self'",),
    "frame-src": ("'self'", "file:", "https:"),
    "object-src": ("'self'", "file:"),
    "base-uri": ("'none'",),
    "form-action": ("'self'",),
}
"""
What a page may load by default.

Scripts are files of the site, and inline scripts in the head whose digest is in the policy: the theme wrote those.
Styles may be inline, because a style runs no code (docs/decisions.md). Images, video and frames of other hosts are
allowed over https, because only a text of the owner can load them. `file:` is for pages opened from a disk, for which
some browsers do not match 'self' (CSP Level 3, 6.7.2.8).
"""

_CHARSET_TAG = '<meta charset="utf-8">'
_INLINE_SCRIPT = re.compile(r"<script(?![^>]*(?:\ssrc=|ld\+json))[^>]*>(.+?)</script>", re.DOTALL)


def insert_policy(page_html: str, rules: PolicySources = DEFAULT_POLICY) -> str:
    """
    Insert the policy at the start of the head (CSP Level 3, 3.3); a page without a head is returned unchanged.

    JSON-LD is data, not a script, and needs no digest (HTML, 4.12.1).
    """
    head_end = page_html.find("</head>")
    start = page_html.find(_CHARSET_TAG, 0, head_end)
    if head_end < 0 or start < 0:
        return page_html
    content = _format_page_policy(tuple(rules.items()), tuple(_INLINE_SCRIPT.findall(page_html, 0, head_end)))
    insert_at = start + len(_CHARSET_TAG)
    return f'{page_html[:insert_at]}\n<meta http-equiv="Content-Security-Policy" content="{content}">{page_html[insert_at:]}'


@lru_cache(maxsize=256)
def _format_page_policy(rules: tuple[tuple[str, tuple[str, ...]], ...], scripts: tuple[str, ...]) -> str:
    return format_policy(merge_sources(dict(rules), {"script-src": tuple(map(_script_digest, scripts))}))


def merge_sources(rules: PolicySources, additional: PolicySources) -> PolicySources:
    """
    The rules with additional sources; a directive that is missing begins with the sources of `default-src`.

    'none' is removed if there is another source (CSP Level 3, 2.3.1).
    """
    result = dict(rules)
    for directive, sources in additional.items():
        existing = rules.get(directive, rules.get("default-src", ()))
        result[directive] = tuple(
            dict.fromkeys(s for s in (*existing, *sources) if s.casefold() != "'none'" or not sources)
        )
    return result


def format_policy(rules: PolicySources) -> str:
    """The rules as the text of a policy."""
    return "; ".join(" ".join((directive, *sources)) for directive, sources in rules.items())


def parse_policy(policy: str) -> PolicySources:
    """The rules in the text of a policy; of a directive that occurs twice the first counts (CSP Level 3, 2.2.1)."""
    rules: dict[str, tuple[str, ...]] = {}
    for part in policy.split(";"):
        directive, *sources = part.split() or [""]
        if directive:
            rules.setdefault(directive.casefold(), tuple(sources))
    return rules


def allow_sources(page_html: str, additional: PolicySources) -> str:
    """A finished page whose policies, including those that the theme wrote, also allow these sources."""

    def extend_policy(meta: Tag) -> str:
        attributes = meta.attributes
        if (attributes.get("http-equiv") or "").casefold() != "content-security-policy":
            return meta.text
        policy = parse_policy(html.unescape(attributes.get("content") or ""))
        content = html.escape(format_policy(merge_sources(policy, additional)), quote=False)
        return format_tag("meta", {**attributes, "content": content.replace('"', "&quot;")})

    return rewrite_tags(page_html, extend_policy, "meta")


def _script_digest(body: str) -> str:
    """The source expression that allows an inline script (CSP Level 3, 6.7.3.2)."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()}'"
