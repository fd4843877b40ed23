import importlib.util
import sys
import unittest
from typing import Any, Mapping, Sequence
from unittest import mock

from prefer import Belief, Point, PreferError
from prefer.plot import draw


def belief(slices: Mapping[str, Sequence[Point]]) -> Belief:
    return Belief({"sugar": 1.0, "bean": "kenya"}, 3, slices, [], [], [])


SLICES: Mapping[str, Sequence[Point]] = {
    "sugar": [Point(0.0, -1.0, 0.5), Point(1.0, 1.0, 0.25), Point(2.0, 0.0, 0.5)],
    "bean": [Point("kenya", 1.0, 0.25), Point("brasil", -1.0, 0.5)],
}


class PlotTest(unittest.TestCase):
    def test_without_matplotlib(self) -> None:
        with mock.patch.dict(sys.modules, {"matplotlib": None, "matplotlib.figure": None}):
            with self.assertRaisesRegex(PreferError, "needs matplotlib: pip install"):
                draw(belief(SLICES), "coffee")

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")
    def test_drawing(self) -> None:
        figure = draw(belief(SLICES), "coffee")
        sugar, bean = figure.axes
        line: Any
        mark: Any
        line, mark = sugar.lines
        self.assertEqual([list(line.get_xdata()), list(line.get_ydata())], [[0, 1, 2], [-1, 1, 0]])
        self.assertEqual(list(mark.get_xdata()), [1, 1])
        self.assertEqual([sugar.get_xlabel(), bean.get_xlabel()], ["sugar", "bean"])
        figure.draw_without_rendering()
        self.assertEqual([t.get_text() for t in bean.get_xticklabels()], ["kenya", "brasil"])

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")
    def test_nothing_to_draw(self) -> None:
        with self.assertRaisesRegex(PreferError, "nothing to draw"):
            draw(belief({}), "list")
