"""Phrases: lines as data, and their HTML."""

import pytest

from tenure.html.filters import PhraseRenderer
from tenure.markdown.html import plain_text, render_inline
from tenure.model.languages import Language
from tenure.model.translations import Translations
from tenure.presentation.phrases import (
    Phrase,
    Span,
    ends_sentence,
    fill_pattern,
    format_name_list,
    join_phrases,
    label_fact,
    link_phrase,
    markdown_phrase,
    nest_phrase,
    phrase_to_text,
    plain_phrase,
)

ENGLISH = Translations(
    Language("en"),
    {
        "label": "{label}:",
        "list_comma": ", ",
        "and_two": "{first} and {last}",
        "and_many": "{first}, and {last}",
    },
)


def render_phrase(phrase: Phrase) -> str:
    return PhraseRenderer(
        render_inline,
        lambda title, language: f'<span lang="{language}">{title}</span>',
        plain_text,
        lambda text: f"<bdi>{text}</bdi>",
    ).render(phrase)


@pytest.mark.parametrize(
    ("names", "expected"), [("", ""), ("A", "A"), ("AB", "A and B"), ("ABC", "A, B, and C")]
)
def test_names_are_joined_as_the_language_joins_them(names: str, expected: str) -> None:
    assert phrase_to_text(format_name_list(ENGLISH, [plain_phrase(name) for name in names])) == expected


def test_empty_parts_have_no_separator() -> None:
    assert phrase_to_text(join_phrases([(), plain_phrase("a"), (), plain_phrase("b")], ", ")) == "a, b"


def test_a_pattern_keeps_its_words_around_the_parts() -> None:
    phrase = fill_pattern("In {venue} (ed.)", {"venue": markdown_phrase("*SOSP*", "venue")})
    assert phrase_to_text(phrase) == "In SOSP (ed.)"
    assert render_phrase(phrase) == "In <cite><em>SOSP</em></cite> (ed.)"


def test_a_fact_without_a_value_has_no_label() -> None:
    assert label_fact(ENGLISH, "Topic", ()) == ()
    assert (
        render_phrase(label_fact(ENGLISH, "Topic", plain_phrase("x"))) == '<span class="term">Topic:</span> x'
    )


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        (plain_phrase("a < *b*"), "a &lt; *b*"),
        (markdown_phrase("*b*"), "<em>b</em>"),
        (plain_phrase("Ann", "owner"), '<b class="me"><bdi>Ann</bdi></b>'),
        (plain_phrase("Ann", "person"), "<bdi>Ann</bdi>"),
        (
            plain_phrase("Ann", "person", "https://a.org/?b&c"),
            '<a class="person" href="https://a.org/?b&amp;c"><bdi>Ann</bdi></a>',
        ),
        ((Span("*Ann*", "name", is_markdown=True),), "<bdi>Ann</bdi>"),
        (plain_phrase("*", "mark", detail='"equal"'), '<sup title="&#34;equal&#34;">*</sup>'),
        (plain_phrase("2024", "date", detail="2024"), '<time datetime="2024">2024</time>'),
        (link_phrase(plain_phrase("a"), "/b/"), '<a href="/b/">a</a>'),
        (nest_phrase(markdown_phrase("*a*"), "a role of no format"), "<em>a</em>"),
    ],
)
def test_each_role_has_its_element(phrase: Phrase, expected: str) -> None:
    assert render_phrase(phrase) == expected


@pytest.mark.parametrize(
    ("text", "expected"), [("Why?", True), ("What. ", True), ("This", False), ("", True)]
)
def test_a_sentence_ends_with_a_mark(text: str, expected: bool) -> None:
    assert ends_sentence(text) is expected


def test_a_title_in_another_language_has_its_language() -> None:
    titles = nest_phrase(markdown_phrase("*Über* uns"), "title")
    assert render_phrase(titles) == "<em>Über</em> uns"
    assert (
        render_phrase(tuple(span._replace(detail="de") for span in titles))
        == '<span lang="de">*Über* uns</span>'
    )
