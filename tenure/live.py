"""The client script of the preview, which reloads a page when its sources change."""

import html
import json
import re
from collections.abc import Mapping
from pathlib import Path

from tenure.web.policy import with_sources

SCRIPT = "/livereload.js"
SOCKET = "/livereload"
"""The paths of the script and its socket on the preview server; they do not depend on the URL of the site."""

_HEAD = re.compile(rb"<head\b[^>]*>", re.IGNORECASE)
_DOCTYPE = re.compile(rb"\s*<!doctype[^>]*>", re.IGNORECASE)


def alive(page: bytes, told: Mapping[str, object], host: str) -> bytes:
    """
    Insert the client script into a page; `page_data` has the build number, the page's file and its drafts.

    The script is first in the head, so that it also runs in a page with broken HTML. The page's content security
    policy is extended by this script and its connections to `host` ("127.0.0.1:8000").
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
"""The page that is served for every URL before the first successful build."""

_FOLDER = Path(__file__).resolve().parent / "client"


def _client() -> str:
    """The script client/preview.js, called with the style sheet client/preview.css."""
    script, style = ((_FOLDER / name).read_text(encoding="utf-8") for name in ("preview.js", "preview.css"))
    return f"(STYLE => {{\n{script}}})({json.dumps(style)});\n"


CLIENT = _client()
"""The client script as served at SCRIPT_PATH."""
