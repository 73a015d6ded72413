"""Reads Jupyter notebooks (nbformat 4, "The Jupyter Notebook Format"): their cells as the text of a Quarto page."""

import json
import re
from typing import Any, NamedTuple


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
