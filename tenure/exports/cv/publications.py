"""A publication as a row of a CV."""

import re
from typing import Any

from tenure.exports.cv.runs import TextBlock, make_paragraph, merge_runs, runs_to_text
from tenure.exports.cv.text import RunBuilder, RunList, fill_pattern
from tenure.markdown.html import make_slug
from tenure.model.entries import Publication
from tenure.model.names import Author, Authors
from tenure.plan.pages import entry_page_path

MAX_AUTHORS = 40
"""Longer author lists show the first, the last and the owner, and count the others."""

TYPES_WITHOUT_LABEL = frozenset(
    {"article", "inproceedings", "incollection", "misc", "unpublished", "book", "online"}
)
"""Publication types without a label such as "Ph.D. thesis"."""

TYPES_IN_VENUE = frozenset({"inproceedings", "incollection", "inbook", "conference"})
"""Publication types that are part of a venue: "In …"."""


def make_publication_row(builder: RunBuilder, paper: Publication) -> dict[str, Any]:
    """A publication as a row, with the facts that lists on the site show."""
    return {
        "form": "paper",
        "title": _end_sentence(builder.link_to_first(builder.inline_runs(paper.title), *_title_urls(paper))),
        "authors": _end_sentence(_authors_or_editors(builder, paper)),
        "venue": _end_sentence(_venue_runs(builder, paper)),
        "awards": [_end_sentence(builder.inline_runs(award)) for award in paper.awards],
        "note": [] if _is_note_in_venue(paper) else _end_sentence(builder.inline_runs(paper.note)),
        "below": _link_row(builder, paper),
    }


def _title_urls(paper: Publication) -> list[str]:
    """URLs for the link of the title, the best first."""
    doi = [f"https://doi.org/{paper.doi}"] if paper.doi else []
    return [*doi, *(link.url for link in paper.links), paper.url, entry_page_path(paper)]


def _end_sentence(runs: RunList) -> RunList:
    """Add a period unless the text ends with a punctuation mark."""
    last_text = next((last_text for run in reversed(runs) if (last_text := runs_to_text([run]).rstrip())), "")
    return merge_runs([*runs, "."]) if last_text and last_text[-1] not in "?!.？！。؟" else runs


def _authors_or_editors(builder: RunBuilder, paper: Publication) -> RunList:
    """The authors, or the editors if there are no authors."""
    authors = paper.authors if paper.authors.people else paper.editors
    if paper.authors.people or paper.authors.others:
        return _author_list(builder, authors)
    if not authors.people and not authors.others:
        return []
    pattern = builder.t["editors" if len(authors.people) > 1 else "editor"]
    return fill_pattern(pattern, {"names": _author_list(builder, authors)})


def _author_list(builder: RunBuilder, authors: Authors) -> RunList:
    shortened = authors.shorten_list(MAX_AUTHORS)
    names = [_author_runs(builder, author) for author in shortened.head]
    if shortened.hidden:
        names.append([f"… {builder.t.format_count('more_authors', len(shortened.hidden))}"])
    if shortened.hidden_owner:
        names.append(_author_runs(builder, shortened.hidden_owner))
    names += [_author_runs(builder, author) for author in shortened.tail]
    return builder.join_with_commas([*names, [builder.t["others"]] if authors.others else []])


def _author_runs(builder: RunBuilder, author: Author) -> RunList:
    marks = (author.marks or ("*" if author.equal else "")) + ("†" if author.corresponding else "")
    name: RunList = [{"is": "name", "own": author.me, "runs": [author.name.full_name]}]
    return [
        *(name if author.me else builder.link_to_first(name, author.url)),
        *([{"is": "mark", "text": marks}] if marks else []),
    ]


def _is_note_in_venue(paper: Publication) -> bool:
    """Whether the note follows the status in the venue line: "In submission, arXiv preprint soon"."""
    return bool(paper.status and paper.note and not paper.venue.name)


def _year_if_missing(paper: Publication) -> str:
    """The year, or "" if the name or short name of the venue contains it."""
    if paper.date is None:
        return ""
    year = str(paper.date.year) if paper.date.year else paper.date.text
    venue_text = f"{paper.venue.name} {paper.venue.short} {paper.note if _is_note_in_venue(paper) else ''}"
    forms = (year, f"'{year[2:]}", f"’{year[2:]}")
    return "" if any(form in venue_text for form in forms) else year


def _venue_name_runs(builder: RunBuilder, paper: Publication) -> RunList:
    """The venue, “In The 30th Symposium (SOSP ’24)”, or the publication type if there is no venue."""
    venue = paper.venue
    short = runs_to_text(builder.plain_runs(venue.short))
    if venue.name:
        name_runs: RunList = [{"is": "emph", "runs": builder.inline_runs(venue.name)}]
        if short and short != runs_to_text(builder.plain_runs(venue.name)):
            name_runs += [" ", {"is": "nowrap", "runs": [f"({short})"]}]
        is_contained = not paper.status and paper.kind in TYPES_IN_VENUE
        return fill_pattern(builder.t["venue_in"], {"venue": name_runs}) if is_contained else name_runs
    if short:
        return [short]
    if paper.kind not in TYPES_WITHOUT_LABEL:
        kind = builder.t.get(f"type_{paper.kind}", "")
        return [kind] if kind else []
    return [{"is": "emph", "runs": [f"arXiv:{paper.eprint}"]}] if paper.eprint and not paper.status else []


def _volume_and_number(builder: RunBuilder, paper: Publication) -> RunList:
    """Volume and number: “12(3)” for an article, otherwise “vol. 12, no. 3”."""
    volume, number = paper.venue.volume, paper.venue.number
    if volume and paper.kind == "article":
        return [f"{volume}({number})" if number else volume]
    return builder.join_with_commas(
        [
            [builder.t["volume"].format(volume=volume)] if volume else [],
            [builder.t["number"].format(number=number)] if number else [],
        ]
    )


def _venue_runs(builder: RunBuilder, paper: Publication) -> RunList:
    """The venue line; series, edition, institution and publisher are omitted if the venue has a name."""
    venue = paper.venue
    has_no_venue = not venue.name
    pages = runs_to_text(builder.plain_runs(venue.pages))
    pattern = builder.t["pages" if re.search("[–,-]", pages) else "page"]
    status = builder.t.get(f"status_{make_slug(paper.status)}", paper.status) if paper.status else ""
    year = _year_if_missing(paper)
    details = builder.join_with_commas(
        [
            builder.inline_runs(paper.note) if _is_note_in_venue(paper) else [],
            _venue_name_runs(builder, paper),
            builder.inline_runs(venue.series) if has_no_venue else [],
            _volume_and_number(builder, paper),
            fill_pattern(builder.t["edition"], {"edition": builder.plain_runs(venue.edition)})
            if venue.edition and has_no_venue
            else [],
            [{"is": "nowrap", "runs": [pattern.format(pages=pages)]}] if pages else [],
            builder.inline_runs(venue.institution) if has_no_venue else [],
            builder.inline_runs(venue.publisher) if has_no_venue else [],
            [year] if year else [],
        ]
    )
    separator = (builder.t["comma"] if _is_note_in_venue(paper) else " · ") if status and details else ""
    return merge_runs([status, separator, *details])


def _link_row(builder: RunBuilder, paper: Publication) -> list[TextBlock]:
    return builder.link_blocks(paper) + (
        make_paragraph(builder.link_to_first([builder.t["link_link"]], paper.url))
        if builder.with_links and paper.url
        else []
    )
