"""Weights as vectors and back, and which draws are kept; test_hamiltonian_bnn.py judges the chains themselves."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from unabases.regressors.networks.chains import Draws, finite_chains, flatten, thinning, unflatten


def test_unflatten_undoes_flatten():
    tree = {"W": np.arange(6.0, dtype=np.float32).reshape(2, 3), "b": np.array([7.0, 8.0], dtype=np.float32)}
    vector = flatten(tree)
    stack = unflatten(tree, np.stack([vector, 2 * vector]))
    assert_array_equal(stack["W"][0], tree["W"])
    assert_array_equal(stack["b"][1], 2 * tree["b"])


@pytest.mark.parametrize(("samples", "most", "every"), [(500, 1000, 2), (500, 2000, 1), (10, 4, 10), (3, 5, 3)])
def test_thinning_keeps_at_most_so_many_draws(samples, most, every):
    assert thinning(4, samples, most) == every
    assert 4 * (samples // every) <= most


def test_a_chain_with_an_undefined_draw_is_not_finite():
    positions = np.zeros((3, 2, 4))
    positions[1, 0, 3] = np.nan
    log_density = np.zeros((3, 2))
    log_density[2, 1] = np.inf
    rest = np.zeros((3, 2))
    draws = Draws(positions, log_density, rest, rest.astype(int), rest.astype(bool), np.ones(3))
    assert finite_chains(draws) == [0]
