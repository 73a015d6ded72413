"""The table of services: what each adds to the policy, its place on a page, how its code is recognized."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from tenure.frozen import dataclass
from tenure.model.services import (
    Buttondown,
    Formspree,
    Giscus,
    GoatCounterSite,
    Mailchimp,
    PageSet,
    Plausible,
    Umami,
)
from tenure.model.site import Settings
from tenure.problems import Place, Problems, did_you_mean
from tenure.web.pages import Page, path_of
from tenure.web.policy import RULES, Sources, merged

Read = Callable[[Mapping[str, str]], str]
"""Reads the attributes of a tag as the value of a key of `services`, in YAML; "" if the tag is of another service."""


def _no_code(attributes: Mapping[str, str]) -> str:
    """For services without a script to recognize."""
    del attributes
    return ""


@dataclass(frozen=True, slots=True)
class Service:
    """
    A service: the key of `services`, and the sources that its value adds to the policy.

    `position` is where parts/services.html writes its markup: "head", "comments", "form", or "video" in a text. `read_code`
    recognizes the code that the service gives to its users.
    """

    key: str
    name: str
    part: str
    sources: Callable[[Any], Sources]
    read: Read = _no_code


def _goatcounter(site: GoatCounterSite) -> Sources:
    return {"script-src": (site.script,), "connect-src": (site.origin,)}


def _read_goatcounter(attributes: Mapping[str, str]) -> str:
    match = re.fullmatch(r"(https://[\w.:/~-]+)/count/?", attributes.get("data-goatcounter", ""))
    if match is None:
        return ""
    hosted = re.fullmatch(r"https://([\w-]+)\.goatcounter\.com", match[1])
    return hosted[1] if hosted else match[1]


def _plausible(value: Plausible) -> Sources:
    return {"script-src": (f"{value.server}/js/script.js",), "connect-src": (value.server,)}


def _read_plausible(attributes: Mapping[str, str]) -> str:
    domain, source = attributes.get("data-domain", ""), attributes.get("src", "")
    if not domain or "/js/" not in source:
        return ""
    server = source.partition("/js/")[0]
    return domain if server == "https://plausible.io" else f"{{domain: {domain}, server: {server}}}"


def _umami(value: Umami) -> Sources:
    hosted = urlsplit(value.server).hostname == "cloud.umami.is"
    receivers = (value.server, "https://api-gateway.umami.dev") if hosted else (value.server,)
    return {"script-src": (f"{value.server}/script.js",), "connect-src": receivers}


def _read_umami(attributes: Mapping[str, str]) -> str:
    website, source = attributes.get("data-website-id", ""), attributes.get("src", "")
    if not website:
        return ""
    server = source.rpartition("/")[0]
    return website if server == "https://cloud.umami.is" else f"{{id: {website}, server: {server}}}"


def _cloudflare(_: str) -> Sources:
    return {
        "script-src": ("https://static.cloudflareinsights.com/beacon.min.js",),
        "connect-src": ("https://cloudflareinsights.com",),
    }


def _read_cloudflare(attributes: Mapping[str, str]) -> str:
    match = re.search(r'"token"\s*:\s*"([\w-]+)"', attributes.get("data-cf-beacon", ""))
    return match[1] if match else ""


def _giscus(_: Giscus) -> Sources:
    return {
        "script-src": ("https://giscus.app/client.js",),
        "style-src": ("https://giscus.app/default.css",),
        "frame-src": ("https://giscus.app",),
    }


def _read_giscus(attributes: Mapping[str, str]) -> str:
    if not attributes.get("src", "").startswith("https://giscus.app/"):
        return ""
    keys = ("repo", "repo_id", "category", "category_id")
    values = [(key, attributes.get(f"data-{key.replace('_', '-')}", "…")) for key in keys]
    return "{" + ", ".join(f"{key}: {value}" for key, value in values) + "}"


def _buttondown(_: Buttondown) -> Sources:
    return {"form-action": ("https://buttondown.com",)}


def _mailchimp(value: Mailchimp) -> Sources:
    return {"form-action": (f"https://{urlsplit(value.url).netloc}",)}


def _formspree(_: Formspree) -> Sources:
    return {"form-action": ("https://formspree.io",)}


def _youtube(_: bool) -> Sources:
    return {"frame-src": ("https://www.youtube-nocookie.com",)}


def _vimeo(_: bool) -> Sources:
    return {"frame-src": ("https://player.vimeo.com",)}


SERVICES: tuple[Service, ...] = (
    Service("goatcounter", "GoatCounter", "head", _goatcounter, _read_goatcounter),
    Service("plausible", "Plausible", "head", _plausible, _read_plausible),
    Service("umami", "Umami", "head", _umami, _read_umami),
    Service("cloudflare", "Cloudflare Web Analytics", "head", _cloudflare, _read_cloudflare),
    Service("giscus", "giscus", "comments", _giscus, _read_giscus),
    Service("buttondown", "Buttondown", "form", _buttondown),
    Service("mailchimp", "Mailchimp", "form", _mailchimp),
    Service("formspree", "Formspree", "form", _formspree),
    Service("youtube", "YouTube", "video", _youtube),
    Service("vimeo", "Vimeo", "video", _vimeo),
)
"""Every service, in the order of their markup on a page. The hosts are those of each service's own documentation."""

DIRECTIVES: Mapping[str, str] = {
    "script": "script-src",
    "style": "style-src",
    "font": "font-src",
    "connect": "connect-src",
    "form": "form-action",
    "frame": "frame-src",
    "image": "img-src",
}
"""The directive for each key of `allow`."""


def used(settings: Settings) -> Iterator[tuple[Service, Any]]:
    """The services that a site uses, each with its value."""
    for service in SERVICES:
        value = getattr(settings.services, service.key)
        if value:
            yield service, value


def policy_of(settings: Settings) -> Sources:
    """The policy of every page of a site: the default, the sources of its services, and the hosts in `allow`."""
    rules = RULES
    for key in ("frame", "image"):
        if getattr(settings.allow, key) is not None:
            directive = DIRECTIVES[key]
            rules = {**rules, directive: tuple(s for s in rules[directive] if s != "https:")}
    for service, value in used(settings):
        rules = merged(rules, service.sources(value))
    return merged(rules, {d: getattr(settings.allow, key) or () for key, d in DIRECTIVES.items()})


def services_on(settings: Settings, page: Page) -> tuple[str, ...]:
    """The keys of the services whose comments or forms are at the end of a page, in order."""
    return tuple(
        service.key
        for service, value in used(settings)
        if service.part in ("comments", "form") and any(_is_of(page, pages) for pages in value.where)
    )


_KINDS: Mapping[str, str] = {
    "home": "home",
    "posts": "post",
    "projects": "project",
    "publications": "publication",
}


def _is_of(page: Page, pages: PageSet) -> bool:
    """Whether a page belongs to a value of `where`."""
    if pages.startswith("/"):
        return page.path == path_of(pages)
    if pages == "pages":
        return page.kind == "page" and page.entry is not None
    return page.kind == _KINDS[pages]


def report_missing_pages(settings: Settings, pages: Iterable[Page], problems: Problems) -> None:
    """Report each path under `where` at which the site has no page."""
    paths = {page.path for page in pages}
    for service, value in used(settings):
        for name in getattr(value, "where", ()):
            if name.startswith("/") and path_of(name) not in paths:
                place = problems.where(name, "site.yaml") or Place("site.yaml")
                near = did_you_mean(name, paths)
                hint = f'did you mean "{near}"?' if near else f"write content/pages{name.rstrip('/')}.md"
                problems.tell("unknown-page", place, f"{service.name}: no page has the path {name}", hint)


def line_to_allow(settings: Settings, more: Mapping[str, str]) -> str:
    """The line of `site.yaml` that allows more hosts, by key of `allow`: "allow: {script: [https://example.org]}"."""
    hosts = {key: [*(getattr(settings.allow, key) or ())] for key in DIRECTIVES}
    for key, host in more.items():
        hosts[key].append(host)
    pairs = ", ".join(f"{key}: [{', '.join(listed)}]" for key, listed in hosts.items() if listed)
    return f"allow: {{{pairs}}}"
