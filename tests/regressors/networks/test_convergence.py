"""R-hat and effective sample size against closed forms and against BlackJAX's own."""

import blackjax
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.signal import lfilter

from unabases.regressors.networks.convergence import effective_size, split_r_hat

RNG = np.random.default_rng(0)


def autoregression(rho, chains=4, draws=20000):
    """Stationary Gaussian AR(1) chains with unit variance, (chains, draws, 1)."""
    noise = np.random.default_rng(1).standard_normal((chains, draws))
    noise[:, 1:] *= np.sqrt(1 - rho**2)
    return lfilter([1.0], [1.0, -rho], noise, axis=1)[..., None]


@pytest.mark.parametrize("rho", [-0.5, 0.0, 0.5, 0.9])
def test_effective_size_of_an_autoregression(rho):
    values = autoregression(rho)
    assert_allclose(effective_size(values), values.size * (1 - rho) / (1 + rho), rtol=0.1)
    assert split_r_hat(values)[0] < 1.005


def test_both_equal_blackjax():
    values = RNG.standard_normal((4, 100, 3)).cumsum(axis=1) + 5 * RNG.standard_normal((1, 100, 3))
    assert_allclose(split_r_hat(values), np.asarray(blackjax.rhat(values)), rtol=1e-4)
    assert_allclose(effective_size(values), np.asarray(blackjax.ess_bulk(values)), rtol=0.05)


def test_chains_at_different_places_are_noticed():
    apart = RNG.standard_normal((4, 500, 1)) + np.array([0.0, 0.0, 0.0, 3.0])[:, None, None]
    assert split_r_hat(apart)[0] > 1.3
    assert effective_size(apart)[0] < 20


def test_chains_of_different_spread_are_noticed():
    values = RNG.standard_normal((4, 500, 1)) * np.array([1.0, 1.0, 1.0, 4.0])[:, None, None]
    assert split_r_hat(values)[0] > 1.1


def test_one_chain_that_drifts_is_noticed():
    steady = RNG.standard_normal((1, 500, 1))
    assert split_r_hat(steady)[0] < 1.02
    assert split_r_hat(steady + np.linspace(0, 3, 500)[:, None])[0] > 1.3


def test_heavy_tails_do_no_harm():
    assert split_r_hat(RNG.standard_cauchy((4, 500, 1)))[0] < 1.02


def test_quantities_are_judged_apart():
    values = RNG.standard_normal((3, 40, 5))
    for judge in (split_r_hat, effective_size):
        together = judge(values)
        assert_allclose(together, [judge(values[..., [i]])[0] for i in range(5)])


def test_what_cannot_be_judged_is_never_called_good():
    still = np.broadcast_to(np.arange(3.0)[:, None, None], (3, 20, 1))
    assert split_r_hat(still)[0] == np.inf
    assert effective_size(still)[0] == 0
    assert np.isnan(split_r_hat(np.ones((3, 20, 1)))[0])
    assert effective_size(np.ones((3, 20, 1)))[0] == 0
    assert np.isnan(split_r_hat(RNG.standard_normal((3, 3, 1)))[0])
    assert effective_size(RNG.standard_normal((3, 3, 1)))[0] == 0
