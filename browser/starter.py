"""
Writes the files of a new site into a folder, which the zip of the sources has too: `python starter.py
FOLDER`.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tenure.cli.starter import create_starter_files

SOURCES = ("site.yaml", "content/", "bib/")

if __name__ == "__main__":
    for name, body in create_starter_files("{name}").items():
        if not name.startswith(SOURCES):
            path = Path(sys.argv[1], name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(body if isinstance(body, bytes) else body.encode())
