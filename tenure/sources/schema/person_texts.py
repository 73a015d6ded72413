"""A person as a text with role, years and what they do now: "Bo Lee, postdoc 2015–2020, now at Acme"."""

import re

from tenure.model.dates import parse_period
from tenure.model.names import remove_degrees
from tenure.model.roles import find_rank
from tenure.problems import Problems
from tenure.record import Record
from tenure.sources.reading.node import Node
from tenure.sources.schema.link_forms import shorten_for_message

# none within parentheses
_COMMA = r",(?![^(]*\))\s*"
# van der Berg
_FAMILY_NAME = r"(?:[^\W\d_A-Z]\S* )*\S+"
_NOW = r"(?i)(?:now|currently|jetzt|heute|maintenant|ahora|ora)\b:?\s*(?:at\s+)?(?=\S)"


class PersonText(Record):
    """The parts of a text about a person; all but the name may be ""."""

    name: str
    role: str = ""
    date: str = ""
    then: str = ""


def read_person_text(text: str) -> PersonText:
    """
    The parts of a text, which is only a name if no role, year or "now" follows.

    "Rossi, Giulia, PhD student (2016-2019)" -> "Rossi, Giulia", "PhD student", "2016-2019", ""
    "Giulia Rossi, PhD" -> "Giulia Rossi, PhD", "", "", ""
    """
    name, *parts = re.split(_COMMA, text.strip())
    while parts and _belongs_to_name(name, parts[0]):
        name = f"{name}, {parts.pop(0)}"

    roles: list[str] = []
    period = ""
    then = ""
    for position, part in enumerate(parts):
        if match := re.match(_NOW, part):
            then = ", ".join([part[match.end() :], *parts[position + 1 :]])
            break
        role, found = split_period(part)
        roles.append(part if period else role)
        period = period or found

    if not (then or period or find_rank("".join(parts[:1]))):
        return PersonText(text)
    return PersonText(name, ", ".join(filter(None, roles)), period, then)


def _belongs_to_name(name: str, part: str) -> bool:
    """Whether the part after a comma is a degree, or the given names after a family name."""
    if remove_degrees(f"{name}, {part}") == remove_degrees(name):
        return True
    is_other = find_rank(part) or re.search(r"\d", part) or re.match(_NOW, part)
    return bool(re.fullmatch(_FAMILY_NAME, name)) and not is_other


def split_period(text: str) -> tuple[str, str]:
    """
    A text without the period at its end, and the period.

    "postdoc 2015–2020", "postdoc (2015–2020)" -> "postdoc", "2015–2020"
    "PhD student" -> "PhD student", ""
    """
    for gap in re.finditer(r"^|[\s(]+", text):
        period = text[gap.end() :].removesuffix(")")
        if parse_period(period):
            return text[: gap.start()], period
    return text, ""


def make_person(node: Node, problems: Problems, subject: str) -> Node:
    """A person with the parts of a text, which is reported; the text itself if it is only a name."""
    parts = read_person_text(node.text)
    if parts.name == node.text:
        return node
    fields = {"name": parts.name, "role": parts.role, "date": parts.date, "then": parts.then}
    written = {name: Node(text, node.place) for name, text in fields.items() if text}
    message = f"“{shorten_for_message(node.text)}” is read as {', '.join(written)} of {subject}"
    keys = ", ".join(f"{name}: …" for name in written)
    problems.report("alias", node.place, message, f"write {{{keys}}}")
    return Node.from_children(written, node.place)
