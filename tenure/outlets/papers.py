"""A publication as a row of a CV."""

import re
from typing import Any

from tenure.model.names import Author, Authors
from tenure.model.scholar import Publication
from tenure.outlets.runs import Block, joined, paragraph, words_of
from tenure.outlets.wording import Runs, Wording, filled
from tenure.text import slug
from tenure.web.pages import address

MOST_AUTHORS = 40
"""Longer author lists show the first, the last and the owner, and count the others."""

HOUSELESS = frozenset({"article", "inproceedings", "incollection", "misc", "unpublished", "book", "online"})
"""Publication types without a label such as "Ph.D. thesis"."""

WITHIN = frozenset({"inproceedings", "incollection", "inbook", "conference"})
"""Publication types that are part of a venue: "In …"."""


def paper_row(say: Wording, paper: Publication) -> dict[str, Any]:
    """A publication as a row, with the facts that lists on the site show."""
    return {
        "form": "paper",
        "title": _ended(say.led(say.inline(paper.title), *_targets(paper))),
        "authors": _ended(_people(say, paper)),
        "venue": _ended(_venue(say, paper)),
        "awards": [_ended(say.inline(award)) for award in paper.awards],
        "note": [] if _runs_on(paper) else _ended(say.inline(paper.note)),
        "below": _row(say, paper),
    }


def _targets(paper: Publication) -> list[str]:
    """URLs for the link of the title, the best first."""
    doi = [f"https://doi.org/{paper.doi}"] if paper.doi else []
    return [*doi, *(link.url for link in paper.links), paper.url, address(paper)]


def _ended(runs: Runs) -> Runs:
    """Add a period unless the text ends with a punctuation mark."""
    words = next((words for run in reversed(runs) if (words := words_of([run]).rstrip())), "")
    return joined([*runs, "."]) if words and words[-1] not in "?!.？！。؟" else runs


def _people(say: Wording, paper: Publication) -> Runs:
    """The authors, or the editors if there are no authors."""
    everyone = paper.authors if paper.authors.people else paper.editors
    if paper.authors.people or paper.authors.others:
        return _names(say, everyone)
    if not everyone.people and not everyone.others:
        return []
    pattern = say.t["editors" if len(everyone.people) > 1 else "editor"]
    return filled(pattern, {"names": _names(say, everyone)})


def _names(say: Wording, everyone: Authors) -> Runs:
    shown = everyone.shortened(MOST_AUTHORS)
    parts = [_author(say, one) for one in shown.head]
    if shown.hidden:
        parts.append([f"… {say.t.counted('more_authors', len(shown.hidden))}"])
    if shown.owner:
        parts.append(_author(say, shown.owner))
    parts += [_author(say, one) for one in shown.tail]
    return say.listed([*parts, [say.t["others"]] if everyone.others else []])


def _author(say: Wording, one: Author) -> Runs:
    marks = (one.marks or ("*" if one.equal else "")) + ("†" if one.corresponding else "")
    name: Runs = [{"is": "name", "own": one.me, "runs": [one.name.full]}]
    return [
        *(name if one.me else say.led(name, one.url)),
        *([{"is": "mark", "text": marks}] if marks else []),
    ]


def _runs_on(paper: Publication) -> bool:
    """Whether the note follows the status in the venue line: "In submission, arXiv preprint soon"."""
    return bool(paper.status and paper.note and not paper.venue.name)


def _year(paper: Publication) -> str:
    """The year, or "" if the name or short name of the venue contains it."""
    if paper.date is None:
        return ""
    written = str(paper.date.year) if paper.date.year else paper.date.words
    said = f"{paper.venue.name} {paper.venue.short} {paper.note if _runs_on(paper) else ''}"
    forms = (written, f"'{written[2:]}", f"’{written[2:]}")
    return "" if any(form in said for form in forms) else written


def _house(say: Wording, paper: Publication) -> Runs:
    """The venue, “In The 30th Symposium (SOSP ’24)”, or the publication type if there is no venue."""
    venue = paper.venue
    short = words_of(say.plain(venue.short))
    if venue.name:
        cited: Runs = [{"is": "emph", "runs": say.inline(venue.name)}]
        if short and short != words_of(say.plain(venue.name)):
            cited += [" ", {"is": "nowrap", "runs": [f"({short})"]}]
        within = not paper.status and paper.kind in WITHIN
        return filled(say.t["venue_in"], {"venue": cited}) if within else cited
    if short:
        return [short]
    if paper.kind not in HOUSELESS:
        kind = say.t.get(f"type_{paper.kind}", "")
        return [kind] if kind else []
    return [{"is": "emph", "runs": [f"arXiv:{paper.eprint}"]}] if paper.eprint and not paper.status else []


def _numbers(say: Wording, paper: Publication) -> Runs:
    """Volume and number: “12(3)” for an article, otherwise “vol. 12, no. 3”."""
    volume, number = paper.venue.volume, paper.venue.number
    if volume and paper.kind == "article":
        return [f"{volume}({number})" if number else volume]
    return say.listed(
        [
            [say.t["volume"].format(volume=volume)] if volume else [],
            [say.t["number"].format(number=number)] if number else [],
        ]
    )


def _venue(say: Wording, paper: Publication) -> Runs:
    """The venue line; series, edition, institution and publisher are omitted if the venue has a name."""
    venue = paper.venue
    whole = not venue.name
    pages = words_of(say.plain(venue.pages))
    pattern = say.t["pages" if re.search("[–,-]", pages) else "page"]
    standing = say.t.get(f"status_{slug(paper.status)}", paper.status) if paper.status else ""
    year = _year(paper)
    rest = say.listed(
        [
            say.inline(paper.note) if _runs_on(paper) else [],
            _house(say, paper),
            say.inline(venue.series) if whole else [],
            _numbers(say, paper),
            filled(say.t["edition"], {"edition": say.plain(venue.edition)})
            if venue.edition and whole
            else [],
            [{"is": "nowrap", "runs": [pattern.format(pages=pages)]}] if pages else [],
            say.inline(venue.institution) if whole else [],
            say.inline(venue.publisher) if whole else [],
            [year] if year else [],
        ]
    )
    between = (say.t["comma"] if _runs_on(paper) else " · ") if standing and rest else ""
    return joined([standing, between, *rest])


def _row(say: Wording, paper: Publication) -> list[Block]:
    return say.row(paper) + (
        paragraph(say.led([say.t["link_link"]], paper.url)) if say.links and paper.url else []
    )
