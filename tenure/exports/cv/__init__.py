"""CVs as PDF, Markdown and text."""
