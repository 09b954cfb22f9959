"""How good trial models are: rows held out, fits that share a program, and scores on the held-out rows."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from optuna.trial import TrialState
from sklearn.base import clone

from unabases.metrics import epistemic, log_likelihood, rmse
from unabases.regressors import AbstractRegressor
from unabases.regressors.networks.together import fit_together
from unabases.regressors.shared.weights import WeightedRows, part_of

__all__ = ["Outcome", "Part", "better_third", "short_likelihoods", "split_rows", "validate", "with_parameters"]

Describe = Callable[[Any], dict[str, float]]  # further scores of a fitted model


class Part(NamedTuple):
    """Rows that train a trial, and rows that validate it."""

    X: Any
    y: Any
    X_val: Any
    y_val: Any
    weight: np.ndarray | None = None
    """How often each training row counts; None for once."""
    weight_val: np.ndarray | None = None
    """The same for validation rows."""

    @property
    def counted(self) -> float:
        """How many validation rows there are, by their weights."""
        return float(len(self.y_val) if self.weight_val is None else np.sum(self.weight_val))


class Outcome(NamedTuple):
    """How a trial ended: complete with scores, failed with an error, or pruned with neither."""

    state: TrialState
    scores: dict[str, float]
    error: str = ""


PRUNED = Outcome(TrialState.PRUNED, {})


def split_rows(
    X: Any, y: Any, validation: Any, random: np.random.RandomState, weight: np.ndarray | None = None
) -> list[Part]:
    """Divide rows into parts that train and parts that validate.

    Parameters
    ----------
    X, y
        All rows: arrays or tables.
    validation : int, float or tuple
        A number of folds, at least 2; or the share of the rows to hold out once; or a pair `(X, y)` of other rows.
    random
        Source of the random order.
    weight : array of shape (n,), optional
        How often each row counts.

    Returns
    -------
    list of Part
        One part per fold, or one.
    """
    if isinstance(validation, tuple) and len(validation) == 2:
        return [Part(X, y, *validation, weight)]
    n = len(y)
    order = random.permutation(n)
    if isinstance(validation, float) and 0 < validation < 1:
        cut = min(max(1, round(validation * n)), n - 2)
        held_out = [order[:cut]] if cut >= 1 else []
    elif isinstance(validation, int | np.integer) and not isinstance(validation, bool) and validation >= 2:
        held_out = np.array_split(order, validation) if n >= max(validation, 3) else []
    else:
        raise ValueError(
            "`validation` must be a share of the rows between 0 and 1, a number of folds from 2, or a pair (X, y); "
            f"got {validation!r}."
        )
    if not held_out:
        raise ValueError(f"{n} rows are too few to hold some out; give more rows, or `validation=(X, y)`.")
    return [_part(WeightedRows(X, y, weight), np.sort(rows)) for rows in held_out]


def validate(models: Sequence[Any], parts: Sequence[Part], describe: Describe) -> list[Outcome]:
    """Fit unfitted models together on each part, and score them on its validation rows.

    Each fold after the first has its own random starts. `describe` may add scores to the usual ones.
    """
    tables: list[list[dict[str, float]]] = [[] for _ in models]
    errors: dict[int, str] = {}
    for fold, part in enumerate(parts):
        left = [i for i in range(len(models)) if i not in errors]
        fitted = [_reseeded(models[i], fold) for i in left]
        for i, model, failure in zip(left, fitted, _fit(fitted, part), strict=True):
            scores = {} if failure else _scores(model, part, describe)
            if failure or not np.isfinite(scores["log_likelihood"]):
                errors[i] = str(failure or "the validation log-likelihood is not finite")
            else:
                tables[i].append(scores)
    weights = np.array([part.counted for part in parts]) / sum(part.counted for part in parts)
    return [
        Outcome(TrialState.FAIL, {}, errors[i])
        if i in errors
        else Outcome(TrialState.COMPLETE, _mean_scores(table, weights))
        for i, table in enumerate(tables)
    ]


def short_likelihoods(models: Sequence[Any], parts: Sequence[Part]) -> list[float]:
    """The validation log-likelihood of each model after a quarter of its steps, from one start, on the first part."""
    part = parts[0]
    short = [with_parameters(model, max_steps=max(1, model.steps_for(len(part.y)) // 4)) for model in models]
    for model in short:
        if "restarts" in model.get_params():
            model.set_params(restarts=1)
    return [
        -np.inf if failure else log_likelihood(model.predict_dist(part.X_val), np.asarray(part.y_val), part.weight_val)
        for model, failure in zip(short, _fit(short, part), strict=True)
    ]


def better_third(values: Sequence[float]) -> list[int]:
    """The places of the largest third of some values, in order."""
    keep = max(1, -(-len(values) // 3))
    return sorted(int(i) for i in np.argsort(values)[::-1][:keep])


def with_parameters(model: Any, **parameters: Any) -> Any:
    """An unfitted copy of a model with some parameters changed."""
    copy: Any = clone(model)
    return copy.set_params(**parameters)


def _fit(models: Sequence[Any], part: Part) -> list[Exception | None]:
    return fit_together(models, part.X, part.y, sample_weight=part.weight)


def _reseeded(model: Any, fold: int) -> Any:
    seed = getattr(model, "random_state", None)
    changed = {"random_state": (seed + fold) % 2**31} if fold and seed is not None else {}
    return with_parameters(model, **changed)


def _scores(model: AbstractRegressor, part: Part, describe: Describe) -> dict[str, float]:
    d, y_val = model.predict_dist(part.X_val), np.asarray(part.y_val, dtype=np.float64)
    scores = {
        "log_likelihood": log_likelihood(d, y_val, part.weight_val),
        "standard_error": _standard_error(d.log_prob(y_val), part.weight_val),
        "rmse": rmse(d, y_val, part.weight_val),
        "epistemic": epistemic(d, part.weight_val),
        **describe(model),
    }
    return {name: float(value) for name, value in scores.items()}


def _mean_scores(scores: list[dict[str, float]], weights: np.ndarray) -> dict[str, float]:
    """Scores over all validation rows: the root mean square of RMSEs, means of the rest."""
    columns = {name: np.array([row[name] for row in scores]) for name in scores[0]}
    pooled = {name: weights @ values for name, values in columns.items()}
    pooled["rmse"] = np.sqrt(weights @ columns["rmse"] ** 2)
    pooled["standard_error"] = np.sqrt(weights**2 @ columns["standard_error"] ** 2)
    return {name: float(value) for name, value in pooled.items()}


def _standard_error(log_prob: np.ndarray, weight: np.ndarray | None = None) -> float:
    """The standard error of the mean over rows, of which heavy ones decide more; the size of all weights does not."""
    rows, n = log_prob.reshape(len(log_prob), -1).mean(axis=1), len(log_prob)
    share = np.full(n, 1 / n) if weight is None else weight / np.sum(weight)
    squares = share**2 @ (rows - share @ rows) ** 2
    return float(np.sqrt(squares * n / (n - 1))) if n > 1 else 0.0


def _part(rows: WeightedRows, held_out: np.ndarray) -> Part:
    X, y, weight = rows
    rest = np.setdiff1d(np.arange(len(y)), held_out)
    weights = part_of(weight, rest), part_of(weight, held_out)
    return Part(_take(X, rest), _take(y, rest), _take(X, held_out), _take(y, held_out), *weights)


def _take(rows: Any, index: np.ndarray) -> Any:
    """Rows of an array or of a table, of pandas or Polars."""
    if hasattr(rows, "iloc"):
        return rows.iloc[index]
    return rows[index] if hasattr(rows, "get_column") else np.asarray(rows)[index]
