import fractions
import json
import math
import tempfile
import unittest
from pathlib import Path
from typing import Any

from prefer import PreferError
from prefer.space import config


class SpaceTest(unittest.TestCase):
    def test_parameters(self) -> None:
        cases: Any = [
            ((0, 5), {"type": "float", "low": 0, "high": 5}),
            ((0.1, 10, "log"), {"type": "float", "low": 0.1, "high": 10, "log": True}),
            ((0, 360, "circular"), {"type": "float", "low": 0, "high": 360, "circular": True}),
            ((1, 8, "int", "context"), {"type": "int", "low": 1, "high": 8, "context": True}),
            ((fractions.Fraction(1, 2), 1), {"type": "float", "low": 0.5, "high": 1}),
            (range(1, 9), {"type": "int", "low": 1, "high": 8}),
            (range(0, 21, 2), {"type": "int", "low": 0, "high": 20, "step": 2}),
            (range(0, 20, 3), {"type": "int", "low": 0, "high": 18, "step": 3}),
            (["arabica", "robusta"], {"type": "categorical", "choices": ["arabica", "robusta"]}),
            ([8, 16, 32], {"type": "ordinal", "choices": [8, 16, 32]}),
            (bool, {"type": "bool"}),
            ({"type": "ordinal", "choices": ["S", "M"]}, {"type": "ordinal", "choices": ["S", "M"]}),
        ]
        for value, want in cases:
            with self.subTest(value=value):
                self.assertEqual(config({"x": value}), {"params": [{"name": "x", **want}]})

    def test_order_is_kept(self) -> None:
        self.assertEqual([p["name"] for p in config({"b": bool, "a": bool})["params"]], ["b", "a"])

    def test_lists(self) -> None:
        self.assertEqual(config(["cat", "dog"]), {"items": [{"id": "cat"}, {"id": "dog"}]})
        self.assertEqual(config(["cat", "a\ndog"]), {"items": [{"id": "1", "text": "cat"}, {"id": "2", "text": "a\ndog"}]})
        self.assertEqual(config(["cat", "x" * 81])["items"][1], {"id": "2", "text": "x" * 81})
        items = [{"id": "a", "features": {"hue": 1}}, {"id": "b", "features": {"hue": 2}}]
        self.assertEqual(config(items), {"items": items})
        params = [{"name": "x", "low": 0, "high": 1}]
        self.assertEqual(config(params), {"params": params})

    def test_study_files(self) -> None:
        self.assertEqual(config({"params": {"x": (0, 1)}, "seed": 3}), {"params": [{"name": "x", "type": "float", "low": 0, "high": 1}], "seed": 3})
        self.assertEqual(config({"items": ["a", "b"], "prompt": "?"}), {"items": [{"id": "a"}, {"id": "b"}], "prompt": "?"})
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "study.json"
            path.write_text(json.dumps({"params": [], "seed": 1}))
            self.assertEqual(config(path), {"params": [], "seed": 1})
            self.assertEqual(config(str(path)), config(path))
            path.write_text("{")
            with self.assertRaisesRegex(PreferError, "study.json is not JSON"):
                config(path)
            path.write_text("[]")
            with self.assertRaisesRegex(PreferError, "holds a list, want an object"):
                config(path)

    def test_misuse(self) -> None:
        cases: Any = [
            (7, "space = 7, want parameters like"),
            (b"coffee.db", "want parameters like"),
            ("coffee.db", "file='coffee.db' opens"),
            ({"x": 7}, "parameter 'x' = 7, want"),
            ({"x": int}, "parameter 'x' = <class 'int'>, want"),
            ({"x": {"a", "b"}}, "want .low, high."),
            ({"x": (0,)}, "want two numbers"),
            ({"x": ("S", "M", "L")}, '"ordinal"'),
            ({"x": (0, math.inf)}, "want two numbers that are finite"),
            ({"x": (math.nan, 1)}, "want two numbers that are finite"),
            ({"x": (False, True)}, "want two numbers"),
            ({"x": (0, 1, "logarithmic")}, "'logarithmic' says nothing, want one of log, circular, int, context"),
            ({"x": range(3, 0, -1)}, "the lowest first"),
            ({"x": range(1)}, "at least two"),
            ({"x": [3, 1, 2]}, "want the lowest first"),
            ({3: (0, 1)}, "called 3, want a text"),
            (["a", 3], "item 0 = 'a', want texts for all"),
        ]
        for space, want in cases:
            with self.subTest(space=space), self.assertRaisesRegex(PreferError, want):
                config(space)
