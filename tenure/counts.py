"""How a count is said with its noun, in messages and reports."""


def number(count: int, word: str, several: str = "") -> str:
    """A count with its noun: "1 file", "2 files"; `several` is a plural that is more than an s."""
    return f"{count} {word if count == 1 else several or f'{word}s'}"
