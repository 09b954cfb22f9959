"""Tables of other packages."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_linnerud, load_wine

from unabases.paper.packaged_tables import PACKAGED, load_packaged

SHAPES = {
    "diabetes": (442, 10),
    "wine": (178, 12),
    "breast-cancer": (569, 29),
    "iris": (150, 3),
    "linnerud": (20, 3),
    "digits": (1797, 63),
    "engel": (235, 1),
    "ccard": (72, 3),
    "star98": (303, 12),
}


@pytest.mark.parametrize("name", PACKAGED)
def test_tables_have_numbers_and_a_target_that_varies(name):
    if name in ("engel", "ccard", "star98"):
        pytest.importorskip("statsmodels")
    X, y = load_packaged(name)
    assert X.shape == SHAPES[name]
    assert y.shape == X.shape[:1]
    assert np.isfinite(X).all()
    assert np.std(y) > 0


def test_a_target_is_no_longer_among_the_inputs():
    wine, cells = load_wine(), load_breast_cancer()
    assert np.array_equal(load_packaged("wine").y, wine.data[:, 0])
    assert np.array_equal(load_packaged("wine").X, wine.data[:, 1:])
    assert np.array_equal(load_packaged("breast-cancer").y, cells.data[:, 4])
    assert np.array_equal(load_packaged("linnerud").y, load_linnerud().target[:, 0])


def test_an_unknown_table_is_refused():
    with pytest.raises(ValueError, match="unknown table 'titanic'; known ones are diabetes, wine"):
        load_packaged("titanic")
