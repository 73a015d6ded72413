"""A form changes one value of a source, and no other byte."""

import random
from collections.abc import Iterator
from os.path import commonprefix
from pathlib import Path
from typing import Any

from conftest import ROOT

from tenure.sources.editing.edits import UneditableError
from tenure.sources.editing.forms import read_form
from tenure.sources.editing.value_edits import (
    change_data,
    find_value,
    move_item,
    read_data,
    set_front_matter_value,
    set_value,
    split_front_matter,
)


def test_an_item_is_moved_and_the_comments_stay() -> None:
    assert move_item("- a\n# later\n- b: 1\n- c\n", (0,), 2) == "- b: 1\n# later\n- c\n- a\n"


def test_front_matter_is_changed_and_added() -> None:
    text = "---\ntitle: Caching # short\n---\n\nThe text: *unchanged*.\n"
    assert set_front_matter_value(text, ("title",), "Cache") == text.replace("Caching", "Cache")
    assert set_front_matter_value("Text.\n", ("title",), "A") == "---\ntitle: A\n---\n\nText.\n"


def test_a_form_knows_the_field_of_each_key() -> None:
    form = read_form("content/education.yaml", "entries:\n- school: ETH\n  shoe_size: 9\n- MIT\n")
    assert form["schema"], form["at"] == ("education", ["entries"])
    assert form["entries"][0]["fields"] == {
        "institution": {"key": "school", "value": "ETH", "line": 2, "end": 2}
    }
    assert form["entries"][0]["others"] == ["shoe_size"]
    assert form["entries"][1]["fields"] == {"institution": {"key": None, "value": "MIT", "line": 4, "end": 4}}


SEEDS = sorted(path.stem for path in (ROOT / "tests" / "golden" / "facts").glob("*.txt"))
NEW_TEXTS = """Postdoc|a: b|it's "q"|two\nlines|#1, [x]|Zürich – 中|2024-05|- dash|yes""".split("|")


def list_yaml_texts() -> Iterator[str]:
    """The YAML of every source of the five seeds."""
    for name in SEEDS:
        folder = ROOT / "examples" / name
        for path in [folder / "site.yaml", *sorted((folder / "content").rglob("*.*"))]:
            if path.suffix in (".yaml", ".md"):
                text = path.read_text("utf-8")
                yield split_front_matter(text)[0] if path.suffix == ".md" else text


def list_values(data: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The path of each scalar."""
    if isinstance(data, str):
        yield path
    pairs = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in pairs:
        yield from list_values(value, (*path, key))


def test_300_random_edits_of_the_seeds_change_the_value_alone() -> None:
    """What differs between the two texts is within the lines of the old value; a shared list (&cv) is refused."""
    choice = random.Random(7)
    texts = [text for text in list_yaml_texts() if text]
    edited_count = refused_count = 0
    while edited_count < 300:
        text = choice.choice(texts)
        data = read_data(text)
        path = choice.choice(list(list_values(data)))
        old, new = find_value(data, path), choice.choice(NEW_TEXTS)
        try:
            edited = set_value(text, path, new)
        except UneditableError:
            assert "&" in text
            refused_count += 1
            continue
        start = len(commonprefix([text, edited]))
        length = len(text) - start - len(commonprefix([text[start:][::-1], edited[start:][::-1]]))
        removed = text[start : start + length].strip(" \n'\"|->")
        assert " ".join(removed.split()) in " ".join(old.replace("'", "''").split()) or removed in old, (
            path,
            removed,
        )
        assert read_data(edited) == change_data(data, path, f"{new}\n" if old.endswith("\n") else new)
        edited_count += 1
    assert refused_count < 30


def test_every_source_of_the_seeds_has_a_form() -> None:
    for name in SEEDS:
        folder = ROOT / "examples" / name
        for path in sorted(Path(folder / "content").rglob("*.yaml")):
            form = read_form(path.relative_to(folder).as_posix(), path.read_text("utf-8"))
            assert form["entries"], path
            assert all(entry["fields"] for entry in form["entries"]), path
