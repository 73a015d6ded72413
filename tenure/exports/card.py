"""
The social card of link previews, and the icon of a phone's home screen; Typst draws both from `card.typ`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from functools import partial
from typing import Any
from urllib.parse import unquote

from tenure.cache.store import CacheStore
from tenure.exports.cv.files import find_photo, report_diagnostic
from tenure.exports.cv.typst import TypstCompiler, TypstDiagnostic, typst_version
from tenure.exports.plain_text import remove_control_characters
from tenure.html.head import SOCIAL_CARD_FILE, SOCIAL_CARD_SIZE, TOUCH_ICON_FILE
from tenure.images.resizing import UnreadableImageError, make_jpeg, pillow_version, reduce_colors
from tenure.markdown.html import plain_text
from tenure.model.colors import MIN_CONTRAST, contrast_ratio, mix_colors
from tenure.model.links import parse_url
from tenure.model.names import find_initials, list_name_forms
from tenure.model.site import Site
from tenure.problems import Place, Problems
from tenure.publish import Artifact

TOUCH_ICON_SIZE = (180, 180)

DEFAULT_ACCENT_COLOR = "#444444"
QUIET_SHARE = 0.72
"""The share of the text's color in quiet text: `--muted` of themes/base/assets/style.css."""


def draw_pictures(
    site: Site,
    names: frozenset[str],
    icon_color: str,
    store: CacheStore,
    problems: Problems,
    files: Sequence[Artifact],
) -> Iterator[Artifact]:
    """
    Draw the pictures of list_pictures, cached; one with an error in the theme's `card.typ` is reported alone.

    `icon_color` is six hexadecimal digits. The photo of the profile is one of `files`. The card shows it; a
    logo, a drawing (SVG) or the picture of a work is shown whole.
    """
    if not names:
        return
    compiler = TypstCompiler.for_folders(site.active_theme.folders)
    file = find_photo(site, files)
    # an SVG is a logo, which does not fill the icon of a phone
    photo = None if file is None or _is_drawing(file) else file
    is_face = photo is not None and not site.profile.is_group
    shown = file or _find_picture(site, files)
    # the color is a text of a template
    accent = f"#{icon_color}" if re.fullmatch(r"[0-9a-fA-F]{6}", icon_color) else DEFAULT_ACCENT_COLOR

    icon = {"ground": accent, "initials": find_initials(site.profile.name)}
    cards = {
        SOCIAL_CARD_FILE: (SOCIAL_CARD_SIZE, _describe_card(site, accent), shown, not is_face),
        TOUCH_ICON_FILE: (TOUCH_ICON_SIZE, icon, photo, False),
    }
    # the first number is increased with any change to how a picture is drawn
    version = f"3 {typst_version()} {pillow_version()}"
    for name in sorted(names):
        size, card, picture, is_whole = cards[name]
        body = picture.read() if picture is not None else b""
        is_svg = picture is not None and _is_drawing(picture)
        draw = partial(_draw_card, compiler, size, card, body, is_whole=is_whole, is_drawing=is_svg)
        drawn = store.call("cards", version, (compiler.digest, repr(card), body, is_whole, is_svg), draw)
        if isinstance(drawn, bytes):
            yield Artifact(name, drawn, Place("site.yaml"))
        else:
            report_diagnostic(drawn, "cv-template", site, compiler, problems)


def _is_drawing(file: Artifact) -> bool:
    return file.path.casefold().endswith(".svg")


def _find_picture(site: Site, files: Sequence[Artifact]) -> Artifact | None:
    """The picture of the first publication that has one, selected ones first, else of the first project."""
    works = [
        *sorted(site.publications, key=lambda paper: not paper.selected),
        *site.entries_of("projects"),
    ]
    by_path = {file.path: file for file in files}
    for work in works:
        path = unquote(work.thumbnail.still).removeprefix("/") if work.thumbnail is not None else ""
        if path in by_path:
            return by_path[path]
    return None


def _describe_card(site: Site, accent: str) -> Mapping[str, Any]:
    """
    The colors and lines of the social card.

    A theme with a palette may have a band, a bar of color at the top of its pages with text in the color
    `ink`; the card is in the colors of the band, or else of the page. The links on a band have the color of
    links in light or in dark pages, whichever can be read on it.

    The name is that of a site about one work, else that of the site or its owner; each line has alternatives
    for a font that lacks letters.
    """
    profile = site.profile
    palette = site.active_theme.palette
    url = parse_url(site.settings.url)
    ground = "#ffffff"
    text = "#1b1b1a"
    quiet = "#5a5a58"
    if palette is not None:
        ground = palette.ground.light
        text = palette.text.light
        if palette.band:
            ground = palette.band.light
            text = palette.ink.light
            readable = (c for c in (accent, palette.dark) if contrast_ratio(c, ground) >= MIN_CONTRAST)
            accent = next(readable, text)
        quiet = mix_colors(text, ground, QUIET_SHARE)

    title = plain_text(site.main_work.name) if site.main_work is not None else ""
    role = plain_text(profile.role) or plain_text(site.settings.description)
    affiliations = ", ".join(plain_text(affiliation.name) for affiliation in profile.affiliation)
    names = (title, site.title, *list_name_forms(profile.name), *profile.aliases)
    # the texts, then size, color, space above, most rows and weight
    rows = [
        (names, 104, text, 0, 5 if title else 2, 700),
        ((role,), 44, quiet, 24, 3, 400),
        ((affiliations,), 44, quiet, 12, 3, 400),
        ((f"{url.netloc}{url.path.rstrip('/')}",), 36, accent, 40, 1, 400),
    ]
    lines = []
    for texts, *values in rows:
        line = dict(zip(("size", "color", "above", "rows", "weight"), values, strict=True))
        visible = (text for text in map(remove_control_characters, texts) if text.strip("\u200c\u200d "))
        lines.append(line | {"texts": [*visible]})
    return {"ground": ground, "accent": accent, "lines": lines}


PHOTO_SIZE = (504, 630)
"""Pixels of the photo at the right of the card."""


def _draw_card(
    compiler: TypstCompiler,
    size: tuple[int, int],
    card: Mapping[str, Any],
    picture: bytes,
    *,
    is_whole: bool,
    is_drawing: bool,
) -> bytes | TypstDiagnostic:
    """
    Draw a picture as PNG, with 256 colors if it shows another one; returns the error of a theme's `card.typ`.

    Without one it has few colors, and the same bytes where there is no Pillow.
    """
    files = {}
    if is_drawing:
        files["picture.svg"] = picture
    elif picture:
        # The page that shows the picture reports a file that cannot be read.
        with suppress(UnreadableImageError):
            # a face is above the middle of a photo
            files["picture.jpg"] = make_jpeg(picture, PHOTO_SIZE, 0.15, whole=is_whole)
    path = next((f"/{name}" for name in files), None)
    data = {
        **card,
        "width": size[0],
        "height": size[1],
        "photo": None if is_whole else path,
        "picture": path if is_whole else None,
    }

    # again with another text for the letters that the fonts lacked, until no new ones are missing
    missing: set[str] = set()
    while True:
        data |= _choose_letters(card, missing)
        result, letters = compiler.draw_picture("card.typ", data, files)
        if missing.issuperset(letters):
            break
        missing.update(letters)
    if isinstance(result, TypstDiagnostic):
        return result
    return reduce_colors(result) if files else result


def _choose_letters(card: Mapping[str, Any], missing: Set[str]) -> dict[str, Any]:
    """
    The texts of a card without letters that the theme's fonts do not have, because boxes mean nothing.

    A line is the first of its alternatives that can be shown; without one it is omitted.
    """
    lines = []
    for line in card.get("lines", ()):
        text = next(filter(missing.isdisjoint, line["texts"]), "")
        if text:
            lines.append(line | {"text": text})
    initials = card.get("initials", "")
    return {
        "title": lines[0]["text"] if lines else "Icon",
        "lines": lines,
        "initials": initials if missing.isdisjoint(initials) else "",
    }
