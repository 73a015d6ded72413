"""Conversion of other systems' files to the sources of a site. A build never uses it."""
