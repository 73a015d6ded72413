"""Writes a publication in the style of a .csl file."""

import re
from collections.abc import Iterator

from tenure.csl import CslFormatError, CslRun, format_csl_entry
from tenure.markdown.html import plain_text
from tenure.presentation.citation import Citation
from tenure.presentation.csl_item import make_csl_item
from tenure.presentation.phrases import Phrase, Span

_URL = r"https?://[^\s<>“”\"]*[^\s<>“”\".,;:)\]]"
_QUOTATION_MARKS = "[\"'“”‘’]"


def format_with_csl(citation: Citation, style_text: str, *, linked: bool) -> Phrase:
    """The publication in a CSL style, with links; () if the style cannot format it."""
    try:
        runs = format_csl_entry(style_text, citation.t.language, make_csl_item(citation.paper))
    except CslFormatError:
        return ()  # the style of Tenure is used; a style that cannot be used at all was reported when it was read
    targets = _list_link_targets(citation, linked=linked)
    return tuple(span for run in runs for span in _link_run(run, targets))


def _list_link_targets(citation: Citation, *, linked: bool) -> dict[str, str]:
    """Patterns of the texts to link, each with its URL; "" is the text itself."""
    targets = {_URL: ""}
    doi, title = citation.paper.doi, plain_text(citation.paper.title)
    if doi:
        targets[re.escape(doi)] = f"https://doi.org/{doi}"
    title_url = citation.linked_title[0].url if linked and title else ""
    if title_url:
        targets[re.sub(_QUOTATION_MARKS, lambda _: _QUOTATION_MARKS, re.escape(title))] = title_url
    return targets


def _link_run(run: CslRun, targets: dict[str, str]) -> Iterator[Span]:
    """The spans of a part of the line: the texts to link, and what is between them."""
    pattern = re.compile("|".join(f"({target})" for target in targets), re.IGNORECASE)
    position = 0
    for match in pattern.finditer(run.text):
        if match.start() > position:
            yield Span(run.text[position : match.start()], run.form)
        url = list(targets.values())[(match.lastindex or 1) - 1] or match[0]
        yield Span(match[0], run.form, url)
        position = match.end()
    if position < len(run.text):
        yield Span(run.text[position:], run.form)
