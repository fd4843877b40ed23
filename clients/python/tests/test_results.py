import csv
import io
import unittest
from typing import Dict

from prefer import Client, Study

from .serving import serving

LIKES = {"ann": 2.0, "bo": 8.0, "cy": 7.0}


def play(study: Study, likes: Dict[str, float], answers: int) -> None:
    for _ in range(answers):
        for rater, at in likes.items():
            question = study.ask(rater)
            first, second = (abs(float(o["loud"]) - at) for o in (question.first, question.second))
            study.tell(question, "first" if first < second else "second")


class ResultsTest(unittest.TestCase):
    def test_everybody_as_she_is_told(self) -> None:
        with serving() as url, Client(url) as client:
            study = client.create("sound", {"params": [{"name": "loud", "low": 0, "high": 10}], "people": "per_rater", "method": "random"})
            play(study, LIKES, 4)
            results = study.results()
            self.assertEqual([row["rater"] for row in results.people], ["ann", "bo", "cy"])
            for row in results.people:
                rater = str(row["rater"])
                best, verdict = study.best(rater), study.verdict(rater)
                self.assertEqual(row["pick.loud"], best.option["loud"])
                self.assertEqual((row["utility"], row["sd"], row["confidence"]), (best.mean, best.sd, best.confidence))
                self.assertEqual((row["verdict"], row["answers"], row["given"]), (verdict.kind, verdict.answers, 4))
                self.assertIsNone(row["noise"], "each has a utility of their own")
            pairs = {(row["rater_a"], row["rater_b"]): float(row["agreement"] or 0) for row in results.agreement}
            self.assertEqual(list(pairs), [("ann", "bo"), ("ann", "cy"), ("bo", "cy")])
            self.assertGreater(pairs["bo", "cy"], pairs["ann", "bo"])
            self.assertEqual(results.group[0]["people"], 3)
            self.assertEqual(results.config_sha256, study.info()["config_sha256"])
            for table, rows in (("people", results.people), ("group", results.group), ("agreement", results.agreement)):
                read = list(csv.DictReader(io.StringIO(study.export(table).decode())))  # type: ignore[arg-type]
                self.assertEqual([list(row) for row in read], [list(row) for row in rows], "columns, in order")
                self.assertEqual([row["study"] for row in read], ["sound"] * len(rows))
                for text, row in zip(read, rows):
                    for name, cell in row.items():
                        if cell is None or isinstance(cell, bool):
                            self.assertEqual(text[name], {None: "", True: "true", False: "false"}[cell])
                        else:
                            self.assertEqual(type(cell)(text[name]), cell)

    def test_nothing_yet(self) -> None:
        with serving() as url, Client(url) as client:
            results = client.create("new", {"params": [{"name": "x", "low": 0, "high": 1}]}).results()
            self.assertEqual((results.people, results.group, results.agreement), ([], [], []))
