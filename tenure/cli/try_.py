"""`try`: pack the page “Try it” of a clone, and serve it; an installed Tenure says where it is published."""

import argparse
import contextlib
import shutil
import subprocess
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib import metadata

from tenure.cli.arguments import EXIT_OK, PROGRAM_FOLDER, Call, UsageError, is_checkout

NODE_VERSION = 20
PACKER = PROGRAM_FOLDER / "browser" / "pack.mjs"
OUTPUT = PACKER.parent / "output"
ADDRESS_NAME = "Try it"
"""The name of the published address in `[project.urls]` of pyproject.toml."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `try`: the port."""
    parser.add_argument("--port", metavar="N", type=int, default=0, help="the port (default: a free one)")


def run_command(call: Call) -> int:
    """Pack the page and serve it until Ctrl+C, or print its published address; returns the exit status."""
    if not is_checkout():
        print(f"“Try it” is at {find_published_address()}")
        return EXIT_OK

    node = find_node()
    ask_to_load()
    subprocess.run([node, str(PACKER), str(OUTPUT / "try")], check=True, stdout=subprocess.DEVNULL)
    serve_page(call.options.port)
    return EXIT_OK


def find_published_address() -> str:
    """Where the page is published; raises UsageError if the installed Tenure does not say it."""
    for line in metadata.metadata("tenure").get_all("Project-URL") or ():
        name, _, address = str(line).partition(", ")
        if name == ADDRESS_NAME:
            return address
    raise UsageError("this Tenure names no published “Try it”; in a clone, python3 build.py try packs it")


def find_node() -> str:
    """The path of Node; raises UsageError if it is missing or too old."""
    node = shutil.which("node")
    version = ""
    if node:
        version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    # v20.20.2
    major = version.strip().removeprefix("v").partition(".")[0]
    if not node or not major.isdigit() or int(major) < NODE_VERSION:
        found = f"this is {version.strip()}" if version else "it is not here"
        raise UsageError(
            f"“Try it” is packed by Node {NODE_VERSION} or newer, and {found}: nodejs.org has it"
        )
    return node


def ask_to_load() -> None:
    """Say what packing loads, and from where; raises UsageError without a yes at the terminal."""
    folders = ("node_modules", ".wheels")
    if all((PACKER.parent / name).is_dir() for name in folders):
        return
    print(
        "The first time, “Try it” loads 60 MB into browser/: from registry.npmjs.org (Pyodide, the editor, "
        "esbuild), and from pypi.org and files.pythonhosted.org (the libraries, Typst), "
        "each file with its digest."
    )
    if not sys.stdin.isatty() or input("Load them? [y/N] ").strip().casefold() not in ("y", "yes"):
        raise UsageError("nothing was loaded; it needs a yes at the terminal")


class _QuietHandler(SimpleHTTPRequestHandler):
    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Print no line for a request."""


def serve_page(port: int) -> None:
    """Serve the packed page for this machine until Ctrl+C."""
    handler = partial(_QuietHandler, directory=str(OUTPUT))
    with ThreadingHTTPServer(("127.0.0.1", port), handler) as server, contextlib.suppress(KeyboardInterrupt):
        print(f"“Try it” is at http://localhost:{server.server_port}/try/ (Ctrl+C ends it)", flush=True)
        server.serve_forever()
