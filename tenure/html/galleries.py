"""Galleries in a text: a paragraph of images of which one is a pattern, `![Alt text](talks/*.jpg)`, becomes a grid of links to images."""

import html
import re
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from pathlib import PurePosixPath
from urllib.parse import quote, unquote

from tenure.markdown.html_tags import Attributes, format_tag, iterate_tags

GALLERY_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".gif", ".svg", ".avif")

_IMAGE_BLOCK = re.compile(
    r"<(?P<element>p|figure)>\s*(?P<images>(?:<img\b[^>]*>\s*)+)(?P<caption><figcaption>.*?</figcaption>\s*)?</(?P=element)>",
    re.DOTALL,
)
_THUMBNAIL_SIZES = "14rem"


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
        matches = [
            path for path in files if path.lower().endswith(GALLERY_SUFFIXES) and path_pattern.fullmatch(path)
        ]
        paths = [
            path for path in matches if not any(path == name or path.endswith(f"/{name}") for name in named)
        ]
        for number, path in enumerate(paths, 1):
            alt = attributes.get("alt") or ""
            yield {
                **attributes,
                "src": quote(f"/{path}"),
                "alt": f"{alt} ({number})" if alt and len(paths) > 1 else alt,
            }
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
    return (
        f'<figure class="media">{format_tag("a", link)}'
        f"{format_tag('img', {**image, 'sizes': _THUMBNAIL_SIZES})}</a>{caption}</figure>"
    )
