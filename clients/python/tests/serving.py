"""A real server to test against: `prefer serve`, built from this repository, with a store of its own."""

from __future__ import annotations

import atexit
import contextlib
import functools
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Iterator

ROOT = Path(__file__).resolve().parents[3]
STOP = 60.0  # seconds after which a server that does not stop is a failure


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


@contextlib.contextmanager
def serving(*flags: str) -> Iterator[str]:
    """Runs prefer serve on a port that is free and yields its address. It must stop cleanly."""
    with tempfile.TemporaryDirectory(prefix="prefer-python-") as folder, open(os.path.join(folder, "log"), "wb") as log:
        command = [binary(), "serve", "--addr", "127.0.0.1:0", "--store", os.path.join(folder, "studies.db"), *flags]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, cwd=folder) as process:
            assert process.stdout is not None
            url = process.stdout.readline().decode().strip()
            try:
                if not url:
                    raise RuntimeError(f"prefer serve did not start: {Path(log.name).read_text(errors='replace')}")
                yield url
            finally:
                process.terminate()
                try:
                    status = process.wait(STOP)
                except subprocess.TimeoutExpired:
                    process.kill()
                    raise
        if status != 0:
            raise RuntimeError(f"prefer serve ended with {status}: {Path(log.name).read_text(errors='replace')}")
