"""Images of a site: <img> tags, resized versions, SVG checks, metadata removal, the social card."""
