import unittest
from typing import Any

from .test_aio import load


class ReferenceTest(unittest.TestCase):
    def test_the_page_is_what_the_program_writes(self) -> None:
        program: Any = load("generate_reference")
        self.assertEqual(program.PAGE.read_text(encoding="utf-8"), program.generated(), "run python3 clients/python/generate_reference.py")
