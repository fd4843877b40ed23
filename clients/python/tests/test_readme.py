import contextlib
import io
import re
import unittest
from pathlib import Path
from typing import List
from unittest import mock

from prefer import Client, Study

from .serving import serving

README = Path(__file__).resolve().parents[1] / "README.md"


class Enough(Exception):
    pass


class ReadmeTest(unittest.TestCase):
    def test_the_loop_runs(self) -> None:
        (code,) = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.S)
        self.assertLessEqual(len([line for line in code.splitlines() if line.strip()]), 12)
        said: List[str] = ["1", "2", "", "1"]

        def answer(prompt: str) -> str:
            if not said:
                raise Enough
            return said.pop(0)

        with serving() as url:
            self.assertIn("http://127.0.0.1:8080", code)
            program = compile(code.replace("http://127.0.0.1:8080", url), str(README), "exec")
            with mock.patch("builtins.input", answer), contextlib.redirect_stdout(io.StringIO()), self.assertRaises(Enough):
                exec(program, {})
            with Client(url) as client:
                log = client.study("coffee").export("csv").decode().splitlines()
        choices = [dict(zip(log[0].split(","), row.split(",")))["choice"] for row in log[1:]]
        self.assertEqual(choices, ["left", "right", "tie", "left"])

    def test_the_table_is_whole(self) -> None:
        text = README.read_text(encoding="utf-8")
        for name, of in (("study", Study), ("client", Client)):
            for method in vars(of):
                if not method.startswith("_") and method not in ("at", "close"):
                    self.assertIn(f"`{name}.{method}(", text, f"What there is does not name {name}.{method}")
