"""
Measures the time from a save to the changed page on the screen.

Usage: `python tests/benchmarks/preview.py [--sites 50,1000,5000,pictures,group] [--edits 40]`.

The benchmark edits the title of one paper many times, in its .bib file or in Hugo's text of it. First it
measures how long the preview servers need until they serve the new page of that paper, and how much CPU time
until they are quiet: Tenure's, and Hugo's if it is on PATH, in turn, each when both are quiet. Then it measures
how long it takes until Chromium shows Tenure's page, on the paper's page and on the list of all papers, with 0.2
to 0.9 s between two edits; all times are of one clock. Edits that are not visible within 5 s are counted. The
tables are written to tests/benchmarks/RESULTS.md.
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
from sites import ALL_SITES, ROOT, insert_word, list_descendants
from sites import WORK as BENCHMARKS
from synthetic import Researcher, create_researcher, write_hugo_site, write_tenure_site

WORK = BENCHMARKS / "preview"
TIME_LIMIT = 5.0
"""The number of seconds after which an edit counts as not shown."""

REST = 5.0
"""A server is quiet if it used at most `QUIET` of so many seconds; Tenure makes the PDF after 3."""

QUIET = 0.1

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
    """A preview server: its port, the edited file and title, the path of the paper's page, and its process."""

    port: int
    edited: Path
    title: str
    page: str
    process: int = 0
    edits: int = 0

    @property
    def cpu_seconds(self) -> float:
        """The CPU time that the process and those that it started have used, on Linux."""
        ticks = 0
        for process in list_descendants(self.process):
            with contextlib.suppress(
                OSError
            ):  # it has ended: then its time is that of the process that waited for it
                # "4711 (python) S 1 …": the fields 14 to 17 are the ticks of it and of those that it waited for
                fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
                ticks += sum(map(int, fields[11:15]))
        return ticks / os.sysconf("SC_CLK_TCK")

    def wait_until_quiet(self) -> None:
        """Wait until the server has finished its work for the last edit."""
        used = float("inf")
        while used > QUIET:
            before = self.cpu_seconds
            time.sleep(REST)
            used = self.cpu_seconds - before

    def save_new_word(self) -> str:
        """Write a new word into the title, and return the word."""
        self.edits += 1
        word = f"Edited{self.edits}"
        insert_word(self.edited, self.title, word)
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
    with run_server([sys.executable, "-m", "tenure", "serve", "--port", "0"], folder) as (port, process):
        yield Server(port, edited, who.edited.fields["title"], f"/publications/{who.edited.key}/", process)


@contextmanager
def run_hugo(who: Researcher, folder: Path) -> Iterator[Server]:
    """Run Hugo's server of a researcher's site."""
    edited = write_hugo_site(who, folder)
    port = str(random.randint(20000, 40000))
    with run_server(["hugo", "server", "--port", port], folder) as (actual_port, process):
        page = f"/publications/{who.edited.key}/"
        yield Server(actual_port, edited, who.edited.fields["title"], page, process)


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
    for server in servers:
        server.wait_until_quiet()
    before = [server.cpu_seconds for server in servers]
    for _ in range(-(-edits // BLOCK)):
        for server, times in zip(servers, durations, strict=True):
            for _ in range(BLOCK):
                times.append(server.wait_until_served(server.save_new_word()))
                time.sleep(random.uniform(0.3, 0.9))
            server.wait_until_quiet()
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
        server.wait_until_quiet()
        page.evaluate(RECORD_WORDS)
        for _ in range(edits):
            time.sleep(random.uniform(0.2, 0.9))
            saved, word = time.time(), server.save_new_word()
            seen = page.evaluate(WAIT_FOR_WORD, [word, 1000 * TIME_LIMIT])
            durations.append(float("inf") if seen is None else seen / 1000 - saved)
        browser.close()
    return durations


def measure_site(who: Researcher, edits: int) -> tuple[list[str], list[str]]:
    """Return the rows of both tables for a site."""
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
            serving_rows.append(f"| {name} | {cells} |")
    if shutil.which("chromium"):
        with run_tenure(who, WORK / "seen") as ours:
            for name, path in (("of the paper", ours.page), ("of all publications", "/publications/")):
                display_rows.append(f"| {name} | {format_cells(measure_display(ours, path, edits))} |")
    return serving_rows, display_rows


def main() -> None:
    """Measure, print and write the tables."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    arguments.add_argument("--sites", default=ALL_SITES, help="publications or names, separated by commas")
    arguments.add_argument("--edits", type=int, default=40, help="edits of each server and page")
    options = arguments.parse_args()
    for site in options.sites.split(","):
        who = create_researcher(site)
        command = f"python tests/benchmarks/preview.py --sites {site} --edits {options.edits}"
        serving_rows, display_rows = measure_site(who, options.edits)
        lines = [
            f"`{command}` on {describe_machine()}. Milliseconds.",
            "",
            "| edit to the new page served | median | 95 % | unseen | to Hugo | CPU s per edit | to Hugo |",
            "|---|---|---|---|---|---|---|",
            *serving_rows,
            "",
            "| save to seen in Chromium, on the page | median | 95 % | unseen |",
            "|---|---|---|---|",
            *display_rows,
        ]
        print("\n".join(lines), flush=True)
        write_section(f"Preview: {who.summary}", lines)
    print(f"written to {FILE}")


if __name__ == "__main__":
    main()
