"""Renders phrases as HTML."""

from collections.abc import Callable, Mapping

from markupsafe import Markup, escape

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

    def render(self, phrase: Phrase) -> Markup:
        """A phrase as HTML."""
        cached = self.rendered.get(id(phrase))
        if cached is None:
            html = Markup("".join(map(self._render_span, phrase)))  # noqa: S704 - every span is escaped
            cached = self.rendered[id(phrase)] = phrase, html
        return cached[1]

    def _render_span(self, span: Span) -> str:
        text, role, url, is_markdown, spans, detail = span
        if role == "title" and detail:
            return str(self.render_title(spans[0].text, Language(detail)))
        if spans:
            content = "".join(map(self._render_span, spans))
        elif role in ISOLATED_ROLES:
            content = self.isolate_text(self.render_plain(text) if is_markdown else text)
        elif is_markdown:
            content = self.render_inline(text)
        else:
            content = str(escape(text))
        if not role and not url:
            return content
        element, css_class = ROLE_ELEMENTS.get(role, ("", ""))
        if url:
            link_class = f' class="{css_class}"' if css_class and not element else ""
            content = f'<a{link_class} href="{escape(url)}">{content}</a>'
        if not element:
            return content
        attributes = f' class="{css_class}"' if css_class else ""
        if detail:
            attributes += f' {"datetime" if element == "time" else "title"}="{escape(detail)}"'
        return f"<{element}{attributes}>{content}</{element}>"
