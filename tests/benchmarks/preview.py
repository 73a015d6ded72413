"""
Measures the time from a save to the changed page on the screen.

Usage: `python tests/benchmarks/preview.py [--sizes 50,1000] [--edits 40]`.

The benchmark edits the title of one paper many times, in its .bib file or in Hugo's text of it. First it
measures how long the preview servers need until they serve the new page of that paper: Tenure's, and Hugo's
if it is on PATH, in turn and with a rest before each. Then it measures how long it takes until Chromium shows
Tenure's page, on the paper's page and on the list of all papers, with 0.2 to 0.9 s between two edits; all
times are of one clock. Edits that are not visible within 5 s are counted. The tables are written to
tests/benchmarks/RESULTS.md.
"""

import argparse
import contextlib
import http.client
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from results import FILE, describe_machine, write_section
from sites import ROOT, find_edited_title, insert_word
from sites import WORK as BENCHMARKS
from synthetic import Researcher, create_researcher, write_hugo_site, write_tenure_site

WORK = BENCHMARKS / "preview"
TIME_LIMIT = 5.0
"""The number of seconds after which an edit counts as not shown."""

REST = 7.0
"""The number of seconds in which a server finishes its work for the last edit, before another one is measured."""

BLOCK = 5
"""The number of edits of one server before the next server's turn."""

RECORD_WORDS = """() => {
  window.seen = {};
  const look = () => requestAnimationFrame(() => {
    const word = (document.body.innerHTML.match(/Edited\\d+/) ?? [])[0];
    if (word && !window.seen[word]) window.seen[word] = Date.now();
  });
  new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
}"""

WAIT_FOR_WORD = """([word, limit]) => new Promise(resolve => {
  const started = Date.now();
  const look = () => window.seen[word] || Date.now() - started > limit ? resolve(window.seen[word] ?? null) : setTimeout(look, 5);
  look();
})"""
"""
Returns the time at which a word was visible, or null after a limit in milliseconds. The script itself waits
in the page: Playwright's `wait_for_function` calls `eval`, which the policy of the pages forbids.
"""


@dataclass
class Server:
    """A preview server: its port, the edited file, the path of the paper's page, and its process."""

    port: int
    edited: Path
    page: str
    process: int = 0
    edits: int = 0

    @property
    def cpu_seconds(self) -> float:
        """The CPU time that the process has used, on Linux."""
        # "4711 (python) S 1 …": the 14th and the 15th field are the ticks of the program and of the system
        fields = Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def save_new_word(self) -> str:
        """Write a new word into the title, and return the word."""
        self.edits += 1
        word = f"Edited{self.edits}"
        text = self.edited.read_text("utf-8")
        if "Edited" in text:
            self.edited.write_text(re.sub(r"Edited\d+", word, text), "utf-8")
        else:
            insert_word(self.edited, word)
        return word

    def wait_until_served(self, word: str) -> float:
        """Return the seconds until the served page contains the word."""
        started = time.perf_counter()
        while time.perf_counter() - started < TIME_LIMIT:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIME_LIMIT)
            with contextlib.suppress(http.client.HTTPException, OSError):
                connection.request("GET", self.page)
                if word.encode() in connection.getresponse().read():
                    return time.perf_counter() - started
            connection.close()
            time.sleep(0.002)
        return float("inf")


@contextmanager
def run_server(command: Sequence[str], folder: Path) -> Iterator[tuple[int, int]]:
    """Run a server, and yield the port that it prints and its process."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        matches = (re.search(r"(?:127\.0\.0\.1|localhost):(\d+)", line) for line in process.stdout or ())
        match = next(filter(None, matches), None)
        if match is None:
            sys.exit(f"{command[0]} did not start")
        yield int(match[1]), process.pid
    finally:
        process.terminate()
        process.wait()


@contextmanager
def run_tenure(who: Researcher, folder: Path) -> Iterator[Server]:
    """Run Tenure's preview of a researcher's site."""
    edited = write_tenure_site(who, folder)
    text = edited.read_text("utf-8")
    key = re.findall(r"@\w+\{([^,]+),", text[: find_edited_title(text)])[-1]
    with run_server([sys.executable, "-m", "tenure", "serve", "--port", "0"], folder) as (port, process):
        yield Server(port, edited, f"/publications/{key}/", process)


@contextmanager
def run_hugo(who: Researcher, folder: Path) -> Iterator[Server]:
    """Run Hugo's server of a researcher's site."""
    edited = write_hugo_site(who, folder)
    port = str(random.randint(20000, 40000))
    with run_server(["hugo", "server", "--port", port], folder) as (actual_port, process):
        yield Server(actual_port, edited, f"/publications/{edited.stem}/", process)


def format_cells(seconds: Sequence[float]) -> str:
    """Return the median, the 95th percentile and the number of edits that were too late, as cells of a table."""
    seen = sorted(second for second in seconds if second < TIME_LIMIT)
    if not seen:
        return f"– | – | {len(seconds)} of {len(seconds)}"
    last = seen[min(len(seen) - 1, int(0.95 * len(seen)))]
    middle = statistics.median(seen)
    return f"{middle * 1000:.0f} | {last * 1000:.0f} | {len(seconds) - len(seen)} of {len(seconds)}"


def measure_serving(servers: Sequence[Server], edits: int) -> tuple[list[list[float]], list[float]]:
    """
    Return the seconds from each edit until the new page was served, by server, and the CPU seconds of each server by
    edit, with those until it was quiet.
    """
    durations: list[list[float]] = [[] for _ in servers]
    time.sleep(REST)
    before = [server.cpu_seconds for server in servers]
    for _ in range(-(-edits // BLOCK)):
        for server, times in zip(servers, durations, strict=True):
            time.sleep(REST)
            for _ in range(BLOCK):
                times.append(server.wait_until_served(server.save_new_word()))
                time.sleep(random.uniform(0.3, 0.9))
    time.sleep(REST)
    used = [server.cpu_seconds - start for server, start in zip(servers, before, strict=True)]
    return durations, [seconds / len(durations[0]) for seconds in used]


def measure_display(server: Server, path: str, edits: int) -> list[float]:
    """Return the seconds from each edit until Chromium showed it, by the machine's clock."""
    from playwright.sync_api import sync_playwright

    durations = []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"))
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{server.port}{path}")
        page.wait_for_timeout(1000 * REST)
        page.evaluate(RECORD_WORDS)
        for _ in range(edits):
            time.sleep(random.uniform(0.2, 0.9))
            saved, word = time.time(), server.save_new_word()
            seen = page.evaluate(WAIT_FOR_WORD, [word, 1000 * TIME_LIMIT])
            durations.append(float("inf") if seen is None else seen / 1000 - saved)
        browser.close()
    return durations


def measure_site(size: int, edits: int) -> tuple[list[str], list[str]]:
    """Return the rows of both tables for a site with a number of papers."""
    who = create_researcher(size)
    shutil.rmtree(WORK, ignore_errors=True)
    serving_rows: list[str] = []
    display_rows: list[str] = []
    with contextlib.ExitStack() as stack:
        ours = stack.enter_context(run_tenure(who, WORK / "tenure"))
        servers = {"Tenure": ours}
        if shutil.which("hugo"):
            servers["Hugo"] = stack.enter_context(run_hugo(who, WORK / "hugo"))
        durations, cpu = measure_serving([*servers.values()], edits)
        middles = [statistics.median(seconds) for seconds in durations]
        for name, seconds, middle, used in zip(servers, durations, middles, cpu, strict=True):
            cells = (
                f"{format_cells(seconds)} | {middle / middles[-1]:.2f} | {used:.2f} | {used / cpu[-1]:.2f}"
            )
            serving_rows.append(f"| {size:,} | {name} | {cells} |")
    if shutil.which("chromium"):
        with run_tenure(who, WORK / "seen") as ours:
            for name, path in (("of the paper", ours.page), ("of all publications", "/publications/")):
                display_rows.append(
                    f"| {size:,} | {name} | {format_cells(measure_display(ours, path, edits))} |"
                )
    return serving_rows, display_rows


def main() -> None:
    """Measure, print and write the tables."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    arguments.add_argument("--sizes", default="50,1000", help="publications, separated by commas")
    arguments.add_argument("--edits", type=int, default=40, help="edits of each server and page")
    options = arguments.parse_args()
    serving_rows: list[str] = []
    display_rows: list[str] = []
    for size in map(int, options.sizes.split(",")):
        first, second = measure_site(size, options.edits)
        print("\n".join((*first, *second)), flush=True)
        serving_rows += first
        display_rows += second
    command = f"python tests/benchmarks/preview.py --sizes {options.sizes} --edits {options.edits}"
    write_section(
        "Save to screen",
        [
            f"`{command}` on {describe_machine()}. Milliseconds.",
            "",
            "| publications | edit to the new page served | median | 95 % | unseen | to Hugo | CPU s per edit | to Hugo |",
            "|---|---|---|---|---|---|---|---|",
            *serving_rows,
            "",
            "| publications | save to seen in Chromium, on the page | median | 95 % | unseen |",
            "|---|---|---|---|---|",
            *display_rows,
        ],
    )
    print(f"written to {FILE}")


if __name__ == "__main__":
    main()
