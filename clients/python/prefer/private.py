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
import shutil
import socket
import subprocess
import tempfile
import threading
import urllib.parse
import warnings
from dataclasses import dataclass
from http.client import HTTPConnection
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
    if not isinstance(name, str) or name in (".", ".."):
        raise PreferError(f"name = {name!r}, want a text, and not of dots alone")
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
    name = name or str(fields.pop("name", "")) or stem
    if not name:
        return way, _new(way, fields)
    _send(way, "PUT", "/v1/studies/" + urllib.parse.quote(name, safe=""), {**fields, "name": name})
    return way, name


def _new(way: Transport, fields: Mapping[str, Any]) -> str:
    """Makes a study that has no name yet."""
    for n in itertools.count(1):
        name = f"study {n}"
        try:
            _send(way, "POST", "/v1/studies", {**fields, "name": name}, repeatable=False)
        except ConflictError as e:
            if e.kind != "study_exists":
                raise
            continue
        break
    return name


def _send(way: Transport, method: str, path: str, fields: Mapping[str, Any], repeatable: bool = True) -> None:
    try:
        body = json.dumps(fields, allow_nan=False).encode()
    except (TypeError, ValueError) as e:
        raise PreferError(f"the study cannot be written as JSON: {e}") from e
    way.request(method, path, body, headers={"Content-Type": "application/json"}, repeatable=repeatable)


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
        _send(way, "PATCH", "/v1/studies/" + urllib.parse.quote(study, safe=""), more)
    return way, study


class Process:
    """`prefer serve --private`, started when its address is asked for: at a socket, or at a `port` where Python has none."""

    def __init__(self, file: str = "", folder: str = "", port: bool = not hasattr(socket, "AF_UNIX")):
        self._file, self._folder, self._port = file, folder, port
        self._lock = threading.Lock()
        self._child: Optional["subprocess.Popen[bytes]"] = None
        self._log: Optional[IO[bytes]] = None  # what it says
        self._address: Optional[Address] = None
        self._end = ""  # how it ended
        self._owner = os.getpid()
        self.transport = _PrivateTransport(self)

    def address(self) -> Address:
        if self._owner != os.getpid() and self._address is not None:  # a fork uses its parent's
            return self._address
        with self._lock:
            if self._child is not None and self._over():
                self._end = self._ended(self._child)
                self._close()
                if self._file:
                    warnings.warn(f"{self._end}, and is started again: nothing in {self._file} is lost", RuntimeWarning, stacklevel=2)
            if self.lost():
                raise PreferError(f"{self._end}, and studies without a file with it: prefer.Study(space, file=…) keeps them")
            if self._child is None or self._address is None:
                self._address = self._start()
            return self._address

    def lost(self) -> bool:
        """Whether studies that it kept are gone: it has ended, and they had no file."""
        return not self._file and (self._end != "" or self._over())

    def _over(self) -> bool:
        """Whether the child is of no use any more: it has ended, or its socket is gone, as with all old files when somebody tidies up."""
        return self._child is not None and (self._child.poll() is not None or bool(self._socket()) and not os.path.exists(self._socket()))

    def _socket(self) -> str:
        url = urllib.parse.urlsplit(self._address.url if self._address else "")
        return urllib.parse.unquote(url.path) if url.scheme == "unix" else ""

    def _start(self) -> Address:
        command = [program.find(), "serve", "--private", "--log-level", "warn"]
        command += [self._folder] if self._folder else []
        command += ["--store", self._file] if self._file else []
        command += ["--addr", "127.0.0.1:0"] if self._port else []
        self._owner = os.getpid()
        self._log = tempfile.TemporaryFile(prefix="prefer-log-")
        quiet = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # of Windows, where a program without a terminal would get one
        try:
            self._child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, bufsize=0, env=_environment(), creationflags=quiet)
        except OSError as e:
            self._close()
            raise PreferError(f"{command[0]} cannot be started: {e}; {program.HOW}") from e
        try:
            return self._ready(self._child)
        except BaseException as e:
            self._child.kill()
            self._child.wait()
            said = self._said()
            self._close()
            if not isinstance(e, (ValueError, KeyError, TypeError)):
                raise
            if not said.startswith("prefer: ") or "unknown flag" in said:
                said += f"; is it a prefer of this version? {program.HOW}"
            raise PreferError(f"{command[0]} serve --private does not start: {said}") from e

    def _ready(self, child: "subprocess.Popen[bytes]") -> Address:
        """Waits until the child says where it is."""
        impatience = threading.Timer(_START, child.kill)
        impatience.start()
        try:
            assert child.stdout is not None
            ready = json.loads(child.stdout.readline())
        finally:
            impatience.cancel()
        return Address(ready["address"], ready.get("token", ""))

    def _ended(self, child: "subprocess.Popen[bytes]") -> str:
        if child.poll() is None:
            child.kill()
            child.wait()
            return f"prefer's private process {child.pid} has lost its socket {self._socket()}"
        return " ".join(f"prefer's private process {child.pid} has ended with {child.returncode} {self._said()}".split())

    def _said(self) -> str:
        if self._log is None:
            return ""
        self._log.seek(0)
        return self._log.read().decode("utf-8", "replace").strip()[-500:]

    def _close(self) -> None:
        """Lets go of the child, which ends it."""
        child, log, left = self._child, self._log, self._socket()
        self._child, self._log, self._address = None, None, None
        self.transport.close()
        for stream in (log, child and child.stdin, child and child.stdout):
            if stream:
                stream.close()
        if left and child and child.returncode not in (None, 0):  # it could not tidy up
            shutil.rmtree(os.path.dirname(left), ignore_errors=True)

    def stop(self) -> None:
        """Ends the process, and waits for that."""
        with self._lock:
            child, self._end = self._child, "prefer's private process was stopped"
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

    def _take(self) -> HTTPConnection:
        self._look()
        return super()._take()

    def _connection(self) -> HTTPConnection:
        self._look()
        return super()._connection()

    def _look(self) -> None:
        """Goes where the process is."""
        if self._to is not None:
            at = self._to.address()
            if (at.url, at.token or None) != (self.base_url, self.token):
                self.close()
                self._point(at.url, at.token or None)


def _environment() -> Dict[str, str]:
    """The environment without what would set flags of the server."""
    return {k: v for k, v in os.environ.items() if not k.startswith("PREFER_") or k == "PREFER_KERNELS"}


_lock = threading.Lock()
_processes: Dict[Tuple[str, str], Process] = {}


def process(file: Optional[PathLike] = None, folder: Optional[PathLike] = None) -> Process:
    """The process for a file, a folder, or neither: one each in an interpreter."""
    key = tuple(os.path.realpath(os.fspath(path)) if path is not None else "" for path in (file, folder))
    with _lock:
        found = _processes.get((key[0], key[1]))
        if found is None or found.lost():
            found = _processes[key[0], key[1]] = Process(key[0], key[1])
        return found


def _forked() -> None:
    global _lock
    _lock = threading.Lock()
    for one in _processes.values():
        one.forked()
    _processes.clear()


atexit.register(stop)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
