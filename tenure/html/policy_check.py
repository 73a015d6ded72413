"""
Reports what a page asks for and its policy blocks, with the line of site.yaml that allows it.

A `PageRequest` is an element that may ask for something; what of it is blocked is a `BlockedRequest`.
"""

import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from tenure.html.embeds import parse_video
from tenure.html.external_services import HOST_DIRECTIVES, format_allow_line, recognize_code
from tenure.html.policy import PolicySources, digest_script
from tenure.html.source_places import MAX_COMPARED, SourcePlaces
from tenure.html.urls import EXTERNAL_URL, FinishedPage
from tenure.markdown.html_tags import read_tag
from tenure.model.links import parse_url
from tenure.model.site import Settings
from tenure.problems import Place, Problems
from tenure.record import Record

_URL_IN_CSS = re.compile(r"""(@import|@font-face)[^}]*?["'(]((?:https?:)?//[^\s"')]+)""")
"""@import "https://a.org/x.css", and @font-face { src: url(https://a.org/x.woff2) }."""

_SCRIPT_TYPE = re.compile(r"^$|javascript|ecmascript|^module$", re.IGNORECASE)
"""The types of scripts that run; one without a type runs too."""


_URL_ATTRIBUTES: Mapping[str, tuple[str, str]] = {
    "script": ("script-src", "src"),
    "link": ("style-src", "href"),
    **dict.fromkeys(("iframe", "frame"), ("frame-src", "src")),
    "object": ("object-src", "data"),
    "embed": ("object-src", "src"),
    "img": ("img-src", "src"),
    **dict.fromkeys(("video", "audio", "source", "track"), ("media-src", "src")),
    "form": ("form-action", "action"),
    **dict.fromkeys(("button", "input"), ("form-action", "formaction")),
}
"""The directive for a tag, and the attribute with its URL."""


class PageRequest(Record, dict=True):
    """
    An element that the policy of its page may block, up to its end tag, and whether it is in the body.

    One without an end tag has the rest of the page in it; one whose start tag never ends, a few characters.
    """

    name: str
    markup: str
    is_in_body: bool

    @cached_property
    def has_end(self) -> bool:
        """Whether start tag and element end, before the main part of the page does."""
        return bool(read_tag(self.markup, 0)) and "</main" not in self.markup

    @cached_property
    def values(self) -> Mapping[str, str]:
        """The values of the attributes; none of a start tag that never ends."""
        tag = read_tag(self.markup, 0)
        if not tag:
            return {}
        return {key: html.unescape(value or "") for key, value in tag.attributes.items()}

    @cached_property
    def urls(self) -> list[tuple[str, str]]:
        """The URLs that the element loads, by directive: ("img-src", "https://example.org/a.png")."""
        if self.name == "style":
            directives = {"@import": "style-src", "@font-face": "font-src"}
            return [(directives[rule], url) for rule, url in _URL_IN_CSS.findall(self.markup)]

        # <img src="…"> -> ("img-src", "src")
        directive, attribute = _URL_ATTRIBUTES.get(self.name, ("", ""))
        # JSON and templates are scripts that do not run
        if self.name == "script" and not _SCRIPT_TYPE.search(self.values.get("type", "")):
            directive = ""
        # <link rel="preload" as="font">
        if self.name == "link" and "stylesheet" not in self.values.get("rel", "").casefold():
            kind = self.values.get("as")
            directive = f"{kind}-src" if kind in ("font", "script", "style") else ""
        if not directive:
            return []
        return [(directive, self.values.get(attribute, "").strip())]


class BlockedRequest(Record):
    """
    What a policy blocks: a message, the text to mark in a source, and a repair.

    `template_hint` is the repair in a template; if it is "", a template may do this.
    """

    message: str
    marked_text: str
    hint: str
    template_hint: str = ""


def check_policy(
    pages: Sequence[FinishedPage],
    settings: Settings,
    policy: PolicySources,
    sources: SourcePlaces,
    problems: Problems,
) -> None:
    """
    Report all that the texts and templates of a site ask for on some pages, and that the policy blocks.

    An element that many pages have is reported once, at its places in the sources, else at one of the pages.
    """
    files: dict[PageRequest, str] = {}
    for page in pages:
        requests = _list_requests(page.artifact.read().decode())
        files |= dict.fromkeys(requests, page.artifact.source.file)

    # one message for a tag of a template that has another URL on each page
    messages: dict[tuple[Place, str], str] = {}
    shown_hosts = _list_shown_hosts(files, policy)
    for request, file in files.items():
        for blocked in _list_blocked(request, settings, policy, shown_hosts):
            for place in _find_places(blocked.marked_text, request, sources) or [Place(file)]:
                hint = blocked.template_hint if place.file.startswith("themes/") else blocked.hint
                if hint:
                    messages.setdefault((place, hint), blocked.message)
    for (place, hint), message in messages.items():
        problems.report("blocked-by-policy", place, message, hint)

    _report_video_links(set[str]().union(*(page.links for page in pages)), settings, sources, problems)


def _report_video_links(
    urls: Iterable[str], settings: Settings, sources: SourcePlaces, problems: Problems
) -> None:
    """Report each video that is shown as a link, because site.yaml does not allow its service."""
    for url in urls:
        video = parse_video(url)
        if video and not getattr(settings.services, video.service):
            hint = f"in site.yaml write services: {{{video.service}: true}}"
            message = f"the video “{_shorten_url(url)}” is shown as a link"
            for place in sources.find(url, "image", "no_alt"):
                problems.report("blocked-by-policy", place, message, hint)


_REQUESTS = r"""(?xs)
    <!--.*?-->                                                   # a comment, in which nothing is requested
    | <(?P<name>
        (?P<text>iframe|noembed|noframes|script|style|template|textarea|title|xmp)\b
            (?!\ type="application/ld\+json")
        | (?:base|plaintext)\b
        | meta\b(?=[^<>]*refresh(?<=\brefresh)\b)
        | (?:link|img|video|audio|source|track|object|embed|form|frame|button|input)\b
            (?=(?:[^<>=]*+=)+?["'](?:https?:)?//)                # <img src="https://example.org/a.png">
"""
_REQUEST = rf"{_REQUESTS})"
"""The start of a tag that changes or leaves its page, runs code, or loads from another host."""

_ANY_REQUEST = rf"""{_REQUESTS} | [a-z][\w-]*+(?=[^<>]*(?:<|\ on[a-z]+=")))"""
"""That of a tag that never ends or has code in an attribute, too: <p class="a </p>, <p onclick="x()">."""

_UNENDED_TAG = re.compile("<[^>]*<")
_CODE_ATTRIBUTE = re.compile(' on[a-z]+="')


def _list_requests(markup: str) -> Iterator[PageRequest]:
    """The elements of a page that its policy may block."""
    body = markup.find("<body")
    # no tag is in the text of an element: `p::after{content:"<script>"}`
    text_end = 0
    without_end = set[str]()
    # to look into every tag takes as long as all other requests
    is_unusual = _UNENDED_TAG.search(markup) or _CODE_ATTRIBUTE.search(markup)
    pattern = _ANY_REQUEST if is_unusual else _REQUEST
    for match in re.finditer(pattern, markup):
        name = match["name"]
        start = match.start()
        if not name or start < text_end or name in without_end:
            continue

        tag = read_tag(markup, start)
        length = len(tag.text) if tag else MAX_COMPARED
        end = start + length
        # a <script> or <style> ends at its end tag
        if match["text"]:
            end = text_end = markup.find(f"</{name}", start)
        # one without an end has the rest of the page in it: one message is enough for its name
        if not tag or end < 0:
            without_end.add(name)
        if end < 0:
            end = len(markup)
        yield PageRequest(name, markup[start:end], start > body)


def _find_places(text: str, request: PageRequest, sources: SourcePlaces) -> list[Place]:
    """The places of a URL, else of the tags or attributes that have most in common with a request."""
    if EXTERNAL_URL.match(text):
        places = sources.find(text, "image", "no_alt", "no_alt_html", "url")
        return places or sources.find_tags(f"<{request.name}", request.markup)
    return sources.find_tags(text, request.markup[request.markup.casefold().find(text) :])


def _list_shown_hosts(requests: Iterable[PageRequest], policy: PolicySources) -> list[str]:
    """The hosts that pages load from as long as no key `hosts` lists those that may."""
    urls = [url for request in requests for directive, url in request.urls if "https:" in policy[directive]]
    return [_format_host(url) for url in urls if re.match("(https?:)?//", url)]


_PAGE_ELEMENTS: Mapping[str, tuple[str, str]] = {
    "base": ("the policy of the page blocks <base>", "delete it; links may begin with /"),
    "meta": ("<meta> can send readers to another page", "delete it"),
    "style": ("<style> changes the whole page", "move the rules into a style sheet of the theme"),
    "plaintext": ("<plaintext> shows the rest of the page as text", "delete it"),
    "link": ("<link> asks another host for something that the page does not show", "delete it"),
}
"""The message and the repair for a tag in a text that changes the whole page."""

_LINK_HINT = re.compile(r"dns-prefetch|preconnect|prefetch|prerender", re.IGNORECASE)
"""A <link> that only opens a connection early, or loads a page that may be read next."""


def _list_blocked(
    request: PageRequest, settings: Settings, policy: PolicySources, shown_hosts: Sequence[str]
) -> Iterator[BlockedRequest]:
    """What a policy blocks of an element, and what the element does to its page in a text."""
    name = request.name
    blocks = "the policy of the page blocks"
    for directive, url in request.urls:
        if not is_url_allowed(url, policy[directive]):
            hint = _suggest_repair(directive, url, request.values, settings, policy, shown_hosts)
            message = f"{blocks} <{name}> “{_shorten_url(url)}”"
            # of a <style> in a text, the element itself is reported below
            yield BlockedRequest(message, url, "" if name == "style" else hint, hint)

    # a script without a URL has its code in the page
    code = request.markup.partition(">")[2]
    if request.urls == [("script-src", "")] and digest_script(code) not in policy["script-src"]:
        hint = 'put the code into content/page.js, and write <script src="page.js"></script>'
        template_hint = "write it without Jinja, and its values into data-… attributes"
        yield BlockedRequest(f"{blocks} a script that is written in the page", "<script", hint, template_hint)
    for attribute in request.values:
        if re.fullmatch("on[a-z]+", attribute):
            hint = f"delete {attribute}, and add a listener in a script file"
            yield BlockedRequest(f"{blocks} the code in {attribute}", attribute, hint, hint)

    # a style sheet by <link> is allowed or blocked by its URL
    changes_page = name in _PAGE_ELEMENTS and request.is_in_body
    if changes_page and (name != "link" or _LINK_HINT.search(request.values.get("rel", ""))):
        message, hint = _PAGE_ELEMENTS[name]
        yield BlockedRequest(message, f"<{name}", hint)
    if not request.has_end:
        message = f"<{name}> has no end, and takes in the rest of the page"
        yield BlockedRequest(message, f"<{name}", f"close it: </{name}>")


def is_url_allowed(url: str, sources: Sequence[str]) -> bool:
    """Whether a list of sources allows a URL (CSP Level 3, 6.7.2.8); those of the site are allowed."""
    url = re.sub("^//", "https://", url)
    if not EXTERNAL_URL.match(url):
        return True
    for source in sources:
        # "https:", "https://*.example.org", "https://example.org/scripts/"
        end = "" if source.endswith((":", "/")) else r"(?=[/?#]|$)"
        if re.match(re.escape(source).replace(r"\*", r"[^/]+") + end, url, re.IGNORECASE):
            return True
    return False


DEPENDENT_HOSTS: Mapping[str, str] = {
    "https://fonts.googleapis.com": "https://fonts.gstatic.com",
    "https://www.googletagmanager.com": "https://*.google-analytics.com",
}
"""Another host that a page contacts once it loads from a host."""


def _suggest_repair(
    directive: str,
    url: str,
    attributes: Mapping[str, str],
    settings: Settings,
    policy: PolicySources,
    shown_hosts: Sequence[str],
) -> str:
    """
    What to write so that the page may load a URL.

    A script of Google Analytics -> services: …; http://… -> https://…
    https://a.org/x.png -> allow: {hosts: [a.org]}
    """
    setting = recognize_code(attributes) if directive == "script-src" else ""
    if setting:
        return f"delete the tag; in site.yaml write services: {setting}"
    secure = re.sub("^http:", "https:", re.sub("^//", "https://", url))
    if not secure.startswith("https:"):
        return "delete it"
    if directive == "object-src":
        return f'show it in a frame: <iframe src="{_shorten_url(secure)}" title="…"></iframe>'
    if is_url_allowed(secure, policy[directive]):
        return f"write {_shorten_url(secure)}"

    host = _format_host(url)
    hosts = [host]
    if host in DEPENDENT_HOSTS:
        hosts.append(DEPENDENT_HOSTS[host])
    # as soon as the key `hosts` is there, it must name all hosts that pages load from
    if directive in HOST_DIRECTIVES:
        hosts = [*shown_hosts, *hosts]
    suffix = ", and https:// here" if url.startswith("http:") else ""
    return f"in site.yaml write {format_allow_line(settings, directive, hosts)}{suffix}"


def _format_host(url: str) -> str:
    """The host of a URL as a policy names it: "//a.org/x.js" -> "https://a.org"."""
    return f"https://{parse_url(url).netloc}"


def _shorten_url(url: str) -> str:
    """A URL for a message, with at most 60 characters."""
    return url if len(url) <= 60 else f"{url[:59]}…"
