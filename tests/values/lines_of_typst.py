"""Lines of typst.txt: Markdown in the markup of Typst."""

import re

from tenure.exports.cv.tree_writer import convert_blocks, convert_inline
from tenure.exports.cv.typst_data import write_blocks, write_phrase
from tenure.markdown.html import render_inline, render_markdown


def write_typst(text: str) -> str:
    return write_phrase(convert_inline(render_inline(text), lambda url: url if ":" in url else ""))


def write_typst_blocks(text: str) -> str:
    return write_blocks(convert_blocks(render_markdown(text, 3), str))


def read_alt_text(text: str) -> str:
    """Return the alt text of a formula, which is a tree."""
    match = re.fullmatch(r'#formula\("\[\\"math\\", \{.*, block: false\)\[#"(.*)"\]', write_typst(text))
    return match[1] if match else "-"
