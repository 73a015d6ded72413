"""Lines of problems.txt: problems as a terminal and GitHub show them, and the change of one value."""

import json

from tenure.problems import Place, Problem, format_annotation, format_problem
from tenure.sources.editing.edits import UneditableError
from tenure.sources.editing.value_edits import set_value


def show_problem(text: str) -> str:
    """Return a problem as in a terminal: "line:column:length|source line|repair"."""
    numbers, excerpt, hint = text.split("|")
    place = Place("content/talks.yaml", *map(int, numbers.split(":")))
    return format_problem(Problem(place, "error", "unknown-key", "the key is wrong", hint, excerpt))


def annotate(text: str) -> str:
    """Return a problem as GitHub reads it: "file|line|column|level|code|message|repair"."""
    file, line, column, level, code, message, hint = text.split("|")
    place = Place(file, int(line), int(column))
    return format_annotation(Problem(place, "error" if level == "error" else "warning", code, message, hint))


def edit_value(text: str) -> str:
    """Return YAML after a change: the path and the value as JSON, and the YAML."""
    path, end = json.JSONDecoder().raw_decode(text)
    value, length = json.JSONDecoder().raw_decode(text[end + 1 :])
    try:
        return set_value(text[end + length + 2 :], tuple(path), value)
    except UneditableError:
        return "refused"
