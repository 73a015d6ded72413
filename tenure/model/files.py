"""
The files of a site: the endings of pictures and videos, and an index by the path and by every ending of it.
"""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

IMAGE_SUFFIXES = (".png", ".jpg", ".jpeg", ".jpe", ".jfif", ".webp", ".avif", ".svg", ".gif", ".apng")
"""Images that all browsers show, the most usual first. Source: MDN, "Image file type and format guide"."""

OTHER_IMAGE_SUFFIXES = (".bmp", ".ico", ".heic", ".heif", ".tif", ".tiff")
"""Images of cameras and programs, which some browsers show."""

VIDEO_SUFFIXES = (".mp4", ".webm")
"""Videos that all browsers play. Source: MDN, "Media container formats"."""

OTHER_VIDEO_SUFFIXES = (".mov", ".avi", ".mkv", ".m4v", ".mpg", ".mpeg", ".wmv", ".ogv", ".flv", ".3gp")

IMAGE_PATTERN = "|".join(map(re.escape, IMAGE_SUFFIXES))
VIDEO_PATTERN = "|".join(map(re.escape, VIDEO_SUFFIXES))
"""The same endings in a longer pattern."""

CONTENT_TYPES: Mapping[str, str] = {
    ".avif": "image/avif",
    ".ics": "text/calendar",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
    ".xml": "application/xml",
}
"""Content types that Python does not know on every machine."""


PAPER_FOLDER = "papers"
"""The folder of content/ in which a PDF belongs to the publication whose key is its name."""

_UNSAFE_IN_NAMES = re.compile(r'[/\\:*?"<>|\x00-\x1f]')
"""Signs that the name of a file may not have on Windows, macOS or Linux."""


def name_paper_file(key: str) -> str:
    """The name of the PDF of a publication, without its ending: Pan:2025 -> Pan-2025"""
    return _UNSAFE_IN_NAMES.sub("-", key).strip(". ")


class FileIndex:
    """
    Paths by their endings: "slides.pdf" finds "files/2024/slides.pdf".

    `page_urls` has the URL of the page of each Markdown file that has one.
    """

    def __init__(self, paths: Iterable[str], page_urls: Mapping[str, str] = MappingProxyType({})) -> None:
        self._page_urls = page_urls
        self._page_sources = FileIndex(page_urls) if page_urls else self
        self._paths = frozenset(paths)
        self._paths_by_ending: dict[str, list[str]] = {}
        for path in sorted(self._paths):
            components = path.split("/")
            for start in range(len(components)):
                self._paths_by_ending.setdefault("/".join(components[start:]), []).append(path)

    def find_paths(self, name: str) -> tuple[str, ...]:
        """
        Every path that a name may mean; exactly one if the name is unambiguous.

        Leading "../" is ignored: in content/posts/, editors and GitHub link to content/projects/tape.png as
        "../projects/tape.png".
        """
        ending = name.removeprefix("./")
        is_relative = ending.startswith("../")
        while ending.startswith("../"):
            ending = ending.removeprefix("../")
        if ending in self._paths and not is_relative:
            return (ending,)
        return tuple(self._paths_by_ending.get(ending, ()))

    def page_url(self, name: str) -> str:
        """
        The URL of the page of "projects/tape.md", or of a unique ending such as "tape.md"; "" if none has
        one.
        """
        if not self._page_urls:
            return ""
        paths = self._page_sources.find_paths(name)
        return self._page_urls[paths[0]] if len(paths) == 1 else ""
