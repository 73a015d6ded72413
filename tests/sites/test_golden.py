"""Golden sites in two depths: the model of each example, and its pages as a reader finds them."""

from pathlib import Path

import pytest
from conftest import ROOT
from golden import compare, model, outline

from tenure.pipeline import build

HERE = Path(__file__).parent
EXAMPLES = sorted(path.name for path in (ROOT / "examples").iterdir() if path.is_dir())


@pytest.mark.parametrize("name", EXAMPLES)
def test_model(name: str, request: pytest.FixtureRequest) -> None:
    made = build(ROOT / "examples" / name)
    assert made.problems == ()
    assert made.site is not None
    compare(HERE / name / "model.txt", model(made.site), update=request.config.getoption("--update"))


@pytest.mark.parametrize("name", EXAMPLES)
def test_pages(name: str, request: pytest.FixtureRequest) -> None:
    made = build(ROOT / "examples" / name)
    pages = sorted((a for a in made.artifacts if a.path.endswith(".html")), key=lambda a: a.path)
    found = "".join(f"==== {a.path}\n{outline(a.read().decode())}\n" for a in pages)
    compare(HERE / name / "pages.txt", found, update=request.config.getoption("--update"))
