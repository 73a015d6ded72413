"""Fragments of texts for property tests, from tests/properties/pieces.txt."""

from conftest import read_parts

SIGNS = str.maketrans({"⏎": "\n", "⇥": "\t", "␣": " ", "∅": ""})


SECTIONS = read_parts("properties/pieces.txt")


def read_pieces(title: str) -> list[str]:
    """Return the fragments of a section."""
    return [line.translate(SIGNS) for line in SECTIONS[title].removesuffix("\n").split("\n")]


def read_piece_groups(start: str) -> dict[str, list[str]]:
    """Return the fragments of the sections whose titles begin with a text, by what follows it."""
    return {title.removeprefix(start): read_pieces(title) for title in SECTIONS if title.startswith(start)}
