"""Tools of the npm registry; `python3 build.py test` fetches those of the daily run once, when it sets up the environment."""

import base64
import hashlib
import io
import os
import sys
import tarfile
import urllib.request
from pathlib import Path
from typing import NamedTuple


class Tool(NamedTuple):
    """A file of a package in the npm registry, or the whole package if `file` is empty, and the digest of the package."""

    name: str
    version: str
    file: str
    sha512: str

    def find_file(self) -> Path:
        """Return the path of the file in the folder of the Python environment; download it on the first call."""
        suffix = Path(self.file).suffix or ".tgz"
        path = Path(sys.prefix) / "share" / "tenure-tests" / f"{self.name}-{self.version}{suffix}"
        if not path.is_file():
            path.parent.mkdir(parents=True, exist_ok=True)
            half = path.with_suffix(".half")
            half.write_bytes(self._download_package())
            half.replace(path)
        return path

    def _download_package(self) -> bytes:
        registry = os.environ.get("NPM_CONFIG_REGISTRY", "https://registry.npmjs.org").rstrip("/")
        url = f"{registry}/{self.name}/-/{self.name}-{self.version}.tgz"
        with urllib.request.urlopen(url, timeout=120) as answer:
            package: bytes = answer.read()
        digest = base64.b64encode(hashlib.sha512(package).digest()).decode()
        assert digest == self.sha512, f"{self.name} {self.version} is not what it was"
        if not self.file:
            return package
        with tarfile.open(fileobj=io.BytesIO(package)) as files:
            file = files.extractfile(self.file)
            assert file is not None
            return file.read()


AXE = Tool(
    "axe-core", "4.14.1", "package/axe.min.js",
    "FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ==",
)  # fmt: skip
NU = Tool(
    "vnu-jar", "26.9.27", "package/build/dist/vnu.jar",
    "TkQd5DFfOaWC9ebtvozTsrH2Vaod3jYg+vrOeREzIXxBexLz9+rS2DNtjn7+RPUiZhgli0SghgBX6RJRNea0KA==",
)  # fmt: skip


TYPESCRIPT = Tool(
    "typescript", "5.9.3", "",
    "jl1vZzPDinLr9eUt3J/t7V6FgNEw9QjvBPdysz9KfQDD41fQrC2Y4vKQdiaUpFT4bXlb1RHhLpp8wtm6M5TgSw==",
)  # fmt: skip

WEB_FEATURES = Tool(
    "web-features", "3.40.0", "package/data.json",
    "3AzfKxVv7hWTRZSubYBVu1LHk62mdGg+vIpVAf6+nNC3pC7g455nKSry5OlwsaSYMzuzL2DxSTwlyb5z0+XZdQ==",
)  # fmt: skip


if __name__ == "__main__":
    for tool in (AXE, TYPESCRIPT):
        tool.find_file()
