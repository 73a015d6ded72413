"""Lines of word.txt: paragraphs of a Word file, and what is read of them."""

import tempfile
from pathlib import Path

from word_files import write_word_file

from tenure.sources.reading.word import Line, WordFile, read_word_file


def read_paragraphs(text: str) -> WordFile:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "cv.docx")
        write_word_file(path, text)
        return read_word_file(path)


def show_line(line: Line) -> str:
    """Show a line; the paragraphs of a cell have ¶ between them."""
    cells = [" ¶ ".join(map(show_line, cell)) for cell in line.cells]
    return f"| {' | '.join(cells)} |" if cells else line.text


def read_texts(text: str) -> str:
    return "\n".join(map(show_line, read_paragraphs(text).lines))


def read_looks(text: str) -> list[str]:
    return [line.look for line in read_paragraphs(text).lines]


def read_depths(text: str) -> list[str]:
    return [str(line.depth) for line in read_paragraphs(text).lines]


def read_levels(text: str) -> list[str]:
    return [str(line.level) for line in read_paragraphs(text).lines]


def read_margins(text: str) -> list[str]:
    return [line.plain for line in read_paragraphs(text).margins]
