"""Importers of bibliographies, and writers of BibTeX."""
