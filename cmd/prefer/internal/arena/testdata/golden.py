"""Bradley–Terry values from other software: choix 0.4.1 (ratings) and statsmodels 0.15.0 (ratings and covariance), scipy 1.17.1 (with a prior).

python3 -m venv env && env/bin/pip install choix statsmodels && env/bin/python golden.py > golden.json
"""
import json
import random

import choix
import numpy as np
import scipy.optimize
import statsmodels.api as sm

random.seed(11)
names = ["ada", "bo", "cy", "di", "eve", "flo"]
truth = [1.2, 0.8, 0.1, 0.0, -0.6, -1.5]
battles = []
for _ in range(120):
    i, j = random.sample(range(6), 2)
    if random.random() < 0.12:
        battles.append([names[i], names[j], True])
    elif random.random() < 1 / (1 + np.exp(truth[j] - truth[i])):
        battles.append([names[i], names[j], False])
    else:
        battles.append([names[j], names[i], False])

# choix has no ties: every battle twice, a tie once in each direction, has its maximum at the same place.
pairs = []
for a, b, tied in battles:
    i, j = names.index(a), names.index(b)
    pairs += [(i, j), (j, i)] if tied else [(i, j), (i, j)]
theta = choix.opt_pairwise(6, pairs, alpha=0.0, method="Newton-CG", tol=1e-14)

# statsmodels: a logistic regression without intercept on who is there, the last name left out; a tie is a success of one half.
x = np.zeros((len(battles), 6))
y = np.array([0.5 if tied else 1.0 for _, _, tied in battles])
for k, (a, b, _) in enumerate(battles):
    x[k, names.index(a)], x[k, names.index(b)] = 1, -1
glm = sm.GLM(y, x[:, :5], family=sm.families.Binomial()).fit(tol=1e-14, maxiter=100)
assert np.allclose(np.append(glm.params, 0) - np.append(glm.params, 0).mean(), theta - theta.mean(), atol=1e-6)

lam = 0.7
minus = lambda t: sum(np.log1p(np.exp(-(x[k] @ t))) * y[k] + np.log1p(np.exp(x[k] @ t)) * (1 - y[k]) for k in range(len(y))) + lam / 2 * t @ t
map_ = scipy.optimize.minimize(minus, np.zeros(6), method="BFGS", options={"gtol": 1e-10}).x
print(json.dumps({"names": names, "battles": battles, "choix": (theta - theta.mean()).tolist(),
                  "anchored": np.append(glm.params, 0).tolist(), "sd": np.append(glm.bse, 0).tolist(), "covariance": np.asarray(glm.cov_params()).tolist(),
                  "lambda": lam, "map": map_.tolist()}))
