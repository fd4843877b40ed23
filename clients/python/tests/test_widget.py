import importlib.util
import sys
import unittest
from typing import Any, Dict
from unittest import mock

from prefer import Client, PreferError
from prefer.widget import Pair, _fill

from .serving import serving
from .test_openapi import picture

LINE = {"params": [{"name": "x", "low": 0, "high": 10}], "seed": 1}


def press(pair: Pair, choice: str, **more: Any) -> None:
    pair.hear({"kind": "tell", "question": pair.view["question"], "choice": choice, "strength": 0, "rt_ms": 1200, **more})


class PairTest(unittest.TestCase):
    def test_a_sitting(self) -> None:
        with serving() as url, Client(url) as client:
            study = client.create("line", {**LINE, "budget": 2, "prompt": "Which?"})
            pair = Pair(study, "anna")
            first = pair.view["question"]
            self.assertEqual((pair.view["state"], pair.view["prompt"], pair.view["undo"]), ("asking", "Which?", False))
            self.assertEqual(pair.view["choices"], ["first", "second", "tie", "both_bad", "skip"])
            self.assertEqual([s["kind"] for s in pair.view["sides"]], ["params", "params"])
            self.assertEqual(pair.view["progress"]["budget"], 2)
            press(pair, "first")
            self.assertNotEqual(pair.view["question"], first)
            press(pair, "first", question=first)  # pressed twice
            self.assertEqual(len(study.history()), 1)
            self.assertEqual(study.history()[0].answer.response_ns, 1_200_000_000)
            pair.hear({"kind": "undo"})
            self.assertEqual((pair.view["question"], pair.view["state"]), (first, "asking"))
            press(pair, "nonsense")
            self.assertIn("nonsense", pair.view["trouble"])
            press(pair, "tie")
            self.assertNotIn("trouble", pair.view)
            press(pair, "both_bad")
            self.assertEqual((pair.view["state"], pair.question), ("ended", None))
            self.assertTrue(pair.view["sentence"])
            self.assertEqual(pair.view["best"]["kind"], "params")
            pair.hear({"kind": "undo"})
            self.assertEqual(pair.view["state"], "asking")
            press(pair, "second")
            self.assertEqual(Pair(study, "anna").view["state"], "ended", "another sitting finds the end")
            kept = [e.answer for e in study.history() if not e.undone]
            self.assertEqual([a.choice for a in kept], ["tie", "first" if kept[1].swapped else "second"], "what was shown second")
            pair.hear({"kind": "dance"})
            study.delete()
            pair.hear({"kind": "undo"})
            self.assertIn("no such study", pair.view["trouble"])

    def test_pictures_pages_and_texts(self) -> None:
        with serving() as url, Client(url) as client:
            pictures = client.create("pictures", {"items": [{"id": "none", "text": "<b>words</b>"}, {"id": "other", "text": "more"}]})
            pictures.join_files([("a.png", picture(10)), ("b.png", picture(20))])
            for one in ("none", "other"):
                pictures.leave(one)
            sides = Pair(pictures).view["sides"]
            self.assertEqual([s["kind"] for s in sides], ["image", "image"])
            self.assertTrue(all(s["url"].startswith("data:image/png;base64,") for s in sides), sides)
            self.assertEqual({s["name"] for s in sides}, {"a.png", "b.png"})
            pictures.change(budget=1)
            pair = Pair(pictures)
            press(pair, "first")
            self.assertEqual((pair.view["state"], pair.view["best"]["kind"]), ("ended", "image"))
            words = client.create("words", {"items": [{"id": "a", "text": "<b>one</b>"}, {"id": "b", "text": "two"}]})
            self.assertEqual({s["text"] for s in Pair(words).view["sides"]}, {"<b>one</b>", "two"})
            drawn: Dict[str, Any] = {"kind": "svg", "text": "<svg xmlns='http://www.w3.org/2000/svg'><text>{{x}}</text></svg>"}
            svg = client.create("drawn", {**LINE, "page": {"template": drawn}})
            self.assertTrue(Pair(svg).view["sides"][0]["url"].startswith("data:image/svg+xml;base64,"))
            page = client.create("page", {**LINE, "page": {"template": {"kind": "html", "text": "<p>{{x}}</p>", "width": 300, "height": 200}}})
            side = Pair(page).view["sides"][0]
            self.assertEqual((side["kind"], side["width"]), ("page", 300))
            self.assertRegex(side["html"], r"<p>[\d.]+</p>")
            far = client.create("far", {**LINE, "answers": {"forced": True}, "page": {"template": {"kind": "image", "text": "https://example.org/{{x}}.png"}}})
            self.assertRegex(Pair(far).view["sides"][0]["url"], r"^https://example.org/[\d.]+\.png$")
            self.assertNotIn("tie", Pair(far).view["choices"])
            self.assertEqual(_fill("/{{ a b }}/{{c}}", {"a b": "x/y", "c": True}), "/x%2Fy/true")

    def test_without_anywidget(self) -> None:
        with serving() as url, Client(url) as client, mock.patch.dict(sys.modules, {"anywidget": None}):
            with self.assertRaisesRegex(PreferError, r"pip install 'prefer-bo\[notebook\]'"):
                client.create("line", LINE).widget()

    @unittest.skipUnless(importlib.util.find_spec("anywidget"), "anywidget is not installed")
    def test_the_widget(self) -> None:
        with serving() as url, Client(url) as client:
            study = client.create("line", LINE)
            widget = study.widget("anna")
            first = dict(widget.view)
            widget._hear(widget, {"kind": "tell", "question": first["question"], "choice": "first", "strength": 0, "rt_ms": 3}, [])
            self.assertNotEqual(widget.view["question"], first["question"])
            self.assertFalse(widget.done)
            turn = widget.view["turn"]
            for _ in range(2):  # the same trouble twice is a change twice
                widget._hear(widget, {"kind": "tell", "question": widget.view["question"], "choice": "?"}, [])
                self.assertGreater(widget.view["turn"], turn)
                turn = widget.view["turn"]
