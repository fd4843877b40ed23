"""qEUBO as BoTorch has it (Astudillo and others 2023), on the tastes of tastes.py.

All parts are BoTorch's own and at their defaults: PairwiseGP with Laplace's approximation, refitted after every answer,
qExpectedUtilityOfBestOption for two options, optimize_acqf. The first pairs are quasi-random, as many as prefer's: one per
parameter, at least 4. What it recommends is the option with the highest posterior mean.
"""

import sys
import warnings
from pathlib import Path

import numpy as np
from tastes import arguments, play

# A file beside this one bears the name of the package it imports.
sys.path[:] = [p for p in sys.path if Path(p or ".").resolve() != Path(__file__).resolve().parent]
warnings.filterwarnings("ignore")  # searches that end at their limit; jitter

import torch
from botorch.acquisition import PosteriorMean
from botorch.acquisition.preference import qExpectedUtilityOfBestOption
from botorch.fit import fit_gpytorch_mll
from botorch.models.pairwise_gp import PairwiseGP, PairwiseLaplaceMarginalLogLikelihood
from botorch.optim import optimize_acqf
from botorch.utils.sampling import draw_sobol_samples

torch.set_default_dtype(torch.float64)


class QEUBO:
    def __init__(self, dim: int, seed: int) -> None:
        torch.manual_seed(seed)
        self.box = torch.stack([torch.zeros(dim), torch.ones(dim)])
        self.first = draw_sobol_samples(self.box, max(4, dim), 2, seed=seed)
        self.points, self.duels = torch.zeros(0, dim), []

    def fitted(self) -> PairwiseGP:
        model = PairwiseGP(self.points, torch.tensor(self.duels))
        fit_gpytorch_mll(PairwiseLaplaceMarginalLogLikelihood(model.likelihood, model))
        return model

    def ask(self) -> tuple[np.ndarray, np.ndarray]:
        if (k := len(self.duels)) < len(self.first):
            self.pair = self.first[k]
        else:
            self.pair, _ = optimize_acqf(qExpectedUtilityOfBestOption(self.fitted()), self.box, q=2, num_restarts=4,
                                         raw_samples=256, options={"batch_limit": 4, "maxiter": 100})  # fmt: skip
        return self.pair[0].numpy(), self.pair[1].numpy()

    def tell(self, first: bool) -> None:
        n = len(self.points)
        self.points = torch.cat([self.points, self.pair])
        self.duels.append([n, n + 1] if first else [n + 1, n])

    def pick(self) -> np.ndarray:
        best, _ = optimize_acqf(PosteriorMean(self.fitted()), self.box, q=1, num_restarts=8, raw_samples=512)
        return best[0].numpy()

    def end(self) -> None:
        pass


if __name__ == "__main__":
    torch.set_num_threads(1)
    play(arguments("Ask the tastes of package problem with BoTorch's qEUBO.").parse_args(), "BoTorch qEUBO", QEUBO)
