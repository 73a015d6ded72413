"""What the reader of sources cannot use is commented out where it stands, so that the site builds and nothing is lost."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from tenure.problems import Problem
from tenure.sources.edits import apply_edits

Files = dict[str, str | bytes]
Note = tuple[str, str]
"""A place, and what was changed there."""

FindErrors = Callable[[Mapping[str, str | bytes]], Sequence[Problem]]

MAX_ROUNDS = 9
"""A site with errors after so many repairs is written as it is, and its errors are printed."""

ENTRY_CODES = frozenset({"missing-key", "wrong-shape", "duplicate-id"})
"""Problems of a whole entry, which are reported at its first line."""


def repair_files(
    files: Files, names: Iterable[str], find_errors: FindErrors
) -> tuple[Files, list[Note], Sequence[Problem]]:
    """
    Repair the imported files until the site has no error: by the certain edit of a problem, else by a comment.

    `names` are the files that may be changed. Returns the files, a note for each removed line, and the errors that are left.
    """
    files, known = dict(files), frozenset(names)
    notes: list[Note] = []
    for number in range(MAX_ROUNDS):
        errors = find_errors(files)
        problems = [problem for problem in errors if problem.place.file in known]
        if not problems or number == MAX_ROUNDS - 1:
            break
        for name in sorted({problem.place.file for problem in problems}):
            text = files[name]
            if isinstance(text, bytes):  # an image that cannot be read
                del files[name]
                notes.append((name, next(p.message for p in problems if p.place.file == name)))
            else:
                files[name] = _repair_file(name, text, [p for p in problems if p.place.file == name], notes)
    return files, notes, errors


def _repair_file(name: str, text: str, problems: Sequence[Problem], notes: list[Note]) -> str:
    edits = [problem.edits for problem in problems if problem.edits]
    if edits:
        repaired, count = apply_edits(text, edits, is_yaml=not name.endswith(".bib"))
        if count:
            return repaired
    lines: set[int] = set()
    exact = {
        p.message for p in problems if _is_value(text, p)
    }  # a report at a text that only has the same word is wrong
    problems = [p for p in problems if p.message not in exact or _is_value(text, p)]
    for problem in sorted(problems, key=lambda problem: problem.place, reverse=True):
        if problem.place.line and problem.place.line not in lines:
            lines.add(problem.place.line)
            text, removed = remove_place(name, text, problem)
            notes.append((name, f"{problem.message}: {removed}"))
        elif not problem.place.line:
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
    """The text without the place of a problem, and what was removed: a YAML key becomes a comment, a link its label."""
    lines = text.split("\n")
    index = min(problem.place.line, len(lines)) - 1
    line = lines[index]
    head = text.find("\n---\n", 3) if text.startswith("---\n") else -1
    is_yaml = name.endswith(".yaml") or (head > 0 and index <= text.count("\n", 0, head))
    is_text = not name.endswith(".bib") and (not is_yaml or _is_in_block(lines, index))
    start = problem.place.column - 1
    marked = re.escape(line[start : start + problem.place.length]) if problem.place.column else ""
    new_line = line
    if problem.code == "unknown-citation":
        new_line = re.sub(
            r"\[([^\[\]]*@[^\[\]]*)\](?!\()", lambda match: f"({match[1].replace('@', '')})", line
        )
    elif marked:
        link = rf"!?\[([^\[\]]*)\]\(<?[^()]*{marked}[^()]*\)|<(?:img|source|embed)\b[^<>]*{marked}[^<>]*>"
        new_line = re.sub(link, lambda match: match[1] or "", line)
    if new_line == line and is_text:
        new_line = re.sub(rf"\s(?:id|href|src|poster)=\"[^\"]*{marked}[^\"]*\"", "", line)
        new_line = "" if new_line == line else new_line
    has_value = new_line.strip(" -").partition(":")[2].strip(" \"'") or not re.match(r"[ -]*[\w-]+:", line)
    if new_line != line and (is_text or has_value):
        lines[index] = new_line
        return "\n".join(lines), line.strip()[
            :90
        ] if not new_line else f"{line[start : start + problem.place.length]} is text now"
    if name.endswith(".bib"):
        lines[index] = f"% {line}"
        return "\n".join(lines), line.strip()[:90]
    return _comment_out(lines, index, is_entry=problem.code in ENTRY_CODES)


def _is_in_block(lines: Sequence[str], index: int) -> bool:
    """Whether a line of YAML is part of a text in several lines: "text: |-"."""
    indent = len(lines[index]) - len(lines[index].lstrip(" "))
    for line in reversed(lines[:index]):
        if line.strip() and len(line) - len(line.lstrip(" ")) < indent:
            return re.search(r"[:-] [|>][+-]?$", line) is not None
    return False


def _comment_out(lines: list[str], index: int, *, is_entry: bool) -> tuple[str, str]:
    """
    The lines with a key and its value, or a whole entry, as a comment.

    If the first key of an entry goes, its hyphen moves to the next key. The last entry of a list takes the key of the list with it.
    """
    while index and re.match(r" +- (?![\w-]+:(?: |$))", lines[index]):  # an item of a value: the whole key
        index -= 1
    line = lines[index]
    is_first_key = line.lstrip().startswith("- ")
    whole_entry = is_entry and is_first_key
    while (
        is_entry
        and not is_first_key
        and index
        and not lines[index].lstrip().startswith("- ")
        and lines[index].startswith(" ")
    ):
        index -= 1
        whole_entry = lines[index].lstrip().startswith("- ")
    line = lines[index]
    hyphen = len(line) - len(line.lstrip(" "))
    indent = hyphen + 2 if is_first_key and not whole_entry else hyphen
    end = index + 1
    while end < len(lines) and lines[end].strip():
        depth = len(lines[end]) - len(lines[end].lstrip(" "))
        if depth <= indent and not (
            depth == indent and lines[end].lstrip().startswith("- ") and not line.lstrip().startswith("- ")
        ):
            break
        end += 1
    following = lines[end] if end < len(lines) else ""
    if is_first_key and not whole_entry and following.startswith(" " * indent) and following.strip():
        lines[end] = f"{line[:hyphen]}- {following[indent:]}"
    lines[index:end] = [f"# {text}" for text in lines[index:end]]
    return "\n".join(lines), line.strip()[:90]
