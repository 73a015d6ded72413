"""The style sheets of the themes use what browsers have had for 30 months (Baseline "widely available"), by the data of web-features."""

import json
import re
from collections.abc import Iterator

import pytest
from conftest import ROOT
from npm_tools import WEB_FEATURES

pytestmark = pytest.mark.scheduled

NEWER = {
    **dict.fromkeys("at-rules.page at-rules.view-transition properties.animation-timeline properties.animation-timeline.scroll".split(), "print and motion"),
    **dict.fromkeys("properties.accent-color properties.accent-color.auto properties.scrollbar-width properties.scrollbar-width.none".split(), "the look of a control"),
    **dict.fromkeys("properties.resize properties.content-visibility properties.content-visibility.visible properties.cursor.pointer selectors.marker".split(), "the look of a control"),
    **dict.fromkeys("properties.hyphenate-limit-chars properties.text-wrap.balance properties.text-wrap.pretty".split(), "better lines"),
    **dict.fromkeys("properties.initial-letter properties.break-after.avoid properties.font-family.math".split(), "better lines"),
    **dict.fromkeys("selectors.details-content properties.view-transition-name".split(), "motion"),
    **dict.fromkeys("properties.scroll-initial-target properties.scroll-initial-target.nearest".split(), "the place where a list begins"),
    **dict.fromkeys("properties.scroll-target-group properties.scroll-target-group.auto selectors.target-current".split(), "a mark in the contents"),
    **dict.fromkeys("properties.reading-flow properties.reading-flow.flex-visual".split(), "the order of the Tab key, otherwise that of the text"),
    "selectors.popover-open": "the search and the side menu, in every browser since January 2025",
    "types.round": "the line at which a picture begins, in every browser since May 2024",
    "types.color.light-dark": "the colours, in every browser since May 2024",
}  # fmt: skip
"""What is newer, with the reason: a page is complete without it, or every browser of the last two years has it."""


def list_used_features(sheet: str) -> Iterator[str]:
    """Yield the keys of the data of MDN for the properties, values that are words, at-rules, pseudo-classes and functions of a sheet."""
    css = re.sub(r"(?s)/\*.*?\*/|url\([^)]*\)|\"[^\"]*\"|'[^']*'", " ", sheet)
    yield from (f"css.at-rules.{name}" for name in re.findall(r"@([a-z-]+)", css))
    for selector in re.findall(r"([^{};]*)\{", css):
        yield from (f"css.selectors.{name}" for name in re.findall(r":([a-z-]+)", selector))
    for name, value in re.findall(r"(?<=[{;\s])([a-z][a-z-]*):([^;{}]*)(?=[;}])", css):
        yield f"css.properties.{name}"
        yield from (f"css.properties.{name}.{word}" for word in re.findall(r"[a-z][a-z-]+", value))
        for function in re.findall(r"([a-z-]+)\(", value):
            yield f"css.types.{function}"
            yield f"css.types.color.{function}"


def test_style_sheets_use_what_browsers_widely_have() -> None:
    data = json.loads(WEB_FEATURES.find_file().read_text("utf-8"))["features"]
    levels = {
        key: status["baseline"]
        for feature in data.values()
        for key, status in feature.get("status", {}).get("by_compat_key", {}).items()
    }
    assert len(levels) > 5000
    used = {
        key
        for sheet in (ROOT / "themes").rglob("*.css")
        for key in list_used_features(sheet.read_text("utf-8"))
    }
    known = {key for key in used if key in levels}
    assert len(known) > 200
    assert {key.removeprefix("css.") for key in known if levels[key] != "high"} == NEWER.keys()
