"""Limits for the size, depth and expansion of sources, because a source may be damaged or hostile."""

MAX_TEXT_SIZE = 64_000_000
"""Bytes of a text file: YAML, BibTeX or Markdown."""

MAX_NESTING = 100
"""Levels of lists, mappings, brackets or quotations inside each other."""

MAX_YAML_NODES = 200_000
"""Values in a YAML file after its aliases are expanded; protects against a "billion laughs" file."""

MAX_REPAIRED_YAML = 2_000_000
"""Characters of a YAML file that are read again in all, because after each certain repair the file is read again."""

MAX_SEGMENT_SIZE = 200
"""Bytes of a part of a path that is made from a title, a key or a tag; file systems allow 255, and endings follow."""
