"""
The door: `python3 build.py` builds the site in this folder.

On a fresh machine it first makes `.venv` beside itself and installs what is needed there; then it goes on with it.
A site that wants a file made that no theme makes passes its own outlet: `main(outlets=(*OUTLETS, mine))`.
"""

import os
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
VENV = os.path.join(HERE, ".venv")
PYTHON = os.path.join(VENV, *(("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")))
READY = os.path.join(VENV, "tenure-ready")
PACKAGES = (
    "yaml",
    "jinja2",
    "bibtexparser",
    "latex2mathml",
    "livereload",
    "markdown",
    "pygments",
    "pylatexenc",
    "PIL",
)
NEEDED = {
    "": PACKAGES,
    "test": (
        *PACKAGES,
        "pytest",
        "xdist",
        "hypothesis",
        "mypy",
        "ruff",
        "html5lib",
        "playwright",
        "typst",
        "pypdf",
    ),
}


def enter(extra: str) -> None:
    """Go on in an interpreter that has the packages: this one, the one in .venv, or a new .venv."""
    from importlib.util import find_spec  # noqa: PLC0415 - where nothing has changed, nothing is looked for

    if all(find_spec(name) for name in NEEDED[extra]):
        return
    if os.path.realpath(sys.prefix) == VENV:
        stop("the packages in .venv are incomplete; delete the folder .venv and run this again")
    if not os.path.isfile(PYTHON) or text(READY) not in (state("test"), state(extra)):
        set_up(extra)
        with open(READY, "w", encoding="utf-8") as ready:
            ready.write(state(extra))
    if not extra:
        # It is this very Python's own .venv: its packages serve here as they do there, without a second start.
        library = "Lib" if os.name == "nt" else f"lib/python{sys.version_info[0]}.{sys.version_info[1]}"
        sys.path.insert(0, os.path.join(VENV, library, "site-packages"))
        return
    arguments = [PYTHON, os.path.join(HERE, "build.py"), *sys.argv[1:]]
    sys.stdout.flush()
    if os.name == "nt":
        import subprocess  # noqa: PLC0415 - needed on Windows alone

        raise SystemExit(subprocess.run(arguments, check=False).returncode)
    os.execv(arguments[0], arguments)


def state(extra: str) -> str:
    """What .venv must have been made from."""
    return f"{sys.version}\nextra: {extra}\n{text(os.path.join(HERE, 'pyproject.toml'))}"


def text(path: str) -> str:
    """A file's text; "" where there is none."""
    if not os.path.isfile(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


def set_up(extra: str) -> None:
    """Make .venv and install the project there; one clear line where that cannot be."""
    import shutil  # noqa: PLC0415 - needed once

    print(f"Setting up {VENV} (once; this takes a moment) …", file=sys.stderr, flush=True)
    uv = shutil.which("uv")
    if not os.path.isfile(PYTHON) or not os.path.isfile(READY):
        if not os.access(HERE, os.W_OK):
            stop(f"the folder {HERE} cannot be written; copy the project to a folder of your own")
        make = (
            [uv, "venv", "--clear", "--python", sys.executable]
            if uv
            else [sys.executable, "-m", "venv", "--clear"]
        )
        hint = "install it (Debian, Ubuntu: apt install python3-venv), or pip install . in an environment of your own"
        run(
            [*make, VENV],
            f"Python cannot make a virtual environment here: venv or ensurepip is missing; {hint}",
        )
    wanted = f"{HERE}[pdf,{extra}]" if extra else HERE
    install = [uv, "pip", "install", "--python", PYTHON] if uv else [PYTHON, "-m", "pip", "install"]
    reason = "the packages cannot be installed; check the connection to the Python Package Index and run this again"
    # A plain path in .venv starts faster than the import hook that newer editable installs put there.
    options = ["--quiet", "--config-settings", "editable_mode=compat", "--editable"]
    run([*install, *options, wanted], reason)
    if not extra:
        # Where there is no Typst for a machine, its site is built without the CV as PDF, and says so.
        run([*install, *options, f"{HERE}[pdf]"])


def run(command: list[str], reason: str = "") -> None:
    """Run a command in silence; where it fails stop with the reason, if there is one, and the last line it said."""
    import subprocess  # noqa: PLC0415 - needed once

    quiet = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=quiet)
    except OSError as error:
        stop(f"{reason} ({error})")
    if done.returncode != 0 and reason:
        said = [line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        stop(f"{reason} ({said[-1]})" if said else reason)


def stop(reason: str) -> None:
    """Say why and end."""
    print(f"build.py: {reason}", file=sys.stderr)
    raise SystemExit(2)


if __name__ == "__main__":
    if sys.version_info < (3, 11):
        stop(f"Python 3.11 or newer is needed, and this is {sys.version.split()[0]}")
    sys.path.insert(0, HERE)
    from tenure.stamp import said_again

    if said_again(HERE, sys.argv[1:]):
        raise SystemExit(0)
    enter("test" if sys.argv[1:2] == ["test"] and not {"-h", "--help"} & set(sys.argv) else "")
    from pathlib import Path

    from tenure.cli import leave, main

    leave(main(folder=Path(HERE)))
