"""prefer's exact knowledge gradient as a component of a BoTorch loop, through prefer.research.

The loop, its tensors, first pairs and problems are BoTorch's. What chooses the next pair:

    kg       prefer's model (EP, MAP hyper-parameters), its knowledge gradient and its search
    kg-acqf  the same model and knowledge gradient as an AcquisitionFunction, whose value and gradient come from prefer by a torch.autograd.Function;
             BoTorch's optimize_acqf searches
    qeubo    BoTorch's own: PairwiseGP (Laplace, RBF), qExpectedUtilityOfBestOption, optimize_acqf

The pick after each answer is the maximiser of the posterior mean of whichever model it is. All meet the same first pairs and the same noise. A PairwiseGP cannot be
handed to prefer: its kernel, likelihood scale and inference are others; so the posterior of kg and kg-acqf is prefer's. README.md has what came out.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
import warnings
from pathlib import Path
from typing import Any, Callable, Iterator

# A file beside this one bears the name of the package it imports.
sys.path[:] = [p for p in sys.path if Path(p or ".").resolve() != Path(__file__).resolve().parent]
warnings.filterwarnings("ignore")  # searches that end at their limit; jitter

import numpy as np
import torch
from botorch.acquisition import AcquisitionFunction, PosteriorMean
from botorch.acquisition.preference import qExpectedUtilityOfBestOption
from botorch.fit import fit_gpytorch_mll
from botorch.models.pairwise_gp import PairwiseGP, PairwiseLaplaceMarginalLogLikelihood
from botorch.optim import optimize_acqf
from botorch.test_functions import Branin, Hartmann
from botorch.utils.sampling import draw_sobol_samples
from botorch.utils.transforms import t_batch_mode_transform, unnormalize
from torch import Tensor

from prefer import research
from prefer.lines import shared

torch.set_default_dtype(torch.float64)
SEARCH = {"num_restarts": 4, "raw_samples": 128, "options": {"batch_limit": 4, "maxiter": 100}}
# A problem, its optimum to all digits, and the σ on a difference with which 10 % of answers about two of the best 1 % are wrong (peers/botorch.py).
PROBLEMS: dict[str, tuple[Callable[[], Any], float, float]] = {
    "branin2": (lambda: Branin(negate=True), -0.39788735772973834, 0.07157),
    "hartmann6": (lambda: Hartmann(dim=6, negate=True), 3.3223680114155148, 0.11443),
}


class Worth(torch.autograd.Function):
    """Values of pairs (b × 2 × d) under an acquisition of prefer's, and the product with their gradients."""

    @staticmethod
    def forward(ctx: Any, pairs: Tensor, acquisition: research.Acquisition) -> Tensor:
        value, gradient = acquisition.value_and_gradient(pairs.detach().numpy())
        ctx.save_for_backward(torch.from_numpy(gradient))
        return torch.from_numpy(value)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, None]:
        return grads[0][:, None, None] * ctx.saved_tensors[0], None


class ExactKnowledgeGradient(AcquisitionFunction):
    """prefer's knowledge gradient for optimize_acqf with q = 2. Its logarithm is what is climbed, as in prefer's own search: the gain falls by orders of
    magnitude during a study, and tolerances are relative then. A gain of nothing, on the diagonal, is the smallest number there is."""

    def __init__(self, model: research.Model) -> None:
        torch.nn.Module.__init__(self)  # there is no torch model behind it
        self.acquisition = model.acquisition("kg")

    @t_batch_mode_transform(expected_q=2)
    def forward(self, X: Tensor) -> Tensor:
        return Worth.apply(X.clamp(0, 1), self.acquisition).clamp_min(1e-300).log()


class Ours:
    """prefer's model; the pair by its own search or by BoTorch's."""

    def __init__(self, box: Tensor, acqf: bool) -> None:
        self.box, self.acqf, self.other = box, acqf, None

    def fit(self, winners: Tensor, losers: Tensor) -> None:
        self.model = research.fit_duels(winners.numpy(), losers.numpy())

    def ask(self) -> tuple[Tensor, float]:
        """The pair, and its value."""
        if not self.acqf:
            q = self.model.search("kg")
            return torch.from_numpy(q.pair), q.value
        acqf = ExactKnowledgeGradient(self.model)
        pair, log = optimize_acqf(acqf, self.box, q=2, **SEARCH)
        return pair.detach(), float(log.exp())

    def pick(self) -> Tensor:
        return torch.from_numpy(self.model.recommend().x)


class Theirs:
    """BoTorch as it is."""

    def __init__(self, box: Tensor) -> None:
        self.box = box

    def fit(self, winners: Tensor, losers: Tensor) -> None:
        n = len(winners)
        self.model = PairwiseGP(torch.cat([winners, losers]), torch.stack([torch.arange(n), n + torch.arange(n)], 1))
        fit_gpytorch_mll(PairwiseLaplaceMarginalLogLikelihood(self.model.likelihood, self.model))

    def ask(self) -> tuple[Tensor, float]:
        pair, value = optimize_acqf(qExpectedUtilityOfBestOption(self.model), self.box, q=2, **SEARCH)
        return pair.detach(), float(value)

    def pick(self) -> Tensor:
        best, _ = optimize_acqf(PosteriorMean(self.model), self.box, q=1, num_restarts=8, raw_samples=512)
        return best[0].detach()


METHODS: dict[str, Callable[[Tensor], Any]] = {"kg": lambda box: Ours(box, False), "kg-acqf": lambda box: Ours(box, True), "qeubo": Theirs}


def spent() -> float:
    """Processor seconds of this process and of prefer's, where /proc tells them, to 10 ms."""
    try:
        fields = Path(f"/proc/{shared().pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return math.nan
    return time.process_time() + (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run(name: str, method: str, seed: int, questions: int) -> Iterator[dict[str, Any]]:
    """Answers first pairs, 4 per dimension, then those of the method; yields what is known after each answer."""
    make, optimum, sigma = PROBLEMS[name]
    problem = make()
    d = problem.dim
    box = torch.stack([torch.zeros(d), torch.ones(d)])
    noise = np.random.default_rng(seed).standard_normal(4 * d + questions)

    def utility(x: Tensor) -> Tensor:
        return problem(unnormalize(x, problem.bounds))

    def answer(pair: Tensor, k: int) -> Tensor:  # the winner first
        u = utility(pair)
        return pair if u[0] - u[1] + sigma * noise[k] > 0 else pair.flip(0)

    torch.manual_seed(seed)
    first = draw_sobol_samples(box, 4 * d, 2, seed=seed)
    duels = torch.stack([answer(pair, k) for k, pair in enumerate(first)])
    who = METHODS[method](box)
    for i in range(questions + 1):
        times = [spent()]
        who.fit(duels[:, 0], duels[:, 1])
        times.append(spent())
        pick = who.pick()
        row: dict[str, Any] = {"problem": name, "method": method, "seed": seed, "iter": i, "gap": optimum - float(utility(pick[None])[0])}
        times.append(spent())
        if i < questions:
            pair, row["value"] = who.ask()
            times.append(spent())
            if method == "kg-acqf":  # outside its time: what prefer's own search finds on the same posterior
                row["value_of_search"] = who.model.search("kg").value
            duels = torch.cat([duels, answer(pair, len(duels))[None]])
        row |= dict(zip(("fit_cpu", "pick_cpu", "ask_cpu"), np.diff(times).tolist()))
        yield row


def table(rows: list[dict[str, Any]]) -> None:
    print("| problem | method | seeds | gap at the start | half-way | at the end, mean (worst) | fit | ask |\n|---|---|---|---|---|---|---|---|")
    for name in PROBLEMS:
        for method in METHODS:
            mine = [r for r in rows if r["problem"] == name and r["method"] == method]
            if not mine:
                continue
            last = max(r["iter"] for r in mine)
            gap = {i: [r["gap"] for r in mine if r["iter"] == i] for i in (0, last // 2, last)}
            seconds = [float(np.mean([r[key] for r in mine if key in r])) for key in ("fit_cpu", "ask_cpu")]
            print(f"| {name} | {method} | {len(gap[last])} | {np.mean(gap[0]):.3g} | {np.mean(gap[last // 2]):.3g} | {np.mean(gap[last]):.3g} ({max(gap[last]):.3g}) | {seconds[0]:.3f} | {seconds[1]:.3f} |")
    print("\nfit and ask: processor seconds per question")
    ratios = sorted(r["value"] / r["value_of_search"] for r in rows if r.get("value_of_search"))
    if ratios:
        print(f"optimize_acqf's value over that of prefer's search on the same posterior: median {np.median(ratios):.3f}, lowest {ratios[0]:.3f}, highest {ratios[-1]:.3f}, of {len(ratios)}")


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--problems", default="branin2", help=f"of {','.join(PROBLEMS)}")
    p.add_argument("--methods", default=",".join(METHODS))
    p.add_argument("--seeds", type=int, default=5)
    p.add_argument("--questions", type=int, default=20)
    p.add_argument("--threads", type=int, default=1, help="of torch; prefer's process takes what there is")
    p.add_argument("--out", type=Path, help="rows as JSON lines")
    args = p.parse_args()
    torch.set_num_threads(args.threads)
    rows: list[dict[str, Any]] = []
    for name in args.problems.split(","):
        for seed in range(args.seeds):
            for method in args.methods.split(","):
                for row in run(name, method, seed, args.questions):
                    rows.append(row)
                    if args.out:
                        with args.out.open("a") as out:
                            out.write(json.dumps(row) + "\n")
                print(f"{name} {method} seed {seed}: gap {rows[-1]['gap']:.3g}", file=sys.stderr, flush=True)
    table(rows)


if __name__ == "__main__":
    main()
