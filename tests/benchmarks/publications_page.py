"""
Measures the search on the publications page: `python tests/benchmarks/publications_page.py [PAPERS]`.

Types and deletes words letter by letter on a page of 500 papers in Chromium, for each theme, and prints how
long a key press takes until the page has its new layout.
"""

import statistics
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests/harness")]

from chromium import launch_chromium, serve_sites  # noqa: E402 - found by the line above
from conftest import write_files  # noqa: E402
from matrix import THEMES, many_papers  # noqa: E402

from tenure.build import build_site  # noqa: E402

WORDS = ("scheduling graphs", "godel7", "known before", "2019 caches")
PRESS = """(() => {
  const search = document.querySelector('#pub-filter').q, times = [];
  const press = text => {
    const started = performance.now();
    search.value = text;
    search.dispatchEvent(new Event('input', { bubbles: true }));
    document.documentElement.getBoundingClientRect();
    times.push(performance.now() - started);
  };
  for (const words of %s) {
    for (let i = 1; i <= words.length; i++) press(words.slice(0, i));
    for (let i = words.length - 1; i >= 0; i--) press(words.slice(0, i));
  }
  return times;
})()"""


def main(papers: int) -> None:
    """Print a line for each theme."""
    with launch_chromium() as browser, serve_sites() as server, tempfile.TemporaryDirectory() as folder:
        write_files(Path(folder), many_papers(papers))
        for theme in THEMES:
            home = server.add_site(theme, build_site(Path(folder), theme=theme).artifacts)
            page = browser.new_page()
            page.goto(f"{home}publications/")
            times = [float(time) for time in page.evaluate(PRESS % list(WORDS))]
            print(
                f"{theme}: {len(times)} key presses over {papers} papers: median {statistics.median(times):.0f} ms, "
                f"longest {max(times):.0f} ms"
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
