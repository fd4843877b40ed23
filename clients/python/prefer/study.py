"""One search for one favourite."""

from __future__ import annotations

import json
import os
import urllib.parse
import uuid
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Literal, Mapping, Optional, Sequence, Tuple, Type, Union

from . import private
from .belief import Belief, Best, Gains, Joint, Prediction, Ranked, Standing, UtilityMap, Verdict
from .changes import Changes
from .check import BlindCheck, Taken
from .errors import ConflictError, DeniedError, PreferError
from .job import Job
from .link import Link, UploadLink, moment
from .people import Entry, Group, Rater
from .question import Answer, Choice, Option, OptionLike, Question, Value, plain
from .results import Results
from .space import SpaceLike
from .transport import Reply, Transport
from .upload import FileLike, Upload, form

if TYPE_CHECKING:
    from .judge import Judged, Judges
    from matplotlib.figure import Figure
    from pandas import DataFrame


MAX_QUESTIONS = 200  # of one loop that says nothing else: a study that never knows must end, too


def _fixed(values: Optional[Mapping[str, Value]]) -> Dict[str, str]:
    """What is fixed, as an address has it."""
    return {"fixed": json.dumps(dict(values))} if values else {}


def _written(body: Mapping[str, Any]) -> bytes:
    """A body as JSON; numbers of numpy are numbers."""
    try:
        return json.dumps(body, allow_nan=False, default=_number).encode()
    except (TypeError, ValueError) as e:
        raise PreferError(f"the request cannot be written as JSON: {e}") from e


def _number(value: Any) -> Any:
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"{value!r} is not a number, text or truth value")


def _options(options: Sequence[OptionLike]) -> List[Dict[str, Value]]:
    return [plain(o) for o in options]


def _pairs(pairs: Sequence[Tuple[OptionLike, OptionLike]]) -> List[List[Dict[str, Value]]]:
    return [[plain(a), plain(b)] for a, b in pairs]


class Study:
    """One search for one favourite: `Study({"sugar": (0, 5), "milk": bool})`.

    It is kept by a process of this interpreter's own (private.py), which ends with it; `file` keeps it for longer: what is in the file goes on
    where it was. space.py tells what a `space` may be, and what is called what without a `name`. `config` has the other fields of a study
    file: prompt, budget, answers, seed, … Client.create and Client.study return those of a server that others share. The object holds no
    state: any number may be open at once, in any number of threads.
    """

    def __init__(self, space: Optional[SpaceLike] = None, name: str = "", file: Union[str, "os.PathLike[str]", None] = None, **config: Any):
        self._enter(*private.open_study(space, name, file, config))

    @classmethod
    def at(cls, transport: Transport, name: str) -> "Study":
        """The study of that name at the other end of a transport."""
        study = cls.__new__(cls)
        study._enter(transport, name)
        return study

    def _enter(self, transport: Transport, name: str) -> None:
        self.name = name
        self._transport = transport
        self._path = "/v1/studies/" + urllib.parse.quote(name, safe="")

    def __enter__(self) -> "Study":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        self.close()

    def close(self) -> None:
        """Closes connections that nobody uses. The study stays, and so does this object: its next request makes a new one."""
        self._transport.close()

    def __repr__(self) -> str:
        return f"Study({self.name!r})"

    def info(self) -> Dict[str, Any]:
        """The study as the server describes it: prompt, answers, people, space, answers_count, seq."""
        return dict(self._send("GET", "").json())

    def change(
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
        return dict(self._send("PATCH", "", body).json())

    def ask(
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
        return Question.read(self._ask(rater, fixed, hold, hold_best, budget_ms, blind=blind), rater)

    def ask_many(self, count: int, rater: str = "", fixed: Optional[Mapping[str, Value]] = None, budget_ms: Optional[int] = None) -> List[Question]:
        """Several questions to be answered in any order, chosen jointly: for judges that work in parallel."""
        if count < 1:
            raise PreferError(f"count = {count}, want at least 1")
        reply = self._ask(rater, fixed, None, False, budget_ms, count)
        return [Question.read(q, rater) for q in (reply["questions"] if count > 1 else [reply])]

    def _ask(self, rater: str, fixed: Optional[Mapping[str, Value]], hold: Optional[OptionLike], hold_best: bool, budget_ms: Optional[int], count: int = 1, blind: bool = False, repeats: Optional[float] = None) -> Any:
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
        return self._send("POST", "/ask", body, extra=count * (budget_ms or 0) / 1000).json()

    def tell(
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
        return self._tell(body, rt_ms, session, learn, key, note, meta, next)

    def observe(
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
        return self._tell(body, None, "", True, key, note, meta)

    def _tell(
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
        return Answer.read(self._send("POST", "/tell", body, query, {"Idempotency-Key": key}).json())

    def questions(
        self,
        rater: str = "",
        limit: Optional[int] = None,
        fixed: Optional[Mapping[str, Value]] = None,
        budget_ms: Optional[int] = None,
        budget: Optional[int] = None,
    ) -> Iterator[Question]:
        """Questions for one rater. Answer each before taking the next.

        They end when the verdict is an ending, the study's own budget included; when the rater has given `budget` answers, those of
        earlier sittings included and skips not; or after `limit` questions, skipped or not: 200 unless you say otherwise.
        """
        for name, value in (("limit", limit), ("budget", budget)):
            if value is not None and value < 1:
                raise PreferError(f"{name} = {value}, want at least 1")
        last = None
        for _ in range(MAX_QUESTIONS if limit is None else limit):
            if self._done(rater):
                return
            question = self.ask(rater, fixed, budget_ms=budget_ms)
            if question.id == last:
                raise PreferError(f'question {last} is still open: study.tell(question, "skip") if there is no answer to it')
            if question.status.done:  # all that a rater may know where results are not shown
                return
            if budget is not None and question.status.given >= budget:
                return
            yield question
            last = question.id

    def _done(self, rater: str) -> bool:
        try:
            return self.verdict(rater).done
        except DeniedError:
            return False

    def judge(
        self,
        judge: "Judges",
        parallel: int = 8,
        budget: int = 200,
        retries: int = 2,
        timeout: float = 60.0,
        backoff: float = 0.5,
        give_up: int = 12,
        repeats: float = 0.1,
        max_cost: float = 0.0,
        cost: float = 0.0,
        beyond: bool = False,
        fixed: Optional[Mapping[str, Value]] = None,
    ) -> "Judged":
        """Has a function answer, `parallel` questions at a time, until there is a verdict or `budget` questions are done; docs/guides/judges.md has the rules.

        The function, or coroutine function, takes a Question and returns "first", "second", "tie", "both_bad", "skip" ("A", "B", "1", "2"), or a mapping with "choice"
        and perhaps "strength", "note", "meta" and "cost". One that raises, returns anything else or takes longer than `timeout` is called again `retries`
        times, then the question is skipped: nothing is guessed. Several judges are a mapping of names to functions. The same call goes on where one was stopped.
        """
        from .judge import Limits, run

        return run(self, judge, Limits(parallel, budget, retries, timeout, backoff, give_up, repeats, max_cost, cost), beyond, fixed)

    def undo(self, answer: Optional[Answer] = None, rater: str = "") -> str:
        """Undoes an answer, or the rater's latest, and returns its id. Its question is open again."""
        if answer is not None:
            reply = self._send("DELETE", "/answers/" + urllib.parse.quote(answer.id, safe=""), repeatable=False)
        else:
            reply = self._send("POST", "/undo", {"rater": rater}, repeatable=False)
        return str(reply.json()["answer_id"])

    def best(self, rater: str = "", fixed: Optional[Mapping[str, Value]] = None) -> Best:
        """The best option so far, in a study per rater that of `rater`, among options with the `fixed` values."""
        return Best.read(self._send("GET", "/best", query={"rater": rater, **_fixed(fixed)}).json())

    def verdict(self, rater: str = "", fixed: Optional[Mapping[str, Value]] = None) -> Verdict:
        """The verdict, stop or go on, in a study per rater for `rater`, under the `fixed` values of contexts."""
        return Verdict.read(self._send("GET", "/verdict", query={"rater": rater, **_fixed(fixed)}).json())

    def contexts(self, rater: str = "") -> List[Tuple[Dict[str, Value], Verdict]]:
        """The verdict under every setting of the study's contexts; none in a study without."""
        reply = self._send("GET", "/contexts", query={"rater": rater}).json()
        standings = [Standing.read(c) for c in reply["contexts"]]
        return [(dict(s.fixed), s.verdict) for s in standings]

    def check(
        self,
        judge: Optional[Callable[[Question], Choice]] = None,
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
                    question = self.ask(rater, fixed, blind=True)
                except ConflictError as e:
                    if e.kind != "no_rival":
                        raise
                    break
                self.tell(question, judge(question))
        return BlindCheck.read(self._send("GET", "/check", query={"rater": rater, **_fixed(fixed)}).json())

    def take(self, take: bool, rater: str = "", option: Optional[OptionLike] = None) -> Taken:
        """Records whether a rater would take the pick, or another `option`; their latest answer about it counts."""
        body: Dict[str, Any] = {"take": take, "rater": rater}
        if option is not None:
            body["option"] = plain(option)
        return Taken.read(self._send("POST", "/take", body).json())

    def belief(
        self, params: Optional[Sequence[str]] = None, points: int = 41, rater: str = "", fixed: Optional[Mapping[str, Value]] = None, top: int = 20
    ) -> Belief:
        """Slices through the best option along `params` (all, if not given), what matters, and the `top` of the ranking, under the `fixed` values."""
        query = {"params": ",".join(params or ()), "points": points, "top": top, "rater": rater, **_fixed(fixed)}
        return Belief.read(self._send("GET", "/belief", query=query).json())

    def map(self, x: str, y: str, n: int = 31, rater: str = "", fixed: Optional[Mapping[str, Value]] = None) -> UtilityMap:
        """The utility on a grid of two parameters through the best option."""
        return UtilityMap.read(self._send("GET", "/map", query={"x": x, "y": y, "n": n, "rater": rater, **_fixed(fixed)}).json())

    def predict(self, options: Sequence[OptionLike], rater: str = "", fixed: Optional[Mapping[str, Value]] = None) -> List[Ranked]:
        """Utilities of options, with their uncertainty, in the order given."""
        return self._predict({"options": _options(options)}, rater, fixed).utilities

    def prefers(self, pairs: Sequence[Tuple[OptionLike, OptionLike]], rater: str = "", fixed: Optional[Mapping[str, Value]] = None) -> List[float]:
        """For every pair the probability that a rater who must choose takes its first option."""
        return self._predict({"pairs": _pairs(pairs)}, rater, fixed).p_first

    def joint(self, options: Sequence[OptionLike], rater: str = "", fixed: Optional[Mapping[str, Value]] = None) -> Joint:
        """The means of the utilities of up to 500 options, and their covariances."""
        found = self._predict({"options": _options(options), "joint": True}, rater, fixed)
        return Joint([u.mean for u in found.utilities], found.covariance)

    def samples(
        self, options: Sequence[OptionLike], n: int, seed: int = 0, rater: str = "", fixed: Optional[Mapping[str, Value]] = None
    ) -> List[List[float]]:
        """`n` joint draws of the utilities of options, a row each; the same for the same seed, and of more the first are the same."""
        return self._predict({"options": _options(options), "samples": n, "seed": seed or None}, rater, fixed).samples

    def gain(
        self,
        pairs: Sequence[Tuple[OptionLike, OptionLike]],
        method: Optional[Literal["kg", "eubo", "qeubo", "logei", "bald"]] = None,
        rater: str = "",
        fixed: Optional[Mapping[str, Value]] = None,
    ) -> Gains:
        """What questions about up to 100 given pairs would be worth if `rater` answered them, by the study's method or another: of kg
        exactly the knowledge gradient, as in Question.why of the pair that is asked."""
        body = {"pairs": _pairs(pairs), "method": method}
        return Gains.read(self._send("POST", "/gain", body, {"rater": rater, **_fixed(fixed)}).json())

    def _predict(self, body: Mapping[str, Any], rater: str, fixed: Optional[Mapping[str, Value]]) -> Prediction:
        return Prediction.read(self._send("POST", "/predict", body, {"rater": rater, **_fixed(fixed)}).json())

    def raters(self) -> List[Rater]:
        """All raters: number of answers, noise, self-consistency and carelessness."""
        return [Rater.read(r) for r in self._send("GET", "/raters").json()["raters"]]

    def group(self, fixed: Optional[Mapping[str, Value]] = None) -> Group:
        """The group of a study per rater: its pick, and the agreement between raters."""
        return Group.read(self._send("GET", "/group", query=_fixed(fixed)).json())

    def history(self) -> List[Entry]:
        """Every answer in order; undone ones are marked."""
        return [Entry.read(e) for e in self._send("GET", "/history").json()["answers"]]

    def events(self, last: Optional[int] = None) -> Changes:
        """Changes of the study as they happen: `for change in study.events()`. With `last`, the number of an event, only what came after."""
        return Changes(self._transport, self._path + "/events", last)

    def exclude(self, rater: Optional[str] = None, why: str = "", back: bool = False, origin: str = "") -> None:
        """Excludes a rater from what the group learns, or includes them again (`back`). Their answers stay. With `origin`, the id of an upload token, instead of a
        rater: all raters who uploaded with it."""
        self._send("POST", "/exclude", {"rater": rater, "origin": origin or None, "why": why or None, "back": back or None})

    def enqueue(self, option: OptionLike, rater: str = "") -> None:
        """Queues an option for one of the next questions."""
        self._send("POST", "/enqueue", {"option": plain(option), "rater": rater}, repeatable=False)

    def items(self) -> List[Dict[str, Any]]:
        """Every item that the list ever had; those that have left it are marked "left"."""
        return list(self._send("GET", "/items").json()["items"])

    def join(self, items: Sequence[Mapping[str, Any]]) -> int:
        """Adds items {"id", "media", "text", "features"} to the list, or brings them back; returns how many it has now."""
        return int(self._send("POST", "/items", {"items": [dict(i) for i in items]}, repeatable=False).json()["items_count"])

    def upload(self, files: Sequence[FileLike]) -> List[Upload]:
        """Uploads files for items: paths, or names with their bytes. Upload.media is the name to use in an item."""
        body, kind = form(files)
        reply = self._transport.request("POST", "/v1/media", body, {"study": self.name}, {"Content-Type": kind})
        return [Upload.read(f) for f in reply.json()["files"]]

    def join_files(self, files: Sequence[FileLike]) -> int:
        """Adds files to the list, an item each; returns how many it has now."""
        body, kind = form(files)
        reply = self._transport.request("POST", self._path + "/items", body, headers={"Content-Type": kind}, repeatable=False)
        return int(reply.json()["items_count"])

    def media(self, option: Union[Option, str]) -> bytes:
        """The media of an option, or at an address of media, as bytes: a picture, a sound, a film or a text."""
        url = option if isinstance(option, str) else option.media_url
        if not url.startswith("/"):
            raise PreferError(f"{option!r} has no media on the server")
        return self._transport.request("GET", url, headers={"Accept": "*/*"}).body

    def describe(self, item: str, text: str) -> None:
        """Sets the description of an item for people who cannot see it; empty removes it."""
        body = json.dumps({"item": item, "text": text}).encode()
        path = "/s/" + urllib.parse.quote(self.name, safe="") + "/describe"
        self._transport.request("POST", path, body, headers={"Content-Type": "application/json"})

    def leave(self, item: str) -> int:
        """Removes an item from the list; answers about it are kept and learned from. Returns the number of items."""
        return int(self._send("DELETE", "/items/" + urllib.parse.quote(item, safe=""), repeatable=False).json()["items_count"])

    def export(
        self,
        format: Literal["jsonl", "csv", "json", "people", "group", "agreement", "results", "chosen", "chosen-csv", "battles", "battles-csv"] = "jsonl",
    ) -> bytes:
        """The log in full (jsonl), a table with one row per answer (csv), tables of results (people, group, agreement), or what was chosen over what (chosen, battles;
        as tables of a list alone)."""
        return self._send("GET", "/export", query={"format": format}).body

    def pack(self) -> bytes:
        """The study as one HTML file that asks, learns and ends with no server."""
        return self._send("GET", "/pack", headers={"Accept": "text/html"}).body

    def results(self) -> Results:
        """Results: each rater's pick, its confidence and their reliability; the group's pick; agreement between raters."""
        return Results.read(self._send("GET", "/export", query={"format": "results"}).json())

    def import_(self, data: bytes, format: Literal["pairs", "jsonl"] = "pairs", texts: bool = False) -> Tuple[int, List[str]]:
        """Imports comparisons (docs/reference/formats.md); returns how many, and notes on what was left out.

        The same file again changes nothing. "jsonl", what export() returns, makes the study: there must be none of its
        name. `texts` says that what pairs have as chosen and rejected are texts, each an item, and no names.
        """
        reply = self._transport.request(
            "POST",
            self._path + "/import",
            data,
            {"format": format, "texts": "true" if texts else None},
            {"Content-Type": "application/octet-stream"},
            repeatable=format != "jsonl",
        ).json()
        return int(reply["answers"]), list(reply.get("notes") or [])

    def link(self, rater: str = "", everybody: bool = False, expires: Optional[Union[datetime, str]] = None) -> Link:
        """Creates a personal link for a rater, or a shared one that gives everyone their own name."""
        body = {"rater": rater or None, "everybody": everybody or None, "expires": moment(expires)}
        return Link.read(self._send("POST", "/links", body, repeatable=False).json())

    def rename(self, rater: str, name: str) -> None:
        """Sets the name of a rater on pages; empty restores it. Answers stay under the original name."""
        self._send("POST", "/rename", {"rater": rater, "name": name})

    def forget(self, rater: Optional[str] = None, origin: str = "") -> int:
        """Erases everything a rater said or was asked, with their links, and returns the number of records. It cannot be undone. With `origin`, the id of an
        upload token, instead of a rater: all raters who uploaded with it."""
        return int(self._send("POST", "/forget", {"rater": rater, "origin": origin or None}, repeatable=False).json()["removed"])

    def links(self) -> List[Link]:
        """The links that are not revoked, and guests of shared links, latest first; without their tokens."""
        return [Link.read(o) for o in self._send("GET", "/links").json()["links"]]

    def renew(self, link: Union[Link, str], expires: Optional[Union[datetime, str]] = None) -> Link:
        """Replaces a link by a new one for the same rater with the same expiry; the old one stops working."""
        return Link.read(self._send("POST", self._link(link) + "/renew", {"expires": moment(expires)}, repeatable=False).json())

    def withdraw(self, link: Union[Link, str]) -> None:
        """Revokes a link. Its answers are kept."""
        self._send("DELETE", self._link(link), repeatable=False)

    def allow_uploads(self, expires: Optional[Union[datetime, str]] = None) -> UploadLink:
        """Creates an upload address for logs of packed files; it allows nothing else."""
        return UploadLink.read(self._send("POST", "/uploads", {"expires": moment(expires)}, repeatable=False).json())

    def uploads(self) -> List[UploadLink]:
        """The upload addresses that are not revoked, latest first; without their tokens."""
        return [UploadLink.read(o) for o in self._send("GET", "/uploads").json()["uploads"]]

    def renew_uploads(self, link: Union[UploadLink, str], expires: Optional[Union[datetime, str]] = None) -> UploadLink:
        """Replaces an upload address; the old one stops working."""
        return UploadLink.read(self._send("POST", self._uploads(link) + "/renew", {"expires": moment(expires)}, repeatable=False).json())

    def withdraw_uploads(self, link: Union[UploadLink, str]) -> None:
        """Revokes an upload address. Uploaded answers are kept."""
        self._send("DELETE", self._uploads(link), repeatable=False)

    @staticmethod
    def _uploads(link: Union[UploadLink, str]) -> str:
        return "/uploads/" + urllib.parse.quote(link.id if isinstance(link, UploadLink) else link, safe="")

    @staticmethod
    def _link(link: Union[Link, str]) -> str:
        return "/links/" + urllib.parse.quote(link.id if isinstance(link, Link) else link, safe="")

    def simulate(
        self,
        raters: int = 24,
        noise: Sequence[str] = ("prior",),
        max_questions: int = 60,
        seed: int = 0,
        seconds_per_answer: float = 5.0,
    ) -> Job:
        """Estimates with simulated raters how many questions the study takes: study.simulate().wait().result.

        Returns at once. `noise` are levels: "prior" (as the model expects), "low", "high", a share of wrong answers like "20%", or
        σ in units of the utility's spread like "0.25". The same again is the same job.
        """
        body = {"raters": raters, "noise": list(noise), "max_questions": max_questions, "seed": seed, "seconds_per_answer": seconds_per_answer}
        return self._job("/simulations", body)

    def report(self, rater: str = "", title: str = "") -> Job:
        """Starts a report about the study as it is now: study.report().wait().page(). Returns at once.

        In a study per rater it is about the group, or with `rater` about them.
        """
        return self._job("/reports", {"rater": rater or None, "title": title or None})

    def jobs(self) -> List[Job]:
        """The simulations and reports of the study, the newest first."""
        return [Job(self._transport, self._path, e) for e in self._send("GET", "/jobs").json()["jobs"]]

    def _job(self, path: str, body: Mapping[str, Any]) -> Job:
        return Job(self._transport, self._path, self._send("POST", path, body).json())

    def delete(self) -> None:
        """Deletes the study and everything about it."""
        self._send("DELETE", "", repeatable=False)

    def plot(self, params: Optional[Sequence[str]] = None, points: int = 41, rater: str = "", fixed: Optional[Mapping[str, Value]] = None) -> "Figure":
        """Draws the slices of belief() with bands of two standard deviations; needs matplotlib."""
        from .plot import draw

        return draw(self.belief(params, points, rater, fixed), self.name)

    def widget(self, rater: str = "", fixed: Optional[Mapping[str, Value]] = None) -> Any:
        """Pairs to answer in a notebook, with pictures, sounds, pages, buttons and keys; needs anywidget.

        It asks and tells as `rater`, through the kernel. Its `done` says whether there was an ending.
        """
        from .widget import show

        return show(self, rater, fixed)

    def frame(
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
            return frames.table(self.export("csv"))
        if table == "people" or table == "group" or table == "agreement":
            return frames.table(self.export(table))
        if table == "history":
            return frames.history(self.history())
        if table == "raters":
            return frames.raters(self.raters())
        if table == "ranking":
            return frames.ranking(self.belief((), 2, rater, fixed, 1000).ranking)
        if table == "log":
            return frames.log(self.export("jsonl"))
        if table == "predictions":
            return frames.predictions(self.predict(options or (), rater, fixed))
        raise PreferError(f"table = {table!r}, want answers, people, group, agreement, history, raters, ranking, log or predictions")

    def _send(
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
        return self._transport.request(method, self._path + path, data, query, full, repeatable, extra)
