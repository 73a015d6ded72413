"""The client script of the preview, which reloads a page when its sources change."""

import html
import json
import re
from collections.abc import Mapping
from pathlib import Path

from tenure.html.policy import allow_sources
from tenure.markdown.html_tags import iterate_tags

SCRIPT_PATH = "/livereload.js"
SOCKET_PATH = "/livereload"
"""The paths of the script and its socket on the preview server, which do not depend on the site's URL."""

_DOCTYPE_TAG = re.compile(r"\s*<!doctype[^>]*>", re.IGNORECASE)
"""<!DOCTYPE html>, behind which the script is put: a page without it would be laid out as in 1998."""


def inject_client(page: bytes, page_data: Mapping[str, object], host: str) -> bytes:
    """
    Insert the client script into a page; `page_data` has the build number, the page's file and its drafts.

    The script is first in the head, so that it also runs in a page with broken HTML. The page's content
    security policy is extended by this script and its connections to `host` ("127.0.0.1:8000").
    """
    escaped_data = html.escape(json.dumps(page_data, ensure_ascii=False))
    tag = f'<script src="{SCRIPT_PATH}" data-preview="{escaped_data}"></script>'
    page_html = allow_sources(
        page.decode("utf-8", "surrogateescape"),
        {"script-src": (f"http://{host}{SCRIPT_PATH}",), "connect-src": (f"http://{host}", f"ws://{host}")},
    )
    head = next(iterate_tags(page_html, "head"), None)
    doctype = _DOCTYPE_TAG.match(page_html)
    position = doctype.end() if doctype else 0
    if head:
        position = head.content_start
    return (page_html[:position] + tag + page_html[position:]).encode("utf-8", "surrogateescape")


PLACEHOLDER_PAGE = b"<!doctype html>\n<html lang=en><head><title>Preview</title></head><body></body></html>\n"
"""The page that is served for every URL before the first successful build."""

_CLIENT_FOLDER = Path(__file__).resolve().parent / "client"
_LIBRARY, _CLICK, _PANELS, _SCRIPT, _STYLE, FIRST_STEPS = (
    (_CLIENT_FOLDER / name).read_text(encoding="utf-8")
    for name in ("idiomorph.js", "click.js", "panels.js", "preview.js", "preview.css", "first_steps.yaml")
)

_MODULE_MARK = re.compile(r"^(?:import .*;\n|export (?=const))", re.MULTILINE)
"""
What makes the files modules: the editor and the page “Try it” import them, a page of the preview has one
script.
"""

_MODULES = _MODULE_MARK.sub("", f"{_CLICK}\n{_PANELS}\n{_SCRIPT}")
CLIENT_SCRIPT = f"(STYLE => {{\n{_LIBRARY}\n{_MODULES}}})({json.dumps(_STYLE)});\n"
"""The client script as served at SCRIPT_PATH; the library is only visible to it."""
