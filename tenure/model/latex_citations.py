r"""Citations as LaTeX writes them, in BibTeX values and in Markdown texts: \citep[see][p. 3]{key1,key2}"""

import re
from collections.abc import Iterator

LATEX_CITATION = re.compile(
    r"""(?x:
        (?:\\protect\s*)?
        \\(?=[a-zA-Z]*cite) (?P<command>[a-zA-Z]++) \*? \s*       # \citep, \textcite*
        (?: \[ (?P<first>[^\[\]{}]*) \] )?                        # [see]
        (?: \[ (?P<second>[^\[\]{}]*) \] )?                       # [p. 3]
        \{ (?P<keys>[^{}]*) \}                                     # {key1,key2}
    )""",
    re.IGNORECASE,
)
"""A citation of LaTeX or of its packages natbib and biblatex."""


def find_cited_keys(match: re.Match[str]) -> Iterator[tuple[str, int]]:
    """The keys of a citation, each with its offset in the searched text."""
    for key in re.finditer(r"[^\s,]+(?:\s+[^\s,]+)*", match["keys"]):
        yield key[0], match.start("keys") + key.start()


def read_notes(match: re.Match[str]) -> tuple[str, str]:
    r"""The text before a citation and that after it: \citep[see][p. 3]{key} -> "see ", "p. 3"."""
    first = match["first"] or ""
    if match["second"] is None:  # a single note is after the citation
        return "", first
    before = f"{first} " if first else ""
    return before, match["second"]
