"""What is computed of a model in the experiment `honesty`, and what its pictures need."""

from typing import Any

import numpy as np

from unabases.datasets import Drawn
from unabases.paper.data import Rows
from unabases.paper.halves import cut_of
from unabases.paper.honesty_scores import ExactModel, Region, drawn_scores, honesty_scores
from unabases.paper.plan import Trial
from unabases.paper.trials import Outcome
from unabases.regressors.shared.base import AbstractRegressor

__all__ = ["score_honesty"]

_EPISTEMIC = ("epistemic", "eurc", "auroc")


def score_honesty(trial: Trial, rows: Rows, model: AbstractRegressor) -> Outcome:
    """Score a fitted model on the data and where it has none, see `unabases.paper.honesty_scores`.

    A model without any epistemic uncertainty, as all those of other packages are here, has no scores of it: no
    `epistemic…`, `eurc` or `auroc`. Where the exact posterior is known, `exact_log_likelihood` and
    `exact_epistemic_coverage_90` are its own scores, in all regions: the limit that nobody can beat. A function of one
    input also gives the curves of a picture.
    """
    if isinstance(rows.source, Drawn):
        drawn = rows.source
        scores = {**drawn_scores(model, drawn), **_exact_scores(drawn)}
        curves = drawn_curves(model, drawn) if drawn.d == 1 else {}
    else:
        assert rows.X_gap is not None
        assert rows.y_gap is not None
        cut = cut_of(trial.dataset)
        assert cut is not None
        inside, elsewhere = Region(rows.X_test, rows.y_test), Region(rows.X_gap, rows.y_gap)
        scores, curves = honesty_scores(model, inside, {cut.kind: elsewhere}), {}
    if not any(value for name, value in scores.items() if name.startswith("epistemic")):
        scores = {name: value for name, value in scores.items() if not name.startswith(_EPISTEMIC)}
    return Outcome({**scores, "rows": float(len(rows.y_train))}, curves)


def _exact_scores(drawn: Drawn) -> dict[str, float]:
    if drawn.exact is None:
        return {}
    shown = ("log_likelihood", "epistemic_coverage_90")
    return {f"exact_{n}": v for n, v in drawn_scores(ExactModel(drawn), drawn).items() if n.startswith(shown)}


def drawn_curves(model: Any, drawn: Drawn) -> dict[str, np.ndarray]:
    """A drawn function of one input and what a model says of it, at the rows on the data, in the gap and outside."""
    X = np.concatenate([drawn.X_in, drawn.X_gap, drawn.X_outside])
    f = np.concatenate([drawn.f_in, drawn.f_gap, drawn.f_outside])
    order = np.argsort(X[:, 0])
    X, f = X[order], f[order]
    said = model.predict_dist(X)
    curves = {
        **{"grid": X[:, 0], "truth": f, "mean": said.mean, "epistemic": said.epistemic_std, "noise": said.noise_std},
        **{"X_train": drawn.X_train[:, 0], "y_train": drawn.y_train},
        "gap": np.array([drawn.X_gap.min(), drawn.X_gap.max()]),
        "sigma": np.sqrt(drawn.sigma2),
    }
    if drawn.exact is not None:
        exact = drawn.exact(X)
        curves |= {"exact_mean": exact.mean, "exact_std": exact.std}
    return curves
