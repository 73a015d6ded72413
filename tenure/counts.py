"""Counts with their nouns, in messages and reports."""


def number(count: int, word: str, several: str = "") -> str:
    """A count with its noun: "1 file", "2 files"; `plural` is only needed if it is not the noun with an s."""
    return f"{count} {word if count == 1 else several or f'{word}s'}"
