"""CVs as PDF, Word, LaTeX and text."""
