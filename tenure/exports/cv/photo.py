"""The photo of the profile as a file for a CV."""

import hashlib
from collections.abc import Sequence
from urllib.parse import unquote

from tenure.cache.store import CacheStore
from tenure.images.resizing import UnreadableImageError, make_jpeg, pillow_version
from tenure.model.file_index import FileIndex
from tenure.model.site import CvConfig, Site
from tenure.problems import Problems
from tenure.publish import Artifact

PHOTO_SIZE = (400, 480)
"""Pixels of the photo in a CV: 27 by 32 mm, the largest in a look, at 380 dots per inch; about 30 KB."""

CACHE_FORMAT = 1
"""Increased with any change to make_jpeg."""


def read_photo(
    site: Site, config: CvConfig, files: Sequence[Artifact], store: CacheStore, problems: Problems
) -> dict[str, bytes]:
    """
    The photo by its file name for Typst: an SVG unchanged, any other file as a small JPEG; {} without one.

    A CV that asks for a photo that the profile does not have, and a file that cannot be read, are reported.
    """
    if not config.photo:
        return {}
    paths = FileIndex(site.files).find_paths(unquote(site.profile.photo)) if site.profile.photo else ()
    photo = next((file for file in files if paths[:1] == (file.path,)), None)
    if photo is None:
        hint = "write photo: me.jpg in content/profile.yaml, and put the file into content/"
        message = f"{config.name}.pdf has no photo: the profile names no photo in content/"
        problems.report("missing-file", config.place_of("photo"), message, hint)
        return {}
    body = photo.read()
    if photo.path.casefold().endswith(".svg"):
        return {"photo.svg": body}
    key = PHOTO_SIZE, hashlib.blake2b(body, digest_size=16).hexdigest()
    try:
        return {
            "photo.jpg": store.call(
                "cv-photos", f"{CACHE_FORMAT} {pillow_version()}", key, lambda: make_jpeg(body, PHOTO_SIZE)
            )
        }
    except UnreadableImageError as error:
        problems.report("unreadable-picture", photo.source, f"this image {error}", error.hint)
        return {}
