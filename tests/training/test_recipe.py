import numpy as np
import pytest
from numpy.testing import assert_array_equal

from unabases.training import Recipe, recipe

from .conftest import fit_ridge


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"steps": 0}, "`steps` must be at least 1; got 0"),
        ({"learning_rate": -0.1}, "`learning_rate` must be positive.*got -0.1"),
        ({"learning_rate": np.nan}, "`learning_rate` must be positive"),
        ({"decay": "exponential"}, "unknown decay 'exponential'; known ones are constant, cosine, linear"),
        ({"batch_size": 0}, "`batch_size` must be at least 1; got 0"),
        ({"batch_size": "most"}, "`batch_size` must be at least 1; got most"),
    ],
)
def test_bad_recipes_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        fit_ridge(**options)


def test_automatic_batches_are_all_of_few_rows_and_small_ones_of_many(monkeypatch):
    auto = Recipe(batch_size="auto")
    assert [auto.batch_of(rows) for rows in (1, 4096, 4097, 10**6)] == [None, None, 512, 512]
    assert [Recipe(batch_size=8).batch_of(rows) for rows in (8, 9)] == [None, 8]
    assert_array_equal(fit_ridge(batch_size="auto").params.W, fit_ridge().params.W)
    monkeypatch.setattr(recipe, "AUTO_ROWS", 5)
    monkeypatch.setattr(recipe, "AUTO_BATCH", 5)
    assert_array_equal(fit_ridge(batch_size="auto").params.W, fit_ridge(batch_size=5).params.W)
