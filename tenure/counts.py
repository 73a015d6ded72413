"""Counts with their nouns, in messages and reports."""


def format_count(count: int, singular: str, plural: str = "") -> str:
    """A count with its noun: "1 file", "2 files"; `plural` is only needed if it is not the noun with an s."""
    if count == 1:
        return f"{count} {singular}"
    return f"{count} {plural or f'{singular}s'}"
