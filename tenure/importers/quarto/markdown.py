"""Converts the text of Quarto pages and notebooks to Markdown: fenced divs, code cells, raw blocks, and shortcodes."""

import json
import posixpath
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from tenure.importers.hugo.markdown import HugoTextConverter
from tenure.importers.source_html import rewrite_outside_code
from tenure.record import field, replace

_CODE_CELL = re.compile(
    r"^(?P<fence>`{3,})[ \t]*\{(?P<language>[^}\n]*)\}[ \t]*\n(?P<code>.*?)^(?P=fence)[ \t]*$",
    re.DOTALL | re.MULTILINE,
)
_CELL_OPTION = re.compile(r"^(?:#|//|%)\|.*\n?", re.MULTILINE)
_DIV_LINE = re.compile(r"^\s*:{3,}\s*(.*?)\s*:*\s*$")
_HIDDEN_DIV = re.compile(r"\.hidden\b|\.content-hidden\b|\.content-visible\b(?!.*html)|\.notes\b")
_SPAN_WITH_ATTRIBUTES = re.compile(r"(?<![!\]])\[([^\[\]]*)\]\{(?:\.|[\w-]+=)[^{}]*\}")
_CALLOUT_TYPES: Mapping[str, str] = {
    "note": "NOTE",
    "tip": "TIP",
    "important": "IMPORTANT",
    "warning": "WARNING",
    "caution": "CAUTION",
}


_INCLUDE = re.compile(r"^[ \t]*\{\{<\s*include\s+[\"']?([^\s\"'<>]+)[\"']?\s*>\}\}[ \t]*$", re.MULTILINE)
_INLINE_FOOTNOTE = re.compile(r"(?<!\\)\^\[((?:[^\[\]]|\[[^\[\]]*\])+)\]")
_BLOCK_TAG_ALONE = re.compile(
    r"^( {0,3}</?(?:article|aside|center|details|div|figure|footer|header|main|p|section)\b[^<>\n]*>)[ \t]*\n(?! {4,}\S)",
    re.MULTILINE,
)
_LABEL = re.compile(
    r"(?<=[)$])[ \t]*\{#(?P<name>(?:fig|tbl|eq)-[\w-]+)[^{}\n]*\}|\{#(?P<part>sec-[\w-]+)[^{}\n]*\}"
)
_REFERENCE = re.compile(r"(?<![\w.@\\])\[?@((?:fig|tbl|eq|sec)-[\w-]+)\]?")
_REFERENCE_WORDS: Mapping[str, str] = {"fig": "Figure", "tbl": "Table", "eq": "Equation", "sec": "Section"}
MAX_INCLUDES = 20
"""The number of files that one page may include; files that include each other would never end."""


class QuartoTextConverter(HugoTextConverter):
    """
    Converts the texts of a Quarto site to Markdown.

    `values` has the texts that `var` and `meta` print: the values of _variables.yml as "var.name", those of _quarto.yml
    and of the front matter as "meta.name".
    """

    values: Mapping[str, str] = field(default_factory=dict)

    def _convert_template_tags(self, text: str, location: str) -> str:
        for _ in range(MAX_INCLUDES):
            text = _INCLUDE.sub(lambda match: self._read_included_file(match, location), text)
        text = _CODE_CELL.sub(_convert_code_cell, text)
        text = rewrite_outside_code(_convert_divs(text), _separate_html_blocks)
        text = _convert_references(_convert_footnotes(text))
        text = _SPAN_WITH_ATTRIBUTES.sub(r"\1", text)
        return super()._convert_template_tags(text, location)

    def _read_included_file(self, match: re.Match[str], location: str) -> str:
        """The text of an included file without its front matter; "" for a missing file, which is reported."""
        names = (posixpath.normpath(f"{folder}/{match[1]}").lstrip("/") for folder in self.folders)
        path = self.session.find_first_file(match[1].lstrip("/"), *names)
        file = self.session.read_document(path)
        if file is None:
            self.session.record_skipped(location, f"an included file that is not in the source: {match[1]}")
        return file.body if file is not None else ""

    def _convert_single_shortcode(
        self, name: str, parameters: Mapping[str, str], location: str, source: str
    ) -> str:
        first_value = parameters.get("0", "")
        if name == "kbd":
            return f"`{first_value}`"
        key = f"{name}.{first_value}"
        value = parameters.get("1", "") if name == "env" else self.values.get(key, "")
        if "{{<" in value:
            other_values = {other: text for other, text in self.values.items() if other != key}
            value = replace(self, values=other_values).convert_line(value, location)
        return value or super()._convert_single_shortcode(name, parameters, location, source)


def _separate_html_blocks(text: str) -> str:
    """Blank lines around tags of blocks that are alone in a line: Pandoc reads the text within them as Markdown."""
    return _BLOCK_TAG_ALONE.sub(lambda match: f"\n{_rename_paragraph(match[1])}\n\n", text)


def _rename_paragraph(tag: str) -> str:
    """A tag of a paragraph as that of a div, because the text within it becomes a paragraph."""
    return re.sub(r"^(\s*</?)p\b", r"\1div", tag)


def _convert_footnotes(text: str) -> str:
    """Footnotes within a sentence, ^[text], as notes at the end of the text."""
    notes: list[str] = []

    def number_note(match: re.Match[str]) -> str:
        notes.append(f"[^inline-{len(notes) + 1}]: {' '.join(match[1].split())}")
        return f"[^inline-{len(notes)}]"

    text = rewrite_outside_code(text, lambda prose: _INLINE_FOOTNOTE.sub(number_note, prose))
    return "\n\n".join([text, *notes])


def _convert_references(text: str) -> str:
    """References to figures, tables and equations by their numbers, "Figure 1", and without the labels."""
    numbers: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for match in _LABEL.finditer(text):
        name = match["name"] or match["part"]
        kind = name.partition("-")[0]
        counts[kind] += 1
        numbers.setdefault(name, f"{_REFERENCE_WORDS[kind]} {counts[kind]}" if match["name"] else "this page")
    if not numbers:
        return text
    text = rewrite_outside_code(text, lambda prose: _REFERENCE.sub(lambda m: numbers.get(m[1], m[0]), prose))
    return _LABEL.sub(lambda match: match[0] if match["part"] else "", text)


def _convert_code_cell(match: re.Match[str]) -> str:
    """A code block without the options of its cell; the content of raw HTML; "" if the page does not show the code."""
    language, code = match["language"].strip(), match["code"]
    if language.startswith("="):
        return code if language == "=html" else ""
    options = " ".join([language, *_CELL_OPTION.findall(code)])
    if re.search(r"\b(?:echo|include)\s*[:=]\s*(?:false|FALSE|F\b)", options):
        return ""
    name = re.sub(r"^\.", "", re.split(r"[\s,]", language)[0])
    return f"{match['fence']}{name}\n{_CELL_OPTION.sub('', code)}{match['fence']}"


def _convert_divs(text: str) -> str:
    """The text without the lines of fenced divs: callouts become quotations, hidden divs are left out."""
    lines: list[str] = []
    open_divs: list[str] = []
    is_code = False
    for line in text.split("\n"):
        is_code = is_code != bool(re.match(r"\s*(?:```|~~~)", line))
        match = None if is_code else _DIV_LINE.match(line)
        if match is None:
            if not any(map(_HIDDEN_DIV.search, open_divs)):
                prefix = "> " * sum("callout" in attributes for attributes in open_divs)
                lines.append(f"{prefix}{line}".rstrip() if prefix else line)
        elif match[1]:
            open_divs.append(match[1])
            callout = re.search(r"callout-(\w+)", match[1])
            if callout:
                title = re.search(r"title=\"([^\"]*)\"", match[1])
                lines += [
                    "",
                    f"> [!{_CALLOUT_TYPES.get(callout[1], 'NOTE')}]",
                    *([f"> **{title[1]}**", ">"] if title else []),
                ]
            else:
                lines.append("")
        elif open_divs:
            open_divs.pop()
            lines.append("")
    return "\n".join(lines)


class Notebook(NamedTuple):
    """The text of a notebook with its front matter, and the number of outputs of its code, which are not in the text."""

    text: str
    output_count: int


def read_notebook(source: str) -> Notebook | None:
    """
    The cells of a notebook as Markdown with code cells of Quarto; None if the text is not a notebook.

    The first cell is the front matter if it looks like it; else a heading at its start is the title, as in Quarto.
    """
    try:
        data = json.loads(source)
    except (ValueError, RecursionError):
        return None
    cells = data.get("cells") if isinstance(data, dict) else None
    if not isinstance(cells, list):
        return None
    language = _find_language(data)
    texts: list[str] = []
    output_count = 0
    for cell in (cell for cell in cells if isinstance(cell, dict)):
        text = _join_lines(cell.get("source")).strip("\n")
        outputs = cell.get("outputs")
        output_count += len(outputs) if isinstance(outputs, list) else 0
        if cell.get("cell_type") == "code":
            fence = max(["```", *(f"{run}`" for run in re.findall(r"`{3,}", text))], key=len)
            texts.append(f"{fence}{{{language}}}\n{text}\n{fence}")
        elif cell.get("cell_type") == "markdown" or text.startswith("---\n"):
            texts.append(text)
    texts = list(filter(None, texts))
    heading = re.match(r"# +(.+?) *#*(?:\n|\Z)", texts[0]) if texts else None
    if heading:
        texts[0] = (
            f"---\ntitle: {json.dumps(heading[1], ensure_ascii=False)}\n---\n{texts[0][heading.end() :]}"
        )
    return Notebook("\n\n".join(texts) + "\n", output_count)


def _join_lines(source: Any) -> str:
    """The text of a cell, which is stored as one text or as a list of lines."""
    lines = source if isinstance(source, list) else [source]
    return "".join(line for line in lines if isinstance(line, str))


def _find_language(data: dict[str, Any]) -> str:
    """The language of the code: that of the kernel, else Python."""
    metadata = data.get("metadata")
    kernel = metadata.get("kernelspec") if isinstance(metadata, dict) else None
    language = kernel.get("language") if isinstance(kernel, dict) else None
    return language.casefold() if isinstance(language, str) and re.fullmatch(r"\w+", language) else "python"
