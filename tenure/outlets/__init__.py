"""From the Site to Artifacts beside the pages: each outlet is a function `(site, pages) -> artifacts`."""
