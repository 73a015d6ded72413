"""
Writes a CV for the templates of Typst: records become dictionaries, and their texts markup.

Every text is a string literal, so that Typst never reads a text of the site as markup; what the markup calls
is in the theme's `cv-parts.typ`: an "emph" and a "link" -> `#emph[#"a"] #link("https://x.org/")[#"b"]`
"""

from collections.abc import Iterable, Sequence
from typing import Any

from tenure.exports.cv.document import CvData, CvRow, CvSection
from tenure.exports.cv.spans import PARAGRAPHS, Span, TextBlock, find_gaps, read_phrase
from tenure.presentation.writer import Phrase
from tenure.record import Record, field_names

VERBATIM_KINDS = frozenset({"code", "source", "formula", "display"})
"""Kinds of spans whose content is one string."""

BLOCK_CALLS = {
    "code": "code-block",
    "table": "cells",
}
"""The functions of `cv-parts.typ` by the kinds of blocks; any other kind is that of a function."""

PLAIN_FIELDS = frozenset({"id", "kind", "legend", "name", "number", "pronouns"})
"""Fields of records that are no phrases."""

PICTURES = ("photo", "signature")
BLOCK_FIELDS = frozenset({"below", "intro", "text"})


def quote_text(text: str) -> str:
    """A text as a string literal of Typst."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def write_phrase(phrase: Phrase) -> str:
    """The markup of a phrase."""
    return "".join(map(_write_part, read_phrase(phrase))) if phrase else ""


def _write_part(part: Span | str) -> str:
    """A text or a span; spaces at the ends of a text are outside its string: Typst joins them."""
    if isinstance(part, str):
        words = part.strip(" ")
        return part.replace(words, f"#{quote_text(words)}") if words else part
    kind, value, parts = part
    if kind == "break":
        return "#linebreak()"
    if kind in VERBATIM_KINDS:
        content = f"[#{quote_text(part.text)}]"
    else:
        content = f"[{''.join(map(_write_part, parts))}]"
    if kind in ("formula", "display"):
        return f"#formula({quote_text(value)}, block: {str(kind == 'display').lower()}){content}"
    return f"#{kind}({quote_text(value)}){content}" if value else f"#{kind}{content}"


def write_blocks(blocks: Sequence[TextBlock]) -> str:
    """The markup of blocks."""
    return "".join(_write_block(block, has_gap=has_gap) for block, has_gap in find_gaps(blocks))


def _write_block(block: TextBlock, *, has_gap: bool) -> str:
    """The markup of a block: a list of two items -> `#bullets[#paragraph[#"a"]][#paragraph[#"b"]]`."""
    if block.kind in PARAGRAPHS:
        call = "#paragraph(space: true)" if has_gap else "#paragraph"
        return f"{call}[{write_phrase(block.text)}]"

    call = f"#{BLOCK_CALLS.get(block.kind, block.kind)}"
    if block.kind == "rule":
        return f"{call}()"
    if block.kind in ("code", "signature"):
        return f"{call}[#{quote_text(block.text)}]"
    if block.kind in ("subheading", "part"):
        return f"{call}[{write_phrase(block.text)}]"
    if block.kind == "table":
        return f"{call}({_write_cells(block)} head: {str(block.has_head).lower()})"
    if block.kind == "numbers":
        call = f"{call}(start: {block.start})"
    return call + "".join(f"[{write_blocks(item)}]" for item in block.items)


def _write_cells(table: TextBlock) -> str:
    """The rows of a table: `([#"a"],[#"b"],),`."""
    rows = ("".join(f"[{write_phrase(cell)}]," for cell in row) for row in table.rows)
    return "".join(f"({cells})," for cells in rows)


def describe_cv(cv: CvData, pictures: Iterable[str]) -> dict[str, Any]:
    """
    The input of a `cv.typ`: the values of the page, the person, and sections with rows.

    `pictures` are the names of files: of the photo of a CV, or of the signature of a letter.
    """
    language, *subtags = cv.language.split("-")
    names = ("title", "description", "paper", "accent", "band", "ink", "options")
    return {
        **{name: getattr(cv, name) for name in names},
        "language": language,
        "region": next((tag for tag in subtags if len(tag) == 2), None),
        "margins": cv.margins or None,
        "size": cv.size or None,
        "person": _describe_record(cv.person),
        "sections": [*map(_describe_section, cv.sections)],
        "updated": write_phrase(cv.updated),
        **{kind: next((name for name in pictures if name.startswith(kind)), None) for kind in PICTURES},
    }


def _describe_record(record: Record) -> dict[str, Any]:
    """The fields of a record; a row has its `form`, and is `tall` if there are paragraphs below its head."""
    fields = {name: _describe_field(name, getattr(record, name)) for name in field_names(type(record))}
    return fields | {"form": record.form, "tall": record.is_tall} if isinstance(record, CvRow) else fields


def _describe_field(name: str, value: Any) -> Any:
    """
    A field of a record: `number` as it is, `below` as blocks, `rows` as dictionaries, `head` as a phrase.
    """
    if name in PLAIN_FIELDS:
        return value
    if name in BLOCK_FIELDS:
        return write_blocks(value)
    if isinstance(value, tuple):
        return [_describe_field("", item) for item in value]
    return _describe_record(value) if isinstance(value, Record) else write_phrase(value)


def _describe_section(section: CvSection) -> dict[str, Any]:
    """
    A section; `contents` is None, or has the title and the rows, whose head is named `title` in templates.
    """
    described = _describe_record(section)
    rows = [row | {"title": row["head"]} for row in described["contents"]]
    described["contents"] = {"title": described["contents_title"], "rows": rows} if rows else None
    return described
