"""From the text of a .bib file to Nodes, and from plain data to BibTeX."""
