"""The endings of files that a page shows: pictures and videos, and what a server says of some."""

import re
from collections.abc import Mapping

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
