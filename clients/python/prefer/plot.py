"""Slices as a picture, where matplotlib is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, List

from .belief import Belief
from .errors import PreferError

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw(belief: Belief, title: str) -> "Figure":
    """One panel per parameter: the mean utility along it, a band of two standard deviations, and the best value."""
    try:
        from matplotlib.figure import Figure
    except ImportError as e:
        raise PreferError("Study.plot needs matplotlib: pip install 'prefer-bo[plot]'; Study.belief() has the numbers without it") from e
    if not belief.slices:
        raise PreferError("there is nothing to draw: this study is a list without features; see belief().ranking")
    figure = Figure(figsize=(3.2 * len(belief.slices), 3), layout="constrained")
    panels = figure.subplots(1, len(belief.slices), sharey=True, squeeze=False)[0]
    for panel, (name, points) in zip(panels, belief.slices.items()):
        means = [p.mean for p in points]
        low: List[float] = [p.mean - 2 * p.sd for p in points]
        high: List[float] = [p.mean + 2 * p.sd for p in points]
        values = [p.value for p in points]
        if all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in values):
            panel.fill_between(values, low, high, alpha=0.2, linewidth=0)
            panel.plot(values, means)
            best = belief.best.get(name)
            if best is not None:
                panel.axvline(best, linestyle=":", color="0.4")
        else:
            panel.errorbar([str(v) for v in values], means, yerr=[2 * p.sd for p in points], fmt="o", capsize=3)
        panel.set_xlabel(name)
    panels[0].set_ylabel("utility, in units of the noise")
    figure.suptitle(title)
    return figure
