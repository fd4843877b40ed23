"""Writes points.json: unscrambled Sobol points from SciPy, as integers x·2^30.

Run: python golden.py > points.json
"""

import json
import platform

import numpy as np
import scipy
from scipy.stats import qmc

BITS = 30  # SciPy's default precision; the first 2^30 points need no more digits


def points(first, count):
    s = qmc.Sobol(64, scramble=False, bits=BITS)
    if first:
        s.fast_forward(first)
    p = np.concatenate([s.random(1) for _ in range(count)]) * 2**BITS
    assert (p == np.round(p)).all()
    return [[int(v) for v in row] for row in p]


def rows(block):
    return "[\n" + ",\n".join("    " + json.dumps(r, separators=(",", ":")) for r in block) + "\n  ]"


header = {
    "tool": "SciPy %s, NumPy %s, Python %s" % (scipy.__version__, np.__version__, platform.python_version()),
    "command": "python golden.py > points.json",
    "content": "scipy.stats.qmc.Sobol(64, scramble=False, bits=30) times 2^30: points 0 to 63; far: from index far_first on",
}
FAR = 123456789
print("{")
for k, v in header.items():
    print("  %s: %s," % (json.dumps(k), json.dumps(v)))
print('  "bits": %d,' % BITS)
print('  "points": %s,' % rows(points(0, 64)))
print('  "far_first": %d,' % FAR)
print('  "far": %s' % rows(points(FAR, 8)))
print("}")
