"""A server with studies."""

from __future__ import annotations

import json
import urllib.parse
from types import TracebackType
from typing import Any, List, Mapping, Optional, Type, Union

from .errors import PreferError
from .link import Uploaded
from .people import Me
from .space import SpaceLike, config
from .study import Study
from .transport import Transport


def _body(name: str, space: SpaceLike, more: Mapping[str, Any]) -> bytes:
    """A study as the server reads it."""
    try:
        return json.dumps({**config(space), **more, "name": name}, allow_nan=False).encode()
    except (TypeError, ValueError) as e:
        raise PreferError(f"the study cannot be written as JSON: {e}") from e


class Client:
    """Talks to prefer serve at `base_url`; safe to share between threads. A context manager: leaving it closes its connections.

    A request that gets no reply, or a retry status, is repeated for up to `patience` seconds with growing,
    random pauses. `timeout` bounds a single attempt.
    """

    def __init__(self, base_url: str, token: Optional[str] = None, timeout: float = 30.0, patience: float = 60.0):
        self._transport = Transport(base_url, token, timeout, patience)

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        self.close()

    def close(self) -> None:
        self._transport.close()

    def create(self, name: str, space: SpaceLike, **more: Any) -> Study:
        """Creates a study. `space` is what it searches (space.py), or a whole study file, `more` its other fields: prompt, answers, budget, seed, …"""
        self._transport.request("POST", "/v1/studies", _body(name, space, more), headers={"Content-Type": "application/json"}, repeatable=False)
        return Study.at(self._transport, name)

    def ensure(self, name: str, space: SpaceLike, **more: Any) -> Study:
        """Creates a study, or returns the one of that name if it has the same settings; raises ConflictError if not. Safe to repeat."""
        path = "/v1/studies/" + urllib.parse.quote(name, safe="")
        self._transport.request("PUT", path, _body(name, space, more), headers={"Content-Type": "application/json"})
        return Study.at(self._transport, name)

    def me(self) -> Me:
        """The identity behind the token: the owner, or a rater of one study."""
        return Me.read(self._transport.request("GET", "/v1/me").json())

    def upload_log(self, log: bytes) -> Uploaded:
        """Uploads a rater's log of a packed file, with an upload token (Study.allow_uploads). Idempotent."""
        return Uploaded.read(self._transport.request("POST", "/v1/upload", log, headers={"Content-Type": "application/jsonl"}).json())

    def study(self, name: str) -> Study:
        """The study of that name. Existence is checked at the first request."""
        return Study.at(self._transport, name)

    def studies(self) -> List[Study]:
        """All studies, by name."""
        found: List[Study] = []
        after: Union[str, None] = ""
        while after is not None:
            page = self._transport.request("GET", "/v1/studies", query={"after": after}).json()
            found += [Study.at(self._transport, s["name"]) for s in page["studies"]]
            after = page.get("next")
        return found


def connect(url: str, token: Optional[str] = None, timeout: float = 30.0, patience: float = 60.0) -> Client:
    """A client of a shared server: prefer.connect("https://prefer.example.org", token=…).study("coffee")."""
    return Client(url, token, timeout, patience)
