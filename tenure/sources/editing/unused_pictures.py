"""The pictures that an edit of a form takes out of the site: they go with it, and come back with its undo."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tenure.sources.editing.value_edits import Source, ValuePath, find_value

_PICTURE = r"images/([^/\s\"']+\.\w+)"
"""images/robot.jpg, as forms name a picture that they have kept in content/images/."""

_TEXTS = (".yaml", ".yml", ".md", ".markdown", ".bib", ".html", ".css", ".js", ".json", ".tex")
"""The ends of files that may name a picture."""


def list_unused_pictures(root: Path, source: Source, path: ValuePath, new_text: str) -> Sequence[str]:
    """
    The files of content/images/ that the old value at a path was or had, and that no source names any more.

    content/projects.yaml, (0, "image"), "images/robot.jpg" -> "content/images/robot.jpg"
    """
    names = {*re.findall(_PICTURE, source.text)} - {*re.findall(_PICTURE, new_text)}
    if not names:
        return ()
    texts = {*_list_texts(find_value(source.read_data(), path))}
    files = [root / "content/images" / name for name in sorted(names) if f"images/{name}" in texts]
    return [
        file.relative_to(root).as_posix()
        for file in files
        if file.is_file() and file.resolve() == file and not _is_named(root, source.file, file.name, new_text)
    ]


def _is_named(root: Path, edited: str, name: str, new_text: str) -> bool:
    """Whether the new text of the edited source, or another file of the site, names a picture."""
    if name in new_text:
        return True
    found = [root / "site.yaml"]
    for folder in ("content", "bib", "themes"):
        found.extend((root / folder).rglob("*"))
    others = [file for file in found if file.suffix in _TEXTS and file != root / edited and file.is_file()]
    return any(name.encode() in file.read_bytes() for file in others)


def _list_texts(value: Any) -> Iterator[str]:
    """Each text in a value: {image: a.jpg, media: [b.jpg]} -> a.jpg, b.jpg."""
    if isinstance(value, str):
        yield value
    if isinstance(value, dict):
        value = [*value.values()]
    if isinstance(value, list):
        for item in value:
            yield from _list_texts(item)
