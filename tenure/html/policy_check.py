"""Reports what a text or a template loads and the content policy of the page blocks, with the line of site.yaml that allows it."""

import html
import re
from collections.abc import Iterator, Mapping, Sequence

from tenure.html.embeds import VIDEO_URL, parse_video
from tenure.html.links import EXTERNAL_URL
from tenure.html.policy import PolicySources
from tenure.html.services import ALLOW_DIRECTIVES, build_policy, format_allow_line, recognize_code
from tenure.html.theme_lint import read_theme_files
from tenure.markdown.html import render_markdown
from tenure.markdown.html_tags import iterate_tags
from tenure.model.links import parse_url
from tenure.model.site import Settings, Site
from tenure.problems import Problems
from tenure.record import Record

PROBLEM_CODE = "blocked-by-policy"

_CANDIDATE_SYNTAX = re.compile(
    r"<(?:script|style|link|i?frame|object|embed|form|base|img|video|audio|source|track|meta|plaintext|textarea|title|xmp|template)\b|\son[a-z]+\s*=|formaction"
    r"|!\[(?:[^\]!]|!(?!\[))*\]\(\s*<?https?:",
    re.IGNORECASE,
)
"""Text without a match contains nothing that a policy could block."""

_MARKDOWN_IMAGE = re.compile(r"!\[(?:[^\]!]|!(?!\[))*\]\(\s*<?(https?://[^\s<>)]+)")
_URL_IN_CSS = re.compile(r"""(@import|@font-face)[^}]*?["'(]((?:https?:)?//[^\s"')]+)""")
_CODE_OR_COMMENT = re.compile(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)|<!--(?:(?!<!--).)*?-->", re.DOTALL)
_JINJA_TAG = re.compile(r"\{#.*?#\}|\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
_FRONT_MATTER = re.compile(r"---\s*\n.*?\n---[ \t]*(?:\n|$)", re.DOTALL)
_JINJA_PLACEHOLDER = "\x01"
"""Replaces each character of a Jinja expression, because its value is unknown here."""

_SCRIPT_TYPE = re.compile(r"^$|javascript|ecmascript|^module$", re.IGNORECASE)

DEPENDENT_HOSTS: Mapping[str, Mapping[str, str]] = {
    "https://fonts.googleapis.com": {"font": "https://fonts.gstatic.com"},
    "https://www.googletagmanager.com": {"connect": "https://*.google-analytics.com"},
    "https://use.typekit.net": {"font": "https://use.typekit.net"},
}
"""Other hosts that a page contacts once it loads from a host, by key of `allow`."""


class ResourceRequest(Record):
    """
    A resource that a tag loads: its key of `allow`, and its URL ("" for code in the page itself).

    `marked_text` is the text to mark in the source, at the offset `start`. `attributes` are those of the tag; the code of
    an inline script has the name "".
    """

    key: str
    url: str
    marked_text: str
    start: int
    tag_name: str
    attributes: tuple[tuple[str, str], ...] = ()

    @property
    def comparison_key(self) -> tuple[object, ...]:
        """The fields that are equal in a source and in the HTML rendered from it."""
        return self.key, self.url, self.tag_name, self.attributes


def check_policy(site: Site, problems: Problems) -> None:
    """Report everything that the texts and the own templates of a site load and that the policy blocks."""
    settings, policy = site.settings, build_policy(site.settings)
    for file, text in problems.source_texts():
        is_text = file.endswith((".md", ".yaml", ".yml")) and not file.startswith("themes/")
        if is_text and _CANDIDATE_SYNTAX.search(text):
            for request in _find_requests_in_source(file, text):
                _report_request(request, file, settings, policy, problems)
    folders = site.active_theme.folders
    site_folders = [folder for folder in folders if folder.parent != folders[-1].parent]
    for template in read_theme_files(site_folders, "pa*/**/*.html"):
        problems.add_source(template.display_path, template.text)
        text = _JINJA_TAG.sub(
            lambda match: _JINJA_PLACEHOLDER * len(match[0]),
            _CODE_OR_COMMENT.sub(_blank_match, template.text),
        )
        for request in _find_requests(text, is_template=True):
            is_inline = request.tag_name == "script" and not request.url
            code = template.text[request.start :].partition("</script>")[0]
            if not is_inline or re.search(
                r"\{[{%](?!.*\|\s*inline_asset)", code
            ):  # the policy has the digest of others
                _report_request(request, template.display_path, settings, policy, problems)


def _find_requests_in_source(file: str, text: str) -> Iterator[ResourceRequest]:
    """The requests of a Markdown text or a YAML file; HTML in a field is shown as text."""
    text = _CODE_OR_COMMENT.sub(_blank_match, text)
    if not file.endswith(".md"):
        yield from _find_images(re.sub(r"(?m)^[ \t]*#.*$", _blank_match, text))
        return
    yield from _find_images(text)
    front_matter = _FRONT_MATTER.match(text)
    body_start = front_matter.end() if front_matter else 0
    rendered = render_markdown(text[body_start:])
    known_keys = {request.comparison_key for request in _find_requests(rendered)}
    for request in _find_requests(" " * body_start + text[body_start:]):
        if request.comparison_key in known_keys:  # others are in code, for example in an indented block
            yield request


def _blank_match(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def _find_requests(text: str, *, is_template: bool = False) -> Iterator[ResourceRequest]:
    """All resources that the tags of a text load, the code in them, and those that change the whole page or take in its rest."""
    last_ends = {match[1].lower(): match.start() for match in _END_TAG.finditer(text)}
    for tag in iterate_tags(text):
        name, values = tag.name, {key: html.unescape(value or "") for key, value in tag.attributes.items()}
        relations = frozenset(values.get("rel", "").casefold().split())
        key, attribute = _URL_ATTRIBUTES.get(name, ("", ""))
        if name == "script" and not _SCRIPT_TYPE.search(values.get("type", "")):
            key = ""
        elif name == "link" and "preload" in relations and values.get("as") in ("font", "script", "style"):
            key = values["as"]
        elif name == "link" and "stylesheet" not in relations:
            key = ""
        url = values.get(attribute, "").strip()
        if key and (url or name == "script") and not (name == "img" and re.fullmatch(VIDEO_URL, url)):
            attributes = tuple(values.items())
            if not url:
                attributes = (*attributes, ("", tag.content))
            offset = tag.text.find(url) if url else -1
            marked_text = url if offset >= 0 else f"<{name}"
            yield ResourceRequest(key, url, marked_text, tag.start + max(offset, 0), name, attributes)
        for attribute, code in values.items():
            if re.fullmatch(r"on[a-z]+", attribute):
                start = tag.start + tag.text.casefold().index(attribute)
                yield ResourceRequest("script", "", attribute, start, name, ((attribute, code),))
        if is_template and name == "style":
            for match in _URL_IN_CSS.finditer(tag.content):
                key = "style" if match[1] == "@import" else "font"
                yield ResourceRequest(key, match[2], match[2], tag.content_start + match.start(2), name)
        is_listed = name in _PAGE_ELEMENTS and (name != "link" or not _HINT_RELATIONS.isdisjoint(relations))
        is_unclosed = name in _ENCLOSING_ELEMENTS and last_ends.get(name, -1) < tag.start
        if not is_template and (is_listed or is_unclosed):
            yield ResourceRequest("page", "", f"<{name}", tag.start, name)


def _find_images(text: str) -> Iterator[ResourceRequest]:
    """The images and videos of other sites that a Markdown text shows."""
    for image in _MARKDOWN_IMAGE.finditer(text):
        key = "video" if re.fullmatch(VIDEO_URL, image[1]) else "image"
        yield ResourceRequest(key, image[1], image[1], image.start(1), "img")


_PAGE_ELEMENTS: Mapping[str, tuple[str, str]] = {
    "meta": ("<meta> can send readers to another page", "delete it"),
    "style": ("<style> changes the whole page", "move the rules into a style sheet of the theme"),
    "plaintext": ("<plaintext> shows the rest of the page as text", "delete it"),
    "link": ("<link> asks another host for something that the page does not show", "delete it"),
}
"""The message and the repair for a tag in a text that changes the whole page."""

_ENCLOSING_ELEMENTS = frozenset(
    ["iframe", "noembed", "noframes", "script", "template", "textarea", "title", "xmp"]
)
"""Elements whose content is no HTML; without an end tag, it is the rest of the page (HTML Standard, 13.2.6.2)."""

_END_TAG = re.compile(rf"</({'|'.join(sorted(_ENCLOSING_ELEMENTS))})\b", re.IGNORECASE)
_HINT_RELATIONS = frozenset(["dns-prefetch", "preconnect", "prefetch", "prerender"])
_URL_ATTRIBUTES: Mapping[str, tuple[str, str]] = {
    "script": ("script", "src"),
    "link": ("style", "href"),
    **dict.fromkeys(("iframe", "frame"), ("frame", "src")),
    "object": ("object", "data"),
    "embed": ("object", "src"),
    "img": ("image", "src"),
    **dict.fromkeys(("video", "audio", "source", "track"), ("media", "src")),
    "form": ("form", "action"),
    **dict.fromkeys(("button", "input"), ("form", "formaction")),
    "base": ("base", "href"),
}
"""The key of `allow` for a tag, and the attribute with its URL."""


_RESOURCE_DIRECTIVES = {**ALLOW_DIRECTIVES, "object": "object-src", "media": "media-src"}


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


def _report_request(
    request: ResourceRequest, file: str, settings: Settings, policy: PolicySources, problems: Problems
) -> None:
    """Report a request if the policy blocks it; a host that only Jinja knows is not judged."""
    if _JINJA_PLACEHOLDER in parse_url(request.url).netloc or request.url.startswith(_JINJA_PLACEHOLDER):
        return
    url = request.url.partition(_JINJA_PLACEHOLDER)[0]
    tag = f"<{request.tag_name}>"
    message = f"the policy of the page blocks {tag}"
    if request.key == "page":
        message, hint = (
            f"{tag} has no end, and takes in the rest of the page",
            f"close it: </{request.tag_name}>",
        )
        if request.tag_name not in _ENCLOSING_ELEMENTS:
            message, hint = _PAGE_ELEMENTS[request.tag_name]
    elif request.key == "base":
        hint = "delete it; links may begin with /"
    elif request.key == "video":
        video = parse_video(url)
        if video is None or getattr(settings.services, video.service):
            return
        message = f"the video “{_shorten_url(url)}” is shown as a link"
        hint = f"in site.yaml write services: {{{video.service}: true}}"
    elif not url and request.marked_text.startswith("on"):
        message = f"the policy of the page blocks the code in {request.marked_text}"
        hint = f"delete {request.marked_text}, and add a listener in a script file"
    elif not url:
        message = "the policy of the page blocks a script that is written in the page"
        hint = 'put the code into content/page.js, and write <script src="page.js"></script>'
        if file.startswith("themes/"):
            hint = "write it without Jinja, and its values into data-… attributes"
    elif is_url_allowed(url, policy[_RESOURCE_DIRECTIVES[request.key]]):
        return
    else:
        message, hint = f"{message} “{_shorten_url(url)}”", _suggest_repair(request, url, settings, policy)
    place = problems.locate(file, request.start, request.start + len(request.marked_text))
    problems.report(PROBLEM_CODE, place, message, hint)


def _suggest_repair(request: ResourceRequest, url: str, settings: Settings, policy: PolicySources) -> str:
    """What to write so that the page may load a URL."""
    setting = recognize_code(dict(request.attributes)) if request.key == "script" else ""
    if setting:
        return f"delete the tag; in site.yaml write services: {setting}"
    secure = f"https:{url}" if url.startswith("//") else re.sub(r"^http:", "https:", url)
    if not secure.startswith("https:"):
        return "delete it"
    if request.key == "object":
        return f'show it in a frame: <iframe src="{_shorten_url(secure)}" title="…"></iframe>'
    if request.key == "media" or is_url_allowed(secure, policy[_RESOURCE_DIRECTIVES[request.key]]):
        return f"write {_shorten_url(secure)}"
    host = f"https://{parse_url(secure).netloc}"
    line = format_allow_line(settings, {request.key: host, **DEPENDENT_HOSTS.get(host, {})})
    suffix = ", and https:// here" if url.startswith("http:") else ""
    return f"in site.yaml write {line}{suffix}"


def _shorten_url(url: str) -> str:
    return url if len(url) <= 60 else f"{url[:59]}…"
