"""LaTeX to text and Markdown: the values of .bib files, and commands in YAML and Markdown."""
