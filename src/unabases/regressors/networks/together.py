"""Fit many models to the same rows at once: those of equal structure train in one program, on all cores."""

from collections.abc import Sequence
from typing import Any

from unabases.regressors.networks.last_layer import AbstractLastLayer
from unabases.regressors.networks.step_one import DivergedError, Prepared, TrainingRun, train_runs
from unabases.regressors.shared.base import AbstractRegressor
from unabases.regressors.shared.weights import as_keyword
from unabases.training import OnChunk


def fit_together(
    models: Sequence[AbstractRegressor],
    X: Any,
    y: Any,
    on_chunk: OnChunk | None = None,
    sample_weight: Any = None,
) -> list[Exception | None]:
    """Fit every model to the same rows; each becomes what `fit` would make of it alone.

    Neural linear models of equal structure on equal rows share one compiled program; they may differ in numbers (`lam`,
    `gamma`, `epsilon`, `prior_variance`, `learning_rate`), schedules and seeds. The rest are fitted in turn. A model
    that diverges, or whose parameters make no sense, is left unfitted and does not stop the others.

    Parameters
    ----------
    models : sequence of regressors
        Unfitted regressors; those that do not fail are fitted in place.
    X : array or DataFrame of shape (n, d)
        Rows.
    y : array of shape (n,) or (n, p)
        Targets.
    on_chunk : callable, optional
        Called after every hundred steps of a program, with the mean terms of its models; may raise to stop.
    sample_weight : array of shape (n,), optional
        How often each row counts.

    Returns
    -------
    list
        None for a model that is fitted, otherwise the exception that says what went wrong.

    Examples
    --------
    >>> import numpy as np
    >>> from unabases import NeuralLinear
    >>> X = np.linspace(-1, 1, 40)[:, None]
    >>> models = [NeuralLinear(gamma=gamma, max_steps=50, sigma2=0.01, random_state=0) for gamma in (0.1, 1.0)]
    >>> fit_together(models, X, X[:, 0] ** 2)
    [None, None]
    """
    failed: list[Exception | None] = [None] * len(models)
    ready: dict[int, tuple[AbstractLastLayer, Prepared, TrainingRun]] = {}
    for place, model in enumerate(models):
        try:
            if isinstance(model, AbstractLastLayer):
                data = model._prepare(X, y, sample_weight)
                ready[place] = (model, data, model._step_one(data))
            else:
                model.fit(X, y, **as_keyword(sample_weight))
        except (ValueError, DivergedError) as error:
            failed[place] = error
    trained = train_runs([run for _, _, run in ready.values()], on_chunk)
    for (place, (model, data, _)), own in zip(ready.items(), trained, strict=True):
        try:
            model._step_two(data, own)
            model._learn_missing_noise()
        except DivergedError as error:
            failed[place] = error
    return failed
