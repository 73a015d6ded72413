"""The CVs of a site as PDF, cached by the digest of their inputs; reports problems of typesetting."""

import hashlib
import json
import marshal
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any

from tenure import __version__
from tenure.counts import number
from tenure.memo import Memo
from tenure.model.site import Collection, CvWish, Site
from tenure.outlets.curriculum import curriculum
from tenure.outlets.printed import Fault, Press, Printed, version
from tenure.outlets.sheets import Sheets
from tenure.output import Artifact
from tenure.problems import Place, Problems, suggestion

MOST_LETTERS = 12
"""Maximum number of letters listed in a message about fonts."""


def print_cvs(
    site: Site,
    cvs: Sequence[CvWish],
    cache: Path,
    problems: Problems,
    shown: Mapping[str, Collection] | None = None,
) -> Iterator[Artifact]:
    """Typeset CVs of a site, or of `collections` in place of the site's; report all problems."""
    if not cvs:
        return
    sheets = Sheets.of(site.look.folders)
    if _tell_packages(sheets, problems):
        return
    memo = Memo(cache / "cvs")
    press = Press(sheets)
    for wish in cvs:
        main = _main(sheets, wish, problems)
        if main is None:
            continue
        data = curriculum(site, wish, problems, shown)
        written = json.dumps(data, ensure_ascii=False)
        inputs = "\0".join((__version__, version(), sheets.digest, main, str(wish.pages), written))
        key = hashlib.blake2b(inputs.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
        kept = memo.get(key)
        made = _unpacked(kept) if kept else press.fitted(main, data, written, wish.pages)
        if isinstance(made, Fault):
            _tell_fault(made, "cv-template", site, sheets, problems)
            continue
        memo.put(key, marshal.dumps(astuple(made)))
        _tell(made, wish, site, sheets, problems)
        if '"source"' in written:
            _tell_formulas(data, wish, problems)
        yield Artifact(f"{wish.name}.pdf", made.body, wish.source or "site.yaml")
    memo.save()


def _unpacked(kept: bytes) -> Printed:
    # The cache has verified the digest of these bytes.
    body, pages, borrowed, boxes, doubts = marshal.loads(kept)  # noqa: S302
    return Printed(body, pages, borrowed, boxes, tuple(Fault(*doubt) for doubt in doubts))


def _main(sheets: Sheets, wish: CvWish, problems: Problems) -> str | None:
    """The template of the CV's look; None if the look or the margins are invalid, which is reported."""
    if len(wish.margins) > 2:
        start = Place.at(wish.source)
        place = next(
            (p for p in problems.places(r"\b(margins?)\s*:", start.file) if p.line >= start.line), start
        )
        message = f'"margins" of {wish.name}.pdf has {len(wish.margins)} numbers'
        problems.tell("bad-number", place, message, "write [top and bottom, left and right], or one for all")
        return None
    if not wish.look:
        return "cv.typ"
    if wish.look in sheets.looks:
        return sheets.looks[wish.look]
    start = Place.at(wish.source)
    places = problems.places(rf"(?<![\w-])({re.escape(wish.look)})(?![\w-])", start.file)
    place = next((place for place in places if place.line >= start.line), start)
    message = f'the theme has no look "{wish.look}" for a CV'
    problems.tell("bad-choice", place, message, suggestion(wish.look, sheets.looks))
    return None


def _tell_packages(sheets: Sheets, problems: Problems) -> bool:
    """Report imports of online packages, because a build downloads nothing; True if there are any."""
    asked = [*sheets.packages()]
    for path, package, place in asked:
        problems.know(place.file, sheets.texts[path])
        hint = "copy the files that you need into the theme's folder"
        problems.tell(
            "cv-template", place, f"the package {package} is not available: a build downloads nothing", hint
        )
    return bool(asked)


def _tell(made: Printed, wish: CvWish, site: Site, sheets: Sheets, problems: Problems) -> None:
    """Report warnings of Typst, too many pages, and letters without a font."""
    for doubt in made.doubts:
        _tell_fault(doubt, "cv-warning", site, sheets, problems)
    place = Place.at(wish.source, len(wish.name)) if wish.source else Place("site.yaml")
    if wish.pages and made.pages > wish.pages:
        message = f"{wish.name}.pdf has {number(made.pages, 'page')}; the limit is {wish.pages}"
        problems.tell("cv-pages", place, message, "shorten it with limit: 5, show: selected or without: …")
    hint = f"add a font that has them to themes/{site.look.name}/fonts/"
    for letters, words in (
        (made.borrowed, "set in a font of this computer"),
        (made.boxes, "shown as boxes because no font has them"),
    ):
        if letters:
            some = letters[:MOST_LETTERS] + ("…" if len(letters) > MOST_LETTERS else "")
            where = problems.where(letters[0]) or place
            problems.tell("cv-letters", where, f"letters in {wish.name}.pdf are {words}: {some}", hint)


def _tell_formulas(data: Any, wish: CvWish, problems: Problems) -> None:
    """Report each formula that Typst cannot draw; it is shown as plain text."""
    if isinstance(data, dict) and data.get("is") == "source":
        place = problems.where("<math") or Place.at(wish.source)
        message = f"the formula {data['text']} in {wish.name}.pdf is written as plain text"
        problems.tell("cv-formula", place, message, "write it between dollar signs")
        return
    for part in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        _tell_formulas(part, wish, problems)


def _tell_fault(fault: Fault, code: str, site: Site, sheets: Sheets, problems: Problems) -> None:
    """Report a diagnostic of Typst at its position in the template nearest to the site."""
    at = min(fault.places, key=lambda place: sheets.depths[place[0]], default=None)
    place = sheets.place(*at) if at else Place(f"themes/{site.look.name}/cv.typ")
    if at:
        problems.know(place.file, sheets.texts[at[0]])
    problems.tell(code, place, fault.message, fault.hint)
