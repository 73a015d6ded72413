"""What a text embeds: galleries (`![Alt text](talks/*.jpg)`) and videos of services (`![Title](https://youtu.be/…)`)."""

import html
import re
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from functools import partial
from pathlib import PurePosixPath
from urllib.parse import parse_qs, quote, unquote

from tenure.markdown.html_tags import Attributes, Tag, format_tag, iterate_tags, rewrite_tags
from tenure.model.file_types import IMAGE_SUFFIXES
from tenure.model.links import parse_url
from tenure.record import Record

_IMAGE_BLOCK = re.compile(
    r"<(?P<element>p|figure)>\s*(?P<images>(?:<img\b[^>]*>\s*)+)(?P<caption><figcaption>.*?</figcaption>\s*)?</(?P=element)>",
    re.DOTALL,
)


def lay_out_galleries(markup: str, files: AbstractSet[str], close_label: str) -> str:
    """
    Replace each paragraph of images with a pattern by a gallery of the files of the site that match.

    An image that the paragraph names itself has its own alt text and caption, and is not repeated by a pattern. A pattern
    without a match stays, and is reported as a missing file.
    """

    def replace_block(block: re.Match[str]) -> str:
        images = [tag.attributes for tag in iterate_tags(block["images"], "img")]
        if not any("*" in (attributes.get("src") or "") for attributes in images):
            return block[0]
        pictures = list(_list_pictures(images, sorted(files)))
        if any("*" in (attributes["src"] or "") for attributes in pictures):
            return block[0]
        label = f' data-close="{html.escape(close_label)}"' if close_label else ""
        gallery = "\n".join(map(_format_picture, pictures))
        opening, closing = ("", "") if block["element"] == "p" else ("<figure>\n", "</figure>")
        return f'{opening}<div class="gallery"{label}>\n{gallery}\n</div>{block["caption"] or ""}{closing}'

    return _IMAGE_BLOCK.sub(replace_block, markup) if "*" in markup else markup


def _list_pictures(images: Iterable[Attributes], files: Iterable[str]) -> Iterator[Attributes]:
    """The images of a paragraph, each pattern replaced by the images that it matches."""
    images = list(images)
    named = {unquote(html.unescape(attributes.get("src") or "")).lstrip("./") for attributes in images}
    for attributes in images:
        pattern = unquote(html.unescape(attributes.get("src") or "")).lstrip("./")
        if "*" not in pattern:
            yield attributes
            continue
        parts = map(re.escape, pattern.split("*"))
        path_pattern = re.compile(rf"(?:.*/)?({'[^/]*'.join(parts)})")
        images_of_site = (path for path in files if path.lower().endswith(IMAGE_SUFFIXES))
        matches = [path for path in images_of_site if path_pattern.fullmatch(path)]
        paths = [path for path in matches if not any(f"/{path}".endswith(f"/{name}") for name in named)]
        for number, path in enumerate(paths, 1):
            alt = attributes.get("alt") or ""
            numbered_alt = f"{alt} ({number})" if alt and len(paths) > 1 else alt
            yield {**attributes, "src": quote(f"/{path}"), "alt": numbered_alt}
        if not matches:
            yield attributes


def _format_picture(attributes: Attributes) -> str:
    """An image as a link to itself, with its title as caption."""
    title = attributes.get("title")
    source = attributes["src"] or ""
    name = html.escape(PurePosixPath(unquote(html.unescape(source))).stem)
    link = {"href": source, "data-picture": None, **({} if attributes.get("alt") else {"aria-label": name})}
    image = {key: value for key, value in attributes.items() if key != "title"}
    caption = f"<figcaption>{title}</figcaption>" if title else ""
    return f'<figure class="media">{format_tag("a", link)}{format_tag("img", image)}</a>{caption}</figure>'


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
    groups = start.groups() if start else ("", "", "")
    seconds = sum(int(n or 0) * unit for n, unit in zip(groups, (3600, 60, 1), strict=True))
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
