"""Metrics of distributions as scikit-learn scorers, for `cross_validate` and searches; the larger, the better."""

from collections.abc import Callable
from typing import Any

from sklearn.metrics._scorer import _BaseScorer
from sklearn.pipeline import Pipeline

from unabases.metrics import calibration, scores
from unabases.metrics.crps import crps
from unabases.predictive import AbstractPredictive

__all__ = [
    "SCORERS",
    "coverage",
    "log_likelihood",
    "make_dist_scorer",
    "neg_coverage_error",
    "neg_crps",
    "neg_interval_score",
]


class _DistScorer(_BaseScorer):
    """A scorer that asks a regressor for `predict_dist`; row weights and metadata routing are scikit-learn's."""

    def _score(self, method_caller: Any, estimator: Any, X: Any, y_true: Any, **kwargs: Any) -> float:
        prediction = predict_dist(estimator, X)
        return self._sign * self._score_func(prediction, y_true, **{**self._kwargs, **kwargs})

    def __repr__(self) -> str:
        settings = "".join(f", {name}={value!r}" for name, value in self._kwargs.items())
        lower = "" if self._sign > 0 else ", lower_is_better=True"
        return f"make_dist_scorer({self._score_func.__name__}{lower}{settings})"


def make_dist_scorer(metric: Callable[..., float], *, lower_is_better: bool = False, **settings: Any) -> _DistScorer:
    """Make a scikit-learn scorer of a metric of distributions.

    Parameters
    ----------
    metric : callable
        A function `(prediction, y, **settings)`, such as those of `unabases.metrics`. If it takes `sample_weight`, the
        scorer does.
    lower_is_better : bool
        Whether the scorer has to change the sign, since searches look for the largest score.
    **settings
        Further arguments of the metric, such as `level=0.95`.

    Returns
    -------
    callable
        `scorer(estimator, X, y)`, for `scoring=` of `cross_validate`, `cross_val_score`, `GridSearchCV` and others. The
        estimator has `predict_dist`, or is a pipeline or a search that ends in one.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.model_selection import cross_val_score
    >>> from unabases import GaussianProcess
    >>> from unabases.metrics import interval_score
    >>> X = np.linspace(-1, 1, 40)[:, None]
    >>> narrow = make_dist_scorer(interval_score, lower_is_better=True, level=0.5)
    >>> bool(np.all(cross_val_score(GaussianProcess(restarts=0), X, np.sin(3 * X[:, 0]), scoring=narrow, cv=2) < 0))
    True
    """
    return _DistScorer(metric, -1 if lower_is_better else 1, settings)


def predict_dist(estimator: Any, X: Any) -> AbstractPredictive:
    """The distribution that a regressor predicts, also at the end of a pipeline or a search."""
    while not hasattr(estimator, "predict_dist"):
        if isinstance(estimator, Pipeline):
            X, estimator = (estimator[:-1].transform(X) if len(estimator) > 1 else X), estimator[-1]
        elif hasattr(estimator, "best_estimator_"):
            estimator = estimator.best_estimator_
        else:
            raise TypeError(
                f"{type(estimator).__name__} has no `predict_dist`, so its uncertainty cannot be scored. Use a "
                "regressor of unabases, a pipeline that ends in one, or a scorer of means such as "
                "'neg_root_mean_squared_error'."
            )
    return estimator.predict_dist(X)


def coverage_error(predictive: AbstractPredictive, y: Any, level: float = 0.9, sample_weight: Any = None) -> float:
    """How far the share of outcomes inside the interval is from its level.

    Examples
    --------
    >>> from unabases.predictive import Normal
    >>> round(coverage_error(Normal([0.0] * 4, [0.0] * 4, 1.0), [-3.0, -0.5, 0.5, 1.0]), 2)
    0.15
    """
    return abs(calibration.interval_coverage(predictive, y, level, sample_weight) - level)


log_likelihood = make_dist_scorer(scores.log_likelihood)
"""Mean log density of what was observed: the first choice."""
neg_crps = make_dist_scorer(crps, lower_is_better=True)
"""Minus the continuous ranked probability score: gentler on surprises, in units of y."""
neg_interval_score = make_dist_scorer(calibration.interval_score, lower_is_better=True)
"""Minus the interval score of 90 % intervals: width and misses together, in units of y."""
coverage = make_dist_scorer(calibration.interval_coverage)
"""Share inside 90 % intervals: to look at. A search for the largest would choose the widest intervals."""
neg_coverage_error = make_dist_scorer(coverage_error, lower_is_better=True)
"""Minus the distance of the coverage from 90 %: what a search may look for, beside a score."""

SCORERS = {
    "log_likelihood": log_likelihood,
    "neg_crps": neg_crps,
    "neg_interval_score": neg_interval_score,
    "coverage": coverage,
    "neg_coverage_error": neg_coverage_error,
}
"""All of them, for `cross_validate(model, X, y, scoring=SCORERS)`."""
