"""Long work of the server: simulated people and reports."""

from __future__ import annotations

import time
import urllib.parse
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Optional, Sequence

from .errors import NotOverError, PreferError
from .transport import Transport

_FIRST_LOOK, _LONGEST_LOOK = 0.1, 2.0  # seconds between two looks at one that is not over


@dataclass(frozen=True)
class Share:
    """A part of some people, with a 95 % interval."""

    count: int
    of: int
    low: float
    high: float

    @staticmethod
    def read(o: Mapping[str, Any]) -> "Share":
        return Share(o["count"], o["of"], o["low"], o["high"])


@dataclass(frozen=True)
class Budget:
    """What picks are worth after that many questions, or at the verdict if that came before."""

    questions: int
    good: Share
    median_loss: float


@dataclass(frozen=True)
class Level:
    """What came of the people at one level of noise."""

    noise: str
    finished: int
    verdicts: Share  # who came to a verdict
    questions: Mapping[float, int]  # that a share of people need at most until the verdict; 0 if fewer had one
    good: Share  # picks as good as the person's best, to the eye
    budgets: Sequence[Budget]
    sentence: str

    @staticmethod
    def read(o: Mapping[str, Any]) -> "Level":
        return Level(
            o["noise"],
            o["finished"],
            Share.read(o["verdicts"]),
            {q["share"]: q["questions"] for q in o["questions"]},
            Share.read(o["good"]),
            [Budget(b["questions"], Share.read(b["good"]), b["median_loss"]) for b in o["budgets"]],
            o["sentence"],
        )


@dataclass(frozen=True)
class Simulation:
    """What simulated people say about how many questions a study takes. The caveat belongs beside every number."""

    raters: int
    max_questions: int
    levels: Sequence[Level]
    caveat: str

    @staticmethod
    def read(o: Mapping[str, Any]) -> "Simulation":
        return Simulation(o["raters"], o["max_questions"], [Level.read(v) for v in o["levels"]], o["caveat"])


class Job:
    """Something the server was asked to do that takes its time; Study.simulate and Study.report return it.

    The fields are as of the last look; refresh() and wait() look again.
    """

    id: str
    kind: str  # simulation or report
    state: str  # waiting, running, done or failed
    parts: int  # of a simulation: people at all levels of noise
    done: int
    workers: Optional[int]  # how many there are to do it, until it is over
    failure: str
    result: Optional[Simulation]  # of a simulation, so far
    url: str  # of a report that is done: a path on the server

    def __init__(self, transport: Transport, study_path: str, reply: Mapping[str, Any]):
        self._transport = transport
        self._path = study_path + "/jobs/" + urllib.parse.quote(reply["job"], safe="")
        self._read(reply)

    def __repr__(self) -> str:
        return f"Job({self.id!r}, {self.state}, {self.done} of {self.parts})"

    def _read(self, o: Mapping[str, Any]) -> None:
        self.id, self.kind, self.state = o["job"], o["kind"], o["state"]
        self.parts, self.done, self.workers = o["parts"], o["done"], o.get("workers")
        self.failure, self.url = o.get("failure", ""), o.get("url", "")
        self.result = Simulation.read(o["result"]) if o.get("result") else None

    @property
    def over(self) -> bool:
        """Whether nothing more will happen by itself."""
        return self.workers is None

    def refresh(self) -> "Job":
        """Looks again."""
        self._read(self._transport.request("GET", self._path).json())
        return self

    def wait(self, timeout: Optional[float] = None, progress: Optional[Callable[["Job"], None]] = None) -> "Job":
        """Waits until it is over, at most `timeout` seconds, and tells `progress` after every look. Raises PreferError if it failed.

        Waiting is all that stops at the timeout (NotOverError): the server goes on.
        """
        end = None if timeout is None else time.monotonic() + timeout
        pause = _FIRST_LOOK
        while True:
            if progress is not None:
                progress(self)
            if self.over:
                break
            if end is not None and time.monotonic() + pause > end:
                where = "no worker is running" if self.workers == 0 else f"{self.done} of {self.parts} parts are done"
                raise NotOverError(f"{self.id} is not over after {timeout:g} s: {where}")
            time.sleep(pause)
            pause = min(_LONGEST_LOOK, pause * 1.5)
            self.refresh()
        if self.state == "failed":
            raise PreferError(f"{self.id} failed: {self.failure}")
        return self

    def page(self) -> bytes:
        """The page of a report that is done, as HTML."""
        return self._transport.request("GET", self._path + "/page").body

    def drop(self) -> None:
        """Stops it, if it is not over, and forgets what came of it."""
        self._transport.request("DELETE", self._path, repeatable=False)
