"""How entries read, decided once for HTML, PDF, Markdown and text."""
