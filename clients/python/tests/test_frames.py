import importlib.util
import sys
import unittest
from unittest import mock

from prefer import Client, PreferError, frames

from .serving import serving


class FramesTest(unittest.TestCase):
    def test_without_pandas(self) -> None:
        with mock.patch.dict(sys.modules, {"pandas": None}):
            with self.assertRaisesRegex(PreferError, r"pip install 'prefer-bo\[pandas\]'"):
                frames.raters([])

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "pandas is not installed")
    def test_tables(self) -> None:
        with serving() as url, Client(url) as client:
            study = client.create("sound", {"params": [{"name": "loud", "low": 0, "high": 10}], "people": "per_rater"})
            for rater in ("007", "NA", "cy"):  # neither a number nor missing
                for _ in range(2):
                    question = study.ask(rater)
                    study.tell(question, "first" if float(question.first["loud"]) < float(question.second["loud"]) else "second", rt_ms=900)
            answers = study.frame()
            self.assertEqual(list(answers["rater"]), ["007", "007", "NA", "NA", "cy", "cy"])
            self.assertEqual(str(answers["time"].dt.tz), "UTC")
            self.assertTrue((answers["rt_ms"] == 900).all())
            people = study.frame("people").set_index("rater")
            for rater in ("007", "NA", "cy"):
                self.assertAlmostEqual(people.loc[rater, "pick.loud"], float(study.best(rater).option["loud"]), 12)
            self.assertEqual(len(study.frame("agreement")), 3)
            self.assertEqual(study.frame("group")["people"][0], 3)
            history = study.frame("history")
            self.assertEqual([list(history["rater"]), len(history["first.loud"])], [["007", "007", "NA", "NA", "cy", "cy"], 6])
            self.assertEqual(list(history["response_ns"]), [900_000_000] * 6)
            raters = study.frame("raters").set_index("name")
            self.assertEqual(raters.loc["NA", "left.of"], 2)
            log = study.frame("log")
            self.assertEqual(list(log["kind"])[:3], ["created", "asked", "answered"])
            self.assertEqual(list(log["seq"]), list(range(1, len(log) + 1)))
            wanted = [{"loud": 1.0}, {"loud": 9.0}]
            predictions = study.frame("predictions", rater="cy", options=wanted)
            self.assertEqual([list(predictions["loud"]), list(predictions["mean"])], [[1.0, 9.0], [u.mean for u in study.predict(wanted, "cy")]])
            ranking = study.frame("ranking", rater="cy")
            self.assertAlmostEqual(ranking["loud"][0], float(study.best("cy").option["loud"]), 12)
            with self.assertRaisesRegex(PreferError, "table = 'tea'"):
                study.frame("tea")  # type: ignore[arg-type]

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "pandas is not installed")
    def test_nothing_yet(self) -> None:
        with serving() as url, Client(url) as client:
            study = client.create("new", {"params": [{"name": "x", "low": 0, "high": 1}]})
            for table in (study.frame(), study.frame("people"), study.frame("group"), study.frame("agreement"), study.frame("history"), study.frame("raters")):
                self.assertEqual(len(table), 0)
            self.assertEqual(len(study.frame("log")), 1)
