"""Writes golden.json: Moré-Garbow-Hillstrom problems solved by SciPy's L-BFGS-B, without and with bounds.

Run: python golden.py > golden.json

The residuals are written here a second time, from the paper, in complex arithmetic; gradients come from complex steps, so no derivative
is shared with the Go tests.
"""

import json
import platform

import numpy as np
import scipy
from scipy.optimize import least_squares, minimize

exp, sin, cos, sqrt = np.exp, np.sin, np.cos, np.sqrt
INF = float("inf")


def helical(x):
    theta = np.arctan(x[1] / x[0]) / (2 * np.pi) + (0.5 if x[0].real < 0 else 0)
    return [10 * (x[2] - 10 * theta), 10 * (sqrt(x[0] ** 2 + x[1] ** 2) - 1), x[2]]


def bard(x):
    y = [0.14, 0.18, 0.22, 0.25, 0.29, 0.32, 0.35, 0.39, 0.37, 0.58, 0.73, 0.96, 1.34, 2.10, 4.39]
    return [y[i - 1] - (x[0] + i / ((16 - i) * x[1] + min(i, 16 - i) * x[2])) for i in range(1, 16)]


def gaussian(x):
    y = [0.0009, 0.0044, 0.0175, 0.0540, 0.1295, 0.2420, 0.3521, 0.3989]
    y = y + y[-2::-1]
    return [x[0] * exp(-x[1] * ((8 - i) / 2 - x[2]) ** 2 / 2) - y[i - 1] for i in range(1, 16)]


def box3(x):
    t = 0.1 * np.arange(1, 11)
    return exp(-t * x[0]) - exp(-t * x[1]) - x[2] * (exp(-t) - exp(-10 * t))


def powell(x):
    return [x[0] + 10 * x[1], sqrt(5) * (x[2] - x[3]), (x[1] - 2 * x[2]) ** 2, sqrt(10) * (x[0] - x[3]) ** 2]


def wood(x):
    return [10 * (x[1] - x[0] ** 2), 1 - x[0], sqrt(90) * (x[3] - x[2] ** 2), 1 - x[2],
            sqrt(10) * (x[1] + x[3] - 2), (x[1] - x[3]) / sqrt(10)]


def kowalik(x):
    y = np.array([0.1957, 0.1947, 0.1735, 0.1600, 0.0844, 0.0627, 0.0456, 0.0342, 0.0323, 0.0235, 0.0246])
    u = np.array([4, 2, 1, 0.5, 0.25, 0.167, 0.125, 0.1, 0.0833, 0.0714, 0.0625])
    return y - x[0] * (u**2 + u * x[1]) / (u**2 + u * x[2] + x[3])


def brown_dennis(x):
    t = np.arange(1, 21) / 5
    return (x[0] + t * x[1] - exp(t)) ** 2 + (x[2] + x[3] * sin(t) - cos(t)) ** 2


def biggs(x):
    t = 0.1 * np.arange(1, 14)
    y = exp(-t) - 5 * exp(-10 * t) + 3 * exp(-4 * t)
    return x[2] * exp(-t * x[0]) - x[3] * exp(-t * x[1]) + x[5] * exp(-t * x[4]) - y


def watson(x):
    n = len(x)
    t = np.arange(1, 30)[:, None] / 29
    j = np.arange(n)
    a = (j[1:] * x[1:] * t ** (j[1:] - 1)).sum(1)
    b = (x * t**j).sum(1)
    return np.concatenate([a - b**2 - 1, [x[0], x[1] - x[0] ** 2 - 1]])


def penalty2(x):
    n = len(x)
    a = sqrt(1e-5)
    r = [x[0] - 0.2]
    for i in range(2, n + 1):
        r.append(a * (exp(x[i - 1] / 10) + exp(x[i - 2] / 10) - exp(i / 10) - exp((i - 1) / 10)))
    for i in range(n + 1, 2 * n):
        r.append(a * (exp(x[i - n] / 10) - exp(-0.1)))
    return r + [sum((n - j) * x[j] ** 2 for j in range(n)) - 1]


def variably(x):
    i = np.arange(1, len(x) + 1)
    s = (i * (x - 1)).sum()
    return np.concatenate([x - 1, [s, s**2]])


def trigonometric(x):
    i = np.arange(1, len(x) + 1)
    return len(x) - cos(x).sum() + i * (1 - cos(x)) - sin(x)


def boundary_value(x):
    n = len(x)
    h = 1 / (n + 1)
    p = np.concatenate([[0], x, [0]])
    t = h * np.arange(1, n + 1)
    return 2 * p[1:-1] - p[:-2] - p[2:] + h**2 * (p[1:-1] + t + 1) ** 3 / 2


def tridiagonal(x):
    p = np.concatenate([[0], x, [0]])
    return (3 - 2 * x) * x - p[:-2] - 2 * p[2:] + 1


def banded(x):
    n = len(x)
    return [x[i] * (2 + 5 * x[i] ** 2) + 1 - sum(x[j] * (1 + x[j]) for j in range(max(0, i - 5), min(n, i + 2)) if j != i)
            for i in range(n)]


def extended(block, size):
    return lambda x: np.concatenate([block(x[i:i + size]) for i in range(0, len(x), size)])


def rosenbrock(x):
    return [10 * (x[1] - x[0] ** 2), 1 - x[0]]


# name, residuals, start, bounds of the bounded version: chosen by hand so that some bounds are active at the solution and others are not,
# some variables have one bound only, and the start is outside now and then.
PROBLEMS = [
    ("01 Rosenbrock", rosenbrock, [-1.2, 1], [(-2, 0.8), (-1, 3)]),
    ("02 Freudenstein-Roth", lambda x: [-13 + x[0] + ((5 - x[1]) * x[1] - 2) * x[1], -29 + x[0] + ((x[1] + 1) * x[1] - 14) * x[1]],
     [0.5, -2], [(0, 10), (-30, -0.5)]),
    ("03 Powell badly scaled", lambda x: [1e4 * x[0] * x[1] - 1, exp(-x[0]) + exp(-x[1]) - 1.0001], [0, 1], [(0, 1), (1, 9)]),
    ("04 Brown badly scaled", lambda x: [x[0] - 1e6, x[1] - 2e-6, x[0] * x[1] - 2], [1, 1], [(0, 1e6), (3e-5, 100)]),
    ("05 Beale", lambda x: [1.5 - x[0] * (1 - x[1]), 2.25 - x[0] * (1 - x[1] ** 2), 2.625 - x[0] * (1 - x[1] ** 3)],
     [1, 1], [(0.6, 2.5), (0.3, 100)]),
    ("06 Jennrich-Sampson", lambda x: [2 + 2 * i - (exp(i * x[0]) + exp(i * x[1])) for i in range(1, 11)],
     [0.3, 0.4], [(0.26, 10), (-INF, 20)]),
    ("07 Helical valley", helical, [-1, 0, 0], [(-100, 0.8), (-1, 1), (-1, 1)]),
    ("08 Bard", bard, [1, 1, 1], [(0.1, 50), (0, INF), (0.5, 2)]),
    ("09 Gaussian", gaussian, [0.4, 1, 0], [(0.398, 4.2), (1.1, 2), (-0.5, 0.1)]),
    ("12 Box 3-D", box3, [0, 10, 20], [(0, 2), (5, 9.5), (0, 20)]),
    ("13 Powell singular", powell, [3, -1, 0, 1], [(0.1, 100), (-20, 20), (-1, -0.2), (-INF, INF)]),
    ("14 Wood", wood, [-3, -1, -3, -1], [(-100, 0), (-100, 10), (-100, 100), (-100, 100)]),
    ("15 Kowalik-Osborne", kowalik, [0.25, 0.39, 0.415, 0.39], [(0, 0.2), (-1, 0.15), (0.13, 12), (0.12, 12)]),
    ("16 Brown-Dennis", brown_dennis, [25, 5, -5, -1], [(-10, 100), (0, 15), (-100, 0), (-20, 0.2)]),
    ("18 Biggs EXP6", biggs, [1, 2, 1, 1, 1, 1], [(0, 2), (0, 8), (0, 1), (1, 7), (0, 5), (0, 5)]),
    ("20 Watson 6", watson, [0] * 6, [(-0.015, 10), (-10, 1), (-10, 10), (-10, 0.8), (-1, 10), (0, 0.99)]),
    ("20 Watson 9", watson, [0] * 9, [(-1e-5, 0.9), (0, 0.9), (0, 0.1), (0, 1), (0, 1), (0, 3), (0, 4), (0, 3), (0, 2)]),
    ("21 extended Rosenbrock 10", extended(rosenbrock, 2), [-1.2, 1] * 5, [(-2, 0.5), (-INF, INF), (-5, 5), (0.3, INF), (1.5, 2)] * 2),
    ("22 extended Powell 12", extended(powell, 4), [3, -1, 0, 1] * 3, [(0.1, 100), (-20, 20), (-1, -0.2), (-INF, INF)] * 3),
    ("23 penalty I 4", lambda x: np.concatenate([sqrt(1e-5) * (x - 1), [(x**2).sum() - 0.25]]), [1, 2, 3, 4],
     [(0, INF), (0.3, INF), (0, 1), (-5, 0.2)]),
    ("23 penalty I 10", lambda x: np.concatenate([sqrt(1e-5) * (x - 1), [(x**2).sum() - 0.25]]), list(range(1, 11)),
     [(0, 100), (1, 100)] + [(0, 0.1)] * 8),
    ("24 penalty II 4", penalty2, [0.5] * 4, [(-10, 50), (0.3, 50), (-10, 50), (0.5, 50)]),
    ("25 variably dimensioned 8", variably, [1 - i / 8 for i in range(1, 9)], [(0, 10), (0, 10), (0.2, 0.5), (0, 10), (-INF, 10), (0, 10), (0, 0.8), (0.9, INF)]),
    ("26 trigonometric 10", trigonometric, [0.1] * 10, [(0, 10), (0.1, 20), (0.2, 30), (0.3, 40), (0.4, 50)] * 2),
    ("27 Brown almost linear 10", lambda x: np.concatenate([x[:-1] + x.sum() - len(x) - 1, [np.prod(x) - 1]]), [0.5] * 10,
     [(-INF, 0.95), (0, 2)] * 5),
    ("28 discrete boundary value 10", boundary_value, [i / 11 * (i / 11 - 1) for i in range(1, 11)], [(-0.05, INF), (-INF, INF)] * 5),
    ("30 Broyden tridiagonal 10", tridiagonal, [-1] * 10, [(-0.5, INF), (-INF, INF)] * 5),
    ("31 Broyden banded 10", banded, [-1] * 10, [(-INF, INF), (-0.3, 1)] * 5),
]


def objective(residuals):
    def f(x):
        x = np.asarray(x, float)
        r = np.asarray(residuals(x + 0j)).real
        g = np.empty(len(x))
        for i in range(len(x)):
            z = x + 0j
            z[i] += 1e-30j
            g[i] = 2 * (r * np.asarray(residuals(z)).imag).sum() / 1e-30
        return (r**2).sum(), g

    return f


def solve(f, x0, bounds, **options):
    return minimize(f, x0, jac=True, method="L-BFGS-B", bounds=bounds, options=dict(maxiter=20000, maxfun=20000, maxcor=10, **options))


def polish(residuals, x, bounds):
    """Gauss-Newton steps from x by another method, as a check of L-BFGS-B's own answer on badly scaled problems."""
    def jacobian(x):
        columns = []
        for i in range(len(x)):
            z = x + 0j
            z[i] += 1e-30j
            columns.append(np.asarray(residuals(z)).imag / 1e-30)
        return np.array(columns).T

    lo, hi = np.array(bounds).T
    return least_squares(lambda x: np.asarray(residuals(x + 0j)).real, np.clip(x, lo, hi), jacobian, (lo, hi), "dogbox",
                         ftol=1e-15, xtol=1e-15, gtol=1e-15, max_nfev=2000, x_scale="jac").x


def case(name, residuals, x0, bounds):
    f = objective(residuals)
    loose = solve(f, x0, bounds, ftol=1e-9, gtol=1e-6)  # the defaults of the Go package
    best = solve(f, x0, bounds, ftol=0, gtol=1e-11)
    for _ in range(3):  # restarts drop a memory spoilt by rounding
        for x in best.x, polish(residuals, best.x, bounds):
            again = solve(f, x, bounds, ftol=0, gtol=1e-11)
            if again.fun < best.fun:
                best = again
    number = lambda v: None if abs(v) == INF else v
    return {
        "name": name, "start": x0, "lo": [number(b[0]) for b in bounds], "hi": [number(b[1]) for b in bounds],
        "x": list(map(float, best.x)), "value": float(best.fun),
        "evals": int(loose.nfev), "iters": int(loose.nit), "loose_value": float(loose.fun),
    }


cases = []
for name, r, x0, bounds in PROBLEMS:
    x0 = [float(v) for v in x0]
    free = [(-INF, INF)] * len(x0)
    cases.append(case(name, r, x0, free))
    cases.append(case(name, r, x0, bounds))

print("{")
header = {
    "tool": "SciPy %s, NumPy %s, Python %s" % (scipy.__version__, np.__version__, platform.python_version()),
    "command": "python golden.py > golden.json",
    "content": "x, value: minimiser of the sum of squares in the box by L-BFGS-B with ftol=0, gtol=1e-11, restarted and polished by least_squares(dogbox); "
    "evals, iters, loose_value: one run with ftol=1e-9, gtol=1e-6, maxcor=10; null bounds are infinite",
}
for k, v in header.items():
    print("  %s: %s," % (json.dumps(k), json.dumps(v)))
print('  "cases": [\n' + ",\n".join("    " + json.dumps(c) for c in cases) + "\n  ]\n}")
