"""Galleries in texts: patterns of file names, alt texts, captions, and reported problems."""

import re
from collections.abc import Callable

import pytest
from conftest import Sources

from tenure.html.embeds import lay_out_galleries

Make = Callable[[str], Sources]

FILES = frozenset({"talks/b.jpg", "talks/a.PNG", "talks/notes.pdf", "talks/old/c.jpg", "other/b.jpg"})


def lay_out(markup: str) -> list[tuple[str, str, str]]:
    """Return the source, the alt text and the caption of each image of the gallery."""
    return re.findall(
        r'<figure class="media"><a href="([^"]*)" data-picture[^>]*><img[^>]*alt="([^"]*)"[^>]*></a>'
        r"(?:<figcaption>(.*?)</figcaption>)?</figure>",
        lay_out_galleries(markup, FILES, "Close"),
    )


def format_image(src: str, alt: str = "", title: str = "") -> str:
    return f'<img src="{src}" alt="{alt}"' + (f' title="{title}"' if title else "") + ">"


@pytest.mark.parametrize(
    ("pattern", "paths"),
    [
        ("talks/*.jpg", ["/talks/b.jpg"]),
        ("talks/*", ["/talks/a.PNG", "/talks/b.jpg"]),
        ("/talks/*", ["/talks/a.PNG", "/talks/b.jpg"]),
        ("./talks/*", ["/talks/a.PNG", "/talks/b.jpg"]),
        ("old/*", ["/talks/old/c.jpg"]),
        ("b.*", ["/other/b.jpg", "/talks/b.jpg"]),
    ],
)
def test_a_pattern_matches_images_within_one_folder(pattern: str, paths: list[str]) -> None:
    assert [path for path, _, _ in lay_out(f"<p>{format_image(pattern)}</p>")] == paths


def test_an_image_that_is_named_has_its_own_alt_text_and_caption() -> None:
    paragraph = (
        f"<p>{format_image('talks/*', 'A talk')}\n{format_image('talks/b.jpg', 'The board', 'In 2024')}</p>"
    )
    assert lay_out(paragraph) == [("/talks/a.PNG", "A talk", ""), ("talks/b.jpg", "The board", "In 2024")]


def test_the_alt_text_of_a_pattern_is_numbered() -> None:
    assert [alt for _, alt, _ in lay_out(f"<p>{format_image('talks/*', 'A talk')}</p>")] == [
        "A talk (1)",
        "A talk (2)",
    ]


def test_a_link_to_an_image_without_alt_text_has_the_name_of_the_file() -> None:
    assert 'aria-label="b"><img' in lay_out_galleries(f"<p>{format_image('talks/*.jpg')}</p>", FILES, "Close")


@pytest.mark.parametrize(
    "markup",
    [
        f"<p>{format_image('talks/b.jpg', 'B')}</p>",
        f"<p>Text {format_image('talks/*', 'B')}</p>",
        f"<p>{format_image('none/*', 'B')}</p>",
        "<p>2 * 3</p>",
    ],
)
def test_other_paragraphs_stay(markup: str) -> None:
    assert lay_out_galleries(markup, FILES, "Close") == markup
