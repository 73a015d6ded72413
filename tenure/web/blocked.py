"""Reports what a text or a template loads and the content policy of the page blocks, with the line of site.yaml that allows it."""

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from tenure.blocks import fences
from tenure.frozen import dataclass
from tenure.model.site import Settings, Site
from tenure.problems import Place, Problems
from tenure.text import to_html
from tenure.web.policy import Sources
from tenure.web.services import SERVICES, line_to_allow, policy_of
from tenure.web.videos import ADDRESS, parse_video

CODE = "blocked-by-policy"

_WORTH = re.compile(
    r"<(?:script|style|link|i?frame|object|embed|form|base|img|video|audio|source|track)\b|\son[a-z]+\s*=|formaction"
    r"|!\[[^\]]*\]\(\s*<?https?:",
    re.IGNORECASE,
)
"""Text without a match contains nothing that a policy could block."""

_TAG = re.compile(r"""<([a-zA-Z][\w-]*)((?:[^<>"']|"[^"]*"|'[^']*')*)>""")
_ATTRIBUTE = re.compile(r"""(?<![^\s"'/])([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>=`]+)))?""")
_IMAGE = re.compile(r"!\[[^\]]*\]\(\s*<?(https?://[^\s<>)]+)")
_IMPORT = re.compile(r"""@import\s+(?:url\()?["']?((?:https?:)?//[^\s"')]+)""")
_FONT = re.compile(r"""@font-face\s*\{[^}]*?url\(\s*["']?((?:https?:)?//[^\s"')]+)""")
_STYLE = re.compile(r"(<style\b[^>]*>)(.*?)</style>", re.DOTALL | re.IGNORECASE)
_CODE = re.compile(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)|<!--.*?-->", re.DOTALL)
_JINJA = re.compile(r"\{#.*?#\}|\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
_FRONT = re.compile(r"---\s*\n.*?\n---[ \t]*(?:\n|$)", re.DOTALL)
_DYNAMIC = "\x01"
"""Replaces each character of a Jinja expression, because its value is unknown here."""

_PROGRAM = re.compile(r"^$|javascript|ecmascript|^module$", re.IGNORECASE)

NEEDS: Mapping[str, Mapping[str, str]] = {
    "https://fonts.googleapis.com": {"font": "https://fonts.gstatic.com"},
    "https://www.googletagmanager.com": {"connect": "https://*.google-analytics.com"},
    "https://use.typekit.net": {"font": "https://use.typekit.net"},
}
"""Other hosts that a page contacts once it loads from a host, by key of `allow`."""


@dataclass(frozen=True, slots=True)
class Request:
    """
    A resource that a tag loads: its key of `allow`, and its URL ("" for code in the page itself).

    `marked_text` is the text to mark in the source, at the offset `start`. `attributes` are those of the tag; the code of
    an inline script has the name "".
    """

    key: str
    url: str
    words: str
    start: int
    name: str
    attributes: tuple[tuple[str, str], ...] = ()

    @property
    def identity(self) -> tuple[object, ...]:
        """The fields that are equal in a source and in the HTML rendered from it."""
        return self.key, self.url, self.name, self.attributes


def check_policy(site: Site, problems: Problems) -> None:
    """Report everything that the texts and the own templates of a site load and that the policy blocks."""
    reporter = _Reporter(site.settings, policy_of(site.settings), problems)
    for file, text in problems.texts():
        if file.endswith((".md", ".yaml", ".yml")) and not file.startswith("themes/") and _WORTH.search(text):
            for request in _shown(
                file, text, [r for r in _of_source(file, text) if reporter.complaint(r, file)]
            ):
                reporter.report(request, file, text)
            reporter.report_videos(file, text)
    heads = _head_blocks(site.look.folders)
    own = [folder for folder in site.look.folders if folder.parent != site.look.folders[-1].parent]
    templates = [(folder, path) for folder in own for path in sorted(folder.glob("pa*/**/*.html"))]
    for folder, path in templates:
        name = f"themes/{folder.name}/{path.relative_to(folder).as_posix()}"
        text = path.read_text(encoding="utf-8", errors="replace")
        problems.know(name, text)
        for request in _of_template(text, heads):
            reporter.report(request, name, text)


def _of_source(file: str, text: str) -> Iterator[Request]:
    """The requests of a Markdown text or a YAML file; code that is only displayed loads nothing."""
    if not file.endswith(".md"):
        plain = re.sub(r"(?m)^[ \t]*#.*$", _blanked, _CODE.sub(_blanked, text))
        yield from requests(plain.replace('\\"', ' "'))
        return
    lines = text.split("\n")
    for fence in fences(lines):
        for number in range(fence.first, fence.last + 1):
            lines[number] = " " * len(lines[number])
    yield from requests(_CODE.sub(_blanked, "\n".join(lines)))


def _shown(file: str, text: str, found: Sequence[Request]) -> Iterator[Request]:
    """The candidates that the rendered HTML also contains; the others are in code, for example in an indented block."""
    front = _FRONT.match(text)
    begin = front.end() if front else 0
    is_text = file.endswith(".md") and bool(found)
    shown = {request.identity for request in requests(to_html(text[begin:]))} if is_text else set()
    for request in found:
        if not is_text or request.start < begin or request.identity in shown:
            yield request


def _of_template(text: str, heads: frozenset[str]) -> Iterator[Request]:
    """The requests of a template; an inline script in the head is allowed by its digest."""
    plain = _JINJA.sub(
        lambda code: re.sub(r"[^\n]", _DYNAMIC, code[0]), re.sub(r"<!--.*?-->", _blanked, text)
    )
    end = text.find("</head>")
    for request in requests(plain):
        if request.name == "script" and not request.url:
            block = _block_at(text, request.start)
            if request.start < end or block in heads:
                continue
        yield request


def _head_blocks(folders: Sequence[Path]) -> frozenset[str]:
    """The names of the blocks in the head of the theme's frame templates."""
    texts = [
        path.read_text(encoding="utf-8") for folder in folders for path in folder.glob("parts/frame.html")
    ]
    heads = [text.partition("</head>")[0] for text in texts if "</head>" in text]
    return frozenset(
        name for head in heads for name in re.findall(r"\{%-?\s*block\s+(\w+)", head) if name != "main"
    )


def _block_at(text: str, offset: int) -> str:
    """The name of the innermost template block around an offset, or ""."""
    names: list[str] = []
    for statement in re.finditer(r"\{%-?\s*(?:block\s+(\w+)|(endblock))", text[:offset]):
        if statement[2]:
            del names[-1:]
        else:
            names.append(statement[1])
    return names[-1] if names else ""


def _blanked(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def requests(text: str) -> Iterator[Request]:
    """All resources that the tags, styles and Markdown images of a text load."""
    for tag in _TAG.finditer(text):
        yield from _of_tag(tag)
    for style in _STYLE.finditer(text):
        for key, pattern in (("style", _IMPORT), ("font", _FONT)):
            for match in pattern.finditer(style[2]):
                yield Request(key, match[1], match[1], style.start(2) + match.start(1), "style")
    for image in _IMAGE.finditer(text):
        if not re.fullmatch(ADDRESS, image[1]):
            yield Request("image", image[1], image[1], image.start(1), "img")


def _of_tag(tag: re.Match[str]) -> Iterator[Request]:
    """The resources that a tag loads by URL, and the code in its attributes."""
    name, text = tag[1].casefold(), tag.string
    pairs = (
        (a[1].casefold(), html.unescape(a[2] or a[3] or a[4] or "")) for a in _ATTRIBUTE.finditer(tag[2])
    )
    values = dict(pairs)
    attributes = tuple(values.items())
    if name == "script" and not values.get("src"):
        attributes = (*attributes, ("", text[tag.end() : text.find("</", tag.end())]))
    for key, written in _asked(name, values):
        url = written.strip()
        start = text.find(url, tag.start(), tag.end()) if url else -1
        words = url if start >= 0 else f"<{tag[1]}"
        yield Request(key, url, words, max(start, tag.start()), name, attributes)
    for attribute, code in values.items():
        if re.fullmatch(r"on[a-z]+", attribute):
            start = tag[0].casefold().index(attribute) + tag.start()
            yield Request("script", "", attribute, start, name, ((attribute, code),))


_ADDRESSED: Mapping[str, tuple[str, str]] = {
    "iframe": ("frame", "src"),
    "frame": ("frame", "src"),
    "object": ("object", "data"),
    "embed": ("object", "src"),
    "img": ("image", "src"),
    "video": ("media", "src"),
    "audio": ("media", "src"),
    "source": ("media", "src"),
    "track": ("media", "src"),
    "form": ("form", "action"),
    "button": ("form", "formaction"),
    "input": ("form", "formaction"),
    "base": ("base", "href"),
}
"""The key of `allow` for a tag, and the attribute with its URL."""


def _asked(name: str, values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Pairs of the key of `allow` and the URL that a tag loads; a script without a URL has its code in the page."""
    if name == "script":
        if _PROGRAM.search(values.get("type", "")):
            yield "script", values.get("src", "")
    elif name == "link":
        relations = values.get("rel", "").casefold().split()
        if "stylesheet" in relations:
            yield "style", values.get("href", "")
        elif "preload" in relations and values.get("as") in ("font", "script", "style"):
            yield values["as"], values.get("href", "")
    elif name in _ADDRESSED:
        key, attribute = _ADDRESSED[name]
        url = values.get(attribute, "")
        if url and not (name == "img" and re.fullmatch(ADDRESS, url)):
            yield key, url


_DIRECTIVES: Mapping[str, str] = {
    "script": "script-src",
    "style": "style-src",
    "font": "font-src",
    "form": "form-action",
    "frame": "frame-src",
    "object": "object-src",
    "image": "img-src",
    "media": "media-src",
    "base": "base-uri",
}


def is_allowed(url: str, sources: Sequence[str]) -> bool:
    """Whether a list of sources allows a URL (CSP Level 3, 6.7.2.8); URLs of the site itself are always allowed."""
    parts = urlsplit(f"https:{url}" if url.startswith("//") else url)
    if not parts.scheme or not (parts.netloc or url.startswith(parts.scheme + ":")):
        return True
    if f"{parts.scheme}:" in sources:
        return True
    for source in sources:
        allowed = urlsplit(source)
        host, own = (allowed.netloc, parts.netloc.casefold())
        same = own.endswith(host[1:].casefold()) if host.startswith("*.") else own == host.casefold()
        path = allowed.path
        reaches = parts.path.startswith(path) if path.endswith("/") else path in ("", parts.path)
        if host and allowed.scheme == parts.scheme and same and reaches:
            return True
    return False


_NOUNS: Mapping[str, str] = {
    "script": "the script",
    "style": "the style sheet",
    "font": "the font",
    "form": "the form that sends to",
    "frame": "the frame",
    "object": "the object",
    "image": "the image",
    "media": "the audio or video",
}


@dataclass(frozen=True, slots=True)
class _Reporter:
    """Reports what the policy of a site blocks in a file."""

    settings: Settings
    policy: Sources
    problems: Problems

    def report(self, request: Request, file: str, text: str) -> None:
        """Report a request if the policy blocks it."""
        complaint = self.complaint(request, file)
        if complaint:
            self.problems.tell(CODE, _place(file, text, request), *complaint)

    def complaint(self, request: Request, file: str) -> tuple[str, str] | None:
        """The message and the repair for a blocked request, else None; a host that only Jinja knows is not judged."""
        if _DYNAMIC in urlsplit(request.url).netloc or request.url.startswith(_DYNAMIC):
            return None
        url = request.url.partition(_DYNAMIC)[0]
        if request.key == "base":
            return "the policy of the page blocks <base>", "delete it; links may begin with /"
        if not url:
            return _inline(request, file)
        if is_allowed(url, self.policy[_DIRECTIVES[request.key]]):
            return None
        message = f"the policy of the page blocks {_NOUNS[request.key]} “{_short(url)}”"
        return message, self._repair(request, url)

    def _repair(self, request: Request, url: str) -> str:
        """What to write so that the page may load a URL."""
        for service in SERVICES if request.key == "script" else ():
            value = service.read(dict(request.attributes))
            if value:
                return f"delete the tag; in site.yaml write services: {{{service.key}: {value}}}"
        secure = f"https:{url}" if url.startswith("//") else re.sub(r"^http:", "https:", url)
        if not secure.startswith("https:"):
            return "delete it"
        if request.key == "object":
            return f'show it in a frame: <iframe src="{_short(secure)}" title="…"></iframe>'
        if request.key == "media" or is_allowed(secure, self.policy[_DIRECTIVES[request.key]]):
            return f"write {_short(secure)}"
        host = f"https://{urlsplit(secure).netloc}"
        line = line_to_allow(self.settings, {request.key: host, **NEEDS.get(host, {})})
        also = ", and https:// here" if url.startswith("http:") else ""
        return f"in site.yaml write {line}{also}"

    def report_videos(self, file: str, text: str) -> None:
        """Report each video that is shown as a link because its service is not enabled."""
        for image in _IMAGE.finditer(_CODE.sub(_blanked, text)):
            video = parse_video(image[1]) if re.fullmatch(ADDRESS, image[1]) else None
            if video and not getattr(self.settings.services, video.service):
                request = Request("frame", image[1], image[1], image.start(1), "img")
                message = f"the video “{_short(image[1])}” is shown as a link"
                hint = f"in site.yaml write services: {{{video.service}: true}}"
                self.problems.tell(CODE, _place(file, text, request), message, hint)


def _inline(request: Request, file: str) -> tuple[str, str]:
    """The message and the repair for code inside a page."""
    if request.name != "script" or request.words.startswith("on"):
        message = f"the policy of the page blocks the code in {request.words}"
        return message, f"delete {request.words}, and add a listener in a script file"
    message = "the policy of the page blocks a script that is written in the page"
    if file.startswith("themes/"):
        return message, "put it into {% block head %}, or into a file in assets/"
    return message, 'put the code into content/page.js, and write <script src="page.js"></script>'


def _short(url: str) -> str:
    return url if len(url) <= 60 else f"{url[:59]}…"


def _place(file: str, text: str, request: Request) -> Place:
    line = text.count("\n", 0, request.start) + 1
    return Place(file, line, request.start - text.rfind("\n", 0, request.start), len(request.words))
