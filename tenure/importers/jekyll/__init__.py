"""Importers of Jekyll sites: al-folio and academicpages."""
