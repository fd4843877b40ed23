"""The preferential Gaussian process sampler of optuna-dashboard in its own loop, on the tastes of tastes.py.

Of two trials the better one stays and meets the next that the sampler draws (Thompson sampling after Takeno and others
2023, then expected improvement). What it recommends is its best trial: the one that was never the worse one.
"""

import sys
import warnings
from pathlib import Path

import numpy as np
from tastes import arguments, play

# This file bears the name of a package it imports, and so does its neighbour.
sys.path[:] = [p for p in sys.path if Path(p or ".").resolve() != Path(__file__).resolve().parent]
warnings.filterwarnings("ignore")  # experimental features; the first two trials are drawn at random

import optuna as package
import torch
from optuna_dashboard.preferential import PreferentialStudy, create_study
from optuna_dashboard.preferential.samplers.gp import PreferentialGPSampler

package.logging.set_verbosity(package.logging.ERROR)


class Optuna:
    def __init__(self, dim: int, seed: int) -> None:
        self.study: PreferentialStudy = create_study(n_generate=2, sampler=PreferentialGPSampler(seed=seed))
        self.names = [f"x{j}" for j in range(dim)]
        self.trials: list[package.Trial] = []

    def unit(self, trial: package.Trial) -> np.ndarray:
        return np.array([trial.params[name] for name in self.names])

    def ask(self) -> tuple[np.ndarray, np.ndarray]:
        while self.study.should_generate():
            trial = self.study.ask()
            for name in self.names:
                trial.suggest_float(name, 0, 1)
            self.trials.append(trial)
        return self.unit(self.trials[0]), self.unit(self.trials[1])

    def tell(self, first: bool) -> None:
        better, worse = self.trials if first else self.trials[::-1]
        self.study.report_preference(better, worse)
        self.trials = [better]

    def pick(self) -> np.ndarray:
        (best,) = self.study.best_trials
        return self.unit(best)

    def end(self) -> None:
        pass


if __name__ == "__main__":
    torch.set_num_threads(1)
    play(arguments("Ask the tastes of package problem with optuna-dashboard's sampler.").parse_args(), "optuna-dashboard", Optuna)
