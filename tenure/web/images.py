"""Adds size, versions and lazy loading to every <img> of the finished pages; removes metadata from published images."""

import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urljoin, urlsplit

from tenure.frozen import dataclass
from tenure.output import Artifact
from tenure.problems import Place, Problems
from tenure.progress import Progress, unseen
from tenure.web.traces import cleaned, tells_place

if TYPE_CHECKING:
    from tenure.web.pictures import Shown

CLEANED = frozenset([".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".apng", ".webp", ".gif"])
NOT_CLEANED = frozenset([".avif", ".heic", ".heif", ".tif", ".tiff"])
PICTURES = CLEANED | NOT_CLEANED | {".svg", ".bmp", ".ico"}
COLUMN = 672
"""CSS pixels of the width of a text column, 42 rem."""

TEXT_SIZES = "(min-width: 45rem) 42rem, 100vw"
"""The `sizes` of an image in a text without its own: the column, or the screen."""

_IMG = re.compile(r"""<img\b((?:[^"'<>]|"[^"]*"|'[^']*')*)>""", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""([^\s"'<>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'<>]+))?""")
_LENGTH = re.compile(r"(\d+(?:\.\d+)?)(px|rem)")

Box = tuple[int, int]
"""Width and height available to an image on a page, in CSS pixels; 0 if the page leaves it open."""

Attributes = dict[str, str | None]
"""The attributes of an element as written, without quotes; None for an attribute without a value."""


def show(
    artifacts: Sequence[Artifact],
    cache: Path,
    problems: Problems,
    base: str = "",
    progress: Progress = unseen,
) -> tuple[Artifact, ...]:
    """
    Return the artifacts with size and versions in every <img> that shows a file of the site, plus the files of the versions.

    Each image is also published at its own path, without metadata. That copy is downscaled like the version on the pages,
    unless a page links to it or no page shows it. `base_path` is the path of the site, which begins the URLs on /404.html.
    """
    copies = {a.path: a for a in artifacts if isinstance(a.body, Path)}
    pages = {
        a.path: _Page(a, copies, f"{base.rstrip('/')}/" if a.path == "404.html" else "")
        for a in artifacts
        if a.path.endswith(".html") and isinstance(a.body, bytes) and b"<img" in a.body
    }
    wanted: dict[Path, frozenset[Box]] = {}
    named: dict[Path, Artifact] = {}
    for page in pages.values():
        for artifact, source, box in page.wanted(problems):
            wanted[source] = wanted.get(source, frozenset()) | {box}
            named.setdefault(source, artifact)
    shown: dict[Path, Shown] = {}
    if wanted:
        from tenure.web.pictures import album  # noqa: PLC0415 - most sites show no image

        shown = album(wanted, named, cache, problems, progress)
    made = [pages[a.path].rewritten(shown) if a.path in pages else a for a in artifacts]
    made = [_copied(a, a.body, shown, made, problems) if isinstance(a.body, Path) else a for a in made]
    versions = {file.path: file for picture in shown.values() for file in picture.files}
    return (*made, *versions.values())


@dataclass(frozen=True, slots=True)
class _Page:
    """A page with images; `url_prefix` begins its URLs if they are not relative."""

    artifact: Artifact
    copies: Mapping[str, Artifact]
    root: str

    @property
    def text(self) -> str:
        return self.artifact.read().decode()

    def wanted(self, problems: Problems) -> Iterator[tuple[Artifact, Path, Box]]:
        """Every image of the site that the page shows, its file, and its box."""
        for found in _IMG.finditer(self.text):
            attributes = _read(found[1])
            artifact = self._shown_by(attributes)
            if artifact is None or not isinstance(artifact.body, Path):
                continue
            if PurePosixPath(artifact.path).suffix.lower() in PICTURES:
                yield artifact, artifact.body, _box(attributes)
                continue
            name = PurePosixPath(artifact.source).name
            place = problems.where(name) or Place(artifact.source)
            hint = "show it as SVG, PNG or JPEG, or link to it: [words](file)"
            problems.tell("unreadable-picture", place, f"{name} is not an image that a page can show", hint)

    def _shown_by(self, attributes: Attributes) -> Artifact | None:
        written = html.unescape(attributes.get("src") or "")
        address = urlsplit(urljoin(f"/{quote(self.artifact.path)}", written))
        if address.scheme or address.netloc:
            return None
        return self.copies.get(unquote(address.path.removeprefix(self.root)).lstrip("/"))

    def rewritten(self, shown: "Mapping[Path, Shown]") -> Artifact:
        """The page with the new attributes of each <img>."""
        root = self.root or "../" * self.artifact.path.count("/")
        before: list[str] = []

        def replaced(found: re.Match[str]) -> str:
            attributes = _read(found[1])
            artifact = self._shown_by(attributes)
            if artifact is None or not isinstance(artifact.body, Path) or artifact.body not in shown:
                return found[0]
            loading = "lazy" if before else "eager"  # the first image may be visible at once
            before.append(found[0])
            return _written(_with(attributes, shown[artifact.body], root, loading))

        return replace(self.artifact, body=_IMG.sub(replaced, self.text).encode())


def _read(written: str) -> Attributes:
    found: Attributes = {}
    for name, value in _ATTRIBUTE.findall(written):
        bare = value[1:-1] if value[:1] in ('"', "'") else value
        found.setdefault(name.lower(), bare.replace('"', "&quot;") if value else None)
    return found


def _written(attributes: Attributes) -> str:
    parts = (name if value is None else f'{name}="{value}"' for name, value in attributes.items())
    return f"<img {' '.join(parts)}>"


def _box(attributes: Attributes) -> Box:
    """The box of an image: the width and height of the element, or a single length in `sizes`."""
    length = _LENGTH.fullmatch(attributes.get("sizes") or "")
    if length:
        return round(float(length[1]) * (16 if length[2] == "rem" else 1)), 0
    return _number(attributes.get("width")), _number(attributes.get("height"))


def _number(written: str | None) -> int:
    """Pixels; a percentage, which is common though HTML requires a number, is taken of the column width."""
    found = re.fullmatch(r"\s*(\d{1,5})(?:\.\d*)?(px|%)?\s*", written or "")
    return round(int(found[1]) * (COLUMN / 100 if found[2] == "%" else 1)) if found else 0


def _with(given: Attributes, picture: "Shown", root: str, loading: str) -> Attributes:
    """
    The new attributes of an <img>.

    Width and height prevent layout shifts while the image loads; attributes written in the page take precedence.
    """
    made = dict(given)
    _, mark, fragment = (given["src"] or "").partition("#")
    made["src"] = f"{root}{quote(picture.path)}{mark}{fragment}"
    size = picture.width, picture.height
    width, height = _number(made.get("width")), _number(made.get("height"))
    stands = picture.wide(_box(made))
    made["width"] = str(width or (round(height * size[0] / size[1]) if height else size[0]))
    made["height"] = str(height or (round(width * size[1] / size[0]) if width else size[1]))
    if made.get("alt") == "":
        made.pop("role", None)  # alt="" alone marks a decorative image in HTML
    made.setdefault("loading", loading)
    if made["loading"] == "lazy":
        made.setdefault("decoding", "async")
    if picture.versions and "srcset" not in given:
        made["srcset"] = ", ".join(f"{root}{quote(path)} {w}w" for w, path in picture.versions)
        auto = "auto, " if made["loading"] == "lazy" else ""
        made.setdefault("sizes", f"{stands}px" if stands else f"{auto}{TEXT_SIZES}")
    return made


def _copied(
    artifact: Artifact,
    source: Path,
    shown: "Mapping[Path, Shown]",
    made: Iterable[Artifact],
    problems: Problems,
) -> Artifact:
    """The file as published at its own path: an image without metadata, downscaled if no page links to it."""
    suffix = PurePosixPath(artifact.path).suffix.lower()
    if suffix not in CLEANED | NOT_CLEANED:
        return artifact
    tamed = shown[source].tamed if source in shown else None
    is_same = tamed is not None and tamed.suffix == {".jpeg": "jpg", ".jpe": "jpg"}.get(suffix, suffix[1:])
    if tamed and is_same and not _is_led_to(artifact.path, made):
        return replace(artifact, body=tamed.body)
    try:
        body = source.read_bytes()
    except OSError:
        return artifact  # tenure.publish reports the unreadable file
    if suffix in NOT_CLEANED:
        if tells_place(body):
            message = (
                "this image may say where and with which camera it was taken, and is published unchanged"
            )
            problems.tell("picture-data", Place(artifact.source), message, "export it as JPEG, PNG or WebP")
        return artifact
    clean = cleaned(body)
    return replace(artifact, body=clean) if clean != body else artifact


def _is_led_to(path: str, artifacts: Iterable[Artifact]) -> bool:
    """Whether a page links to the file, so that readers expect it in full size."""
    name = quote(PurePosixPath(path).name)
    link = re.compile(rf"""\shref=["'][^"']*{re.escape(html.escape(name))}["'?#]""".encode())
    return any(
        name.encode() in a.body and link.search(a.body)
        for a in artifacts
        if a.path.endswith(".html") and isinstance(a.body, bytes)
    )
