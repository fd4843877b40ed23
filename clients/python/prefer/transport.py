"""Requests over HTTP, and when to repeat them."""

from __future__ import annotations

import email.utils
import http.client
import json
import random
import ssl
import time
import urllib.parse
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Mapping, Optional

from .errors import PreferError, UnreachableError, problem

_NOT_DONE = (429,)  # the server did nothing: any request may be repeated
_UNCLEAR = (502, 503, 504)  # it, or something between, may have stopped half-way: only what is safe to repeat
_FIRST_WAIT, _LONGEST_WAIT = 0.1, 8.0  # seconds


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
    """Sends requests to one server; safe to share between threads.

    `timeout` bounds one attempt, `patience` is for how long a request is repeated, both in seconds.
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
        url = urllib.parse.urlsplit(base_url)
        if url.scheme not in ("http", "https") or not url.hostname or url.query or url.fragment:
            raise PreferError(f"base_url = {base_url!r}, want an address like http://127.0.0.1:8080")
        if not timeout > 0 or not patience >= 0:
            raise PreferError(f"timeout = {timeout}, patience = {patience}, want a positive number of seconds, and one that is not negative")
        self._secure, self._host, self._port = url.scheme == "https", url.hostname, url.port
        self._prefix = url.path.rstrip("/")
        self._headers = {"Accept": "application/json", "User-Agent": "prefer-bo"}
        if token:
            self._headers["Authorization"] = "Bearer " + token
        self._timeout, self._patience, self._sleep, self._clock = timeout, patience, sleep, clock
        self._rng = rng or random.Random()
        self._context = ssl.create_default_context() if self._secure else None
        self._idle: List[http.client.HTTPConnection] = []  # append and pop are atomic

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
        full = {**self._headers, **(headers or {})}
        deadline = self._clock() + self._patience
        attempt = 0
        while True:
            asked_wait = 0.0
            try:
                reply = self._once(method, target, body, full, repeatable, self._timeout + extra)
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

    def _where(self) -> str:
        return f"{'https' if self._secure else 'http'}://{self._host}" + (f":{self._port}" if self._port else "")

    def _once(self, method: str, target: str, body: Optional[bytes], headers: Dict[str, str], repeatable: bool, timeout: float) -> Reply:
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
            connection.request(method, target, body, headers)
            response = connection.getresponse()
            reply = Reply(response.status, response.reason, response.headers, response.read())
        except (OSError, http.client.HTTPException) as e:
            connection.close()
            raise _Lost(str(e) or type(e).__name__, sent) from e
        except BaseException:  # an interrupt must not leave half a reply to the next request
            connection.close()
            raise
        if response.will_close:
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
        if self._secure:
            return http.client.HTTPSConnection(self._host, self._port, context=self._context)
        return http.client.HTTPConnection(self._host, self._port)


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
