import asyncio
import contextlib
import io
import re
import threading
import unittest
from contextlib import ExitStack
from typing import Any, Dict, List

from prefer import Client, PreferError, Question, Study
from prefer.judge import Failure, JudgeError, Said, read

from .serving import ROOT, serving

TEA = {"params": [{"name": "leaves", "low": 0, "high": 1}], "seed": 1, "prompt": "Which cup?"}


def honest(question: Question) -> str:
    return "A" if abs(float(question.first["leaves"]) - 0.3) < abs(float(question.second["leaves"]) - 0.3) else "B"


class ReadTest(unittest.TestCase):
    def test_answers(self) -> None:
        for reply, want in [("first", "first"), (" tie\n", "tie"), ("A", "first"), ("b", "second"), ("2", "second"), ({"choice": "skip"}, "skip"), ('{"choice": "both_bad"}', "both_bad")]:
            self.assertEqual(read(reply).choice, want)
        said = read({"choice": "second", "strength": 1, "note": "why", "meta": {"model": "m1", "n": 3, "ok": True}, "cost": 0.5}, grades=1)
        self.assertEqual(said, Said("second", 1, "why", {"model": "m1", "n": 3, "ok": True}, 0.5))

    def test_rubbish(self) -> None:
        long: Dict[str, Any] = {f"n{i}": i for i in range(31)}
        for reply, reason in [
            ("", "nothing"), (None, "nothing"), (" \n", "nothing"), ("I think first", "rubbish"), ("first second", "rubbish"), ("First", "rubbish"), ("first\nsecond", "rubbish"), (1, "rubbish"),
            (True, "rubbish"), (["first"], "rubbish"), ("{", "rubbish"), ('{"choice": "first"} so', "rubbish"), ('{"choice": "first", "choice": "second"}', "rubbish"), ({"choice": "left"}, "rubbish"),
            ({}, "rubbish"), ({"choice": "first", "why": 1}, "rubbish"), ({"choice": "first", "strength": 1}, "rubbish"), ({"choice": "first", "strength": True}, "rubbish"),
            ({"choice": "first", "cost": -1}, "rubbish"), ({"choice": "first", "cost": float("nan")}, "rubbish"), ({"choice": "first", "cost": "1"}, "rubbish"), ({"choice": "first", "note": 7}, "rubbish"),
            ({"choice": "first", "note": "x" * 10_001}, "rubbish"), ({"choice": "first", "meta": {"a": [1]}}, "rubbish"), ({"choice": "first", "meta": {"cost": 1}}, "rubbish"),
            ({"choice": "first", "meta": {"": 1}}, "rubbish"), ({"choice": "first", "meta": {"a": float("inf")}}, "rubbish"), ({"choice": "first", "meta": long}, "rubbish"), (" " * (1 << 20) + "first", "too_long"),
        ]:  # fmt: skip
            with self.assertRaises(Failure, msg=repr(reply)[:80]) as raised:
                read(reply)
            self.assertEqual(raised.exception.reason, reason, repr(reply)[:80])
        with self.assertRaises(Failure):
            read("tie", forced=True)


class DocumentedTest(unittest.TestCase):
    """The program of docs/guides/judges.md, with a model that writes down what it is sent."""

    def test_the_model_reads_the_texts(self) -> None:
        (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "guides" / "judges.md").read_text(encoding="utf-8"), re.S)
        texts = ["Be brief.", "Think step by step, then answer.", "Answer as a pirate."]
        sent: List[str] = []

        class Model:
            def complete(self, prompt: str) -> str:
                sent.append(prompt)
                return "A" if "\nA: Be brief." in prompt else "B"

        with serving() as url, Client(url) as client, contextlib.redirect_stdout(io.StringIO()):
            short = client.create("short", {"items": texts, "seed": 1})
            exec(compile(code, "docs/guides/judges.md", "exec"), {"model": Model(), "study": short})
            made = client.create("made-without-texts", {"items": [{"id": t} for t in texts], "seed": 1})
            shown = [o.item.text for o in made.ask().options if o.item]
        self.assertGreater(len(sent), 1)
        for prompt in sent:
            asked = [line[3:] for line in prompt.splitlines() if line.startswith(("A: ", "B: "))]
            self.assertEqual((len(set(asked)), set(asked) <= set(texts)), (2, True), prompt)
        self.assertLess(set(shown), set(texts))


class JudgeTest(unittest.TestCase):
    client: Client

    @classmethod
    def setUpClass(cls) -> None:
        stack = ExitStack()
        cls.addClassCleanup(stack.close)
        cls.client = stack.enter_context(Client(stack.enter_context(serving())))

    def create(self) -> Study:
        return self.client.create(self.id().rpartition(".")[2], TEA)

    def entries(self, study: Study) -> List[Dict[str, Any]]:
        return list(study._send("GET", "/history").json()["answers"])

    def test_verdict(self) -> None:
        study = self.create()
        lock, now, most, calls = threading.Lock(), 0, 0, 0
        two = threading.Barrier(2, timeout=60)  # the first two calls wait for each other, however busy the machine is

        def judge(question: Question) -> Dict[str, Any]:
            nonlocal now, most, calls
            with lock:
                now, calls = now + 1, calls + 1
                most = max(most, now)
                early = calls <= 2
            if early:
                two.wait()
            with lock:
                now -= 1
            return {"choice": {"A": "first", "B": "second"}[honest(question)], "note": "by " + question.id, "meta": {"model": "m1"}, "cost": 0.5}

        result = study.judge(judge, parallel=4, budget=80, repeats=0.2)
        entries = self.entries(study)
        self.assertEqual((result.ended, result.calls, result.done), ("verdict", len(entries), len(entries)))
        self.assertTrue(result.verdict.done)
        self.assertAlmostEqual(float(result.verdict.best.option["leaves"]), 0.3, delta=0.15)
        self.assertTrue(1 < most <= 4, most)
        self.assertEqual(result.cost, 0.5 * len(entries))
        self.assertEqual({e["answer"]["note"] == "by " + e["question"] and e["answer"]["meta"]["model"] for e in entries}, {"m1"})
        tally = result.judges["judge"]
        self.assertEqual((tally.answers, tally.first.of, tally.agreed.of, tally.failures), (len(entries), len(entries), tally.repeats, 0))
        self.assertGreater(tally.repeats, 0)
        self.assertEqual(tally.agreed.count, tally.agreed.of, "an honest judge agrees with itself")
        again = study.judge(judge, budget=80)
        self.assertEqual((again.calls, again.done, again.ended, again.cost), (0, result.done, "verdict", result.cost))

    def test_failures(self) -> None:
        study = self.create()
        left: List[threading.Event] = []

        def judge(question: Question) -> Any:
            kind = int(question.id[1:]) % 4
            if kind == 1:
                raise ValueError("no key")
            if kind == 2:
                return "I would say first"
            if kind == 3:
                left.append(threading.Event())
                left[-1].wait(30)
            return honest(question)

        result = study.judge(judge, parallel=4, budget=12, retries=1, backoff=0.01, timeout=0.2, give_up=1000, repeats=0, cost=1.0, beyond=True)
        for event in left:
            event.set()
        tally = result.judges["judge"]
        self.assertEqual(dict(tally.failed), {"error": 3, "rubbish": 3, "timeout": 3})
        self.assertEqual((result.ended, result.done, tally.answers, tally.skips, result.calls, result.cost), ("budget", 12, 3, 0, 21, 21.0))
        for e in self.entries(study):
            skipped = "failed" in e["answer"].get("meta", {})
            self.assertEqual(e["answer"]["choice"] == "skip", skipped)
            if skipped:
                self.assertRegex(e["answer"]["note"], r"^no answer in 2 tries, the last: (error: ValueError: no key|rubbish: 'I would say first' is not an answer|timeout: )")

    def test_gives_up_and_goes_on(self) -> None:
        study = self.create()
        with self.assertRaisesRegex(JudgeError, "judge 'judge' failed 6 times in a row, the last: rubbish") as raised:
            study.judge(lambda q: "hm", parallel=2, backoff=0.01, give_up=6, retries=5)
        assert raised.exception.result is not None
        self.assertEqual((raised.exception.result.ended, raised.exception.result.judges["judge"].answers), ("gave_up", 0))
        result = study.judge(honest, parallel=2, budget=6, beyond=True)
        self.assertEqual((result.done, result.calls), (6, 6))
        self.assertEqual({e["question"] for e in self.entries(study)}, {f"q{i}" for i in range(1, 7)}, "what was open is asked again")

    def test_async_and_several(self) -> None:
        async def quick(question: Question) -> str:
            await asyncio.sleep(0.02)
            return honest(question)

        async def hangs(question: Question) -> str:
            if question.id == "q3":
                await asyncio.sleep(60)
            return honest(question)

        result = self.create().judge({"quick": quick, "hangs": hangs}, parallel=4, budget=12, timeout=0.3, retries=0, beyond=True)
        self.assertEqual(result.done, 12)
        self.assertLessEqual(abs(result.judges["quick"].answers - result.judges["hangs"].answers), 2)
        self.assertEqual(sum(t.failed.get("timeout", 0) for t in result.judges.values()), result.judges["hangs"].failed.get("timeout", 0))
        self.assertIsNotNone(result.judges["quick"].noise)

    def test_cost_ends_it(self) -> None:
        result = self.create().judge(honest, parallel=1, cost=1.0, max_cost=3.0, beyond=True)
        self.assertEqual((result.ended, result.done, result.cost), ("max_cost", 3, 3.0))

    def test_refused(self) -> None:
        study = self.create()
        wrong: List[Dict[str, Any]] = [{"parallel": 0}, {"parallel": 1000}, {"budget": 0}, {"retries": -1}, {"timeout": 0}, {"repeats": 0.9}, {"cost": -1}]
        for given in wrong:
            with self.assertRaisesRegex(PreferError, rf"^{list(given)[0]} = "):
                study.judge(honest, **given)
        for judges in ({}, {"": honest}, {"a": 3}):
            with self.assertRaises(PreferError):
                study.judge(judges)  # type: ignore[arg-type]
