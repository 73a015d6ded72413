"""The words that stay in the line of a formula."""

import re

MAX_WORD = 12
"""Maximum number of characters of a word that stays in the line of the formula that it touches."""

_WORD = r"[^\s<>\u2e80-\U0010ffff]"
"""A character of a script with spaces between words."""

_IN_LINE = rf"(?<!{_WORD})({_WORD}*)(<math display=\"inline\">.*?</math>)({_WORD}*)"
"""A pattern that is compiled for the first page with a formula: it takes 4 ms."""


def keep_formulas_with_words(html: str) -> str:
    """Allow no line break between a formula and its word: the x-axis."""
    if 'display="inline"' not in html:
        return html
    return re.sub(_IN_LINE, _keep_with_word, html, flags=re.DOTALL)


def _keep_with_word(match: re.Match[str]) -> str:
    """The formula with the words that touch it in one line, if they are short: "x-axis"."""
    before, formula, after = match.groups()
    if not 0 < len(before) + len(after) <= MAX_WORD:
        return match[0]
    return f'<span class="nowrap">{before}{formula}{after}</span>'
