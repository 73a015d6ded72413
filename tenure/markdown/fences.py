"""The fenced code blocks of a Markdown text, with their lines."""

import re
from collections.abc import Iterator, Sequence

from tenure.record import Record

FENCE_LANGUAGE = r"\s*\{?\s*\.?([^\s{}]+)"
"""The language that an opening fence names: `python`, `{.python}`."""


class Fence(Record):
    """
    A fenced code block; `first` and `last` are its line numbers, from 0.

    `margin` is the text before each of its lines: spaces and quotation marks (">").
    """

    first: int
    last: int
    margin: str
    info: str
    code: str
    closed: bool

    @property
    def language(self) -> str:
        """The language named by the opening fence, or ""."""
        match = re.match(FENCE_LANGUAGE, self.info)
        return match[1] if match else ""


def find_fences(lines: Sequence[str]) -> Iterator[Fence]:
    """Yield the fenced code blocks of a text in order. An unclosed block ends with its list item, quotation or text."""
    if not any("```" in line or "~~~" in line for line in lines):
        return
    from tenure.markdown.parser import parse_blocks

    for token in parse_blocks("\n".join(lines), "blocks", {}):
        if token.type != "fence":
            continue
        first, end = token.map or [0, 0]
        margin, _, _ = lines[first].partition(token.markup)
        yield Fence(
            first=first,
            last=end - 1,
            margin=re.sub(r"[^>\s]", " ", margin),
            info=token.info.strip(),
            code=token.content.removesuffix("\n"),
            closed=token.content.count("\n") < end - first - 1,
        )
