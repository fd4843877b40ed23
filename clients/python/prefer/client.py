"""A server with studies."""

from __future__ import annotations

import json
from types import TracebackType
from typing import Any, List, Mapping, Optional, Type, Union

from .link import Uploaded
from .people import Me
from .study import Study
from .transport import Transport


class Client:
    """Talks to prefer serve at `base_url`; safe to share between threads. A context manager: leaving it closes its connections.

    A request that gets no reply, or is told to come back later, is repeated for up to `patience` seconds with growing,
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

    def create(self, name: str, config: Mapping[str, Any]) -> Study:
        """Makes a study. `config` has the fields of a study file: params (or items), prompt, answers, seed, …"""
        body = json.dumps({**config, "name": name}, allow_nan=False).encode()
        self._transport.request("POST", "/v1/studies", body, headers={"Content-Type": "application/json"}, repeatable=False)
        return Study.at(self._transport, name)

    def me(self) -> Me:
        """Whose the token is: the owner's, or a rater's of one study."""
        return Me.read(self._transport.request("GET", "/v1/me").json())

    def upload_log(self, log: bytes) -> Uploaded:
        """Leaves the log of one person who was asked elsewhere, with an upload token (Study.allow_uploads). The same again changes nothing."""
        return Uploaded.read(self._transport.request("POST", "/v1/upload", log, headers={"Content-Type": "application/jsonl"}).json())

    def study(self, name: str) -> Study:
        """The study of that name; whether there is one shows at its first request."""
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
    """The studies of a server that others share: prefer.connect("https://prefer.example.org", token=…).study("coffee")."""
    return Client(url, token, timeout, patience)
