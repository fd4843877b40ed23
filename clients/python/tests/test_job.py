import json
import unittest
from contextlib import ExitStack
from typing import Any, Dict, List
from unittest import mock

from prefer import Client, Job, InvalidError, NotFoundError, NotOverError, PreferError, Study

from .serving import serving

TEAS: Dict[str, object] = {"items": [{"id": n} for n in ("assam", "darjeeling", "keemun")], "method": "random", "seed": 1}
PATIENCE = 120.0  # seconds


class JobTest(unittest.TestCase):
    client: Client

    @classmethod
    def setUpClass(cls) -> None:
        stack = ExitStack()
        cls.addClassCleanup(stack.close)
        cls.client = stack.enter_context(Client(stack.enter_context(serving())))

    def create(self) -> Study:
        return self.client.create(self.id().rpartition(".")[2], TEAS)

    def test_simulate(self) -> None:
        study = self.create()
        seen: List[int] = []
        job = study.simulate(raters=3, noise=["prior", "20%"], max_questions=12, seconds_per_answer=10)
        self.assertEqual((job.kind, job.parts), ("simulation", 6))
        self.assertIs(job.wait(PATIENCE, lambda e: seen.append(e.done)), job)
        self.assertEqual((job.state, job.done, job.over, seen[-1]), ("done", 6, True, 6))
        result = job.result
        assert result is not None
        self.assertEqual((result.raters, result.max_questions, [v.noise for v in result.levels]), (3, 12, ["prior", "20%"]))
        for level in result.levels:
            self.assertEqual((level.finished, level.good.of, level.verdicts.of), (3, 3, 3))
            self.assertEqual(list(level.questions), [0.1, 0.25, 0.5, 0.75, 0.9])
            self.assertEqual([b.questions for b in level.budgets], [10])
            self.assertIn("at 10 s per answer", level.sentence)
        self.assertIn("Simulated people", result.caveat)
        again = study.simulate(raters=3, noise=["prior", "20%"], max_questions=12, seconds_per_answer=10)
        self.assertEqual((again.id, again.state, again.result), (job.id, "done", result))
        self.assertEqual([e.id for e in study.jobs()], [job.id])
        job.drop()
        self.assertEqual(study.jobs(), [])
        with self.assertRaises(NotFoundError):
            job.refresh()

    def test_simulate_refused(self) -> None:
        study = self.create()
        with self.assertRaises(InvalidError) as caught:
            study.simulate(raters=100_000)
        self.assertEqual(caught.exception.errors[0].location, "body.raters")
        with self.assertRaises(InvalidError) as caught:
            study.simulate(noise=["loud"])
        self.assertEqual(caught.exception.errors[0].location, "body.noise[0]")

    def test_report(self) -> None:
        study = self.create()
        study.tell(study.ask("zelda"), "first")
        job = study.report(title="Which tea")
        page = job.wait(PATIENCE).page().decode()
        self.assertTrue(job.url.endswith("/page"))
        self.assertIn("<title>Which tea", page)
        self.assertIn("zelda", page)
        with self.assertRaises(InvalidError):
            study.report(rater="zelda")  # they share one utility


class WaitTest(unittest.TestCase):
    """Waiting, on replies of a server's that are made up."""

    def job(self, *replies: Dict[str, Any]) -> Job:
        transport = mock.Mock()
        full = [{"job": "simulation-1", "kind": "simulation", "parts": 4, **r} for r in replies]
        transport.request.side_effect = [mock.Mock(json=lambda r=r: json.loads(json.dumps(r))) for r in full[1:]]
        return Job(transport, "/v1/studies/x", full[0])

    def test_fails(self) -> None:
        job = self.job({"state": "running", "done": 1, "workers": 2}, {"state": "failed", "done": 3, "failure": "out of paper"})
        with mock.patch("time.sleep"), self.assertRaisesRegex(PreferError, "simulation-1 failed: out of paper"):
            job.wait()
        self.assertEqual((job.done, job.over), (3, True))

    def test_timeout(self) -> None:
        for workers, said in ((2, "1 of 4 parts are done"), (0, "no worker is running")):
            job = self.job({"state": "waiting", "done": 1, "workers": workers})
            with self.assertRaisesRegex(NotOverError, said):
                job.wait(timeout=0)

    def test_pauses_grow(self) -> None:
        job = self.job(*[{"state": "running", "done": i // 4, "workers": 1} for i in range(12)], {"state": "done", "done": 4})
        with mock.patch("time.sleep") as sleep:
            job.wait()
        pauses = [c.args[0] for c in sleep.call_args_list]
        self.assertEqual(pauses, sorted(pauses))
        self.assertEqual((pauses[0], pauses[-1]), (0.1, 2.0))
