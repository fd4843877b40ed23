"""The best question under a function of pairs: numpy only, and few calls with many pairs each."""

from __future__ import annotations

from typing import Callable, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from .errors import ArgumentError

Floats = NDArray[np.float64]
Function = Callable[[Floats], Tuple[Floats, Optional[Floats]]]

_ROWS = 4096  # pairs per call while candidates are ranked
_KEEP = 256  # best candidates among which the starts are chosen
_SAME = 0.05  # largest difference, as a part of the range, between options that count as the same start
_FIRST = 0.1  # length of the step along the gradient, as a part of the range
_LENGTHS = np.array([4, 2, 1, 1 / 2, 1 / 4, 1 / 8, 1 / 32, 1 / 128, 1 / 1024, 1 / 16384])  # of the steps tried along a direction


class Maximizer:
    """Maximizes a function of rows of two options (m × 2d), which returns values (m) and gradients (m × 2d).

    low, high  bounds of a row
    unit       range of each number of a row
    step       of central differences, as a part of the range, where the function returns no gradients
    """

    def __init__(self, function: Function, low: Floats, high: Floats, unit: Floats, step: float):
        self._function, self._low, self._high, self._unit, self._step = function, low, high, unit, step
        self.top, self.best = -np.inf, low  # the highest value so far, and its row, of two different options

    def rank(self, rows: Floats, count: int) -> Floats:
        """The best rows, at most `count`, that differ from each other in whichever order of the two options."""
        a, b = np.split(rows, 2, axis=1)
        rows = rows[(a != b).any(1)]
        if len(rows) == 0:
            raise ArgumentError("lower, upper and hold leave one option, and a question needs two", "lower")
        self.best = rows[0]
        value = np.concatenate([self._values(rows[i : i + _ROWS])[0] for i in range(0, len(rows), _ROWS)])
        chosen = rows[:0]
        for row in rows[np.argsort(-value, kind="stable")[:_KEEP]]:
            turned = np.roll(row, len(row) // 2)
            if not any((abs(chosen - x) <= _SAME * self._unit).all(1).any() for x in (row, turned)):
                chosen = np.concatenate([chosen, row[None]])[:count]
        return chosen

    def climb(self, x: Floats, rounds: int) -> None:
        """Climbs from the rows x together by projected BFGS: a round is a call with steps of several lengths and one for the gradients."""
        value, slope = self._values(x)[0], self._slopes(x)
        inverse = np.tile(np.eye(x.shape[1]), (len(x), 1, 1))  # of the Hessian of −f
        steepest = np.ones(len(x), dtype=bool)  # whether it is only a multiple of the identity
        for _ in range(rounds):
            held = (x <= self._low) & (slope <= 0) | (x >= self._high) & (slope >= 0)
            uphill = np.where(held, 0, slope)
            steep = abs(uphill).max(1)
            going = steep > 1e-7
            if not going.any():
                return
            x, value, slope, inverse, steepest, held, uphill, steep = (v[going] for v in (x, value, slope, inverse, steepest, held, uphill, steep))
            inverse[steepest] = np.eye(x.shape[1]) * (_FIRST / steep[steepest])[:, None, None]
            direction = np.where(held, 0, np.einsum("kij,kj->ki", inverse, uphill)) * self._unit
            trial = np.clip(x[:, None] + _LENGTHS[:, None] * direction[:, None], self._low, self._high)
            values = self._values(trial.reshape(-1, x.shape[1]))[0].reshape(len(x), -1)
            to = trial[np.arange(len(x)), values.argmax(1)]
            better = values.max(1) - value > 1e-12 * abs(value)
            keep = better | ~steepest  # where the direction of BFGS fails, that of the gradient is next
            steepest = steepest | ~better
            if better.any():
                new = self._slopes(to[better])
                inverse[better], learned = _updated(inverse[better], steepest[better], (to - x)[better] / self._unit, slope[better] - new)
                steepest[better] &= ~learned
                x[better], value[better], slope[better] = to[better], values.max(1)[better], new
            x, value, slope, inverse, steepest = (v[keep] for v in (x, value, slope, inverse, steepest))

    def _values(self, rows: Floats) -> Tuple[Floats, Optional[Floats]]:
        value, gradient = self._function(rows)
        a, b = np.split(rows, 2, axis=1)
        worth = np.where((a != b).any(1), value, -np.inf)
        if worth.max() > self.top:
            self.top, self.best = float(worth.max()), rows[worth.argmax()]
        return value, gradient

    def _slopes(self, x: Floats) -> Floats:
        """Gradients at the rows x, per range. A coordinate next to a value of −∞ has none."""
        if self._step == 0:
            gradient = self._function(x)[1]
            assert gradient is not None
            return gradient * self._unit
        free = np.flatnonzero(self._high > self._low)
        shift = np.diag(self._step * self._unit)[free]
        sides = np.stack([np.minimum(x[:, None] + shift, self._high), np.maximum(x[:, None] - shift, self._low)])
        up, down = self._values(sides.reshape(-1, x.shape[1]))[0].reshape(2, len(x), -1)
        width = (sides[0] - sides[1])[:, np.arange(len(free)), free] / self._unit[free]
        out = np.zeros_like(x)
        known = np.isfinite(up) & np.isfinite(down)
        out[:, free] = np.where(known, np.where(known, up, 0) - np.where(known, down, 0), 0) / width
        return out


def _updated(inverse: Floats, steepest: NDArray[np.bool_], s: Floats, y: Floats) -> Tuple[Floats, NDArray[np.bool_]]:
    """The inverse Hessians after the steps s, which changed the gradients of −f by y, and where f curved down so that it could be learned."""
    y = np.where(s == 0, 0, y)  # a coordinate at its bound teaches nothing of the others
    sy, yy = (s * y).sum(1), (y * y).sum(1)
    learned = sy > 1e-10 * np.sqrt((s * s).sum(1) * yy)
    sy, yy = np.where(learned, sy, 1), np.where(learned, yy, 1)
    start = np.where(steepest[:, None, None], np.eye(s.shape[1]) * (sy / yy)[:, None, None], inverse)
    turn = np.eye(s.shape[1]) - s[:, :, None] * y[:, None, :] / sy[:, None, None]
    new = turn @ start @ turn.transpose(0, 2, 1) + s[:, :, None] * s[:, None, :] / sy[:, None, None]
    return np.where(learned[:, None, None], new, inverse), learned
