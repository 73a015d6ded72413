"""The client script of the preview, which reloads a page when its sources change."""

import html
import json
import re
from collections.abc import Mapping
from pathlib import Path

from tenure.html.policy import allow_sources

SCRIPT_PATH = "/livereload.js"
SOCKET_PATH = "/livereload"
"""The paths of the script and its socket on the preview server; they do not depend on the URL of the site."""

_HEAD_TAG = re.compile(rb"<head\b[^>]*>", re.IGNORECASE)
_DOCTYPE_TAG = re.compile(rb"\s*<!doctype[^>]*>", re.IGNORECASE)


def inject_client(page: bytes, page_data: Mapping[str, object], host: str) -> bytes:
    """
    Insert the client script into a page; `page_data` has the build number, the page's file and its drafts.

    The script is first in the head, so that it also runs in a page with broken HTML. The page's content security
    policy is extended by this script and its connections to `host` ("127.0.0.1:8000").
    """
    escaped_data = html.escape(json.dumps(page_data, ensure_ascii=False))
    tag = f'<script src="{SCRIPT_PATH}" data-preview="{escaped_data}" async></script>'.encode()
    page = allow_sources(
        page,
        {"script-src": (f"http://{host}{SCRIPT_PATH}",), "connect-src": (f"http://{host}", f"ws://{host}")},
    )
    match = _HEAD_TAG.search(page) or _DOCTYPE_TAG.match(page)
    position = match.end() if match else 0
    return page[:position] + tag + page[position:]


PLACEHOLDER_PAGE = b"<!doctype html>\n<html lang=en><head><title>Preview</title></head><body></body></html>\n"
"""The page that is served for every URL before the first successful build."""

_CLIENT_FOLDER = Path(__file__).resolve().parent / "client"


def _read_client_script() -> str:
    """The script client/preview.js, called with the style sheet client/preview.css."""
    script, style = (
        (_CLIENT_FOLDER / name).read_text(encoding="utf-8") for name in ("preview.js", "preview.css")
    )
    return f"(STYLE => {{\n{script}}})({json.dumps(style)});\n"


CLIENT_SCRIPT = _read_client_script()
"""The client script as served at SCRIPT_PATH."""
