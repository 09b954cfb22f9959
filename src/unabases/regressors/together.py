"""Fit many models to the same rows at once: those of equal structure train in one program, on all cores."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import equinox as eqx
import jax
import numpy as np

from unabases.objectives import AbstractObjective
from unabases.regressors.base import AbstractRegressor, check_count, output_variances
from unabases.regressors.last_layer import AbstractLastLayer
from unabases.regressors.network import Prepared
from unabases.regressors.step_one import DivergedError, best_start, init_starts, train_members, warm_starts
from unabases.training import OnChunk, Trained


class _Candidate(NamedTuple):
    """A model that is ready to train: its place in the list, what it learns from, and its starts."""

    place: int
    model: AbstractLastLayer
    data: Prepared
    objective: AbstractObjective
    alpha: np.ndarray | None
    starts: Any
    restarts: int


def fit_together(
    models: Sequence[AbstractRegressor], X: Any, y: Any, on_chunk: OnChunk | None = None
) -> list[Exception | None]:
    """Fit every model to the same rows, and tell for each whether it failed.

    Neural linear models that differ only in numbers (`lam`, `gamma`, `epsilon`, `prior_variance`, `learning_rate`),
    schedules and seeds share one compiled program; the rest are fitted in turn. A model that diverges, or whose
    parameters make no sense, is left unfitted and does not stop the others.

    Parameters
    ----------
    models
        Unfitted regressors; those that do not fail are fitted in place.
    X, y
        Rows and targets, as for `fit`.
    on_chunk
        Called after every hundred steps of a program, with the mean terms of its models; may raise to stop.

    Returns
    -------
    list
        None for a model that is fitted, otherwise what went wrong.
    """
    outcome: list[Exception | None] = [None] * len(models)
    groups: dict[Any, list[_Candidate]] = {}
    for place, model in enumerate(models):
        try:
            if not isinstance(model, AbstractLastLayer) or model.early_stopping:
                model.fit(X, y)
                continue
            candidate = _prepare(place, model, X, y)
            groups.setdefault(_structure(candidate), []).append(candidate)
        except (ValueError, DivergedError) as error:
            outcome[place] = error
    for group in groups.values():
        for candidate, error in zip(group, _train_group(group, on_chunk), strict=True):
            outcome[candidate.place] = error
    return outcome


def _prepare(place: int, model: AbstractLastLayer, X: Any, y: Any) -> _Candidate:
    data = model._prepare(X, y)
    p = data.t.shape[1]
    alpha = output_variances("prior_variance", model.prior_variance, p, {"evidence"})
    restarts = check_count("restarts", model.restarts)
    objective = model._objective(data.Z, alpha, data.sigma2)
    fresh = init_starts(objective, data.plan.make_features, data.Z.shape[1], p, restarts, data.rng)
    starts = warm_starts(fresh, model._warm())
    return _Candidate(place, model, data, objective, alpha, starts, restarts)


def _structure(candidate: _Candidate) -> Any:
    """What must be equal for two models to share a program: everything but numbers."""
    numbers, rest = eqx.partition(candidate.objective, eqx.is_array_like)
    shapes = [np.shape(leaf) for leaf in jax.tree.leaves(numbers)]
    words = [leaf for leaf in jax.tree.leaves(rest) if not isinstance(leaf, str)]
    weights = [
        (leaf.shape[1:], str(leaf.dtype)) for leaf in jax.tree.leaves(eqx.filter(candidate.starts, eqx.is_array))
    ]
    plan = candidate.data.plan
    return (
        type(candidate.model),
        jax.tree.structure(candidate.objective),
        jax.tree.structure(candidate.starts),
        tuple(shapes),
        tuple(words),
        tuple(weights),
        plan.recipe._replace(learning_rate=0.0),
        plan.optimizer,
    )


def _train_group(group: list[_Candidate], on_chunk: OnChunk | None) -> list[Exception | None]:
    """Train all starts of all models of a group at once, and give each model its best start."""
    first = group[0].data
    counts = [candidate.restarts for candidate in group]
    params = jax.tree.map(
        lambda *leaves: np.concatenate(leaves) if eqx.is_array(leaves[0]) else leaves[0],
        *(candidate.starts for candidate in group),
    )
    rates = np.repeat([candidate.data.plan.recipe.learning_rate for candidate in group], counts)
    trained = train_members(
        [candidate.objective for candidate in group for _ in range(candidate.restarts)],
        params,
        first.Z,
        first.t,
        rest=np.arange(len(first.Z)),
        held_out=None,
        plan=first.plan._replace(recipe=first.plan.recipe._replace(learning_rate=rates), label=None),
        rng=first.rng,
        on_chunk=on_chunk,
    )
    ends = np.cumsum(counts)
    return [
        _finish(candidate, trained, np.arange(end - candidate.restarts, end))
        for candidate, end in zip(group, ends, strict=True)
    ]


def _finish(candidate: _Candidate, trained: Trained, members: np.ndarray) -> Exception | None:
    """Step II for one model on the best of its starts."""
    fine = members[trained.finite[members]]
    if not len(fine):
        return DivergedError(f"training diverged from all {len(members)} starts.")
    start = best_start(trained, fine)
    data = candidate.data
    candidate.model._finish(start, data.Z, data.t, data.sigma2, candidate.alpha)
    return None
