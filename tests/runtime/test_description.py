import numpy as np
import pytest

from tests.runtime.cases import KEPT, ROWS
from unabases import load
from unabases.runtime.description import _seen, predict_moments, to_standard
from unabases.runtime.model import read_description
from unabases.terms.views import View


@pytest.mark.parametrize(
    "view",
    [
        View(kept=(0, 2)),
        View(kept=(2,), waves=((0, 24.0), (1, 0.5))),
        View(kept=(0, 1, 2, 3), swapped=((0, 3), (1, 2))),
        View(kept=(3,), waves=((1, 3.0),), swapped=((3, 0),)),
    ],
    ids=repr,
)
def test_rows_are_seen_as_in_training(view):
    X = np.random.default_rng(0).normal(size=(9, 4))
    np.testing.assert_allclose(_seen(view, X), view(X), rtol=1e-12)


def test_rows_are_standardised_as_in_training():
    model = load(KEPT["UNA-told"].path)
    Z, absent = to_standard(read_description(KEPT["UNA-told"].path), ROWS)
    np.testing.assert_allclose(Z, model.x_scale_.apply(model._validate_predict(ROWS)), rtol=1e-12)
    assert absent is None


def test_a_single_model_is_a_committee_of_one():
    description = read_description(KEPT["LUNA"].path)
    assert len(description.core.members) == 1
    (moments,) = predict_moments(description, ROWS)
    np.testing.assert_allclose(moments.mean[:, 0], KEPT["LUNA"].expected["mean"], rtol=1e-5)
