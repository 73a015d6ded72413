"""
Measures builds of the same site with Tenure and other programs.

Usage: `python tests/benchmarks/sites.py [--sizes 50,1000,10000] [--runs 5]`.

Tenure builds its whole site, and a site with the same templates as the other programs. Hugo builds a site
with these templates, and one with all information of Tenure's site (hugo_full/). Each installed program
(hugo, pelican, eleventy on PATH) builds in turn: cold (without its output and caches), again with nothing
changed, and after an edit of one title. The benchmark measures the wall time and the CPU time of whole
processes, and in a separate run the peak of the memory of all processes (the sum of their proportional sets).
It writes tables to tests/benchmarks/RESULTS.md: medians, ratios to both sites of Hugo, and the time of each stage
of Tenure. `--only` names programs. Put Hugo's own binary on PATH: the command of its Python package starts
Python first.
"""

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from peers import PEERS, Peer, write_bare_site
from results import FILE, describe_machine, write_section
from synthetic import create_researcher, write_tenure_site

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WORK = HERE / ".work"
REMOVED = WORK / "removed"
BUILD_COMMAND = (sys.executable, "build.py")
TENURE = {
    "Tenure": Peer(BUILD_COMMAND, write_tenure_site, ("output", ".cache")),
    "Tenure, as bare as the others": Peer(BUILD_COMMAND, write_bare_site, ("output", ".cache")),
}
"""
Tenure twice: with all that a site has by default, including the CV as PDF and the records; and with the same
pages as the others.
"""

BUILD_KINDS = ("cold", "unchanged", "edit")


@dataclass
class Runner:
    """A program with its site: it runs the program, and stores the times of each run."""

    name: str
    peer: Peer
    folder: Path
    edited: Path
    seconds: dict[str, list[float]] = field(default_factory=lambda: {act: [] for act in BUILD_KINDS})
    processor_seconds: dict[str, list[float]] = field(
        default_factory=lambda: {act: [] for act in BUILD_KINDS}
    )
    memory: int = 0
    edits: int = 0

    def time_build(self, act: str, *, sample_memory: bool = False) -> None:
        """Prepare and time one build, or sample its memory; stop if the program fails."""
        if act == "cold":
            for name in self.peer.generated:
                move_away(self.folder / name)
        if act == "edit":
            self._edit_title()
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        before = time.perf_counter()
        process = subprocess.Popen(
            self.peer.command,
            cwd=self.folder,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        ended, status, usage = os.wait4(process.pid, os.WNOHANG if sample_memory else 0)
        while not ended:
            self.memory = max(
                self.memory, sum(map(read_proportional_set, list_descendants(process.pid))) // 1024
            )
            time.sleep(0.01)
            ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        duration = time.perf_counter() - before
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"{self.name} failed on {self.folder}")
        if not sample_memory:
            self.seconds[act].append(duration)
            self.processor_seconds[act].append(usage.ru_utime + usage.ru_stime)

    def _edit_title(self) -> None:
        """Insert a word into one title, in the middle of the publications."""
        text = self.edited.read_text(encoding="utf-8")
        self.edits += 1
        middle = text.find("itle", len(text) // 2 if text.count("itle") > 4 else 0)
        start = next(place for place in range(middle + 5, len(text)) if text[place].isalpha())
        self.edited.write_text(f"{text[:start]}Edited{self.edits} {text[start:]}", encoding="utf-8")


def list_descendants(process: int) -> list[int]:
    """Return a process and all processes that it started, on Linux."""
    try:
        children = [
            int(child)
            for file in Path(f"/proc/{process}/task").glob("*/children")
            for child in file.read_text().split()
        ]
    except OSError:
        return []  # the process has ended
    return [process, *(below for child in children for below in list_descendants(child))]


def move_away(folder: Path) -> None:
    """
    Move a folder, if it exists, to REMOVED.

    Deleting it would slow down the next run: for a minute after a deletion, ext4 searches for inodes that were not deleted
    recently, which takes more time for each of thousands of new files. Source: `recently_deleted` in fs/ext4/ialloc.c of Linux.
    """
    if folder.exists():
        REMOVED.mkdir(parents=True, exist_ok=True)
        folder.rename(Path(tempfile.mkdtemp(dir=REMOVED)) / folder.name)


def read_proportional_set(process: int) -> int:
    """Return the memory of a process in KiB; a memory page that n processes share counts as 1/n."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0  # the process has ended
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


def measure_sites(size: int, runs: int, only: Sequence[str]) -> list[Runner]:
    """Build the site with every program in turn."""
    who = create_researcher(size)
    runners: list[Runner] = []
    for name, peer in {**TENURE, **PEERS}.items():
        if shutil.which(peer.command[0]) is None or (only and name not in only):
            continue
        folder = WORK / f"{re.sub(r'[^a-z]+', '-', name.lower())}-{size}"
        move_away(folder)
        runners.append(Runner(name, peer, folder, peer.write(who, folder)))
        if name in TENURE:
            shutil.copy(ROOT / "tenure/starter/build.txt", folder / "build.py")
    for runner in runners:
        _link_node_modules(runner)
        runner.time_build("cold", sample_memory=True)
    run_rounds(runners, runs)
    return runners


def run_rounds(runners: Sequence[Runner], runs: int) -> None:
    """Build with all programs in turn; each round has a cold, an unchanged and an edited build."""
    for _ in range(runs):
        for act in BUILD_KINDS:
            for runner in runners:
                runner.time_build(act)


def _link_node_modules(runner: Runner) -> None:
    """Link Eleventy's modules if they are installed in .work: npm install --prefix tests/benchmarks/.work/npm."""
    modules = WORK / "npm" / "node_modules"
    if runner.name == "Eleventy" and modules.is_dir() and not (runner.folder / "node_modules").exists():
        (runner.folder / "node_modules").symlink_to(modules)


REFERENCES = ("Hugo", "Hugo, the same information")


def format_rows(size: int, runners: Sequence[Runner]) -> list[str]:
    """Return the rows of the table for one size: seconds, CPU seconds, and the ratios to both sites of Hugo in the same round."""
    references = [runner for name in REFERENCES for runner in runners if runner.name == name]
    lines = []
    for runner in runners:
        cells = [
            format_cell(
                getattr(runner, times)[act],
                [getattr(reference, times)[act] for reference in references if reference is not runner],
            )
            for times in ("seconds", "processor_seconds")
            for act in BUILD_KINDS
        ]
        ratios = [
            f"{runner.memory / reference.memory:.2f}" for reference in references if reference is not runner
        ]
        memory = f"{runner.memory} ({', '.join(ratios)})" if ratios else f"{runner.memory}"
        lines.append(f"| {size:,} | {runner.name} | {' | '.join(cells)} | {memory} |")
    return lines


def format_cell(seconds: Sequence[float], references: Sequence[Sequence[float]]) -> str:
    """Return the median, and in parentheses the median of the ratios to each reference."""
    ratios = [
        f"{statistics.median(a / b for a, b in zip(seconds, reference, strict=True)):.2f}"
        for reference in references
    ]
    return f"{statistics.median(seconds):.3f}" + (f" ({', '.join(ratios)})" if ratios else "")


def measure_stages(size: int) -> list[str]:
    """Return rows with the time of each stage of a cold build of Tenure in one process."""
    program = (
        "import sys, time; start = time.perf_counter(); laps = []\n"
        "def say(line): laps.append((time.perf_counter() - start, line))\n"
        "from pathlib import Path; from tenure.cache.store import CacheStore; from tenure.build import build_site; from tenure.publish import publish_artifacts\n"
        "say('loaded the program')\n"
        "build = build_site(Path(sys.argv[1]), store=CacheStore(), log=say); say('checked the links')\n"
        "publish_artifacts(build.artifacts, Path(sys.argv[1]) / 'output'); say('wrote the files')\n"
        "before = 0\n"
        "for at, line in laps: print(f'{at - before:.3f} {line}'); before = at\n"
    )
    folder = WORK / f"tenure-{size}"
    move_away(folder / "output")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.run(
        [sys.executable, "-c", program, str(folder)],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    return [
        f"| {size:,} | {line.partition(' ')[2]} | {line.partition(' ')[0]} |"
        for line in process.stdout.splitlines()
    ]


def main(say: Callable[[str], None] = print) -> None:
    """Measure, print and write the tables."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    arguments.add_argument("--sizes", default="50,1000", help="publications, separated by commas")
    arguments.add_argument("--runs", type=int, default=5, help="counted runs of each program and act")
    arguments.add_argument("--only", action="append", default=[], help="a program to run; may be repeated")
    options = arguments.parse_args()
    sizes = [int(size) for size in options.sizes.split(",")]
    command = " ".join(
        ["python tests/benchmarks/sites.py", f"--sizes {options.sizes}", f"--runs {options.runs}"]
    )
    lines = [
        f"`{command}` on {describe_machine()}. Seconds of whole processes, medians; in parentheses the ratios to Hugo with bare templates and to Hugo with the same information, run by run. Load of the machine: {os.getloadavg()[0]:.1f}.",
        "",
        "| publications | program | cold | nothing changed | one title edited | CPU: cold | nothing changed | one title edited | peak MB |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for size in sizes:
        table_rows = format_rows(size, measure_sites(size, options.runs, options.only))
        lines += table_rows
        say("\n".join(table_rows))
    lines += [
        "",
        "Where a cold build of Tenure spends its time, in one process:",
        "",
        "| publications | stage | seconds |",
        "|---|---|---|",
    ]
    for size in sizes:
        lines += measure_stages(size)
    shutil.rmtree(REMOVED)
    write_section("Whole sites", lines)
    say(f"written to {FILE}")


if __name__ == "__main__":
    main()
