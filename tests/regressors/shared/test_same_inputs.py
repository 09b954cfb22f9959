import numpy as np

from unabases.regressors.shared.same_inputs import keys_of


def test_equal_rows_and_no_others_have_equal_keys():
    Z = np.random.default_rng(0).integers(0, 4, (3000, 3)).astype(float)
    _, by_key = np.unique(keys_of(Z), return_inverse=True)
    _, by_row = np.unique(Z, axis=0, return_inverse=True)
    pairs = {*zip(by_key.tolist(), by_row.tolist(), strict=True)}
    assert len(pairs) == by_key.max() + 1 == by_row.max() + 1 == 64


def test_a_swap_of_columns_is_another_row():
    assert len(np.unique(keys_of(np.array([[1.0, 2.0], [2.0, 1.0], [1.0, 2.0]])))) == 2
