"""Stacked networks are evaluated one by one, and blocks of rows change nothing."""

import jax
import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.regressors.linear_network import LINEAR, NEW, X, Y
from unabases import VanillaEnsemble
from unabases.regressors.networks import sampled
from unabases.regressors.networks.sampled import evaluate_stack
from unabases.regressors.networks.step_one import take_member

MODEL = VanillaEnsemble(n_members=3, **{**LINEAR, "max_steps": 20}).fit(X, Y)


def test_a_stack_is_evaluated_network_by_network():
    Z = NEW.astype(np.float32)
    values = np.asarray(evaluate_stack(MODEL.networks_, Z))
    for i in range(3):
        assert_allclose(values[i], jax.vmap(take_member(MODEL.networks_, i))(Z)[:, 0], rtol=1e-5, atol=1e-6)


def test_small_blocks_of_rows_give_the_same_prediction(monkeypatch):
    whole = MODEL.predict_dist(np.tile(NEW, (4, 1)))
    monkeypatch.setattr(sampled, "_VALUES", 48)
    assert MODEL._rows_at_once() == 16
    parts = MODEL.predict_dist(np.tile(NEW, (4, 1)))
    assert_allclose(parts.members, whole.members, rtol=1e-6)


def test_values_whose_variance_is_no_number_are_refused(monkeypatch):
    monkeypatch.setattr(MODEL, "y_scale_", MODEL.y_scale_._replace(spread=np.full(1, 1e200)))
    with pytest.raises(ValueError, match="too large for any number"):
        MODEL.predict_dist(NEW)
