"""Writes RESULTS.md: the last results, with a section for each benchmark."""

import os
import platform
from collections.abc import Sequence
from pathlib import Path

FILE = Path(__file__).resolve().parent / "RESULTS.md"


def describe_machine() -> str:
    """Return the processor, the system and the version of Python."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    cpu = Path("/proc/cpuinfo")
    lines = cpu.read_text().splitlines() if cpu.is_file() else []
    model = next((line.partition(": ")[2] for line in lines if line.startswith("model name")), "")
    return f"{cores} cores, {model or platform.machine()}, {platform.system()}, Python {platform.python_version()}"


def write_section(title: str, lines: Sequence[str]) -> None:
    """Write the section with a title, in place of the existing one; other sections are unchanged."""
    report = FILE.read_text("utf-8") if FILE.is_file() else "# Results\n"
    head, *sections = report.rstrip().split("\n## ")
    by_title = {section.partition("\n")[0]: section.strip() for section in sections}
    by_title[title] = "\n".join([title, "", *lines]).rstrip()
    FILE.write_text("\n\n## ".join([head.rstrip(), *by_title.values()]) + "\n", "utf-8")
