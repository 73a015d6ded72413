"""The page “Try it”, packed once for all tests, and again when one of its files has changed."""

import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tenure.atomic import lock_folder

ROOT = Path(__file__).resolve().parent.parent.parent

PACKED = ROOT / "browser" / "output"
PACKED_FOLDERS = ("browser", "tenure", "tenure_import", "themes", "examples")
UNUSED_FOLDERS = {"node_modules", ".wheels", "output", "__pycache__", ".cache"}


def compute_digest() -> str:
    """Return the digest of all files from which the page is packed."""
    digest = hashlib.sha256()
    for folder in PACKED_FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and not UNUSED_FOLDERS & set(path.parts):
                digest.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def pack_page(node: str) -> Path:
    """Return the folder of the packed page; one process packs it, and the others wait."""
    PACKED.mkdir(exist_ok=True)
    with lock_folder(PACKED):
        mark, digest = PACKED / ".digest", compute_digest()
        if not mark.is_file() or mark.read_text() != digest:
            command = [node, str(ROOT / "browser" / "pack.mjs"), str(PACKED / "try")]
            with contextlib.suppress(FileNotFoundError):
                shutil.rmtree(PACKED / "try")
            environment = {**os.environ, "PYTHON": sys.executable}
            result = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
            assert result.returncode == 0, (result.stdout + result.stderr)[-3000:]
            mark.write_text(digest)
    return PACKED / "try"
