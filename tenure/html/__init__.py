"""HTML pages of a site."""
