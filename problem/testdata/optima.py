#!/usr/bin/env python3
"""Write optima.json: the optima of the test functions, to 25 digits.

    python3 testdata/optima.py

Needs mpmath. Every function is written out here from its definition, apart from the Go code. Where the optimum has no
closed form the search is exhaustive in the way the function allows:

  Styblinski-Tang   a sum over coordinates: every root of the cubic derivative, the best one
  Michalewicz       a sum over coordinates: 20000 starts on a grid of (0, pi) for each, the best one polished by Newton
  Hartmann          the gradient's root by Newton from the best of 2000 pattern searches at random starts
  the others        known in closed form: evaluated at the maximiser as a check
"""
import json
import os
import random

import mpmath as mp

HERE = os.path.dirname(os.path.abspath(__file__))
mp.mp.dps = 50

ALPHA = ["1.0", "1.2", "3.0", "3.2"]
HARTMANN = {
    3: ([["3.0", "10", "30"], ["0.1", "10", "35"], ["3.0", "10", "30"], ["0.1", "10", "35"]],
        [[3689, 1170, 2673], [4699, 4387, 7470], [1091, 8732, 5547], [381, 5743, 8828]]),
    6: ([["10", "3", "17", "3.5", "1.7", "8"], ["0.05", "10", "17", "0.1", "8", "14"],
         ["3", "3.5", "1.7", "10", "17", "8"], ["17", "8", "0.05", "10", "0.1", "14"]],
        [[1312, 1696, 5569, 124, 8283, 5886], [2329, 4135, 8307, 3736, 1004, 9991],
         [2348, 1451, 3522, 2883, 3047, 6650], [4047, 8828, 8732, 5743, 1091, 381]]),
}


def text(v):
    return mp.nstr(v, 25)


def hartmann(d, number, exp):
    """The utility and its gradient, in the arithmetic of number and exp."""
    alpha = [number(a) for a in ALPHA]
    a = [[number(v) for v in row] for row in HARTMANN[d][0]]
    p = [[number(v) / number(10000) for v in row] for row in HARTMANN[d][1]]

    def terms(x):
        return [alpha[i] * exp(-sum(a[i][j] * (x[j] - p[i][j]) ** 2 for j in range(d))) for i in range(4)]

    def gradient(x):
        t = terms(x)
        return [sum(-2 * a[i][j] * (x[j] - p[i][j]) * t[i] for i in range(4)) for j in range(d)]

    return (lambda x: sum(terms(x))), gradient


def hartmann_optimum(d):
    import math
    f, _ = hartmann(d, float, math.exp)
    rng, best = random.Random(1), None
    for _ in range(2000):
        x = [rng.random() for _ in range(d)]
        at, step = f(x), 0.25
        while step > 1e-5:
            moved = False
            for j in range(d):
                for s in (step, -step):
                    y = list(x)
                    y[j] = min(1, max(0, y[j] + s))
                    v = f(y)
                    if v > at:
                        x, at, moved = y, v, True
            if not moved:
                step /= 2
        if best is None or at > best[0]:
            best = (at, x)
    f, gradient = hartmann(d, mp.mpf, mp.exp)
    x = mp.findroot(lambda *x: gradient(x), [mp.mpf(v) for v in best[1]], tol=1e-80)
    x = [x[j] for j in range(d)]
    return f(x), x


def styblinski():
    """Per coordinate (x^4 - 16 x^2 + 5 x)/2, minimised."""
    g = lambda x: (x ** 4 - 16 * x ** 2 + 5 * x) / 2
    roots = mp.polyroots([4, 0, -32, 5], maxsteps=200, extraprec=200)
    x = min((mp.re(r) for r in roots), key=g)
    return -g(x), x


def michalewicz(i):
    """Coordinate i, counted from 1: sin(x) sin(i x^2/pi)^20 on [0, pi], maximised."""
    import math
    f = lambda x: mp.sin(x) * mp.sin(i * x ** 2 / mp.pi) ** 20
    grid = (math.pi * (k + 0.5) / 20000 for k in range(20000))
    start = max(grid, key=lambda x: math.sin(x) * math.sin(i * x * x / math.pi) ** 20)
    # (log f)' = cot x + 40 i x/pi cot(i x^2/pi) is well scaled at the top
    x = mp.findroot(lambda x: mp.cot(x) + 40 * i * x / mp.pi * mp.cot(i * x ** 2 / mp.pi), mp.mpf(start), tol=1e-80)
    return f(x), x


def branin(x, y):
    b, c, t = mp.mpf("5.1") / (4 * mp.pi ** 2), 5 / mp.pi, 1 / (8 * mp.pi)
    return -((y - b * x ** 2 + c * x - 6) ** 2 + 10 * (1 - t) * mp.cos(x) + 10)


def main():
    out = {"tool": "mpmath %s, %d digits" % (mp.__version__, mp.mp.dps), "command": "python3 testdata/optima.py"}
    optima = {}

    def put(name, value, *xs):
        optima[name] = {"optimum": text(value), "maximisers": [[text(v) for v in x] for x in xs]}

    places = [(-mp.pi, mp.mpf("12.275")), (mp.pi, mp.mpf("2.275")), (3 * mp.pi, mp.mpf("2.475"))]
    for p in places:
        assert abs(branin(*p) + 5 / (4 * mp.pi)) < 1e-40
    put("branin2", branin(*places[0]), *places)
    for d in (3, 6):
        v, x = hartmann_optimum(d)
        put("hartmann%d" % d, v, x)
    v, x = styblinski()
    put("styblinski4", 4 * v, [x] * 4)
    each = [michalewicz(i) for i in range(1, 6)]
    put("michalewicz5", sum(v for v, _ in each), [x for _, x in each])
    out["optima"] = optima
    with open(os.path.join(HERE, "optima.json"), "w") as file:
        json.dump(out, file, indent=1)
        file.write("\n")


main()
