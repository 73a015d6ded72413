"""Importer of Quarto websites."""
