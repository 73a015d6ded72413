"""requirements.txt of a new site names the running Tenure and exact versions, for every kind of installation."""

import hashlib
import json
import re
import shutil
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from conftest import ROOT, Patch, read_folder

from tenure.cli import requirements
from tenure.cli.arguments import UsageError
from tenure.cli.requirements import OWN_PACKAGES_MARKER, REQUIREMENTS_HEADER, build_wheel, merge_requirements


def test_a_clone_gives_a_wheel_with_its_hash_and_exact_versions() -> None:
    """No index is asked for Tenure: anybody could register the name there."""
    files = requirements.create_requirement_files()
    (path,) = (name for name in files if name.startswith("vendor/"))
    wheel, text = files[path], files["requirements.txt"]
    assert isinstance(wheel, bytes)
    assert isinstance(text, str)
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert lines[0] == f"file:{path}#sha256={hashlib.sha256(wheel).hexdigest()}"
    assert all(re.fullmatch(r"[a-z0-9-]+==[^\s;]+", line) for line in lines[1:]), lines
    names = {line.partition("==")[0] for line in lines}
    assert {"jinja2", "markupsafe", "tornado", "typst", "urllib3", "watchfiles"} <= names
    assert f"pyyaml=={metadata.version('pyyaml')}" in lines
    assert "tenure==" not in text


def test_the_wheel_of_a_clone_is_the_same_each_time(tmp_path: Path) -> None:
    """The wheel is the same even if the saved one was deleted; changed sources give another version."""
    for name in requirements.WHEEL_SOURCES:
        ignored = shutil.ignore_patterns("__pycache__", ".cache")
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tmp_path / name, ignore=ignored)
        elif (ROOT / name).is_file():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, tmp_path / name)
    first = build_wheel(tmp_path)
    shutil.rmtree(tmp_path / ".cache")
    assert build_wheel(tmp_path) == first
    assert build_wheel(tmp_path) == first, "taken from the cache"
    with zipfile.ZipFile(next((tmp_path / ".cache/wheels").iterdir())) as wheel:
        names = set(wheel.namelist())
    packaged = [
        path for path in read_folder(tmp_path) if path.startswith(("tenure", "themes/", "docs/", "CH"))
    ]
    assert {re.sub("^(?=themes/|docs/|CH)", "tenure/", path) for path in packaged} == {
        name for name in names if ".dist-info/" not in name
    }
    (tmp_path / "tenure/starter/README.md").write_text("other\n", "utf-8")
    assert build_wheel(tmp_path)[0] != first[0]
    assert len([*(tmp_path / ".cache/wheels").iterdir()]) == 1
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 3\n", "utf-8")
    with pytest.raises(UsageError, match=r"cannot build a wheel of .*: "):
        build_wheel(tmp_path)


@pytest.mark.parametrize(
    ("origin", "line"),
    [
        (None, "tenure==7"),
        ({"url": "https://x.org/t.git", "vcs_info": {"vcs": "git", "commit_id": "0123"}}, "tenure @ git+https://x.org/t.git@0123"),
        ({"url": "file://FOLDER/a%20b/tenure-7-py3-none-any.whl", "archive_info": {}}, "file:vendor/tenure-7-py3-none-any.whl#sha256={sha}"),
        ({"url": "file:///moved/tenure-7-py3-none-any.whl", "archive_info": {}}, "file:vendor/tenure-7-py3-none-any.whl#sha256={sha}"),
        ({"url": "file:///deleted/tenure-8-py3-none-any.whl", "archive_info": {}}, "no longer exists; install it again"),
        ({"url": "https://x.org/tenure-7-py3-none-any.whl", "archive_info": {}}, "tenure @ https://x.org/tenure-7-py3-none-any.whl"),
    ],
)  # fmt: skip
def test_tenure_comes_from_its_origin(origin: object, line: str, tmp_path: Path, monkeypatch: Patch) -> None:
    """The same wheel is the same line: an upgrade in a fresh site has nothing to do."""
    packages = tmp_path / "site/.venv/lib/python3/site-packages"
    info = packages / "tenure-7.dist-info"
    info.mkdir(parents=True)
    required = "Requires-Dist: jinja2\nRequires-Dist: typst<1; platform_machine == 'x86_64'\nRequires-Dist: pytest; extra == 'test'\n"
    (info / "METADATA").write_text(f"Name: tenure\nVersion: 7\n{required}", "utf-8")
    (info / "direct_url.json").write_text(json.dumps(origin).replace("FOLDER", str(tmp_path)), "utf-8")
    for folder in ("a b", "site/vendor"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "tenure-7-py3-none-any.whl").write_bytes(b"wheel")
    monkeypatch.setattr(requirements, "is_checkout", lambda: False)
    monkeypatch.setattr(requirements, "PROGRAM_FOLDER", packages)
    monkeypatch.setattr(metadata, "distribution", lambda _: metadata.PathDistribution(info))
    if " " in line and "@" not in line:
        with pytest.raises(UsageError, match=line):
            requirements.find_release()
        return
    requirement, dependencies, _ = requirements.find_release()
    assert requirement == line.format(sha=hashlib.sha256(b"wheel").hexdigest())
    assert dependencies == ["jinja2", "typst<1; platform_machine == 'x86_64'"]


def test_every_installed_package_is_pinned_once(monkeypatch: Patch) -> None:
    installed = {
        "alpha": ("1.0", ['beta>=2 ; sys_platform == "win32"', "delta[fast]"]),
        "delta": ("4.1", ['zeta ; extra == "slow"', "Alpha"]),
    }

    def find_version(name: str) -> str:
        if name not in installed:
            raise metadata.PackageNotFoundError(name)
        return installed[name][0]

    monkeypatch.setattr(metadata, "version", find_version)
    monkeypatch.setattr(metadata, "requires", lambda name: installed[name][1])
    assert requirements.pin_dependencies(["Alpha>=1", "theta<2,>=1"]) == [
        "alpha==1.0",
        "delta==4.1",
        "theta<2,>=1",
    ]


def test_an_upgrade_keeps_lines_of_the_site() -> None:
    new = f"{REQUIREMENTS_HEADER}file:vendor/tenure-2-py3-none-any.whl#sha256=1\njinja2==4\n{OWN_PACKAGES_MARKER}"
    old = f"{REQUIREMENTS_HEADER}tenure[pdf]==1\njinja2==3\n{OWN_PACKAGES_MARKER}qrcode==7\n# mine\n"
    assert merge_requirements(old, new) == f"{new}qrcode==7\n# mine\n"
    assert merge_requirements("tenure[pdf]==0.1.0\nqrcode==7\nJinja2>=3\n", new) == f"{new}qrcode==7\n"
    assert merge_requirements(new, new) == new


def test_no_message_suggests_installing_tenure_from_an_index() -> None:
    """If the index has no such name, anyone could register it and run code on the machine of each user who follows the message."""
    texts = [path.read_text("utf-8") for path in (ROOT / "tenure").rglob("*.py")]
    assert not [text for text in texts if re.search(r"pip install [\"']?tenure", text)]
    assert '"typst>=0.15,<0.16 ;' in (ROOT / "pyproject.toml").read_text("utf-8")
    assert sum('pip install "typst>=0.15,<0.16"' in text for text in texts) == 1
