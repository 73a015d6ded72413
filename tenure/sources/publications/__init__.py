"""From BibTeX Nodes to publications."""
