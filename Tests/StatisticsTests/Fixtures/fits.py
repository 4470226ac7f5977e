#!/usr/bin/env python3
"""Writes fits.json: maximum likelihood fits by SciPy, for MaximumLikelihoodTests.

usage: python3 fits.py > fits.json        (SciPy 1.17.1, NumPy 2)

The data are quantiles of known distributions at the points of a golden-ratio sequence, in whole microseconds, so they
need no random numbers. Likelihoods are sums of scipy.stats' logpdf or, of rounded data, of logarithms of differences of
cdf and sf; they are maximised by scipy.optimize.minimize from several starts. Nothing of Freshet's code is used.
"""
import json

import numpy as np
import scipy
from scipy import optimize, stats

GOLDEN = 0.6180339887498949


def points(count):
    return (0.5 + GOLDEN * np.arange(1, count + 1)) % 1


def frozen(family, x):
    match family:
        case "exponential":
            return stats.expon(scale=np.exp(x[0]))
        case "lognormal":
            return stats.lognorm(s=np.exp(x[1]), scale=np.exp(x[0]))
        case "gamma":
            return stats.gamma(a=np.exp(x[1]), scale=np.exp(x[0]))
        case "weibull":
            return stats.weibull_min(c=np.exp(x[1]), scale=np.exp(x[0]))


def log_likelihood(d, values, counts, resolution):
    if resolution is None:
        terms = np.log(d.pdf(values))
    else:
        low, high = np.maximum(0, values - resolution / 2), values + resolution / 2
        terms = np.log(np.where(d.cdf(high) < 0.5, d.cdf(high) - d.cdf(low), d.sf(low) - d.sf(high)))
    return float(np.sum(counts * terms))


def parameters(family, d):
    match family:
        case "exponential":
            return {"mean": d.mean()}
        case "lognormal":
            return {"median": d.median(), "p95": d.ppf(0.95)}
        case "gamma":
            return {"shape": d.kwds["a"], "scale": d.kwds["scale"]}
        case "weibull":
            return {"shape": d.kwds["c"], "scale": d.kwds["scale"]}


def starts(family, values):
    positive = values[values > 0]
    mean, logs = np.log(positive.mean()), np.log(positive)
    if family == "exponential":
        return [[mean]]
    return [[mean, 0], [logs.mean(), np.log(logs.std())]]


def fit(family, values, counts, resolution):
    def objective(x):
        with np.errstate(all="ignore"):
            value = -log_likelihood(frozen(family, x), values, counts, resolution)
        return value if np.isfinite(value) else 1e300

    best = None
    for start in starts(family, np.repeat(values, counts)):
        x = np.array(start, float)
        for _ in range(4):
            found = optimize.minimize(
                objective, x, method="Nelder-Mead", options=dict(xatol=1e-10, fatol=1e-11, maxiter=20000, maxfev=20000)
            )
            x = found.x
        if best is None or found.fun < best.fun:
            best = found
    d = frozen(family, best.x)
    result = {"family": family, "log_likelihood": -best.fun, "parameters": parameters(family, d)}
    if resolution is None:
        result["ks_distance"] = stats.kstest(np.repeat(values, counts), d.cdf).statistic
    return result


def case(name, quantiles, families, step=None):
    """A data set in seconds; `step` is what it was rounded to [s]."""
    exact = np.sort(quantiles)
    micros = np.rint(np.rint(exact / step) * step * 1e6 if step else exact * 1e6).astype(np.int64)
    values, counts = np.unique(micros, return_counts=True)
    return {
        "name": name,
        "unit": 1e6,
        "resolution": int(step * 1e6) if step else None,
        "values": micros.tolist(),
        "fits": [fit(family, values / 1e6, counts, step) for family in families],
    }


SIMPLE = ["exponential", "lognormal", "gamma", "weibull"]
body = stats.lognorm(s=0.35, scale=0.09).ppf(points(360))
tail = stats.lognorm(s=0.6, scale=1.2).ppf(points(40))
CASES = [
    case("lognormal", stats.lognorm(s=0.8, scale=2.5).ppf(points(200)), SIMPLE),
    case("gamma", stats.gamma(a=0.6, scale=40).ppf(points(200)), SIMPLE),
    case("weibull", stats.weibull_min(c=1.7, scale=0.012).ppf(points(200)), SIMPLE),
    case("whole seconds", stats.weibull_min(c=0.8, scale=4).ppf(points(300)), SIMPLE, step=1.0),
    case("tenths", np.concatenate([10 * body, 10 * tail]), SIMPLE, step=0.1),
]
print(json.dumps({"scipy": scipy.__version__, "cases": CASES}))
