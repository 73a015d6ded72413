"""What a page carries while it is previewed: a script that keeps it as its sources are."""

import html
import json
import re
from collections.abc import Mapping
from pathlib import Path

from tenure.web.policy import with_sources

SCRIPT = "/livereload.js"
SOCKET = "/livereload"
"""Where the script and its socket are on the preview's server, whatever the address of the site."""

_HEAD = re.compile(rb"<head\b[^>]*>", re.IGNORECASE)
_DOCTYPE = re.compile(rb"\s*<!doctype[^>]*>", re.IGNORECASE)


def alive(page: bytes, told: Mapping[str, object], host: str) -> bytes:
    """
    A page with the script, which is told these facts: the number of the build, the page's file, drafts on the page.

    The script is first in the head, so that it runs however broken the rest is. The page keeps its policy, which also
    allows this script and its connections to `host` ("127.0.0.1:8000").
    """
    facts = html.escape(json.dumps(told, ensure_ascii=False))
    tag = f'<script src="{SCRIPT}" data-preview="{facts}" async></script>'.encode()
    page = with_sources(
        page,
        {"script-src": (f"http://{host}{SCRIPT}",), "connect-src": (f"http://{host}", f"ws://{host}")},
    )
    found = _HEAD.search(page) or _DOCTYPE.match(page)
    place = found.end() if found else 0
    return page[:place] + tag + page[place:]


WAITING = b"<!doctype html>\n<html lang=en><head><title>Preview</title></head><body></body></html>\n"
"""The page that stands for all while the site has never been built."""

_FOLDER = Path(__file__).resolve().parent / "client"


def _client() -> str:
    """The script of client/preview.js, given the style sheet of client/preview.css."""
    script, style = ((_FOLDER / name).read_text(encoding="utf-8") for name in ("preview.js", "preview.css"))
    return f"(STYLE => {{\n{script}}})({json.dumps(style)});\n"


CLIENT = _client()
"""The script that each page loads."""
