"""
Images and videos of entries: which of them are videos, their posters, and what is wrong with them.

The objects: a Media is an image or a video of an entry; a poster is the image that stands for a video before
it plays, and in print.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import TypeVar
from urllib.parse import quote, unquote

from tenure.markdown.html import make_slug
from tenure.model.entries import Entry, Media, Person, Project, Publication
from tenure.model.files import IMAGE_SUFFIXES
from tenure.model.links import Url, is_video_file
from tenure.model.people import person_spellings
from tenure.model.site import Collection, map_entries
from tenure.problems import Place, Problems
from tenure.publish import Artifact
from tenure.record import replace
from tenure.sources.reading.files import SourceFiles

AnyEntry = TypeVar("AnyEntry", bound=Entry)
UrlPlace = Callable[[Url], Place | None]
"""Returns the place of a URL in the source of an entry; None if it is not found."""

MAX_VIDEO_BYTES = 16_000_000
"""
The size above which a video is too large to be played unasked:
30 seconds of 1080p video have about half of it.
"""

_VIDEO_LINK_LABEL = "Video"


def complete_collections(
    collections: Mapping[str, Collection], files: Iterable[Artifact], problems: Problems
) -> dict[str, Collection]:
    """The collections with the media of their entries completed; those of publications already are."""
    source_files = SourceFiles.from_artifacts(files)
    completer = MediaCompleter(source_files, problems)
    pictures = _index_pictures(source_files.artifacts)

    def complete_entry(entry: Entry) -> Entry:
        if isinstance(entry, Person) and not entry.image:
            return replace(entry, image=_find_photo(entry, pictures))

        def find_place(url: Url) -> Place | None:
            fields = (name for name in ("video", "image") if getattr(entry, name, "") == url)
            return next(map(entry.place_of, fields), None)

        return entry if isinstance(entry, Publication) else completer.complete_entry(entry, find_place)

    return map_entries(collections, complete_entry)


def _index_pictures(paths: Iterable[str]) -> dict[str, list[str]]:
    """The paths of pictures by their names as slugs: {"ngozi-okafor": ["photos/Ngozi Okafor.jpg"]}."""
    pictures: dict[str, list[str]] = {}
    for path in map(PurePosixPath, paths):
        if path.suffix.casefold() in IMAGE_SUFFIXES:
            pictures.setdefault(make_slug(path.stem), []).append(path.as_posix())
    return pictures


def _find_photo(person: Person, pictures: Mapping[str, Sequence[str]]) -> Url:
    """The only picture with the name of a person; "" if there is none."""
    slugs = dict.fromkeys(make_slug(name.full_name) for name in person_spellings(person))
    paths = [path for slug in slugs for path in pictures.get(slug, ())]
    if len(paths) == 1:
        return Url(quote(f"/{paths[0]}"))
    return Url("")


class MediaCompleter:
    """Completes the media of entries from the files of a site."""

    def __init__(self, files: SourceFiles, problems: Problems) -> None:
        self._files = files
        self._problems = problems

    def complete_entry(self, entry: AnyEntry, find_place: UrlPlace) -> AnyEntry:
        """
        The entry with its videos among its media, each with its poster.

        `image: loom.mp4` or `video: loom.mp4` becomes the first of the media. Its poster is the image of the
        entry, or else loom.png. An entry whose `image` is a video has no image then, and one that is among
        the media too is there once.
        """
        lead_video = self._find_lead_video(entry)
        if not (lead_video or entry.media or entry.compare):
            return entry
        media = entry.media
        image = Url("") if is_video_file(entry.image) else entry.image
        if lead_video:
            place = find_place(lead_video) or entry.source
            lead = Media(file=lead_video, alt=entry.image_alt, poster=image, source=place)
            media = (lead, *(medium for medium in media if medium.file != lead_video))
        media = tuple(map(self._complete_video, media))
        return replace(entry, image=image, media=media, compare=self._check_pair(entry))

    def _find_lead_video(self, entry: Entry) -> Url:
        """
        The video that an entry names outside its list of media; "" if it has none that its page can play.
        """
        if is_video_file(entry.image):
            return entry.image
        candidates: tuple[Url, ...] = (entry.video,) if isinstance(entry, Project) else ()
        if isinstance(entry, Publication):
            candidates = tuple(link.url for link in entry.links if link.label == _VIDEO_LINK_LABEL)
        videos = filter(is_video_file, candidates)
        return next((url for url in videos if self._file_size(url) <= MAX_VIDEO_BYTES), Url(""))

    def _complete_video(self, medium: Media) -> Media:
        """A video with its poster; one without poster or too large is reported."""
        if not medium.is_video:
            return medium
        name = PurePosixPath(unquote(medium.file)).name
        if not medium.poster:
            medium = replace(medium, poster=self._find_poster(medium.file))

        if not medium.poster and self._file_size(medium.file):
            poster = f"{PurePosixPath(name).stem}.png"
            message = f"the video {name} has no image that is shown before it plays and in print"
            hint = f"save one of its frames beside it as {poster}: ffmpeg -i {name} -frames:v 1 {poster}"
            self._problems.report("no-poster", medium.source, message, hint)

        size = self._file_size(medium.file)
        if size > MAX_VIDEO_BYTES:
            message = f"the video {name} has {size / 1e6:.0f} MB; pages play it unasked"
            limit = f"{MAX_VIDEO_BYTES / 1e6:.0f} MB"
            hint = f"make it shorter or smaller than {limit}, or only link to it: links: {{video: {name}}}"
            self._problems.report("large-video", medium.source, message, hint)
        return medium

    def _check_pair(self, entry: Entry) -> tuple[Media, ...]:
        """The two images to compare; () if there are not two, which is reported."""
        names = [PurePosixPath(medium.file).name for medium in entry.compare]
        if len(names) in (0, 2) and not any(medium.is_video for medium in entry.compare):
            return entry.compare
        message = f'"compare" of “{entry.name}” needs two images, and has {", ".join(names)}'
        hint = "write compare: [before.png, after.png]"
        self._problems.report("bad-value", entry.compare[0].source, message, hint)
        return ()

    def _find_poster(self, video: Url) -> Url:
        """The image with the name of a video; "" if there is none."""
        stem, _, _ = video.rpartition(".")
        candidates = (Url(f"{stem}{suffix}") for suffix in IMAGE_SUFFIXES)
        return next((url for url in candidates if len(self._find_paths(url)) == 1), Url(""))

    def _find_paths(self, url: Url) -> tuple[str, ...]:
        return self._files.index.find_paths(unquote(url).lstrip("/"))

    def _file_size(self, url: Url) -> int:
        """The size of a file in bytes; 0 if it does not exist, which the check of links reports."""
        paths = self._find_paths(url)
        body = self._files.artifacts[paths[0]].body if len(paths) == 1 else b""
        if isinstance(body, Path):
            return body.stat().st_size if body.is_file() else 0
        return len(body)
