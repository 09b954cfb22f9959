"""Simulation-based calibration: the truth, drawn from the prior, is one more draw from the posterior.

So its rank among posterior draws takes every value equally often. Talts, Betancourt, Simpson, Vehtari, Gelman (2018).
Validating Bayesian inference algorithms with simulation-based calibration.
"""

from typing import NamedTuple

import numpy as np
from scipy.stats import chisquare, kstest, norm

LEVEL = 1e-3  # a test of a right posterior fails once in a thousand seeds; seeds are fixed


class Coverage(NamedTuple):
    """How well predictions fit functions that are known: of all simulations, the shares inside central intervals."""

    simulations: int
    half: float  # inside the central 50 %
    ninety: float  # inside the central 90 %
    p_value: float  # of Kolmogorov and Smirnov's test that all shares are right


def ranks_of(truth, draws):
    """How many draws (draws, ...) are below the truth (...), for each of its elements."""
    return np.sum(np.asarray(draws) < truth, axis=0).ravel()


def chance_of(ranks, n_draws, bins=10):
    """The chi-square test's probability of ranks this uneven, if all from 0 to n_draws are equally likely."""
    assert (n_draws + 1) % bins == 0, "each bin has to hold as many ranks"
    return float(chisquare(np.bincount(ranks * bins // (n_draws + 1), minlength=bins)).pvalue)


def coverage_of(truth, mean, std):
    """How often central intervals of normal predictions hold the truth."""
    z = (np.asarray(truth) - mean) / std
    inside = [float(np.mean(np.abs(z) < norm.ppf(0.5 + share / 2))) for share in (0.5, 0.9)]
    return Coverage(len(z), *inside, float(kstest(z, "norm").pvalue))
