"""Importers of CV formats: JSON Resume, RenderCV, Markdown."""
