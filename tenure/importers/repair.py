"""Removes from the files of an import what Tenure would report as an error, so that every imported site builds."""

import html
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from tenure.importers.source_folder import ImportNote
from tenure.importers.yaml_writer import YamlData, format_yaml, node_to_data
from tenure.markdown.html_tags import Tag, rewrite_tags
from tenure.problems import Place, Problem, Problems
from tenure.record import Record, replace
from tenure.sources.bibtex.splitter import split_entries
from tenure.sources.bibtex.values import find_field_spans
from tenure.sources.edits import apply_edits
from tenure.sources.files import parse_markdown_file, parse_yaml
from tenure.sources.node import Node

URL_ATTRIBUTES = ("href", "src", "poster", "data", "srcset", "cite")
MEDIA_ELEMENTS = frozenset({"img", "source", "track", "embed"})
"""Elements without content: without their file they show nothing."""

ENTRY_CODES = frozenset({"missing-key", "duplicate-id", "wrong-shape"})
"""Problems of a whole entry, reported at its first key."""

YamlPath = tuple[str | int, ...]
"""The keys and indexes that lead to a value."""


class Repair(Record):
    """
    A text after a repair.

    `entry` is the index or the key of the entry that was changed; `removed` names what was removed; `is_converted` is
    true if only a link or an anchor was removed, `is_entry_removed` if the whole entry was.
    """

    text: str
    entry: str = ""
    is_converted: bool = False
    removed: str = ""
    is_entry_removed: bool = False


def repair_yaml(text: str, problem: Problem, attempt: int) -> Repair | None:
    """Repair a YAML file; None if nothing smaller than the file can be removed."""
    node = parse_yaml(text, problem.place.file, Problems())
    if node is None:
        return None
    comment_lines = re.match(r"(?:#.*\n)*", text)
    prefix = comment_lines[0] if comment_lines else ""
    repair = _repair_node(node, problem, attempt)
    return replace(repair, text=prefix + repair.text) if repair else None


def _repair_node(node: Node, problem: Problem, attempt: int) -> Repair | None:
    """Repair the data of a YAML file; None if it has no value at the place of the problem."""
    path = _find_redirect_path(node, problem) or find_path(node, problem.place)
    entry_depth = 2 if path[:1] == ("entries",) else 1
    entry = str(path[entry_depth - 1]) if len(path) >= entry_depth else ""
    data = node_to_data(node)
    text = _find_node(node, path).text
    if attempt == 1 and text and problem.code not in ENTRY_CODES:
        new_text = remove_link_or_anchor(text, problem)
        if new_text not in (text, ""):
            return Repair(_format_data(_replace_value(data, path, new_text)), entry, is_converted=True)
    if problem.code in ENTRY_CODES and len(path) > entry_depth:
        path = path[:-1]
    if attempt > 1:
        path = path[:entry_depth] if attempt > 2 else path[: max(entry_depth, len(path) - 1)]
    if not path or path == ("name",):
        return None
    new_data = _replace_value(data, path, None)
    if not new_data:
        return None
    is_entry_removed = len(path) == entry_depth and isinstance(path[-1], int)
    removed = _describe_path(path)
    return Repair(_format_data(new_data), entry, removed=removed, is_entry_removed=is_entry_removed)


def _find_redirect_path(node: Node, problem: Problem) -> YamlPath:
    """The path to the redirect from the URL that two sources have; () for other problems, which have their exact place."""
    url = re.search(r"the (?:same )?URL (/[^\s:]*)", problem.message)
    if url is None or problem.code != "duplicate-path":
        return ()
    redirects = node.child("redirects").mapping
    names = (key for key in redirects if re.sub(r"/index\.html$|/$", "", key) == url[1].rstrip("/"))
    name = next(names, "")
    return ("redirects", name) if name else ()


def find_path(node: Node, place: Place) -> YamlPath:
    """The path to the innermost value that begins at a place or before it."""
    position = (place.line, place.column or 10_000)
    children: list[tuple[str | int, Node, Place]] = [
        *((key, child, node.key_place(key)) for key, child in node.mapping.items()),
        *((index, item, item.place) for index, item in enumerate(node.items)),
    ]
    earlier = [child for child in children if (child[2].line, child[2].column) <= position]
    if not earlier:
        return ()
    name, child, _ = max(earlier, key=lambda candidate: (candidate[2].line, candidate[2].column))
    is_within = (child.place.line, child.place.column) <= position
    return (name, *find_path(child, place)) if is_within else (name,)


def _describe_path(path: YamlPath) -> str:
    keys = [str(part) for part in path if isinstance(part, str) and part != "entries"]
    return keys[-1] if keys else "an entry"


def _find_node(node: Node, path: YamlPath) -> Node:
    for part in path:
        node = node.items[part] if isinstance(part, int) else node.mapping[part]
    return node


def _format_data(data: YamlData | None) -> str:
    return "" if data is None or isinstance(data, str) else format_yaml(data)


def _replace_value(data: YamlData, path: YamlPath, value: YamlData | None) -> YamlData | None:
    """The data with another value at a path; with None, without that value and what is then empty."""
    if not path:
        return value
    if isinstance(data, Mapping):
        values = {
            key: _replace_value(child, path[1:], value) if key == path[0] else child
            for key, child in data.items()
        }
        return {key: child for key, child in values.items() if child is not None} or None
    items = (
        _replace_value(item, path[1:], value) if index == path[0] else item for index, item in enumerate(data)
    )
    return [item for item in items if item is not None] or None


def repair_document(text: str, problem: Problem, attempt: int) -> Repair | None:
    """Repair a Markdown file; None if it must be removed."""
    document = parse_markdown_file(text, problem.place.file, Problems())
    if document is None:
        return None
    if problem.place.line >= document.body_line or not document.front_matter.mapping:
        return _repair_body(text, problem, attempt)
    repair = _repair_node(document.front_matter, problem, attempt)
    if repair is None:
        return None
    body = text.split("\n---\n", 1)[1] if "\n---\n" in text else ""
    return replace(repair, text=f"---\n{repair.text}---\n{body}", entry="", is_entry_removed=False)


def _repair_body(text: str, problem: Problem, attempt: int) -> Repair | None:
    """Repair the text of a document: the links, then the line, then the paragraph of the problem."""
    new_text = remove_link_or_anchor(text, problem)
    if attempt == 1 and new_text != text:
        return Repair(new_text, is_converted=True)
    lines = text.split("\n")
    index = min(problem.place.line, len(lines)) - 1
    first, last = index, index + 1
    if attempt > 2:
        while first > 0 and lines[first - 1].strip() not in ("", "---"):
            first -= 1
        while last < len(lines) and lines[last].strip():
            last += 1
    removed_text = " ".join(" ".join(lines[first:last]).split())
    if not removed_text:
        return None
    return Repair("\n".join(lines[:first] + lines[last:]), removed=f"“{removed_text[:70]}”")


def remove_link_or_anchor(text: str, problem: Problem) -> str:
    """The text without the link or the anchor of a problem."""
    names = re.findall(r"[“\"]([^”\"]+)[”\"]", problem.message)
    if problem.code == "duplicate-anchor":
        for name in names:
            text = remove_anchors(text, name)
        return text
    excerpt, place = problem.excerpt, problem.place
    url = excerpt[place.column - 1 : place.column - 1 + place.length] if place.length else ""
    for candidate in dict.fromkeys((url, *names)):
        text = unlink_url(text, candidate) if candidate else text
    return text


def remove_anchors(text: str, name: str) -> str:
    """The text in which only the first element with an id has it."""
    pattern = re.compile(
        rf"\s+id\s*=\s*(?:\"{re.escape(name)}\"|'{re.escape(name)}'|{re.escape(name)}(?=[\s>/]))|\{{\s*#{re.escape(name)}\s*\}}"
    )
    matches = [*pattern.finditer(text)]
    for match in reversed(matches[1:] or matches):
        text = text[: match.start()] + text[match.end() :]
    return text


def unlink_url(text: str, url: str) -> str:
    """The text without links to a URL: their labels stay, images and other media are removed."""
    pattern = re.escape(url)
    target = rf"\(\s*<?{pattern}>?(?:\s+[\"'][^\"']*[\"'])?\s*\)"
    text = re.sub(rf"!\[[^\]]*\]{target}", "", text)
    text = re.sub(rf"\[((?:[^\[\]]|\[[^\]]*\])*)\]{target}", r"\1", text)
    text = re.sub(rf"^ {{0,3}}\[[^\]]+\]:\s*<?{pattern}>?(?:\s.*)?$\n?", "", text, flags=re.MULTILINE)
    text = re.sub(rf"<{pattern}>", lambda _: url, text)
    text = re.sub(rf"\\href\s*\{{{pattern}\}}\s*\{{([^{{}}]*)\}}", r"\1", text)

    def remove_attribute(tag: Tag) -> str:
        attributes = {
            name: value
            for name, value in tag.attributes.items()
            if name not in URL_ATTRIBUTES or html.unescape(value or "") != html.unescape(url)
        }
        if len(attributes) == len(tag.attributes):
            return tag.text
        return "" if tag.name in MEDIA_ELEMENTS else tag.format_with(attributes)

    text = re.sub(
        rf"<a\b[^<>]*?\bhref\s*=\s*[\"']?{pattern}[\"']?(?:\s[^<>]*)?>(.*?)</a\s*>",
        r"\1",
        text,
        flags=re.DOTALL | re.IGNORECASE,
    )
    return rewrite_tags(text, remove_attribute)


def repair_bibliography(text: str, problem: Problem, attempt: int) -> Repair | None:
    """Repair a .bib file: the link in a field, the field, the entry; None if the problem is in no entry."""
    offset = _offset_of(text, problem.place)
    entries = split_entries(text)
    entry = next((one for one in entries if one.start <= offset < one.start + len(one.raw)), None)
    if entry is None:
        return None
    end = entry.start + len(entry.raw)
    if attempt == 1:
        new_entry = remove_link_or_anchor(entry.raw, problem)
        if new_entry != entry.raw:
            return Repair(text[: entry.start] + new_entry + text[end:], entry.key, is_converted=True)
    span = _find_field(entry.raw, offset - entry.start) if attempt <= 2 else None
    if span is not None:
        start, stop, name = span
        new_text = text[: entry.start + start] + text[entry.start + stop :]
        return Repair(new_text, entry.key, removed=f"{name} of {entry.key}")
    return Repair(text[: entry.start] + text[end:].lstrip("\n"), entry.key, removed=entry.key or "an entry")


def _offset_of(text: str, place: Place) -> int:
    lines = text.split("\n")
    return sum(len(line) + 1 for line in lines[: place.line - 1]) + max(place.column - 1, 0)


def _find_field(entry: str, offset: int) -> tuple[int, int, str] | None:
    """The start, the end with its comma, and the name of the field of an entry at an offset; None outside of all fields."""
    start = entry.find(",") + 1
    for name, _, value_end in find_field_spans(entry, start):
        comma = re.compile(r"\s*,").match(entry, value_end)
        end = comma.end() if comma else value_end
        if start <= offset < end:
            return start, end, name
        start = end
    return None


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
        attempts.update({_problem_key(problem) for problem in repairable})
        for name in dict.fromkeys(problem.place.file for problem in repairable):
            problems = [problem for problem in repairable if problem.place.file == name]
            notes |= dict.fromkeys(_repair_file(repaired, name, problems, attempts, locations))
        for problem in repairable:
            if not problem.place.line and problem.place.file not in imported_names:
                notes |= dict.fromkeys(_remove_link_everywhere(repaired, imported_names, problem, locations))
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
    if attempt > 3:
        return None
    if name.endswith((".yaml", ".yml")):
        return repair_yaml(text, problem, attempt)
    if name.endswith(".bib"):
        return repair_bibliography(text, problem, attempt)
    return repair_document(text, problem, attempt)


def _remove_link_everywhere(
    files: dict[str, str | bytes], imported_names: Sequence[str], problem: Problem, origins: Mapping[str, str]
) -> list[ImportNote]:
    """Turn a link without a place, which the message quotes, into text wherever the imported files have it."""
    notes: list[ImportNote] = []
    for name in imported_names:
        text = files.get(name)
        new_text = remove_link_or_anchor(text, problem) if isinstance(text, str) else text
        if new_text is not None and new_text != text:
            files[name] = new_text
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
