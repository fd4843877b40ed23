import ast
import tempfile
import unittest
import warnings
from pathlib import Path

import prefer
from prefer.installed import warn_of_others

ROOT = Path(__file__).resolve().parents[1]


class InstalledTest(unittest.TestCase):
    def test_another_prefer(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            beside = Path(folder)
            (beside / "prefer_bo-0.1.0.dist-info").mkdir()
            (beside / "preference-1.0.dist-info").mkdir()
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                warn_of_others(beside)
            (beside / "prefer-2.0.dist-info").mkdir()
            with self.assertWarnsRegex(RuntimeWarning, "prefer-2.0.dist-info is installed in .*pip uninstall prefer prefer-bo, then"):
                warn_of_others(beside)

    def test_version(self) -> None:
        self.assertRegex(prefer.__version__, r"^(unknown|\d+\.\d+.*)$")
        with self.assertRaisesRegex(AttributeError, "has no attribute 'colour'"):
            prefer.__getattr__("colour")

    def test_syntax_of_3_9(self) -> None:
        files = [path for folder in ("prefer", "examples", "tests") for path in (ROOT / folder).rglob("*.py")]
        self.assertGreater(len(files), 20)
        for path in files:
            ast.parse(path.read_text(encoding="utf-8"), str(path), feature_version=(3, 9))
