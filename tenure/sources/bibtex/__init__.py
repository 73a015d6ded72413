"""From the text of a .bib file to Nodes, and from LaTeX to text."""
