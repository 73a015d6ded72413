"""Images and videos of entries: which videos play, which images are shown instead, and reported problems."""

from collections.abc import Callable

from conftest import Sources
from PIL import Image

from tenure.sources.media import MAX_VIDEO_BYTES

Make = Callable[[str], Sources]

DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 400"/>'
FILES = "".join(
    f"-- content/{name}.svg --\n{DRAWING}\n" for name in ("walk", "rig", "before", "after", "still")
)
BIB = (
    "-- bib/p.bib --\n@article{p, title={P}, author={Example, Ada}, journal={J}, year=2024, abstract={A}%s}\n"
)
VIDEOS = ("walk.mp4", "film.webm", "old.mov")


def format_project(front_matter: str) -> str:
    return f"-- content/projects/p.md --\n---\ntitle: P\n{front_matter}\n---\nText.\n{FILES}"


def with_videos(sources: Sources, size: int = 8) -> Sources:
    for name in VIDEOS:
        with (sources.root / "content" / name).open("wb") as file:
            file.truncate(size)
    return sources


def test_a_large_video_is_reported(site: Make) -> None:
    (line,) = with_videos(site(format_project("media: walk.mp4")), MAX_VIDEO_BYTES + 1).build().problems
    assert line.startswith("content/projects/p.md:3:8: warning: the video walk.mp4 has 16 MB")


def test_a_link_preview_shows_the_first_image_of_the_media(site: Make) -> None:
    text = BIB % "" + "-- site.yaml --\nurl: https://example.edu/\n-- content/publications.yaml --\n"
    sources = site(f"{text}- key: p\n  media: [walk.mp4, {{file: rig.png, alt: The rig}}]\n{FILES}")
    Image.effect_noise((640, 400), 50).save(sources.root / "content/rig.png")
    page = with_videos(sources).build().read_page("/publications/p/")
    assert '<meta property="og:image" content="https://example.edu/publications/p/rig.png">' in page
    assert '<meta property="og:image:alt" content="The rig">' in page
