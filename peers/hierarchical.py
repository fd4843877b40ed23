"""Hierarchical logits: people whose weights are drawn from one law, βᵣ ~ N(b, Σ), and a person's law given what they said.

`bayes` has the whole posterior of b and Σ by Gibbs and Metropolis steps (Rossi, Allenby and McCulloch 2005, section 5.3; Train
2003, chapter 12), `likeliest` the estimate of the PyPI package xlogit (Σ diagonal, simulated likelihood), which has no person's own
law and is given one by Train's chapter 11: draws of the population, weighed by how well each predicts what they said.
"""

from __future__ import annotations

import contextlib

import numpy as np

KEPT = 2000  # settings of (b, Σ) that are kept of a chain, every second one
BURN = 1000  # steps before the first
EACH = 10  # people drawn from every setting


def slope(gap: np.ndarray, n: int = 50) -> np.ndarray:
    """argmax_b Σ log σ(gap b) − |b|²/200: everybody's weights, if they had one taste."""
    b = np.zeros(gap.shape[1])
    for _ in range(n):
        p = 1 / (1 + np.exp(gap @ b))
        b = b + np.linalg.solve((gap.T * (p * (1 - p))) @ gap + np.eye(len(b)) / 100, p @ gap - b / 100)
    return b


def bayes(gap: np.ndarray, who: np.ndarray, seed: int) -> np.ndarray:
    """Draws of β of somebody unmet, KEPT·EACH×d, from n×d differences, winner less loser, and who preferred them. b is flat and
    Σ inverse Wishart with ν = d + 3 and ν·1, the defaults of R's bayesm. A step of βᵣ is as wide as (Hᵣ + Σ⁻¹)⁻¹ with the Hessian Hᵣ
    of their answers at everybody's weights, times 2.93²/d; it does not depend on βᵣ, so it is symmetric."""
    dice, (_, person) = np.random.default_rng(seed), np.unique(who, return_inverse=True)
    (n, d), people, nu = gap.shape, person.max() + 1, gap.shape[1] + 3
    member = (person == np.arange(people)[:, None]).astype(float)  # people×n
    b, prior = slope(gap), nu * np.eye(d)
    p = 1 / (1 + np.exp(gap @ b))
    bend = np.einsum("ri,i,ij,ik->rjk", member, p * (1 - p), gap, gap)
    beta, sigma, out = np.tile(b, (people, 1)), np.eye(d), []

    def height(beta: np.ndarray, b: np.ndarray, precision: np.ndarray) -> np.ndarray:
        away = beta - b
        return member @ -np.logaddexp(0, -(gap * beta[person]).sum(1)) - ((away @ precision) * away).sum(1) / 2

    for step in range(BURN + 2 * KEPT):
        precision = np.linalg.inv(sigma)
        width = np.linalg.cholesky(np.linalg.inv(bend + precision)) * 2.93 / np.sqrt(d)
        new = beta + (width @ dice.standard_normal((people, d, 1)))[..., 0]
        climbs = np.log(dice.random(people)) < height(new, b, precision) - height(beta, b, precision)
        beta = np.where(climbs[:, None], new, beta)
        b = beta.mean(0) + np.linalg.cholesky(sigma / people) @ dice.standard_normal(d)
        root = np.linalg.cholesky(np.linalg.inv(prior + (beta - b).T @ (beta - b)))
        drawn = root @ dice.standard_normal((d, nu + people))
        sigma = np.linalg.inv(drawn @ drawn.T)
        if step >= BURN and step % 2:
            out.append(b + dice.standard_normal((EACH, d)) @ np.linalg.cholesky(sigma).T)
    return np.concatenate(out)


def likeliest(gap: np.ndarray, who: np.ndarray, seed: int) -> np.ndarray:
    """Draws of β of somebody unmet at the likeliest b and Σ, by xlogit with 500 Halton draws."""
    from xlogit import MixedLogit  # and scipy with it

    order = np.argsort(who, kind="stable")  # xlogit takes the last for the largest
    gap, who, (n, d) = gap[order], who[order], gap.shape
    long = np.zeros((2 * n, d))  # of two alternatives the second is 0: only differences matter
    long[::2] = gap
    names = [f"x{k}" for k in range(d)]
    found = np.zeros(2 * d)  # a coin
    for search in "BFGS", "L-BFGS-B":  # answers that can be separated have no likeliest law, and the first may end in an error
        with np.errstate(all="ignore"), contextlib.suppress(np.linalg.LinAlgError):
            model = MixedLogit()
            model.fit(X=long, y=np.tile([1, 0], n), varnames=names, alts=np.tile([1, 2], n), ids=np.repeat(np.arange(n), 2),
                      panels=np.repeat(who, 2), randvars={name: "n" for name in names}, n_draws=500, optim_method=search,
                      skip_std_errs=True, verbose=0)  # fmt: skip
            if np.isfinite(model.coeff_).all():
                found = model.coeff_
                break
    b, sd = found[:d], np.abs(found[d:])
    return b + np.random.default_rng(seed).standard_normal((KEPT * EACH, d)) * sd


def forecast(draws: np.ndarray, gap: np.ndarray, test: np.ndarray) -> np.ndarray:
    """Of the later differences, m×d, how probably the first is taken, by somebody whose own answers are gap: p = Σ wₛ σ(test βₛ)
    with wₛ ∝ Π σ(gap βₛ). That is exact but for the number of draws: it says what they said about b and Σ, too."""
    logs = -np.logaddexp(0, -draws @ gap.T).sum(1)
    w = np.exp(logs - logs.max())
    return (w / w.sum()) @ np.exp(-np.logaddexp(0, -draws @ test.T))
