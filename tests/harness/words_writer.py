"""A writer of plain words, to read what a publication shows."""

from tenure.markdown.html import plain_text
from tenure.presentation.writer import Writer


class WordsWriter(Writer):
    """Writes texts without markup and links."""

    def escape(self, text: str, role: str) -> str:
        del role
        return text

    def convert(self, text: str, role: str) -> str:
        del role
        return plain_text(text)

    def wrap(self, content: str, role: str, url: str = "", detail: str = "") -> str:
        del role, url, detail
        return content

    def to_text(self, content: str) -> str:
        return content
