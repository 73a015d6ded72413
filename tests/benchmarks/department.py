"""
Measures a department with and without its people.

Usage: `python tests/benchmarks/department.py [--people 60] [--papers 5000] [--runs 3]`.

Both sites are of a group with the same publications. One site also has people: each has a page, and their
names are bold links in all author lists. Three authors of each publication are people of the department. Each
site is built with an empty cache, with nothing changed and after an edit of one title, as in sites.py. The
table is written to tests/benchmarks/RESULTS.md.
"""

import argparse
import os
import random
import shutil
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

from peers import Peer
from results import describe_machine, write_section
from sites import BUILD_COMMAND, BUILD_KINDS, ROOT, WORK, Runner, format_cell, run_rounds
from synthetic import WORDS, Paper, Researcher, create_researcher, write_tenure_site

REFERENCE = "no people"


def build_names(count: int) -> list[str]:
    """Return names of people, each with another family name."""
    return [
        f"{WORDS[n % len(WORDS)].title()} {WORDS[-1 - n % len(WORDS)].title()}son{n}" for n in range(count)
    ]


def add_members(who: Researcher, people: int) -> Researcher:
    """Return the researcher with three people of the department as the first authors of each publication."""
    dice, names = random.Random(60), build_names(people)

    def add_authors(paper: Paper) -> Paper:
        members = tuple(dice.sample(names, 3))
        return replace(paper, authors=members + paper.authors[3:], latex=members + paper.latex[3:])

    return replace(who, papers=tuple(map(add_authors, who.papers)))


def write_department(people: int, who: Researcher, folder: Path) -> Path:
    """Write the sources of the department; return the file in which a title is edited."""
    edited = write_tenure_site(who, folder)
    roles = ("Professor", "Postdoc", "PhD student", "Research engineer")
    entries = [
        f"- {{name: {name}, role: {roles[n % 4]}, start: {2005 + n % 20}, page: true"
        + (f", end: {2020 + n % 5}" if n % 5 == 0 else "")
        + "}\n"
        for n, name in enumerate(build_names(people))
    ]
    if entries:
        (folder / "content/people.yaml").write_text("".join(entries), encoding="utf-8")
    (folder / "content/profile.yaml").write_text(
        "name: Department of Examples\nkind: group\n", encoding="utf-8"
    )
    return edited


def measure_sites(people: int, papers: int, runs: int) -> list[Runner]:
    """Build both sites in turn; the first one is the reference."""
    who = add_members(create_researcher(papers), people)
    runners = []
    for name, count in ((REFERENCE, 0), (f"{people} people", people)):
        write = partial(write_department, count)
        folder = WORK / f"department-{name.replace(' ', '-')}-{papers}"
        shutil.rmtree(folder, ignore_errors=True)
        peer = Peer(BUILD_COMMAND, write, ("output", ".cache"))
        runners.append(Runner(name, peer, folder, write(who, folder)))
        shutil.copy(ROOT / "tenure/starter/build.txt", folder / "build.py")
    for runner in runners:
        runner.time_build("cold", sample_memory=True)
    run_rounds(runners, runs)
    return runners


def format_row(runner: Runner, reference: Runner, papers: int) -> str:
    """Return the row of a site: CPU seconds with their ratios to the reference, and the peak of the memory."""
    is_reference = runner is reference
    times = runner.processor_seconds
    cells = [
        format_cell(times[kind], [] if is_reference else [reference.processor_seconds[kind]])
        for kind in BUILD_KINDS
    ]
    ratio = "" if is_reference else f" ({runner.memory / reference.memory:.2f})"
    return f"| {papers:,} | {runner.name} | {' | '.join(cells)} | {runner.memory}{ratio} |"


def main() -> None:
    """Measure both sites, and write the table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--people", type=int, default=60)
    arguments.add_argument("--papers", type=int, default=5000)
    arguments.add_argument("--runs", type=int, default=3)
    options = arguments.parse_args()
    runners = measure_sites(options.people, options.papers, options.runs)
    table = [
        "| publications | site | cold | nothing changed | one title edited | peak MB |",
        "|---|---|---|---|---|---|",
        *(format_row(runner, runners[0], options.papers) for runner in runners),
    ]
    write_section(
        "A department",
        [
            (
                f"`python tests/benchmarks/department.py {' '.join(sys.argv[1:])}` on {describe_machine()}. CPU seconds of whole processes, medians; in parentheses the "
                "ratio to the same site without people, run by run. "
                f"Load of the machine: {os.getloadavg()[0]:.1f}."
            ),
            "",
            *table,
        ],
    )
    print("\n".join(table))


if __name__ == "__main__":
    main()
