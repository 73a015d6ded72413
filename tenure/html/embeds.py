"""What a text embeds: galleries (`![Alt](talks/*.jpg)`) and videos (`![Title](https://youtu.be/…)`)."""

import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from pathlib import PurePosixPath
from urllib.parse import parse_qs, quote, unquote

from tenure.markdown.html_tags import Attributes, Tag, format_tag, iterate_tags, rewrite_tags
from tenure.model.files import IMAGE_SUFFIXES
from tenure.model.links import parse_url
from tenure.record import Record

_IMAGE_BLOCK = re.compile(
    r"""
    <(?P<element>p|figure)>\s*
    (?P<images>(?:<img\b[^>]*>\s*)+)
    (?P<caption><figcaption>.*?</figcaption>\s*)?
    </(?P=element)>
    """,
    re.DOTALL | re.VERBOSE,
)
"""A paragraph or a figure with nothing but images: `<p><img src="talks/*.jpg" alt="Talk"></p>`."""


def lay_out_galleries(markup: str, files: AbstractSet[str], close_label: str) -> str:
    """
    Replace each paragraph of images with a pattern by a gallery of the files of the site that match.

    A pattern without a match stays, and is reported as a missing file.
    """
    if "*" not in markup:
        return markup
    return _IMAGE_BLOCK.sub(partial(_lay_out_gallery, files, close_label), markup)


def _lay_out_gallery(files: AbstractSet[str], close_label: str, block: re.Match[str]) -> str:
    """A paragraph of images, ![](looms/*.png), as a gallery; as it is without a pattern that matches."""
    images = [tag.attributes for tag in iterate_tags(block["images"], "img")]
    if not any(map(_is_pattern, images)):
        return block[0]
    pictures = list(_list_pictures(images, sorted(files)))
    if any(map(_is_pattern, pictures)):
        return block[0]

    label = f' data-close="{html.escape(close_label)}"' if close_label else ""
    gallery = "\n".join(map(_format_picture, pictures))
    gallery = f'<div class="gallery"{label}>\n{gallery}\n</div>{block["caption"] or ""}'
    return f"<figure>\n{gallery}</figure>" if block["element"] == "figure" else gallery


def _is_pattern(image: Attributes) -> bool:
    return "*" in (image.get("src") or "")


def _list_pictures(images: Sequence[Attributes], files: Iterable[str]) -> Iterator[Attributes]:
    """
    The images of a paragraph, each pattern replaced by the images that it matches: "looms/*.png".

    A pattern that matches nothing stays, so that it is reported as a file that is not there.
    """
    names = [unquote(html.unescape(image.get("src") or "")).lstrip("./") for image in images]
    # an image that the paragraph names itself has its own alt text and caption
    named_endings = tuple(f"/{name}" for name in names)
    images_of_site = [path for path in files if path.lower().endswith(IMAGE_SUFFIXES)]
    for attributes, name in zip(images, names, strict=True):
        if "*" not in name:
            yield attributes
            continue

        parts = map(re.escape, name.split("*"))
        path_pattern = re.compile(rf"(?:.*/)?({'[^/]*'.join(parts)})")
        matches = [path for path in images_of_site if path_pattern.fullmatch(path)]
        paths = [path for path in matches if not f"/{path}".endswith(named_endings)]
        for number, path in enumerate(paths, 1):
            alt = attributes.get("alt") or ""
            if alt and len(paths) > 1:
                alt = f"{alt} ({number})"
            yield {**attributes, "src": quote(f"/{path}"), "alt": alt}
        if not matches:
            yield attributes


def _format_picture(attributes: Attributes) -> str:
    """
    An image as a link to itself, with its title as caption.

    The attributes are HTML source, escaped already. An image without alt has the name of its file for a
    screen reader: "talks/a&amp;b.jpg" -> aria-label="a&amp;b".
    """
    title = attributes.get("title")
    source = attributes["src"] or ""
    name = html.escape(PurePosixPath(unquote(html.unescape(source))).stem)
    link = {"href": source, "data-picture": None, **({} if attributes.get("alt") else {"aria-label": name})}
    image = {key: value for key, value in attributes.items() if key != "title"}
    caption = f"<figcaption>{title}</figcaption>" if title else ""
    return f'<figure class="media">{format_tag("a", link)}{format_tag("img", image)}</a>{caption}</figure>'


_VIDEO_URL = re.compile(
    r"""
    https?://
    (?: (?:www\.|m\.)?youtube(?:-nocookie)?\.com/(?:watch\?|embed/|shorts/|live/)   # …/watch?v=dQw4w9WgXcQ
      | youtu\.be/                                                                   # youtu.be/dQw4w9WgXcQ
      | (?:www\.|player\.)?vimeo\.com/(?:video/)?\d                                  # vimeo.com/76979871
    )
    [^\s\"'<>)]+
    """,
    re.VERBOSE,
)
"""The URL of a video, as people copy it."""


class Video(Record):
    """A video: the key of its service under `services`, and the URL of its player."""

    service: str
    player_url: str


def parse_video(url: str) -> Video | None:
    """The video at a URL, as people copy it; None if the URL is not that of a video."""
    if not _VIDEO_URL.fullmatch(url):
        return None
    url_parts = parse_url(url)
    query = parse_qs(url_parts.query)
    segments = [name for name in url_parts.path.split("/") if name]
    if "vimeo" in url_parts.netloc:
        return _parse_vimeo(segments, query)
    return _parse_youtube(segments, query)


def _parse_vimeo(segments: Sequence[str], query: Mapping[str, list[str]]) -> Video | None:
    """A video of Vimeo; one that is not listed has a key: vimeo.com/76979871/9f7c3b1a2e."""
    number = next(filter(str.isdecimal, segments), "")
    if not number:
        return None
    keys = query.get("h", [name for name in segments[-1:] if re.fullmatch(r"[0-9a-f]{8,}", name)])
    key = f"h={keys[0]}&" if keys and keys[0] != number else ""
    # the player then sets no cookies (Vimeo Developer, "Player parameters")
    return Video("vimeo", f"https://player.vimeo.com/video/{number}?{key}dnt=1")


def _parse_youtube(segments: Sequence[str], query: Mapping[str, list[str]]) -> Video | None:
    """A video of YouTube, from a second on: youtu.be/dQw4w9WgXcQ?t=1m30s; None for another page."""
    names = query.get("v", segments[-1:])
    if not names or not re.fullmatch(r"[\w-]{6,20}", names[0]):
        return None
    # t=1h2m3s, start=90
    seconds = 0
    start = re.fullmatch(r"(?:(\d+)h)?(?:(\d+)m)?(\d+)?s?", query.get("start", query.get("t", [""]))[0])
    if start:
        seconds = sum(int(n or 0) * unit for n, unit in zip(start.groups(), (3600, 60, 1), strict=True))
    start_query = f"?start={seconds}" if seconds else ""
    # the player sets no cookies before the video is played (YouTube Help, "Embed videos & playlists")
    return Video("youtube", f"https://www.youtube-nocookie.com/embed/{names[0]}{start_query}")


def embed_videos(markup: str, services: AbstractSet[str]) -> str:
    """Replace each image whose URL is a video by a player, or a link if its service is not in `services`."""
    return rewrite_tags(markup, partial(_embed_video, services), "img")


def _embed_video(services: AbstractSet[str], image: Tag) -> str:
    """The player of a video, or a link to it if its service is not allowed; another image as it is."""
    attributes = image.attributes
    url = attributes.get("src") or ""
    video = parse_video(html.unescape(url))
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
