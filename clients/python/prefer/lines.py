"""A process of one's own that speaks lines of JSON, each followed by the numbers of its arrays: `prefer research`.

Its standard input is a pipe from here. When the interpreter ends, however it does, the pipe closes and the process ends at once.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import tempfile
import threading
import weakref
from typing import IO, Any, Dict, List, Mapping, Optional, Union

from . import program
from .errors import ArgumentError, EndedError, PreferError

PROTOCOL = 1
_START, _STOP = 60.0, 10.0  # seconds that the process may take to say hello, and to end


class Block:
    """An array: in a line {"shape": …, "at": …}, its numbers as little-endian float64 after the line, from byte `at` on."""

    def __init__(self, shape: List[int], data: Union[bytes, bytearray, memoryview], at: int = 0):
        self.shape, self.data, self.at = shape, data, at


class Process:
    """One process, started at once. Requests are made one after the other, from whichever thread."""

    def __init__(self, workers: Optional[int] = None):
        command = [program.find(), "research"] + ([] if workers is None else ["--workers", str(workers)])
        self._lock = threading.Lock()
        self._owner = os.getpid()
        self._count = 0  # requests made
        self._dropped: List[int] = []  # models that nobody can ask for any more
        self._buffer = bytearray()  # what was read beyond a line
        self._end = ""  # how it ended
        self._log: IO[bytes] = tempfile.TemporaryFile(prefix="prefer-log-")
        own: Dict[str, Any] = {"start_new_session": True}  # Ctrl-C is for the interpreter
        if os.name == "nt":
            own = {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) | getattr(subprocess, "CREATE_NO_WINDOW", 0)}
        try:
            self._child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, bufsize=0, **own)
        except OSError as e:
            self._log.close()
            raise PreferError(f"{command[0]} cannot be started: {e}") from e
        _all.add(self)
        impatience = threading.Timer(_START, self._child.kill)
        impatience.start()
        try:
            hello = self._receive()
            if hello.get("protocol") != PROTOCOL:
                raise PreferError(f"{command[0]} research says {hello}, want protocol {PROTOCOL}: is it a prefer of this version?")
        except BaseException:
            self.close()
            raise
        finally:
            impatience.cancel()

    @property
    def pid(self) -> int:
        return self._child.pid

    @property
    def alive(self) -> bool:
        return self._owner == os.getpid() and self._child.stdin is not None and not self._child.stdin.closed and self._child.poll() is None

    def request(self, op: str, fields: Mapping[str, Any]) -> Dict[str, Any]:
        """Asks, and returns the answer."""
        if self._owner != os.getpid():
            raise EndedError(f"process {self.pid} belongs to the interpreter {self._owner}, and this one was forked from it: fit a model here")
        with self._lock:
            while self._dropped:
                gone, self._dropped = self._dropped, []
                self._exchange("drop", {"models": gone})
            return self._exchange(op, fields)

    def drop(self, model: int) -> None:
        """Has a model forgotten with the next request."""
        self._dropped.append(model)

    def close(self) -> None:
        """Ends the process, and waits for that."""
        _all.discard(self)
        child = self._child
        for stream in (child.stdin, child.stdout):
            if stream is not None:
                stream.close()
        if self._owner != os.getpid() or self._log.closed:
            return
        try:
            child.wait(_STOP)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        self._log.seek(0)
        said = " ".join(self._log.read().decode("utf-8", "replace").split())[-500:]
        self._log.close()
        self._end = f"prefer's research process {child.pid} has ended with {child.returncode}{': ' + said if said else ''}; its models are gone: fit them again"

    def _exchange(self, op: str, fields: Mapping[str, Any]) -> Dict[str, Any]:
        self._count += 1
        number = self._count
        self._send({"id": number, "op": op, **fields})
        try:
            reply = self._receive()
            while reply.get("id") != number:  # but of a request that was interrupted
                reply = self._receive()
        except BaseException:
            if self.alive:
                self._send({"cancel": number})
            raise
        error = reply.get("error")
        if error is not None:
            raise ArgumentError(error["message"], error["field"]) if error.get("field") else PreferError(error["message"])
        return reply

    def _send(self, line: Mapping[str, Any]) -> None:
        assert self._child.stdin is not None
        parts: List[Union[bytes, bytearray, memoryview]] = [b""]
        size = 0

        def place(o: object) -> Mapping[str, Any]:
            nonlocal size
            if not isinstance(o, Block):
                raise TypeError(f"{o!r} is a {type(o).__name__}")
            at, size = size, size + len(o.data)
            parts.append(o.data)
            return {"shape": o.shape, "at": at}

        try:
            text = json.dumps(line, allow_nan=False, default=place)
        except (TypeError, ValueError) as e:
            raise ArgumentError(f"an argument cannot be written as JSON: {e}") from e
        parts[0] = (f'{text[:-1]}, "bytes": {size}}}\n' if size else text + "\n").encode()
        begun = False
        try:
            for part in parts:
                rest = memoryview(part)
                while rest:
                    rest = rest[self._child.stdin.write(rest) :]
                    begun = True
        except (OSError, ValueError):  # it has ended, or was closed
            raise self._ended() from None
        except BaseException:  # after half a frame nothing can follow
            if begun:
                self.close()
            raise

    def _receive(self) -> Dict[str, Any]:
        """The next line, with its arrays as Blocks. What was read of it is kept when a signal comes between."""
        seen = 0
        while self._buffer.find(b"\n", seen) < 0:
            seen = len(self._buffer)
            self._read()
        end = self._buffer.find(b"\n", seen)
        blocks: List[Block] = []

        def block(o: Dict[str, Any]) -> Any:
            if o.keys() != {"shape", "at"}:
                return o
            blocks.append(Block(o["shape"], b"", o["at"]))
            return blocks[-1]

        try:
            reply = json.loads(bytes(self._buffer[:end]), object_hook=block)
            size = int(reply.get("bytes", 0))
        except (ValueError, AttributeError, TypeError) as e:
            raise PreferError(f"prefer research says {bytes(self._buffer[:end])[:200]!r}, which is not a line of JSON: {e}") from e
        while len(self._buffer) < end + 1 + size:
            self._read()
        if size:
            raw = bytes(memoryview(self._buffer)[end + 1 : end + 1 + size])
            for one in blocks:
                one.data = memoryview(raw)[one.at :]
        del self._buffer[: end + 1 + size]
        return dict(reply)

    def _read(self) -> None:
        """Waits for more."""
        assert self._child.stdout is not None
        try:
            chunk = self._child.stdout.read(1 << 20)
        except ValueError:  # closed
            chunk = b""
        if not chunk:
            raise self._ended()
        self._buffer += chunk

    def _ended(self) -> EndedError:
        self.close()
        return EndedError(self._end)


_all: "weakref.WeakSet[Process]" = weakref.WeakSet()
_shared: Optional[Process] = None
_starting = threading.Lock()


def shared() -> Process:
    """The process that all share who name none. One that has ended is followed by another."""
    global _shared
    with _starting:
        if _shared is not None and not _shared.alive:
            _shared.close()
            _shared = None
        if _shared is None:
            _shared = Process()
        return _shared


def _stop() -> None:
    for one in list(_all):
        one.close()


def _forked() -> None:
    """In a process that was forked: the pipes that keep the children alive are held by their parent only."""
    global _shared, _starting
    _shared, _starting = None, threading.Lock()
    for one in list(_all):
        one._lock = threading.Lock()
        for stream in (one._child.stdin, one._child.stdout):
            if stream is not None:
                stream.close()
    _all.clear()


atexit.register(_stop)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
