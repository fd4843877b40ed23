"""prefer.research against numbers of another stack (gp/testdata and acquisition/testdata say which), and against itself."""

import contextlib
import gc
import importlib
import io
import json
import math
import os
import re
import sys
import unittest
from typing import Any, Callable, Dict, List, Mapping, Tuple
from unittest import mock

from prefer.errors import ArgumentError, EndedError, PreferError

from .serving import ROOT, binary

try:
    import numpy as np
except ImportError:
    raise unittest.SkipTest("prefer.research needs numpy") from None

from prefer import research
from prefer.research import Floats, Hyper, Model


def reference(package: str) -> Any:
    return json.loads((ROOT / package / "testdata" / "reference.json").read_text(encoding="utf-8"))


def hill(x: Floats) -> Floats:
    """A taste for (3, 0.2), on [0, 5] × [0, 1]."""
    out: Floats = -((x[..., 0] - 3) ** 2) / 4 - 8 * (x[..., 1] - 0.2) ** 2
    return out


def duels(n: int = 25, seed: int = 0) -> Tuple[Floats, Floats, Any]:
    rng = np.random.default_rng(seed)
    a, b = rng.random((n, 2)) * [5, 1], rng.random((n, 2)) * [5, 1]
    return a, b, np.where(hill(a) > hill(b), 1, -1)


BOX: Dict[str, Any] = {"lower": 0, "upper": [5, 1]}


def differences(f: Callable[[Floats], Floats], x: Floats, h: float) -> Floats:
    """Central differences of a row-wise function."""
    out = np.empty_like(x)
    for at in np.ndindex(x.shape[1:]):
        step = np.zeros(x.shape[1:])
        step[at] = h
        out[(slice(None), *at)] = (f(x + step) - f(x - step)) / (2 * h)
    return out


class ResearchTest(unittest.TestCase):
    model: Model

    @classmethod
    def setUpClass(cls) -> None:
        patch = mock.patch.dict(os.environ, {"PREFER": binary()})
        patch.start()
        cls.addClassCleanup(patch.stop)
        cls.model = research.fit_duels(*duels(), **BOX)

    def pairs(self, n: int = 6, seed: int = 1) -> Floats:
        return np.random.default_rng(seed).random((n, 2, 2)) * [5, 1] * 0.98 + 0.01

    def test_variational_reference(self) -> None:
        """Posterior, evidence, hyper-parameters and acquisitions of the paper's surrogate, by BoTorch and GPyTorch."""
        for case, other in zip(reference("gp")["variational"]["cases"], reference("acquisition")["variational"]["cases"]):
            hyper = Hyper(tuple(case["lengthscale"]), case["outputscale"])
            for nodes, want in ((20, case["fixed_hypers_20_nodes"]), (100, case["fixed_hypers_100_nodes"])):
                model = research.fit_duels(case["win"], case["lose"], inference="sparse", hyper=hyper, sparse={"points": case["Z"], "nodes": nodes})
                mean, cov = model.posterior(case["test"])
                np.testing.assert_allclose(mean, want["mean"], rtol=1e-6, atol=1e-6)
                np.testing.assert_allclose(cov, want["cov"], rtol=1e-6, atol=1e-6)
                self.assertAlmostEqual(model.evidence, want["elbo"], delta=1e-7)
            model = research.fit_duels(case["win"], case["lose"], inference="laplace", hyper=hyper)
            mean, cov = model.posterior(case["test"])
            np.testing.assert_allclose(mean, case["laplace"]["mean"], rtol=1e-8, atol=1e-8)
            np.testing.assert_allclose(cov, case["laplace"]["cov"], rtol=1e-8, atol=1e-8)

            learned = research.fit_duels(case["win"], case["lose"], inference="sparse", sparse={"points": case["Z"]}, tolerance=1e-5)
            best = case["map_20_nodes"]
            np.testing.assert_allclose(learned.hyper.lengthscale, best["lengthscale"], rtol=1e-4)
            self.assertAlmostEqual(learned.hyper.outputscale / best["outputscale"], 1, delta=1e-4)
            self.assertAlmostEqual(learned.evidence + learned.log_prior, best["objective"], delta=1e-7)

            model = research.fit_duels(other["win"], other["lose"], inference="sparse", hyper=hyper, sparse={"points": other["Z"]})
            acq = other["acquisition"]
            order = [0, 1, 3, 2]  # theirs has the first option's win first
            points = np.asarray(acq["points"])
            top = model.recommend().mean
            self.assertAlmostEqual(top, acq["max_mean"], delta=1e-8)
            value, gradient = model.acquisition("kg").one_shot(points[:, order])
            np.testing.assert_allclose(value + top, acq["kg"], rtol=1e-8, atol=1e-8)
            np.testing.assert_allclose(gradient[:, order], acq["kg_gradient"], rtol=1e-7, atol=1e-7)
            np.testing.assert_allclose(model.acquisition("eubo").value(points[:, :2]), acq["eubo"], rtol=1e-8, atol=1e-8)
            np.testing.assert_allclose(model.acquisition("kg").value([acq["kg_argmax"][:2]]) + top, acq["kg_max"], rtol=1e-8)
            self.assertGreaterEqual(model.search("kg").value, acq["kg_max"] - top - 1e-6)
            self.assertGreaterEqual(model.search("eubo").value, acq["eubo_max"] - 1e-7)

    def test_gradients(self) -> None:
        x = self.pairs()[:, 0]
        np.testing.assert_allclose(self.model.mean_gradient(x), differences(self.model.mean, x, 1e-6), rtol=1e-6, atol=1e-6)
        draw = self.model.draw(1, seed=3)
        np.testing.assert_allclose(draw.gradient(x)[0], differences(lambda y: draw(y)[0], x, 1e-6), rtol=1e-5, atol=1e-5)
        for name in ("kg", "eubo", "logei", "bald"):
            acq = self.model.acquisition(name, seed=2)
            value, gradient = acq.value_and_gradient(self.pairs())
            np.testing.assert_array_equal(value, acq.value(self.pairs()))
            np.testing.assert_allclose(gradient, differences(acq.value, self.pairs(), 1e-5), rtol=1e-4, atol=1e-5)

    def test_kg_by_monte_carlo(self) -> None:
        """E max E[f | answer], from draws of the joint posterior alone: the best option after each answer is chosen by one half of the draws
        and valued by the other."""
        grid = np.stack(np.meshgrid(np.linspace(0, 5, 11), np.linspace(0, 1, 8)), -1).reshape(-1, 2)
        rng, half = np.random.default_rng(8), 40_000
        some = self.pairs(100, seed=5)
        worth = self.model.acquisition("kg").value(some)
        for pair in (self.model.search("kg").pair, some[worth.argmax()], some[worth.argsort()[-3]]):
            tops = [self.model.recommend().x] + [self.model.condition(pair[0], pair[1], o).recommend().x for o in (1, -1)]
            draws = self.model.sample(np.concatenate([pair, tops, grid]), 2 * half, seed=4)
            first = draws[:, 0] - draws[:, 1] + self.model.hyper.noise * rng.standard_normal(2 * half) > 0
            choose, judge = draws[:half, 2:], draws[half:, 2:]
            taken = np.where(first[half:], choose[first[:half]].mean(0).argmax(), choose[~first[:half]].mean(0).argmax())
            rise = judge[np.arange(half), taken] - judge[:, 0]
            error = rise.std() / math.sqrt(half)
            exact = self.model.acquisition("kg").value([pair])[0]
            self.assertGreater(exact, 5 * error, "a gain that is lost in the noise tests nothing")
            self.assertLess(abs(rise.mean() - exact), 4 * error, f"{rise.mean()} ± {error}, exact {exact}")

    def test_own_acquisition(self) -> None:
        """EUBO in a few lines of Python, with and without its gradient, and prefer's own handed in as a function, find what "eubo" finds."""
        from math import erf

        phi = np.vectorize(lambda u: 0.5 * (1 + erf(u / math.sqrt(2))))

        def mine(pairs: Floats) -> Floats:
            m, cov = self.model.moments(pairs)
            s = np.sqrt(cov[:, 0, 0] + cov[:, 1, 1] - 2 * cov[:, 0, 1])
            u = (m[:, 0] - m[:, 1]) / s
            out: Floats = m[:, 1] + s * (np.exp(-u * u / 2) / math.sqrt(2 * math.pi) + u * phi(u))
            return out

        acq = self.model.acquisition("eubo")
        want = self.model.search("eubo", seed=1)
        np.testing.assert_allclose(mine(self.pairs()), acq.value(self.pairs()), rtol=1e-12)
        for found in (
            self.model.search(mine, seed=1),
            self.model.search(acq.value, seed=1),
            self.model.search(acq.value_and_gradient, seed=1, gradient=True),
            self.model.search(acq, seed=1),
        ):
            self.assertAlmostEqual(found.value, want.value, delta=1e-8)
            np.testing.assert_allclose(acq.value([found.pair]), found.value, rtol=1e-12)
        one, two = self.model.search(mine, seed=1), self.model.search(mine, seed=1)
        np.testing.assert_array_equal(one.pair, two.pair)

    def test_own_acquisition_in_bounds(self) -> None:
        """Bounds and a held option are kept to the bit, and a pair of −∞ is asked only where there is no other."""
        acq = self.model.acquisition("eubo")
        where: Dict[str, Any] = {"lower": [1, 0.5], "upper": [2, 0.75], "seed": 1}
        held: List[Dict[str, Any]] = [{}, {"hold": [5, 1]}]
        for more in held:
            want = self.model.search("eubo", **where, **more)
            for found in (self.model.search(acq.value, **where, **more), self.model.search(acq.value_and_gradient, gradient=True, **where, **more)):
                self.assertAlmostEqual(found.value, want.value, delta=1e-8)
                self.assertTrue(((found.b >= [1, 0.5]) & (found.b <= [2, 0.75])).all(), found)
                self.assertEqual(list(found.a) == [5, 1], bool(more), found)
        half = self.model.search(lambda pairs: np.where(pairs[:, :, 0].min(1) < 4, -np.inf, acq.value(pairs)))
        self.assertGreaterEqual(half.pair[:, 0].min(), 4)
        self.assertAlmostEqual(half.value, self.model.search("eubo", lower=[4, 0], upper=[5, 1]).value, delta=1e-4)
        none = self.model.search(lambda pairs: (np.full(len(pairs), -np.inf), np.full(pairs.shape, np.nan)), gradient=True)
        self.assertEqual(none.value, -np.inf)
        same = self.model.search(lambda pairs: -np.abs(pairs[:, 0] - pairs[:, 1]).sum(1))
        self.assertFalse(np.array_equal(same.a, same.b), "a question has two options")

    def test_own_acquisition_fails(self) -> None:
        def ink(pairs: Floats) -> Floats:
            raise ZeroDivisionError("out of ink")

        with self.assertRaisesRegex(ZeroDivisionError, "out of ink"):
            self.model.search(ink)
        wrong: List[Tuple[Any, Mapping[str, Any], str]] = [
            (lambda pairs: pairs, {}, r"values of shape \(\d+, 2, 2\), want \(\d+,\)"),
            (lambda pairs: pairs.sum((1, 2)) * np.nan, {}, r"value\[0\] = nan, want a number"),
            (lambda pairs: "good", {}, "values of the function is not an array of numbers"),
            (lambda pairs: (pairs.sum((1, 2)), pairs), {}, "gradient=True"),
            (lambda pairs: pairs.sum((1, 2)), {"gradient": True}, "want a tuple of values and gradients"),
            (lambda pairs: (pairs.sum((1, 2)), pairs[:, 0]), {"gradient": True}, "gradients of shape"),
            (lambda pairs: (pairs.sum((1, 2)), pairs + np.inf), {"gradient": True}, r"gradient\[0, 0, 0\] = inf, want a number"),
            (lambda pairs: pairs.sum((1, 2)), {"effort": {"starts": -1}}, "Search.Starts = -1"),
            (lambda pairs: pairs.sum((1, 2)), {"hold": [9, 0]}, r"hold\[0\]\[0\] = 9, want 0 to 5"),
            (lambda pairs: pairs.sum((1, 2)), {"lower": 1, "upper": 1}, "a question needs two"),
            (lambda pairs: pairs.sum((1, 2)), {"step": 2}, "step = 2"),
            (7, {}, "acquisition is a int, want a name or a function"),
        ]
        for f, more, message in wrong:
            with self.assertRaisesRegex(PreferError, message):
                self.model.search(f, **more)
        self.model.recommend()

    def test_bounds(self) -> None:
        """Bounds are a change of units: the model in the unit cube is the same, with gradients by the chain rule."""
        a, b, o = duels()
        unit = research.fit_duels(a / [5, 1], b / [5, 1], o)
        x = self.pairs()[:, 0]
        np.testing.assert_allclose(unit.posterior(x / [5, 1])[1], self.model.posterior(x)[1], rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(unit.mean_gradient(x / [5, 1]) / [5, 1], self.model.mean_gradient(x), rtol=1e-8, atol=1e-9)
        np.testing.assert_allclose(unit.recommend().x * [5, 1], self.model.recommend().x, atol=1e-4)
        for name in ("kg", "eubo", "qeubo", "logei", "bald", "thompson", "random"):
            q = self.model.search(name, lower=[1, 0.5], upper=[2, 0.75])
            self.assertTrue(((q.pair >= [1, 0.5]) & (q.pair <= [2, 0.75])).all(), (name, q))
        self.assertEqual(list(self.model.search("kg", hold=[5, 1]).a), [5, 1])

    def test_answers(self) -> None:
        a, b, _ = duels(60)
        gap = hill(a) - hill(b)
        o = np.where(abs(gap) < 0.3, 0, np.sign(gap) * np.where(abs(gap) > 2, 2, 1))
        model = research.fit_duels(a, b, o, **BOX, rater=np.arange(60) % 2)
        self.assertEqual((model.ties, model.grades, len(model.hyper.cuts), len(model.hyper.raters)), (True, 1, 2, 2))
        fantasy = model.search("kg").fantasy
        assert fantasy is not None
        self.assertEqual(fantasy.shape, (5, 2))
        given = research.fit_duels(a, b, o, **BOX, rater=np.arange(60) % 2, hyper=model.hyper)
        np.testing.assert_allclose(given.posterior(a)[1], model.posterior(a)[1], rtol=1e-8, atol=1e-8)
        same = research.fit(np.concatenate([a, b]), np.stack([np.arange(60), 60 + np.arange(60)], 1), o, **BOX, rater=np.arange(60) % 2)
        self.assertEqual(same.evidence, model.evidence)

    def test_moments(self) -> None:
        pairs = self.pairs()
        mean, cov = self.model.posterior(pairs.reshape(-1, 2))
        m, c = self.model.moments(pairs)
        np.testing.assert_allclose(m.ravel(), mean, rtol=1e-10, atol=1e-10)
        for i in range(len(pairs)):
            np.testing.assert_allclose(c[i], cov[2 * i : 2 * i + 2, 2 * i : 2 * i + 2], rtol=1e-10, atol=1e-10)
        self.assertEqual(self.model.moments(pairs[:0])[1].shape, (0, 2, 2))

    def test_sample_and_condition(self) -> None:
        x = self.pairs()[:, 1]
        mean, cov = self.model.posterior(x)
        draws = self.model.sample(x, 20_000, seed=9)
        self.assertLess(abs((draws.mean(0) - mean) / np.sqrt(np.diag(cov) / len(draws))).max(), 5)
        np.testing.assert_allclose(np.cov(draws.T), cov, atol=0.05 * cov.max())
        after = self.model.condition(x[0], x[1], -1)
        self.assertLess(after.mean(x[:1])[0] - after.mean(x[1:2])[0], mean[0] - mean[1])
        c = cov[:, 0] - cov[:, 1]
        v = c[0] - c[1] + self.model.hyper.noise**2
        shrink = (cov - after.posterior(x)[1]) / np.outer(c, c) * v
        np.testing.assert_allclose(shrink, shrink[0, 0], rtol=1e-5)  # one direction, that of Lemma 3.1

    def test_rubbish(self) -> None:
        a, b, o = duels(4)
        fit: Any = research.fit_duels
        calls: Dict[str, Callable[[], Any]] = {
            r"a\[0\]\[0\] = .*, want 0 to 1": lambda: fit(a, b, o),
            r"A has the shape \(2,\), want n × d": lambda: fit(a[0], b, o),
            r"A is not an array of numbers": lambda: fit([["x"]], b, o),
            r"a has 0 rows": lambda: fit(a[:0], b[:0], **BOX),
            r"b has 3 rows and a has 4": lambda: fit(a, b[:3], o, **BOX),
            r"a\[1\]\[0\] = NaN": lambda: fit(np.where(np.arange(8).reshape(4, 2) == 2, np.nan, a), b, o, **BOX),
            r"outcome has 3 numbers, want 4": lambda: fit(a, b, o[:3], **BOX),
            r"outcome has .* want a whole number": lambda: fit(a, b, o + 0.5, **BOX),
            r"rater": lambda: fit(a, b, o, **BOX, rater=[-1, 0, 0, 0]),
            r"priors has 'length'": lambda: fit(a, b, o, **BOX, priors={"length": "flat"}),
            r"shape > 0 and rate > 0": lambda: fit(a, b, o, **BOX, priors={"lengthscale": "gamma(0,1)"}),
            r"unknown inference \"mcmc\"": lambda: fit(a, b, o, **BOX, inference="mcmc"),
            r"noise = -1": lambda: fit(a, b, o, **BOX, noise=-1),
            r"unknown field \"length\"": lambda: fit(a, b, o, **BOX, hyper={"length": 1}),
            r"upper = ": lambda: fit(a, b, o, upper=[1, 2, 3]),
            r"pairs\[0\]\[1\] = 4, want a row of X, 0 to 3": lambda: research.fit(a, [[0, 4]], **BOX),
            r"rows of X; points go to fit_duels": lambda: research.fit(a, b, **BOX),
            r"pairs has the shape \(2, 2\), want m × 2 × 2": lambda: self.model.acquisition("kg").value(a[:2]),
            r"acquisition = \"kgg\"": lambda: self.model.search("kgg"),
            r"\"thompson\" has no value": lambda: self.model.acquisition("thompson").value(self.pairs()),
            r"outcome = 0 is not on offer": lambda: self.model.condition([1, 1], [2, 0], 0),
            r"Search.Starts = -1": lambda: self.model.search("kg", effort={"starts": -1}),
        }
        for message, call in calls.items():
            with self.subTest(message), self.assertRaisesRegex(PreferError, message):
                call()
        self.assertEqual(self.model.acquisition("eubo").value(np.empty((0, 2, 2))).shape, (0,))

    def test_document(self) -> None:
        """The examples of docs/guides/extend.md run."""
        text = (ROOT / "docs" / "guides" / "extend.md").read_text(encoding="utf-8")
        blocks = re.findall(r"```python\n(.*?)```", text, re.S)
        self.assertEqual(len(blocks), 2)
        names: Dict[str, Any] = {}
        with contextlib.redirect_stdout(io.StringIO()) as out:
            for block in blocks:
                exec(compile(block, "extend.md", "exec"), names)
        self.assertIn("lengthscale", out.getvalue())
        self.assertEqual(names["gradient"].shape, (1, 2, 2))

    def test_models_are_forgotten(self) -> None:
        with_one = research.Process()
        self.addCleanup(with_one.close)
        model = research.fit_duels(*duels(5), **BOX, process=with_one)
        number = model._number
        del model
        gc.collect()
        another = research.fit_duels(*duels(5), **BOX, process=with_one)
        with self.assertRaisesRegex(ArgumentError, f"model = {number}, and there is none"):
            with_one.request("recommend", {"model": number})
        with_one.close()
        with self.assertRaises(EndedError):
            another.recommend()

    def test_without_numpy(self) -> None:
        with mock.patch.dict(sys.modules, {"numpy": None}), self.assertRaisesRegex(ImportError, r"pip install 'prefer-bo\[numpy\]'"):
            importlib.reload(research)
        importlib.reload(research)


if __name__ == "__main__":
    unittest.main()
