"""The text of entries, decided once for HTML, PDF, Markdown and text."""
