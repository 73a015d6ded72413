"""Reads a cover letter of `letters/`, a folder that only `export letter` reads."""

from pathlib import Path

from tenure.model.entries import Markdown
from tenure.model.letters import Letter
from tenure.problems import Problems
from tenure.record import replace
from tenure.sources.reading.files import parse_markdown_file, read_source_text
from tenure.sources.schema.decode import decode_node

LETTERS_FOLDER = "letters"


def list_letters(root: Path) -> list[str]:
    """The names of the letters of a site."""
    return sorted(path.stem for path in (root / LETTERS_FOLDER).glob("*.md"))


def read_letter(root: Path, name: str, problems: Problems) -> Letter | None:
    """The letter `letters/NAME.md` with the picture of its signature; None and a report if it is invalid."""
    folder = root / LETTERS_FOLDER
    file = f"{LETTERS_FOLDER}/{name}.md"
    text = read_source_text(folder / f"{name}.md", file, problems)
    parsed = None if text is None else parse_markdown_file(text, file, problems)
    if parsed is None:
        return None

    computed = {"name": name, "body": Markdown(parsed.body)}
    letter = decode_node(parsed.front_matter, Letter, problems, f"the letter {name}", computed)
    if letter is None or not letter.signature:
        return letter
    picture = folder / letter.signature
    if not picture.is_file():
        message = f"the letter {name} has no signature: {LETTERS_FOLDER}/ has no file {letter.signature}"
        hint = f"put the picture beside {file}, or delete this line"
        problems.report("missing-file", letter.place_of("signature"), message, hint)
        return letter
    return replace(letter, picture=picture.read_bytes())
