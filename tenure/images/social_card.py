"""The social card, shown in link previews: name (or the title of a site about one work), role, affiliation and URL in the theme's color, and the photo; and the icon on the home screen of a phone; cached."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from tenure.cache.store import CacheStore
from tenure.cache.up_to_date import list_used_files
from tenure.html.head import SOCIAL_CARD_FILE, SOCIAL_CARD_SIZE
from tenure.markdown.html import plain_text
from tenure.model.colors import MIN_CONTRAST, contrast_ratio, mix_colors
from tenure.model.links import parse_url
from tenure.model.names import find_initials
from tenure.model.site import Site
from tenure.problems import Place
from tenure.publish import Artifact

CACHE_FORMAT = 3
"""Increased with any change to how the card is drawn."""

LEFT_MARGIN, RIGHT_MARGIN = 110, 90
BOLD = 700
DEFAULT_ACCENT_COLOR = "#444444"
QUIET_SHARE = 0.72
"""The share of the text's color in quiet text: `--muted` of themes/base/assets/style.css."""
UNACCENTED_LETTERS = str.maketrans("łŁøØđĐıħĦŧŦ", "lLoOdDihHtT") | str.maketrans(
    {"æ": "ae", "Æ": "Ae", "œ": "oe", "ß": "ss"}
)
"""Letters that Unicode does not decompose."""


class CardColors(NamedTuple):
    """The colors of the social card: the ground, the name, the lines below it, and the bar with the URL."""

    ground: str
    text: str
    quiet: str
    accent: str


def make_social_card(
    site: Site, color: str, folders: Sequence[Path], store: CacheStore, files: Iterable[Artifact] = ()
) -> Iterator[Artifact]:
    """
    The social card of a site with a URL; a file of the same name in content/ replaces it.

    `color` is six hexadecimal digits; `folders` are those of the theme, whose fonts are used. The photo of the
    profile is one of `files`; a photo that is a drawing (SVG) is not shown.
    """
    if not site.settings.url or SOCIAL_CARD_FILE in site.files:
        return
    from tenure.images.resizing import CardText, draw_card, pillow_version  # noqa: PLC0415 - not needed for a site without a URL

    colors = _choose_colors(site, color)
    profile = site.profile
    title = plain_text(site.main_work.name) if site.main_work is not None else ""
    names = [name for name in (title, site.title, profile.name, *profile.aliases) if name]
    affiliations = ", ".join(plain_text(affiliation.name) for affiliation in profile.affiliation)
    url_parts = parse_url(site.settings.url)
    role = plain_text(profile.role) or plain_text(site.settings.description)
    lines = (
        CardText(_with_unaccented(*names), 104, colors.text, 0, 2, BOLD),
        CardText(_with_unaccented(role), 44, colors.quiet, 24, 2),
        CardText(_with_unaccented(affiliations), 44, colors.quiet, 12, 1),
        CardText((f"{url_parts.netloc}{url_parts.path.rstrip('/')}",), 36, colors.accent, 40, 1),
    )
    fonts = _find_fonts(site, folders)
    photo = _find_photo(profile.photo, files)
    inputs = (repr(lines), repr(colors), [(font.name, font.stat().st_size) for font in fonts], photo)
    margins = LEFT_MARGIN, RIGHT_MARGIN
    body = store.call(
        "social-card",
        f"{CACHE_FORMAT} {pillow_version()}",
        inputs,
        lambda: draw_card(SOCIAL_CARD_SIZE, colors.ground, colors.accent, margins, lines, fonts, photo),
    )
    yield Artifact(SOCIAL_CARD_FILE, body, Place("site.yaml"))


def _choose_colors(site: Site, color: str) -> CardColors:
    """The colors of the theme's palette, on its band if it has one; without a palette, the color of the icon on white."""
    palette, accent = site.active_theme.palette, _read_icon_color(color)
    if palette is None:
        return CardColors("#ffffff", "#1b1b1a", "#5a5a58", accent)
    ground, text = palette.ground.light, palette.text.light
    if palette.band:
        ground, text = palette.band.light, palette.ink.light
        candidates = (accent, palette.dark, text)
        accent = next((color for color in candidates if contrast_ratio(color, ground) >= MIN_CONTRAST), text)
    return CardColors(ground, text, mix_colors(text, ground, QUIET_SHARE), accent)


def _read_icon_color(color: str) -> str:
    return f"#{color}" if re.fullmatch(r"[0-9a-fA-F]{6}", color) else DEFAULT_ACCENT_COLOR


TOUCH_ICON_FILE = "apple-touch-icon.png"
TOUCH_ICON_SIZE = 180


def make_touch_icon(
    site: Site, color: str, folders: Sequence[Path], store: CacheStore, files: Iterable[Artifact] = ()
) -> Iterator[Artifact]:
    """
    The icon on the home screen of a phone, of a site with a URL and without an own PNG icon: the photo or the initials.

    The arguments are those of `make_social_card`.
    """
    if not site.settings.url or {TOUCH_ICON_FILE, "favicon.png"} & site.files:
        return
    from tenure.images.resizing import draw_icon, pillow_version  # noqa: PLC0415 - not needed for a site without a URL

    accent_color = _read_icon_color(color)
    initials = _with_unaccented(find_initials(site.profile.name))
    fonts = _find_fonts(site, folders)
    photo = _find_photo(site.profile.photo, files)
    inputs = (initials, accent_color, [(font.name, font.stat().st_size) for font in fonts], photo)
    body = store.call(
        "touch-icon",
        pillow_version(),
        inputs,
        lambda: draw_icon(TOUCH_ICON_SIZE, accent_color, initials, fonts, photo),
    )
    yield Artifact(TOUCH_ICON_FILE, body, Place("site.yaml"))


def _find_photo(name: str, files: Iterable[Artifact]) -> bytes:
    """The body of the photo that the profile names; b"" without a photo of pixels."""
    path = unquote(name).lstrip("/")
    if not path or path.endswith(".svg"):
        return b""
    return next((file.read() for file in files if file.path == path or file.path.endswith(f"/{path}")), b"")


def _with_unaccented(*texts: str) -> tuple[str, ...]:
    """The texts, then the same texts without accents, for a font that lacks one of their letters."""
    decomposed = (unicodedata.normalize("NFKD", text).translate(UNACCENTED_LETTERS) for text in texts)
    stripped = ("".join(c for c in text if not unicodedata.combining(c)) for text in decomposed)
    return tuple(dict.fromkeys((*texts, *stripped)))


def _find_fonts(site: Site, folders: Sequence[Path]) -> tuple[Path, ...]:
    """The fonts of a theme: upright ones first, and the one of its option "fonts" before all."""
    paths = [path for folder in folders for path in list_used_files(folder, "assets/**/*.woff2")]
    own = str(site.active_theme.options.get("fonts"))
    markers = ("italic", "-sc", "mono")
    return tuple(sorted(paths, key=lambda p: (any(m in p.name for m in markers), not p.name.startswith(own))))
