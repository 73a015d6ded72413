"""The preview shows the same as the published site: styles, frames, forms, own files and services under one policy."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from chromium import Server
from conftest import Sources
from playwright.sync_api import Browser, ConsoleMessage, Page, Route
from preview_process import start_preview

from tenure.build import build_site
from tenure.cache.store import CacheStore

Make = Callable[[str], Sources]
SITE = """-- site.yaml --
url: https://ada.example.edu/
services:
  goatcounter: ada
  giscus: {repo: a/b, repo_id: R, category: General, category_id: D, where: /fun/}
  buttondown: {user: ada, where: /fun/}
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
<object data="own.pdf" type="application/pdf" width="300" height="150"></object>
<embed src="own.pdf" type="application/pdf" width="300" height="150">
<iframe src="own.pdf" title="Own PDF" width="300" height="150"></iframe>
<iframe src="https://maps.example.org/map" title="Map" width="300" height="150"></iframe>
<form action="/fun/"><label>Your name <input name="name"></label> <button>Go</button></form>

![A talk](https://www.youtube.com/watch?v=dQw4w9WgXcQ)
"""
PDF = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>endobj\ntrailer<</Root 1 0 R>>\n"
)
COUNT = "document.documentElement.dataset.counted = document.currentScript.dataset.goatcounter"
GISCUS = """
  const frame = document.createElement('iframe'), sheet = document.createElement('link');
  Object.assign(frame, { className: 'giscus-frame', title: 'Comments', src: 'https://giscus.app/widget' });
  document.querySelector('.giscus').append(frame);
  Object.assign(sheet, { rel: 'stylesheet', href: 'https://giscus.app/default.css' });
  document.head.append(sheet);
"""
OTHERS = {
    "https://gc.zgo.at/count.js": ("text/javascript", COUNT),
    "https://giscus.app/client.js": ("text/javascript", GISCUS),
    "https://giscus.app/default.css": ("text/css", ".giscus-frame { height: 77px; border: 3px solid teal }"),
}
FRAMES = "body { margin: 0; background: rgb(255, 230, 180) }"


class ObservedPage:
    """A page in a browser without a network: the other hosts that it requested, and what the policy blocked."""

    def __init__(self, page: Page, own: str) -> None:
        self.page = page
        self.asked: set[str] = set()
        self.blocked: list[str] = []
        page.on("console", self._record_message)
        page.route(lambda url: url.startswith("https:"), self._answer_request)
        page.goto(f"{own}fun/")
        page.wait_for_selector(".giscus-frame")
        page.wait_for_load_state("networkidle")
        page.locator("iframe.video").scroll_into_view_if_needed()
        page.wait_for_timeout(500)
        page.evaluate("scrollTo(0, 0)")

    def _record_message(self, message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            self.blocked.append(message.text.partition(" because")[0].partition(" directive")[0])

    def _answer_request(self, route: Route) -> None:
        self.asked.add(route.request.url.split("/")[2])
        kind, body = OTHERS.get(route.request.url, ("text/html", f"<style>{FRAMES}</style>"))
        route.fulfill(content_type=kind, body=body)

    def read_layout(self) -> object:
        """Return each element of the text with its box, its text and its colours, with the page scrolled to the top."""
        self.page.evaluate(
            "document.querySelector('tenure-preview')?.remove(); scrollTo({ top: 0, behavior: 'instant' })"
        )
        return self.page.evaluate(
            """() => [...document.querySelectorAll('main *')].map(node => {
                 const { x, y, width, height } = node.getBoundingClientRect(), style = getComputedStyle(node);
                 return [node.nodeName, x, y, width, height, style.display, style.color, style.backgroundColor,
                   style.borderTopWidth, node.childElementCount ? '' : node.textContent];
               })"""
        )

    def take_picture(self) -> bytes:
        """Return a picture of the whole page without the PDF viewers, which load asynchronously."""
        viewers = self.page.locator("object, embed, iframe[src*='own.pdf']")
        return self.page.screenshot(full_page=True, animations="disabled", mask=[viewers])


@pytest.fixture
def folder(site: Make) -> Path:
    sources = site(SITE)
    (sources.root / "content/own.pdf").write_bytes(PDF)
    return sources.root


@pytest.fixture
def both_pages(
    folder: Path, chromium: Browser, server: Server
) -> Iterator[tuple[ObservedPage, ObservedPage]]:
    """Open the page of the published site, and that of the preview."""
    home = server.add_site("published", build_site(folder, store=CacheStore()).artifacts)
    with start_preview(folder) as preview:
        contexts = [chromium.new_context(viewport={"width": 1000, "height": 800}) for _ in range(2)]
        yield (
            ObservedPage(contexts[0].new_page(), home),
            ObservedPage(contexts[1].new_page(), preview.address),
        )
        for context in contexts:
            context.close()


def test_the_preview_and_the_published_site_show_the_same(
    both_pages: tuple[ObservedPage, ObservedPage],
) -> None:
    published, preview = both_pages
    assert published.asked == preview.asked == {
        "gc.zgo.at", "giscus.app", "maps.example.org", "www.youtube-nocookie.com"
    }  # fmt: skip
    assert len(published.blocked) == 3, "the script in the text, that of another host, and the listener"
    # The preview parses the page once more to compare it, so Chromium reports the listener twice.
    assert {*preview.blocked} == {*published.blocked}
    for seen in both_pages:
        page = seen.page
        assert page.locator("#own").inner_text() == "The script of the site ran."
        assert page.locator("#injected").inner_text() == "Nothing ran."
        page.locator("#clicked").click()
        assert page.locator("#clicked").inner_text() == "Click."
        assert (
            page.evaluate("document.documentElement.dataset.counted") == "https://ada.goatcounter.com/count"
        )
        assert (
            page.evaluate("getComputedStyle(document.querySelector('main .tinted')).borderTopWidth") == "4px"
        )
        assert page.evaluate("document.querySelector('.giscus-frame').offsetHeight") == 77
    assert published.read_layout() == preview.read_layout()
    assert published.take_picture() == preview.take_picture()


def test_pdf_files_of_the_site_are_shown(both_pages: tuple[ObservedPage, ObservedPage]) -> None:
    for seen in both_pages:
        assert not [line for line in seen.blocked if "pdf" in line]
        frames = [
            f
            for f in seen.page.frames
            if f.url.endswith("own.pdf") and f.parent_frame == seen.page.main_frame
        ]
        assert len(frames) == 3, [frame.url for frame in seen.page.frames]


def test_a_service_that_is_added_is_loaded_after_the_next_save(folder: Path, chromium: Browser) -> None:
    (folder / "site.yaml").write_text("title: Before\n")
    with start_preview(folder) as preview, chromium.new_context() as context:
        page = context.new_page()
        page.route(
            lambda url: url.startswith("https:"),
            lambda route: route.fulfill(content_type="text/javascript", body=COUNT),
        )
        page.goto(preview.address)
        page.wait_for_selector("tenure-preview", state="attached")
        (folder / "site.yaml").write_text("services: {goatcounter: ada}\n")
        page.wait_for_selector("[data-counted]", state="attached")
