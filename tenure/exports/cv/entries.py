"""Entries as rows of a CV: an entry with a head of two columns, a line with its date, or a publication."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tenure.exports.cv.runs import merge_runs, runs_to_text
from tenure.exports.cv.text import RunBuilder, RunList
from tenure.model.entries import Publication
from tenure.model.site import SelectedStyle
from tenure.plan import sections
from tenure.plan.pages import entry_page_path
from tenure.presentation.blocks import Block
from tenure.presentation.citation import Citation
from tenure.presentation.entries import EntryLines
from tenure.presentation.phrases import ends_sentence, plain_phrase
from tenure.presentation.reference import format_reference

if TYPE_CHECKING:
    from tenure.plan.statistics import Figure

CvRow = dict[str, Any]
"""A row: its `form` ("entry", "line" or "paper") with runs and blocks."""

MAX_AUTHORS = 40
"""Longer author lists show the first, the last and the owner, and count the others."""


def make_figure_rows(builder: RunBuilder, figure: "Figure") -> list[CvRow]:
    """The table of a chart, one line for each row; its last number is in the column of the dates."""
    return [
        {
            "form": "line", "number": None, "id": "", "words": [first], "sub": [between] if between else [],
            "dates": [last], "below": [],
        }
        for first, between, last in figure.rows_as_text(builder.t)
    ]  # fmt: skip


def make_rows(builder: RunBuilder, items: Sequence[sections.ListItem], *, brief: bool) -> list[CvRow]:
    """The rows of a list; `brief` shows only their heads."""
    entries = [item.entry for item in items if not isinstance(item.entry, Publication)]
    lines = iter(builder.presenter.present_list(entries))
    rows = [
        {
            **(
                make_publication_row(
                    builder, Citation(item.entry, builder.t, citations=item.citations), item.style
                )
                if isinstance(item.entry, Publication)
                else _entry_row(builder, next(lines))
            ),
            "number": item.number,
            "id": item.id,
        }
        for item in items
    ]
    return [{**row, "below": []} if brief and _has_row_head(row) else row for row in rows]


def _has_row_head(row: CvRow) -> bool:
    """Whether a row has content other than its blocks below."""
    return any(row.get(part) for part in ("head", "words", "sub", "title", "authors", "role", "place"))


def _entry_row(builder: RunBuilder, lines: EntryLines) -> CvRow:
    heading, dates = builder.phrase_runs(lines.heading), builder.phrase_runs(lines.dates)
    below = builder.entry_blocks(lines.all_blocks)
    if lines.form == "line":
        subtitle = builder.phrase_runs(lines.subtitle)
        return {"form": "line", "words": heading, "sub": subtitle, "dates": dates, "below": below}
    role = builder.presenter.join_with_commas([lines.organization, lines.role])
    return {
        "form": "entry", "head": heading, "role": builder.phrase_runs(role), "dates": dates,
        "place": builder.phrase_runs(lines.place), "below": below,
    }  # fmt: skip


def make_publication_row(
    builder: RunBuilder, citation: Citation, style: SelectedStyle | None = None
) -> CvRow:
    """A publication as a row, with the facts that lists on the site show; in a citation style, its title has the whole line."""
    paper = citation.paper
    doi_urls = [f"https://doi.org/{paper.doi}"] if paper.doi else []
    urls = [*doi_urls, *(link.url for link in paper.links), paper.url, entry_page_path(paper)]
    people = citation.credits(MAX_AUTHORS).join_visible(builder.t["comma"])
    links = [plain_phrase(link.label, "link", link.url) for link in citation.links]
    return {
        "form": "paper",
        **(
            {"title": builder.phrase_runs(format_reference(citation, style)), "authors": [], "venue": []}
            if style
            else {
                "title": _end_sentence(builder.link_to_first(builder.inline_runs(paper.title), *urls)),
                "authors": _end_sentence(builder.phrase_runs(people)),
                "venue": _end_sentence(builder.phrase_runs(citation.venue_line())),
            }
        ),
        "awards": [_end_sentence(builder.phrase_runs(award)) for award in citation.awards],
        "note": _end_sentence(builder.phrase_runs(citation.note)),
        "below": builder.entry_blocks([Block("links", items=tuple(links))]),
    }


def _end_sentence(runs: RunList) -> RunList:
    """Add a period unless the text is empty or ends with a punctuation mark."""
    return runs if ends_sentence(runs_to_text(runs)) else merge_runs([*runs, "."])
