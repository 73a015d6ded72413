r"""
LaTeX commands that need more than their own value: citations of other entries, and unknown commands.

note = {Corrects \cite{lovelace1843}} -> Corrects Lovelace (1843)
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from tenure.model.latex_citations import LATEX_CITATION, find_cited_keys, read_notes
from tenure.problems import Place, Problems
from tenure.record import replace
from tenure.sources.bibtex.bib_fields import TEXT_FIELDS, find_use
from tenure.sources.bibtex.reader import CITATION_KEY, SOURCE_KEY, place_at_offset
from tenure.sources.latex.commands import KNOWN_COMMANDS
from tenure.sources.latex.conversion import latex_to_markdown
from tenure.sources.publications.author_names import parse_authors
from tenure.sources.reading.node import Node


def resolve_citations(entries: Sequence[Node], problems: Problems) -> tuple[Node, ...]:
    """
    The entries in order; a citation of another entry in their texts is replaced by its authors and year.

    Unknown keys are reported once.
    """
    by_key = {node.mapping[CITATION_KEY].text: node for node in reversed(entries)}
    unknown: dict[str, Place] = {}
    for node in entries:
        for key, place in _find_unknown_keys(node, by_key).items():
            unknown.setdefault(key, place)
    if unknown:
        message = f"no .bib file has the keys that are cited: {_list_some([*unknown])}"
        hint = "add their entries to a .bib file, or write their authors and years"
        problems.report("bib-missing-entry", next(iter(unknown.values())), message, hint)
    return tuple(_resolve_entry(node, by_key) for node in entries)


def _list_citing_fields(node: Node) -> dict[str, Node]:
    """The shown fields of an entry in which LaTeX cites others."""
    if "cite" not in node.mapping[SOURCE_KEY].text:
        return {}
    return {
        name: child
        for name, child in node.mapping.items()
        if not name.startswith("@") and "cite" in child.text and find_use(name, child.text) == "shown"
    }


def _find_unknown_keys(node: Node, by_key: Mapping[str, Node]) -> dict[str, Place]:
    """The keys that an entry cites and no .bib file has, with their places in the entry."""
    source = node.mapping[SOURCE_KEY].text
    places: dict[str, Place] = {}
    for child in _list_citing_fields(node).values():
        for match in LATEX_CITATION.finditer(child.text):
            cited = find_cited_keys(match) if match["command"] != "nocite" else ()
            for key, _ in cited:
                if key not in by_key:
                    offset = max(source.find(key), 0)
                    places.setdefault(key, place_at_offset(node.place, source, offset, len(key)))
    return places


def _resolve_entry(node: Node, by_key: Mapping[str, Node]) -> Node:
    """An entry in whose texts the authors and years of other entries stand, and not their keys."""
    fields = dict(node.mapping)
    for name, child in _list_citing_fields(node).items():
        text = LATEX_CITATION.sub(lambda match: _format_citation(match, by_key), child.text)
        fields[name] = Node(text, child.place)
    return replace(node, value=fields)


def _format_citation(match: re.Match[str], by_key: Mapping[str, Node]) -> str:
    """The citation in words: "Lovelace (1843, p. 3)", or "(see Lovelace, 1843)" for one in parentheses."""
    command = match["command"].casefold()
    if command == "nocite":
        return ""
    prefix, note = read_notes(match)
    labels = [_label_entry(key, by_key) for key, _ in find_cited_keys(match)]
    if any(word in command for word in ("citep", "paren", "auto", "foot")):
        text = "; ".join(", ".join(filter(None, label)) for label in labels)
        return f"({prefix}{', '.join(filter(None, (text, note)))})"

    texts: list[str] = []
    for number, (authors, year) in enumerate(labels, 1):
        # the note belongs to the last entry
        is_last = number == len(labels)
        details = ", ".join(filter(None, (year, note))) if is_last else year
        texts.append(f"{authors} ({details})" if details else authors)
    return prefix + _join_with_and(texts)


def _join_with_and(texts: Sequence[str]) -> str:
    """["A (2000)", "B (2001)", "C (2002)"] -> "A (2000), B (2001) and C (2002)"; [] -> ""."""
    if len(texts) < 2:
        return "".join(texts)
    return f"{', '.join(texts[:-1])} and {texts[-1]}"


def _label_entry(key: str, by_key: Mapping[str, Node]) -> tuple[str, str]:
    """The authors and the year of a cited entry, in LaTeX; without authors its title, or else its key."""
    node = by_key.get(key, Node(None, Place("")))
    title = node.child("title").text
    year_match = re.search(r"\d{4}", node.child("date").text or node.child("year").text)
    year = year_match[0] if year_match else ""
    people = parse_authors(node.child("author").text or node.child("editor").text).authors.people
    names = [person.name.family or person.name.group for person in people]
    authors = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
    if not authors and not title:
        authors = key
    # names are text, a title is LaTeX: "A&B" -> "A\&B"
    label = re.sub(r"([&%#_$])", r"\\\1", authors)
    return label or title, year


def report_unknown_commands(entries: Sequence[Node], problems: Problems) -> None:
    """Report the unknown LaTeX commands in the shown fields of a library once, at the first of them."""
    counts: Counter[str] = Counter()
    first_place: Place | None = None
    for node in entries:
        commands = _list_unknown_commands(node)
        counts.update(commands)
        if commands and first_place is None:
            source = node.mapping[SOURCE_KEY].text
            match = re.search(rf"{re.escape(commands[0])}(?![a-zA-Z])", source)
            offset = match.start() if match else 0
            first_place = place_at_offset(node.place, source, offset, len(commands[0]))

    if first_place is not None:
        listed = _list_some([f"{command} ({count})" for command, count in counts.most_common()])
        message = f"LaTeX commands that are not known: {listed}"
        problems.report("bib-unknown", first_place, message, "their arguments or names are shown as text")


def _list_unknown_commands(node: Node) -> list[str]:
    r"""The unknown commands in the shown fields of an entry, each once: \wovenby."""
    source = node.mapping[SOURCE_KEY].text
    # a quick answer for most entries, without decoding; commands of one letter are mostly accents: \c{c}
    words = re.findall(r"\\([a-zA-Z]{2,})", source)
    if KNOWN_COMMANDS.issuperset(words):
        return []
    commands: dict[str, None] = {}
    for name, child in node.mapping.items():
        if not name.startswith("@") and "\\" in child.text and find_use(name, child.text) == "shown":
            decoded = latex_to_markdown(child.text, name in TEXT_FIELDS)
            commands |= dict.fromkeys(decoded.unknown_commands)
    return [*commands]


MAX_LISTED = 12
"""The number of unknown commands or keys that a warning lists."""


def _list_some(texts: Sequence[str]) -> str:
    """The first texts of a list, and the number of the others."""
    more = ""
    if len(texts) > MAX_LISTED:
        more = f", and {len(texts) - MAX_LISTED} more"
    return f"{', '.join(texts[:MAX_LISTED])}{more}"
