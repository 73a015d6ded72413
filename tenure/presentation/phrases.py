"""Phrases: pieces of text with their roles, which each output format marks up in its own way."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from tenure.markdown.html import plain_text
from tenure.model.dates import Date
from tenure.model.translations import Translations

DateForm = Literal["short", "long"]

SENTENCE_ENDS = "?!.？！。؟"
"""Punctuation marks after which a sentence needs no period."""


class Span(NamedTuple):
    """
    A piece of a line: plain text, inline Markdown, or nested spans.

    `role` is its meaning, such as "owner", "venue" or "term"; "" is text without a meaning of its own, such as a comma.
    `detail` is the machine-readable form of a date, or the explanation of a mark. A format that does not know a role
    shows the text alone.
    """

    text: str = ""
    role: str = ""
    url: str = ""
    is_markdown: bool = False
    spans: tuple["Span", ...] = ()
    detail: str = ""


Phrase = tuple[Span, ...]
"""A line or a part of one; an empty phrase shows nothing."""


def plain_phrase(text: str, role: str = "", url: str = "", detail: str = "") -> Phrase:
    """A plain text as a phrase; () without text."""
    return (Span(text, role, url, detail=detail),) if text else ()


def markdown_phrase(text: str, role: str = "", url: str = "") -> Phrase:
    """Inline Markdown as a phrase; () without text."""
    return (Span(text, role, url, is_markdown=True),) if text else ()


def nest_phrase(phrase: Phrase, role: str = "", url: str = "") -> Phrase:
    """A phrase as one span with a role; () if it is empty."""
    return (Span(role=role, url=url, spans=phrase),) if phrase else ()


def link_phrase(phrase: Phrase, url: str) -> Phrase:
    """A phrase as a link; unchanged without a URL."""
    return nest_phrase(phrase, url=url) if url else phrase


def join_phrases(phrases: Iterable[Phrase], separator: str) -> Phrase:
    """Join the non-empty phrases with a separator."""
    joined: list[Span] = []
    for phrase in phrases:
        if phrase:
            if joined and separator:
                joined.append(Span(separator))
            joined += phrase
    return tuple(joined)


def fill_pattern(pattern: str, parts: Mapping[str, Phrase]) -> Phrase:
    """Replace the fields of a translated pattern, "{first} and {last}", with phrases."""
    spans: list[Span] = []
    remainder = pattern
    while "{" in remainder:
        literal, _, remainder = remainder.partition("{")
        name, _, remainder = remainder.partition("}")
        spans += [*plain_phrase(literal), *parts.get(name, ())]
    return (*spans, *plain_phrase(remainder))


def date_phrase(t: Translations, date: Date | None, form: DateForm = "short") -> Phrase:
    """A date in the language of the translations."""
    if date is None:
        return ()
    return plain_phrase(date.format_text(t, form), "date" if date.iso else "", detail=date.iso)


def label_fact(t: Translations, label: str, value: Phrase) -> Phrase:
    """A fact with its label, "Topic: …"; () without a value."""
    return (Span(t["label"].format(label=label), "term"), Span(" "), *value) if value else ()


def format_name_list(t: Translations, names: Sequence[Phrase]) -> Phrase:
    """Names as a list in a sentence: "A and B", "A, B, and C"."""
    names = [name for name in names if name]
    if len(names) < 2:
        return names[0] if names else ()
    first = join_phrases(names[:-1], t["list_comma"])
    return fill_pattern(t["and_two" if len(names) == 2 else "and_many"], {"first": first, "last": names[-1]})


def phrase_to_text(phrase: Phrase) -> str:
    """The plain text of a phrase; citations in it are not resolved."""
    return "".join(
        phrase_to_text(span.spans)
        if span.spans
        else (plain_text(span.text) if span.is_markdown else span.text)
        for span in phrase
    )


def ends_sentence(text: str) -> bool:
    """Whether a text ends with a punctuation mark, so that no period follows; also if it is empty."""
    return text.rstrip()[-1:] in SENTENCE_ENDS
