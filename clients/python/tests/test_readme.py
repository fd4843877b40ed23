import contextlib
import io
import os
import re
import tempfile
import unittest
from pathlib import Path
from typing import List
from unittest import mock

import prefer
from prefer import Client, private

from .serving import binary, serving

README = Path(__file__).resolve().parents[1] / "README.md"


class Enough(Exception):
    pass


class ReadmeTest(unittest.TestCase):
    """Every program in the README runs, in a folder of its own."""

    def setUp(self) -> None:
        self.programs = [code for code in re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.S)]
        self.stack = contextlib.ExitStack()
        self.addCleanup(self.stack.close)
        folder = self.stack.enter_context(tempfile.TemporaryDirectory())
        self.stack.callback(os.chdir, os.getcwd())
        os.chdir(folder)
        self.stack.enter_context(mock.patch.dict(os.environ, {"PREFER": binary()}))
        self.stack.callback(private.stop)
        self.said = self.stack.enter_context(contextlib.redirect_stdout(io.StringIO()))

    def run_program(self, code: str) -> None:
        exec(compile(code, str(README), "exec"), {"__name__": "__main__"})

    def test_all_are_run(self) -> None:
        self.assertEqual([code.count("prefer.connect") for code in self.programs], [0, 0, 1])
        self.assertLessEqual(len([line for line in self.programs[0].splitlines() if line.strip()]), 5)

    def test_the_shortest(self) -> None:
        self.run_program(self.programs[0])
        self.assertRegex(self.said.getvalue(), r"^\{'bean': '(arabica|robusta)', 'milk': (True|False), 'sugar': [\d.]+\} \w+")
        self.assertEqual(os.listdir("."), [])

    def test_a_file_that_is_run_again(self) -> None:
        for said in (["1", "2", ""], ["1"]):

            def answer(prompt: str, said: List[str] = said) -> str:
                if not said:
                    raise Enough
                return said.pop(0)

            with mock.patch("builtins.input", answer), self.assertRaises(Enough):
                self.run_program(self.programs[1])
            private.stop()  # as the end of the interpreter does
        log = prefer.Study(file="coffee.db").export("csv").decode().splitlines()
        choices = [dict(zip(log[0].split(","), row.split(",")))["choice"] for row in log[1:]]
        self.assertEqual(choices, ["left", "right", "tie", "left"])

    def test_a_server_that_others_share(self) -> None:
        with serving() as url:
            self.assertIn("http://127.0.0.1:8080", self.programs[2])
            self.run_program(self.programs[2].replace("http://127.0.0.1:8080", url))
            with Client(url) as client:
                self.assertEqual(client.study("coffee").info()["budget"], 30)
        self.assertIn("['coffee']", self.said.getvalue())
