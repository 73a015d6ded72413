"""Every link, anchor, image and alt text of the finished artifacts; addresses from the root made relative."""

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath
from urllib.parse import quote, unquote

from tenure.model.links import is_safe
from tenure.output import Artifact
from tenure.problems import Place, Problems, did_you_mean

_TAG = re.compile(r"<[a-zA-Z][^<>]*>")
_ADDRESS = re.compile(r'(\s(?:href|src|poster|data-src)=")([^"]*)(")')
_ELSEWHERE = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")


class Files:
    """The files that stand beside the sources, found by their path or by any unique ending of it."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = frozenset(paths)
        self._endings: dict[str, list[str]] = {}
        for path in sorted(self._paths):
            parts = path.split("/")
            for i in range(len(parts)):
                self._endings.setdefault("/".join(parts[i:]), []).append(path)

    def find(self, name: str) -> tuple[str, ...]:
        """Every file that a name may mean: exactly one where it is clear."""
        bare = name.removeprefix("./")
        if bare in self._paths:
            return (bare,)
        return tuple(self._endings.get(bare, ()))


@dataclass(frozen=True, slots=True)
class Relative:
    """Rewrites the addresses on one page: from the site's root to relative ones, or to absolute paths for `base`."""

    page: str
    files: Files
    base: str = ""

    def page_html(self, text: str) -> str:
        """A page with every href and src rewritten."""
        return _TAG.sub(lambda tag: _ADDRESS.sub(self._replace, tag[0]) if '="' in tag[0] else tag[0], text)

    def _replace(self, found: re.Match[str]) -> str:
        return f"{found[1]}{self.address(found[2])}{found[3]}"

    def address(self, written: str) -> str:
        """One address as it must stand on the page."""
        if not written or written.startswith(("#", "?")) or _ELSEWHERE.match(written):
            return written
        address, mark, rest = _split(written)
        if not address.startswith("/"):
            found = self.files.find(html.unescape(unquote(address)))
            if len(found) != 1:
                return written
            address = "/" + quote(found[0])
        if self.base:
            return f"{self.base.rstrip('/')}{address}{mark}{rest}"
        return f"{_relative(self.page, address)}{mark}{rest}"


def _split(written: str) -> tuple[str, str, str]:
    found = re.match(r"([^?#]*)([?#]?)(.*)", written, re.DOTALL)
    return (found[1], found[2], found[3]) if found else (written, "", "")


@lru_cache(maxsize=65536)
def _relative(page: str, address: str) -> str:
    """The way from a page ("/talks/") to an address ("/publications/x/"): "../publications/x/"."""
    here = page.rpartition("/")[0].strip("/")
    start = here.split("/") if here else []
    folder, _, name = address.lstrip("/").rpartition("/")
    goal = folder.split("/") if folder else []
    shared = 0
    while shared < min(len(start), len(goal)) and start[shared] == goal[shared]:
        shared += 1
    steps = [".."] * (len(start) - shared) + goal[shared:]
    way = "/".join(steps)
    if name:
        return f"{way}/{name}" if way else name
    return f"{way}/" if way else "./"


_ID = re.compile(r'\sid="([^"]*)"')
_LINK = re.compile(r'\s(?:href|src|poster|data-src)="([^"]*)"')
_IMAGE = re.compile(r"<img\b[^<>]*>")
_ALT = re.compile(r'\salt="([^"]*)"')


def check(artifacts: Sequence[Artifact], files: Files, problems: Problems) -> None:
    """Tell every internal link to nowhere, every anchor twice or missing, every picture without words."""
    pages = {
        a.path: a.body.decode() for a in artifacts if a.path.endswith(".html") and isinstance(a.body, bytes)
    }
    paths = {artifact.path for artifact in artifacts}
    folded = {path.casefold(): path for path in paths}
    anchors = {path: _anchors(path, text, problems) for path, text in pages.items()}
    sources = {artifact.path: artifact.source for artifact in artifacts}
    for path, text in pages.items():
        _check_images(path, text, problems, sources[path])
        if path == "404.html":
            continue
        for written in sorted({address for tag in _TAG.findall(text) for address in _LINK.findall(tag)}):
            told = _complaint(path, html.unescape(written), anchors, folded, files)
            if told is not None:
                code, words, message, hint = told
                problems.tell(code, _where(words, problems, sources[path], path), message, hint)


def _anchors(path: str, text: str, problems: Problems) -> frozenset[str]:
    found: set[str] = set()
    for tag in _TAG.findall(text):
        for name in _ID.findall(tag):
            if name in found:
                problems.tell("duplicate-anchor", Place(path), f'two places of this page are called "{name}"')
            found.add(html.unescape(name))
    return frozenset(found)


def _check_images(path: str, text: str, problems: Problems, source: str) -> None:
    for image in _IMAGE.findall(text):
        alt = _ALT.search(image)
        name = _LINK.search(image)
        if alt is None or (not alt[1].strip() and 'role="presentation"' not in image):
            picture = PurePosixPath(unquote(name[1])).name if name else "a picture"
            place = problems.where(picture) or Place(source or path)
            problems.tell(
                "missing-alt", place, f"the picture {picture} has no alt text", "say what it shows: ![…](…)"
            )


def _complaint(
    page: str, written: str, anchors: Mapping[str, frozenset[str]], folded: Mapping[str, str], files: Files
) -> tuple[str, str, str, str] | None:
    """What is wrong with a link as (code, the words at fault, message, hint), or None."""
    if not is_safe(written) and not written.startswith("data:image/"):
        return "bad-address", written, f"“{written}” is no address to link to", "write an https:// address"
    if _ELSEWHERE.match(written):
        return None
    address, mark, rest = _split(written)
    target = _target(page, unquote(address))
    actual = folded.get(target.casefold())
    if actual is None:
        several = files.find(unquote(address))
        if len(several) > 1:
            hint = "write more of its path: " + ", ".join(several[:3])
            return "ambiguous-file", written, f"“{written}” fits {len(several)} files", hint
        near = did_you_mean(address, [name for name in folded.values() if not name.endswith(".html")])
        hint = f'did you mean "{near}"?' if near else "add the file to content/, or correct the address"
        return "broken-link", written, f"nothing is at “{written}”", hint
    if actual != target:
        hint = f'write "{actual.rpartition("/")[2]}"'
        return "wrong-case", written, f"“{written}” differs from its file in upper and lower case", hint
    fragment = unquote(rest) if mark == "#" else ""
    if fragment and target in anchors and fragment not in anchors[target]:
        near = did_you_mean(fragment, anchors[target])
        hint = f'did you mean "#{near}"?' if near else ""
        return "broken-anchor", f"#{fragment}", f"the page has no place called “#{fragment}”", hint
    return None


def _target(page: str, address: str) -> str:
    """The file an address on a page leads to; "" is the page itself."""
    if not address:
        return page
    parts = [] if address.startswith("/") else page.split("/")[:-1]
    for part in address.split("/"):
        if part == "..":
            parts = parts[:-1] if parts else ["..", *parts]
        elif part not in ("", "."):
            parts.append(part)
    path = "/".join(parts)
    if address.endswith(("/", "..", ".")) or not path:
        return f"{path}/index.html" if path else "index.html"
    return path


def _where(written: str, problems: Problems, source: str, page: str) -> Place:
    """The place in the sources where an address is written, or the source of the page that shows it."""
    bare = written
    while bare.startswith("../"):
        bare = bare[3:]
    for words in (written, f"/{bare}", bare.removeprefix("./")):
        if len(words) > 2:
            place = problems.where(words)
            if place is not None:
                return place
    return Place(source.split(":", maxsplit=1)[0] or page)
