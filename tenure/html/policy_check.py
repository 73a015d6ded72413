"""Reports what a text or a template asks for and the policy of its page blocks, with the line of site.yaml that allows it."""

import html
import re
from collections.abc import Iterator, Mapping, Sequence

from tenure.html.embeds import VIDEO_URL, parse_video
from tenure.html.links import EXTERNAL_URL, FinishedPage, PageRequest
from tenure.html.policy import PolicySources, digest_script
from tenure.html.services import format_allow_line, recognize_code
from tenure.html.source_places import SourcePlaces
from tenure.markdown.html_tags import iterate_tags
from tenure.model.entries import Publication
from tenure.model.links import parse_url
from tenure.model.site import Settings, Site
from tenure.plan.citations import iterate_markdown
from tenure.problems import Place, Problems
from tenure.record import Record

_URL_IN_CSS = re.compile(r"""(@import|@font-face)[^}]*?["'(]((?:https?:)?//[^\s"')]+)""")
_SCRIPT_TYPE = re.compile(r"^$|javascript|ecmascript|^module$", re.IGNORECASE)

DEPENDENT_HOSTS: Mapping[str, str] = {
    "https://fonts.googleapis.com": "https://fonts.gstatic.com",
    "https://www.googletagmanager.com": "https://*.google-analytics.com",
}
"""Another host that a page contacts once it loads from a host."""

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

_PAGE_ELEMENTS: Mapping[str, tuple[str, str]] = {
    "base": ("the policy of the page blocks <base>", "delete it; links may begin with /"),
    "meta": ("<meta> can send readers to another page", "delete it"),
    "style": ("<style> changes the whole page", "move the rules into a style sheet of the theme"),
    "plaintext": ("<plaintext> shows the rest of the page as text", "delete it"),
    "link": ("<link> asks another host for something that the page does not show", "delete it"),
}
"""The message and the repair for a tag in a text that changes the whole page."""

_HINT_RELATIONS = frozenset(["dns-prefetch", "preconnect", "prefetch", "prerender"])

_REQUEST_IN_TEXT = re.compile(
    r"""
    <[a-zA-Z]                                                              # HTML
    | !\[ (?: [^\[\]] | \[[^\[\]]*\] )* \] \(\s*<?(?:https?:)?//         # ![A photo](https://example.org/a.png)
    """,
    re.VERBOSE,
)
"""The start of an element or image that may ask another host for something."""


def may_request(site: Site) -> bool:
    """Whether a text or an own template of a site may ask for something that the policy blocks."""
    folders, allow = site.active_theme.folders, site.settings.allow
    if allow.hosts is not None or any(folder.parent != folders[-1].parent for folder in folders):
        return True
    entries = [entry.body if isinstance(entry, Publication) else entry for entry in site.iterate_entries()]
    texts = (text for value in (site.settings, site.profile, *entries) for text in iterate_markdown(value))
    return any(_REQUEST_IN_TEXT.search(text) for text in texts)


class BlockedRequest(Record):
    """
    What a policy blocks: a message, the text to mark in a source, and a repair.

    `template_hint` is the repair in a template; if it is "", a template may do this.
    """

    message: str
    marked_text: str
    hint: str
    template_hint: str


def check_policy(
    pages: Sequence[FinishedPage],
    settings: Settings,
    policy: PolicySources,
    sources: SourcePlaces,
    problems: Problems,
) -> None:
    """Report everything that the texts and templates of a site ask for on some pages, and that the policy blocks."""
    # One message for a tag of a template that has another URL on each page.
    messages: dict[tuple[Place, str], str] = {}
    files_by_request = {request: page.artifact.source.file for page in pages for request in page.requests}
    for request, file in files_by_request.items():
        for blocked in _list_blocked(request, settings, policy):
            word = blocked.marked_text
            places = sources.find(word, "image", "silent", "silent_html", "url")
            if EXTERNAL_URL.match(word):
                word = re.split("[ >]", request.markup, maxsplit=1)[0]
            markup = request.markup[request.markup.casefold().find(word) :]
            for place in places or sources.find_tags(word, markup) or [Place(file)]:
                hint = blocked.template_hint if place.file.startswith("themes/") else blocked.hint
                if hint:
                    messages.setdefault((place, hint), blocked.message)
    for (place, hint), message in messages.items():
        problems.report("blocked-by-policy", place, message, hint)
    for url in set[str]().union(*(page.links for page in pages)):
        video = parse_video(url) if re.fullmatch(VIDEO_URL, url) else None
        if video and not getattr(settings.services, video.service):
            hint = f"in site.yaml write services: {{{video.service}: true}}"
            message = f"the video “{_shorten_url(url)}” is shown as a link"
            for place in sources.find(url, "image", "silent"):
                problems.report("blocked-by-policy", place, message, hint)


def _list_blocked(
    request: PageRequest, settings: Settings, policy: PolicySources
) -> Iterator[BlockedRequest]:
    """What a policy blocks of an element, and what the element does to its page in a text."""
    tag = next(iterate_tags(request.markup))
    name, values = tag.name, {key: html.unescape(value or "") for key, value in tag.attributes.items()}
    blocks = "the policy of the page blocks"
    relations = frozenset(values.get("rel", "").casefold().split())
    directive, attribute = _URL_ATTRIBUTES.get(name, ("", ""))
    if (name == "script" and not _SCRIPT_TYPE.search(values.get("type", ""))) or (
        name == "link" and "stylesheet" not in relations
    ):
        directive = ""
    if name == "link" and "preload" in relations and values.get("as") in ("font", "script", "style"):
        directive = f"{values['as']}-src"
    urls = [(directive, values.get(attribute, "").strip())] if directive else []
    for directive, url in urls:
        if url and not is_url_allowed(url, policy[directive]):
            hint = _suggest_repair(directive, url, values, settings, policy)
            yield BlockedRequest(f"{blocks} <{name}> “{_shorten_url(url)}”", url, hint, hint)
    for match in _URL_IN_CSS.finditer(tag.content if name == "style" else ""):
        directive, url = "style-src" if match[1] == "@import" else "font-src", match[2]
        if not is_url_allowed(url, policy[directive]):
            hint = _suggest_repair(directive, url, {}, settings, policy)
            yield BlockedRequest(f"{blocks} <style> “{_shorten_url(url)}”", url, "", hint)
    if urls == [("script-src", "")] and digest_script(tag.content) not in policy["script-src"]:
        hint = 'put the code into content/page.js, and write <script src="page.js"></script>'
        template_hint = "write it without Jinja, and its values into data-… attributes"
        yield BlockedRequest(f"{blocks} a script that is written in the page", "<script", hint, template_hint)
    for attribute in values:
        if re.fullmatch(r"on[a-z]+", attribute):
            hint = f"delete {attribute}, and add a listener in a script file"
            yield BlockedRequest(f"{blocks} the code in {attribute}", attribute, hint, hint)
    if request.is_in_body and name in _PAGE_ELEMENTS and (name != "link" or relations & _HINT_RELATIONS):
        yield BlockedRequest(_PAGE_ELEMENTS[name][0], f"<{name}", _PAGE_ELEMENTS[name][1], "")
    if "</main" in request.markup:
        message = f"<{name}> has no end, and takes in the rest of the page"
        yield BlockedRequest(message, f"<{name}", f"close it: </{name}>", "")


def is_url_allowed(url: str, sources: Sequence[str]) -> bool:
    """Whether a list of sources allows a URL (CSP Level 3, 6.7.2.8); URLs of the site itself are always allowed."""
    url = f"https:{url}" if url.startswith("//") else url
    if not EXTERNAL_URL.match(url):
        return True
    for source in sources:
        # "https:", "https://*.example.org", "https://example.org/scripts/"
        end = "" if source.endswith((":", "/")) else r"(?=[/?#]|$)"
        if re.match(re.escape(source).replace(r"\*", r"[^/]+") + end, url, re.IGNORECASE):
            return True
    return False


def _suggest_repair(
    directive: str, url: str, attributes: Mapping[str, str], settings: Settings, policy: PolicySources
) -> str:
    """What to write so that the page may load a URL."""
    setting = recognize_code(attributes) if directive == "script-src" else ""
    if setting:
        return f"delete the tag; in site.yaml write services: {setting}"
    secure = f"https:{url}" if url.startswith("//") else re.sub(r"^http:", "https:", url)
    if not secure.startswith("https:"):
        return "delete it"
    if directive == "object-src":
        return f'show it in a frame: <iframe src="{_shorten_url(secure)}" title="…"></iframe>'
    if is_url_allowed(secure, policy[directive]):
        return f"write {_shorten_url(secure)}"
    host = f"https://{parse_url(secure).netloc}"
    line = format_allow_line(settings, directive, filter(None, (host, DEPENDENT_HOSTS.get(host))))
    suffix = ", and https:// here" if url.startswith("http:") else ""
    return f"in site.yaml write {line}{suffix}"


def _shorten_url(url: str) -> str:
    return url if len(url) <= 60 else f"{url[:59]}…"
