import contextlib
import io
import re
import unittest
from typing import Dict

from examples import llm_judge
from prefer import Option

from .serving import serving


def option(variant: str, temperature: float, tokens: int) -> Option:
    return Option("", {"variant": variant, "temperature": temperature, "max_tokens": tokens})


class JudgeTest(unittest.TestCase):
    def test_both_orders(self) -> None:
        judge = llm_judge.Judge("j", noise=0.0, habit=0.5)
        best, near, far = option("step_by_step", 0.4, 320), option("step_by_step", 0.5, 320), option("plain", 0.4, 320)
        self.assertEqual((judge.choose(best, far), judge.choose(far, best)), ("first", "second"))
        self.assertTrue(judge.reads_better(best, near) and judge.reads_better(near, best), "what is read first seems better")
        self.assertEqual(judge.choose(best, near), "tie")

    def test_same_question_same_answer(self) -> None:
        a, b = option("plain", 0.2, 128), option("with_examples", 1.1, 700)
        for judge in llm_judge.JUDGES:
            self.assertEqual(len({judge.choose(a, b) for _ in range(5)}), 1)


class ExampleTest(unittest.TestCase):
    def test_runs_and_finds_the_best(self) -> None:
        out = io.StringIO()
        with serving() as url, contextlib.redirect_stdout(out):
            self.assertEqual(llm_judge.main([url, "--limit", "12"]), 0)
            self.assertEqual(llm_judge.main([url, "--limit", "12"]), 0)  # goes on where it was stopped
        text = out.getvalue()
        asked = re.findall(r"^ *\d+  (judge-\w+)  .*\?  (first|second|tie)$", text, re.M)
        count: Dict[str, int] = {name: sum(rater == name for rater, _ in asked) for name in ("judge-large", "judge-small")}
        self.assertLessEqual(abs(count["judge-large"] - count["judge-small"]), 1, "in turn")
        self.assertTrue(12 < len(asked) <= 24, f"{len(asked)} questions: 12 of the first run, and some of the second until there was an ending")
        self.assertIn("tie", [choice for _, choice in asked])
        found = re.findall(r"^best: (\w+), temperature ([\d.]+), (\d+) tokens$", text, re.M)[-1]
        # Of 10⁵ random settings 4.1 % are better than −0.4.
        self.assertGreater(llm_judge.quality(option(found[0], float(found[1]), int(found[2]))), -0.4)
        noise = {name: float(x) for name, x in re.findall(r"^(judge-\w+): noise ([\d.]+), ", text, re.M)}
        self.assertEqual(set(noise), {"judge-large", "judge-small"}, text)
