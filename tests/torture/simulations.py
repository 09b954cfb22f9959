"""Calibration of what is no exact posterior, on functions drawn from a Gaussian process, inside a gap and on the data.

Members of a committee and the scale that is chosen on left-out regions are no draws from a posterior, so that exact
uniformity is not to be expected of them. What is asked is that intervals hold the function about as often as they say.
Ranks of the function among draws are tested too, at the level of all simulations: where `UNA` is told the prior that
the functions come from, and the noise, it has to be seen how far it is from that prior's exact posterior.
"""

import time
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from sklearn.gaussian_process.kernels import RBF, Matern

from tests.calibration.ranks import Coverage, chance_of, coverage_of, ranks_of
from tests.calibration.test_ranks import DRAWS, many_outputs
from tests.regressors.linear_network import identity
from unabases import UNA, GapCalibrated, GaussianProcess, HamiltonianBNN
from unabases.terms import FunctionPrior

ALLOWED = (0.75, 0.99)  # share of functions that an interval of 90 % may hold
LEAST = 40  # simulations from which on the share is judged
_NOISE = 0.1

_LENGTH = 1.5


class Model(NamedTuple):
    """How to make a model from a seed, and the kernel that functions are drawn with."""

    make: Callable[[int], Any]
    kernel: Any = Matern(_LENGTH, nu=2.5)


def _told(seed: int) -> UNA:
    """`UNA` that knows the prior of the functions and the noise."""
    prior = FunctionPrior(length_scale=_LENGTH, amplitude=1.0)
    return UNA(max_steps=500, terms=[prior], sigma2=_NOISE**2, random_state=seed)


MODELS = {
    "UNA, of its own prior": Model(_told, RBF(_LENGTH)),
    "UNA": Model(lambda seed: UNA(max_steps=500, random_state=seed)),
    "GapCalibrated, GaussianProcess": Model(lambda s: GapCalibrated(GaussianProcess(restarts=0), random_state=s)),
}


class Simulated(NamedTuple):
    """Coverage, and the probability of ranks as uneven as those found: in the gap and on the data."""

    gap: Coverage
    data: Coverage
    gap_ranks: float
    data_ranks: float


def simulate(model: Model, *, simulations: int, seconds: float) -> Simulated:
    """Draw functions, fit a model to noisy rows on both sides of a gap, and see whether it holds the functions."""
    end, found, ranks = time.monotonic() + seconds, [], []
    for seed in range(simulations):
        if time.monotonic() > end:
            break
        rng = np.random.default_rng(seed)
        x = np.concatenate([rng.uniform(-3, -1, 40), rng.uniform(1, 3, 40), rng.uniform(-0.7, 0.7, 1), [2.0]])
        root = np.linalg.cholesky(model.kernel(x[:, None]) + 1e-9 * np.eye(len(x)))
        f = root @ rng.normal(size=len(x))
        y = f[:80] + _NOISE * rng.normal(size=80)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fitted = model.make(seed).fit(x[:80, None], y)
            d = fitted.predict_dist(x[80:, None])
            draws = fitted.sample_posterior(x[80:, None], DRAWS, random_state=seed)
        found.append([f[80:], d.mean, d.epistemic_std])
        ranks.append(ranks_of(f[80:], draws))
    truth, mean, std = np.array(found).reshape(-1, 3, 2).transpose(1, 0, 2)
    covered = (coverage_of(truth[:, place], mean[:, place], std[:, place]) for place in (0, 1))
    return Simulated(*covered, *(chance_of(np.array(ranks)[:, place], DRAWS) for place in (0, 1)))


def hamiltonian_chance() -> float:
    """The probability of ranks as uneven as those of Hamiltonian Monte Carlo on a hundred linear models."""
    X, y, new, truth = many_outputs(100)
    brief = {"n_chains": 2, "n_warmup": 200, "n_samples": 200, "max_depth": 4, "max_steps": 200}
    settings = {"features": identity, "standardize": False, "by_fan_in": False, "random_state": 0, **brief}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = HamiltonianBNN(prior_variance=0.5, sigma2=4.0, **settings).fit(X, y)
    draws = model.predict_dist(new).members[:, 0]
    apart = draws[:: len(draws) // DRAWS][:DRAWS]  # twenty iterations apart
    return chance_of(ranks_of(truth, apart), DRAWS)
