import csv
import io
import json
import math
import random
import sys
import threading
import unittest
from contextlib import ExitStack
from typing import Dict, List
from unittest import mock

from prefer import Answer, Choice, Client, ConflictError, InvalidError, NotFoundError, PreferError, Question, Study

from .proxy import Proxy
from .serving import serving

COFFEE = {"params": [{"name": "milk", "low": 0, "high": 0.5}, {"name": "grind", "low": 0.5, "high": 20, "log": True}], "seed": 1}
LINE = {"params": [{"name": "x", "low": 0, "high": 1}], "answers": {"forced": True}, "seed": 1}
PATIENT = 20_000  # ms: on a busy machine, too, the search ends by itself and the test asks the same questions


def taste(x: float) -> float:
    return -30 * (x - 0.3) ** 2


def answer(question: Question, rng: random.Random) -> Choice:
    d = taste(float(question.first["x"])) - taste(float(question.second["x"])) + rng.gauss(0, 0.3)
    return "first" if d > 0 else "second"


class StudyTest(unittest.TestCase):
    stack: ExitStack
    url: str
    client: Client

    @classmethod
    def setUpClass(cls) -> None:
        cls.stack = ExitStack()
        cls.addClassCleanup(cls.stack.close)
        cls.url = cls.stack.enter_context(serving())
        cls.client = cls.stack.enter_context(Client(cls.url))

    def create(self, config: Dict[str, object] = LINE) -> Study:  # one study per test, named after it
        return self.client.create(self.id().rpartition(".")[2], config)

    def log(self, study: Study, kind: str) -> List[Dict[str, object]]:
        lines = [json.loads(line) for line in study.export("jsonl").splitlines()[1:]]
        return [e for e in lines if e["kind"] == kind]

    def test_a_whole_study(self) -> None:
        study = self.create()
        rng = random.Random(4)
        asked = 0
        for question in study.questions("anna", limit=60, budget_ms=PATIENT):
            told = study.tell(question, answer(question, rng), rt_ms=1200, session="monday")
            asked += 1
            self.assertEqual(told.status.answers, asked)
        verdict = study.verdict()
        self.assertTrue(verdict.done, verdict)
        self.assertLess(asked, 60)
        self.assertEqual(verdict.best, study.best())
        self.assertAlmostEqual(float(verdict.best.option["x"]), 0.3, delta=0.15)
        self.assertGreaterEqual(verdict.best.confidence, 0.9)
        self.assertEqual(verdict.left, (0, 0))
        self.assertEqual(list(study.questions("anna")), [], "a study that is done asks nothing")
        self.assertEqual(study.info()["answers_count"], asked)

        belief = study.belief(points=11)
        self.assertEqual(belief.answers, asked)
        self.assertEqual([p.value for p in belief.slices["x"]], [i / 10 for i in range(11)])
        peak = max(belief.slices["x"], key=lambda p: p.mean)
        self.assertAlmostEqual(float(peak.value), float(belief.best["x"]), delta=0.1)
        self.assertEqual([i.parameter for i in belief.importance], ["x"])

        good, bad = study.predict([verdict.best.option, {"x": 1}])
        self.assertAlmostEqual(good.mean, verdict.best.mean, places=9)
        self.assertGreater(good.mean, bad.mean)
        forth, back = study.prefers([(verdict.best.option, {"x": 1}), ({"x": 1}, verdict.best.option)])
        self.assertGreater(forth, 0.9)
        self.assertAlmostEqual(forth + back, 1, places=9)

        with mock.patch.dict(sys.modules, {"matplotlib.figure": None}), self.assertRaisesRegex(PreferError, "needs matplotlib"):
            study.plot()

        rows = list(csv.DictReader(io.StringIO(study.export("csv").decode())))
        self.assertEqual(len(rows), asked)
        self.assertEqual({(r["rater"], r["session"], float(r["rt_ms"])) for r in rows}, {("anna", "monday", 1200.0)})

    def test_notes(self) -> None:
        study = self.create()
        study.tell(study.ask("anna"), "first", note="rounder", meta={"model": "m1", "tokens": 512, "cached": True}, key="k")
        study.observe({"x": 0.1}, {"x": 0.9}, rater="anna", note="from elsewhere", meta={"run": 2})
        told, observed = self.log(study, "answered")[0]["answered"], self.log(study, "observed")[0]["observed"]
        self.assertEqual((told["answer"]["note"], told["answer"]["meta"]), ("rounder", {"model": "m1", "tokens": 512, "cached": True}))  # type: ignore[index]
        self.assertEqual((observed["duel"]["answer"]["note"], observed["duel"]["answer"]["meta"]), ("from elsewhere", {"run": 2}))  # type: ignore[index]
        with self.assertRaises(InvalidError):
            study.tell(study.ask("anna"), "first", note="x" * 10_001)

    def test_first_is_what_is_shown_first(self) -> None:
        study = self.create()
        for _ in range(4):
            q = study.ask("anna")
            study.tell(q, "first")
        rows = csv.DictReader(io.StringIO(study.export("csv").decode()))
        self.assertEqual([r["choice"] for r in rows], ["left"] * 4)
        q = study.ask("anna")
        study.tell(q, "second")
        last = list(csv.DictReader(io.StringIO(study.export("csv").decode())))[-1]
        self.assertEqual((last["choice"], float(last["right.x"])), ("right", q.second["x"]))

    def test_asking_again_is_the_same_question(self) -> None:
        study = self.create()
        q = study.ask("anna")
        again = study.ask("anna")
        self.assertEqual((again.id, again.options), (q.id, q.options))
        self.assertNotEqual(study.ask("bo").id, q.id)

    def test_questions_want_answers(self) -> None:
        study = self.create()
        loop = study.questions("anna")
        q = next(loop)
        with self.assertRaisesRegex(PreferError, f"question {q.id} is still open"):
            next(loop)

    def test_questions_limit(self) -> None:
        study = self.create()
        for q in study.questions("anna", limit=3):
            study.tell(q, "skip")
        self.assertEqual(len(self.log(study, "answered")), 3)

    def test_questions_end_at_the_budget(self) -> None:
        study = self.create({**COFFEE, "budget": 3})
        choices: List[Choice] = ["first", "skip", "tie", "skip", "second", "first"]
        for rater in ("anna", "bo"):  # everybody has a budget of their own, and skips are no answers
            said = list(choices)
            for q in study.questions(rater):
                status = study.tell(q, said.pop(0)).status
            self.assertEqual(said, ["first"])
            self.assertEqual((status.given, status.budget, status.done), (3, 3, True))
            verdict = study.verdict(rater)
            self.assertEqual((verdict.kind, verdict.given, verdict.budget, verdict.done), ("budget_reached", 3, 3, True))
        self.assertEqual(verdict.answers, 6)
        self.assertFalse(study.verdict("cy").done)

    def test_questions_end_anyway(self) -> None:
        study = self.create()
        for q in study.questions("anna", budget=2):
            study.tell(q, "first")
        self.assertEqual(len(self.log(study, "answered")), 2)
        self.assertEqual(list(study.questions("anna", budget=2)), [], "those of earlier sittings count")
        with mock.patch("prefer.study.MAX_QUESTIONS", 4):
            for q in study.questions("anna"):
                study.tell(q, "skip")
        self.assertEqual(len(self.log(study, "answered")), 6)
        for wrong in (study.questions("anna", limit=0), study.questions("anna", budget=-1)):
            with self.assertRaisesRegex(PreferError, "want at least 1"):
                next(wrong)
        for field, value in (("budget", 0), ("budget", -2), ("tolerance", "1 salt")):
            with self.assertRaises(InvalidError) as caught:
                self.client.create("refused", {**LINE, field: value})
            self.assertEqual((caught.exception.errors[0].location, caught.exception.errors[0].value), (f"body.{field}", value))

    def test_conditions(self) -> None:
        study = self.create(COFFEE)
        q = study.ask("anna", fixed={"milk": 0.25})
        self.assertEqual([o["milk"] for o in q.options], [0.25, 0.25])
        q = study.ask("bo", hold={"milk": 0.1, "grind": 2})
        self.assertIn({"milk": 0.1, "grind": 2}, [o.params for o in q.options])
        q = study.ask("cy", hold=q.first)
        self.assertEqual(len(q.options), 2)
        with self.assertRaises(InvalidError) as caught:
            study.ask("dee", fixed={"sugar": 1})
        self.assertIn("sugar", caught.exception.detail)

    def test_contexts(self) -> None:
        noise = {"name": "noise", "type": "categorical", "choices": ["quiet", "babble"], "context": True}
        study = self.create({"params": [{"name": "gain", "low": 0, "high": 40}, noise]})
        with self.assertRaises(InvalidError) as caught:
            study.ask("anna")
        self.assertIn("noise", caught.exception.detail)
        for value in ("quiet", "babble", "quiet"):
            q = study.ask("anna", fixed={"noise": value})
            self.assertEqual([o["noise"] for o in q.options], [value, value])
            study.tell(q, "first")
        quiet = {"noise": "quiet"}
        self.assertEqual(study.best(fixed=quiet).option["noise"], "quiet")
        self.assertEqual(study.verdict(fixed=quiet).answers, 2)
        self.assertEqual(list(study.belief(fixed=quiet).slices), ["gain"])
        self.assertEqual([(f["noise"], v.answers) for f, v in study.contexts()], [("quiet", 2), ("babble", 1)])
        self.assertEqual(study.check(lambda question: "first", questions=1, fixed=quiet).pick["noise"], "quiet")
        with self.assertRaises(InvalidError):
            study.best()

    def test_many_questions_at_once(self) -> None:
        study = self.create(COFFEE)
        questions = study.ask_many(3, "pool")
        self.assertEqual(len({q.id for q in questions}), 3)
        for q in reversed(questions):
            study.tell(q, "tie")
        self.assertEqual(study.info()["answers_count"], 3)
        self.assertEqual(len(study.ask_many(1)), 1)

    def test_undo(self) -> None:
        study = self.create()
        first = study.tell(study.ask("anna"), "first")
        q = study.ask("anna")
        second = study.tell(q, "second")
        self.assertEqual(study.undo(first), first.id)
        self.assertEqual(study.undo(rater="anna"), second.id)
        self.assertEqual(study.info()["answers_count"], 0)
        with self.assertRaises(NotFoundError):
            study.undo(second)

    def test_check(self) -> None:
        study = self.create()
        with self.assertRaises(ConflictError) as none:
            study.check(lambda q: "first")
        self.assertEqual(none.exception.kind, "no_pick")
        rng = random.Random(4)
        for q in study.questions("anna", limit=12, budget_ms=PATIENT):
            study.tell(q, answer(q, rng))
        told = study.info()["answers_count"]
        self.assertEqual(study.check().kind, "unchecked")
        asked: List[Question] = []

        def judge(q: Question) -> Choice:
            asked.append(q)
            return "first" if taste(float(q.first["x"])) > taste(float(q.second["x"])) else "second"

        found = study.check(judge, rater="anna")
        self.assertEqual((len(asked), found.all.of, found.strong.of, found.random.of), (8, 8, 4, 4))
        self.assertTrue(all(q.blind and q.why is None for q in asked))
        better = [max(taste(float(o["x"])) for o in q.options) <= taste(float(found.pick["x"])) + 1e-9 for q in asked]
        self.assertEqual(found.all.won, sum(better))
        self.assertEqual(study.info()["answers_count"], told)
        study.take(False, "anna", found.pick)
        study.take(True, "anna", found.pick)  # of one option: a no to the pick may move it
        self.assertEqual((study.check().take, study.check().decline), (1, 0))
        with self.assertRaises(PreferError):
            study.check(judge, questions=0)

    def test_check_of_two(self) -> None:
        study = self.create({"items": [{"id": "tea"}, {"id": "rum"}], "seed": 2})
        study.tell(study.ask("anna"), "first")
        self.assertEqual(study.check(lambda q: "tie").all.of, 1, "one rival can be put against the pick once")

    def test_observe_and_enqueue(self) -> None:
        study = self.create(COFFEE)
        study.observe({"milk": 0.1, "grind": 2}, {"milk": 0.4, "grind": 9}, rater="lab")
        self.assertEqual(study.info()["answers_count"], 1)
        study.enqueue({"milk": 0.125, "grind": 3})
        q = study.ask("anna")
        self.assertIn(0.125, [o["milk"] for o in q.options])

    def test_a_list_of_items(self) -> None:
        study = self.create({"items": [{"id": n} for n in ("latte", "mocha", "ristretto", "cortado")], "seed": 2})
        for q in study.questions("anna", limit=12, budget_ms=PATIENT):
            ids = [o.item.id if o.item else "" for o in q.options]
            study.tell(q, "tie" if "mocha" not in ids else "first" if ids[0] == "mocha" else "second")
        self.assertEqual(study.best().option, {"item": "mocha"})
        first = study.belief().ranking[0]
        self.assertEqual((first.option, first.low), ({"item": "mocha"}, 1))
        self.assertGreater(first.shown, 0)
        self.assertGreater(study.prefers([("mocha", "latte")])[0], 0.5)
        self.assertEqual(study.join([{"id": "a/b c"}]), 5)
        self.assertEqual((study.leave("a/b c"), study.leave("mocha")), (4, 3))
        self.assertNotEqual(study.best().option, {"item": "mocha"})
        self.assertEqual([i["id"] for i in study.items() if i.get("left")], ["mocha", "a/b c"])

    def test_per_rater(self) -> None:
        study = self.create({**LINE, "people": "per_rater"})
        for rater, choose in (("low", min), ("high", max)):
            for q in study.questions(rater, limit=6, budget_ms=PATIENT):
                study.tell(q, "first" if q.first["x"] == choose(float(q.first["x"]), float(q.second["x"])) else "second")
        self.assertLess(float(study.best("low").option["x"]), float(study.best("high").option["x"]))
        with self.assertRaises(InvalidError):
            study.best()

    def test_change(self) -> None:
        study = self.create({**LINE, "people": "shared"})
        said: Dict[str, Choice] = {"anna": "first", "ben": "second"}
        for rater, choice in said.items():
            status = study.tell(study.ask(rater, budget_ms=PATIENT), choice).status
        self.assertEqual((status.raters, status.answers, status.found), (2, 2, ""))
        self.assertEqual(study.verdict().raters, 2)
        self.assertEqual(study.change(people="per_rater", budget=1)["people"], "per_rater")
        verdict = study.verdict("ben")
        self.assertEqual((verdict.raters, verdict.answers, verdict.kind), (1, 1, "budget_reached"))
        self.assertEqual(study.change(prompt="Which x?", budget=0).get("budget", 0), 0)
        self.assertEqual(study.ask("ben", budget_ms=PATIENT).prompt, "Which x?")
        self.assertEqual(study.change(own_duels=True)["settings"], {"own_duels": True})
        changed = study.change(show_result=True, checks={"repeat_rate": 0.1}, page={"paused": True})["settings"]
        self.assertEqual(changed, {"own_duels": True, "show_result": True, "checks": {"repeat_rate": 0.1}, "page": {"paused": True}})
        study.change(page={"paused": False})
        study.rename("anna", "Annabel")
        self.assertGreaterEqual(study.forget("anna"), 3)
        self.assertEqual(study.verdict("ben").answers, 1)
        with self.assertRaises(InvalidError):
            study.change()

    def test_import(self) -> None:
        study = self.create()
        study.tell(study.ask("anna"), "first")
        pairs = b'{"winner":{"x":0.3},"loser":{"x":0.9},"rater":"lab","mood":"good"}\n{"winner":{"x":0.25},"loser":{"x":0.7},"rater":"lab"}\n'
        for _ in range(2):
            self.assertEqual(study.import_(pairs)[0], 2)
            self.assertEqual(study.info()["answers_count"], 3, "the same file again changes nothing")
        self.assertEqual([e.answer.meta for e in study.history() if e.rater == "lab"], [{"mood": "good"}, None])
        with self.assertRaises(InvalidError):
            study.import_(b'{"winner":1}')

    def test_export_makes_the_same_study(self) -> None:
        study = self.create()
        for q in study.questions("anna", limit=6, budget_ms=PATIENT):
            study.tell(q, "first")
        twin = self.client.study(study.name + "-twin")
        self.assertEqual(twin.import_(study.export(), "jsonl"), (6, []))
        self.assertEqual(twin.best(), study.best())
        self.assertEqual(twin.export("csv").replace(twin.name.encode(), study.name.encode()), study.export("csv"))
        self.assertEqual(len(json.loads(study.export("json"))["events"]), 1 + 6 + 6)
        with self.assertRaises(ConflictError):
            twin.import_(study.export(), "jsonl")

    def test_the_same_key_is_the_same_answer(self) -> None:
        study = self.create()
        q = study.ask("anna")
        one, two = study.tell(q, "first", key="k1"), study.tell(q, "first", key="k1")
        with self.assertRaises(InvalidError) as refused:
            study.tell(q, "second", key="k1")
        self.assertEqual(refused.exception.type, "urn:prefer:key")
        self.assertEqual(one.id, two.id)
        self.assertEqual(len(self.log(study, "answered")), 1)

    def test_tell_by_id(self) -> None:
        study = self.create()
        q = study.ask("anna")
        told = study.tell(q.id, "first", next=True)
        assert told.next is not None
        self.assertEqual((told.status.given, told.next.rater), (1, "anna"))
        entry = study.history()[-1]
        self.assertEqual((entry.rater, entry.question), ("anna", q.id))
        with self.assertRaisesRegex(NotFoundError, '"q99"'):
            study.tell("q99", "first")
        with self.assertRaisesRegex(PreferError, "question = 7, want a Question or its id"):
            study.tell(7, "first")  # type: ignore[arg-type]

    def test_every_tell_has_a_key_of_its_own(self) -> None:
        study = self.create()
        with Proxy(self.url) as proxy, Client(proxy.url) as client:
            far = client.study(study.name)
            for _ in range(2):
                q = far.ask("anna")
                proxy.plan.append("lost")
                far.tell(q, "first")
            keys = [h["Idempotency-Key"] for method, path, h in proxy.seen if path.endswith("/tell")]
        self.assertEqual(len(keys), 4)
        self.assertEqual((keys[0], keys[2]), (keys[1], keys[3]))
        self.assertNotEqual(keys[0], keys[2])

    def test_a_bad_network_loses_and_doubles_nothing(self) -> None:
        study = self.create()
        rng = random.Random(8)
        answers: List[Answer] = []
        with Proxy(self.url) as proxy, Client(proxy.url) as client:
            far = client.study(study.name)
            while len(answers) < 15:
                proxy.plan.extend(t for t in ("lost", "twice", "never", "cut", "503", "502", "429") if rng.random() < 0.15)
                q = far.ask("anna")
                proxy.plan.extend(t for t in ("lost", "twice", "never", "cut", "503", "502", "429") if rng.random() < 0.3)
                answers.append(far.tell(q, "first"))
            troubled = len(proxy.seen) - 2 * len(answers)
        self.assertGreater(troubled, 10)
        self.assertEqual([e["answered"]["id"] for e in self.log(study, "answered")], [a.id for a in answers])  # type: ignore[index]
        self.assertEqual(len(self.log(study, "asked")), 15)

    def test_raters_at_once(self) -> None:
        study = self.create(COFFEE)
        failures: List[BaseException] = []

        def work(rater: str) -> None:
            try:
                for _ in range(5):
                    study.tell(study.ask(rater), "first")
            except BaseException as e:
                failures.append(e)

        threads = [threading.Thread(target=work, args=(f"rater{i}",)) for i in range(3)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(failures, [])
        self.assertEqual(study.info()["answers_count"], 15)

    def test_options_are_in_range(self) -> None:
        study = self.create(COFFEE)
        for q in study.questions("anna", limit=6):
            for o in q.options:
                self.assertTrue(0 <= float(o["milk"]) <= 0.5 and 0.5 <= float(o["grind"]) <= 20 and math.isfinite(float(o["milk"])))
            study.tell(q, "both_bad")
