"""Judges: functions that answer a study's questions, several at a time. docs/guides/judges.md has the rules, which are those of `prefer judge`.

The loop stands here as well as in that program: `prefer judge` opens a file or a database and starts commands, while these studies are behind HTTP, often on
another machine, and judges are functions of this process.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import queue
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Set, Tuple, Union

from .answering import Answering
from .belief import Verdict
from .errors import InvalidError, NotFoundError, PreferError
from .people import Entry, Share
from .question import Question, Value
from .reply import COUNTED, Failure, Said, read

__all__ = ["Failure", "JudgeError", "JudgeFunction", "JudgeTally", "Judged", "Judges", "Said", "Share", "read", "run"]

JudgeFunction = Callable[[Question], Any]  # what it returns, or awaits, is read by `read`
Judges = Union[JudgeFunction, Mapping[str, JudgeFunction]]
Body = Dict[str, Any]  # arguments of Study.tell: choice, strength, note and meta

MAX_PARALLEL = 32
_WITHIN_MS = 2_000  # for the choice of a question
_GRACE = 3.0  # seconds that running calls may go on when a run is stopped
_LONGEST_BACKOFF = 30.0


@dataclass(frozen=True)
class JudgeTally:
    """What the log says of a judge, earlier runs included; `calls` and `failures` are those of this run."""

    answers: int = 0
    repeats: int = 0  # of the answers: hidden repeats
    skips: int = 0  # that the judge chose
    failed: Mapping[str, int] = field(default_factory=dict)  # questions that were skipped because it did not answer, by the last reason
    cost: float = 0.0
    calls: int = 0
    failures: int = 0  # calls that failed
    first: Share = Share(0, 0, 0.0, 0.0)  # preferences for what was shown first: far from a half is an order effect
    agreed: Share = Share(0, 0, 0.0, 0.0)  # hidden repeats, sides exchanged, that were answered as before
    noise: Optional[float] = None  # 1 being usual; None where it cannot be told


@dataclass(frozen=True)
class Judged:
    """The result of study.judge, earlier runs included."""

    ended: str  # verdict, budget, max_cost or gave_up
    done: int  # questions that were answered or skipped
    budget: int
    cost: float
    calls: int  # of this run
    seconds: float
    verdict: Verdict
    judges: Mapping[str, JudgeTally]


class JudgeError(PreferError):
    """A judge failed too often. Questions stay open, and the same call continues. `result` is the result so far."""

    result: Optional[Judged] = None


@dataclass(frozen=True)
class Limits:
    """The arguments of study.judge that are numbers."""

    parallel: int
    budget: int
    retries: int
    timeout: float
    backoff: float
    give_up: int
    repeats: float
    max_cost: float
    cost: float

    def check(self) -> None:
        """Raises PreferError for the first that is out of range."""
        for name, good, want in (
            ("parallel", 1 <= self.parallel <= MAX_PARALLEL, f"1 to {MAX_PARALLEL}"),
            ("budget", self.budget >= 1, "at least 1"),
            ("retries", self.retries >= 0, "0 or more"),
            ("timeout", self.timeout > 0, "a positive number of seconds"),
            ("backoff", self.backoff >= 0, "a number of seconds"),
            ("give_up", self.give_up >= 1, "at least 1"),
            ("repeats", 0 <= self.repeats <= 0.5, "0 to 0.5"),
            ("max_cost", self.max_cost >= 0, "0 or more"),
            ("cost", self.cost >= 0, "0 or more"),
        ):
            if not good:
                raise PreferError(f"{name} = {getattr(self, name)}, want {want}")


class _Judge:
    """One judge of a run."""

    def __init__(self, function: JudgeFunction):
        self.function = function
        self.open: Set[str] = set()  # questions it is being asked
        self.done = self.calls = self.failures = self.in_a_row = 0


class _Run:
    """A run in progress. All requests are made by the thread that called study.judge; further threads call the judges."""

    def __init__(self, study: Answering, judges: Mapping[str, JudgeFunction], limits: Limits, beyond: bool, fixed: Optional[Mapping[str, Value]]):
        self.study, self.limits, self.beyond, self.fixed = study, limits, beyond, dict(fixed or {}) or None
        self.judges = {name: _Judge(function) for name, function in judges.items()}
        self.came: "queue.Queue[Tuple[Question, Optional[Body], float]]" = queue.Queue()
        self.stop = threading.Event()
        self.lock = threading.Lock()
        self.broken = ""
        self.spent = 0.0
        answers = study.info().get("answers") or {}
        self.forced, self.grades = bool(answers.get("forced")), int(answers.get("grades") or 0)

    def history(self) -> List[Entry]:
        return [e for e in self.study.history() if e.rater in self.judges and not e.undone and not e.observed]

    def run(self) -> Judged:
        begin = time.monotonic()
        for e in self.history():
            self.judges[e.rater].done += 1
            self.spent += _cost(e)
        with _event_loop() as self.loop:
            try:
                ended = self.ask_until_over()
            except BaseException:
                self.stop.set()
                self.drain()
                raise
            finally:
                self.stop.set()
        result = self.result(ended, time.monotonic() - begin)
        if self.broken:
            error = JudgeError(self.broken)
            error.result = result
            raise error
        return result

    def ask_until_over(self) -> str:
        ended = "verdict" if self.study.verdict(fixed=self.fixed).done and not self.beyond else ""
        while True:
            ended = ended or self.over()
            busy = sum(len(j.open) for j in self.judges.values())
            if not ended and busy < self.limits.parallel and self.done() + busy < self.limits.budget:
                self.ask()
            elif busy:
                if self.take(*self.came.get()) and not self.beyond:
                    ended = ended or "verdict"
            elif ended == "verdict" and not self.study.verdict(fixed=self.fixed).done:  # answers that came later have undone it
                ended = ""
            else:
                return ended

    def done(self) -> int:
        return sum(j.done for j in self.judges.values())

    def over(self) -> str:
        if self.broken:
            return "gave_up"
        if self.done() >= self.limits.budget:
            return "budget"
        return "max_cost" if 0 < self.limits.max_cost <= self.spent else ""

    def ask(self) -> None:
        """Asks the judge who was asked least. What is open from an earlier run comes first."""
        name, judge = min(self.judges.items(), key=lambda one: one[1].done + len(one[1].open))
        count = len(judge.open) + 1
        reply = self.study._ask(name, self.fixed, None, False, _WITHIN_MS, count, repeats=self.limits.repeats or None)
        for o in reply["questions"] if count > 1 else [reply]:
            if o["question_id"] not in judge.open:
                question = Question.read(o, name)
                judge.open.add(question.id)
                threading.Thread(target=self.answer, args=(judge, question), daemon=True, name=f"judge {name} {question.id}").start()
                return

    def take(self, question: Question, answer: Optional[Body], cost: float) -> bool:
        """Keeps an answer; True if that ends the study, as far as is known at once."""
        judge = self.judges[question.rater]
        judge.open.remove(question.id)
        if answer is None:  # stopped or given up: it stays open
            return False
        key = "judged " + question.id
        try:
            told = self.study.tell(question, key=key, **answer)
        except NotFoundError:  # answered elsewhere, or an item has left
            return False
        except InvalidError as e:
            if "failed" in answer["meta"]:
                raise
            meta = {**{k: v for k, v in answer["meta"].items() if k in COUNTED}, "failed": "rubbish"}
            told = self.study.tell(question, "skip", key=key, note=f"no answer: rubbish: {e}"[:1000], meta=meta)
        judge.done += 1
        self.spent += cost
        return told.status.done or bool(told.status.found)

    def drain(self) -> None:
        """Keeps what comes within the grace: whatever does not, stays open."""
        end = time.monotonic() + _GRACE
        while any(j.open for j in self.judges.values()) and time.monotonic() < end:
            try:
                self.take(*self.came.get(timeout=max(0.0, end - time.monotonic())))
            except (queue.Empty, PreferError):
                return

    def answer(self, judge: _Judge, question: Question) -> None:
        """Calls the judge until it answers, as often as it may be tried, and hands on the answer, or None where the question stays open."""
        cost, wait, last = 0.0, self.limits.backoff, Failure("nothing", "")
        for attempt in range(1, self.limits.retries + 2):
            if attempt > 1:
                self.stop.wait(wait)
                wait = min(2 * wait, _LONGEST_BACKOFF)
            if self.broken or self.stop.is_set():
                return self.came.put((question, None, cost))
            try:
                said = read(self.call(judge.function, question), self.forced, self.grades)
                cost += self.limits.cost if said.cost is None else said.cost
                self.count(judge, question, None)
                return self.came.put((question, _body(said.choice, said.strength, said.note, said.meta, cost, attempt), cost))
            except Failure as e:
                last = e
            except BaseException as e:  # whatever a judge raises is one failed call
                last = Failure("error", f"{type(e).__name__}: {e}")
            cost += self.limits.cost if last.cost is None else last.cost
            if not self.count(judge, question, last):
                return self.came.put((question, None, cost))
        tries = f"no answer in {attempt} tries" if attempt > 1 else "no answer"
        note = "".join(c if c >= " " else " " for c in f"{tries}, the last: {last.reason}: {last}"[:1000])
        self.came.put((question, _body("skip", 0, note.encode("utf-8", "replace").decode(), {"failed": last.reason}, cost, attempt), cost))

    def count(self, judge: _Judge, question: Question, failure: Optional[Failure]) -> bool:
        """Counts a call; False if no judge is to be called again."""
        with self.lock:
            judge.calls += 1
            if failure is None:
                judge.in_a_row = 0
                return True
            judge.failures += 1
            judge.in_a_row += 1
            if judge.in_a_row >= self.limits.give_up and not self.broken:
                self.broken = (
                    f"judge {question.rater!r} failed {judge.in_a_row} times in a row, the last: {failure.reason}: {failure}; "
                    "the questions stay open: run the same again to continue"
                )
            return not self.broken

    def call(self, function: JudgeFunction, question: Question) -> Any:
        """Calls a judge, within the time. A thread cannot be ended: one that takes too long is left behind."""
        came: "queue.Queue[Tuple[Any, Optional[BaseException]]]" = queue.Queue()
        end = time.monotonic() + self.limits.timeout

        def work() -> None:
            try:
                came.put((function(question), None))
            except BaseException as e:
                came.put((None, e))

        async def finish(reply: Any) -> Any:
            return await asyncio.wait_for(reply, max(0.0, end - time.monotonic()))

        threading.Thread(target=work, daemon=True, name=f"judging {question.id}").start()
        try:
            reply, error = came.get(timeout=self.limits.timeout)
            if error is None and inspect.isawaitable(reply):
                reply = asyncio.run_coroutine_threadsafe(finish(reply), self.loop).result()
        except (queue.Empty, asyncio.TimeoutError):
            raise Failure("timeout", f"nothing came within {self.limits.timeout:g} s") from None
        if error is not None:
            raise error
        return reply

    def result(self, ended: str, seconds: float) -> Judged:
        raters = {r.name: r for r in self.study.raters()}
        repeats = _repeats(self.study.export("jsonl"))
        entries = self.history()
        tallies: Dict[str, JudgeTally] = {}
        for name, judge in self.judges.items():
            own = [e for e in entries if e.rater == name]
            answered = [e for e in own if e.answer.choice != "skip"]
            failed: Dict[str, int] = {}
            for e in own:
                reason = (e.answer.meta or {}).get("failed")
                if e.answer.choice == "skip" and reason is not None:
                    failed[str(reason)] = failed.get(str(reason), 0) + 1
            of_log: Dict[str, Any] = {}
            if name in raters:
                of_log = {"first": raters[name].left, "agreed": raters[name].agreed, "noise": raters[name].noise or None}
            tallies[name] = JudgeTally(
                len(answered), sum(e.question in repeats for e in answered), len(own) - len(answered) - sum(failed.values()), failed,
                sum(map(_cost, own)), judge.calls, judge.failures, **of_log,
            )  # fmt: skip
        cost, calls = sum(t.cost for t in tallies.values()), sum(t.calls for t in tallies.values())
        return Judged(ended, len(entries), self.limits.budget, cost, calls, seconds, self.study.verdict(fixed=self.fixed), tallies)


@contextmanager
def _event_loop() -> Iterator[asyncio.AbstractEventLoop]:
    """An event loop in a thread of its own, one for all coroutines of a run."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True, name="judges")
    thread.start()
    try:
        yield loop
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(_GRACE)
        if not thread.is_alive():
            loop.close()


def _body(choice: str, strength: int, note: str, meta: Mapping[str, Value], cost: float, attempts: int) -> Body:
    counted: Dict[str, Value] = {"cost": cost} if cost > 0 else {}
    if attempts > 1:
        counted["attempts"] = attempts
    return {"choice": choice, "strength": strength, "note": note, "meta": {**meta, **counted}}


def _cost(entry: Entry) -> float:
    cost = (entry.answer.meta or {}).get("cost", 0.0)
    return float(cost) if isinstance(cost, (int, float)) and cost >= 0 else 0.0


def _repeats(log: bytes) -> Set[str]:
    """The ids of the questions in a log that repeat an earlier one."""
    asked = (json.loads(line).get("asked") or {} for line in log.splitlines()[1:])
    return {a["id"] for a in asked if a.get("repeat_of")}


def run(study: Answering, judge: Judges, limits: Limits, beyond: bool, fixed: Optional[Mapping[str, Value]]) -> Judged:
    """What study.judge does."""
    judges = dict(judge) if isinstance(judge, Mapping) else {"judge": judge}
    for name, function in judges.items():
        if not name or not callable(function):
            raise PreferError(f"judge {name!r} is {function!r}, want a name and a function of a question")
    if not judges:
        raise PreferError("judges = 0, want at least 1")
    limits.check()
    return _Run(study, judges, limits, beyond, fixed).run()
