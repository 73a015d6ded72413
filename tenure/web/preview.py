"""The social card, shown in link previews: name, role, affiliation and URL in the theme's color; cached."""

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from tenure.memo import Memo
from tenure.model.site import Site
from tenure.output import Artifact
from tenure.text import plain
from tenure.web.head import PREVIEW, PREVIEW_SIZE

FORM = 1
"""Increased with any change to how the card is drawn."""

LEFT, RIGHT = 110, 90
BACKGROUND, INK, QUIET = "#ffffff", "#1b1b1a", "#5a5a58"
NEUTRAL = "#444444"
UNACCENTED = str.maketrans("łŁøØđĐıħĦŧŦ", "lLoOdDihHtT") | {
    ord("æ"): "ae",
    ord("Æ"): "Ae",
    ord("œ"): "oe",
    ord("ß"): "ss",
}
"""Letters that Unicode does not decompose."""


def preview(site: Site, colour: str, folders: Sequence[Path], memo: Memo) -> Iterator[Artifact]:
    """
    The social card of a site with a URL; a file of the same name in content/ replaces it.

    `color` is six hexadecimal digits; `folders` are those of the theme, whose fonts are used.
    """
    if not site.settings.url or PREVIEW in site.files:
        return
    from tenure.web.raster import Lettering, lettered, maker  # noqa: PLC0415 - not needed for a site without a URL

    tint = f"#{colour}" if re.fullmatch(r"[0-9a-fA-F]{6}", colour) else NEUTRAL
    who = site.profile
    names = [name for name in (site.title, who.name, *who.aliases) if name]
    place = ", ".join(plain(affiliation.name) for affiliation in who.affiliation)
    host = urlsplit(site.settings.url)
    lines = (
        Lettering(_spelled(*names), 104, INK, 0, 2),
        Lettering(_spelled(plain(who.role) or plain(site.settings.description)), 44, QUIET, 24, 2),
        Lettering(_spelled(place), 44, QUIET, 12, 1),
        Lettering((f"{host.netloc}{host.path.rstrip('/')}",), 36, tint, 40, 1),
    )
    fonts = _fonts(folders)
    wanted = repr((FORM, maker(), lines, tint, [(font.name, font.stat().st_size) for font in fonts]))
    key = f"preview {hashlib.blake2b(wanted.encode(errors='replace'), digest_size=16).hexdigest()}"
    body = memo.get(key)
    if body is None:
        body = lettered(PREVIEW_SIZE, BACKGROUND, tint, (LEFT, RIGHT), lines, fonts)
        memo.put(key, body)
    yield Artifact(PREVIEW, body, "site.yaml")


def _spelled(*texts: str) -> tuple[str, ...]:
    """The texts, then the same texts without accents, for a font that lacks one of their letters."""
    bare = (unicodedata.normalize("NFKD", text).translate(UNACCENTED) for text in texts)
    stripped = ("".join(c for c in text if not unicodedata.combining(c)) for text in bare)
    return tuple(dict.fromkeys((*texts, *stripped)))


def _fonts(folders: Sequence[Path]) -> tuple[Path, ...]:
    """The fonts of a theme, upright ones first."""
    found = [path for folder in folders for path in sorted((folder / "assets").rglob("*.woff2"))]
    return tuple(sorted(found, key=lambda path: any(word in path.name for word in ("italic", "-sc", "mono"))))
