"""
From the save to the screen: `python benchmarks/preview.py [--sizes 50,1000] [--edits 40]`.

One paper's title is edited again and again. First it is taken how long each preview server (Tenure's, and Hugo's where it is
on PATH) needs until it hands out the new page of that paper; then how long it takes until Chromium shows Tenure's, on the
paper's page, on the list of all, and on the home page. Edits that are not seen within 5 s are counted.
"""

import argparse
import contextlib
import http.client
import os
import platform
import random
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from peers import hugo
from synthetic import Researcher, researcher, tenure_site

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
WORK = HERE / ".work" / "preview"
TOO_LATE = 5.0
"""Seconds after which an edit counts as unseen."""

WATCH = """words => {
  window.seen = {};
  const look = () => requestAnimationFrame(() => {
    const found = (document.body.innerHTML.match(/Edited\\d+/) ?? [])[0];
    if (found && !window.seen[found]) window.seen[found] = Date.now();
  });
  new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
}"""


@dataclass
class Server:
    """A preview server: where it answers, the file that is edited, and the address of the paper's page."""

    port: int
    edited: Path
    page: str
    edits: int = 0

    def save(self) -> str:
        """Put another word into the title; the word."""
        self.edits += 1
        word = f"Edited{self.edits}"
        text = self.edited.read_text(encoding="utf-8")
        if "Edited" in text:
            text = re.sub(r"Edited\d+", word, text)
        else:
            start = text.index("itle", len(text) // 2 if text.count("itle") > 4 else 0)
            place = next(n for n in range(start + 5, len(text)) if text[n].isalpha())
            text = f"{text[:place]}{word} {text[place:]}"
        self.edited.write_text(text, encoding="utf-8")
        return word

    def handed_out(self, word: str) -> float:
        """Seconds until the page holds the word."""
        started = time.perf_counter()
        while time.perf_counter() - started < TOO_LATE:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TOO_LATE)
            with contextlib.suppress(http.client.HTTPException, OSError):
                connection.request("GET", self.page)
                if word.encode() in connection.getresponse().read():
                    return time.perf_counter() - started
            connection.close()
            time.sleep(0.001)
        return float("inf")


@contextmanager
def served(command: list[str], folder: Path) -> Iterator[int]:
    """Run a server; the port that it says."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        if process.stdout is None:
            sys.exit("no output")
        for line in process.stdout:
            said = re.search(r"(?:127\.0\.0\.1|localhost):(\d+)", line)
            if said:
                yield int(said[1])
                break
        else:
            sys.exit(f"{command[0]} did not start")
    finally:
        process.terminate()
        process.wait()


@contextmanager
def tenure(who: Researcher, folder: Path) -> Iterator[Server]:
    """Tenure's preview of a researcher's site."""
    edited = tenure_site(who, folder)
    with served([sys.executable, "-m", "tenure", "serve", "--port", "0"], folder) as port:
        yield Server(port, edited, f"/publications/{_middle(edited)}/")


@contextmanager
def hugos(who: Researcher, folder: Path) -> Iterator[Server]:
    """Hugo's."""
    edited = hugo(who, folder)
    with served(["hugo", "server", "--port", str(random.randint(20000, 40000))], folder) as port:
        yield Server(port, edited, f"/publications/{edited.stem}/")


def _middle(bib: Path) -> str:
    """The key of the entry that is edited."""
    text = bib.read_text(encoding="utf-8")
    place = text.index("itle", len(text) // 2)
    return str(re.findall(r"@\w+\{([^,]+),", text[:place])[-1])


def told(seconds: list[float]) -> str:
    """Median, 95th of a hundred, and how many were too late."""
    sound = sorted(s for s in seconds if s < TOO_LATE)
    if not sound:
        return "none seen"
    last = sound[min(len(sound) - 1, int(0.95 * len(sound)))]
    unseen = len(seconds) - len(sound)
    return f"{statistics.median(sound) * 1000:.0f} / {last * 1000:.0f} ms, {unseen} of {len(seconds)} unseen"


def hand_outs(server: Server, edits: int) -> list[float]:
    """How long each edit took until the new page was handed out."""
    took = []
    for _ in range(edits):
        time.sleep(random.uniform(0.3, 0.6))
        took.append(server.handed_out(server.save()))
    return took


def sights(server: Server, path: str, edits: int) -> list[float]:
    """How long each edit took until Chromium showed it, by the machine's own clock."""
    from playwright.sync_api import Error, sync_playwright  # noqa: PLC0415 - only the second half needs a browser

    took = []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"))
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{server.port}{path}")
        page.wait_for_timeout(1500)
        page.evaluate(WATCH)
        for _ in range(edits):
            time.sleep(random.uniform(0.2, 0.9))
            saved, word = time.time(), server.save()
            try:
                page.wait_for_function(f"window.seen?.{word}", timeout=1000 * TOO_LATE, polling=10)
                took.append(page.evaluate(f"window.seen.{word}") / 1000 - saved)
            except Error:
                took.append(float("inf"))
        browser.close()
    return took


def main() -> None:
    """Measure, and print a table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--sizes", default="50,1000")
    arguments.add_argument("--edits", type=int, default=40)
    asked = arguments.parse_args()
    servers: dict[str, Callable[[Researcher, Path], object]] = {"Tenure": tenure}
    if shutil.which("hugo"):
        servers["Hugo"] = hugos
    print(f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}")
    for size in map(int, asked.sizes.split(",")):
        who = researcher(size)
        for name, start in servers.items():
            folder = WORK / name / str(size)
            shutil.rmtree(folder, ignore_errors=True)
            with start(who, folder) as server:  # type: ignore[attr-defined]
                time.sleep(3)
                print(
                    f"{size} papers, {name}, edit to page handed out: {told(hand_outs(server, asked.edits))}",
                    flush=True,
                )
                if name == "Tenure" and shutil.which("chromium"):
                    for path in (server.page, "/publications/", "/"):
                        if path == "/" and "selected" not in who.papers[len(who.papers) // 2].bibtex:
                            continue
                        found = told(sights(server, path, asked.edits))
                        print(f"{size} papers, save to seen in Chromium, {path}: {found}", flush=True)


if __name__ == "__main__":
    main()
