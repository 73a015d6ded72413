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

CodeReader = Callable[[Mapping[str, str]], str]
"""Reads the attributes of a tag as the value of a key of `services`, in YAML; "" if the tag is of another service."""


class ExternalService(Record):
    """
    A service: the key of `services`, and the sources that its value adds to the policy.

    `position` is where parts/services.html writes its markup: "head", "comments", "form", or "video" in a text. `read_code`
    recognizes the code that the service gives to its users.
    """

    key: str
    name: str
    position: str
    sources: Callable[[Any], PolicySources]
    read_code: CodeReader = lambda _: ""


def _goatcounter_sources(site: GoatCounter) -> PolicySources:
    return {"script-src": (site.script_url,), "connect-src": (site.origin,)}


def _read_goatcounter_code(attributes: Mapping[str, str]) -> str:
    match = re.fullmatch(r"(https://[\w.:/~-]+)/count/?", attributes.get("data-goatcounter", ""))
    if match is None:
        return ""
    hosted = re.fullmatch(r"https://([\w-]+)\.goatcounter\.com", match[1])
    return hosted[1] if hosted else match[1]


def _plausible_sources(value: Plausible) -> PolicySources:
    return {"script-src": (f"{value.server}/js/script.js",), "connect-src": (value.server,)}


def _read_plausible_code(attributes: Mapping[str, str]) -> str:
    domain, source = attributes.get("data-domain", ""), attributes.get("src", "")
    if not domain or "/js/" not in source:
        return ""
    server = source.partition("/js/")[0]
    return domain if server == "https://plausible.io" else f"{{domain: {domain}, server: {server}}}"


def _umami_sources(value: Umami) -> PolicySources:
    hosted = parse_url(value.server).hostname == "cloud.umami.is"
    receivers = (value.server, "https://api-gateway.umami.dev") if hosted else (value.server,)
    return {"script-src": (f"{value.server}/script.js",), "connect-src": receivers}


def _read_umami_code(attributes: Mapping[str, str]) -> str:
    website, source = attributes.get("data-website-id", ""), attributes.get("src", "")
    if not website:
        return ""
    server = source.rpartition("/")[0]
    return website if server == "https://cloud.umami.is" else f"{{id: {website}, server: {server}}}"


def _read_cloudflare_code(attributes: Mapping[str, str]) -> str:
    match = re.search(r'"token"\s*:\s*"([\w-]+)"', attributes.get("data-cf-beacon", ""))
    return match[1] if match else ""


def _read_giscus_code(attributes: Mapping[str, str]) -> str:
    if not attributes.get("src", "").startswith("https://giscus.app/"):
        return ""
    keys = ("repo", "repo_id", "category", "category_id")
    values = [(key, attributes.get(f"data-{key.replace('_', '-')}", "…")) for key in keys]
    return "{" + ", ".join(f"{key}: {value}" for key, value in values) + "}"


def _mailchimp_sources(value: Mailchimp) -> PolicySources:
    return {"form-action": (f"https://{parse_url(value.url).netloc}",)}


SERVICES: tuple[ExternalService, ...] = (
    ExternalService("goatcounter", "GoatCounter", "head", _goatcounter_sources, _read_goatcounter_code),
    ExternalService("plausible", "Plausible", "head", _plausible_sources, _read_plausible_code),
    ExternalService("umami", "Umami", "head", _umami_sources, _read_umami_code),
    ExternalService(
        "cloudflare",
        "Cloudflare Web Analytics",
        "head",
        lambda _: {
            "script-src": ("https://static.cloudflareinsights.com/beacon.min.js",),
            "connect-src": ("https://cloudflareinsights.com",),
        },
        _read_cloudflare_code,
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
        _read_giscus_code,
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
