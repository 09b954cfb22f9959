"""Posteriors that are exact have uniform ranks. Each test's level is one in a thousand, with a fixed seed.

Outputs of one fit are separate regressions on the same rows, so that one fit of many outputs is as many simulations.
"""

import numpy as np
import pytest

from tests.calibration.ranks import LEVEL, chance_of, coverage_of, ranks_of
from tests.regressors.linear_network import identity
from unabases import LinearisedLaplace, linear

DRAWS = 19
ALPHA, SIGMA2 = 2.0, 0.3
SHAPES = pytest.mark.parametrize("shape", [(12, 4), (3, 6)], ids=["more rows than features", "fewer"])


def simulate(shape, seed, alpha=ALPHA, sigma2=SIGMA2):
    """Rows, targets and weights drawn from the prior, and a row to predict."""
    rng = np.random.default_rng(seed)
    Phi, new = rng.normal(size=shape), rng.normal(size=(1, shape[1]))
    w = np.sqrt(alpha) * rng.normal(size=shape[1])
    return Phi, Phi @ w + np.sqrt(sigma2) * rng.normal(size=shape[0]), w, new, rng


def head_ranks(shape, simulations, learn, **variances):
    ranks = []
    for seed in range(simulations):
        Phi, y, w, new, rng = simulate(shape, seed, **variances)
        ranks.append(ranks_of(new @ w, linear.sample_posterior(learn(Phi, y), new, DRAWS, rng)))
    return np.concatenate(ranks)


def given(Phi, y, alpha=ALPHA, sigma2=SIGMA2):
    return linear.condition(Phi, y, alpha=alpha, sigma2=sigma2)


def from_statistics(Phi, y):
    return linear.condition_on(linear.accumulate(Phi, y), alpha=ALPHA, sigma2=SIGMA2)


def there_and_back(Phi, y):
    """Learn a row, the others, the first once more, and forget that."""
    posterior = linear.update(given(Phi[:1], y[:1]), Phi[1:], y[1:])
    return linear.forget(linear.update(posterior, Phi[:1], y[:1]), Phi[:1], y[:1])


def by_evidence(Phi, y):
    statistics = linear.accumulate(Phi, y)
    chosen = linear.maximise_evidence(linear.spectrum(statistics))
    return linear.condition_on(statistics, alpha=chosen.alpha, sigma2=chosen.sigma2)


@SHAPES
@pytest.mark.parametrize("learn", [given, from_statistics, there_and_back], ids=lambda learn: learn.__name__)
def test_the_exact_head_is_calibrated(learn, shape):
    assert chance_of(head_ranks(shape, 400, learn), DRAWS) > LEVEL


@pytest.mark.parametrize("factor", [0.4, 2.5])
def test_a_wrong_noise_would_be_noticed(factor):
    """So that passing means something: std off by about a half."""
    ranks = head_ranks((12, 4), 400, lambda Phi, y: given(Phi, y, sigma2=factor * SIGMA2))
    assert chance_of(ranks, DRAWS) < LEVEL


@pytest.mark.parametrize("variances", [{"alpha": 2.0, "sigma2": 0.3}, {"alpha": 2e8, "sigma2": 3e7}])
def test_variances_chosen_by_evidence_are_calibrated_where_rows_are_many(variances):
    """Where rows say little of the weights, they are too sure of themselves, as every point estimate is."""
    assert chance_of(head_ranks((100, 5), 200, by_evidence, **variances), DRAWS) > LEVEL


def many_outputs(count):
    """Rows, and as many separate targets, drawn from priors with variance 1 / 2."""
    rng = np.random.default_rng(5)
    X, new = rng.normal(size=(40, 2)), rng.normal(size=(1, 2)) * 2
    w = np.sqrt(0.5) * rng.normal(size=(3, count))
    f, truth = (np.column_stack([rows, np.ones(len(rows))]) @ w for rows in (X, new))
    return X, f + np.sqrt(4.0) * rng.normal(size=f.shape), new, truth[0]


def test_linearised_laplace_is_calibrated_on_linear_models():
    X, y, new, truth = many_outputs(200)
    given = {"features": identity, "standardize": False, "max_steps": 1500, "learning_rate": 0.02, "random_state": 0}
    model = LinearisedLaplace(prior_precision=2.0, sigma2=4.0, **given).fit(X, y)
    d = model.predict_dist(new)
    assert coverage_of(truth, d.mean[0], d.epistemic_std[0]).p_value > LEVEL
    drawn = np.random.default_rng(0).normal(d.mean[0], d.epistemic_std[0], (DRAWS, 200))
    assert chance_of(ranks_of(truth, drawn), DRAWS) > LEVEL
