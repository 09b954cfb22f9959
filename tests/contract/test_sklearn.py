"""scikit-learn's own estimator checks: all of them, but for a few about weights, with the reason beside them."""

import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator, parametrize_with_checks

from tests.contract.regressors import REGRESSORS, WRAPPERS, fast
from unabases import UNA, Conformal, GapCalibrated, GaussianProcess, TableRegressor
from unabases.selection import LikelihoodSearch, LUNASearch

ONE_TRIAL = {"n_random": 1, "n_trials": 0, "batch": 1, "validation": 0.3, "random_state": 0}
LIKELIHOOD = LikelihoodSearch(fast("GaussianProcess"), space={"sigma2": [0.1, 0.2]}, **ONE_TRIAL)
DIVERSE = LUNASearch(fast("LUNA", max_steps=5), **ONE_TRIAL)
WEIGHED = (
    UNA,
    GaussianProcess,
    Conformal,
    GapCalibrated,
    TableRegressor,
    LikelihoodSearch,
)  # all ways by which weights come in
DENSE = (GaussianProcess, TableRegressor)
# The searches share all that these ask about; every check of one that trains a network takes a second.
OF_INPUT = {
    "check_requires_y_none", "check_regressor_data_not_an_array",
    "check_supervised_y_2d", "check_fit2d_1sample", "check_dataframe_column_names_consistency",
    "check_regressors_int", "check_n_features_in", "check_estimators_unfitted",
}  # fmt: skip


@parametrize_with_checks([*REGRESSORS.values(), *WRAPPERS.values(), LIKELIHOOD])
def test_scikit_learn_checks(estimator, check):
    if _name(check).startswith("check_sample_weight_equivalence"):
        pytest.skip("random starts and folds depend on the number of rows; test_weights.py asks what can be equal")
    if "sample_weight" in _name(check) and not isinstance(estimator, WEIGHED):
        pytest.skip("one function looks at the weights of all regressors")
    if "sparse" in _name(check) and not isinstance(estimator, DENSE):
        pytest.skip("one function makes the rows of all regressors dense, and each check fits a dozen times")
    check(estimator)


def _name(check):
    return getattr(check, "func", check).__name__


@pytest.mark.parametrize(
    ("estimator", "check"),
    [pair for pair in estimator_checks_generator(DIVERSE, mark="skip") if _name(pair[1]) in OF_INPUT],
    ids=lambda value: _name(value) if callable(value) and not hasattr(value, "fit") else "",
)
def test_scikit_learn_checks_of_what_is_searched_for_diversity(estimator, check):
    check(estimator)
