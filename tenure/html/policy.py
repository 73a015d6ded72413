"""The Content-Security-Policy of a page: what it may load and run."""

import base64
import hashlib
import html
import re
from collections.abc import Iterable, Mapping

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

Scripts are files of the site, and those in the templates of the theme, whose digests are in the policy.
Styles may be inline, because a style runs no code (docs/decisions.md). Images, video and frames of other
hosts are allowed over https, because only a text of the owner can load them. `file:` is for pages opened from
a disk, for which some browsers do not match 'self' (CSP Level 3, 6.7.2.8).
"""

_INLINE_SCRIPT = re.compile(r"<script(?:\s+type=[\"']?module[\"']?)?>(.+?)</script>", re.DOTALL)
"""A script without a URL: <script type="module">start()</script>."""

_INLINE_ASSET = re.compile(r"""\{\{-?\s*["']([^"']+)["']\s*\|\s*inline_asset\s*-?\}\}""")
"""{{ "theme.js" | inline_asset }}."""


def allow_scripts(rules: PolicySources, templates: Iterable[str], assets: Mapping[str, str]) -> PolicySources:
    """
    The rules with the digest of each script in the templates of a theme (CSP Level 3, 6.7.3.2).

    `assets` are the scripts that a template may insert by `inline_asset`. A script with another expression of
    Jinja is not known before its page, and is not allowed; check_policy() reports it.
    """
    digests: dict[str, None] = {}
    for template in templates:
        for script in _INLINE_SCRIPT.findall(template):
            body = _INLINE_ASSET.sub(lambda match: assets.get(match[1], match[0]), script)
            digests[digest_script(body)] = None
    return merge_sources(rules, {"script-src": tuple(digests)})


def digest_script(code: str) -> str:
    """The source that allows a script in a page: "'sha256-…'"."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()}'"


def merge_sources(rules: PolicySources, additional: PolicySources) -> PolicySources:
    """
    The rules with additional sources; a directive that is missing begins with the sources of `default-src`.

    'none' is removed if there is another source (CSP Level 3, 2.3.1).
    """
    result = dict(rules)
    for directive, sources in additional.items():
        existing = rules.get(directive, rules.get("default-src", ()))
        if sources:
            existing = tuple(source for source in (*existing, *sources) if source.casefold() != "'none'")
        result[directive] = tuple(dict.fromkeys(existing))
    return result


def format_policy(rules: PolicySources) -> str:
    """The rules as the text of a policy."""
    return "; ".join(" ".join((directive, *sources)) for directive, sources in rules.items())


def format_policy_tag(rules: PolicySources) -> str:
    """The tag at the start of a head, before anything is loaded (CSP Level 3, 3.3)."""
    return f'<meta http-equiv="Content-Security-Policy" content="{format_policy(rules)}">'


def parse_policy(policy: str) -> PolicySources:
    """The rules in the text of a policy; of two equal directives the first counts (CSP Level 3, 2.2.1)."""
    rules: dict[str, tuple[str, ...]] = {}
    for part in policy.split(";"):
        directive, *sources = part.split() or [""]
        if directive:
            rules.setdefault(directive.casefold(), tuple(sources))
    return rules


def allow_sources(page_html: str, additional: PolicySources) -> str:
    """A finished page whose policies, including those that the theme wrote, also allow these sources."""

    def extend_policy(meta: Tag) -> str:
        # <meta http-equiv="Content-Security-Policy" content="…">; any other <meta> stays
        attributes = meta.attributes
        if (attributes.get("http-equiv") or "").casefold() != "content-security-policy":
            return meta.text
        policy = parse_policy(html.unescape(attributes.get("content") or ""))
        content = html.escape(format_policy(merge_sources(policy, additional)), quote=False)
        return format_tag("meta", {**attributes, "content": content.replace('"', "&quot;")})

    return rewrite_tags(page_html, extend_policy, "meta")
