"""A real server to test against: `prefer serve`, built from this repository, with a store of its own."""

from __future__ import annotations

import atexit
import contextlib
import functools
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Iterator

ROOT = Path(__file__).resolve().parents[3]
START = 60.0  # seconds a start may take before it counts as failed; not a measure of speed


@functools.lru_cache(maxsize=None)
def binary() -> str:
    """The program under test: $PREFER if set, else built here."""
    if os.environ.get("PREFER"):
        return os.environ["PREFER"]
    folder = tempfile.mkdtemp(prefix="prefer-python-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = os.path.join(folder, "prefer")
    subprocess.run(["go", "build", "-o", path, "./cmd/prefer"], cwd=ROOT, check=True)
    return path


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


@contextlib.contextmanager
def serving(*flags: str) -> Iterator[str]:
    """Runs prefer serve and yields its address."""
    with tempfile.TemporaryDirectory(prefix="prefer-python-") as folder:
        port = free_port()
        url = f"http://127.0.0.1:{port}"
        log = open(os.path.join(folder, "log"), "w+b")
        store = os.path.join(folder, "studies.db")
        process = subprocess.Popen([binary(), "serve", "--addr", f"127.0.0.1:{port}", "--store", store, *flags], stdout=log, stderr=log, cwd=folder)
        try:
            wait(url, process, log.name)
            yield url
        finally:
            process.terminate()
            try:
                process.wait(START)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            log.close()


def wait(url: str, process: "subprocess.Popen[bytes]", log: str) -> None:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    end = time.monotonic() + START
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(OSError):
            opener.open(url + "/healthz", timeout=5).close()
            return
        time.sleep(0.05)
    raise RuntimeError(f"prefer serve did not start: {Path(log).read_text(errors='replace')}")
