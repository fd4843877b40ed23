"""prefer for asyncio: AsyncClient, AsyncStudy and AsyncJob. Written by generate_aio.py from client.py, study.py and job.py; do not edit.

    async with AsyncClient("http://127.0.0.1:8080") as client:
        study = client.study("coffee")
        async for question in study.questions(rater="anna"):
            await study.tell(question, "first")

Every method is that of its namesake, awaited. threads.py tells what becomes of requests, and of those whose task is cancelled.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
import urllib.parse
import uuid
from datetime import datetime
from types import TracebackType
from typing import Any, AsyncIterator, Awaitable, Callable, Dict, List, Literal, Mapping, Optional, Sequence, TYPE_CHECKING, Tuple, Type, Union

from . import private, study as _study
from .belief import Belief, Best, Gains, Joint, Prediction, Ranked, Standing, UtilityMap, Verdict
from .check import BlindCheck, Taken
from .client import _body
from .errors import ConflictError, DeniedError, NotOverError, PreferError
from .job import JobRecord, Simulation, _FIRST_LOOK, _LONGEST_LOOK
from .link import Link, UploadLink, Uploaded, moment
from .people import Entry, Group, Me, Rater
from .question import Answer, Choice, Option, OptionLike, Question, Value, plain
from .results import Results
from .space import SpaceLike, config
from .study import Study, _fixed, _options, _pairs, _written
from .threads import AsyncChanges, AsyncTransport
from .transport import Reply, Transport
from .upload import FileLike, Upload, form

if TYPE_CHECKING:
    from .judge import Judged, Judges
    from matplotlib.figure import Figure
    from pandas import DataFrame


class AsyncJob:
    """A long-running job of the server; AsyncStudy.simulate and AsyncStudy.report return it.

    All is as of the last look (`now`); refresh() and wait() look again.
    """

    now: JobRecord

    def __init__(self, transport: AsyncTransport, study_path: str, reply: Mapping[str, Any]):
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

    async def refresh(self) -> "AsyncJob":
        """Refreshes the job from the server."""
        self._read((await self._transport.request("GET", self._path)).json())
        return self

    async def wait(self, timeout: Optional[float] = None, progress: Optional[Callable[["AsyncJob"], None]] = None) -> "AsyncJob":
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
            await asyncio.sleep(pause)
            pause = min(_LONGEST_LOOK, pause * 1.5)
            await self.refresh()
        if self.state == "failed":
            raise PreferError(f"{self.id} failed: {self.failure}")
        return self

    async def page(self) -> bytes:
        """The page of a report that is done, as HTML."""
        return (await self._transport.request("GET", self._path + "/page")).body

    async def drop(self) -> None:
        """Stops the job and deletes its result."""
        await self._transport.request("DELETE", self._path, repeatable=False)


class AsyncStudy:
    """One search for one favourite: `await AsyncStudy.open({"sugar": (0, 5), "milk": bool})`.

    It is kept by a process of this interpreter's own (private.py), which ends with it; `file` keeps it for longer: what is in the file goes on
    where it was. space.py tells what a `space` may be, and what is called what without a `name`. `config` has the other fields of a study
    file: prompt, budget, answers, seed, … AsyncClient.create and AsyncClient.study return those of a server that others share. The object holds no
    state: any number may be open at once, in any number of threads.
    """

    def __init__(self, *_: Any, **__: Any):
        raise PreferError("making a study takes its time: await AsyncStudy.open(space), or await client.create(name, config)")

    @classmethod
    async def open(cls, space: Optional[SpaceLike] = None, name: str = "", file: Union[str, "os.PathLike[str]", None] = None, parallel: int = 32, **config: Any) -> "AsyncStudy":
        """What Study(space, …) is."""
        loop = asyncio.get_running_loop()
        transport, found = await loop.run_in_executor(None, private.open_study, space, name, file, config)
        return cls.at(AsyncTransport(transport, parallel), found)

    @property
    def sync(self) -> Study:
        """The same study without asyncio."""
        return Study.at(self._transport.sync, self.name)

    @classmethod
    def at(cls, transport: AsyncTransport, name: str) -> "AsyncStudy":
        """The study of that name at the other end of a transport."""
        study = cls.__new__(cls)
        study._enter(transport, name)
        return study

    def _enter(self, transport: AsyncTransport, name: str) -> None:
        self.name = name
        self._transport = transport
        self._path = "/v1/studies/" + urllib.parse.quote(name, safe="")

    async def __aenter__(self) -> "AsyncStudy":
        return self

    async def __aexit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes connections that nobody uses, and the threads. The study stays."""
        await self._transport.close()

    def __repr__(self) -> str:
        return f"Study({self.name!r})"

    async def info(self) -> Dict[str, Any]:
        """The study as the server describes it: prompt, answers, people, space, answers_count, seq."""
        return dict((await self._send("GET", "")).json())

    async def change(
        self,
        people: Optional[Literal["shared", "per_rater"]] = None,
        budget: Optional[int] = None,
        prompt: Optional[str] = None,
        own_duels: Optional[bool] = None,
        show_result: Optional[bool] = None,
        checks: Optional[Mapping[str, Any]] = None,
        page: Optional[Mapping[str, Any]] = None,
        shortlist: Optional[int] = None,
    ) -> Dict[str, Any]:
        """Changes the study while it runs, and returns its description. All answers so far count.

        `people` is "shared" (one favourite for all) or "per_rater" (one each). `budget` is the maximum number of answers per rater, 0 to stop
        at the verdict. `shortlist` is how many of the best items of a list to find, 0 for one favourite. `own_duels` lets raters add comparisons that were not asked (`observe`), `show_result` lets them see the result. Fields
        of `checks` (repeat_rate, min_rt_ms, catch, catch_every) and `page` (complete, paused, language, prompts) that are not given stay. An
        open question keeps its prompt. Every change is an event of the log.
        """
        given = {"people": people, "budget": budget, "shortlist": shortlist, "prompt": prompt, "own_duels": own_duels, "show_result": show_result, "checks": checks, "page": page}
        body = {k: v for k, v in given.items() if v is not None}
        return dict((await self._send("PATCH", "", body)).json())

    async def ask(
        self,
        rater: str = "",
        fixed: Optional[Mapping[str, Value]] = None,
        hold: Union[OptionLike, None] = None,
        hold_best: bool = False,
        budget_ms: Optional[int] = None,
        blind: bool = False,
    ) -> Question:
        """Returns the rater's open question, or the next one.

        `fixed` are values both options must have, `hold` is one of the two options (`hold_best`: the best so far),
        `budget_ms` how long the search may take. `blind` asks a blind duel of the pick, which is not learned from.
        """
        return Question.read((await self._ask(rater, fixed, hold, hold_best, budget_ms, blind=blind)), rater)

    async def ask_many(self, count: int, rater: str = "", fixed: Optional[Mapping[str, Value]] = None, budget_ms: Optional[int] = None) -> List[Question]:
        """Several questions to be answered in any order, chosen jointly: for judges that work in parallel."""
        if count < 1:
            raise PreferError(f"count = {count}, want at least 1")
        reply = await self._ask(rater, fixed, None, False, budget_ms, count)
        return [Question.read(q, rater) for q in (reply["questions"] if count > 1 else [reply])]

    async def _ask(self, rater: str, fixed: Optional[Mapping[str, Value]], hold: Optional[OptionLike], hold_best: bool, budget_ms: Optional[int], count: int = 1, blind: bool = False, repeats: Optional[float] = None) -> Any:
        body: Dict[str, Any] = {"rater": rater, "repeats": repeats}
        if fixed:
            body["fixed"] = dict(fixed)
        if hold is not None:
            body["hold"] = plain(hold)
        if hold_best:
            body["hold_best"] = True
        if blind:
            body["blind"] = True
        if budget_ms is not None:
            body["budget_ms"] = budget_ms
        if count > 1:
            body["count"] = count
        # Each question may take its budget; the server goes on searching when nobody waits any more.
        return (await self._send("POST", "/ask", body, extra=count * (budget_ms or 0) / 1000)).json()

    async def tell(
        self,
        question: Union[Question, str],
        choice: Choice,
        strength: int = 0,
        rt_ms: Optional[int] = None,
        session: str = "",
        learn: bool = True,
        key: Optional[str] = None,
        note: str = "",
        meta: Optional[Mapping[str, Value]] = None,
        next: bool = False,
    ) -> Answer:
        """Answers a question, or the one with this id. "first" is the first of question.options. `strength=1` is "clearly", where the study has grades.

        Retries are idempotent: all attempts carry one key. Give your own `key` to stay idempotent across restarts of your
        program. `learn=False` records the answer without learning from it. `note` (a reason in words) and `meta` (for example
        model, tokens) are kept and shown, and the model ignores them; resending an answer with the same key keeps the first ones.
        With `next` the answer has the rater's next question: one round trip for both.
        """
        body: Dict[str, Any] = {"choice": choice, "strength": strength}
        if isinstance(question, Question):
            body.update(question_id=question.id, rater=question.rater)
        elif isinstance(question, str):
            body["question_id"] = question  # the server knows who was asked it
        else:
            raise PreferError(f"question = {question!r}, want a Question or its id")
        return await self._tell(body, rt_ms, session, learn, key, note, meta, next)

    async def observe(
        self,
        winner: OptionLike,
        loser: OptionLike,
        tie: bool = False,
        rater: str = "",
        key: Optional[str] = None,
        note: str = "",
        meta: Optional[Mapping[str, Value]] = None,
    ) -> Answer:
        """Adds a comparison that the study did not ask for."""
        body = {"winner": plain(winner), "loser": plain(loser), "tie": tie, "rater": rater}
        return await self._tell(body, None, "", True, key, note, meta)

    async def _tell(
        self,
        body: Dict[str, Any],
        rt_ms: Optional[int],
        session: str,
        learn: bool,
        key: Optional[str],
        note: str,
        meta: Optional[Mapping[str, Value]],
        next: bool = False,
    ) -> Answer:
        if rt_ms is not None:
            body["rt_ms"] = rt_ms
        if session:
            body["session"] = session
        if not learn:
            body["learn"] = False
        if note:
            body["note"] = note
        if meta:
            body["meta"] = dict(meta)
        key = key or uuid.uuid4().hex
        query = {"next": 1} if next else None
        return Answer.read((await self._send("POST", "/tell", body, query, {"Idempotency-Key": key})).json())

    async def questions(
        self,
        rater: str = "",
        limit: Optional[int] = None,
        fixed: Optional[Mapping[str, Value]] = None,
        budget_ms: Optional[int] = None,
        budget: Optional[int] = None,
    ) -> AsyncIterator[Question]:
        """Questions for one rater. Answer each before taking the next.

        They end when the verdict is an ending, the study's own budget included; when the rater has given `budget` answers, those of
        earlier sittings included and skips not; or after `limit` questions, skipped or not: 200 unless you say otherwise.
        """
        for name, value in (("limit", limit), ("budget", budget)):
            if value is not None and value < 1:
                raise PreferError(f"{name} = {value}, want at least 1")
        last = None
        for _ in range(_study.MAX_QUESTIONS if limit is None else limit):
            if (await self._done(rater)):
                return
            question = await self.ask(rater, fixed, budget_ms=budget_ms)
            if question.id == last:
                raise PreferError(f'question {last} is still open: study.tell(question, "skip") if there is no answer to it')
            if question.status.done:  # all that a rater may know where results are not shown
                return
            if budget is not None and question.status.given >= budget:
                return
            yield question
            last = question.id

    async def _done(self, rater: str) -> bool:
        try:
            return (await self.verdict(rater)).done
        except DeniedError:
            return False

    async def undo(self, answer: Optional[Answer] = None, rater: str = "") -> str:
        """Undoes an answer, or the rater's latest, and returns its id. Its question is open again."""
        if answer is not None:
            reply = await self._send("DELETE", "/answers/" + urllib.parse.quote(answer.id, safe=""), repeatable=False)
        else:
            reply = await self._send("POST", "/undo", {"rater": rater}, repeatable=False)
        return str(reply.json()["answer_id"])

    async def best(self, rater: str = "", fixed: Optional[Mapping[str, Value]] = None) -> Best:
        """The best option so far, in a study per rater that of `rater`, among options with the `fixed` values."""
        return Best.read((await self._send("GET", "/best", query={"rater": rater, **_fixed(fixed)})).json())

    async def verdict(self, rater: str = "", fixed: Optional[Mapping[str, Value]] = None) -> Verdict:
        """The verdict, stop or go on, in a study per rater for `rater`, under the `fixed` values of contexts."""
        return Verdict.read((await self._send("GET", "/verdict", query={"rater": rater, **_fixed(fixed)})).json())

    async def contexts(self, rater: str = "") -> List[Tuple[Dict[str, Value], Verdict]]:
        """The verdict under every setting of the study's contexts; none in a study without."""
        reply = (await self._send("GET", "/contexts", query={"rater": rater})).json()
        standings = [Standing.read(c) for c in reply["contexts"]]
        return [(dict(s.fixed), s.verdict) for s in standings]

    async def check(
        self,
        judge: Optional[Callable[[Question], Awaitable[Choice]]] = None,
        questions: int = 8,
        rater: str = "",
        fixed: Optional[Mapping[str, Value]] = None,
    ) -> BlindCheck:
        """How the pick did in blind duels, a check without a model. In a study per rater, that of `rater`; under the
        `fixed` values of its contexts.

        With a `judge` it asks so many `questions` first, fewer if no rival is left: the pick against strong and random
        rivals by turns. Fix the number before: if you add duels until the check passes, it passes by chance.
        """
        if judge is not None:
            if questions < 1:
                raise PreferError(f"questions = {questions}, want at least 1")
            for _ in range(questions):
                try:
                    question = await self.ask(rater, fixed, blind=True)
                except ConflictError as e:
                    if e.kind != "no_rival":
                        raise
                    break
                await self.tell(question, (await judge(question)))
        return BlindCheck.read((await self._send("GET", "/check", query={"rater": rater, **_fixed(fixed)})).json())

    async def take(self, take: bool, rater: str = "", option: Optional[OptionLike] = None) -> Taken:
        """Records whether a rater would take the pick, or another `option`; their latest answer about it counts."""
        body: Dict[str, Any] = {"take": take, "rater": rater}
        if option is not None:
            body["option"] = plain(option)
        return Taken.read((await self._send("POST", "/take", body)).json())

    async def belief(
        self, params: Optional[Sequence[str]] = None, points: int = 41, rater: str = "", fixed: Optional[Mapping[str, Value]] = None, top: int = 20
    ) -> Belief:
        """Slices through the best option along `params` (all, if not given), what matters, and the `top` of the ranking, under the `fixed` values."""
        query = {"params": ",".join(params or ()), "points": points, "top": top, "rater": rater, **_fixed(fixed)}
        return Belief.read((await self._send("GET", "/belief", query=query)).json())

    async def map(self, x: str, y: str, n: int = 31, rater: str = "", fixed: Optional[Mapping[str, Value]] = None) -> UtilityMap:
        """The utility on a grid of two parameters through the best option."""
        return UtilityMap.read((await self._send("GET", "/map", query={"x": x, "y": y, "n": n, "rater": rater, **_fixed(fixed)})).json())

    async def predict(self, options: Sequence[OptionLike], rater: str = "", fixed: Optional[Mapping[str, Value]] = None) -> List[Ranked]:
        """Utilities of options, with their uncertainty, in the order given."""
        return (await self._predict({"options": _options(options)}, rater, fixed)).utilities

    async def prefers(self, pairs: Sequence[Tuple[OptionLike, OptionLike]], rater: str = "", fixed: Optional[Mapping[str, Value]] = None) -> List[float]:
        """For every pair the probability that a rater who must choose takes its first option."""
        return (await self._predict({"pairs": _pairs(pairs)}, rater, fixed)).p_first

    async def joint(self, options: Sequence[OptionLike], rater: str = "", fixed: Optional[Mapping[str, Value]] = None) -> Joint:
        """The means of the utilities of up to 500 options, and their covariances."""
        found = await self._predict({"options": _options(options), "joint": True}, rater, fixed)
        return Joint([u.mean for u in found.utilities], found.covariance)

    async def samples(
        self, options: Sequence[OptionLike], n: int, seed: int = 0, rater: str = "", fixed: Optional[Mapping[str, Value]] = None
    ) -> List[List[float]]:
        """`n` joint draws of the utilities of options, a row each; the same for the same seed, and of more the first are the same."""
        return (await self._predict({"options": _options(options), "samples": n, "seed": seed or None}, rater, fixed)).samples

    async def gain(
        self,
        pairs: Sequence[Tuple[OptionLike, OptionLike]],
        method: Optional[Literal["kg", "eubo", "qeubo", "logei", "bald"]] = None,
        rater: str = "",
        fixed: Optional[Mapping[str, Value]] = None,
    ) -> Gains:
        """What questions about up to 100 given pairs would be worth if `rater` answered them, by the study's method or another: of kg
        exactly the knowledge gradient, as in Question.why of the pair that is asked."""
        body = {"pairs": _pairs(pairs), "method": method}
        return Gains.read((await self._send("POST", "/gain", body, {"rater": rater, **_fixed(fixed)})).json())

    async def _predict(self, body: Mapping[str, Any], rater: str, fixed: Optional[Mapping[str, Value]]) -> Prediction:
        return Prediction.read((await self._send("POST", "/predict", body, {"rater": rater, **_fixed(fixed)})).json())

    async def raters(self) -> List[Rater]:
        """All raters: number of answers, noise, self-consistency and carelessness."""
        return [Rater.read(r) for r in (await self._send("GET", "/raters")).json()["raters"]]

    async def group(self, fixed: Optional[Mapping[str, Value]] = None) -> Group:
        """The group of a study per rater: its pick, and the agreement between raters."""
        return Group.read((await self._send("GET", "/group", query=_fixed(fixed))).json())

    async def history(self) -> List[Entry]:
        """Every answer in order; undone ones are marked."""
        return [Entry.read(e) for e in (await self._send("GET", "/history")).json()["answers"]]

    def events(self, last: Optional[int] = None) -> AsyncChanges:
        """Changes of the study as they happen: `for change in study.events()`. With `last`, the number of an event, only what came after."""
        return AsyncChanges(self._transport, self._path + "/events", last)

    async def exclude(self, rater: Optional[str] = None, why: str = "", back: bool = False, origin: str = "") -> None:
        """Excludes a rater from what the group learns, or includes them again (`back`). Their answers stay. With `origin`, the id of an upload token, instead of a
        rater: all raters who uploaded with it."""
        await self._send("POST", "/exclude", {"rater": rater, "origin": origin or None, "why": why or None, "back": back or None})

    async def enqueue(self, option: OptionLike, rater: str = "") -> None:
        """Queues an option for one of the next questions."""
        await self._send("POST", "/enqueue", {"option": plain(option), "rater": rater}, repeatable=False)

    async def items(self) -> List[Dict[str, Any]]:
        """Every item that the list ever had; those that have left it are marked "left"."""
        return list((await self._send("GET", "/items")).json()["items"])

    async def join(self, items: Sequence[Mapping[str, Any]]) -> int:
        """Adds items {"id", "media", "text", "features"} to the list, or brings them back; returns how many it has now."""
        return int((await self._send("POST", "/items", {"items": [dict(i) for i in items]}, repeatable=False)).json()["items_count"])

    async def upload(self, files: Sequence[FileLike]) -> List[Upload]:
        """Uploads files for items: paths, or names with their bytes. Upload.media is the name to use in an item."""
        body, kind = form(files)
        reply = await self._transport.request("POST", "/v1/media", body, {"study": self.name}, {"Content-Type": kind})
        return [Upload.read(f) for f in reply.json()["files"]]

    async def join_files(self, files: Sequence[FileLike]) -> int:
        """Adds files to the list, an item each; returns how many it has now."""
        body, kind = form(files)
        reply = await self._transport.request("POST", self._path + "/items", body, headers={"Content-Type": kind}, repeatable=False)
        return int(reply.json()["items_count"])

    async def media(self, option: Union[Option, str]) -> bytes:
        """The media of an option, or at an address of media, as bytes: a picture, a sound, a film or a text."""
        url = option if isinstance(option, str) else option.media_url
        if not url.startswith("/"):
            raise PreferError(f"{option!r} has no media on the server")
        return (await self._transport.request("GET", url, headers={"Accept": "*/*"})).body

    async def describe(self, item: str, text: str) -> None:
        """Sets the description of an item for people who cannot see it; empty removes it."""
        body = json.dumps({"item": item, "text": text}).encode()
        path = "/s/" + urllib.parse.quote(self.name, safe="") + "/describe"
        await self._transport.request("POST", path, body, headers={"Content-Type": "application/json"})

    async def leave(self, item: str) -> int:
        """Removes an item from the list; answers about it are kept and learned from. Returns the number of items."""
        return int((await self._send("DELETE", "/items/" + urllib.parse.quote(item, safe=""), repeatable=False)).json()["items_count"])

    async def export(
        self,
        format: Literal["jsonl", "csv", "json", "people", "group", "agreement", "results", "chosen", "chosen-csv", "battles", "battles-csv"] = "jsonl",
    ) -> bytes:
        """The log in full (jsonl), a table with one row per answer (csv), tables of results (people, group, agreement), or what was chosen over what (chosen, battles;
        as tables of a list alone)."""
        return (await self._send("GET", "/export", query={"format": format})).body

    async def pack(self) -> bytes:
        """The study as one HTML file that asks, learns and ends with no server."""
        return (await self._send("GET", "/pack", headers={"Accept": "text/html"})).body

    async def results(self) -> Results:
        """Results: each rater's pick, its confidence and their reliability; the group's pick; agreement between raters."""
        return Results.read((await self._send("GET", "/export", query={"format": "results"})).json())

    async def import_(self, data: bytes, format: Literal["pairs", "jsonl"] = "pairs", texts: bool = False) -> Tuple[int, List[str]]:
        """Imports comparisons (docs/reference/formats.md); returns how many, and notes on what was left out.

        The same file again changes nothing. "jsonl", what export() returns, makes the study: there must be none of its
        name. `texts` says that what pairs have as chosen and rejected are texts, each an item, and no names.
        """
        reply = (await self._transport.request(
            "POST",
            self._path + "/import",
            data,
            {"format": format, "texts": "true" if texts else None},
            {"Content-Type": "application/octet-stream"},
            repeatable=format != "jsonl",
        )).json()
        return int(reply["answers"]), list(reply.get("notes") or [])

    async def link(self, rater: str = "", everybody: bool = False, expires: Optional[Union[datetime, str]] = None) -> Link:
        """Creates a personal link for a rater, or a shared one that gives everyone their own name."""
        body = {"rater": rater or None, "everybody": everybody or None, "expires": moment(expires)}
        return Link.read((await self._send("POST", "/links", body, repeatable=False)).json())

    async def rename(self, rater: str, name: str) -> None:
        """Sets the name of a rater on pages; empty restores it. Answers stay under the original name."""
        await self._send("POST", "/rename", {"rater": rater, "name": name})

    async def forget(self, rater: Optional[str] = None, origin: str = "") -> int:
        """Erases everything a rater said or was asked, with their links, and returns the number of records. It cannot be undone. With `origin`, the id of an
        upload token, instead of a rater: all raters who uploaded with it."""
        return int((await self._send("POST", "/forget", {"rater": rater, "origin": origin or None}, repeatable=False)).json()["removed"])

    async def links(self) -> List[Link]:
        """The links that are not revoked, and guests of shared links, latest first; without their tokens."""
        return [Link.read(o) for o in (await self._send("GET", "/links")).json()["links"]]

    async def renew(self, link: Union[Link, str], expires: Optional[Union[datetime, str]] = None) -> Link:
        """Replaces a link by a new one for the same rater with the same expiry; the old one stops working."""
        return Link.read((await self._send("POST", self._link(link) + "/renew", {"expires": moment(expires)}, repeatable=False)).json())

    async def withdraw(self, link: Union[Link, str]) -> None:
        """Revokes a link. Its answers are kept."""
        await self._send("DELETE", self._link(link), repeatable=False)

    async def allow_uploads(self, expires: Optional[Union[datetime, str]] = None) -> UploadLink:
        """Creates an upload address for logs of packed files; it allows nothing else."""
        return UploadLink.read((await self._send("POST", "/uploads", {"expires": moment(expires)}, repeatable=False)).json())

    async def uploads(self) -> List[UploadLink]:
        """The upload addresses that are not revoked, latest first; without their tokens."""
        return [UploadLink.read(o) for o in (await self._send("GET", "/uploads")).json()["uploads"]]

    async def renew_uploads(self, link: Union[UploadLink, str], expires: Optional[Union[datetime, str]] = None) -> UploadLink:
        """Replaces an upload address; the old one stops working."""
        return UploadLink.read((await self._send("POST", self._uploads(link) + "/renew", {"expires": moment(expires)}, repeatable=False)).json())

    async def withdraw_uploads(self, link: Union[UploadLink, str]) -> None:
        """Revokes an upload address. Uploaded answers are kept."""
        await self._send("DELETE", self._uploads(link), repeatable=False)

    @staticmethod
    def _uploads(link: Union[UploadLink, str]) -> str:
        return "/uploads/" + urllib.parse.quote(link.id if isinstance(link, UploadLink) else link, safe="")

    @staticmethod
    def _link(link: Union[Link, str]) -> str:
        return "/links/" + urllib.parse.quote(link.id if isinstance(link, Link) else link, safe="")

    async def simulate(
        self,
        raters: int = 24,
        noise: Sequence[str] = ("prior",),
        max_questions: int = 60,
        seed: int = 0,
        seconds_per_answer: float = 5.0,
    ) -> AsyncJob:
        """Estimates with simulated raters how many questions the study takes: study.simulate().wait().result.

        Returns at once. `noise` are levels: "prior" (as the model expects), "low", "high", a share of wrong answers like "20%", or
        σ in units of the utility's spread like "0.25". The same again is the same job.
        """
        body = {"raters": raters, "noise": list(noise), "max_questions": max_questions, "seed": seed, "seconds_per_answer": seconds_per_answer}
        return await self._job("/simulations", body)

    async def report(self, rater: str = "", title: str = "") -> AsyncJob:
        """Starts a report about the study as it is now: study.report().wait().page(). Returns at once.

        In a study per rater it is about the group, or with `rater` about them.
        """
        return await self._job("/reports", {"rater": rater or None, "title": title or None})

    async def jobs(self) -> List[AsyncJob]:
        """The simulations and reports of the study, the newest first."""
        return [AsyncJob(self._transport, self._path, e) for e in (await self._send("GET", "/jobs")).json()["jobs"]]

    async def _job(self, path: str, body: Mapping[str, Any]) -> AsyncJob:
        return AsyncJob(self._transport, self._path, (await self._send("POST", path, body)).json())

    async def delete(self) -> None:
        """Deletes the study and everything about it."""
        await self._send("DELETE", "", repeatable=False)

    async def plot(self, params: Optional[Sequence[str]] = None, points: int = 41, rater: str = "", fixed: Optional[Mapping[str, Value]] = None) -> "Figure":
        """Draws the slices of belief() with bands of two standard deviations; needs matplotlib."""
        from .plot import draw

        return draw((await self.belief(params, points, rater, fixed)), self.name)

    async def frame(
        self,
        table: Literal["answers", "people", "group", "agreement", "history", "raters", "ranking", "log", "predictions"] = "answers",
        rater: str = "",
        fixed: Optional[Mapping[str, Value]] = None,
        options: Optional[Sequence[OptionLike]] = None,
    ) -> "DataFrame":
        """A table as a pandas.DataFrame; needs pandas.

        answers, people, group and agreement are those of export() (docs/reference/formats.md has the codebook), history, raters and ranking what the methods of these names
        return, log the events, predictions the utilities of `options`.
        """
        from . import frames

        if table == "answers":
            return frames.table((await self.export("csv")))
        if table == "people" or table == "group" or table == "agreement":
            return frames.table((await self.export(table)))
        if table == "history":
            return frames.history((await self.history()))
        if table == "raters":
            return frames.raters((await self.raters()))
        if table == "ranking":
            return frames.ranking((await self.belief((), 2, rater, fixed, 1000)).ranking)
        if table == "log":
            return frames.log((await self.export("jsonl")))
        if table == "predictions":
            return frames.predictions((await self.predict(options or (), rater, fixed)))
        raise PreferError(f"table = {table!r}, want answers, people, group, agreement, history, raters, ranking, log or predictions")

    async def _send(
        self,
        method: str,
        path: str,
        body: Optional[Mapping[str, Any]] = None,
        query: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, str]] = None,
        repeatable: bool = True,
        extra: float = 0.0,
    ) -> Reply:
        data, full = None, dict(headers or {})
        if body is not None:
            data = _written({k: v for k, v in body.items() if v is not None})
            full["Content-Type"] = "application/json"
        return await self._transport.request(method, self._path + path, data, query, full, repeatable, extra)


class AsyncClient:
    """Talks to prefer serve at `base_url`; safe to share between threads. A context manager: leaving it closes its connections.

    A request that gets no reply, or a retry status, is repeated for up to `patience` seconds with growing,
    random pauses. `timeout` bounds a single attempt.
    """

    def __init__(self, base_url: str, token: Optional[str] = None, timeout: float = 30.0, patience: float = 60.0, parallel: int = 32):
        self._transport = AsyncTransport(Transport(base_url, token, timeout, patience), parallel)

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        await self.close()

    async def close(self) -> None:
        await self._transport.close()

    async def create(self, name: str, space: SpaceLike, **more: Any) -> AsyncStudy:
        """Creates a study. `space` is what it searches (space.py), or a whole study file, `more` its other fields: prompt, answers, budget, seed, …"""
        await self._transport.request("POST", "/v1/studies", _body(name, space, more), headers={"Content-Type": "application/json"}, repeatable=False)
        return AsyncStudy.at(self._transport, name)

    async def ensure(self, name: str, space: SpaceLike, **more: Any) -> AsyncStudy:
        """Creates a study, or returns the one of that name if it has the same settings; raises ConflictError if not. Safe to repeat."""
        path = "/v1/studies/" + urllib.parse.quote(name, safe="")
        await self._transport.request("PUT", path, _body(name, space, more), headers={"Content-Type": "application/json"})
        return AsyncStudy.at(self._transport, name)

    async def me(self) -> Me:
        """The identity behind the token: the owner, or a rater of one study."""
        return Me.read((await self._transport.request("GET", "/v1/me")).json())

    async def upload_log(self, log: bytes) -> Uploaded:
        """Uploads a rater's log of a packed file, with an upload token (AsyncStudy.allow_uploads). Idempotent."""
        return Uploaded.read((await self._transport.request("POST", "/v1/upload", log, headers={"Content-Type": "application/jsonl"})).json())

    def study(self, name: str) -> AsyncStudy:
        """The study of that name. Existence is checked at the first request."""
        return AsyncStudy.at(self._transport, name)

    async def studies(self) -> List[AsyncStudy]:
        """All studies, by name."""
        found: List[AsyncStudy] = []
        after: Union[str, None] = ""
        while after is not None:
            page = (await self._transport.request("GET", "/v1/studies", query={"after": after})).json()
            found += [AsyncStudy.at(self._transport, s["name"]) for s in page["studies"]]
            after = page.get("next")
        return found
