"""A vanilla ensemble whose members are linear, so that what each should become is known."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.regressors.linear_network import LINEAR, NEW, PHI_NEW, SIGMA2, X, Y, ridge
from unabases import VanillaEnsemble


def test_each_vanilla_member_is_the_penalised_fit():
    model = VanillaEnsemble(n_members=3, gamma=2.0, **LINEAR).fit(X, Y)
    for weights in model.networks_.W[:, 0, 0]:
        assert_allclose(weights, ridge(2.0, np.ones(40)), rtol=1e-3, atol=1e-4)
    assert_allclose(model.predict(NEW), PHI_NEW @ ridge(2.0, np.ones(40)), rtol=1e-3, atol=1e-3)


def test_log_likelihood_is_that_of_the_mixture():
    model = VanillaEnsemble(n_members=3, gamma=0.1, **{**LINEAR, "max_steps": 30}).fit(X, Y)
    d = model.predict_dist(X)
    density = np.exp(-0.5 * (Y - d.members) ** 2 / SIGMA2) / np.sqrt(2 * np.pi * SIGMA2)
    assert_allclose(d.log_prob(Y), np.log(density.mean(axis=0)))


@pytest.mark.parametrize(("parameters", "name"), [({"n_members": 1}, "n_members"), ({"gamma": -1.0}, "gamma")])
def test_parameters_that_make_no_sense_are_refused(parameters, name):
    with pytest.raises(ValueError, match=f"`{name}`"):
        VanillaEnsemble(**parameters, sigma2=1.0).fit(X, Y)
