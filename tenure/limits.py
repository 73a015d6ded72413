"""Limits for the size, depth and expansion of sources, because a source may be damaged or hostile."""

from collections.abc import Callable
from functools import cache, wraps
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper

Result = TypeVar("Result")

MAX_TEXT_SIZE = 64_000_000
"""Bytes of a text file: YAML, BibTeX or Markdown."""

MAX_NESTING = 100
"""Levels of lists, mappings, brackets or quotations inside each other."""

MAX_YAML_NODES = 200_000
"""Values in a YAML file after its aliases are expanded; protects against a "billion laughs" file."""

MAX_REPAIRED_YAML = 2_000_000
"""
Characters of a YAML file that are read again in all, because after each certain repair the file is read
again.
"""

MAX_SEGMENT_SIZE = 200
"""
Bytes of a part of a path that is made from a title, a key or a tag; file systems allow 255, and endings
follow.
"""

MAX_CACHED_TEXT = 8_000_000
"""Characters of the texts that a function remembers with their results, each as long as ENTRY_SIZE more."""

ENTRY_SIZE = 200
"""Characters that take about as much memory as an entry of a cache itself."""


def cache_texts(function: Callable[..., Result]) -> "_lru_cache_wrapper[Result]":
    """
    Remember the results of a function of texts, and forget them all when they take more than MAX_CACHED_TEXT.

    A number of entries is no limit of memory: thousands of texts can have megabytes each.
    """
    size = 0

    @cache
    @wraps(function)
    def remember(*arguments: Any) -> Result:
        # called only for what is not in the cache yet: counts the texts that it keeps
        nonlocal size
        result = function(*arguments)
        size += ENTRY_SIZE
        for text in (*arguments, result):
            if isinstance(text, str):
                size += len(text)

        if size > MAX_CACHED_TEXT:
            remember.cache_clear()
            size = 0
        return result

    return remember
