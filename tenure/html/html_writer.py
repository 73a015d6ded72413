"""Texts as HTML: each role becomes an element."""

import html
from collections.abc import Callable, Mapping

from tenure.markdown.html_tags import strip_tags
from tenure.model.entries import Publication
from tenure.model.languages import Language
from tenure.presentation.writer import Phrase, Writer

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
    "date": ("time", ""),
}
"""The element and the class of each role; if the element is "", the class goes on the link."""

ISOLATED_ROLES = frozenset({"owner", "person", "name"})
"""Roles of names, whose markup is removed; a name of another direction than the page is isolated."""


class HtmlWriter(Writer):
    """Writes HTML by functions that render inline Markdown or a title, remove markup, and isolate a name."""

    tilde_space = "\u2009"

    def __init__(
        self,
        render_inline: Callable[[str], str],
        render_title: Callable[[str, Language], str],
        render_plain: Callable[[str], str],
        isolate_text: Callable[[str], str],
    ) -> None:
        self._render_inline = render_inline
        self._render_title = render_title
        self._render_plain = render_plain
        self._isolate_text = isolate_text
        super().__init__()

    def title(self, paper: Publication) -> Phrase:
        return self._render_title(paper.title, paper.language)

    def escape(self, text: str, role: str) -> str:
        return self._isolate_text(text) if role in ISOLATED_ROLES else escape(text)

    def convert(self, text: str, role: str) -> str:
        if role in ISOLATED_ROLES:
            return self._isolate_text(self._render_plain(text))
        return self._render_inline(text)

    def wrap(self, content: str, role: str, url: str = "", detail: str = "") -> str:
        """A content in the element of its role, with a link: `<cite><a href="/x/">Nature</a></cite>`."""
        if role == "link" and detail:
            return f'<a href="{escape(url)}" aria-label="{escape(detail)}">{content}</a>'

        element, css_class = ROLE_ELEMENTS.get(role, ("", ""))
        attributes = f' class="{css_class}"' if css_class else ""
        if url:
            link_attributes = "" if element else attributes
            content = f'<a{link_attributes} href="{escape(url)}">{content}</a>'
        if element:
            if detail:
                name = "datetime" if element == "time" else "title"
                attributes = f'{attributes} {name}="{escape(detail)}"'
            content = f"<{element}{attributes}>{content}</{element}>"
        return content

    def to_text(self, content: str) -> str:
        return html.unescape(strip_tags(content))


def escape(text: str) -> str:
    """A text as HTML, with the character references of markupsafe, which takes three times as long."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&#34;").replace("'", "&#39;")
