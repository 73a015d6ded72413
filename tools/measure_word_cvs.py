"""
Measures how CVs in Word are imported: each .docx of a folder, all with invented people.

    python3 tools/measure_word_cvs.py FOLDER

For each CV it counts whole lines, whose words are all in one entry or one text (the goal is 97 of 100),
headings that became a list or stand in the titles of its parts (nine of ten; one of personal data is left out
on purpose), and values that are false (none). The last two need a file with the same name and the ending
.txt, written by who wrote the CV:

    # Education and Training
    PhD in Physics, University of Rome, Italy, 2019
      organization: University of Rome
      role: PhD in Physics
      location: Italy
      date: 2019

A line of the CV has below it what a reader may take from it, and nothing else. Two values may differ, because
the site shows the words in the place that they have in the CV: a role with other words of its line, such as
"PhD, with honours", or with all of them if its organization is not certain, and a date that is the first
column of its line. Without this file the headings and the values are printed, for the eye.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tenure.cli.against import find_missing_words, fold_word, split_words
from tenure_import.detect import SYSTEMS
from tenure_import.headings import clean_heading, read_heading
from tenure_import.importer import Import
from tenure_import.source import Data, Entry, flatten_text
from tenure_import.word_cv import OTHER

KEYS = {
    "institution": "organization",
    "degree": "role",
    "period": "date",
    "term": "date",
    "organization": "organization",
    "role": "role",
    "location": "location",
    "date": "date",
}
"""The fields that are judged, and their names in the file beside a CV."""

Truth = list[tuple[str, dict[str, str]]]


def fold_words(text: str) -> set[str]:
    """The words of a text in the forms in which they are compared."""
    return {form for word in split_words(text) for form in fold_word(word)}


def read_truth(path: Path) -> tuple[list[str], Truth]:
    """The headings of a file beside a CV, and its lines with their values."""
    headings: list[str] = []
    truth: Truth = []
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("# "):
            headings.append(line[2:].strip())
        elif line.startswith("  ") and truth:
            key, _, value = line.strip().partition(":")
            truth[-1][1][key] = value.strip()
        elif line.strip():
            truth.append((line.strip(), {}))
    return headings, truth


def list_divided_lines(run: Import) -> Iterator[str]:
    """The lines of the text that are in no entry and no text as a whole."""
    texts = [flatten_text(entry) for entries in run.lists.values() for entry in entries]
    texts += [flatten_text(section) for section in run.cv_sections]
    texts += [flatten_text(run.profile), str(run.files.get("content/about.md", ""))]
    known = [fold_words(text) for text in texts]
    for line in run.document_lines[OTHER]:
        if not any(not find_missing_words(line, words) for words in known):
            yield line


def list_values(run: Import) -> Iterator[tuple[Entry, str, str]]:
    """Each entry with the names and the values of its fields that are judged."""
    for name, entries in run.lists.items():
        for entry in entries:
            for key, value in entry.items():
                # the text of service is its role
                if key in KEYS and isinstance(value, str) and (name, key) != ("service", "role"):
                    yield entry, KEYS[key], value


def is_false(entry: Entry, key: str, value: str, truth: Truth) -> bool:
    """Whether the line that an entry comes from does not have a value."""
    words = fold_words(flatten_text(entry))
    line, values = max(truth, key=lambda row: len(words & fold_words(row[0])), default=("", {}))
    own = fold_words(value)
    expected = fold_words(values.get(key, ""))
    if key == "date" and line.startswith(f"{value} ") and not values.get(key, "").startswith(value):
        # "2015 Talk, May 4–6, 2015"
        return bool(expected) and not own <= expected
    if key == "role":
        # without an organization, it is the whole line
        is_divided = "organization" in entry or "institution" in entry
        others = [fold_words(text) for name, text in values.items() if name != "role" and is_divided]
        return not expected <= own <= fold_words(line) or any(words <= own for words in others)
    return expected != own


def measure(path: Path) -> tuple[int, int, int, int, int]:
    """Print what is wrong in a CV; returns the lines, whole ones, headings, lists, and false values."""
    run = Import(SYSTEMS["word"], path)
    run.run()
    lines = run.document_lines[OTHER]
    divided = [*list_divided_lines(run)]
    print(f"\n{path.name}: {run.profile.get('name', 'no name')}")
    for line in divided:
        print(f"  divided: {line[:100]}")

    titles = [title for section in run.cv_sections for title in list_titles(section)]
    beside = path.with_suffix(".txt")
    if not beside.is_file():
        print(*(f"  heading: {title}" for title in titles), sep="\n")
        for entry, key, value in list_values(run):
            print(f"  {key}: {value} | {flatten_text(entry)[:80]}")
        return len(lines), len(lines) - len(divided), len(titles), len(titles), 0

    headings, truth = read_truth(beside)
    headings = [text for text in headings if "person" not in read_heading(text).values()]
    folded = {part for title in titles for part in list_title_parts(title)}
    missing = [text for text in headings if fold_title(text) not in folded]
    false = [row for row in list_values(run) if is_false(*row, truth)]
    print(*(f"  no list: {heading}" for heading in missing), sep="\n", end="\n" if missing else "")
    for entry, key, value in false:
        print(f"  false {key}: {value} | {flatten_text(entry)[:80]}")
    return len(lines), len(lines) - len(divided), len(headings), len(headings) - len(missing), len(false)


def list_titles(section: Data) -> Iterator[str]:
    """The title of a section of the CV: {talks: {title: Lectures}} -> "Lectures"."""
    for options in section.values() if isinstance(section, dict) else ():
        if isinstance(options, dict):
            yield flatten_text(options["title"])


def list_title_parts(title: str) -> Iterator[str]:
    """A title, and the two headings in it: "Publications: Books"."""
    parent, _, part = title.partition(": ")
    yield from map(fold_title, filter(None, (title, parent, part)))


def fold_title(text: str) -> str:
    """A heading without its number, its signs and its capitals: "5.1. Books" -> "books"."""
    return re.sub(r"\W+", "", clean_heading(text).casefold())


def main(arguments: Sequence[str]) -> int:
    """Measure the CVs of a folder; returns the exit status."""
    counts = [measure(path) for path in sorted(Path(arguments[0]).glob("*.docx"))]
    lines, whole, headings, lists, false = (sum(column) for column in zip(*counts, strict=True))
    print(
        f"\n{len(counts)} CVs: {whole} of {lines} lines whole, {lists} of {headings} headings are lists, ",
        end="",
    )
    print(f"{false} false values")
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    sys.exit(main(sys.argv[1:]))
