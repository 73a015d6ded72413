"""Markdown to HTML: the dialect, mathematics, and code."""
