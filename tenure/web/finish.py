"""The last step of a page: rewrites its URLs as relative ones, and collects its links and anchors."""

import html
import re
from dataclasses import field
from urllib.parse import quote, unquote

from tenure.frozen import dataclass
from tenure.model.files import Files
from tenure.output import Artifact
from tenure.web.policy import RULES, Sources, with_policy

ELSEWHERE = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")
_ADDRESS = re.compile(r'(\s(?:href|src|poster|data-src|data)=")([^"]*)(")')
_TEXT = re.compile(r"\.md[\"#]")
_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
_IN_STYLE = re.compile(r"""(url\(")([^"]*)("\))""")
_ID = re.compile(r'\sid="([^"]*)"')
_ALT = re.compile(r'\salt="([^"]*)"')


@dataclass(frozen=True, slots=True)
class Finished:
    """
    A page as it is published: all URLs on it, sorted; all ids, in order; its images without alt text.

    `links_to_sources` is true if the page links to a source file (.md); such a page is not cached.
    """

    artifact: Artifact
    links: tuple[str, ...]
    anchors: tuple[str, ...]
    blind: tuple[str, ...]
    moving: bool = False


@dataclass(frozen=True, slots=True)
class Finish:
    """Rewrites the URLs on one page: from the site's root to relative ones, or to absolute paths below `base_path`."""

    page: str
    files: Files
    base: str = ""
    policy: Sources = field(default_factory=lambda: RULES)

    def page_html(self, file: str, text: str, source: str) -> Finished:
        """Rewrite the URLs in the attributes and style elements of a page, and insert the content policy."""
        links: set[str] = set()
        anchors: list[str] = []
        blind: list[str] = []
        moving = False
        parts = text.split("<")
        for number, part in enumerate(parts):
            if '="' not in part or not part[0].isalpha():
                continue
            tag, close, rest = part.partition(">")
            if not close:
                continue
            if 'id="' in tag:
                anchors += _ID.findall(tag)
            if "href=" in tag or "src=" in tag or "poster=" in tag or tag.startswith("object"):
                moving = moving or _TEXT.search(tag) is not None
                tag = _ADDRESS.sub(self._replace, tag)
                links.update(found[1] for found in _ADDRESS.findall(tag))
                parts[number] = f"{tag}>{rest}"
            if tag.startswith("img") and not _has_words(tag):
                blind.append(f"<{tag}>")
        made = "<".join(parts)
        if 'url("/' in made:
            made = _STYLE.sub(lambda style: _IN_STYLE.sub(self._replace, style[0]), made)
        made = with_policy(made, self.policy)
        artifact = Artifact(file, made.encode(), source)
        return Finished(artifact, tuple(sorted(links)), tuple(anchors), tuple(blind), moving)

    def _replace(self, found: re.Match[str]) -> str:
        return f"{found[1]}{self.address(found[2])}{found[3]}"

    def address(self, written: str) -> str:
        """Return the URL as it must be on the page; a URL that cannot be resolved is returned unchanged."""
        if not written or written[0] in "#?" or ELSEWHERE.match(written):
            return written
        address, mark, rest = split(written)
        if address[:1] != "/":
            found = self.files.find(html.unescape(unquote(address)))
            page = self.files.page(html.unescape(unquote(address))) if address.endswith(".md") else ""
            if len(found) != 1 and not page:
                return written
            address = page or "/" + quote(found[0])
        if self.base:
            return f"{self.base.rstrip('/')}{address}{mark}{rest}"
        return f"{_relative(self.page, address)}{mark}{rest}"


_PREFORMATTED = re.compile(r"(<(pre|textarea)\b.*?</\2>)", re.DOTALL)
_BLANK = re.compile(r"\n[ \t]*\n[ \t\n]*")


def tidy(made: str) -> str:
    """Remove the blank lines that template statements produce, except in preformatted text."""
    pieces = _PREFORMATTED.split(made)
    pieces[::3] = [_BLANK.sub("\n", piece) for piece in pieces[::3]]
    del pieces[2::3]
    return "".join(pieces).strip() + "\n"


def split(written: str) -> tuple[str, str, str]:
    """The path of a URL, the separator before its query or fragment, and the query or fragment."""
    if "?" not in written and "#" not in written:
        return written, "", ""
    found = re.match(r"([^?#]*)([?#]?)(.*)", written, re.DOTALL)
    return (found[1], found[2], found[3]) if found else (written, "", "")


def _has_words(image: str) -> bool:
    alt = _ALT.search(image)
    return alt is not None and (bool(alt[1].strip()) or 'role="presentation"' in image)


def _relative(page: str, address: str) -> str:
    """The relative URL from a page ("/talks/") to a path ("/publications/x/"): "../publications/x/"."""
    start = page.split("/")[1:-1]
    *goal, name = address.lstrip("/").split("/")
    shared = 0
    while shared < len(start) and shared < len(goal) and start[shared] == goal[shared]:
        shared += 1
    steps = [".."] * (len(start) - shared) + goal[shared:]
    way = "/".join(steps)
    if name:
        return f"{way}/{name}" if way else name
    return f"{way}/" if way else "./"
