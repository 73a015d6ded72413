"""Converts the public record of an ORCID iD (ORCID API 3.0)."""
