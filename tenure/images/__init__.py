"""Images of a site: their sizes, versions and attributes, SVG checks, removal of camera data."""
