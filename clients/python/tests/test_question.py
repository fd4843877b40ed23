import unittest
from typing import Any, Dict

from prefer import Foretold, Item, Option, Question, Status, Verdict
from prefer.question import plain


def shown(**changes: Any) -> Dict[str, Any]:
    question: Dict[str, Any] = {
        "question_id": "q3",
        "seq": 7,
        "kind": "pair",
        "prompt": "Which?",
        "rater": "anna#1",
        "options": [{"option_id": "q3b", "params": {"sugar": 2.5, "milk": True}}, {"option_id": "q3a", "params": {"sugar": 1, "milk": False}}],
        "shown_order": ["q3b", "q3a"],
        "repeat": False,
        "status": {"verdict": "keep_going", "confidence": 0.25, "left": [8, 19], "answers": 12, "at": 11, "sentence": "keep going"},
        "new_field": "of a later server",
    }
    return {**question, **changes}


class QuestionTest(unittest.TestCase):
    def test_read(self) -> None:
        q = Question.read(shown(), "anna")
        self.assertEqual((q.id, q.prompt, q.rater, q.repeat, q.why), ("q3", "Which?", "anna", False, None))
        self.assertEqual((q.first.id, q.first["sugar"], q.second.params), ("q3b", 2.5, {"sugar": 1, "milk": False}))
        self.assertEqual(q.status, Status("keep_going", 0.25, (8, 19), 12, "keep going", at=11))
        self.assertFalse(q.status.done)

    def test_read_owner_and_items(self) -> None:
        options = [
            {"option_id": "a", "item": {"id": "x.png", "media": "x.png"}, "media": {"type": "image", "url": "/m/s/x.png"}},
            {"option_id": "b", "item": {"id": "y", "text": "words"}},
        ]
        q = Question.read(shown(options=options, why={"method": "kg", "value": 0.5, "p_first": 0.75}), "")
        assert q.why is not None
        self.assertEqual((q.why.method, q.why.value, q.why.p_first), ("kg", 0.5, 0.75))
        busy = Question.read(shown(options=options, why={"method": "kg", "value": 0.5}), "").why
        self.assertTrue(busy is not None and busy.p_first is None, "the belief behind it was not at hand in time")
        self.assertEqual((q.first.item, q.first.media_url), (Item("x.png", "x.png", ""), "/m/s/x.png"))
        self.assertEqual((q.second.item, q.second.params), (Item("y", "", "words"), {}))

    def test_sitting(self) -> None:
        q = Question.read(shown(practice=True, status={"practice": 2, "break": 10, "blind_left": 8}), "")
        self.assertEqual((q.practice, q.status.practice, q.status.rest, q.status.blind_left), (True, 2, 10, 8))
        self.assertIs(Question.read(shown(), "").practice, False)

    def test_done(self) -> None:
        for verdict, done in (("keep_going", False), ("clear_winner", True), ("budget_reached", True), ("bored", True)):
            self.assertIs(Status(verdict, 0, (0, 0), 0, "").done, done)


    def test_old_and_new_servers(self) -> None:
        self.assertEqual(Status.read({}), Status("keep_going", None, (0, 0), 0, ""))
        status = Status.read({"verdict": "bored", "given": 3, "budget": 9, "late": True, "beats": 0.5, "foretold": {"right": 2, "of": 3, "score": 0.1}, "mood": 1})
        self.assertEqual((status.done, status.given, status.budget, status.late, status.beats, status.foretold), (True, 3, 9, True, 0.5, Foretold(2, 3, 0.1)))
        old = {"kind": "practical_tie", "best": {"option": {"x": 1}, "mean": 1, "sd": 0.5, "confidence": 0.9, "rival_close": 0.6}, "value": 0, "left": [0, 0], "sentence": "done"}
        verdict = Verdict.read(old)
        self.assertEqual((verdict.done, verdict.answers, verdict.best.beats, verdict.foretold, verdict.best.rival), (True, 0, 0, Foretold(), None))


class PlainTest(unittest.TestCase):
    def test_plain(self) -> None:
        self.assertEqual(plain({"x": 1}), {"x": 1})
        self.assertEqual(plain("mocha"), {"item": "mocha"})
        self.assertEqual(plain(Option("o", {"x": 2})), {"x": 2})
        self.assertEqual(plain(Option("o", {}, Item("mocha"))), {"item": "mocha"})
