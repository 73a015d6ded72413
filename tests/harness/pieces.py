"""Fragments of texts for property tests, from tests/properties/pieces.txt."""

import re
from functools import cache

from conftest import ROOT

SIGNS = str.maketrans({"⏎": "\n", "⇥": "\t", "␣": " ", "∅": ""})


@cache
def read_sections() -> dict[str, list[str]]:
    text = (ROOT / "tests/properties/pieces.txt").read_text(encoding="utf-8")
    parts = (part.partition("\n") for part in re.split(r"^=== ", text, flags=re.MULTILINE)[1:])
    return {title: lines.strip("\n").split("\n") for title, _, lines in parts}


def read_pieces(title: str) -> list[str]:
    """Return the fragments of a section."""
    return [line.translate(SIGNS) for line in read_sections()[title]]


def read_piece_groups(start: str) -> dict[str, list[str]]:
    """Return the fragments of the sections whose titles begin with a text, by what follows it."""
    return {
        title.removeprefix(start): read_pieces(title) for title in read_sections() if title.startswith(start)
    }
