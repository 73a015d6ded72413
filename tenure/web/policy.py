"""The Content-Security-Policy of a page: what it may load and run, and nothing that was injected."""

import base64
import hashlib
import re
from functools import lru_cache

_INLINE = re.compile(r"<(script|style)((?:\s[^<>]*)?)>(.*?)</\1>", re.DOTALL)
_CHARSET = '<meta charset="utf-8">'

RULES = (
    "default-src 'self'",
    "script-src 'self'{script}",
    "style-src 'self' file:{style}",
    "img-src 'self' file: data: https:",
    "font-src 'self' file: data:",
    "media-src 'self' file: https:",
    "frame-src https:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
)
"""
What may be loaded, by kind.

Scripts and styles are the site's own files, and those inline whose digest is given: the ones that the theme has in the
head. Pictures, films and frames of other hosts are the owner's wish, as only their text can ask for them. `file:` is for
pages read from a disk, where some browsers have no 'self' (CSP Level 3, 6.7.2.8).
"""


def with_policy(page: str) -> str:
    """
    A page with the policy first in its head (CSP Level 3, 3.3); a page without a head as it is.

    JSON-LD is data and no script, and needs no digest (HTML, 4.12.1).
    """
    end = page.find("</head>")
    start = page.find(_CHARSET, 0, end)
    if end < 0 or start < 0:
        return page
    digests: dict[str, list[str]] = {"script": [], "style": []}
    for kind, attributes, body in _INLINE.findall(page[:end]):
        if body and "src=" not in attributes and "ld+json" not in attributes:
            digests[kind].append(f" {_digest(body)}")
    rules = "; ".join(RULES).format(script="".join(digests["script"]), style="".join(digests["style"]))
    after = start + len(_CHARSET)
    return f'{page[:after]}\n<meta http-equiv="Content-Security-Policy" content="{rules}">{page[after:]}'


@lru_cache(maxsize=256)
def _digest(body: str) -> str:
    """The source expression that admits an inline script or style (CSP Level 3, 6.7.3.2)."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()}'"
