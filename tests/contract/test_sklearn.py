"""scikit-learn's own estimator checks, all of them."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from tests.contract.regressors import REGRESSORS, WRAPPERS


@parametrize_with_checks([*REGRESSORS.values(), *WRAPPERS.values()])
def test_scikit_learn_checks(estimator, check):
    check(estimator)
