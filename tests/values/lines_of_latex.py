"""Lines of latex.txt: LaTeX as Markdown, HTML and text, with the unknown commands."""

from tenure.markdown.html import plain_text, render_inline, render_markdown
from tenure.sources.latex.conversion import latex_to_markdown, latex_to_text


def convert_latex_to_html(text: str) -> str:
    decoded = latex_to_markdown(text)
    return render_inline(decoded.text) + "".join(f" ! {name}" for name in sorted(decoded.unknown_commands))


def convert_latex_to_text(text: str) -> str:
    """Return the text, and the unknown commands, which must be those of the Markdown."""
    decoded = latex_to_text(text)
    assert sorted(decoded.unknown_commands) == sorted(latex_to_markdown(text).unknown_commands)
    return decoded.text + "".join(f" ! {name}" for name in sorted(decoded.unknown_commands))


def convert_latex_to_markdown(text: str) -> str:
    return latex_to_markdown(text).text


def convert_letters(text: str) -> str:
    """Return the letters of LaTeX, the same as text and by way of Markdown."""
    result = latex_to_text(text).text
    assert plain_text(latex_to_markdown(text).text) == result
    return result


def render_paragraphs(text: str) -> str:
    return render_markdown(latex_to_markdown(text).text)


def read_plain_text(text: str) -> str:
    return plain_text(latex_to_markdown(text).text)
