"""Videos in a text: `![Title](https://youtu.be/…)` becomes the player of the service, or a link if it is not enabled."""

import html
import re
from collections.abc import Set as AbstractSet
from functools import partial
from urllib.parse import parse_qs

from tenure.markdown.html_tags import Tag, rewrite_tags
from tenure.model.links import parse_url
from tenure.record import Record

VIDEO_URL = (
    r"https?://(?:(?:www\.|m\.)?youtube(?:-nocookie)?\.com/(?:watch\?|embed/|shorts/|live/)|youtu\.be/"
    r"|(?:www\.|player\.)?vimeo\.com/(?:video/)?\d)[^\s\"'<>)]+"
)
"""The URL of a video, as people copy it."""


class Video(Record):
    """A video: the key of its service under `services`, and the URL of its player."""

    service: str
    player_url: str


def parse_video(url: str) -> Video | None:
    """
    The video at a URL; None if the URL is not that of a video.

    The players set no cookies before a visitor plays the video: youtube-nocookie.com (YouTube Help, "Embed videos &
    playlists") and `dnt=1` (Vimeo Developer, "Player parameters").
    """
    url_parts = parse_url(url)
    query = parse_qs(url_parts.query)
    segments = [name for name in url_parts.path.split("/") if name]
    if "vimeo" in url_parts.netloc:
        numbers = [name for name in segments if name.isdecimal()]
        if not numbers:
            return None
        unlisted = query.get("h", [name for name in segments[-1:] if re.fullmatch(r"[0-9a-f]{8,}", name)])
        key = f"h={unlisted[0]}&" if unlisted and unlisted[0] != numbers[0] else ""
        return Video("vimeo", f"https://player.vimeo.com/video/{numbers[0]}?{key}dnt=1")
    name = query.get("v", segments[-1:])
    if not name or not re.fullmatch(r"[\w-]{6,20}", name[0]):
        return None
    start = re.fullmatch(r"(?:(\d+)h)?(?:(\d+)m)?(\d+)?s?", query.get("start", query.get("t", [""]))[0])
    seconds = (
        sum(int(n or 0) * unit for n, unit in zip(start.groups(), (3600, 60, 1), strict=True)) if start else 0
    )
    start_query = f"?start={seconds}" if seconds else ""
    return Video("youtube", f"https://www.youtube-nocookie.com/embed/{name[0]}{start_query}")


def embed_videos(markup: str, services: AbstractSet[str]) -> str:
    """Replace each image whose URL is a video by a player, or by a link if its service is not in `services`."""
    return rewrite_tags(markup, partial(_embed_video, services), "img")


def _embed_video(services: AbstractSet[str], image: Tag) -> str:
    attributes = image.attributes
    url = attributes.get("src") or ""
    video = parse_video(html.unescape(url)) if re.fullmatch(VIDEO_URL, url) else None
    if video is None:
        return image.text
    alt = attributes.get("alt") or ""
    title = alt if alt.strip() else "Video"
    if video.service not in services:
        return f'<a href="{url}">{title}</a>'
    return (
        f'<iframe class="video" src="{html.escape(video.player_url)}" title="{title}" loading="lazy"'
        ' allow="fullscreen; picture-in-picture; encrypted-media"'
        ' referrerpolicy="strict-origin-when-cross-origin"></iframe>'
    )
