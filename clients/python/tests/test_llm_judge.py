import contextlib
import io
import re
import unittest

from examples import llm_judge
from prefer import Option

from .serving import serving


class ExampleTest(unittest.TestCase):
    def test_runs_and_finds_the_best(self) -> None:
        out = io.StringIO()
        with serving() as url, contextlib.redirect_stdout(out):
            self.assertEqual(llm_judge.main([url, "--budget", "12"]), 0)
            self.assertEqual(llm_judge.main([url, "--budget", "28"]), 0)  # goes on where it was stopped
        text = out.getvalue()
        done = [int(n) for n in re.findall(r"^(\d+) questions, cost", text, re.M)]
        self.assertEqual(done[0], 12)
        self.assertTrue(12 < done[1] <= 28, f"{done[1]} questions: 12 of the first run, and some of the second until there was an ending")
        variant, temperature, tokens = re.findall(r"^best: (\w+), temperature ([\d.]+), (\d+) tokens$", text, re.M)[-1]
        # Of 10⁵ random settings 4.1 % are better than −0.4, and 11 % than −1.
        self.assertGreater(llm_judge.quality(Option("", {"variant": variant, "temperature": float(temperature), "max_tokens": int(tokens)})), -1)
        judges = re.findall(r"^(judge-\w+): noise [\d.]+, 1 being usual; chose the first \d+ of (\d+) times \[", text, re.M)
        self.assertEqual([name for name, _ in judges], ["judge-large", "judge-small"] * 2, text)
        self.assertLessEqual(abs(int(judges[2][1]) - int(judges[3][1])), 3, "in turn")
