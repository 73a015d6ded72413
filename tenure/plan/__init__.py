"""From the Site to its pages: pages, sections, citations, related items."""
