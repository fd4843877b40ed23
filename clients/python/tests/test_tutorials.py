import contextlib
import io
import os
import re
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from prefer import private

from .serving import binary

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = re.compile(r"```python\n(import prefer\n.*?)```", re.S)


class TutorialsTest(unittest.TestCase):
    """Every program in README.md and the tutorials that begins with `import prefer` runs, in a folder of its own, and prints something."""

    def test_programs(self) -> None:
        files = [ROOT / "README.md", *sorted((ROOT / "docs" / "tutorials").glob("*.md"))]
        programs = [(file.name, code) for file in files for code in PROGRAM.findall(file.read_text(encoding="utf-8"))]
        self.assertIn("README.md", [name for name, _ in programs])
        for name, code in programs:
            with self.subTest(name), contextlib.ExitStack() as stack:
                folder = stack.enter_context(tempfile.TemporaryDirectory())
                stack.callback(os.chdir, os.getcwd())
                os.chdir(folder)
                stack.enter_context(mock.patch.dict(os.environ, {"PREFER": binary()}))
                stack.callback(private.stop)
                said = stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
                exec(compile(code, name, "exec"), {"__name__": "__main__"})
                self.assertRegex(said.getvalue(), r"\S")
