"""The programs in tests/benchmarks/ run: at their smallest size, and without the rounds that measure."""

import os
import subprocess
import sys
from pathlib import Path

from conftest import ROOT

from tenure.build import build_site

PROGRAM = """
import contextlib, pathlib, sys
import modules, preview, sites, synthetic
sites.WORK = pathlib.Path(sys.argv[1])
who = synthetic.create_researcher("3")
edited = synthetic.write_tenure_site(who, sites.WORK / "tenure-3")
stages = sites.measure_stages("3")
assert "loaded the program" in stages[0] and "wrote the files" in stages[-1], stages
title = who.edited.fields["title"]
old, word = edited.read_text("utf-8"), preview.Server(0, edited, title, "/").save_new_word()
assert edited.read_text("utf-8").replace("{" + word + " ", "{") == old
assert synthetic.write_hugo_site(who, sites.WORK / "hugo").is_file()
sys.argv = ["benchmark", "--help"]
for program in (modules, preview, sites):
    with contextlib.suppress(SystemExit):
        program.main()
"""


def test_the_benchmarks_run_at_their_smallest_size(tmp_path: Path) -> None:
    paths = os.pathsep.join([str(ROOT), str(ROOT / "tests/benchmarks")])
    command, variables = [sys.executable, "-c", PROGRAM, str(tmp_path)], {**os.environ, "PYTHONPATH": paths}
    result = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout.count("usage: ")) == (0, 3), result.stderr
    assert build_site(tmp_path / "tenure-3").problems == ()
