"""
What the reader of sources cannot use is commented out where it stands: the site builds, and nothing is lost.

A `Problem` has a place; what is removed there becomes a note of the report.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from tenure.problems import Problem
from tenure.sources.editing.edits import apply_edits

Files = dict[str, str | bytes]
Note = tuple[str, str]
"""A place, and what was changed there."""

FindErrors = Callable[[Mapping[str, str | bytes]], Sequence[Problem]]

MAX_ROUNDS = 9
"""A site with errors after so many repairs is written as it is, and its errors are printed."""

ENTRY_CODES = frozenset({"missing-key", "wrong-shape", "duplicate-id"})
"""Problems of a whole entry, which are reported at its first line."""

_CITATION = r"\[([^\[\]]*@[^\[\]]*)\](?!\()"


def repair_files(
    files: Files, names: Iterable[str], find_errors: FindErrors
) -> tuple[Files, list[Note], Sequence[Problem]]:
    """
    Repair the imported files until the site has no error: by the edit of a problem, else by a comment.

    `names` are the files that may be changed.
    Returns the files, a note for each removed line, and the errors that are left.
    """
    files = dict(files)
    known = frozenset(names)
    notes: list[Note] = []

    for number in range(MAX_ROUNDS):
        errors = find_errors(files)
        problems = [problem for problem in errors if problem.place.file in known]
        if not problems or number == MAX_ROUNDS - 1:
            break
        for name in sorted({problem.place.file for problem in problems}):
            text = files[name]
            own_problems = [problem for problem in problems if problem.place.file == name]
            if isinstance(text, str):
                files[name] = _repair_file(name, text, own_problems, notes)
            else:
                # an image that cannot be read
                del files[name]
                notes.append((name, own_problems[0].message))

    return files, notes, errors


def _repair_file(name: str, text: str, problems: Sequence[Problem], notes: list[Note]) -> str:
    """The text of a file with all certain edits; if there are none, without the places of its problems."""
    edits = [problem.edits for problem in problems if problem.edits]
    if edits:
        repaired, count = apply_edits(text, edits, is_yaml=not name.endswith(".bib"))
        if count:
            return repaired

    # a report at a text that only has the same word is wrong
    exact = {problem.message for problem in problems if _is_value(text, problem)}
    problems = [p for p in problems if p.message not in exact or _is_value(text, p)]

    # from the last to the first, so that the places of the others stay right
    removed_lines: set[int] = set()
    for problem in sorted(problems, key=lambda problem: problem.place, reverse=True):
        line = problem.place.line
        if line in removed_lines:
            continue
        if line:
            removed_lines.add(line)
            text, removed = remove_place(name, text, problem)
        else:
            text, removed = _remove_named_url(text, problem)
        notes.append((name, f"{problem.message}: {removed}"))
    return text


def _is_value(text: str, problem: Problem) -> bool:
    """Whether the place of a problem is a whole value, as in "image: x", and not a word in it."""
    line = [*text.split("\n"), ""][problem.place.line - 1]
    end = problem.place.column - 1 + problem.place.length
    return bool(problem.place.line and problem.place.length) and not line[end:].strip("\"' ")


def _remove_named_url(text: str, problem: Problem) -> tuple[str, str]:
    """The text without the URL that a problem without a line names: "nothing is at “x.html”"."""
    named = re.search(r"[“\"]([^”\"]+)[”\"]", problem.message)
    if not named or named[1] not in text:
        return text, "it stays"
    url = re.escape(named[1])
    return re.sub(rf"!?\[([^\]]*)\]\(<?{url}[^)]*\)", r"\1", text).replace(named[1], "#"), named[1]


def remove_place(name: str, text: str, problem: Problem) -> tuple[str, str]:
    """
    The text without the place of a problem, and what was removed.

    A YAML key becomes a comment, "# date: soon", a link its label, and so does a line of a .bib file: "% …".
    """
    lines = text.split("\n")
    index = min(problem.place.line, len(lines)) - 1
    line = lines[index]
    start = max(0, problem.place.column - 1)
    marked = line[start : start + problem.place.length]
    is_text = not name.endswith(".bib") and not _is_yaml(name, text, index)

    removed = line.strip()[:90]
    # "see [my CV](cv.pdf)" -> "see my CV"
    new_line = _remove_link(line, marked, problem.code)
    if new_line == line and is_text:
        new_line = _remove_address(line, marked)
    # a key of YAML that would lose its whole value becomes a comment instead
    if new_line != line and (is_text or _has_value(line, new_line)):
        lines[index] = new_line
        if new_line:
            removed = f"{marked} is text now"
    elif name.endswith(".bib"):
        lines[index] = f"% {line}"
    else:
        removed = _comment_out(lines, index, is_entry=problem.code in ENTRY_CODES)
    return "\n".join(lines), removed


def _is_yaml(name: str, text: str, index: int) -> bool:
    """Whether a line is YAML, of a file or of the front matter of a page, and not a text of several lines."""
    head = text.find("\n---\n", 3) if text.startswith("---\n") else -1
    is_in_head = head > 0 and index <= text.count("\n", 0, head)
    return (name.endswith(".yaml") or is_in_head) and not _is_in_block(text.split("\n"), index)


def _remove_link(line: str, marked: str, code: str) -> str:
    """The line with the label of a link in place of the link; a citation as text: "[@lee]" -> "(lee)"."""
    if code == "unknown-citation":
        return re.sub(_CITATION, lambda match: f"({match[1].replace('@', '')})", line)
    if not marked:
        return line
    url = rf"[^()]*{re.escape(marked)}[^()]*"
    tag = rf"<(?:img|source|embed)\b[^<>]*{re.escape(marked)}[^<>]*>"
    return re.sub(rf"!?\[([^\[\]]*)\]\(<?{url}\)|{tag}", lambda match: match[1] or "", line)


def _remove_address(line: str, marked: str) -> str:
    """The line of HTML without the attribute of a wrong address; "" if it has none."""
    attribute = rf"\s(?:id|href|src|poster)=\"[^\"]*{re.escape(marked)}[^\"]*\""
    new_line, count = re.subn(attribute, "", line)
    return new_line if count else ""


def _has_value(line: str, new_line: str) -> bool:
    """Whether a line of YAML still says something: "- title: Talk", and any line that is no key."""
    value = new_line.strip(" -").partition(":")[2].strip(" \"'")
    return bool(value) or not re.match(r"[ -]*[\w-]+:", line)


def _is_in_block(lines: Sequence[str], index: int) -> bool:
    """Whether a line of YAML is part of a text in several lines: "text: |-"."""
    indent = _measure_indent(lines[index])
    for line in reversed(lines[:index]):
        if line.strip() and _measure_indent(line) < indent:
            return re.search(r"[:-] [|>][+-]?$", line) is not None
    return False


def _comment_out(lines: list[str], index: int, *, is_entry: bool) -> str:
    """
    Make a key with its value, or a whole entry, a comment; return its first line.

    If the first key of an entry goes, its hyphen moves to the next key.
    """
    # an item of a value, "  - Graphs", goes with its key
    while index and re.match(r" +- (?![\w-]+:(?: |$))", lines[index]):
        index -= 1
    # the entry of a key begins at a hyphen
    while is_entry and index and lines[index].startswith(" ") and not _has_hyphen(lines[index]):
        index -= 1

    line = lines[index]
    hyphen = _measure_indent(line)
    is_first_key = _has_hyphen(line) and not is_entry
    indent = hyphen + 2 if is_first_key else hyphen
    end = _find_end(lines, index, indent)

    following = lines[end] if end < len(lines) else ""
    if is_first_key and following.startswith(" " * indent) and following.strip():
        lines[end] = f"{line[:hyphen]}- {following[indent:]}"
    lines[index:end] = [f"# {text}" for text in lines[index:end]]
    return line.strip()[:90]


def _find_end(lines: Sequence[str], start: int, indent: int) -> int:
    """The line after a value: an empty one, or one that is not deeper than `indent`."""
    # the items of a list may stand as deep as its key
    may_have_items = not _has_hyphen(lines[start])
    for end in range(start + 1, len(lines)):
        depth = _measure_indent(lines[end])
        is_item = depth == indent and may_have_items and _has_hyphen(lines[end])
        if not lines[end].strip() or (depth <= indent and not is_item):
            return end
    return len(lines)


def _measure_indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _has_hyphen(line: str) -> bool:
    return line.lstrip().startswith("- ")
