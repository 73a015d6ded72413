"""Removes from the files of an import what Tenure would report as an error, so that every imported site builds."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from tenure.importers.source_folder import ImportNote
from tenure.importers.source_repair import (
    Repair,
    mend_text,
    repair_bibliography,
    repair_document,
    repair_yaml,
)
from tenure.problems import Place, Problem
from tenure.record import Record, replace
from tenure.sources.edits import apply_edits

SiteFiles = Mapping[str, str | bytes]
ErrorFinder = Callable[[SiteFiles], Sequence[Problem]]
"""Returns the errors of a site with these files."""

MAX_ROUNDS = 12
"""Checks before the remaining errors are left to the reader; each round removes something from every file with an error."""

ProblemKey = tuple[str, str, str]


class RepairedFiles(Record):
    """The files of a site after its repair, the notes on what was removed, and the errors that remain."""

    files: SiteFiles
    notes: tuple[ImportNote, ...]
    errors: tuple[Problem, ...]


def repair_files(
    files: SiteFiles, imported_names: Sequence[str], origins: Mapping[str, str], find_errors: ErrorFinder
) -> RepairedFiles:
    """
    Repair the imported files until the site has no error.

    A certain repair is applied, a link becomes text; else the value is removed, then its entry, then its file.
    `origins` has the location in the source of each file, and of each entry as "file#entry". Other files than
    `imported_names` are not changed.
    """
    repaired, locations = dict(files), dict(origins)
    notes: dict[ImportNote, None] = {}
    attempts: Counter[ProblemKey] = Counter()
    for _ in range(MAX_ROUNDS):
        errors = find_errors(repaired)
        repairable = _first_of_each_place(
            [error for error in errors if _is_repairable(error, repaired, imported_names)]
        )
        if not repairable:
            break
        for problem in repairable:
            attempts[_problem_key(problem)] += 1
        for name in dict.fromkeys(problem.place.file for problem in repairable):
            problems = [problem for problem in repairable if problem.place.file == name]
            notes |= dict.fromkeys(_repair_file(repaired, name, problems, attempts, locations))
        for problem in repairable:
            if not problem.place.line and problem.place.file not in imported_names:
                notes |= dict.fromkeys(_mend_all_files(repaired, imported_names, problem, locations))
    else:
        errors = find_errors(repaired)
    return RepairedFiles(repaired, tuple(notes), tuple(errors))


def _first_of_each_place(problems: Sequence[Problem]) -> list[Problem]:
    """The first problem of each place, because its repair can move or repair the others; all problems without a line."""
    by_place = {problem.place: problem for problem in reversed(problems)}
    return [problem for problem in problems if not problem.place.line or by_place[problem.place] is problem]


def _is_repairable(problem: Problem, files: SiteFiles, imported_names: Sequence[str]) -> bool:
    """Whether a problem is in an imported file, or names a value without a place."""
    name = problem.place.file
    return name in files and (name in imported_names or not problem.place.line)


def _problem_key(problem: Problem) -> ProblemKey:
    return problem.place.file, problem.code, problem.message


def _repair_file(
    files: dict[str, str | bytes],
    name: str,
    problems: Sequence[Problem],
    attempts: Mapping[ProblemKey, int],
    origins: dict[str, str],
) -> list[ImportNote]:
    """Repair one file, or remove it. Returns the notes."""
    text = files[name]
    if isinstance(text, bytes):
        del files[name]
        return [_describe_removed_file(problem, origins) for problem in problems[:1]]
    edits = [problem.edits for problem in problems if problem.edits and attempts[_problem_key(problem)] == 1]
    if edits:
        files[name], _ = apply_edits(text, edits, is_yaml=not name.endswith(".bib"))
        return [
            ImportNote("converted", _find_origin(name, "", origins), f"{problem.message}: repaired in {name}")
            for problem in problems
            if problem.edits
        ]
    notes: list[ImportNote] = []
    placed_problems = [problem for problem in problems if problem.place.line]
    for problem in sorted(placed_problems, key=lambda problem: problem.place, reverse=True):
        repair = _repair_text(name, text, problem, attempts[_problem_key(problem)])
        if repair is None:
            files.pop(name, None)
            return [*notes, _describe_removed_file(problem, origins)]
        text = repair.text
        notes.append(_describe_repair(problem, repair, origins))
        if repair.is_entry_removed:
            _shift_origins(origins, name, int(repair.entry))
    files[name] = text
    return notes


def _shift_origins(origins: dict[str, str], name: str, removed_index: int) -> None:
    """Give the entries after a removed one their new indexes."""
    index = removed_index
    while f"{name}#{index + 1}" in origins:
        origins[f"{name}#{index}"] = origins[f"{name}#{index + 1}"]
        index += 1
    origins.pop(f"{name}#{index}", None)


def _repair_text(name: str, text: str, problem: Problem, attempt: int) -> Repair | None:
    """Repair a text for one problem, with more removed at each attempt; None if the file must be removed."""
    if name.endswith((".yaml", ".yml")):
        return repair_yaml(text, problem, attempt)
    if name.endswith(".bib"):
        return repair_bibliography(text, problem, attempt)
    return repair_document(text, problem, attempt)


def _mend_all_files(
    files: dict[str, str | bytes],
    imported_names: Sequence[str],
    problem: Problem,
    origins: Mapping[str, str],
) -> list[ImportNote]:
    """Turn a link without a place, which the message quotes, into text wherever the imported files have it."""
    notes: list[ImportNote] = []
    for name in imported_names:
        text = files.get(name)
        mended_text = mend_text(text, problem) if isinstance(text, str) else text
        if mended_text is not None and mended_text != text:
            files[name] = mended_text
            placed_problem = replace(problem, place=Place(name))
            notes.append(_describe_repair(placed_problem, Repair("", is_converted=True), origins))
    return notes


def _describe_repair(problem: Problem, repair: Repair, origins: Mapping[str, str]) -> ImportNote:
    name = problem.place.file
    location = _find_origin(name, repair.entry, origins)
    if repair.is_converted:
        return ImportNote("converted", location, f"{problem.message}: the text stays ({name})")
    return ImportNote("skipped", location, f"{repair.removed or 'a value'} of {name}: {problem.message}")


def _describe_removed_file(problem: Problem, origins: Mapping[str, str]) -> ImportNote:
    name = problem.place.file
    return ImportNote("skipped", _find_origin(name, "", origins), f"{name}: {problem.message}")


def _find_origin(name: str, entry: str, origins: Mapping[str, str]) -> str:
    """The location in the source of an entry, else of its file, else the new file."""
    return origins.get(f"{name}#{entry}") or origins.get(name) or name
