"""Eight judges at once, as threads and as tasks. PREFER_LOAD=500 has them answer so many questions; a few dozen otherwise."""

import asyncio
import os
import threading
import traceback
import unittest
from collections import Counter
from typing import List

from prefer import AsyncClient, AsyncStudy, Choice, Client, Question, Study

from .serving import serving

JUDGES = 8
QUESTIONS = int(os.environ.get("PREFER_LOAD", "32"))
SPACE = {
    "params": [
        {"name": "temperature", "low": 0, "high": 2},
        {"name": "top_p", "low": 0.1, "high": 1},
        {"name": "style", "type": "categorical", "choices": ["plain", "steps", "terse"]},
    ],
    "seed": 3,
}


def judge(question: Question) -> Choice:
    def like(i: int) -> float:
        o = question.options[i]
        return -((float(o["temperature"]) - 0.7) ** 2) - (float(o["top_p"]) - 0.9) ** 2 + (0.5 if o["style"] == "steps" else 0)

    return "first" if like(0) > like(1) else "second"


class LoadTest(unittest.TestCase):
    def whole(self, study: Study, asked: List[Question]) -> None:
        """Nothing is lost, nothing counted twice, everybody has had their share, and all that is told can be read."""
        self.assertEqual(len({q.id for q in asked}), len(asked))
        self.assertEqual(len(asked), QUESTIONS // JUDGES * JUDGES)
        answers = study.history()
        self.assertEqual(len(answers), len(asked))
        self.assertEqual(Counter(e.rater for e in answers), {f"judge {i}": QUESTIONS // JUDGES for i in range(JUDGES)})
        self.assertTrue(all(q.why is not None for q in asked))
        self.assertEqual(study.verdict().answers, len(asked))
        self.assertEqual({r.name for r in study.raters()}, {f"judge {i}" for i in range(JUDGES)})
        if os.environ.get("PREFER_LOAD"):
            print(f"{len(asked)} questions, {sum(1 for q in asked if q.why and q.why.p_first is None)} without p_first")

    def test_threads(self) -> None:
        with serving() as url, Client(url) as client:
            study = client.create("judged", SPACE)
            asked: List[Question] = []
            wrong: List[str] = []

            def work(rater: str) -> None:
                try:
                    for _ in range(QUESTIONS // JUDGES):
                        question = study.ask(rater)
                        asked.append(question)
                        study.tell(question, judge(question))
                except BaseException:
                    wrong.append(traceback.format_exc())

            threads = [threading.Thread(target=work, args=(f"judge {i}",)) for i in range(JUDGES)]
            for t in threads:
                t.start()
            for t in threads:
                t.join()
            self.assertEqual(wrong, [])
            self.whole(study, asked)

    def test_tasks(self) -> None:
        asked: List[Question] = []

        async def work(study: AsyncStudy, rater: str) -> None:
            question = await study.ask(rater)
            for i in range(QUESTIONS // JUDGES):
                asked.append(question)
                told = await study.tell(question, judge(question), next=i + 1 < QUESTIONS // JUDGES)
                if told.next is not None:
                    question = told.next
                elif i + 1 < QUESTIONS // JUDGES:
                    question = await study.ask(rater)  # an ending: judges go on all the same

        async def all(url: str) -> None:
            async with AsyncClient(url) as client:
                study = await client.create("judged", SPACE)
                await asyncio.gather(*(work(study, f"judge {i}") for i in range(JUDGES)))

        with serving() as url, Client(url) as client:
            asyncio.run(all(url))
            self.whole(client.study("judged"), asked)
