"""From the Site to Artifacts for the web."""
