"""The table of services: what each adds to the policy, how its code is recognized."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tenure.html.policy import DEFAULT_POLICY, PolicySources, merge_sources, parse_policy
from tenure.model.site import Settings
from tenure.plan.pages import Page, normalize_path
from tenure.problems import Problems, suggest_word
from tenure.record import Record


class ExternalService(Record):
    """A service: its key of `services`, and the policy that it needs, with fields of its value in braces."""

    key: str
    name: str
    policy: str


_CLOUDFLARE = (
    "script-src https://static.cloudflareinsights.com/beacon.min.js;"
    " connect-src https://cloudflareinsights.com"
)
_GISCUS = (
    "script-src https://giscus.app/client.js; style-src https://giscus.app/default.css;"
    " frame-src https://giscus.app"
)
_PLAUSIBLE = "script-src {0.server}/js/script.js; connect-src {0.server}"
SERVICES: tuple[ExternalService, ...] = (
    ExternalService("goatcounter", "GoatCounter", "script-src {0.script_url}; connect-src {0.origin}"),
    ExternalService("plausible", "Plausible", _PLAUSIBLE),
    ExternalService("umami", "Umami", "script-src {0.server}/script.js; connect-src {0.receivers}"),
    ExternalService("cloudflare", "Cloudflare Web Analytics", _CLOUDFLARE),
    ExternalService("giscus", "giscus", _GISCUS),
    ExternalService("youtube", "YouTube", "frame-src https://www.youtube-nocookie.com"),
    ExternalService("vimeo", "Vimeo", "frame-src https://player.vimeo.com"),
)
"""Every service, in the order of their markup on a page. Its hosts are those of its own documentation."""

HOST_DIRECTIVES = ("style-src", "font-src", "form-action", "frame-src", "img-src", "media-src")
"""What the hosts in `hosts` of `allow` may give: nothing that runs code in the page."""

SCRIPT_DIRECTIVES = ("script-src", "connect-src")
"""What the hosts in `scripts` of `allow` may give."""

_CODES: Mapping[str, tuple[str, str, str]] = {
    "gc.zgo.at/": ("data-goatcounter", r"https://([\w-]+)\.goatcounter\.com/count", "{{goatcounter: {}}}"),
    "plausible.io/js/": ("data-domain", "(.+)", "{{plausible: {}}}"),
    "cloud.umami.is/": ("data-website-id", "(.+)", "{{umami: {}}}"),
    "static.cloudflareinsights.com/": ("data-cf-beacon", r'"token"\s*:\s*"([\w-]+)"', "{{cloudflare: {}}}"),
    "giscus.app/": (
        "data-repo",
        "(.+)",
        "{{giscus: {{repo: {}, repo_id: …, category: …, category_id: …}}}}",
    ),
}
"""
The code that a service gives to its users, by a part of the URL of its script.

Each has an attribute, the pattern of its value, and the setting that replaces the code.
"""


def recognize_code(attributes: Mapping[str, str]) -> str:
    """The setting that replaces the code of a service: "{goatcounter: ada}"; "" for another tag."""
    for script, (attribute, pattern, setting) in _CODES.items():
        match = re.search(pattern, attributes.get(attribute, ""))
        if match and script in attributes.get("src", ""):
            return setting.format(match[1])
    return ""


def active_services(settings: Settings) -> Iterator[tuple[ExternalService, Any]]:
    """The services that a site uses, each with its value."""
    for service in SERVICES:
        value = getattr(settings.services, service.key)
        if value:
            yield service, value


def build_policy(settings: Settings) -> PolicySources:
    """The policy of each page: the default, the sources of its services, and the hosts in `allow`."""
    allow = settings.allow
    rules = dict(DEFAULT_POLICY)
    if allow.hosts is not None:
        # a list of hosts takes the place of all hosts
        for directive in HOST_DIRECTIVES:
            own_sources = (source for source in rules[directive] if source != "https:")
            rules[directive] = (*own_sources, *allow.hosts)

    merged: PolicySources = rules
    for service, value in active_services(settings):
        merged = merge_sources(merged, parse_policy(service.policy.format(value)))
    return merge_sources(merged, dict.fromkeys(SCRIPT_DIRECTIVES, allow.scripts))


def services_on_page(settings: Settings, page: Page) -> tuple[str, ...]:
    """The keys of the services whose comments are at the end of a page, in order."""
    keys: list[str] = []
    for service, value in active_services(settings):
        if any(_is_in_page_set(page, pages) for pages in getattr(value, "where", ())):
            keys.append(service.key)
    return tuple(keys)


def _is_in_page_set(page: Page, pages: str) -> bool:
    """Whether a page belongs to a value of `where`."""
    if pages.startswith("/"):
        return page.path == normalize_path(pages)
    if pages == "pages":
        return page.kind == "page" and page.entry is not None
    # "posts" are the pages of the kind "post"
    return page.kind == pages.removesuffix("s")


def report_missing_pages(settings: Settings, pages: Iterable[Page], problems: Problems) -> None:
    """Report each path under `where` at which the site has no page."""
    paths = {page.path for page in pages}
    for service, value in active_services(settings):
        for name in getattr(value, "where", ()):
            if name.startswith("/") and normalize_path(name) not in paths:
                place = value.item_place_of("where", name)
                hint = suggest_word(name, paths, f"write content/pages{name.rstrip('/')}.md")
                problems.report("unknown-page", place, f"{service.name}: no page has the path {name}", hint)


def format_allow_line(settings: Settings, directive: str, hosts: Iterable[str]) -> str:
    """The line of site.yaml that allows more hosts: "allow: {hosts: [https://example.org]}"."""
    allow = {"hosts": settings.allow.hosts or (), "scripts": settings.allow.scripts}
    key = "scripts" if directive in SCRIPT_DIRECTIVES else "hosts"
    allow[key] += (*hosts,)
    pairs = ", ".join(f"{key}: [{', '.join(dict.fromkeys(urls))}]" for key, urls in allow.items() if urls)
    return f"allow: {{{pairs}}}"
