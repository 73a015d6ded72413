"""Images and videos of entries: which videos play, which images are shown instead, and reported problems."""

import re
from collections.abc import Callable

import pytest
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


def find_tags(page: str, name: str) -> list[str]:
    return re.findall(rf"<{name}\b[^>]*>", page.partition("<main")[2])


@pytest.mark.parametrize(
    "front_matter", ["video: walk.mp4", "image: walk.mp4", "media: walk.mp4", "media: [{file: walk.mp4}]"]
)
def test_a_video_plays_with_controls_and_its_poster(site: Make, front_matter: str) -> None:
    built = with_videos(site(format_project(front_matter))).build()
    assert built.problems == []
    page = built.read_page("/projects/p/")
    (video,) = find_tags(page, "video")
    assert re.search(r'src="\.\./\.\./walk\.mp4"', video)
    assert ' poster="../../walk.svg"' in video
    assert ('width="640"' in video, 'height="400"' in video) == (True, True)
    assert video.endswith('aria-label="Video: P" controls muted loop playsinline preload="none">')
    assert "<img" not in page.partition("<main")[2]
    assert ">Video</a>" not in page


def test_several_files_are_slides_with_captions(site: Make) -> None:
    front_matter = "image: still.svg\nimage_alt: Still\nmedia:\n- {file: rig.svg, alt: The rig, caption: In *2024*}\n- walk.mp4"
    page = with_videos(site(format_project(front_matter))).build().read_page("/projects/p/")
    slides = page.partition('<div class="slides" role="group" tabindex="0" aria-label="Images and videos">')[
        2
    ]
    assert slides.count('<figure class="media">') == 3
    assert re.search(
        r'alt="Still".*alt="The rig".*<figcaption>In <em>2024</em></figcaption>.*<video', slides, re.DOTALL
    )


def test_two_images_are_compared(site: Make) -> None:
    front_matter = "compare: [{file: before.svg, alt: Noisy}, {file: after.svg, alt: Clean, caption: After}]"
    built = site(format_project(front_matter)).build()
    page = built.read_page("/projects/p/")
    assert built.problems == []
    assert re.search(
        r'class="compare">.*alt="Noisy".*alt="Clean".*<input type="range" aria-label="Compare the two images"',
        page,
        re.DOTALL,
    )


@pytest.mark.parametrize(
    ("field", "overlay"),
    [
        (", preview={walk.mp4}", ""),
        (", video={walk.mp4}", ""),
        ("", "- {key: p, image: walk.mp4, image_alt: It walks}\n"),
        ("", "- {key: p, video: walk.mp4}\n"),
        ("", "- {key: p, media: [walk.mp4]}\n"),
    ],
)
def test_a_publication_has_a_video_on_its_page_and_in_the_list(site: Make, field: str, overlay: str) -> None:
    text = BIB % field + FILES + "-- site.yaml --\ntheme: {name: folio, publications_view: thumbnails}\n"
    text += f"-- content/publications.yaml --\n{overlay}" if overlay else ""
    built = with_videos(site(text)).build()
    assert built.codes == []
    (video,) = find_tags(built.read_page("/publications/p/"), "video")
    assert 'src="walk.mp4"' in video
    assert "poster=" in video
    (thumbnail,) = find_tags(built.read_page("/publications/"), "img")
    assert 'data-src="p/walk.mp4"' in thumbnail
    assert 'src="p/walk.svg"' in thumbnail
    assert "publications/p/walk.mp4" in built.paths


def test_a_video_at_another_host_is_a_link(site: Make) -> None:
    page = site(format_project("video: https://example.org/walk.mp4")).build().read_page("/projects/p/")
    assert '<a href="https://example.org/walk.mp4" aria-label="Video: P">Video</a>' in page
    assert "<video" not in page


@pytest.mark.parametrize(
    ("front_matter", "size", "problem"),
    [
        ("media: [rig.svg]", 8, "3:9: warning: the image rig.svg has no alt text"),
        ("video: film.webm", 8, "3:8: warning: the video film.webm has no image"),
        ("media: walk.mp4", MAX_VIDEO_BYTES + 1, "3:8: warning: the video walk.mp4 has 16 MB"),
        ("media: {file: gone.mp4, poster: rig.svg}", 8, "3:15: error: “gone.mp4”"),
        ("media: {file: old.mov, alt: Old}", 8, "3:15: error: old.mov is not an image"),
        ("compare: [walk.mp4, film.webm]", 8, '3:11: error: "compare" of “P” needs two'),
    ],
)
def test_problems_of_media(site: Make, front_matter: str, size: int, problem: str) -> None:
    built = with_videos(site(format_project(front_matter)), size).build()
    assert [line for line in built.problems if line.startswith(f"content/projects/p.md:{problem}")], (
        built.problems
    )
    assert len(built.problems) == 1, built.problems


def test_a_link_preview_shows_the_first_image_of_the_media(site: Make) -> None:
    text = BIB % "" + "-- site.yaml --\nurl: https://example.edu/\n-- content/publications.yaml --\n"
    sources = site(f"{text}- key: p\n  media: [walk.mp4, {{file: rig.png, alt: The rig}}]\n{FILES}")
    Image.effect_noise((640, 400), 50).save(sources.root / "content/rig.png")
    page = with_videos(sources).build().read_page("/publications/p/")
    assert '<meta property="og:image" content="https://example.edu/publications/p/rig.png">' in page
    assert '<meta property="og:image:alt" content="The rig">' in page
