"""Writes RESULTS.md: the last results, with a section for each benchmark."""

import os
import platform
import sysconfig
import time
from collections.abc import Sequence
from pathlib import Path

FILE = Path(__file__).resolve().parent / "RESULTS.md"


def describe_machine() -> str:
    """Return the processor, the system, Python and how it was compiled, the day and the load of the machine."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    cpu = Path("/proc/cpuinfo")
    lines = cpu.read_text().splitlines() if cpu.is_file() else []
    model = next((line.partition(": ")[2] for line in lines if line.startswith("model name")), "")
    options = sysconfig.get_config_var("CONFIG_ARGS")
    is_plain = bool(options) and "--enable-optimizations" not in options
    python = f"Python {platform.python_version()}{' without --enable-optimizations' if is_plain else ''}"
    load = f"load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "load unknown"
    system = f"{cores} cores, {model or platform.machine()}, {platform.system()}"
    return f"{system}, {python}, {time.strftime('%Y-%m-%d')}, {load}"


def write_section(title: str, lines: Sequence[str]) -> None:
    """Write the section with a title, in place of the existing one; other sections are unchanged."""
    report = FILE.read_text("utf-8") if FILE.is_file() else "# Results\n"
    head, *sections = report.rstrip().split("\n## ")
    by_title = {section.partition("\n")[0]: section.strip() for section in sections}
    by_title[title] = "\n".join([title, "", *lines]).rstrip()
    FILE.write_text("\n\n## ".join([head.rstrip(), *by_title.values()]) + "\n", "utf-8")
