"""What the three ensembles share: members trained in one program, and predictions that are their mixture."""

import abc
from collections.abc import Sequence
from typing import Any, NamedTuple

import equinox as eqx
import jax
import numpy as np

from unabases.objectives import AbstractObjective, map_objective
from unabases.regressors.networks.sampled import AbstractStack
from unabases.regressors.networks.step_one import (
    Prepared,
    TrainingRun,
    as_history,
    check_finite,
    init_starts,
    mean_of_running,
    split_rows,
    train_runs,
)
from unabases.regressors.shared.base import check_count
from unabases.regressors.shared.parameters import estimator, parameter


class Members(NamedTuple):
    """What sets the members apart: their objectives, starts, row weights and shifts of the targets.

    The shift of a row that weighs more is made smaller, as the noise of the mean of several rows is.
    """

    objectives: Sequence[AbstractObjective]
    networks: Any
    weight: np.ndarray | None = None
    shift: np.ndarray | None = None


@estimator
class AbstractEnsemble(AbstractStack):
    """Train many networks at once; a subclass says in `_members` how they differ."""

    n_members: Any = parameter(20, "Model", "int", "How many networks, at least 2. Cost grows in proportion.")

    @abc.abstractmethod
    def _members(
        self, networks: Any, rest: np.ndarray, n: int, sigma2: np.ndarray, rng: np.random.Generator
    ) -> Members:
        """How to train the `networks`, given from random starts, on the rows `rest` out of n."""

    def _learn(self, data: Prepared) -> None:
        Z, t, sigma2, plan, rng, weight = data
        count = check_count("n_members", self.n_members, least=2)
        held_out, rest = split_rows(len(Z), plan, rng)
        plain = map_objective(sigma2, np.float64(0.0))
        starts = init_starts(plain, plan.make_features, Z.shape[1], t.shape[1], count, rng)
        members = self._members(starts, rest, len(Z), sigma2, rng)
        shift = members.shift if weight is None or members.shift is None else members.shift / np.sqrt(weight)[:, None]
        own = (rng.spawn(count), rest, held_out, members.weight, shift, weight)
        (trained,) = train_runs([TrainingRun(members.objectives, members.networks, Z, t, plan, *own)])
        kept = np.flatnonzero(check_finite(trained))
        self.networks_ = jax.tree.map(lambda leaf: leaf[kept] if eqx.is_array(leaf) else leaf, trained.params)
        running = {name: values[kept] for name, values in trained.history.items()}
        self.history_ = as_history({name: mean_of_running(values) for name, values in running.items()})
        self._set_noise(sigma2)
