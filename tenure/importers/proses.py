"""Source documents: one file each, with front matter, imported to content/."""

import re
from collections.abc import Container, Iterator
from pathlib import Path

from tenure.importers.entries import date_of
from tenure.importers.gathering import Entry, Gathering, Taken
from tenure.importers.jekyll import Texts
from tenure.importers.samples import POSTS, is_sample, is_sample_paper
from tenure.importers.yaml_text import Data, yaml_text
from tenure.sources.files import Prose


def proses(
    gathering: Gathering, folder: str, *suffixes: str, mixed: Container[str] = ()
) -> Iterator[tuple[Path, Prose, Taken]]:
    """Yield the documents of a folder without the template's samples; `mixed_stems` may contain samples and own text."""
    for path in gathering.below(folder, *(suffixes or (".md", ".markdown"))):
        prose = gathering.prose(path)
        if prose is None:
            continue
        front = " ".join(node.words for node in prose.front.entries.values())
        title = prose.front.entries.get("title")
        sample = title is not None and is_sample_paper(title.words)
        sample = sample or is_sample(prose.body) or is_sample(front)
        if path.stem not in mixed and (sample or (folder == "_posts" and POSTS.match(path.stem))):
            gathering.left(gathering.name_of(path), "sample content of the template")
            continue
        yield path, prose, Taken(prose.front, gathering)


def write_prose(gathering: Gathering, path: Path, to: str, front: Entry, body: str) -> str:
    """Write a document with its front matter. Returns the file name without folder and suffix."""
    full = {key: value for key, value in front.items() if value}
    made = gathering.write(to, f"---\n{yaml_text(full)}---\n{body}\n")
    gathering.came(gathering.name_of(path), made)
    return Path(made).stem


def date_in(gathering: Gathering, taken: Taken, path: Path) -> str:
    """Return a document's date from its front matter, else from the start of its file name."""
    written = taken.words("date")
    named = re.match(r"\d{4}-\d\d-\d\d", path.name)
    date = date_of(written) or date_of(named[0] if named else "")
    if written and not date:
        gathering.left(taken.place, f'the date "{written}", which cannot be read')
    return date


def image_in(texts: Texts, taken: Taken, *keys: str) -> str:
    """Copy the image that a document names and return its new path; a missing image is reported as skipped."""
    written = taken.words(*keys)
    if not written or "://" in written:
        if written:
            texts.gathering.left(taken.place, f"an image on another site: {written[:90]}")
        return ""
    found = texts.file(written)
    if not found:
        texts.gathering.left(taken.place, f"an image that is not in the source: {written[:90]}")
    return found


def words_in(taken: Taken, *keys: str) -> list[str]:
    """Return tags from a list or from one string separated by spaces (Jekyll's rule)."""
    nodes = taken.list(*keys)
    return [tag for node in nodes for tag in (node.words.split() if len(nodes) == 1 else [node.words]) if tag]


def other_links(texts: Texts, taken: Taken) -> dict[str, Data]:
    """Return the unread values that are URLs or source files, as links labelled with their keys."""
    found: dict[str, Data] = {}
    for key, node in taken.rest().items():
        words = node.words.strip()
        if re.match(r"https?://[^/\s]+\S*$|/?[\w./-]+\.(?:pdf|pptx?|png|jpe?g|zip|bib|html?)$", words):
            taken.drop(key)
            address = texts.address(words, f"{node.place.file}:{node.place.line}")
            if address:
                label = re.sub(r"[_-]+|(?<=\w)(?:url|link)$", " ", key, flags=re.IGNORECASE).strip()
                found[label[:1].upper() + label[1:]] = address
    return found


def paragraph(text: str) -> str:
    """Join a text into one paragraph, without the markup of headings, lists and rules."""
    lines = [re.sub(r"^#+\s+|^[-*+]\s+|^\d+\.\s+", "", line.strip()) for line in text.split("\n")]
    return " ".join(line for line in lines if line and not re.fullmatch(r"[-=*]{3,}", line))
