"""LaTeX commands that need more than their own value: citations of other entries; and the reports of unknown keys and commands."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from tenure.model.latex_citations import LATEX_CITATION, find_cited_keys, read_notes
from tenure.problems import Place, Problems, find_similar_word
from tenure.record import replace
from tenure.sources.bibtex.latex import latex_to_markdown
from tenure.sources.bibtex.latex_commands import KNOWN_COMMANDS
from tenure.sources.bibtex.reader import CITATION_KEY, SOURCE_KEY, place_at_offset
from tenure.sources.node import Node
from tenure.sources.publications.fields import TEXT_FIELDS, find_use
from tenure.sources.publications.names import parse_authors

MAX_LISTED_COMMANDS = 12
"""The number of unknown commands or keys that a warning lists; notes list all."""

ADD_ENTRY_HINT = "add its entry to a .bib file, or write its authors and year"
ADD_ENTRIES_HINT = "add their entries to a .bib file, or write their authors and years"

_YEAR = re.compile(r"\d{4}")
_COMMAND = re.compile(r"\\([a-zA-Z]{2,})")


def resolve_citations(entries: Sequence[Node]) -> tuple[Node, ...]:
    """The entries in order; a citation of another entry in their texts is replaced by its authors and year."""
    if not any("cite" in _read_source(node) for node in entries):
        return tuple(entries)
    by_key = {node.mapping[CITATION_KEY].text: node for node in reversed(entries)}
    return tuple(_resolve_entry(node, by_key) if "cite" in _read_source(node) else node for node in entries)


def _read_source(node: Node) -> str:
    return node.mapping[SOURCE_KEY].text


def _resolve_entry(node: Node, by_key: Mapping[str, Node]) -> Node:
    fields = {
        name: Node(LATEX_CITATION.sub(lambda match: _format_citation(match, by_key), child.text), child.place)
        if not name.startswith("@") and "cite" in child.text
        else child
        for name, child in node.mapping.items()
    }
    return replace(node, value=fields)


def _format_citation(match: re.Match[str], by_key: Mapping[str, Node]) -> str:
    """The citation in words: "Lovelace (1843, p. 3)", or "(see Lovelace, 1843)" for one in parentheses."""
    command = match["command"].casefold()
    if command == "nocite":
        return ""
    prefix, note = read_notes(match)
    labels = [_label_entry(key, by_key) for key, _ in find_cited_keys(match)]
    if "author" in command or "title" in command or "year" in command:
        part = 0 if "author" in command else 2 if "title" in command else 1
        return ", ".join(label[part] or label[0] for label in labels)
    if "citep" in command or "paren" in command or "auto" in command or "foot" in command:
        text = "; ".join(", ".join(filter(None, label[:2])) for label in labels)
        return f"({prefix}{', '.join(filter(None, (text, note)))})"
    last = len(labels) - 1
    texts = []
    for number, (authors, year, _) in enumerate(labels):
        details = ", ".join(filter(None, (year, note if number == last else "")))
        texts.append(f"{authors} ({details})" if details else authors)
    return prefix + " and ".join(filter(None, (", ".join(texts[:-1]), *texts[-1:])))


def _label_entry(key: str, by_key: Mapping[str, Node]) -> tuple[str, str, str]:
    """The authors, the year and the title of a cited entry, in LaTeX; the key instead of authors if there is none."""
    node = by_key.get(key)
    if node is None:
        return _escape_latex(key), "", ""
    fields = {name: child.text for name, child in node.mapping.items() if not name.startswith("@")}
    people = parse_authors(fields.get("author") or fields.get("editor") or "").authors.people
    names = [_escape_latex(person.name.family or person.name.group) for person in people]
    authors = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
    year = _YEAR.search(fields.get("date") or fields.get("year") or "")
    title = fields.get("title", "")
    return authors or title or _escape_latex(key), year[0] if year else "", title


def _escape_latex(text: str) -> str:
    return re.sub(r"([&%#_$])", r"\\\1", text)


def report_unknown_citations(entries: Sequence[Node], problems: Problems) -> None:
    """Report a citation of a misspelled key at its place, and all other unknown keys once; notes list each at its place."""
    keys = {node.mapping[CITATION_KEY].text: None for node in entries}
    unknown: dict[str, Place] = {}
    for node in entries:
        for key, place in _find_unknown_keys(node, keys) if "cite" in _read_source(node) else ():
            suggestion = find_similar_word(key, keys)
            if suggestion:
                message = f'no .bib file has the key "{key}"'
                problems.report("bib-missing-entry", place, message, f'did you mean "{suggestion}"?')
                continue
            unknown.setdefault(key, place)
            citing_key = node.mapping[CITATION_KEY].text
            problems.report("bib-details", place, f'“{citing_key}” cites "{key}", which no .bib file has')
    if unknown:
        listed = ", ".join(f'"{key}"' for key in [*unknown][:MAX_LISTED_COMMANDS])
        hidden_count = len(unknown) - MAX_LISTED_COMMANDS
        more = f", and {hidden_count} more that are cited" if hidden_count > 0 else ""
        message = f"no .bib file has the key{'s' if len(unknown) > 1 else ''} {listed}{more}"
        hint = ADD_ENTRIES_HINT if len(unknown) > 1 else ADD_ENTRY_HINT
        problems.report("bib-missing-entry", next(iter(unknown.values())), message, hint)


def _find_unknown_keys(node: Node, keys: Collection[str]) -> Iterator[tuple[str, Place]]:
    """The unknown keys that the shown fields of an entry cite, with their places."""
    source = _read_source(node)
    shown_citations = {
        " ".join(match[0].split())
        for name, child in node.mapping.items()
        if not name.startswith("@") and "cite" in child.text and find_use(name, child.text) == "shown"
        for match in LATEX_CITATION.finditer(child.text)
    }
    for match in LATEX_CITATION.finditer(source):
        if match["command"].casefold() == "nocite" or " ".join(match[0].split()) not in shown_citations:
            continue
        for key, offset in find_cited_keys(match):
            if key not in keys:
                yield key, place_at_offset(node.place, source, offset, len(key))


def report_unknown_commands(entries: Sequence[Node], problems: Problems) -> None:
    """Report the unknown LaTeX commands of a library once, at the first of them; notes list each at its place."""
    counts: Counter[str] = Counter()
    first_place: Place | None = None
    for node in entries:
        for command, place in _find_unknown_commands(node):
            first_place = first_place or place
            counts[command] += 1
            key = node.mapping[CITATION_KEY].text
            problems.report("bib-details", place, f"the command {command} in “{key}” is not known")
    if first_place is None:
        return
    listed = ", ".join(f"{command} ({count})" for command, count in counts.most_common(MAX_LISTED_COMMANDS))
    more = f", and {len(counts) - MAX_LISTED_COMMANDS} more" if len(counts) > MAX_LISTED_COMMANDS else ""
    message = f"LaTeX commands that are not known: {listed}{more}"
    problems.report("bib-latex", first_place, message, "their arguments or names are shown as text")


def _find_unknown_commands(node: Node) -> Iterator[tuple[str, Place]]:
    """The unknown commands in the shown fields of an entry, each with its first place."""
    source = _read_source(node)
    if KNOWN_COMMANDS.issuperset(_COMMAND.findall(source)):
        return
    seen: set[str] = set()
    for name, child in node.mapping.items():
        text = child.text if not name.startswith("@") else ""
        if "\\" not in text or find_use(name, text) != "shown":
            continue
        for command in latex_to_markdown(text, name in TEXT_FIELDS).unknown_commands:
            match = re.search(rf"{re.escape(command)}(?![a-zA-Z])", source)
            if command not in seen:
                seen.add(command)
                offset = match.start() if match else 0
                yield command, place_at_offset(node.place, source, offset, len(command))
