"""The method of Wu & Gardner, "Knowledge Gradient for Preference Learning" (2026), on BoTorch.

It reads the design files of prefer's benchmarks (initial pairs, Sobol inducing candidates, the rater's noise),
answers by the same rule and writes the same rows. From BoTorch and GPyTorch: kernel parameters and priors, greedy
variance reduction, analytic EUBO, qLogEI, L-BFGS-B for the fit and its batched form for the searches. Ours: the
pairwise ELBO, the closed-form knowledge gradient, and what the paper leaves open; README.md lists those choices.
"""

from __future__ import annotations
import sys
from pathlib import Path
# This file bears the name of the package it imports; without this line it would import itself.
sys.path[:] = [p for p in sys.path if Path(p or ".").resolve() != Path(__file__).resolve().parent]

import argparse
import json
import math
import time
import warnings
from itertools import product
from operator import itemgetter
from typing import Any, Callable, Iterator, NamedTuple

warnings.filterwarnings("ignore", module="torch|botorch")  # deprecations; searches that end at their limit

import numpy as np
import torch
from botorch.acquisition import AnalyticExpectedUtilityOfBestOption, qLogExpectedImprovement
from botorch.generation import gen_candidates_scipy
from botorch.models.model import Model
from botorch.models.utils.gpytorch_modules import get_matern_kernel_with_gamma_prior
from botorch.models.utils.inducing_point_allocators import GreedyVarianceReduction
from botorch.optim import initialize_q_batch, scipy_minimize
from botorch.posteriors import GPyTorchPosterior
from gpytorch.distributions import MultivariateNormal
from linear_operator.utils.cholesky import psd_safe_cholesky
from torch import Tensor

torch.set_default_dtype(torch.float64)
SIGMA = 1.0  # the model's noise on a difference, in the likelihood and in the look-ahead
JITTER = 1e-6  # on K_ZZ and on predictive variances, as in GPyTorch's variational strategy
NODES, WEIGHTS = (torch.from_numpy(a).view(-1, 1) for a in np.polynomial.hermite.hermgauss(20))
MAX_INDUCING, RAW_PAIRS, RESTARTS = 200, 512, 8
SEARCH = {"maxiter": 200, "ftol": 1e-10, "factr": None}  # tight: late in a run KG exceeds max μ by little


# --- Problems ---------------------------------------------------------------------------------------------------
class Problem(NamedTuple):
    """A utility on a box, to be maximised, and the σ with 10 % and 30 % wrong answers among its best 1 %."""
    dim: int
    box: tuple[Any, Any]  # lower and upper ends: numbers, or tuples of them
    optimum: float
    raw: Callable[[np.ndarray], float]
    sigma: tuple[float, float]

    def utility(self, unit: Tensor) -> float:
        return float(self.raw(self.box[0] + np.subtract(*self.box[::-1]) * unit.numpy()))


def branin(x: np.ndarray) -> float:
    bend = x[1] - 5.1 / (4 * math.pi**2) * x[0] ** 2 + 5 / math.pi * x[0] - 6
    return -(bend**2 + 10 * (1 - 1 / (8 * math.pi)) * math.cos(x[0]) + 10)


def hartmann6(x: np.ndarray) -> float:
    a = [[10, 3, 17, 3.5, 1.7, 8], [0.05, 10, 17, 0.1, 8, 14], [3, 3.5, 1.7, 10, 17, 8], [17, 8, 0.05, 10, 0.1, 14]]
    p = [[1312, 1696, 5569, 124, 8283, 5886], [2329, 4135, 8307, 3736, 1004, 9991],
         [2348, 1451, 3522, 2883, 3047, 6650], [4047, 8828, 8732, 5743, 1091, 381]]  # fmt: skip
    return np.exp(-(np.array(a) * (x - 1e-4 * np.array(p)) ** 2).sum(1)) @ [1.0, 1.2, 3.0, 3.2]


def ackley(x: np.ndarray) -> float:  # in pairs of terms, so that a small gap is not a rounding error
    wave = np.mean(np.sin(math.pi * x) ** 2)
    return 20 * np.expm1(-0.2 * np.sqrt(np.mean(x**2))) + math.e * np.expm1(-2 * wave)


def levy(x: np.ndarray) -> float:  # in v = w − 1, for which the maximum is exactly 0
    v = (x - 1) / 4
    inner = np.sum(v[:-1] ** 2 * (1 + 10 * np.sin(math.pi * v[:-1] + 1) ** 2))
    return -(math.sin(math.pi * v[0]) ** 2 + inner + v[-1] ** 2 * (1 + math.sin(2 * math.pi * v[-1]) ** 2))


PROBLEMS = {
    "quadratic2": Problem(2, (-1, 1), 0.0, lambda x: -0.5 * (x @ x), (8.72885e-4, 3.72072e-3)),
    "branin2": Problem(2, ((-5, 0), (10, 15)), -1.25 / math.pi, branin, (0.07157, 0.3048)),
    "hartmann6": Problem(6, (0, 1), 3.3223680114155148, hartmann6, (0.11443, 0.5335)),
    "ackley6": Problem(6, (-32.768, 32.768), 0.0, ackley, (0.3054, 1.6722)),
    "alpine7": Problem(7, (-10, 10), 0.0, lambda x: -np.abs(x * (np.sin(x) + 0.1)).sum(), (0.4007, 1.9166)),
    "levy6": Problem(6, (-10, 10), 0.0, levy, (0.8814, 4.084)),
    "levy2": Problem(2, (-10, 10), 0.0, levy, (0.04526, 0.1975)),
}


# --- The surrogate ----------------------------------------------------------------------------------------------
class Matern52(torch.autograd.Function):
    """(1 + r + r²/3)e⁻ʳ as a function of r², the squared distance times 5. Its derivative, −(1 + r)e⁻ʳ/6, is smooth
    at coincident points, and one node in the graph replaces eight."""
    @staticmethod
    def forward(ctx: Any, square: Tensor) -> Tensor:
        r = square.clamp_min(0.0).sqrt()  # rounding in the expanded square can leave −1e-15
        linear, decay = 1 + r, torch.exp(-r)
        ctx.save_for_backward(linear * decay)
        return (linear + square / 3) * decay

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        return grad * ctx.saved_tensors[0] / -6


def matern52(a: Tensor, b: Tensor, lengthscale: Tensor, outputscale: Tensor) -> Tensor:
    """k(a, b): … × n × d and … × m × d to … × n × m."""
    a, b = (a - 0.5) / lengthscale, (b - 0.5) / lengthscale
    square = a.square().sum(-1, keepdim=True) + b.square().sum(-1).unsqueeze(-2) - 2 * a @ b.mT
    return outputscale * Matern52.apply(5 * square)


def separation(pairs: Tensor, lengthscale: Tensor, outputscale: Tensor) -> Tensor:
    """The prior variance of f(x₁) − f(x₂) for pairs (b × 2 × d): 2(k(x,x) − k(x₁,x₂))."""
    apart = (pairs[:, 0] - pairs[:, 1]) / lengthscale
    return 2 * outputscale * (1 - Matern52.apply(5 * apart.square().sum(-1)))


class Surrogate(Model):
    """Whitened sparse variational GP for Φ((f(winner) − f(loser))/σ), with fixed inducing inputs Z: at most 200 of
    the Sobol candidates and the points of the duels (n × 2 × d, winners first). f(Z) = L w, L = chol(K_ZZ + εI),
    q(w) = N(m, S), S = C Cᵀ, zero prior mean. Fitted are m, the lower triangle of C and the raw hyper-parameters of
    BoTorch's Matérn-5/2 kernel, under its Gamma priors."""
    num_outputs = 1

    def __init__(self, duels: Tensor, sobol: Tensor, previous: Surrogate | None = None) -> None:
        super().__init__()
        self.duels, self.datapoints = duels, duels.flatten(0, 1)
        self.kernel = get_matern_kernel_with_gamma_prior(duels.shape[-1])
        if previous is not None:
            self.kernel.load_state_dict(previous.kernel.state_dict())
        self.Z = torch.cat([sobol, self.datapoints])
        with torch.no_grad():
            if len(self.Z) > MAX_INDUCING:
                greedy = GreedyVarianceReduction()
                self.Z = greedy.allocate_inducing_points(self.Z, self.kernel, MAX_INDUCING, torch.Size([]))
            self.m, self.C = torch.zeros(len(self.Z)), torch.eye(len(self.Z))
            if previous is not None:  # q(w) from the previous posterior of f(Z): L⁻¹μ and I + L⁻¹K B KᵀL⁻ᵀ
                L = psd_safe_cholesky(matern52(self.Z, self.Z, *self.hypers) + JITTER * self.C)
                across = torch.linalg.solve_triangular(L, previous.k(self.Z, previous.Z), upper=False)
                self.m = across @ previous.alpha
                self.C = psd_safe_cholesky(self.C + across @ previous.B @ across.mT)

    @property
    def hypers(self) -> tuple[Tensor, Tensor]:
        return self.kernel.base_kernel.lengthscale, self.kernel.outputscale

    def elbo(self, m: Tensor, C: Tensor) -> Tensor:
        """Σᵢ E_q log Φ(Δᵢ/σ) − KL[q‖p], where Δᵢ = f(winner) − f(loser) has mean δᵢ and variance vᵢ. A duel needs
        only its column K_Zw − K_Zl: n columns instead of a 2n × 2n joint covariance."""
        size = len(self.Z)
        rows = matern52(self.Z, torch.cat([self.Z, *self.duels.unbind(1)]), *self.hypers)
        win, lose = rows[:, size:].chunk(2, -1)
        L = torch.linalg.cholesky(rows[:, :size] + JITTER * torch.eye(size))
        A = torch.linalg.solve_triangular(L, win - lose, upper=False)  # M × n
        v = separation(self.duels, *self.hypers) + (C.mT @ A).square().sum(0) - A.square().sum(0)
        z = A.mT @ m + (2 * v.clamp_min(1e-10)).sqrt() * NODES  # 20 × n; the floor is GPyTorch's
        loglik = (WEIGHTS * torch.special.log_ndtr(z / SIGMA)).sum() / math.sqrt(math.pi)
        kl = 0.5 * (C.square().sum() + m.square().sum() - size) - C.diagonal().abs().log().sum()
        return loglik - kl

    def fit(self) -> Surrogate:
        """Maximise (ELBO + log priors)/2n by L-BFGS-B with SciPy's default tolerances."""
        index = tuple(torch.tril_indices(*self.C.shape))
        free = {"m": self.m.clone().requires_grad_(), "C": self.C[index].clone().requires_grad_()}
        parameters = free | dict(self.kernel.named_parameters())

        def lower() -> Tensor:
            return torch.zeros_like(self.C).index_put(index, free["C"])

        def closure() -> tuple[Tensor, tuple[Tensor, ...]]:
            prior = sum(p.log_prob(value(module)).sum() for _, module, p, value, _ in self.kernel.named_priors())
            loss = -(self.elbo(free["m"], lower()) + prior) / (2 * len(self.duels))
            return loss, torch.autograd.grad(loss, list(parameters.values()))

        scipy_minimize(closure, parameters)
        self.m, self.C = free["m"].detach(), lower().detach()
        return self.cache()

    def cache(self) -> Surrogate:
        """α = L⁻ᵀm and B = L⁻ᵀ(S − I)L⁻¹, so that μ(x) = k_xZ α and k*(x,x') = k(x,x') + k_xZ B k_Zx'."""
        self.fitted, eye = [h.detach() for h in self.hypers], torch.eye(len(self.Z))
        L = psd_safe_cholesky(self.k(self.Z, self.Z) + JITTER * eye)
        inverse = torch.linalg.solve_triangular(L, eye, upper=False)
        self.alpha = inverse.mT @ self.m
        self.B = inverse.mT @ (self.C @ self.C.mT - eye) @ inverse
        return self

    def k(self, a: Tensor, b: Tensor) -> Tensor:
        return matern52(a, b, *self.fitted)

    def mean(self, X: Tensor) -> Tensor:
        return self.k(X, self.Z) @ self.alpha

    def posterior(self, X: Tensor, **_: Any) -> GPyTorchPosterior:
        """For EUBO and qLogEI: X is b × q × d, flattened so that K_XZ takes one matrix product."""
        k = self.k(X.reshape(-1, X.shape[-1]), self.Z)
        left, right = (t.view(*X.shape[:-1], -1) for t in (k @ self.B, k))
        cov = self.k(X, X) + left @ right.mT + JITTER * torch.eye(X.shape[-2])
        return GPyTorchPosterior(MultivariateNormal(right @ self.alpha, 0.5 * (cov + cov.mT)))


# --- The knowledge gradient -------------------------------------------------------------------------------------
def outcomes(model: Surrogate, pairs: Tensor, points: Tensor) -> tuple[Tensor, Tensor]:
    """P(answer)·E[f(x) | answer] for the two answers to each pair (b × 2 × d), at points x (b × p × d, or p × d for
    all pairs): two b × p tensors. With c(x) = Cov[f(x), f₁−f₂], s² = Var[f₁−f₂] + σ² and τ = (μ₁−μ₂)/s they are
    Φ(τ)μ(x) + φ(τ)c(x)/s and Φ(−τ)μ(x) − φ(τ)c(x)/s, the paper's look-ahead means times their probabilities:
    Φ·(φ/Φ) leaves no ratio of tails."""
    k = model.k(torch.cat([pairs.flatten(0, 1), points.flatten(0, -2)]), model.Z)
    change = k[: 2 * len(pairs) : 2] - k[1 : 2 * len(pairs) : 2]  # b × M
    kpz = k[2 * len(pairs) :].view(*points.shape[:-1], -1)
    side, near = change @ model.B, model.k(pairs, points)
    s = (separation(pairs, *model.fitted) + (side * change).sum(-1) + SIGMA**2).sqrt().unsqueeze(-1)
    c = near[:, 0] - near[:, 1] + (side.unsqueeze(1) @ kpz.mT).squeeze(1)
    tau, mean = (change @ model.alpha).unsqueeze(-1) / s, kpz @ model.alpha
    tilt = torch.exp(-0.5 * tau.square()) / math.sqrt(2 * math.pi) * c / s
    return torch.special.ndtr(tau) * mean + tilt, torch.special.ndtr(-tau) * mean - tilt


def one_shot(model: Surrogate, X: Tensor) -> Tensor:
    """KG(x₁, x₂) with both inner maxima as variables: b × 4 × d points (x₁, x₂, x₊, x₋) to b values."""
    first, second = outcomes(model, X[:, :2], X[:, 2:])
    return first[:, 0] + second[:, 1]


# --- Searches ---------------------------------------------------------------------------------------------------
def sobol(n: int, d: int) -> Tensor:
    return torch.quasirandom.SobolEngine(d, True, int(torch.randint(2**31, (1,)))).draw(n, dtype=torch.float64)


def around(centres: Tensor, n: int) -> Tensor:
    """n points near random centres, 1e-3 to 0.3 away in each coordinate."""
    chosen = centres[torch.randint(len(centres), (n,))]
    return (chosen + 10 ** (-3 + 2.5 * torch.rand(n, 1)) * torch.randn_like(chosen)).clamp(0, 1)


def search(f: Callable[[Tensor], Tensor], raw: Tensor, top: int | None = None) -> Tensor:
    """The best point (q × d) of batched L-BFGS-B from the top raw points (r × q × d), or from 8 drawn by value."""
    with torch.no_grad():
        values = f(raw)
        starts = initialize_q_batch(raw, values, RESTARTS)[0] if top is None else raw[values.topk(top).indices]
    found, values = gen_candidates_scipy(starts, f, 0.0, 1.0, options=SEARCH)
    return found[values.argmax()].detach()


def recommend(model: Surrogate) -> Tensor:
    """x̂ = argmax μ, from the best of 1024 quasi-random points and of what was shown."""
    raw = torch.cat([model.datapoints, sobol(1024, model.Z.shape[-1])]).unsqueeze(1)
    return search(lambda X: model.mean(X.squeeze(1)), raw, top=4).squeeze(0)


def ask(method: str, model: Surrogate, best: Tensor) -> Tensor:
    """The next pair, 2 × d; best is x̂."""
    shown, d = model.datapoints, len(best)
    if method == "random":
        return sobol(1, 2 * d).view(2, d)
    means = model.mean(shown)
    good = torch.cat([best.unsqueeze(0), shown[means.topk(min(8, len(shown))).indices]])
    raw = torch.cat([sobol(RAW_PAIRS // 2, 2 * d), around(good, RAW_PAIRS).view(-1, 2 * d)]).view(-1, 2, d)
    if method == "eubo":
        return search(AnalyticExpectedUtilityOfBestOption(model), raw)
    if method == "logei":  # with its stock sampler, 512 scrambled Sobol normals
        return search(qLogExpectedImprovement(model, best_f=means.max()), raw)
    level = model.mean(good[:1])  # max μ: subtracted, it leaves what an answer is expected to add
    pool = torch.cat([good, shown, around(good[:1], 128), sobol(256, d)])
    plus, minus = (pool[value.argmax(-1)] for value in outcomes(model, raw, pool))  # each pair's best x₊ and x₋
    raw = torch.cat([raw, torch.stack([plus, minus], 1)], 1)
    return search(lambda X: one_shot(model, X) - level, raw)[:2]


# --- Runs -------------------------------------------------------------------------------------------------------
def run(problem: Problem, method: str, seed: int, sigma: float, initial: int, questions: int,
        design: dict[str, Any]) -> Iterator[dict[str, float]]:  # fmt: skip
    """Answer the initial pairs, then the method's questions; yield what is known after each answer."""
    place = list(design.get("seeds", range(len(design["oracle_normals"])))).index(seed)
    normals, given = design["oracle_normals"][place], design[str(problem.dim)][place]
    pairs = torch.tensor(given["initial_pairs"]).double().view(-1, 2, problem.dim) / 2**30
    inducing = torch.tensor(given["inducing_sobol"]).double() / 2**30
    if initial > len(pairs) or initial + questions > len(normals):
        raise SystemExit(f"seed {seed} of the design has {len(pairs)} initial pairs and {len(normals)} answers")
    torch.manual_seed(seed)

    def duel(pair: Tensor, k: int) -> Tensor:  # winner first; without noise the draw breaks ties
        g = problem.utility(pair[0]) - problem.utility(pair[1]) + sigma * normals[k]
        return pair if g > 0 or (g == 0 and normals[k] > 0) else pair.flip(0)

    duels = torch.stack([duel(pair, k) for k, pair in enumerate(pairs[:initial])])
    model, asked, asked_cpu = None, 0.0, 0.0
    for i in range(questions + 1):
        cpu, start = time.process_time(), time.perf_counter()
        model = Surrogate(duels, inducing, model).fit()
        fitted = time.perf_counter()
        best = recommend(model)
        done, used = time.perf_counter(), time.process_time() - cpu
        yield {"iter": i, "answers": len(duels), "gap": problem.optimum - problem.utility(best),
               "fit_s": fitted - start, "acq_s": asked, "rec_s": done - fitted,
               "cpu_s": used + asked_cpu, "sigma": sigma}  # fmt: skip
        if i < questions:
            cpu, start = time.process_time(), time.perf_counter()
            pair = ask(method, model, best)
            asked, asked_cpu = time.perf_counter() - start, time.process_time() - cpu
            duels = torch.cat([duels, duel(pair, len(duels)).unsqueeze(0)])


def main() -> None:
    p = argparse.ArgumentParser(description="Run the paper's method on BoTorch over a design file.")
    p.add_argument("--design", type=Path, required=True, help="initial pairs, inducing candidates, noise")
    p.add_argument("--problems", default="hartmann6", help=f"of {','.join(PROBLEMS)}")
    p.add_argument("--noise", type=float, default=0.1, help="target error rate: 0, 0.1 or 0.3")
    p.add_argument("--methods", default="kg", help="of kg,eubo,logei,random")
    p.add_argument("--seeds", default="0", help="as in 0-4 or 0,2,5")
    p.add_argument("--questions", type=int, default=100, help="after the initial pairs")
    p.add_argument("--initial", type=int, help="initial pairs; default 4 per dimension")
    p.add_argument("--sigma", type=float, help="the rater's noise; default from the design, or a table")
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--out", type=Path, required=True, help="rows are appended; finished cells are skipped")
    args = p.parse_args()
    problems, methods = args.problems.split(","), args.methods.split(",")
    if unknown := set(problems) - set(PROBLEMS) | set(methods) - {"kg", "eubo", "logei", "random"}:
        p.error(f"unknown: {', '.join(unknown)}")
    torch.set_num_threads(args.threads)
    key = itemgetter("problem", "noise", "method", "seed", "sigma", "iter", "answers")
    with args.out.open("ab+") as file:  # what there is already; a line torn by a kill is cut off
        file.seek(0)
        text = file.read()
        file.truncate(text.rfind(b"\n") + 1)
    have, design = {key(json.loads(line)) for line in text.split(b"\n")[:-1]}, json.loads(args.design.read_text())
    ranges = [[int(end) for end in part.split("-")] for part in args.seeds.split(",")]
    seeds = [seed for ends in ranges for seed in range(ends[0], ends[-1] + 1)]
    for seed, name, method in product(seeds, problems, methods):
        problem = PROBLEMS[name]
        table = {0.0: 0.0} | dict(zip((0.1, 0.3), problem.sigma))
        table |= {float(rate): s for rate, s in design.get("sigma", {}).get(name, {}).items()}
        sigma = table[args.noise] if args.sigma is None else args.sigma
        initial = args.initial or 4 * problem.dim
        cell = {"problem": name, "noise": args.noise, "method": method, "setup": "botorch", "seed": seed}
        wanted = (cell | {"sigma": sigma, "iter": i, "answers": initial + i} for i in range(args.questions + 1))
        if not have.issuperset(map(key, wanted)):
            for row in run(problem, method, seed, sigma, initial, args.questions, design):
                if key(cell | row) not in have:
                    with args.out.open("a") as out:
                        out.write(json.dumps(cell | row) + "\n")


if __name__ == "__main__":
    main()
