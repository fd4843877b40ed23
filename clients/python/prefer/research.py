"""prefer's model and acquisitions on numpy arrays, for experiments of one's own: pip install 'prefer-bo[numpy]'.

    from prefer import research
    model = research.fit(X, pairs)                   # X: options, n × d; pairs: (winner, loser), rows of X
    mean, cov = model.posterior(X)
    question = model.search("kg")                    # question.a against question.b
    value, gradient = model.acquisition("kg").value_and_gradient([[question.a, question.b]])
    mine = model.search(lambda pairs: ...)           # pairs: m × 2 × d, returns m values

The numbers are computed by a process of this interpreter's, `prefer research`, which ends with it. docs/guides/extend.md tells the rest.
"""

from __future__ import annotations

import warnings as _warnings
import weakref
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Mapping, Optional, Sequence, Tuple, Union

try:
    import numpy as np
    from numpy.typing import ArrayLike
except ImportError as e:
    raise ImportError("prefer.research works on numpy arrays: pip install 'prefer-bo[numpy]'") from e

from .errors import ArgumentError, EndedError
from .lines import Block, Process, shared
from .maximize import Floats as Floats
from .maximize import Maximizer

__all__ = ["Acquisition", "ArgumentError", "Best", "Draws", "EndedError", "Hyper", "Model", "Process", "Question", "fit", "fit_duels"]

Own = Callable[[Floats], Union[ArrayLike, Tuple[ArrayLike, ArrayLike]]]


@dataclass(frozen=True)
class Hyper:
    """Hyper-parameters. Lengthscales are parts of the range of each coordinate, cuts are in units of the noise."""

    lengthscale: Tuple[float, ...]
    outputscale: float
    noise: float = 1.0  # σ, of an answer, on the difference of two utilities
    cuts: Tuple[float, ...] = ()  # where "can't tell" ends, then each grade; (0,) with two outcomes
    trend: float = 0.0
    raters: Tuple[float, ...] = ()  # noise of each rater, in units of the noise

    def _fields(self) -> Dict[str, Any]:
        named = {"lengthscale": list(self.lengthscale), "outputscale": self.outputscale, "noise": self.noise, "trend": self.trend}
        return {**named, **({"cuts": list(self.cuts)} if self.cuts else {}), **({"raters": list(self.raters)} if self.raters else {})}

    @staticmethod
    def _read(o: Mapping[str, Any]) -> "Hyper":
        return Hyper(tuple(o["lengthscale"]), o["outputscale"], o["noise"], tuple(o.get("cuts") or ()), o.get("trend", 0.0), tuple(o.get("raters") or ()))


@dataclass(frozen=True)
class Best:
    """The maximiser of the posterior mean, and the other peaks that were found, highest first."""

    x: Floats
    mean: float
    peaks: Floats = field(repr=False)
    means: Floats = field(repr=False)


@dataclass(frozen=True)
class Question:
    """A question that a search found."""

    a: Floats
    b: Floats
    value: float  # in units of the acquisition; NaN of "thompson" and "random", which have none
    best: Floats  # the maximiser of the posterior mean
    mean: float  # and the mean there
    fantasy: Optional[Floats] = None  # of "kg": the best option after each outcome, from the second's strongest win to the first's

    @property
    def pair(self) -> Floats:
        """The two options, 2 × d."""
        return np.stack([self.a, self.b])


def fit(X: ArrayLike, pairs: ArrayLike, outcome: Optional[ArrayLike] = None, **more: Any) -> "Model":
    """Fits a model to duels among the options X (n × d). `pairs` (m × 2) are rows of X, the winner first; with an `outcome` for each, 1 says
    so, −1 that the second won, 0 that nobody could tell, ±2 and more that it was clear. `more` is as in `fit_duels`."""
    x, at = _points("X", X), np.asarray(pairs)
    if at.ndim != 2 or at.shape[1] != 2 or not (np.issubdtype(at.dtype, np.integer) or at.size == 0):
        raise ArgumentError(f"pairs has the shape {at.shape} and type {at.dtype}, want m × 2 whole numbers, rows of X; points go to fit_duels", "pairs")
    outside = (at < 0) | (at >= len(x))
    if outside.any():
        i, j = np.argwhere(outside)[0]
        raise ArgumentError(f"pairs[{i}][{j}] = {at[i, j]}, want a row of X, 0 to {len(x) - 1}", "pairs")
    return fit_duels(x[at[:, 0]], x[at[:, 1]], outcome, **more)


def fit_duels(
    A: ArrayLike,
    B: ArrayLike,
    outcome: Optional[ArrayLike] = None,
    *,
    rater: Optional[ArrayLike] = None,
    lower: Optional[ArrayLike] = None,
    upper: Optional[ArrayLike] = None,
    inference: str = "ep",
    noise: Union[float, str, None] = None,
    hyper: Union[Hyper, Mapping[str, Any], None] = None,
    ties: Optional[bool] = None,
    grades: Optional[int] = None,
    priors: Optional[Mapping[str, str]] = None,
    effects: str = "",
    sparse: Optional[Mapping[str, Any]] = None,
    max_evals: int = 0,
    tolerance: float = 0.0,
    process: Optional[Process] = None,
) -> "Model":
    """Fits a model to duels of the rows of A with those of B (n × d each).

    outcome    1: A won (the default for all), −1: B did, 0: nobody could tell; ±2, ±3 … are grades
    rater      who answered, 0, 1, …: then each has a noise of their own, learned
    lower …    bounds of the coordinates; the unit cube by default
    inference  "ep", "variational", "laplace", "reduced" or "sparse" (options: sparse={"inducing": 200, "nodes": 20, "points": …})
    noise      σ on a difference, 1 by default, or "learn": the outputscale is 1 then. Only their ratio is in the data
    hyper      hyper-parameters that are given, and not learned
    ties …     the answers that were on offer; by default those that there are
    priors     {"lengthscale": "gamma(3,6)", "outputscale": "gamma(2,0.15)", "cut": …, "grade": …, "trend": …, "rater_noise": …}: gamma(shape,rate),
               lognormal(mu,sigma), flat, none
    """
    a, b = _points("A", A), _points("B", B)
    fields: Dict[str, Any] = {"a": _pack(a), "b": _pack(b), "inference": inference, "effects": effects, "max_evals": max_evals, "tolerance": tolerance}
    d = a.shape[1]
    low, high = _bounds(d, lower, upper)
    if lower is not None:
        fields["lower"] = low.tolist()
    if upper is not None:
        fields["upper"] = high.tolist()
    for name, numbers in (("outcome", outcome), ("rater", rater)):
        if numbers is not None:
            fields[name] = _whole(name, numbers)
    for prior, text in (priors or {}).items():
        if prior not in _PRIORS:
            raise ArgumentError(f"priors has {prior!r}, want {', '.join(_PRIORS)}", "priors")
        fields[prior] = text
    if hyper is not None:
        fields["hyper"] = hyper._fields() if isinstance(hyper, Hyper) else dict(hyper)
    options = dict(sparse or {})
    if "points" in options:
        options["points"] = _pack(_points("sparse['points']", options["points"]))
    for name, value in (("noise", noise), ("ties", ties), ("grades", grades), ("sparse", options or None)):
        if value is not None:
            fields[name] = value
    to = process or shared()
    model = Model(to, to.request("fit", fields), low, high)
    for warning in model.warnings:
        _warnings.warn(warning, RuntimeWarning, stacklevel=2)
    return model


_PRIORS = ("lengthscale", "outputscale", "cut", "grade", "trend", "rater_noise")


class Model:
    """A posterior of the utility: a Gaussian process."""

    def __init__(self, process: Process, reply: Mapping[str, Any], lower: Floats, upper: Floats):
        self.process, self._number = process, int(reply["model"])
        self.lower, self.upper = lower, upper
        self.dim = int(reply["dim"])
        self.ties, self.grades = bool(reply["ties"]), int(reply["grades"])
        self.hyper = Hyper._read(reply["hyper"])
        self.evidence = float(reply["evidence"])  # log evidence of the answers, or its bound
        self.log_prior = float(reply["log_prior"])
        self.evaluations = int(reply["evaluations"])
        self.warnings = tuple(str(w) for w in reply["warnings"])
        weakref.finalize(self, process.drop, self._number).atexit = False  # type: ignore[misc]  # typeshed has no setter

    def __repr__(self) -> str:
        return f"Model(dim={self.dim}, evidence={self.evidence:.6g}, {self.hyper})"

    def posterior(self, X: ArrayLike) -> Tuple[Floats, Floats]:
        """Mean (n) and joint covariance (n × n) of the utility at the points X (n × d)."""
        reply = self._request("posterior", x=_pack(_points("X", X)))
        return _unpack(reply["mean"]), _unpack(reply["covariance"])

    def marginals(self, X: ArrayLike) -> Tuple[Floats, Floats]:
        """Mean and variance at each of very many points."""
        reply = self._request("posterior", x=_pack(_points("X", X)), covariance="variance")
        return _unpack(reply["mean"]), _unpack(reply["variance"])

    def moments(self, points: ArrayLike) -> Tuple[Floats, Floats]:
        """Mean (m × q) and covariance (m × q × q) of each of many groups of q points (m × q × d): of pairs, with q = 2."""
        x = _floats("points", points)
        if x.ndim != 3 or x.shape[2] != self.dim:
            raise ArgumentError(f"points has the shape {x.shape}, want m × q × {self.dim}", "points")
        if len(x) == 0:
            return np.empty(x.shape[:2]), np.empty((0, x.shape[1], x.shape[1]))
        reply = self._request("moments", x=_pack(x.reshape(len(x), -1)), points=x.shape[1])
        return _unpack(reply["mean"]), _unpack(reply["covariance"])

    def mean(self, X: ArrayLike) -> Floats:
        """Mean at each of very many points."""
        return _unpack(self._request("posterior", x=_pack(_points("X", X)), covariance="none")["mean"])

    def mean_gradient(self, X: ArrayLike) -> Floats:
        """Gradient of the mean, n × d."""
        return _unpack(self._request("gradient", x=_pack(_points("X", X)))["gradient"])

    def sample(self, X: ArrayLike, count: int = 1, seed: int = 0) -> Floats:
        """Draws of the utility at the points X together, count × n, exact."""
        mean, cov = self.posterior(X)
        size, directions = np.linalg.eigh((cov + cov.T) / 2)
        root = directions * np.sqrt(np.maximum(size, 0))  # rounding leaves −1e-15 where the variance is 0
        out: Floats = mean + np.random.default_rng(seed).standard_normal((count, len(mean))) @ root.T
        return out

    def draw(self, count: int = 1, seed: int = 0) -> "Draws":
        """Whole functions drawn from the posterior. What the data say of them is exact; the prior part is of 1024 features, 3% off."""
        return Draws(self, count, seed)

    def condition(self, a: ArrayLike, b: ArrayLike, outcome: int = 1) -> "Model":
        """The model after one more answer, at the same hyper-parameters: the exact first two moments (Lemma 3.1)."""
        reply = self._request("condition", a=_point("a", a), b=_point("b", b), outcome=int(outcome))
        return Model(self.process, reply, self.lower, self.upper)

    def acquisition(self, name: str, *, noise: float = 0.0, seed: int = 0, samples: int = 0, best: Optional[float] = None) -> "Acquisition":
        """What questions are worth: "kg", the exact knowledge gradient, as the expected rise of the best mean; "eubo"; "qeubo"; "logei"; "bald".

        noise    σ of the answer, by default the model's
        samples  of "qeubo" and "logei", by default 512; seed is theirs, and that of the searches inside "kg"
        best     what "logei" improves on, by default the highest mean of an option in the duels
        """
        return Acquisition(self, name, {"noise": noise, "seed": seed, "samples": samples, **({} if best is None else {"best": best})})

    def recommend(self, seed: int = 0) -> Best:
        """The maximiser of the posterior mean in the bounds."""
        reply = self._request("recommend", seed=seed)
        x, mean = _unpack(reply["x"]), _unpack(reply["mean"])
        return Best(x[0], float(mean[0]), x, mean)

    def search(
        self,
        acquisition: Union[str, "Acquisition", Own] = "kg",
        *,
        seed: int = 0,
        count: int = 0,
        lower: Optional[ArrayLike] = None,
        upper: Optional[ArrayLike] = None,
        hold: Optional[ArrayLike] = None,
        gradient: bool = False,
        step: float = 0.0,
        effort: Optional[Mapping[str, int]] = None,
    ) -> Question:
        """The question that an acquisition likes best: one by name ("thompson" and "random" among them), one with settings, or a function of one's own.

        A function is called with pairs (m × 2 × d) and returns m values; with gradient=True a tuple of them and their gradients (m × 2 × d).
        Without gradients the search takes central differences, with `step` of the range, 1e-5 by default: a function with noise wants a larger one.
        It may use this model, or others. A question has no order: f(a, b) should be f(b, a).

        lower …  bounds of the two options, within those of the model; hold: the first of them
        count    questions before this one, for "thompson" and "random"
        effort   {"candidates": …, "starts": …, "finalists": …, "evals": …}
        """
        fields: Dict[str, Any] = {"seed": seed, "count": count, "effort": dict(effort or {})}
        if lower is not None:
            fields["lower"] = _bounds(self.dim, lower, None)[0].tolist()
        if upper is not None:
            fields["upper"] = _bounds(self.dim, None, upper)[1].tolist()
        if hold is not None:
            fields["hold"] = _point("hold", hold)
        if isinstance(acquisition, str):
            reply = self._request("search", acquisition=acquisition, **fields)
        elif isinstance(acquisition, Acquisition):
            if acquisition.model is not self:
                raise ArgumentError("the acquisition is that of another model", "acquisition")
            reply = self._request("search", **{**fields, **acquisition.settings, "acquisition": acquisition.name})
        elif callable(acquisition):
            return self._maximize(_Caller(acquisition, gradient), step, fields)
        else:
            raise ArgumentError(f"acquisition is a {type(acquisition).__name__}, want a name or a function of pairs", "acquisition")
        fantasy = reply.get("fantasy")
        value = np.nan if reply["value"] is None else float(reply["value"])
        return Question(_unpack(reply["a"]), _unpack(reply["b"]), value, _unpack(reply["best"]), reply["mean"], None if fantasy is None else _unpack(fantasy))

    def _maximize(self, function: "_Caller", step: float, fields: Mapping[str, Any]) -> Question:
        """The search for a function, with the fields of a search by name."""
        if step != 0 and not 0 < step <= 0.1:
            raise ArgumentError(f"step = {step}, want more than 0 and at most 0.1, or 0 for 1e-5", "step")
        self._request("search", acquisition="random", **fields)  # says what is wrong with them
        d, seed, effort, unit = self.dim, fields["seed"], fields["effort"], self.upper - self.lower
        low, high = (np.clip(fields.get(name, bound), self.lower, self.upper) for name, bound in (("lower", self.lower), ("upper", self.upper)))
        best, rng = self.recommend(seed), np.random.default_rng(seed)
        scattered = low + (high - low) * rng.random((effort.get("candidates") or (96 if d <= 3 else 48), d))
        near = best.x + unit * np.minimum(self.hyper.lengthscale, 1) * 0.03 ** rng.random((24, 1)) * rng.standard_normal((24, d))
        options = np.clip(np.concatenate([best.peaks[:6], near, scattered]), low, high)
        if "hold" in fields:
            hold = np.clip(fields["hold"], self.lower, self.upper)
            first, second = np.broadcast_to(hold, options.shape), options
            low, high = np.concatenate([hold, low]), np.concatenate([hold, high])
        else:
            i, j = np.triu_indices(len(options), 1)
            first, second = options[i], options[j]
            low, high = np.tile(low, 2), np.tile(high, 2)
        search = Maximizer(function, low, high, np.tile(unit, 2), 0.0 if function.gradient else step or 1e-5)
        search.climb(search.rank(np.concatenate([first, second], axis=1), effort.get("starts") or 8), effort.get("evals") or 60)
        return Question(search.best[:d], search.best[d:], search.top, best.x, best.mean)

    def _request(self, op: str, **fields: Any) -> Dict[str, Any]:
        return self.process.request(op, {"model": self._number, **fields})


class Acquisition:
    """What questions are worth under a model. `pairs` are m × 2 × d, or m × 2d."""

    def __init__(self, model: Model, name: str, settings: Mapping[str, Any]):
        self.model, self.name, self.settings = model, name, dict(settings)

    def value(self, pairs: ArrayLike) -> Floats:
        """The value of each."""
        return self._ask(_pairs(pairs, self.model.dim), False, False)[0]

    __call__ = value

    def value_and_gradient(self, pairs: ArrayLike) -> Tuple[Floats, Floats]:
        """The values and their gradients, of the shape of pairs."""
        return self._ask(_pairs(pairs, self.model.dim), True, False)

    def one_shot(self, points: ArrayLike) -> Tuple[Floats, Floats]:
        """Of "kg": the one-shot form and its gradient at points m × (2 + outcomes) × d: the two options, then the option to take after each outcome, from the
        second's strongest win to the first's. Its maximum over the latter is the value; a microsecond or so each."""
        return self._ask(np.asarray(points, dtype=np.float64), True, True)

    def _ask(self, x: Floats, gradient: bool, one_shot: bool) -> Tuple[Floats, Floats]:
        if x.ndim < 2:
            raise ArgumentError(f"pairs has the shape {x.shape}, want m × 2 × {self.model.dim}", "pairs")
        if len(x) == 0:
            return np.empty(0), np.empty(x.shape)
        fields = {"acquisition": self.name, **self.settings, "pairs": _pack(x.reshape(len(x), -1)), "gradient": gradient, "one_shot": one_shot}
        reply = self.model._request("acquire", **fields)
        return _unpack(reply["value"]), _unpack(reply["gradient"]).reshape(x.shape) if gradient else np.empty(0)


class Draws:
    """Functions drawn from a posterior: the same ones wherever and whenever they are evaluated."""

    def __init__(self, model: Model, count: int, seed: int):
        self._model, self._fields = model, {"count": count, "seed": seed}

    def __call__(self, X: ArrayLike) -> Floats:
        """Values, count × n."""
        return _unpack(self._model._request("draw", x=_pack(_points("X", X)), **self._fields)["value"])

    def gradient(self, X: ArrayLike) -> Floats:
        """Gradients, count × n × d."""
        return _unpack(self._model._request("draw", x=_pack(_points("X", X)), gradient=True, **self._fields)["gradient"])


class _Caller:
    """Calls a function of one's own with rows of two options, and checks what it returns."""

    def __init__(self, function: Own, gradient: bool):
        self._function, self.gradient = function, gradient

    def __call__(self, rows: Floats) -> Tuple[Floats, Optional[Floats]]:
        pairs = rows.reshape(len(rows), 2, -1)
        said = self._function(pairs.copy())  # which the function may change
        if not self.gradient:
            if isinstance(said, tuple):
                raise ArgumentError("the function returned a tuple: gradient=True says that gradients come with the values", "gradient")
            return _numbers("value", _returned("value", said, rows.shape[:1])), None
        if not (isinstance(said, tuple) and len(said) == 2):
            raise ArgumentError(f"the function returned a {type(said).__name__}, want a tuple of values and gradients", "gradient")
        value = _numbers("value", _returned("value", said[0], rows.shape[:1]))
        slope = np.where((value > -np.inf)[:, None, None], _returned("gradient", said[1], pairs.shape), 0)
        return value, _numbers("gradient", slope).reshape(rows.shape)


def _returned(what: str, said: ArrayLike, shape: Tuple[int, ...]) -> Floats:
    out = _floats(f"{what}s of the function", said)
    if out.shape != shape:
        raise ArgumentError(f"the function returned {what}s of shape {out.shape}, want {shape}", "acquisition")
    return out


def _numbers(what: str, x: Floats) -> Floats:
    """x, whose elements must be finite. A value may be −∞: that pair should not be asked."""
    wrong = ~np.isfinite(x) & ~((x == -np.inf) & (what == "value"))
    if wrong.any():
        at = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise ArgumentError(f"the function returned {what}{list(at)} = {x[at]}, want a number", "acquisition")
    return x


def _pairs(pairs: ArrayLike, dim: int) -> Floats:
    x = _floats("pairs", pairs)
    if x.ndim == 3 and x.shape[1:] == (2, dim) or x.ndim == 2 and x.shape[1] == 2 * dim:
        return x
    raise ArgumentError(f"pairs has the shape {x.shape}, want m × 2 × {dim}", "pairs")


def _points(name: str, points: ArrayLike) -> Floats:
    x = _floats(name, points)
    if x.ndim != 2 or x.shape[1] == 0:
        raise ArgumentError(f"{name} has the shape {x.shape}, want n × d: one row for each point", name)
    return x


def _point(name: str, point: ArrayLike) -> Sequence[float]:
    x = _floats(name, point)
    if x.ndim != 1:
        raise ArgumentError(f"{name} has the shape {x.shape}, want one point", name)
    if not np.isfinite(x).all():
        raise ArgumentError(f"{name} = {x}, want finite numbers", name)
    listed: Sequence[float] = x.tolist()
    return listed


def _bounds(d: int, lower: Optional[ArrayLike], upper: Optional[ArrayLike]) -> Tuple[Floats, Floats]:
    out = []
    for name, bound, default in (("lower", lower, 0.0), ("upper", upper, 1.0)):
        x = _floats(name, default if bound is None else bound)
        if x.shape not in ((), (d,)) or not np.isfinite(x).all():
            raise ArgumentError(f"{name} = {x}, want {d} finite numbers, or one for all coordinates", name)
        out.append(np.broadcast_to(x, (d,)).astype(np.float64))
    return out[0], out[1]


def _whole(name: str, numbers: ArrayLike) -> Sequence[int]:
    x = np.asarray(numbers)
    if x.ndim != 1 or not np.all(x == np.round(x)):
        raise ArgumentError(f"{name} has the shape {x.shape} and type {x.dtype}, want a whole number for each duel", name)
    listed: Sequence[int] = x.astype(np.int64).tolist()
    return listed


def _floats(name: str, numbers: ArrayLike) -> Floats:
    try:
        return np.asarray(numbers, dtype=np.float64)
    except (TypeError, ValueError) as e:
        raise ArgumentError(f"{name} is not an array of numbers: {e}", name) from e


def _pack(x: Floats) -> Block:
    return Block(list(x.shape), np.ascontiguousarray(x, dtype="<f8").tobytes())


def _unpack(o: Block) -> Floats:
    flat = np.frombuffer(o.data, dtype="<f8", count=int(np.prod(o.shape)))
    return flat.astype(np.float64).reshape(o.shape)  # a copy that may be written to
