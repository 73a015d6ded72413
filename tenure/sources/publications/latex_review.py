r"""
LaTeX commands that need more than their own value: citations of other entries; and the reports of unknown keys and commands.

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

MAX_LISTED = 12
"""The number of unknown commands or keys that a warning lists."""


def resolve_citations(entries: Sequence[Node], problems: Problems) -> tuple[Node, ...]:
    """The entries in order; a citation of another entry in their texts is replaced by its authors and year. Unknown keys are reported once."""
    by_key = {node.mapping[CITATION_KEY].text: node for node in reversed(entries)}
    unknown: dict[str, Place] = {}

    def resolve_entry(node: Node) -> Node:
        source = node.mapping[SOURCE_KEY].text
        if "cite" not in source:
            return node
        fields = dict(node.mapping)
        for name, child in node.mapping.items():
            if name.startswith("@") or "cite" not in child.text or find_use(name, child.text) != "shown":
                continue
            for match in LATEX_CITATION.finditer(child.text):
                for key, _ in find_cited_keys(match):
                    if key not in by_key and match["command"] != "nocite":
                        place = place_at_offset(node.place, source, max(source.find(key), 0), len(key))
                        unknown.setdefault(key, place)
            text = LATEX_CITATION.sub(lambda match: _format_citation(match, by_key), child.text)
            fields[name] = Node(text, child.place)
        return replace(node, value=fields)

    resolved = tuple(map(resolve_entry, entries))
    if unknown:
        message = f"no .bib file has the keys that are cited: {_list_some([*unknown])}"
        hint = "add their entries to a .bib file, or write their authors and years"
        problems.report("bib-missing-entry", next(iter(unknown.values())), message, hint)
    return resolved


def _format_citation(match: re.Match[str], by_key: Mapping[str, Node]) -> str:
    """The citation in words: "Lovelace (1843, p. 3)", or "(see Lovelace, 1843)" for one in parentheses."""
    command = match["command"].casefold()
    if command == "nocite":
        return ""
    prefix, note = read_notes(match)
    labels = [_label_entry(key, by_key) for key, _ in find_cited_keys(match)]
    if "citep" in command or "paren" in command or "auto" in command or "foot" in command:
        text = "; ".join(", ".join(filter(None, label)) for label in labels)
        return f"({prefix}{', '.join(filter(None, (text, note)))})"
    details = [(authors, year) for authors, year in labels[:-1]]
    details += [(authors, ", ".join(filter(None, (year, note)))) for authors, year in labels[-1:]]
    texts = [f"{authors} ({text})" if text else authors for authors, text in details]
    return prefix + " and ".join(filter(None, (", ".join(texts[:-1]), *texts[-1:])))


def _label_entry(key: str, by_key: Mapping[str, Node]) -> tuple[str, str]:
    """The authors and the year of a cited entry, in LaTeX; its title or key instead of authors if there are none."""
    node = by_key.get(key, Node(None, Place("")))
    people = parse_authors(node.child("author").text or node.child("editor").text).authors.people
    names = [person.name.family or person.name.group for person in people]
    authors = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
    year = re.search(r"\d{4}", node.child("date").text or node.child("year").text)
    label = re.sub(r"([&%#_$])", r"\\\1", authors or ("" if node.child("title").text else key))
    return label or node.child("title").text, year[0] if year else ""


def report_unknown_commands(entries: Sequence[Node], problems: Problems) -> None:
    """Report the unknown LaTeX commands in the shown fields of a library once, at the first of them."""
    counts: Counter[str] = Counter()
    first_place: Place | None = None
    for node in entries:
        source = node.mapping[SOURCE_KEY].text
        if "\\" not in source or KNOWN_COMMANDS.issuperset(re.findall(r"\\([a-zA-Z]{2,})", source)):
            continue
        texts = {name: child.text for name, child in node.mapping.items() if not name.startswith("@")}
        commands = {
            command: None
            for name, text in texts.items()
            if "\\" in text and find_use(name, text) == "shown"
            for command in latex_to_markdown(text, name in TEXT_FIELDS).unknown_commands
        }
        counts.update(commands.keys())
        for command in commands if first_place is None else ():
            match = re.search(rf"{re.escape(command)}(?![a-zA-Z])", source)
            offset = match.start() if match else 0
            first_place = first_place or place_at_offset(node.place, source, offset, len(command))
    if first_place is not None:
        listed = _list_some([f"{command} ({count})" for command, count in counts.most_common()])
        message = f"LaTeX commands that are not known: {listed}"
        problems.report("bib-unknown", first_place, message, "their arguments or names are shown as text")


def _list_some(texts: Sequence[str]) -> str:
    """The first texts of a list, and the number of the others."""
    more = f", and {len(texts) - MAX_LISTED} more" if len(texts) > MAX_LISTED else ""
    return f"{', '.join(texts[:MAX_LISTED])}{more}"
