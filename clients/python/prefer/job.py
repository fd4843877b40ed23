"""Long work of the server: simulated people and reports."""

from __future__ import annotations

import time
import urllib.parse
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Optional, Sequence

from .errors import NotOverError, PreferError
from .people import Share
from .record import Record
from .transport import Transport

_FIRST_LOOK, _LONGEST_LOOK = 0.1, 2.0  # seconds between two looks at one that is not over


@dataclass(frozen=True)
class Budget(Record):
    """Quality of picks after that many questions, or at the verdict if that came before."""

    questions: int
    good: Share
    median_loss: float


@dataclass(frozen=True)
class Ending(Record):
    """How many simulated raters ended in one way."""

    kind: str
    count: int
    of: int
    low: float
    high: float


@dataclass(frozen=True)
class Level(Record):
    """Results at one level of noise."""

    noise: str
    finished: int
    verdicts: Share  # who came to a verdict
    questions: Mapping[float, int]  # that a share of people need at most until the verdict; 0 if fewer had one
    good: Share  # picks as good as the person's best, to the eye
    budgets: Sequence[Budget]
    sentence: str
    endings: Sequence[Ending]
    right: Share  # verdicts that were true
    median_loss: float
    median_range_share: float
    near: str  # how near a person's best a good pick is

    @classmethod
    def read(cls, o: Mapping[str, Any]) -> "Level":
        return super().read({**o, "questions": {q["share"]: q["questions"] for q in o["questions"] or ()}})


@dataclass(frozen=True)
class Simulation(Record):
    """Estimate of how many questions a study takes, with simulated raters. Show the caveat with every number."""

    raters: int
    max_questions: int
    levels: Sequence[Level]
    caveat: str
    confidence: float  # of the study's verdicts
    seed: int


@dataclass(frozen=True)
class JobRecord(Record):
    """A snapshot of a job."""

    job: str
    kind: str  # simulation or report
    state: str  # waiting, running, done or failed
    parts: int  # of a simulation: people at all levels of noise
    done: int
    created: str = ""  # RFC 3339
    workers: Optional[int] = None  # how many there are to do it, until it is over
    failure: str = ""
    result: Optional[Simulation] = None  # of a simulation, so far
    url: str = ""  # of a report that is done: a path on the server
    rater: str = ""  # of a report: whose taste it is about
    answers: int = 0  # of a report: how many it takes in
    seq: int = 0  # and the last event


class Job:
    """A long-running job of the server; Study.simulate and Study.report return it.

    All is as of the last look (`now`); refresh() and wait() look again.
    """

    now: JobRecord

    def __init__(self, transport: Transport, study_path: str, reply: Mapping[str, Any]):
        self._transport = transport
        self._path = study_path + "/jobs/" + urllib.parse.quote(reply["job"], safe="")
        self._read(reply)

    def __repr__(self) -> str:
        return f"Job({self.id!r}, {self.state}, {self.done} of {self.parts})"

    def _read(self, o: Mapping[str, Any]) -> None:
        self.now = JobRecord.read(o)

    @property
    def id(self) -> str:
        return self.now.job

    @property
    def kind(self) -> str:
        """simulation or report"""
        return self.now.kind

    @property
    def state(self) -> str:
        """waiting, running, done or failed"""
        return self.now.state

    @property
    def parts(self) -> int:
        """Number of parts: of a simulation, raters at all levels of noise."""
        return self.now.parts

    @property
    def done(self) -> int:
        """Number of parts that are done."""
        return self.now.done

    @property
    def workers(self) -> Optional[int]:
        """Number of workers, until it is over."""
        return self.now.workers

    @property
    def failure(self) -> str:
        return self.now.failure

    @property
    def result(self) -> Optional[Simulation]:
        """Result of a simulation, so far."""
        return self.now.result

    @property
    def url(self) -> str:
        """Address of a report that is done, a path on the server."""
        return self.now.url

    @property
    def over(self) -> bool:
        """Whether the job is over, done or failed."""
        return self.workers is None

    def refresh(self) -> "Job":
        """Refreshes the job from the server."""
        self._read(self._transport.request("GET", self._path).json())
        return self

    def wait(self, timeout: Optional[float] = None, progress: Optional[Callable[["Job"], None]] = None) -> "Job":
        """Waits until it is over, at most `timeout` seconds, and calls `progress` after every refresh. Raises PreferError if it failed.

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
        """Stops the job and deletes its result."""
        self._transport.request("DELETE", self._path, repeatable=False)
