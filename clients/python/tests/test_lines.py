"""The process behind prefer.research, without numpy: blocks are bytes."""

import os
import signal
import struct
import subprocess
import sys
import textwrap
import threading
import time
import unittest
from pathlib import Path
from typing import Any, Dict, List
from unittest import mock

from prefer import lines
from prefer.errors import ArgumentError, EndedError, PreferError
from prefer.lines import Block, Process

from .serving import binary

PACKAGE = str(Path(__file__).resolve().parents[1])


def block(rows: List[List[float]]) -> Block:
    flat = [v for row in rows for v in row]
    return Block([len(rows), len(rows[0])], struct.pack(f"<{len(flat)}d", *flat))


def numbers(b: Block) -> List[float]:
    return [v for (v,) in struct.iter_unpack("<d", bytes(b.data)[: 8 * b.shape[0]])]


A = [[0.1], [0.9], [0.4], [0.3], [0.8]]
B = [[0.6], [0.5], [0.6], [0.55], [0.7]]
DUELS: Dict[str, Any] = {"a": block(A), "b": block(B), "outcome": [-1] * 5}
LONG: Dict[str, Any] = {"acquisition": "kg", "pairs": block([[0.2, 0.7]] * 300_000)}  # minutes of work


def gone(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as f:
            return f.read().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


class LinesTest(unittest.TestCase):
    def setUp(self) -> None:
        patch = mock.patch.dict(os.environ, {"PREFER": binary()})
        patch.start()
        self.addCleanup(patch.stop)
        self.process = Process()
        self.addCleanup(self.process.close)

    def fit(self) -> int:
        return int(self.process.request("fit", DUELS)["model"])

    def test_asks(self) -> None:
        reply = self.process.request("posterior", {"model": self.fit(), "x": block(B), "covariance": "none"})
        mean = numbers(reply["mean"])
        self.assertGreater(mean[0], mean[4])
        with self.assertRaisesRegex(ArgumentError, r"model = 99, and there is none") as raised:
            self.process.request("posterior", {"model": 99, "x": block(B)})
        self.assertEqual(raised.exception.field, "model")
        with self.assertRaisesRegex(ArgumentError, "cannot be written as JSON: .*object"):
            self.process.request("fit", {"a": object()})
        with self.assertRaisesRegex(ArgumentError, "cannot be written as JSON"):
            self.process.request("fit", {"tolerance": float("nan")})
        self.fit()

    def test_killed(self) -> None:
        model = self.fit()
        os.kill(self.process.pid, signal.SIGTERM if os.name == "nt" else signal.SIGKILL)
        for _ in range(2):
            with self.assertRaisesRegex(EndedError, f"process {self.process.pid} has ended with .*; its models are gone: fit them again"):
                self.process.request("recommend", {"model": model})
        self.assertFalse(self.process.alive)

    def test_killed_while_it_works(self) -> None:
        model = self.fit()
        kill = threading.Timer(0.2, self.process._child.kill)
        kill.start()
        self.addCleanup(kill.join)
        with self.assertRaisesRegex(EndedError, "has ended with"):
            self.process.request("acquire", {"model": model, **LONG})

    def test_shared_is_followed_by_another(self) -> None:
        first = lines.shared()
        self.assertIs(lines.shared(), first)
        first._child.kill()
        first._child.wait()
        second = lines.shared()
        self.addCleanup(second.close)
        self.assertNotEqual(second.pid, first.pid)
        second.request("fit", DUELS)

    def test_interrupted(self) -> None:
        """Ctrl-C while a request is at work leaves process and models as they are."""
        model = self.fit()
        for _ in range(2):
            with mock.patch.object(self.process, "_receive", side_effect=KeyboardInterrupt), self.assertRaises(KeyboardInterrupt):
                self.process.request("acquire", {"model": model, **LONG})
        self.assertEqual(self.process.request("recommend", {"model": model})["x"].shape[1], 1)

    def test_threads_take_turns(self) -> None:
        model, failed = self.fit(), []

        def ask(at: float) -> None:
            try:
                for _ in range(20):
                    reply = self.process.request("posterior", {"model": model, "x": block([[at]] * 3), "covariance": "none"})
                    assert len(set(numbers(reply["mean"]))) == 1
            except BaseException as e:
                failed.append(e)

        threads = [threading.Thread(target=ask, args=(i / 8,)) for i in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(failed, [])

    @unittest.skipUnless(hasattr(os, "fork"), "needs os.fork")
    def test_forked(self) -> None:
        model = self.fit()
        child = os.fork()
        if child == 0:
            try:
                self.process.request("recommend", {"model": model})
            except EndedError as e:
                os._exit(7 if "was forked from it" in str(e) else 8)
            os._exit(9)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 7)
        self.process.request("recommend", {"model": model})

    def test_not_a_prefer(self) -> None:
        with mock.patch.dict(os.environ, {"PREFER": sys.executable}), self.assertRaisesRegex(PreferError, "has ended with|is not a line of JSON"):
            Process()

    @unittest.skipUnless(os.path.isdir("/proc"), "looks at /proc")
    def test_ends_with_the_interpreter(self) -> None:
        """Killed in the middle of a request or between requests, an interpreter leaves no process."""
        for last in ("print(p.pid, flush=True); time.sleep(600)", "print(p.pid, flush=True); p.request('acquire', {'model': 1, **LONG})"):
            script = textwrap.dedent(
                f"""
                import sys, time
                sys.path.insert(0, {PACKAGE!r})
                from tests.test_lines import DUELS, LONG, Process
                p = Process()
                p.request("fit", DUELS)
                {last}
                """
            )
            with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as interpreter:
                assert interpreter.stdout is not None
                pid = int(interpreter.stdout.readline())
                self.assertFalse(gone(pid))
                interpreter.kill()
            deadline = time.monotonic() + 60
            while not gone(pid) and time.monotonic() < deadline:
                time.sleep(0.01)
            self.assertTrue(gone(pid), f"process {pid} is left behind")


if __name__ == "__main__":
    unittest.main()
