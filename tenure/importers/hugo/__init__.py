"""Importer of Hugo sites."""
