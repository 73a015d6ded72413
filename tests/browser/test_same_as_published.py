"""The preview shows the same as the published site: styles, frames, forms, own files and services under one policy."""

from collections.abc import Callable
from pathlib import Path

import pytest
from chromium import Server
from conftest import Sources
from playwright.sync_api import Browser, Page, Route
from preview_process import start_preview

from tenure.build import build_site
from tenure.cache.store import CacheStore

SITE = """-- site.yaml --
url: https://ada.example.edu/
services:
  goatcounter: ada
  giscus: {repo: a/b, repo_id: R, category: General, category_id: D, where: /fun/}
  youtube: true
-- content/page.js --
document.querySelector('#own').textContent = 'The script of the site ran.';
-- content/pages/fun.md --
---
title: Fun
---
<div style="display:flex;gap:3rem;background:rgb(200,220,255)"><p>One</p><p>Two</p></div>
<style>.tinted { color: rgb(120, 0, 60); border: 4px solid }</style>
<p class="tinted">A style in the text.</p>
<p id="own">Nothing ran.</p>
<p id="injected">Nothing ran.</p>
<script src="page.js"></script>
<script>document.querySelector('#injected').textContent = 'An injected script ran.'</script>
<script src="https://evil.example.org/x.js"></script>
<p onclick="this.textContent = 'An injected listener ran.'" id="clicked">Click.</p>
<iframe src="own.pdf" title="Own PDF" width="300" height="150"></iframe>
<iframe src="https://maps.example.org/map" title="Map" width="300" height="150"></iframe>
<form action="/fun/"><label>Your name <input name="name"></label> <button>Go</button></form>

![A talk](https://www.youtube.com/watch?v=dQw4w9WgXcQ)
"""
PDF = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>endobj\ntrailer<</Root 1 0 R>>\n"
)
SCRIPTS = {
    "https://gc.zgo.at/count.js": "document.documentElement.dataset.counted = document.currentScript.dataset.goatcounter",
    "https://giscus.app/client.js": """const frame = document.createElement('iframe');
      Object.assign(frame, { className: 'giscus-frame', title: 'Comments', src: 'https://giscus.app/widget' });
      document.querySelector('.giscus').append(frame);""",
}
LAYOUT = """() => [...document.querySelectorAll('main *')].map(node => {
  const { x, y, width, height } = node.getBoundingClientRect(), style = getComputedStyle(node);
  return [node.nodeName, x, y, width, height, style.display, style.color, style.backgroundColor, style.borderTopWidth,
    node.childElementCount ? '' : node.textContent];
})"""


@pytest.fixture
def folder(site: Callable[[str], Sources]) -> Path:
    root = site(SITE).root
    (root / "content/own.pdf").write_bytes(PDF)
    return root


def observe_page(page: Page, url: str) -> tuple[object, ...]:
    """Open a page without a network; return the hosts that it asks, what the policy blocks, its frames and its layout."""
    asked: set[str] = set()
    blocked: set[str] = set()
    page.on(
        "console",
        lambda message: blocked.add(message.text.partition(" because")[0].partition(" directive")[0]),
    )

    def answer_request(route: Route) -> None:
        asked.add(route.request.url.split("/")[2])
        script = SCRIPTS.get(route.request.url)
        route.fulfill(content_type="text/javascript" if script else "text/html", body=script or "A frame")

    page.route(lambda url: url.startswith("https:"), answer_request)
    page.goto(url)
    page.wait_for_selector(".giscus-frame")
    page.wait_for_load_state("networkidle")
    page.locator("iframe.video").scroll_into_view_if_needed()
    page.wait_for_timeout(500)
    page.evaluate(
        "document.querySelector('tenure-preview')?.remove(); scrollTo({ top: 0, behavior: 'instant' })"
    )
    page.locator("#clicked").click()
    frames = [frame.url.rpartition("/")[2] for frame in page.frames if frame.parent_frame == page.main_frame]
    counted = page.evaluate("document.documentElement.dataset.counted")
    return (
        asked,
        {text for text in blocked if "Content Security Policy" in text},
        frames,
        counted,
        page.evaluate(LAYOUT),
    )


def test_the_preview_and_the_published_site_show_the_same(
    folder: Path, chromium: Browser, server: Server
) -> None:
    home = server.add_site("published", build_site(folder, store=CacheStore()).artifacts)
    with (
        start_preview(folder) as preview,
        chromium.new_context() as first,
        chromium.new_context() as second,
    ):
        published = observe_page(first.new_page(), f"{home}fun/")
        assert observe_page(second.new_page(), f"{preview.address}fun/") == published
    asked, blocked, frames, counted, layout = published
    assert asked == {"gc.zgo.at", "giscus.app", "maps.example.org", "www.youtube-nocookie.com"}
    assert isinstance(blocked, set)
    assert len(blocked) == 3, "the script in the text, that of another host, and the listener"
    assert counted == "https://ada.goatcounter.com/count"
    assert "own.pdf" in str(frames)
    for text in ("The script of the site ran.", "Nothing ran.", "Click.", "4px"):
        assert text in str(layout)
