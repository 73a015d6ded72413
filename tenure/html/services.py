"""The table of services: what each adds to the policy, its place on a page, how its code is recognized."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from tenure.html.policy import DEFAULT_POLICY, PolicySources, merge_sources
from tenure.model.links import parse_url
from tenure.model.services import GoatCounter, Mailchimp, Plausible, Umami
from tenure.model.site import Settings
from tenure.plan.pages import Page
from tenure.plan.paths import normalize_path
from tenure.problems import Problems, suggest_word
from tenure.record import Record


class ServiceCode(Record):
    """The code that a service gives to its users: a part of the URL of its script, and the attribute with the value of `services`."""

    source: str
    attribute: str
    pattern: str = "(.+)"
    value: str = "{}"


class ExternalService(Record):
    """
    A service: the key of `services`, and the sources that its value adds to the policy.

    `position` is where parts/services.html writes its markup: "head", "comments", "form", or "video" in a text.
    """

    key: str
    name: str
    position: str
    sources: Callable[[Any], PolicySources]
    code: ServiceCode | None = None


def _goatcounter_sources(site: GoatCounter) -> PolicySources:
    return {"script-src": (site.script_url,), "connect-src": (site.origin,)}


def _plausible_sources(value: Plausible) -> PolicySources:
    return {"script-src": (f"{value.server}/js/script.js",), "connect-src": (value.server,)}


def _umami_sources(value: Umami) -> PolicySources:
    hosted = parse_url(value.server).hostname == "cloud.umami.is"
    receivers = (value.server, "https://api-gateway.umami.dev") if hosted else (value.server,)
    return {"script-src": (f"{value.server}/script.js",), "connect-src": receivers}


def _mailchimp_sources(value: Mailchimp) -> PolicySources:
    return {"form-action": (f"https://{parse_url(value.url).netloc}",)}


SERVICES: tuple[ExternalService, ...] = (
    ExternalService(
        "goatcounter",
        "GoatCounter",
        "head",
        _goatcounter_sources,
        ServiceCode("gc.zgo.at/", "data-goatcounter", r"https://([\w-]+)\.goatcounter\.com/count"),
    ),
    ExternalService(
        "plausible", "Plausible", "head", _plausible_sources, ServiceCode("plausible.io/js/", "data-domain")
    ),
    ExternalService(
        "umami", "Umami", "head", _umami_sources, ServiceCode("cloud.umami.is/", "data-website-id")
    ),
    ExternalService(
        "cloudflare",
        "Cloudflare Web Analytics",
        "head",
        lambda _: {
            "script-src": ("https://static.cloudflareinsights.com/beacon.min.js",),
            "connect-src": ("https://cloudflareinsights.com",),
        },
        ServiceCode("static.cloudflareinsights.com/", "data-cf-beacon", r'"token"\s*:\s*"([\w-]+)"'),
    ),
    ExternalService(
        "giscus",
        "giscus",
        "comments",
        lambda _: {
            "script-src": ("https://giscus.app/client.js",),
            "style-src": ("https://giscus.app/default.css",),
            "frame-src": ("https://giscus.app",),
        },
        ServiceCode(
            "giscus.app/", "data-repo", value="{{repo: {}, repo_id: …, category: …, category_id: …}}"
        ),
    ),
    ExternalService(
        "buttondown", "Buttondown", "form", lambda _: {"form-action": ("https://buttondown.com",)}
    ),
    ExternalService("mailchimp", "Mailchimp", "form", _mailchimp_sources),
    ExternalService("formspree", "Formspree", "form", lambda _: {"form-action": ("https://formspree.io",)}),
    ExternalService(
        "youtube", "YouTube", "video", lambda _: {"frame-src": ("https://www.youtube-nocookie.com",)}
    ),
    ExternalService("vimeo", "Vimeo", "video", lambda _: {"frame-src": ("https://player.vimeo.com",)}),
)
"""Every service, in the order of their markup on a page. The hosts are those of each service's own documentation."""

ALLOW_DIRECTIVES: Mapping[str, str] = {
    "script": "script-src",
    "style": "style-src",
    "font": "font-src",
    "connect": "connect-src",
    "form": "form-action",
    "frame": "frame-src",
    "image": "img-src",
}
"""The directive for each key of `allow`."""


def recognize_code(attributes: Mapping[str, str]) -> str:
    """The setting that replaces the code of a service: "{goatcounter: ada}"; "" for another tag."""
    for service in SERVICES:
        code = service.code
        match = re.search(code.pattern, attributes.get(code.attribute, "")) if code else None
        if code and match and code.source in attributes.get("src", ""):
            return f"{{{service.key}: {code.value.format(match[1])}}}"
    return ""


def active_services(settings: Settings) -> Iterator[tuple[ExternalService, Any]]:
    """The services that a site uses, each with its value."""
    for service in SERVICES:
        value = getattr(settings.services, service.key)
        if value:
            yield service, value


def build_policy(settings: Settings) -> PolicySources:
    """The policy of every page of a site: the default, the sources of its services, and the hosts in `allow`."""
    rules = DEFAULT_POLICY
    for key in ("frame", "image"):
        if getattr(settings.allow, key) is not None:
            directive = ALLOW_DIRECTIVES[key]
            rules = {**rules, directive: tuple(source for source in rules[directive] if source != "https:")}
    for service, value in active_services(settings):
        rules = merge_sources(rules, service.sources(value))
    return merge_sources(
        rules, {d: getattr(settings.allow, key) or () for key, d in ALLOW_DIRECTIVES.items()}
    )


def services_on_page(settings: Settings, page: Page) -> tuple[str, ...]:
    """The keys of the services whose comments or forms are at the end of a page, in order."""
    return tuple(
        service.key
        for service, value in active_services(settings)
        if service.position in ("comments", "form")
        and any(_is_in_page_set(page, pages) for pages in value.where)
    )


def _is_in_page_set(page: Page, pages: str) -> bool:
    """Whether a page belongs to a value of `where`."""
    if pages.startswith("/"):
        return page.path == normalize_path(pages)
    if pages == "pages":
        return page.kind == "page" and page.entry is not None
    return page.kind == pages.removesuffix("s")  # "posts" are the pages of the kind "post"


def report_missing_pages(settings: Settings, pages: Iterable[Page], problems: Problems) -> None:
    """Report each path under `where` at which the site has no page."""
    paths = {page.path for page in pages}
    for service, value in active_services(settings):
        for name in getattr(value, "where", ()):
            if name.startswith("/") and normalize_path(name) not in paths:
                place = value.item_place_of("where", name)
                hint = suggest_word(name, paths, f"write content/pages{name.rstrip('/')}.md")
                problems.report("unknown-page", place, f"{service.name}: no page has the path {name}", hint)


def format_allow_line(settings: Settings, additional: Mapping[str, str]) -> str:
    """The line of `site.yaml` that allows more hosts, by key of `allow`: "allow: {script: [https://example.org]}"."""
    hosts = {key: [*(getattr(settings.allow, key) or ())] for key in ALLOW_DIRECTIVES}
    for key, host in additional.items():
        hosts[key].append(host)
    pairs = ", ".join(f"{key}: [{', '.join(urls)}]" for key, urls in hosts.items() if urls)
    return f"allow: {{{pairs}}}"
