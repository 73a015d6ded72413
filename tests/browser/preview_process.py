"""Starts `serve` in a process of its own, as a user does."""

import http.client
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class PreviewProcess:
    """A running preview: its URL, and the lines that it has printed."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        self.printed: list[str] = []
        self._reader = threading.Thread(target=self._read_output, daemon=True)
        self._reader.start()
        self.address = self.wait_for_line("Serving ").split(" at ")[1].split()[0]
        self.host = self.address.split("/")[2]

    def _read_output(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.printed.append(line.rstrip("\n"))

    def wait_for_line(self, phrase: str, after: int = 0) -> str:
        """Wait for a line with these words, and return it; search from the line `after`."""
        for _ in range(6000):
            result = next((line for line in self.printed[after:] if phrase in line), None)
            if result is not None:
                return result
            assert self.process.poll() is None, self.printed
            time.sleep(0.01)
        raise AssertionError(self.printed)

    def send_request(
        self, path: str, method: str = "GET", **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """Send a request; return the status, the headers by lower-case name, and the body."""
        connection = http.client.HTTPConnection(self.host, timeout=30)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, headers={"Host": self.host, **named})
        answer = connection.getresponse()
        result = answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        connection.close()
        return result

    def stop_preview(self) -> int:
        """Stop the preview as Ctrl-C does, and return its exit status."""
        self.process.send_signal(signal.SIGINT)
        self._reader.join(timeout=30)
        return self.process.wait(timeout=30)


@contextmanager
def start_preview(
    folder: Path, *options: str, port: int = 0, script: Path | None = None
) -> Iterator[PreviewProcess]:
    """
    Serve a folder, with the given script if there is one.

    At the end of the block the process must be alive, and is ended.
    """
    program = [str(script)] if script else ["-m", "tenure"]
    command = [sys.executable, *program, "serve", "--site", str(folder), "--port", str(port), *options]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            preview = PreviewProcess(process)
            yield preview
            assert process.poll() is None, preview.printed
            assert preview.stop_preview() == 0
        finally:
            process.kill()
