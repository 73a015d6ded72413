"""Pages of posts: the earlier and the later post, the reading time, and the feed."""

import pytest

from tenure.html.filters import estimate_reading_minutes


@pytest.mark.parametrize(
    ("text", "minutes"),
    [("word", 1), ("word " * 660, 3), ("漢字" * 450, 2), ("", 1), ("말이 길다 " * 450, 4)],
)
def test_the_time_of_reading(text: str, minutes: int) -> None:
    assert estimate_reading_minutes(text) == minutes
