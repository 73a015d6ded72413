"""Checks every link, anchor, image and alt text of the finished pages."""

import html
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from pathlib import PurePosixPath
from urllib.parse import quote, unquote

from tenure.frozen import dataclass
from tenure.model.files import Files
from tenure.model.links import instead_of, is_host, is_safe
from tenure.output import Artifact
from tenure.problems import Edit, Place, Problems, did_you_mean
from tenure.web.finish import ELSEWHERE, Finished, split

_LINK = re.compile(r'\s(?:href|src|poster|data-src|data)="([^"]*)"')


def linked(pages: Iterable[Finished], spare: Sequence[Artifact]) -> tuple[Artifact, ...]:
    """The candidates that a page links to or shows."""
    if not spare:
        return ()
    wanted = {
        _target(page.artifact.path, unquote(split(html.unescape(address))[0])).casefold()
        for page in pages
        for address in page.links
    }
    return tuple(artifact for artifact in spare if artifact.path.casefold() in wanted)


def check(pages: Sequence[Finished], artifacts: Iterable[Artifact], files: Files, problems: Problems) -> None:
    """Report every broken internal link, every missing or duplicate anchor, every image without alt text."""
    folded = {artifact.path.casefold(): artifact.path for artifact in artifacts}
    anchors = {page.artifact.path: _anchors(page, problems) for page in pages}
    instead = cache(partial(_instead, folded=folded, files=files))
    found: dict[_Wrong, dict[str, str]] = {}
    blind: dict[tuple[str, str], None] = {}
    for page in pages:
        path, source = page.artifact.path, page.artifact.source
        blind |= {(_picture(image), _file_of(source or path)): None for image in page.blind}
        if path == "404.html":
            continue
        for link in page.links:
            written = html.unescape(link)
            wrong = _complaint(path, written, anchors, folded, files=files, instead=instead)
            if wrong is not None:
                found.setdefault(wrong, {}).setdefault(_file_of(source or path), written)
    for picture, source in blind:
        _tell_blind(picture, source, problems)
    for wrong, sources in found.items():
        if not _follows(wrong, problems):
            _tell(wrong, sources, problems)


@dataclass(frozen=True, slots=True)
class _Wrong:
    """
    A problem of links: the URL without leading "../", a message that quotes it, a repair, the target file.

    `replacement` is the URL to write instead, if that is certain.
    """

    code: str
    bare: str
    message: str
    hint: str
    target: str = ""
    instead: str = ""


def _tell(wrong: _Wrong, pages: Mapping[str, str], problems: Problems) -> None:
    """Report an issue at every place of a source with the link; if a template made it, once per source of the pages."""
    bare = wrong.bare
    for words in dict.fromkeys((f"/{bare.lstrip('/')}", bare, unquote(bare), *pages.values())):
        places = [*problems.places(_BEFORE + f"({re.escape(words)})" + _AFTER)]
        if places:
            break
    told = dict.fromkeys(places, words) or {Place(file): written for file, written in pages.items()}
    for place, words in told.items():
        problems.tell(wrong.code, place, wrong.message.format(words), wrong.hint, _edits(wrong, place, words))


def _edits(wrong: _Wrong, place: Place, written: str) -> tuple[Edit, ...]:
    """The edit that replaces a URL in a source; empty if the replacement is not certain."""
    if not place.length or not wrong.instead:
        return ()
    if wrong.code == "broken-anchor":
        return (Edit(place, f"{written.partition('#')[0]}#{wrong.instead}"),)
    if wrong.code == "broken-link":
        return (Edit(place, wrong.instead),)
    address, mark, rest = split(written)
    bare = re.sub(r"^(?:\.\./|\./|/)+", "", address)
    plain = unquote(bare).rstrip("/")
    actual = wrong.instead[-len(plain) :] if plain else ""
    if actual.casefold() != plain.casefold():
        return ()
    right = quote(actual) if "%" in bare else actual
    steps = address.removesuffix(bare)
    return (Edit(place, f"{steps}{right}{'/' * bare.endswith('/')}{mark}{rest}"),)


def _file_of(source: str) -> str:
    """The file of a source that may include a line number."""
    return source.split(":", maxsplit=1)[0]


_BEFORE = r"""(?:\]\(\s*<?|\]:\s*|(?i:href|src|data)\s*=\s*["']?|(?<!email)(?<!emails):\s+["']?|=\s*[{"]|<)"""
_AFTER = r"(?![\w/-]|\.\w)"
"""The syntax around a URL in Markdown, HTML, YAML and BibTeX."""


def _follows(wrong: _Wrong, problems: Problems) -> bool:
    """Whether a link is only broken because entries with reported problems are missing."""
    if wrong.code not in ("broken-link", "broken-anchor"):
        return False
    first, _, rest = wrong.target.partition("/")
    named = first if rest else wrong.bare.partition("#")[2] or PurePosixPath(first).stem
    if named != "publications":
        return problems.lost(f"content/{named}")
    key = re.escape(rest.partition("/")[0])
    return problems.lost("bib/") or any(problems.places(rf"(?i)[{{(]\s*{key}\s*[,\n]"))


def _anchors(page: Finished, problems: Problems) -> frozenset[str]:
    found = frozenset(page.anchors)
    if len(found) < len(page.anchors):
        for name in sorted(name for name in found if page.anchors.count(name) > 1):
            written = [*problems.places(rf"""(?:\bid=["']?|{{\s*#)({re.escape(name)})(?![\w-])""")]
            place = written[1] if len(written) > 1 else Place(_file_of(page.artifact.source))
            message = f'two elements of one page have the id "{name}"'
            problems.tell("duplicate-anchor", place, message, "rename one of them")
    return frozenset(map(html.unescape, found))


def _picture(image: str) -> str:
    """The name of the file that an <img> shows."""
    address = _LINK.search(image)
    return PurePosixPath(unquote(address[1])).name if address else "without a name"


def _tell_blind(picture: str, source: str, problems: Problems) -> None:
    """Report an image without alt text, at its place in a source if it is found there."""
    words = re.escape(picture)
    message = f"the image {picture} has no alt text"
    in_text = [*problems.places(rf"!\[\s*\]\([^)\n]*?({words})")]
    in_html = [*problems.places(rf"(?i:<img\b(?![^>]*\balt\s*=\s*[\"']?[^\"'\s>])[^>]*?)({words})")]
    for place in in_text or in_html or [Place(source)]:
        hint = 'describe what it shows: alt="…"' if in_html else f"describe what it shows: ![…]({picture})"
        problems.tell("missing-alt", place, message, hint)


def _complaint(  # noqa: PLR0913 - a link and all its possible targets
    page: str,
    written: str,
    anchors: Mapping[str, frozenset[str]],
    folded: Mapping[str, str],
    *,
    files: Files,
    instead: Callable[[str], str],
) -> _Wrong | None:
    """The issue of a link, or None."""
    if not is_safe(written) and not written.startswith("data:image/"):
        return _Wrong(
            "bad-address", _bare(written), "“{}” is not a URL that can be linked", instead_of(written)
        )
    if ELSEWHERE.match(written):
        return None
    address, mark, rest = split(written)
    target = _target(page, unquote(address))
    actual = folded.get(target.casefold())
    if actual is None:
        several = files.find(unquote(address))
        if len(several) > 1:
            hint = "write more of the path: " + ", ".join(several[:3])
            return _Wrong("ambiguous-file", _bare(written), f"“{{}}” matches {len(several)} files", hint)
        bare = _bare(address)
        hint, right = instead(bare), _certain_address(bare, folded, files)
        right = f"{right}{mark}{rest}" if right else ""
        return _Wrong(
            "broken-link", _bare(written), "“{}” is not a page or file of this site", hint, target, right
        )
    if actual != target:
        steps = address.strip("/").count("/") + 1
        hint = f'write "{"/".join(actual.removesuffix("index.html").split("/")[-steps:])}"'
        message = "“{}” differs from the file name in upper and lower case"
        right = actual.removesuffix("index.html").rstrip("/")
        return _Wrong("wrong-case", _bare(written), message, hint, instead=right)
    fragment = unquote(rest) if mark == "#" else ""
    if fragment and target in anchors and fragment not in anchors[target]:
        known = sorted(name for name in anchors[target] if not name.startswith("page-"))
        near = did_you_mean(fragment, known)
        there = f"its anchors are {', '.join(f'#{name}' for name in known[:6])}" if known else ""
        message = f"{_page_of(target)} has no anchor “#{fragment}”"
        hint = f'did you mean "#{near}"?' if near else there
        right = near if near.casefold() == fragment.casefold() else ""
        bare = f"#{fragment}" if not address else _bare(written)
        return _Wrong("broken-anchor", bare, message, hint, target, right)
    return None


def _bare(written: str) -> str:
    """The URL without its leading "../" steps, which depend on the page."""
    return re.sub(r"^(?:\.\./)+", "", written)


def _page_of(file: str) -> str:
    return f"the page /{file.removesuffix('index.html')}"


def _instead(address: str, folded: Mapping[str, str], files: Files) -> str:
    """The repair for a URL that does not exist."""
    bare = re.sub(r"^(?:\.\./|\./|/)+", "", unquote(address))
    name = PurePosixPath(bare)
    pages = [
        f"/{path.removesuffix('index.html')}" for path in folded.values() if path.endswith("/index.html")
    ]
    if "@" in bare and "/" not in bare:
        return f"write mailto:{bare}"
    if is_host(bare):
        return f"write https://{bare}"
    if bare.startswith("content/") and files.find(bare.removeprefix("content/")):
        return f'write "{bare.removeprefix("content/")}"'
    if name.suffix in ("", ".md", ".html"):
        same = next((page for page in pages if f"/{name.with_suffix('')}/".endswith(page)), "")
        near = did_you_mean(f"/{name.with_suffix('')}/", pages)
        if same or near:
            return f'write "{same}"' if same else f'did you mean "{near}"?'
        return "the site has no page at this URL" if name.suffix == "" else "correct the link"
    names = {PurePosixPath(path).name: path for path in folded.values() if not path.endswith(".html")}
    near = did_you_mean(name.name, names)
    return f'did you mean "{names[near]}"?' if near else "add the file to content/, or correct the link"


def _certain_address(address: str, folded: Mapping[str, str], files: Files) -> str:
    """The URL that is certainly meant by one that does not exist, or ""."""
    bare = re.sub(r"^(?:\./|/)+", "", unquote(address))
    if re.fullmatch(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", bare):
        return f"mailto:{bare}"
    if bare.startswith("www.") and is_host(bare):
        return f"https://{address.lstrip('/')}"
    if bare.startswith("content/") and len(files.find(bare.removeprefix("content/"))) == 1:
        return address.lstrip("./").removeprefix("content/")
    name = PurePosixPath(bare)
    if name.suffix in (".md", ".html"):
        ending = f"/{name.with_suffix('')}/index.html"
        pages = [path for path in folded.values() if f"/{path}".endswith(ending)]
        return f"/{pages[0].removesuffix('index.html')}" if len(pages) == 1 else ""
    return ""


def _target(page: str, address: str) -> str:
    """The file that a URL on a page refers to; the URL "" is the page itself."""
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
