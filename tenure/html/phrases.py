"""Renders phrases as HTML."""

from collections.abc import Callable, Mapping

from markupsafe import Markup

from tenure.model.languages import Language
from tenure.presentation.phrases import Phrase, Span
from tenure.record import Record, field

ROLE_ELEMENTS: Mapping[str, tuple[str, str]] = {
    "owner": ("b", "me"),
    "person": ("", "person"),
    "mark": ("sup", ""),
    "venue": ("cite", ""),
    "abbreviation": ("span", "abbr"),
    "parenthesis": ("span", "abbr nowrap"),
    "unit": ("span", "nowrap"),
    "status": ("span", "status"),
    "status_tag": ("span", "tag status"),
    "tag": ("span", "tag"),
    "term": ("span", "term"),
    "heading": ("b", "title"),
    "duty": ("b", "term"),
    "division": ("span", "unit"),
    "amount": ("span", "amount"),
    "strong": ("strong", ""),
    "emphasis": ("em", ""),
    "date": ("time", ""),
}
"""The element and the class of each role; if the element is "", the class goes on the link; without a link it is not used."""

ISOLATED_ROLES = frozenset({"owner", "person", "name"})
"""Roles of names. Markdown markup is removed, and the name is isolated if its direction differs from the page's."""


class PhraseRenderer(Record):
    """
    Renders phrases with the functions that render inline Markdown or a title, remove markup, and isolate a name.

    Each phrase is rendered once, because several pages show it.
    """

    render_inline: Callable[[str], str]
    render_title: Callable[[str, Language], str]
    render_plain: Callable[[str], str]
    isolate_text: Callable[[str], str]
    rendered: dict[int, tuple[Phrase, Markup]] = field(default_factory=dict)
    """The phrase and its HTML by the id() of the phrase; a phrase in this table stays alive, so that its id() is not used again."""

    names: dict[Span, str] = field(default_factory=dict)
    """The HTML of the names, which many publications share."""

    def render(self, phrase: Phrase) -> Markup:
        """A phrase as HTML."""
        cached = self.rendered.get(id(phrase))
        if cached is None:
            names = self.names
            html = Markup("".join([names.get(span) or self._render_span(span) for span in phrase]))  # noqa: S704 - every span is escaped
            cached = self.rendered[id(phrase)] = phrase, html
        return cached[1]

    def _render_span(self, span: Span) -> str:
        _, role, url, _, _, detail = span
        content = self._render_content(span)
        if role == "link" and detail:
            return f'<a href="{_escape(url)}" aria-label="{_escape(detail)}">{content}</a>'
        element, css_class = ROLE_ELEMENTS.get(role, ("", ""))
        if url:
            link_class = f' class="{css_class}"' if css_class and not element else ""
            content = f'<a{link_class} href="{_escape(url)}">{content}</a>'
        if element:
            attributes = f' class="{css_class}"' if css_class else ""
            if detail:
                attributes += f' {"datetime" if element == "time" else "title"}="{_escape(detail)}"'
            content = f"<{element}{attributes}>{content}</{element}>"
        if role in ISOLATED_ROLES:
            self.names[span] = content
        return content

    def _render_content(self, span: Span) -> str:
        text, role, _, is_markdown, spans, detail = span
        if role == "title" and detail:
            return str(self.render_title(spans[0].text, Language(detail)))
        if spans:
            return "".join(map(self._render_span, spans))
        if role in ISOLATED_ROLES:
            return self.isolate_text(self.render_plain(text) if is_markdown else text)
        return self.render_inline(text) if is_markdown else _escape(text)


def _escape(text: str) -> str:
    """A text as HTML, with the character references of markupsafe, which takes three times as long to make a Markup of it."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&#34;").replace("'", "&#39;")
