"""prefer without a server of one's own: a process of this interpreter, that ends with it.

`address()` starts `prefer serve --private` when it is first called, and says where it is. All studies without a file share one process, and each
file has one more. Its standard input is a pipe from here: when the interpreter ends, however it does, the pipe closes and the process
ends. One that has ended by itself is started again if its studies are in a file; those that are not are lost, and the next request
says so.
"""

from __future__ import annotations

import atexit
import itertools
import json
import os
import subprocess
import tempfile
import threading
import warnings
from dataclasses import dataclass
from typing import IO, Any, Dict, List, Mapping, Optional, Tuple, Union

from . import program
from .errors import ConflictError, PreferError
from .space import SpaceLike, config
from .transport import Transport

PathLike = Union[str, "os.PathLike[str]"]

_START, _STOP = 60.0, 12.0  # seconds that a process may take to be ready, and to end


@dataclass(frozen=True)
class Address:
    """Where a private process is: unix:///…/socket, or http://127.0.0.1:… with a token where there are no such sockets."""

    url: str
    token: str = ""


def address(file: Optional[PathLike] = None, folder: Optional[PathLike] = None) -> Address:
    """Where the private process is that keeps studies in `file`, or those without one. It is started if it does not run."""
    return process(file, folder).address()


def transport(file: Optional[PathLike] = None, folder: Optional[PathLike] = None) -> Transport:
    """Requests to it."""
    return process(file, folder).transport


def stop() -> None:
    """Ends all private processes of this interpreter, as its end does. Studies without a file are gone then."""
    with _lock:
        ending = list(_processes.values())
        _processes.clear()
    for one in ending:
        one.stop()


def open_study(space: Optional[SpaceLike], name: str, file: Optional[PathLike], more: Mapping[str, Any]) -> Tuple[Transport, str]:
    """Makes a study, or finds the one of that name, and returns where it is and its name."""
    if file is not None:
        file = os.fspath(file)
        if not file.lower().endswith((".db", ".sqlite", ".sqlite3")):
            raise PreferError(f"file = {file!r}, want one that ends in .db")
    if isinstance(space, (str, os.PathLike)) and os.path.isdir(space):
        return _open_folder(os.fspath(space), name, file, more)
    if space is None and more:
        raise PreferError(f"{', '.join(more)} without a space: a study that is there keeps its configuration")
    if space is None and file is None:
        raise PreferError('there is nothing to search, want a space like {"sugar": (0, 5), "milk": bool}, or a file that has a study')
    if space is None and not os.path.exists(os.fspath(file or "")):
        raise PreferError(f"there is no {file}: want a space to make a study in it")
    way = transport(file)
    stem = os.path.splitext(os.path.basename(file))[0] if file else ""
    if space is None:
        return way, name or _only(way, stem, str(file))
    fields = {**config(space), **more}
    given = name or str(fields.pop("name", "")) or stem
    for attempt in itertools.count(1):
        fields["name"] = given or f"study {attempt}"
        try:
            body = json.dumps(fields, allow_nan=False).encode()
        except (TypeError, ValueError) as e:
            raise PreferError(f"the study cannot be written as JSON: {e}") from e
        try:
            way.request("POST", "/v1/studies", body, headers={"Content-Type": "application/json"}, repeatable=False)
        except ConflictError as e:
            if e.kind != "study_exists":
                raise
            if not given:
                continue
        return way, str(fields["name"])
    raise AssertionError  # the loop does not end by itself


def _only(way: Transport, stem: str, file: str) -> str:
    """The study of a file's name, or the only one in it."""
    names: List[str] = [s["name"] for s in way.request("GET", "/v1/studies").json()["studies"]]
    if stem in names:
        return stem
    if len(names) != 1:
        raise PreferError(f"{file} has {len(names)} studies ({', '.join(map(repr, names[:5]))}), want a name" if names else f"{file} has no study: want a space to make one")
    return names[0]


def _open_folder(folder: str, name: str, file: Optional[str], more: Mapping[str, Any]) -> Tuple[Transport, str]:
    """The study of a folder of files, which follows it."""
    study = os.path.basename(os.path.abspath(folder))
    if name and name != study:
        raise PreferError(f"name = {name!r}: the study of a folder has the folder's, {study!r}")
    way = transport(file, folder)
    if more:
        way.request("PATCH", "/v1/studies/" + study, json.dumps(dict(more), allow_nan=False).encode(), headers={"Content-Type": "application/json"})
    return way, study


class Process:
    """`prefer serve --private`, started when its address is asked for."""

    def __init__(self, file: str = "", folder: str = ""):
        self._file, self._folder = file, folder
        self._lock = threading.Lock()
        self._child: Optional["subprocess.Popen[bytes]"] = None
        self._log: Optional[IO[bytes]] = None  # what it says
        self._address: Optional[Address] = None
        self._owner = os.getpid()
        self.transport = _PrivateTransport(self)

    def address(self) -> Address:
        if self._owner != os.getpid() and self._address is not None:  # a fork uses its parent's
            return self._address
        with self._lock:
            if self._child is not None and self._child.poll() is not None:
                how = self._ended(self._child)
                if not self._file:
                    raise PreferError(f"{how}, and studies without a file with it: prefer.Study(space, file=…) keeps them")
                warnings.warn(f"{how}, and is started again: nothing in {self._file} is lost", RuntimeWarning, stacklevel=2)
                self._close()
            if self._child is None or self._address is None:
                self._address = self._start()
            return self._address

    def _start(self) -> Address:
        command = [program.find(), "serve", "--private", "--log-level", "warn"]
        command += [self._folder] if self._folder else []
        command += ["--store", self._file] if self._file else []
        self._owner = os.getpid()
        self._log = tempfile.TemporaryFile(prefix="prefer-log-")
        quiet = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # of Windows, where a program without a terminal would get one
        try:
            child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, bufsize=0, env=_environment(), creationflags=quiet)
        except OSError as e:
            raise PreferError(f"{command[0]} cannot be started: {e}; {program.HOW}") from e
        impatience = threading.Timer(_START, child.kill)
        impatience.start()
        try:
            assert child.stdout is not None
            line = child.stdout.readline()
        except BaseException:
            child.kill()
            raise
        finally:
            impatience.cancel()
        try:
            ready = json.loads(line)
            found = Address(ready["address"], ready.get("token", ""))
        except (ValueError, KeyError, TypeError):
            child.kill()
            child.wait()
            raise PreferError(f"{command[0]} serve --private is not ready, but says {line[:200]!r}: {self._said()}; is it a prefer of this version? {program.HOW}") from None
        self._child = child
        return found

    def _ended(self, child: "subprocess.Popen[bytes]") -> str:
        return " ".join(f"prefer's private process {child.pid} has ended with {child.returncode} {self._said()}".split())

    def _said(self) -> str:
        if self._log is None:
            return ""
        self._log.seek(0)
        return self._log.read().decode("utf-8", "replace").strip()[-500:]

    def _close(self) -> None:
        """Lets go of the child, which ends it."""
        child, self._child, self._address = self._child, None, None
        self.transport.close()
        for stream in (child.stdin, child.stdout, self._log) if child else ():
            if stream is not None:
                stream.close()

    def stop(self) -> None:
        """Ends the process, and waits for that."""
        with self._lock:
            child = self._child
            self._close()
        if child is not None:
            try:
                child.wait(_STOP)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()

    def forked(self) -> None:
        """In a process that was forked: the child is the parent's, and the pipe that keeps it alive is held there only."""
        self._lock = threading.Lock()
        if self._child is not None and self._child.stdin is not None:
            self._child.stdin.close()


class _PrivateTransport(Transport):
    """Requests to a private process, wherever it is by now."""

    def __init__(self, to: Process):
        self._to: Optional[Process] = None
        super().__init__("http://127.0.0.1", patience=20.0)
        self._to = to

    def _connection(self) -> Any:
        if self._to is not None:
            at = self._to.address()
            if (at.url, at.token or None) != (self.base_url, self.token):
                self._point(at.url, at.token or None)
        return super()._connection()


def _environment() -> Dict[str, str]:
    """The environment without what would set flags of the server."""
    return {k: v for k, v in os.environ.items() if not k.startswith("PREFER_") or k == "PREFER_KERNELS"}


_lock = threading.Lock()
_processes: Dict[Tuple[str, str], Process] = {}


def process(file: Optional[PathLike] = None, folder: Optional[PathLike] = None) -> Process:
    """The process for a file, a folder, or neither: one each in an interpreter."""
    key = tuple(os.path.realpath(os.fspath(path)) if path is not None else "" for path in (file, folder))
    with _lock:
        return _processes.setdefault((key[0], key[1]), Process(key[0], key[1]))


def _forked() -> None:
    global _lock
    _lock = threading.Lock()
    for one in _processes.values():
        one.forked()
    _processes.clear()


atexit.register(stop)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
