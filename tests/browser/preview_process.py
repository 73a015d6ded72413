"""Starts `serve` in a process of its own, as a user does."""

import http.client
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

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
        self.editor_address = self.wait_for_line("Edit it in the browser: ").split(": ")[1]
        self.editor_host = self.editor_address.split("/")[2]
        self.editor_key = self.editor_address.partition("?key=")[2]

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
        self, path: str, method: str = "GET", body: bytes | None = None, port: str = "", **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """Send a request; return the status, the headers by lower-case name, and the body. A header "" is not sent."""
        host = f"127.0.0.1:{port}" if port else self.host
        connection = http.client.HTTPConnection(host, timeout=60)
        named = {"Host": host, **{name.replace("_", "-"): value for name, value in headers.items()}}
        connection.request(method, path, body, {name: value for name, value in named.items() if value})
        answer = connection.getresponse()
        result = answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        connection.close()
        return result

    def send_to_editor(
        self, path: str, method: str = "GET", body: bytes | None = None, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """Send a request to the editor as its own page does, with some headers changed."""
        port = self.editor_host.split(":")[1]
        own = {"Cookie": f"tenure-editor-{port}={self.editor_key}"}
        if method == "POST":
            own |= {"Origin": f"http://{self.editor_host}", "Sec_Fetch_Site": "same-origin"}
            own |= {"Content_Type": "application/json"}
        return self.send_request(path, method, body, port, **{**own, **headers})

    def call_editor(self, name: str, *values: Any, **headers: str) -> tuple[int, Any]:
        """Call a function of the editor; return the status and the result, or the reason of a refusal."""
        body = json.dumps({"name": name, "values": values}).encode()
        status, _, answer = self.send_to_editor("/call", "POST", body, **headers)
        if not answer.startswith(b"{"):
            return status, answer.decode()
        answered = json.loads(answer)
        return status, answered.get("result", answered.get("error"))

    def edit_source(self, name: str, file: str, *values: Any) -> tuple[int, Any]:
        """Read a source in the editor, and change it."""
        _, read = self.call_editor("read", "readText", file)
        return self.call_editor("edit", name, file, read["version"], *values)

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
