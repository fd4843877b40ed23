#!/usr/bin/env python3
"""Write the golden values of package normal.

    python3 testdata/golden.py

Needs mpmath; scipy only for a second opinion, reported in each header. Inputs are float64 and taken exactly; outputs are
printed with 18 digits. The formulas are the defining ones, in enough digits that their cancellation does not matter:
nothing here follows the algebra of the Go code.
"""
import json
import os
import random
import sys

import mpmath as mp
import scipy
import scipy.special as sc

HERE = os.path.dirname(os.path.abspath(__file__))
INF = float("inf")
mp.mp.dps = 60


def f(v):
    """A JSON string: 18 digits of an mpf, exact repr of a float (inputs)."""
    if isinstance(v, float):
        return repr(v)
    return mp.nstr(v, 18, strip_zeros=True, min_fixed=0, max_fixed=0)


def phi(x):
    return mp.exp(-x * x / 2) / mp.sqrt(2 * mp.pi)


def upper(x):
    """1 − Φ(x)."""
    return mp.erfc(x / mp.sqrt(2)) / 2


def write(name, columns, rows, **extra):
    head = {
        "tool": "mpmath %s, Python %s" % (mp.__version__, sys.version.split()[0]),
        "crosscheck": "scipy %s" % scipy.__version__,
        "command": "python3 testdata/golden.py",
    }
    head.update(extra)
    with open(os.path.join(HERE, name), "w") as out:
        out.write("{\n")
        for k, v in head.items():
            out.write("%s: %s,\n" % (json.dumps(k), json.dumps(v)))
        out.write('"columns": %s,\n"rows": [\n' % json.dumps(columns))
        out.write(",\n".join(json.dumps([f(v) for v in row]) for row in rows))
        out.write("\n]}\n")
    # A disagreement in the eleventh digit would mean that one of the two is wrong, not that scipy rounds.
    assert all(v < 1e-11 for v in extra.values()), extra
    print(name, len(rows), extra)


def off(got, want):
    """Relative difference of a float from an mpf."""
    want = mp.mpf(want)
    return float(abs(mp.mpf(float(got)) - want) / abs(want)) if want else abs(float(got))


def scalar():
    rng = random.Random(1)
    xs = [i / 16 for i in range(-640, 641)]
    xs += [s * 10 ** rng.uniform(-8, 6) for s in (-1, 1) for _ in range(200)]
    xs += [rng.gauss(0, 1) for _ in range(150)] + [rng.uniform(-38, 38) for _ in range(150)]
    xs += [s * 10.0**k for s in (-1, 1) for k in (-300, -100, -20, 2, 3, 4, 5, 6, 8, 12)]
    xs = sorted(set(xs))
    rows, worst = [], 0.0
    for v in xs:
        mp.mp.dps = 60
        x = mp.mpf(v)
        if abs(x) < 1e-9:
            mp.mp.dps = 350  # for 1 − h² and the like with x = 1e-300 in them
        if abs(x) > 1e5:
            mp.mp.dps = 80
        # Φ(x) may be 10^(−10^11) here; mpmath's exponents are unbounded.
        if abs(x) < 1e7:
            cdf = upper(-x)
            # log of 1 − tiny: by series, since Φ(1e6) = 1 to any number of digits.
            logcdf = mp.log1p(-upper(x)) if x > 0 else mp.log(cdf)
            mills = phi(x) / cdf
        else:
            # First terms of the asymptotic series; the next is below 1e-40 relative.
            r = (1 - 1 / x**2 + 3 / x**4 - 15 / x**6) / abs(x)
            pdf = phi(x)
            cdf = pdf * r if x < 0 else 1 - pdf * r
            logcdf = -x * x / 2 - mp.log(2 * mp.pi) / 2 + mp.log(r) if x < 0 else -pdf * r
            mills = 1 / r if x < 0 else pdf
        prime = -mills * (mills + x) if abs(x) < 1e7 or x > 0 else -1 + 1 / x**2 - 6 / x**4
        mp.mp.dps = 60
        rows.append((v, phi(x), cdf, logcdf, mills, prime))
        if abs(v) < 37:
            worst = max(worst, off(sc.log_ndtr(v), logcdf))
    write("scalar.json", ["x", "pdf", "cdf", "logcdf", "mills", "millsprime"], rows, scipy_log_ndtr_max_rel=worst)


def quantile():
    rng = random.Random(2)
    ps = [i / 256 for i in range(1, 256)]
    ps += [10 ** rng.uniform(-300, 0) for _ in range(150)] + [rng.random() for _ in range(200)]
    ps += [1 - 10 ** rng.uniform(-15, 0) for _ in range(100)] + [0.5 + s * 10 ** rng.uniform(-15, -1) for s in (-1, 1) for _ in range(40)]
    ps += [0.25, 0.75, 0.25 - 2**-54, 0.75 + 2**-53, 2**-53, 1 - 2**-53, 1e-307]
    worst = 0.0

    def solve(logp, start):
        """log Φ(x) = logp by Newton in 60 digits, from a float64 start."""
        x = mp.mpf(start)
        for _ in range(100):
            c = upper(-x)
            lc = mp.log1p(-upper(x)) if x > 1 else mp.log(c)
            step = (lc - logp) * c / phi(x)
            x -= step
            if abs(step) <= mp.mpf(10) ** -45 * (abs(x) + mp.mpf(10) ** -40):
                return x
        raise ArithmeticError(logp)

    rows = []
    for p in sorted(set(ps)):
        if not 0 < p < 1:
            continue
        # p near 1: solve for the mirror image, log(1−p) being the well-conditioned datum.
        q = mp.mpf(p)
        x = solve(mp.log(q), sc.ndtri(p)) if p <= 0.5 else -solve(mp.log(1 - q), -sc.ndtri(p))
        rows.append((p, x))
        if abs(p - 0.5) > 1e-3:
            worst = max(worst, off(sc.ndtri(p), x))
    write("quantile.json", ["p", "x"], rows, scipy_ndtri_max_rel=worst)


def moments(a, b):
    """Moments of a standard normal on (a, b) from the closed forms, in enough digits."""
    a, b = mp.mpf(a), mp.mpf(b)
    if a == -b and mp.isinf(a):
        return tuple(map(mp.mpf, (0, 0, 1, 0, 0, 0, 0)))
    if a + b < 0:
        z, mean, var, shrink, third, ha, hb = moments(-b, -a)
        return z, -mean, var, shrink, -third, hb, ha
    width = b - a
    lost = 20 + (0 if mp.isinf(width) else 5 * max(0, -int(mp.log10(width)))) + 5 * int(mp.log10(min(abs(a), mp.mpf(10) ** 6) + 1))
    mp.mp.dps = 50 + lost
    pa, pb = (mp.mpf(0) if mp.isinf(v) else phi(v) for v in (a, b))
    # One-sided and wide intervals: 1 − Z may be far below the working precision, and log Z with it.
    tails = (upper(-a) if not mp.isinf(a) else 0) + (upper(b) if not mp.isinf(b) else 0)
    if a < 0 and tails < 0.5:
        z, logz = 1 - tails, mp.log1p(-tails)
    else:
        z = upper(a) - (0 if mp.isinf(b) else upper(b))
        logz = mp.log(z)
    ha, hb = pa / z, pb / z
    times = lambda v, d: mp.mpf(0) if mp.isinf(v) else v * d
    r = ha - hb
    edge = times(a, ha) - times(b, hb)
    shrink = r * r - edge
    third = times(a, times(a, ha)) - times(b, times(b, hb)) - r - 3 * r * edge + 2 * r**3
    out = logz, r, 1 - shrink, shrink, third, ha, hb
    mp.mp.dps = 60
    return out


def truncated():
    rng = random.Random(3)
    pairs = []
    # One-sided, both directions.
    for x in [i / 8 for i in range(-320, 321)] + [s * 10 ** rng.uniform(-6, 6) for s in (-1, 1) for _ in range(60)] + [1e3, 1e4, 1e5, 1e6]:
        pairs.append((x, INF) if rng.random() < 0.7 else (-INF, -x))
    # A tail start and a width, from 1e-12 of the scale to everything.
    for a in [0.0, 1e-3, 0.1, 0.5, 1.0, 2.0, 3.0, 5.0, 8.0, 12.0, 20.0, 30.0, 38.0, 45.0, 1e2, 1e3, 1e4, 1e6]:
        for e in range(-12, 3):
            for m in (1.0, 2.5, 6.0):
                w = m * 10.0**e
                b = a + w
                if b > a and a * w + w * w / 2 < 1e5:
                    pairs.append((a, b) if rng.random() < 0.5 else (-b, -a))
    # The drop T of the exponent around the switches between methods.
    for a in (0.0, 0.2, 1.0, 4.0, 25.0, 1e3, 1e5):
        for t in (0.4999, 0.5001, 1, 2, 3, 4, 5.99, 6.01, 7, 8, 10, 15, 20, 30, 40, 59.9, 60.1, 80):
            pairs.append((a, a + 2 * t / (a + (a * a + 2 * t) ** 0.5)))
    # Across zero.
    for _ in range(700):
        w = 10 ** rng.uniform(-12, 2)
        a = -w * rng.random()
        pairs.append((a, a + w))
    for _ in range(200):
        w = rng.uniform(0.9, 1.1) * rng.choice((1, 1, 2, 4, 8))
        a = -w * rng.random()
        pairs.append((a, a + w))
    for w in (1e-12, 1e-6, 0.01, 0.3, 0.999, 1.0, 1.001, 2.0, 5.0, 10.0, 20.0, 60.0):
        pairs.append((-w / 2, w / 2))
    # Anything.
    for _ in range(500):
        a, b = sorted((rng.gauss(0, 3), rng.gauss(0, 3)))
        pairs.append((a, b))
    for _ in range(300):
        a = rng.choice((-1, 1)) * 10 ** rng.uniform(-3, 6)
        b = a + abs(a) * 10 ** rng.uniform(-9, 0) if rng.random() < 0.5 else a + 10 ** rng.uniform(-3, 1)
        if a < b:
            pairs.append((a, b))
    pairs.append((-INF, INF))
    rows = []
    for a, b in sorted(set(pairs)):
        logz, r, var, shrink, third, ha, hb = moments(a, b)
        rows.append((a, b, mp.exp(logz), logz, r, var, shrink, third, ha, hb))
    write("truncated.json", ["a", "b", "z", "logz", "mean", "variance", "shrink", "third", "ata", "atb"], rows)


def tails():
    """Mills' ratio, mean excess, variance, third central moment and fourth cumulant of X | X > x."""
    rng = random.Random(6)
    xs = [i / 32 for i in range(257)] + [10 ** rng.uniform(-6, 6) for _ in range(300)] + [1e6]
    rows = []
    mp.mp.dps = 120
    for v in sorted(xs):
        x = mp.mpf(v)
        # Derivatives of log Φ at τ = −x; h' = −h(h+τ), differentiated by the product rule.
        h = phi(x) / upper(x)
        h1 = -h * (h - x)
        h2 = -h1 * (h - x) - h * (h1 + 1)
        h3 = -h2 * (h - x) - 2 * h1 * (h1 + 1) - h * h2
        rows.append((v, 1 / h, h - x, 1 + h1, h2, h3))
    write("tail.json", ["x", "ratio", "excess", "variance", "third", "fourth"], rows)
    mp.mp.dps = 60


def esn():
    rng = random.Random(4)
    cases = []
    for tau in [i / 2 for i in range(-60, 61)]:
        for alpha in (0.0, rng.uniform(-1, 1), rng.choice((-1, 1)) * 10 ** rng.uniform(0, 3)):
            cases.append((rng.gauss(0, 1), 10 ** rng.uniform(-2, 2), alpha, tau))
    cases += [(0.0, 1.0, s * 1e3, t) for s in (-1, 1) for t in (-30.0, -10.0, 0.0, 10.0, 30.0)]
    rows = []
    mp.mp.dps = 80
    for xi, omega, alpha, tau in cases:
        x0, w, al, t = map(mp.mpf, (xi, omega, alpha, tau))
        delta = al / mp.sqrt(1 + al * al)
        # Cumulants as Taylor coefficients of K(t) = −log Φ(τ) + ξt + ½ω²t² + log Φ(τ+δωt), by derivatives of log Φ:
        # with g = log Φ, g' = h and h' = −h(h+τ), differentiated further by the product rule.
        h0 = phi(t) / upper(-t)
        h1 = -h0 * (h0 + t)
        h2 = -h1 * (h0 + t) - h0 * (h1 + 1)
        h3 = -h2 * (h0 + t) - 2 * h1 * (h1 + 1) - h0 * h2
        k = (x0 + w * delta * h0, w**2 * (1 + delta**2 * h1), (w * delta) ** 3 * h2, (w * delta) ** 4 * h3)
        scale4 = (w * delta) ** 4 * h0 * (1 + abs(t)) ** 3 if t > 0 else abs(k[3])
        # One abscissa within a few deviations, and the log density, log MGF there.
        x = float(k[0] + mp.mpf(rng.uniform(-4, 4)) * mp.sqrt(k[1]))
        z = (mp.mpf(x) - x0) / w
        q = t * mp.sqrt(1 + al * al) + al * z
        log_upper = lambda v: mp.log1p(-upper(-v)) if v < 0 else mp.log(upper(v))
        logprob = -z * z / 2 - mp.log(2 * mp.pi) / 2 - mp.log(w) + log_upper(-q) - log_upper(-t)
        s = float(rng.choice((1e-9, 1e-4, 0.1, 1.0, 3.0)) * rng.choice((-1, 1)) / omega)
        cgf = x0 * s + w * w * mp.mpf(s) ** 2 / 2 + log_upper(-(t + delta * w * s)) - log_upper(-t)
        rows.append((xi, omega, alpha, tau) + k + (scale4, x, logprob, s, cgf))
    write("esn.json", ["xi", "omega", "alpha", "tau", "k1", "k2", "k3", "k4", "k4scale", "x", "logprob", "t", "cgf"], rows)


def lemma():
    """E and Var of x1 | x2 >= 0 by quadrature of the joint density over x2, no closed form used (Lemma B.1)."""
    rng = random.Random(5)
    mp.mp.dps = 30
    rows = []
    for _ in range(25):
        mu1, mu2 = rng.gauss(0, 1), rng.gauss(0, 2)
        s11, s22 = 10 ** rng.uniform(-1, 1), 10 ** rng.uniform(-1, 1)
        s12 = rng.uniform(-0.99, 0.99) * (s11 * s22) ** 0.5
        m1, m2, a, c, b = map(mp.mpf, (mu1, mu2, s11, s12, s22))
        sd = mp.sqrt(b)
        top = max(mp.mpf(0), m2) + 14 * sd
        w = lambda v: mp.exp(-((v - m2) ** 2 - (0 if m2 > 0 else m2 * m2)) / (2 * b))
        grid = [top * i / 16 for i in range(17)]
        z = mp.quad(w, grid)
        cond = lambda v: m1 + c / b * (v - m2)
        e1 = mp.quad(lambda v: w(v) * cond(v), grid) / z
        e2 = mp.quad(lambda v: w(v) * ((cond(v) - e1) ** 2 + a - c * c / b), grid) / z
        rows.append((mu1, mu2, s11, s12, s22, e1, e2))
    write("lemma.json", ["mu1", "mu2", "s11", "s12", "s22", "mean", "variance"], rows)
    mp.mp.dps = 60


scalar()
quantile()
tails()
truncated()
esn()
lemma()
