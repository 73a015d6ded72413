"""Typed, immutable records: the content and the configuration of a site."""
