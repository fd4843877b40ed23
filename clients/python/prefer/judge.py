"""Judges: functions that answer a study's questions, several at a time. docs/judges.md has the rules, which are those of `prefer judge`."""

from __future__ import annotations

import asyncio
import inspect
import json
import math
import queue
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Tuple, Union

from .belief import Verdict
from .errors import InvalidError, NotFoundError, PreferError
from .question import Question, Value

if TYPE_CHECKING:
    from .study import Study

JudgeFunction = Callable[[Question], Any]  # what it returns, or awaits, is read by `read`
Judges = Union[JudgeFunction, Mapping[str, JudgeFunction]]

MAX_PARALLEL = 32
_MAX_NOTE, _MAX_META, _MAX_NAME, _MAX_WORD = 10_000, 32, 64, 4_000
_WORDS = {"A": "first", "a": "first", "1": "first", "B": "second", "b": "second", "2": "second"}
_CHOICES = ("first", "second", "tie", "both_bad", "skip")
_COUNTED = ("cost", "attempts", "failed")  # names in meta under which a run keeps what it counts
_WITHIN_MS = 2_000  # for the choice of a question
_GRACE = 3.0  # seconds that calls at hand may go on when a run is stopped
_LONGEST_BACKOFF = 30.0


@dataclass(frozen=True)
class Share:
    """A part of some, with the 95 % interval of Wilson."""

    count: int = 0
    of: int = 0
    low: float = 0.0
    high: float = 0.0

    @staticmethod
    def read(o: Mapping[str, Any]) -> "Share":
        return Share(o.get("count", 0), o.get("of", 0), o.get("low", 0.0), o.get("high", 0.0))


@dataclass(frozen=True)
class JudgeTally:
    """What the log says of a judge, earlier runs included; `calls` and `failures` are those of this run."""

    answers: int = 0
    repeats: int = 0  # of the answers: hidden repeats
    skips: int = 0  # that the judge chose
    failed: Mapping[str, int] = field(default_factory=dict)  # questions that were skipped because it did not answer, by the last reason
    cost: float = 0.0
    calls: int = 0
    failures: int = 0  # calls that came to nothing
    first: Share = Share()  # preferences for what was shown first: far from a half is an order effect
    agreed: Share = Share()  # hidden repeats, sides exchanged, that were answered as before
    noise: Optional[float] = None  # 1 being usual; None where it cannot be told


@dataclass(frozen=True)
class Judged:
    """What came of study.judge, and of the runs before it."""

    ended: str  # verdict, budget, max_cost or gave_up
    done: int  # questions that were answered or skipped
    budget: int
    cost: float
    calls: int  # of this run
    seconds: float
    verdict: Verdict
    judges: Mapping[str, JudgeTally]


class JudgeError(PreferError):
    """A judge came to nothing again and again. Nothing was guessed; questions stay open, and the same call goes on. `result` is what there is."""

    result: Optional[Judged] = None


class Failure(Exception):
    """A call that came to nothing: why, in a word (rubbish, nothing, too_long, timeout, error), and in words."""

    def __init__(self, reason: str, words: str, cost: Optional[float] = None):
        super().__init__(words)
        self.reason = reason
        self.cost = cost


@dataclass(frozen=True)
class Said:
    """A reply that is an answer."""

    choice: str
    strength: int = 0
    note: str = ""
    meta: Mapping[str, Value] = field(default_factory=dict)
    cost: Optional[float] = None


def read(reply: Any, forced: bool = False, grades: int = 0) -> Said:
    """Reads what a judge returned: one word, a JSON object, or a mapping, to the letter. Anything else raises Failure; nothing is guessed."""
    if isinstance(reply, Said):
        reply = {"choice": reply.choice, "strength": reply.strength, "note": reply.note, "meta": reply.meta, "cost": reply.cost}
    if isinstance(reply, str):
        text = reply.strip()
        if not text:
            raise Failure("nothing", "nothing was said, want a choice")
        if len(reply) > 1 << 20:
            raise Failure("too_long", f"{len(reply)} characters were said, want at most {1 << 20}")
        if text.startswith("{"):
            try:
                reply = json.loads(text, object_pairs_hook=_once)
            except ValueError as e:
                raise Failure("rubbish", f"{text[:80]!r} is no answer: {e}") from None
        else:
            reply = {"choice": _WORDS.get(text, text)}
            if reply["choice"] not in _CHOICES:
                raise Failure("rubbish", f"{text[:80]!r} is no answer, want first, second, tie, both_bad, skip, A, B, 1, 2 or a choice by that name, and nothing else")
    if reply is None:
        raise Failure("nothing", "nothing was said, want a choice")
    if not isinstance(reply, Mapping):
        raise Failure("rubbish", f"a {type(reply).__name__} was returned, want a word or a mapping with a choice")
    cost = reply.get("cost")
    if cost is not None and (isinstance(cost, bool) or not isinstance(cost, (int, float)) or not (0 <= cost < math.inf)):
        raise Failure("rubbish", f"cost {cost!r}, want a number from 0 on")
    said = Said(reply.get("choice", ""), reply.get("strength") or 0, reply.get("note") or "", reply.get("meta") or {}, cost)
    wrong = _wrong(reply, said, forced, grades)
    if wrong:
        raise Failure("rubbish", wrong, None if cost is None else float(cost))
    return said


def _once(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    out = dict(pairs)
    if len(out) < len(pairs):
        raise ValueError("a name is given twice")
    return out


def _wrong(reply: Mapping[str, Any], said: Said, forced: bool, grades: int) -> str:
    """What is wrong with a reply, "" for nothing."""
    unknown = [str(k) for k in reply if k not in ("choice", "strength", "note", "meta", "cost")]
    if unknown:
        return f"unknown field {unknown[0]!r}"
    if said.choice not in _CHOICES:
        return f"choice is {said.choice!r}, want {', '.join(_CHOICES)}"
    if said.choice == "tie" and forced:
        return "choice is 'tie', but this study offers no ties"
    if isinstance(said.strength, bool) or not isinstance(said.strength, int) or not 0 <= said.strength <= grades or (said.strength and said.choice not in ("first", "second")):
        return f"strength is {said.strength!r} with {said.choice!r}, want 0 to {grades}, of a preference"
    if not isinstance(said.note, str) or len(said.note) > _MAX_NOTE:
        return f"the note is no text of at most {_MAX_NOTE} characters"
    if not isinstance(said.meta, Mapping) or len(said.meta) > _MAX_META - 2:
        return f"meta is no mapping of at most {_MAX_META - 2} names"
    for name, value in said.meta.items():
        if not isinstance(name, str) or not 0 < len(name) <= _MAX_NAME or name in _COUNTED:
            return f"meta has the name {name!r}, want a text of 1 to {_MAX_NAME} characters that is none of {', '.join(_COUNTED)}"
        if not isinstance(value, (str, bool, int, float)) or isinstance(value, float) and not math.isfinite(value) or isinstance(value, str) and len(value) > _MAX_WORD:
            return f"meta {name!r} is {str(value)[:80]!r}, want a finite number, true, false or a text of at most {_MAX_WORD} characters"
    return ""


class _Run:
    """A run under way. All requests are made by the thread that called study.judge; threads beside it call the judges."""

    def __init__(self, study: "Study", judges: Mapping[str, JudgeFunction], parallel: int, budget: int, retries: int, timeout: float, backoff: float, give_up: int,
                 repeats: float, max_cost: float, cost: float, beyond: bool, fixed: Optional[Mapping[str, Value]]):  # fmt: skip
        self.study, self.judges, self.parallel, self.budget = study, judges, parallel, budget
        self.retries, self.timeout, self.backoff, self.give_up = retries, timeout, backoff, give_up
        self.repeats, self.max_cost, self.cost, self.beyond, self.fixed = repeats, max_cost, cost, beyond, dict(fixed or {})
        self.came: "queue.Queue[Tuple[str, Question, Optional[Dict[str, Any]], float]]" = queue.Queue()
        self.stop = threading.Event()
        self.lock = threading.Lock()
        self.calls = {name: 0 for name in judges}
        self.failures = {name: 0 for name in judges}
        self.in_a_row = {name: 0 for name in judges}
        self.broken = ""
        self.open: Dict[str, Dict[str, Question]] = {name: {} for name in judges}
        self.counts = {name: 0 for name in judges}
        self.spent = 0.0
        self.loop: Optional[asyncio.AbstractEventLoop] = None
        self.loops = threading.Thread()  # that runs it
        answers = study.info().get("answers") or {}
        self.forced, self.grades = bool(answers.get("forced")), int(answers.get("grades") or 0)

    def history(self) -> List[Mapping[str, Any]]:
        entries = self.study._send("GET", "/history").json()["answers"]
        return [e for e in entries if e.get("rater") in self.judges and not e.get("undone") and not e.get("observed")]

    def run(self) -> Judged:
        begin = time.monotonic()
        for e in self.history():
            self.counts[e["rater"]] += 1
            self.spent += _cost(e)
        verdict = self.study.verdict(fixed=self.fixed or None)
        ended = "verdict" if verdict.done and not self.beyond else ""
        try:
            while True:
                ended = ended or self.over()
                busy = sum(map(len, self.open.values()))
                if not ended and busy < self.parallel and sum(self.counts.values()) + busy < self.budget:
                    self.ask()
                    continue
                if not busy:
                    if ended == "verdict":  # answers that were under way may have undone it
                        verdict = self.study.verdict(fixed=self.fixed or None)
                        if not verdict.done:
                            ended = ""
                            continue
                    break
                if self.take(self.came.get()) and not self.beyond:
                    ended = ended or "verdict"
        except BaseException:
            self.stop.set()
            self.drain()
            raise
        finally:
            self.stop.set()
            self.end_loop()
        result = self.result(ended, time.monotonic() - begin)
        if self.broken:
            error = JudgeError(self.broken)
            error.result = result
            raise error
        return result

    def over(self) -> str:
        if self.broken:
            return "gave_up"
        if sum(self.counts.values()) >= self.budget:
            return "budget"
        if self.max_cost > 0 and self.spent >= self.max_cost:
            return "max_cost"
        return ""

    def ask(self) -> None:
        """Asks the judge who was asked least. What is open from an earlier run comes first."""
        name = min(self.judges, key=lambda n: self.counts[n] + len(self.open[n]))
        count = len(self.open[name]) + 1
        body: Dict[str, Any] = {"rater": name, "budget_ms": _WITHIN_MS, "repeats": self.repeats or None, "fixed": self.fixed or None}
        if count > 1:
            body["count"] = count
        reply = self.study._send("POST", "/ask", body, extra=count * _WITHIN_MS / 1000).json()
        for o in reply["questions"] if count > 1 else [reply]:
            if o["question_id"] not in self.open[name]:
                question = Question.read(o, name)
                self.open[name][question.id] = question
                threading.Thread(target=self.answer, args=(name, question), daemon=True, name=f"judge {name} {question.id}").start()
                return

    def take(self, came: Tuple[str, Question, Optional[Dict[str, Any]], float]) -> bool:
        """Keeps an answer; True if that ends the study, as far as is known at once."""
        name, question, answer, cost = came
        del self.open[name][question.id]
        if answer is None:  # stopped or given up: it stays open
            return False
        try:
            told = self.study.tell(question, key="judged " + question.id, **answer)
        except NotFoundError:  # answered elsewhere, or an item has left
            return False
        except InvalidError as e:
            if "failed" in answer["meta"]:
                raise
            meta = {**{k: v for k, v in answer["meta"].items() if k in _COUNTED}, "failed": "rubbish"}
            told = self.study.tell(question, "skip", key="judged " + question.id, note=f"no answer: rubbish: {e}"[:1000], meta=meta)
        self.counts[name] += 1
        self.spent += cost
        return told.status.done or bool(told.status.found)

    def drain(self) -> None:
        """Keeps what comes within the grace: whatever does not, stays open."""
        end = time.monotonic() + _GRACE
        while any(self.open.values()) and time.monotonic() < end:
            try:
                self.take(self.came.get(timeout=max(0.0, end - time.monotonic())))
            except (queue.Empty, PreferError):
                return

    def answer(self, name: str, question: Question) -> None:
        """Calls the judge until it answers, as often as it may be tried, and hands on what comes of it."""
        cost, wait, attempt, last = 0.0, self.backoff, 0, Failure("nothing", "")
        while attempt <= self.retries:
            if (attempt and self.stop.wait(wait)) or self.broken or self.stop.is_set():
                self.came.put((name, question, None, cost))
                return
            wait = min(2 * wait, _LONGEST_BACKOFF) if attempt else wait
            attempt += 1
            try:
                said = read(self.call(self.judges[name], question), self.forced, self.grades)
                cost += self.cost if said.cost is None else said.cost
                self.count(name, None)
                self.came.put((name, question, self.body(said.choice, said.strength, said.note, dict(said.meta), cost, attempt), cost))
                return
            except Failure as e:
                last = e
                cost += self.cost if e.cost is None else e.cost
            except BaseException as e:  # whatever a judge raises, is one call that came to nothing
                last = Failure("error", f"{type(e).__name__}: {e}")
                cost += self.cost
            if not self.count(name, last):
                self.came.put((name, question, None, cost))
                return
        tries = f"no answer in {attempt} tries" if attempt > 1 else "no answer"
        note = "".join(c if c >= " " else " " for c in f"{tries}, the last: {last.reason}: {last}"[:1000])
        self.came.put((name, question, self.body("skip", 0, note.encode("utf-8", "replace").decode(), {"failed": last.reason}, cost, attempt), cost))

    @staticmethod
    def body(choice: str, strength: int, note: str, meta: Dict[str, Value], cost: float, attempts: int) -> Dict[str, Any]:
        if cost > 0:
            meta["cost"] = cost
        if attempts > 1:
            meta["attempts"] = attempts
        return {"choice": choice, "strength": strength, "note": note, "meta": meta}

    def count(self, name: str, failure: Optional[Failure]) -> bool:
        """Counts a call; False if the judge is not to be called again."""
        with self.lock:
            self.calls[name] += 1
            if failure is None:
                self.in_a_row[name] = 0
                return True
            self.failures[name] += 1
            self.in_a_row[name] += 1
            if self.in_a_row[name] >= self.give_up and not self.broken:
                self.broken = (
                    f"{self.in_a_row[name]} calls of {name!r} in a row came to nothing, the last: {failure.reason}: {failure}; "
                    "nothing was guessed, and the questions stay open: the same again goes on"
                )
            return not self.broken

    def call(self, function: JudgeFunction, question: Question) -> Any:
        """Calls a judge, within the time. A thread cannot be ended: one that takes too long is left behind."""
        came: "queue.Queue[Tuple[Any, Optional[BaseException]]]" = queue.Queue()
        end = time.monotonic() + self.timeout

        def work() -> None:
            try:
                came.put((function(question), None))
            except BaseException as e:
                came.put((None, e))

        threading.Thread(target=work, daemon=True, name=f"judging {question.id}").start()
        try:
            reply, error = came.get(timeout=self.timeout)
        except queue.Empty:
            raise Failure("timeout", f"nothing came within {self.timeout:g} s") from None
        if error is not None:
            raise error
        if inspect.isawaitable(reply):
            return self.wait(reply, max(0.0, end - time.monotonic()))
        return reply

    def wait(self, reply: Any, seconds: float) -> Any:
        """What an awaitable comes to, in the one event loop of the run, within the time."""
        with self.lock:
            if self.loop is None:
                self.loop = asyncio.new_event_loop()
                self.loops = threading.Thread(target=self.loop.run_forever, daemon=True, name="judges")
                self.loops.start()

        async def finish() -> Any:
            return await asyncio.wait_for(reply, seconds)

        try:
            return asyncio.run_coroutine_threadsafe(finish(), self.loop).result()
        except asyncio.TimeoutError:
            raise Failure("timeout", f"nothing came within {self.timeout:g} s") from None

    def end_loop(self) -> None:
        if self.loop is None:
            return
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.loops.join(_GRACE)
        if not self.loops.is_alive():
            self.loop.close()

    def result(self, ended: str, seconds: float) -> Judged:
        raters = {r["name"]: r for r in self.study._send("GET", "/raters").json()["raters"]}
        repeats = _repeats(self.study)
        tallies: Dict[str, JudgeTally] = {}
        entries = self.history()
        for name in self.judges:
            mine = [e for e in entries if e["rater"] == name]
            failed: Dict[str, int] = {}
            skips = answers = repeated = 0
            for e in mine:
                meta = e["answer"].get("meta") or {}
                if e["answer"]["choice"] != "skip":
                    answers += 1
                    repeated += e.get("question") in repeats
                elif "failed" in meta:
                    failed[meta["failed"]] = failed.get(meta["failed"], 0) + 1
                else:
                    skips += 1
            rater = raters.get(name) or {}
            tallies[name] = JudgeTally(answers, repeated, skips, failed, sum(map(_cost, mine)), self.calls[name], self.failures[name],
                                       Share.read(rater.get("left") or {}), Share.read(rater.get("agreed") or {}), rater.get("noise") or None)  # fmt: skip
        cost = sum(t.cost for t in tallies.values())
        return Judged(ended, len(entries), self.budget, cost, sum(self.calls.values()), seconds, self.study.verdict(fixed=self.fixed or None), tallies)


def _cost(entry: Mapping[str, Any]) -> float:
    cost = (entry["answer"].get("meta") or {}).get("cost", 0.0)
    return float(cost) if isinstance(cost, (int, float)) and cost >= 0 else 0.0


def _repeats(study: "Study") -> Dict[str, bool]:
    """The questions of a study that put an earlier one again."""
    out: Dict[str, bool] = {}
    for line in study.export("jsonl").splitlines()[1:]:
        asked = json.loads(line).get("asked") or {}
        if asked.get("repeat_of"):
            out[asked["id"]] = True
    return out


def run(study: "Study", judge: Judges, parallel: int, budget: int, retries: int, timeout: float, backoff: float, give_up: int, repeats: float, max_cost: float, cost: float,
        beyond: bool, fixed: Optional[Mapping[str, Value]]) -> Judged:  # fmt: skip
    """What study.judge does."""
    judges = dict(judge) if isinstance(judge, Mapping) else {"judge": judge}
    for name, function in judges.items():
        if not name or not callable(function):
            raise PreferError(f"judge {name!r} is {function!r}, want a name and a function of a question")
    limits: List[Tuple[str, float, bool, str]] = [
        ("judges", len(judges), bool(judges), "at least 1"),
        ("parallel", parallel, 1 <= parallel <= MAX_PARALLEL, f"1 to {MAX_PARALLEL}"),
        ("budget", budget, budget >= 1, "at least 1"),
        ("retries", retries, retries >= 0, "0 or more"),
        ("timeout", timeout, timeout > 0, "a positive number of seconds"),
        ("backoff", backoff, backoff >= 0, "a number of seconds"),
        ("give_up", give_up, give_up >= 1, "at least 1"),
        ("repeats", repeats, 0 <= repeats <= 0.5, "0 to 0.5"),
        ("max_cost", max_cost, max_cost >= 0, "0 or more"),
        ("cost", cost, cost >= 0, "0 or more"),
    ]
    for field_name, value, good, want in limits:
        if not good:
            raise PreferError(f"{field_name} = {value}, want {want}")
    return _Run(study, judges, parallel, budget, retries, timeout, backoff, give_up, repeats, max_cost, cost, beyond, fixed).run()
