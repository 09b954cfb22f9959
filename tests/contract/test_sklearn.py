"""scikit-learn's own estimator checks, all of them."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from tests.contract.regressors import REGRESSORS


@parametrize_with_checks(list(REGRESSORS.values()))
def test_scikit_learn_checks(estimator, check):
    check(estimator)
