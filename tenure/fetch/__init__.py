"""Data from other services: their answers are hostile until they are validated."""
