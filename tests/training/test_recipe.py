import numpy as np
import pytest

from .conftest import fit_ridge


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"steps": 0}, "`steps` must be at least 1; got 0"),
        ({"learning_rate": -0.1}, "`learning_rate` must be positive.*got -0.1"),
        ({"learning_rate": np.nan}, "`learning_rate` must be positive"),
        ({"decay": "exponential"}, "unknown decay 'exponential'; known ones are constant, cosine, linear"),
        ({"batch_size": 0}, "`batch_size` must be at least 1; got 0"),
    ],
)
def test_bad_recipes_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        fit_ridge(**options)
