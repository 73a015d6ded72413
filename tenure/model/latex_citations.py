r"""Citations as LaTeX writes them (`\citep[see][p. 3]{key1,key2}`), in BibTeX values and in Markdown texts."""

import re
from collections.abc import Iterator

LATEX_CITATION = re.compile(
    r"(?:\\protect\s*)?\\(?=[a-zA-Z]*cite)(?P<command>[a-zA-Z]++)\*?\s*(?:\[(?P<first>[^\[\]{}]*)\])?(?:\[(?P<second>[^\[\]{}]*)\])?\{(?P<keys>[^{}]*)\}",
    re.IGNORECASE,
)
"""A citation of LaTeX or of its packages natbib and biblatex."""


def find_cited_keys(match: re.Match[str]) -> Iterator[tuple[str, int]]:
    """The keys of a citation, each with its offset in the searched text."""
    for key in re.finditer(r"[^\s,]+(?:\s+[^\s,]+)*", match["keys"]):
        yield key[0], match.start("keys") + key.start()


def read_notes(match: re.Match[str]) -> tuple[str, str]:
    r"""The text before a citation, with a space after it, and the text after it: "see " and "p. 3" of `\citep[see][p. 3]{key}`."""
    if match["second"] is None:
        return "", match["first"] or ""
    return f"{match['first']} " if match["first"] else "", match["second"]
