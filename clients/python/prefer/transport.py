"""Requests over HTTP, and when to repeat them."""

from __future__ import annotations

import contextlib
import email.utils
import http.client
import json
import os
import random
import socket
import ssl
import time
import urllib.parse
from dataclasses import dataclass
from typing import Any, Callable, Iterator, List, Mapping, Optional, Tuple

from .errors import PreferError, UnreachableError, problem

_NOT_DONE = (429,)  # the server did nothing: any request may be repeated
_UNCLEAR = (502, 503, 504)  # it, or something between, may have stopped half-way: only what is safe to repeat
_FIRST_WAIT, _LONGEST_WAIT = 0.1, 8.0  # seconds
_MOST_IDLE = 16  # connections that are kept


@dataclass(frozen=True)
class Reply:
    status: int
    reason: str
    headers: http.client.HTTPMessage
    body: bytes

    def json(self) -> Any:
        try:
            return json.loads(self.body)
        except ValueError as e:
            start = self.body[:80].decode("utf-8", "replace")
            raise PreferError(f"the server's reply is not JSON ({e}): {start!r}; is this the address of prefer serve?") from e


class Transport:
    """Sends requests to one server; safe to share between threads, with processes that are forked, and by pickle.

    `base_url` is http://…, https://…, or unix:///… for a socket on this machine. `timeout` bounds one attempt, `patience` is for how long a
    request is repeated, both in seconds.
    """

    def __init__(
        self,
        base_url: str,
        token: Optional[str] = None,
        timeout: float = 30.0,
        patience: float = 60.0,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        rng: Optional[random.Random] = None,
    ):
        if not timeout > 0 or not patience >= 0:
            raise PreferError(f"timeout = {timeout}, patience = {patience}, want a positive number of seconds, and one that is not negative")
        self._timeout, self._patience, self._sleep, self._clock = timeout, patience, sleep, clock
        self._rng = rng or random.Random()
        self._idle: List[http.client.HTTPConnection] = []  # append and pop are atomic
        self._pid = os.getpid()
        self._point(base_url, token)

    def _point(self, base_url: str, token: Optional[str]) -> None:
        """Says where the server is."""
        url = urllib.parse.urlsplit(base_url)
        here = url.scheme == "unix" and not url.netloc and url.path
        if not here and (url.scheme not in ("http", "https") or not url.hostname) or url.query or url.fragment:
            raise PreferError(f"base_url = {base_url!r}, want an address like http://127.0.0.1:8080")
        if here and not hasattr(socket, "AF_UNIX"):
            raise PreferError(f"base_url = {base_url!r}: Python has no Unix sockets on this system, want an address like http://127.0.0.1:8080")
        self.base_url, self.token = base_url, token
        self._host, self._port = url.hostname or "localhost", url.port
        self._socket = urllib.parse.unquote(url.path) if here else ""
        self._prefix = "" if here else url.path.rstrip("/")
        self._context = ssl.create_default_context() if url.scheme == "https" else None
        self._headers = {"Accept": "application/json", "User-Agent": "prefer-bo"}
        if token:
            self._headers["Authorization"] = "Bearer " + token

    def __reduce__(self) -> Tuple[Any, ...]:  # to workers that are not forked
        return Transport, (self.base_url, self.token, self._timeout, self._patience)

    def close(self) -> None:
        while self._idle:
            self._idle.pop().close()

    def request(
        self,
        method: str,
        path: str,
        body: Optional[bytes] = None,
        query: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, str]] = None,
        repeatable: bool = True,
        extra: float = 0.0,
    ) -> Reply:
        """Sends one request until it has a reply; raises ProblemError unless that is a 2xx.

        Repeatable says that doing it twice is doing it once. Other requests are repeated only where the first
        surely did nothing: the connection was refused, or the server said so. An attempt may take `extra` seconds longer
        than others.
        """
        target = self._prefix + path
        given = {k: v for k, v in (query or {}).items() if v is not None and v != ""}
        if given:
            target += "?" + urllib.parse.urlencode(given)
        deadline = self._clock() + self._patience
        attempt = 0
        while True:
            asked_wait = 0.0
            try:
                reply = self._once(method, target, body, headers or {}, repeatable, self._timeout + extra)
            except _Lost as lost:
                again: bool = repeatable or not lost.sent
                error: PreferError = UnreachableError(f"{method} {self._where()}{target}: {lost}")
                error.__cause__ = lost.__cause__
            else:
                if 200 <= reply.status < 300:
                    return reply
                error = problem(reply.status, reply.reason, reply.body)
                again = reply.status in _NOT_DONE or (repeatable and reply.status in _UNCLEAR)
                asked_wait = retry_after(reply.headers.get("Retry-After"))
            # Full jitter on an exponential range: many clients that failed together do not come back together.
            wait = asked_wait + self._rng.uniform(0, min(_LONGEST_WAIT, _FIRST_WAIT * 2.0 ** min(attempt, 16)))
            if not again or self._clock() + wait > deadline:
                raise error
            self._sleep(wait)
            attempt += 1

    @property
    def patience(self) -> float:
        """For how many seconds a request is repeated."""
        return self._patience

    def stream(self, path: str, headers: Mapping[str, str], silence: float) -> "Stream":
        """Opens a reply that goes on, on a connection of its own; it is lost after so many seconds of silence. One attempt."""
        connection = self._connection()
        connection.timeout = silence
        target = self._prefix + path
        try:
            connection.request("GET", target, headers={**self._headers, **headers})
            sock = connection.sock
            response = connection.getresponse()
            if response.status == 200:
                return Stream(connection, sock, response)
            body = response.read()
        except (OSError, http.client.HTTPException) as e:
            connection.close()
            raise UnreachableError(f"GET {self._where()}{target}: {str(e) or type(e).__name__}") from e
        except BaseException:
            connection.close()
            raise
        connection.close()
        raise problem(response.status, response.reason, body)

    def _where(self) -> str:
        if self._socket:
            return self.base_url + " "
        return f"{'https' if self._context else 'http'}://{self._host}" + (f":{self._port}" if self._port else "")

    def _once(self, method: str, target: str, body: Optional[bytes], headers: Mapping[str, str], repeatable: bool, timeout: float) -> Reply:
        if os.getpid() != self._pid:  # in a process that was forked these are its parent's, and two cannot talk on one
            self.close()
            self._pid = os.getpid()
        # An idle connection may have been closed at the other end, which shows only after sending; what must
        # not be repeated gets a new one.
        connection = self._take() if repeatable else self._connection()
        connection.timeout = timeout
        sent = False
        try:
            if connection.sock is None:
                connection.connect()
            connection.sock.settimeout(timeout)
            sent = True
            try:
                connection.request(method, target, body, {**self._headers, **headers})
            except (BrokenPipeError, ConnectionResetError):
                if not body:
                    raise  # else the server has seen enough of it, and says why
            response = connection.getresponse()
            reply = Reply(response.status, response.reason, response.headers, response.read())
        except (OSError, http.client.HTTPException) as e:
            connection.close()
            self.close()  # the others have the same other end
            raise _Lost(str(e) or type(e).__name__, sent) from e
        except BaseException:  # an interrupt must not leave half a reply to the next request
            connection.close()
            raise
        if response.will_close or len(self._idle) >= _MOST_IDLE:
            connection.close()
        else:
            self._idle.append(connection)
        return reply

    def _take(self) -> http.client.HTTPConnection:
        try:
            return self._idle.pop()
        except IndexError:
            return self._connection()

    def _connection(self) -> http.client.HTTPConnection:
        if self._socket:
            return _SocketConnection(self._socket)
        if self._context:
            return http.client.HTTPSConnection(self._host, self._port, context=self._context)
        return http.client.HTTPConnection(self._host, self._port)


class Stream:
    """The lines of a reply that goes on."""

    def __init__(self, connection: http.client.HTTPConnection, sock: socket.socket, response: http.client.HTTPResponse):
        self._connection, self._socket, self._response = connection, sock, response

    def __iter__(self) -> Iterator[str]:
        while True:
            try:
                line = self._response.readline()
            except (OSError, http.client.HTTPException, ValueError, AttributeError) as e:  # the last two of one that was closed meanwhile
                raise UnreachableError(f"the reply broke off: {str(e) or type(e).__name__}") from e
            if not line:
                return
            yield line.decode("utf-8", "replace").rstrip("\r\n")

    def close(self) -> None:
        """Ends it, also for somebody who waits for the next line in another thread."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._connection.close()


class _SocketConnection(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path: str):
        super().__init__("localhost")
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(getattr(socket, "AF_UNIX"), socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


class _Lost(Exception):
    def __init__(self, message: str, sent: bool):
        super().__init__(message)
        self.sent = sent


def retry_after(value: Optional[str], now: Callable[[], float] = time.time) -> float:
    """Seconds to wait by a Retry-After header: a number of seconds or a date (RFC 9110, 10.2.3); 0 if there is none."""
    if not value:
        return 0.0
    if value.strip().isdigit():
        return float(value)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - now())
    except (TypeError, ValueError, OverflowError):
        return 0.0
