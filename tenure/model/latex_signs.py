"""The commands of LaTeX for characters, as pylatexenc lists them."""

from functools import cache


@cache
def find_sign_of_command(name: str) -> str:
    """The character or word ("lim") of a command, or ""."""
    from pylatexenc.latex2text import get_default_latex_context_db

    replacement = getattr(get_default_latex_context_db().get_macro_spec(name), "simplify_repl", None)
    is_text = isinstance(replacement, str) and (len(replacement) == 1 or replacement.isalpha())
    return str(replacement) if is_text else ""


@cache
def find_command_of_sign(character: str) -> str:
    r"""The command of a character, "é" -> "\'e", or ""."""
    from pylatexenc.latexencode import UnicodeToLatexEncoder

    encoder = UnicodeToLatexEncoder(unknown_char_policy=lambda _: "", unknown_char_warning=False)
    command: str = encoder.unicode_to_latex(character)
    return command
