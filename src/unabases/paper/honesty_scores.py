"""Whether a model knows where it has no data: scores on the data, in a gap and beyond, from one prediction."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float

from unabases.datasets.drawn import Drawn
from unabases.datasets.gaps import GapSplit
from unabases.metrics.calibration import share_inside, winkler
from unabases.metrics.crps import crps
from unabases.metrics.detection import auroc
from unabases.metrics.retention import error_correlation, prediction_rejection_ratio, retention_area
from unabases.metrics.scores import epistemic, eurc, log_likelihood, rmse
from unabases.metrics.truth import epistemic_coverage, epistemic_ratio
from unabases.predictive import AbstractPredictive, Normal

__all__ = ["ExactModel", "Region", "drawn_scores", "honesty_scores", "split_scores"]

_LEVEL = 0.9
_LOW = 0.1  # the quantile of row by row ratios that shows blind spots


class Region(NamedTuple):
    """Rows of one kind and what is known about them."""

    X: Float[np.ndarray, "n d"]
    y: Float[np.ndarray, " n"]
    f: Float[np.ndarray, " n"] | None = None
    """The true function."""
    exact_std: Float[np.ndarray, " n"] | None = None
    """The exact posterior's standard deviation."""


class ExactModel(NamedTuple):
    """The model that knows the prior of a drawn function; no other can be expected to beat it."""

    drawn: Drawn

    def predict_dist(self, X: Float[np.ndarray, "n d"]) -> Normal:
        """Predict with the exact posterior and the true noise."""
        if self.drawn.exact is None:
            raise ValueError(f"{self.drawn} has no exact posterior: it was not drawn from a known prior.")
        mean, std = self.drawn.exact(X)
        return Normal(mean, std, np.sqrt(self.drawn.sigma2))


def drawn_scores(model: Any, drawn: Drawn) -> dict[str, float]:
    """The `honesty_scores` of a model fitted on a drawn function: on the data, in the gap and outside.

    Examples
    --------
    >>> from unabases.datasets import draw_process
    >>> drawn = draw_process(length_scale=0.3)
    >>> scores = drawn_scores(ExactModel(drawn), drawn)
    >>> scores["epistemic_ratio_gap"], scores["auroc_outside"] > 0.9
    (1.0, True)
    """

    def region(X: np.ndarray, y: np.ndarray, f: np.ndarray) -> Region:
        return Region(X, y, f, drawn.exact(X).std if drawn.exact else None)

    inside = region(drawn.X_in, drawn.y_in, drawn.f_in)
    gap = region(drawn.X_gap, drawn.y_gap, drawn.f_gap)
    outside = region(drawn.X_outside, drawn.y_outside, drawn.f_outside)
    return honesty_scores(model, inside, {"gap": gap, "outside": outside})


def split_scores(model: Any, split: GapSplit, kind: str) -> dict[str, float]:
    """The `honesty_scores` of a model fitted on a split of a real table: on the test rows and on those held out.

    Parameters
    ----------
    model : fitted regressor
        Fitted on the training rows, or on these and the validation rows.
    split : GapSplit
        From `gap_splits`, `load_gap` or `tail_splits`.
    kind : {"gap", "tail"}
        What was held out, which names the scores there.
    """
    if kind not in ("gap", "tail"):
        raise ValueError(f"`kind` must be 'gap' or 'tail', got {kind!r}.")
    return honesty_scores(model, Region(split.X_test, split.y_test), {kind: Region(split.X_gap, split.y_gap)})


def honesty_scores(model: Any, inside: Region, elsewhere: Mapping[str, Region]) -> dict[str, float]:
    """Score a fitted model on rows like its training data and on rows elsewhere.

    Parameters
    ----------
    model : fitted regressor
        Anything with `predict_dist`.
    inside : Region
        Rows like the training data.
    elsewhere : mapping of str to Region
        Rows unlike them, by the name that their scores end with.

    Returns
    -------
    dict of str to float
        For the rows inside, and with `_` and the name of the region for those elsewhere: `log_likelihood`, `crps`,
        `interval_score` and `coverage_90` (of 90 % intervals), `rmse`, `epistemic`; `epistemic_coverage_90` where the
        truth is known; `epistemic_ratio` and `epistemic_ratio_low` (a tenth of the rows have a lower one) where the
        exact posterior is. For each region elsewhere also `eurc` and `auroc` against the rows inside, and over both
        kinds of rows together `retention_area`, `prediction_rejection_ratio` and `error_correlation`.
    """
    regions = [inside, *elsewhere.values()]
    everywhere = model.predict_dist(np.concatenate([region.X for region in regions]))
    ends = np.cumsum([len(region.y) for region in regions])
    on_data, *others = (np.arange(end - len(region.y), end) for end, region in zip(ends, regions, strict=True))
    scores = _of_region(everywhere[on_data], inside)
    for (name, region), rows in zip(elsewhere.items(), others, strict=True):
        both, y = everywhere[np.concatenate([on_data, rows])], np.concatenate([inside.y, region.y])
        found = {
            **_of_region(everywhere[rows], region),
            "eurc": eurc(everywhere[rows], everywhere[on_data]),
            "auroc": auroc(everywhere[rows], everywhere[on_data]),
            "retention_area": retention_area(both, y),
            "prediction_rejection_ratio": prediction_rejection_ratio(both, y),
            "error_correlation": error_correlation(both, y),
        }
        scores |= {f"{metric}_{name}": value for metric, value in found.items()}
    return scores


def _of_region(prediction: AbstractPredictive, region: Region) -> dict[str, float]:
    interval = prediction.interval(_LEVEL)  # of a mixture the costliest part, so once for both
    scores = {
        "log_likelihood": log_likelihood(prediction, region.y),
        "crps": crps(prediction, region.y),
        "interval_score": winkler(interval, region.y, _LEVEL),
        "coverage_90": share_inside(interval, region.y),
        "rmse": rmse(prediction, region.y),
        "epistemic": epistemic(prediction),
    }
    if region.f is not None:
        scores["epistemic_coverage_90"] = epistemic_coverage(prediction, region.f, _LEVEL)
    if region.exact_std is not None:
        scores["epistemic_ratio"] = epistemic_ratio(prediction, region.exact_std)
        scores["epistemic_ratio_low"] = epistemic_ratio(prediction, region.exact_std, quantile=_LOW)
    return scores
