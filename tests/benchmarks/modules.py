"""
Measures what each module costs that a build loads.

Usage: `python tests/benchmarks/modules.py [--size 50] [--runs 9]`.

Python says how long each module took to load (`-X importtime`), without those that it imports; of several cold builds
the least time counts. The table of the slowest modules is written to tests/benchmarks/RESULTS.md.
"""

import argparse
import os
import re
import subprocess
import sys

from results import FILE, describe_machine, write_section
from sites import ROOT, WORK, move_away
from synthetic import create_researcher, write_tenure_site

SHOWN_MODULES = 30

LINE = re.compile(r"import time:\s+(?P<own>\d+) \|\s+\d+ \|\s+(?P<name>\S+)")
"""import time:       234 |        567 |   tenure.record"""


def measure_modules(size: int, runs: int) -> dict[str, int]:
    """Return the microseconds in which each module is loaded in a cold build."""
    folder = WORK / f"modules-{size}"
    move_away(folder)
    write_tenure_site(create_researcher(str(size)), folder)

    least: dict[str, int] = {}
    for _ in range(runs):
        for name in ("output", ".cache"):
            move_away(folder / name)
        process = subprocess.run(
            (sys.executable, "-X", "importtime", "-m", "tenure", "build"),
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        )
        for match in LINE.finditer(process.stderr):
            own = int(match["own"])
            least[match["name"]] = min(own, least.get(match["name"], own))
    return least


def main() -> None:
    """Measure, print and write the table."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    arguments.add_argument("--size", type=int, default=50, help="publications")
    arguments.add_argument("--runs", type=int, default=9, help="cold builds, of which the least time counts")
    options = arguments.parse_args()
    modules = measure_modules(options.size, options.runs)

    slowest = sorted(modules.items(), key=lambda module: -module[1])[:SHOWN_MODULES]
    rows = [f"| `{name}` | {microseconds / 1000:.1f} |" for name, microseconds in slowest]
    command = f"python tests/benchmarks/modules.py --size {options.size} --runs {options.runs}"
    total = sum(modules.values()) / 1000
    lines = [
        f"`{command}` on {describe_machine()}. {len(modules)} modules take {total:.0f} ms; the slowest:",
        "",
        "| module | milliseconds |",
        "|---|---|",
        *rows,
    ]
    print("\n".join(lines))
    write_section("Modules", lines)
    print(f"written to {FILE}")


if __name__ == "__main__":
    main()
