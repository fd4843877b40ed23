"""Changes of a study as they happen."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from types import TracebackType
from typing import Optional, Type

from .errors import BusyError, UnreachableError
from .record import Record
from .transport import Stream, Transport

_SILENCE = 40.0  # seconds: the server says something every fifteen
_FIRST_PAUSE, _LONGEST_PAUSE = 0.2, 5.0


@dataclass(frozen=True)
class Change(Record):
    """Something that has happened."""

    seq: int  # of the last event of the log
    kind: str  # now, where the log ended when the stream began; then asked, answered, … as in the log; links; gone; to raters always changed


class Changes:
    """An iterator over changes, which does not end by itself until the study is deleted: Study.events() returns it.

    The first is where the log ends now. A connection that is lost is made again, and what was missed meanwhile shows as one change; who cannot be reached
    for the client's `patience` is an UnreachableError. close() ends it, from any thread.
    """

    def __init__(self, transport: Transport, path: str, last: Optional[int] = None):
        self._transport, self._path, self._last = transport, path, last
        self._stream: Optional[Stream] = None
        self._gone = self._closed = False

    def __iter__(self) -> "Changes":
        return self

    def __next__(self) -> Change:
        patience = self._transport.patience
        pause, end = _FIRST_PAUSE, time.monotonic() + patience
        while not self._closed and not self._gone:
            try:
                if self._stream is None:
                    headers = {"Accept": "text/event-stream"}
                    if self._last is not None:
                        headers["Last-Event-ID"] = str(self._last)
                    self._stream = self._transport.stream(self._path, headers, _SILENCE)
                change = self._heard(self._stream)
                if change is not None:
                    self._last, self._gone = change.seq, change.kind == "gone"
                    return change
                lost: Exception = UnreachableError(f"the stream of {self._path} has ended")
            except (UnreachableError, BusyError) as e:
                lost = e
            self._drop()
            if self._closed:
                break
            if time.monotonic() + pause > end:
                raise lost
            time.sleep(pause)
            pause = min(_LONGEST_PAUSE, pause * 2)
        raise StopIteration

    @staticmethod
    def _heard(stream: Stream) -> Optional[Change]:
        """The next change (server-sent events: lines, of which an empty one ends an event); None if the stream has ended."""
        data = ""
        for line in stream:
            if line.startswith("data:"):
                data += line[len("data:") :].strip()
            elif not line and data:
                return Change.read(json.loads(data))
        return None

    def _drop(self) -> None:
        stream, self._stream = self._stream, None
        if stream is not None:
            stream.close()

    def close(self) -> None:
        """Ends it; iteration stops."""
        self._closed = True
        self._drop()

    def __enter__(self) -> "Changes":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        self.close()

    def __del__(self) -> None:
        try:
            self.close()
        except Exception:  # of an interpreter that is ending
            pass
