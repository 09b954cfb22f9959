"""What the linear models refuse, and how they say it."""

import inspect

import numpy as np
import pytest

from unabases.linear import (
    accumulate,
    condition,
    condition_on,
    covariance,
    forget,
    predict,
    root,
    sample_prior,
    update,
)
from unabases.linear.checks import output_index

unchecked = inspect.unwrap  # a function as users meet it, without the shape checker that tests run under


def draw(shape):
    rng = np.random.default_rng(0)
    return rng.normal(size=shape), rng.normal(size=shape[0])


@pytest.mark.parametrize("bad", [0.0, -1.0, np.nan, np.inf])
def test_variances_must_be_positive_and_finite(bad):
    Phi, y = draw((3, 2))
    for name in ("alpha", "sigma2"):
        given_variances = {"alpha": 1.0, "sigma2": 1.0, name: bad}
        with pytest.raises(ValueError, match=f"`{name}` is a variance and must be finite and above zero"):
            condition(Phi, y, **given_variances)
        with pytest.raises(ValueError, match=f"`{name}` is a variance"):
            condition_on(accumulate(Phi, y), **given_variances)
    with pytest.raises(ValueError, match="`alpha` is a variance"):
        sample_prior(Phi, bad, 1, np.random.default_rng(0))


@pytest.mark.parametrize(
    ("Phi", "y", "message"),
    [
        (
            np.ones((3, 2)),
            np.ones((3, 1)),
            r"`y` must have shape \(3,\).*has shape \(3, 1\).*one output at a time",
        ),
        (np.ones((3, 2)), np.ones(2), r"`y` must have shape \(3,\)"),
        (np.ones(3), np.ones(3), r"reshape a single row with `Phi\[None, :\]`"),
        (np.array([[np.nan, 1.0]]), np.ones(1), "`Phi` must be finite"),
        (np.ones((1, 2)), np.array([np.nan]), "`y` must be finite"),
    ],
)
def test_bad_rows_are_named(Phi, y, message):
    with pytest.raises(ValueError, match=message):
        unchecked(condition)(Phi, y, alpha=1.0, sigma2=1.0)


def test_features_of_another_map_are_refused():
    Phi, y = draw((3, 2))
    posterior = condition(Phi, y, alpha=1.0, sigma2=1.0)
    for call in (predict, root, covariance):
        with pytest.raises(ValueError, match="3 columns but the posterior has 2 weights"):
            call(posterior, np.ones((1, 3)))
    for call in (update, forget):
        with pytest.raises(ValueError, match="bias column included"):
            call(posterior, np.ones((1, 3)), np.ones(1))


@pytest.mark.parametrize("output", [-1, 2])
def test_an_output_that_is_not_there_is_refused(output):
    with pytest.raises(ValueError, match=rf"`output` is {output} but the statistics hold 2 output"):
        output_index(output, 2)
