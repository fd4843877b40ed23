import unittest
from typing import Any

from prefer import Client, Study

from .test_aio import load


class ReferenceTest(unittest.TestCase):
    def test_the_page_is_what_the_program_writes(self) -> None:
        program: Any = load("generate_reference")
        self.assertEqual(program.PAGE.read_text(encoding="utf-8"), program.generated(), "run python3 clients/python/generate_reference.py")

    def test_every_method_is_there(self) -> None:
        page = load("generate_reference").PAGE.read_text(encoding="utf-8")
        for of in (Study, Client):
            for method in vars(of):
                if not method.startswith("_"):
                    self.assertIn(f"- `{method}(", page, f"{of.__name__}.{method}")
