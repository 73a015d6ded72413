"""Videos in a text: `![Title](https://youtu.be/…)` becomes the player of the service, or a link if it is not enabled."""

import html
import re
from collections.abc import Set as AbstractSet
from urllib.parse import parse_qs, urlsplit

from tenure.frozen import dataclass

ADDRESS = (
    r"https?://(?:(?:www\.|m\.)?youtube(?:-nocookie)?\.com/(?:watch\?|embed/|shorts/|live/)|youtu\.be/"
    r"|(?:www\.|player\.)?vimeo\.com/(?:video/)?\d)[^\s\"'<>)]+"
)
"""The URL of a video, as people copy it."""

_IMAGE = re.compile(rf'<img\b(?=[^>]*\ssrc="({ADDRESS})")[^>]*>')
_ALT = re.compile(r'\salt="([^"]*)"')


@dataclass(frozen=True, slots=True)
class Video:
    """A video: the key of its service under `services`, and the URL of its player."""

    service: str
    player: str


def parse_video(address: str) -> Video | None:
    """
    The video at a URL; None if the URL is not that of a video.

    The players set no cookies before a visitor plays the video: youtube-nocookie.com (YouTube Help, "Embed videos &
    playlists") and `dnt=1` (Vimeo Developer, "Player parameters").
    """
    parts = urlsplit(address)
    query = parse_qs(parts.query)
    names = [name for name in parts.path.split("/") if name]
    if "vimeo" in parts.netloc:
        numbers = [name for name in names if name.isdecimal()]
        if not numbers:
            return None
        unlisted = query.get("h", [name for name in names[-1:] if re.fullmatch(r"[0-9a-f]{8,}", name)])
        key = f"h={unlisted[0]}&" if unlisted and unlisted[0] != numbers[0] else ""
        return Video("vimeo", f"https://player.vimeo.com/video/{numbers[0]}?{key}dnt=1")
    name = query.get("v", names[-1:])
    if not name or not re.fullmatch(r"[\w-]{6,20}", name[0]):
        return None
    start = re.fullmatch(r"(?:(\d+)h)?(?:(\d+)m)?(\d+)?s?", query.get("start", query.get("t", [""]))[0])
    seconds = (
        sum(int(n or 0) * unit for n, unit in zip(start.groups(), (3600, 60, 1), strict=True)) if start else 0
    )
    begin = f"?start={seconds}" if seconds else ""
    return Video("youtube", f"https://www.youtube-nocookie.com/embed/{name[0]}{begin}")


def with_players(made: str, services: AbstractSet[str]) -> str:
    """Replace each image whose URL is a video by a player, or by a link if its service is not in `services`."""
    return _IMAGE.sub(lambda image: _player(image, services), made)


def _player(image: re.Match[str], services: AbstractSet[str]) -> str:
    video = parse_video(html.unescape(image[1]))
    if video is None:
        return image[0]
    alt = _ALT.search(image[0])
    title = alt[1] if alt and alt[1].strip() else "Video"
    if video.service not in services:
        return f'<a href="{image[1]}">{title}</a>'
    return (
        f'<iframe class="video" src="{html.escape(video.player)}" title="{title}" loading="lazy"'
        ' allow="fullscreen; picture-in-picture; encrypted-media"'
        ' referrerpolicy="strict-origin-when-cross-origin"></iframe>'
    )
