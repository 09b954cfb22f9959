"""A Bayesian neural network, sampled by Hamiltonian Monte Carlo."""

import warnings
from typing import Any

import equinox as eqx
import jax
import numpy as np
import pandas as pd

from unabases.features import trainable
from unabases.objectives import map_objective
from unabases.objectives.anchored import Anchored
from unabases.objectives.weight_prior import sample_weights, weight_variances
from unabases.regressors.networks.chains import (
    SAMPLERS,
    Draws,
    Sampler,
    Target,
    finite_chains,
    flatten,
    run_chains,
    thinning,
    unflatten,
)
from unabases.regressors.networks.convergence import diagnostics_table, warn_unless_converged
from unabases.regressors.networks.network import by_fan_in_parameter, weight_variance_parameter
from unabases.regressors.networks.sampled import AbstractStack, evaluate_stack
from unabases.regressors.networks.step_one import (
    DivergedError,
    Prepared,
    TrainingRun,
    as_history,
    check_finite,
    init_starts,
    split_rows,
    stack_members,
    take_member,
    train_runs,
)
from unabases.regressors.shared.base import check_count, check_positive
from unabases.regressors.shared.parameters import estimator, parameter
from unabases.regressors.shared.saved_state import SavedState
from unabases.training import bucket, make_batch, pad_rows, training_progress

_ROWS = 100  # training rows at which functions are watched for convergence
_MOST_NUMBERS = 2**28  # weights held in all draws together: 1 GiB


@estimator
class HamiltonianBNN(AbstractStack):
    """A Bayesian neural network whose posterior over all weights is sampled by NUTS or HMC: slow, and the yardstick.

    The prior is Gaussian on every weight, the likelihood N(y; f(x), σ²), and all rows enter each iteration. Each chain
    begins where a short training towards a mode of the posterior ended, from its own draw of the prior; it
    then adapts its step size and a diagonal metric. Swapping two units does not change a network, so convergence is
    judged by the log density and by the functions at training rows, not by single weights. A fit that has not converged
    warns.

    Attributes
    ----------
    networks_ : pytree
        The kept draws, stacked chain by chain along a leading axis.
    {sigma2_}
    history_ : DataFrame
        For each kept draw its chain, its number, the log density (standardised units, up to a constant), the acceptance
        rate, the leapfrog steps and whether it diverged.
    r_hat_, ess_ : float
        Largest split R-hat and smallest effective sample size of the kept draws, over log density and functions.
    divergences_ : int
        How many iterations diverged after the warm-up.
    diagnostics_ : DataFrame
        The same in detail: mean and worst of each, and for each chain by itself.

    References
    ----------
    Neal (2011). MCMC using Hamiltonian dynamics. Hoffman, Gelman (2014). The No-U-Turn sampler. Izmailov, Vikram,
    Hoffman, Wilson (2021). What are Bayesian neural network posteriors really like?

    Examples
    --------
    >>> import numpy as np, warnings
    >>> warnings.simplefilter("ignore")  # far too few iterations
    >>> X = np.linspace(-1, 1, 20)[:, None]
    >>> few = {"n_chains": 2, "n_warmup": 50, "n_samples": 20, "max_steps": 100}
    >>> model = HamiltonianBNN(hidden_layer_sizes=(5,), sigma2=0.01, **few)
    >>> model.fit(X, X[:, 0] ** 2).predict_dist(X).members.shape
    (40, 20)
    """

    hidden_layer_sizes: Any = (50,)
    sampler: Any = parameter(
        "nuts", "Sampling", "str", '"nuts", which finds the length of each trajectory itself, or "hmc".'
    )
    n_chains: Any = parameter(4, "Sampling", "int", "How many chains.")
    n_warmup: Any = parameter(500, "Sampling", "int", "Iterations of each chain that adapt it and are thrown away.")
    n_samples: Any = parameter(500, "Sampling", "int", "Iterations of each chain that sample.")
    max_draws: Any = parameter(
        1000, "Sampling", "int", "How many networks are kept at most; of more draws only every second, third, … is."
    )
    target_accept: Any = parameter(
        0.8,
        "Sampling",
        "float",
        "Acceptance rate that the step size is adapted to. Higher means smaller steps and fewer divergences.",
    )
    n_leapfrog: Any = parameter(
        500,
        "Sampling",
        "int",
        "HMC only: the most leapfrog steps of a trajectory. Each takes a random number from half of them up.",
    )
    max_depth: Any = parameter(
        9, "Sampling", "int", "NUTS only: how often a trajectory may double. 9 allows 511 leapfrog steps."
    )
    prior_variance: Any = weight_variance_parameter(4.0)
    by_fan_in: Any = by_fan_in_parameter()
    max_steps: Any = 500

    @property
    def n_iter_(self) -> int:
        """Iterations of each chain after the warm-up, to the last that was kept."""
        return int(self.history_["draw"].to_numpy().max())

    def _learn(self, data: Prepared) -> None:
        Z, t, sigma2, plan, rng, weight = data
        sampler, count = self._sampler(), check_count("n_chains", self.n_chains)
        n_warmup, n_samples = check_count("n_warmup", self.n_warmup), check_count("n_samples", self.n_samples)
        thin = thinning(count, n_samples, check_count("max_draws", self.max_draws, least=count))
        blank = init_starts(map_objective(sigma2, 0.0), plan.make_features, Z.shape[1], t.shape[1], 1, rng)
        network = take_member(blank, 0)  # one for all chains: what is not trained is part of the model
        variances = weight_variances(network, check_positive("prior_variance", self.prior_variance), self.by_fan_in)
        like, rest = eqx.partition(network, trainable(network))
        frozen, static = eqx.partition(rest, eqx.is_array)
        std = np.sqrt(flatten(variances))
        _check_size(count * (n_samples // thin), std.size)
        modes = self._modes(network, variances, count, data)
        batch = make_batch(Z, t, weight=weight)
        target = Target(like, frozen, std, batch, sigma2.astype(np.float32))
        label = f"{plan.label}, {sampler.kind}"
        with training_progress(label, n_warmup + n_samples, enabled=plan.label is not None) as on_chunk:
            draws = run_chains(
                static,
                target,
                modes / std,
                sampler=sampler,
                n_warmup=n_warmup,
                n_samples=n_samples,
                thin=thin,
                target_accept=self._target_accept(),
                rng=rng,
                on_chunk=on_chunk,
            )
        draws = _keep_finite(draws)
        C, K, D = draws.positions.shape
        stack = unflatten(like, (draws.positions * std).reshape(C * K, D))
        frozen = jax.tree.map(lambda leaf: np.broadcast_to(leaf, (C * K, *leaf.shape)), frozen)
        self.networks_ = eqx.combine(stack, frozen, static)
        self.history_ = _history(draws, thin)
        self._set_noise(sigma2)
        self._diagnose(draws, thin, Z)

    def _modes(self, network: Any, variances: Any, count: int, data: Prepared) -> np.ndarray:
        """Weights after short trainings towards the mode, each from its own draw of the prior, as rows."""
        Z, t, sigma2, plan, rng, weight = data
        held_out, rest = split_rows(len(Z), plan, rng)
        drawn = [sample_weights(variances, network, rng) for _ in range(count)]
        stack = stack_members(drawn)
        zero = jax.tree.map(lambda leaf: np.zeros(leaf.shape, np.float32), variances)
        objective = Anchored(sigma2=sigma2, anchor=zero, variances=variances)
        rngs = rng.spawn(count)
        run = TrainingRun([objective] * count, stack, Z, t, plan, rngs, rest, held_out, row_weight=weight)
        (trained,) = train_runs([run])
        kept = np.flatnonzero(check_finite(trained)).tolist()
        members = [take_member(trained.params, i) for i in kept]
        return np.stack([flatten(eqx.filter(member, trainable(member))) for member in members])

    def _diagnose(self, draws: Draws, thin: int, Z: np.ndarray) -> None:
        """Judge convergence, and warn when it is poor."""
        C, K, _ = draws.positions.shape
        rows = np.unique(np.linspace(0, len(Z) - 1, _ROWS).round().astype(int))
        padded = pad_rows(Z[rows].astype(np.float32), bucket(len(rows)))
        f = np.asarray(evaluate_stack(self.networks_, padded))[:, : len(rows)].reshape(C, K, -1)
        log_density = draws.log_density[:, thin - 1 :: thin, None]
        self._set_diagnostics(diagnostics_table(draws, {"log_density": log_density, "function": f}))
        warn_unless_converged(self.r_hat_, self.ess_, self.divergences_, draws.divergent.size)

    def _set_diagnostics(self, table: pd.DataFrame) -> None:
        self.diagnostics_ = table
        self.r_hat_ = float(np.max(table["worst"].filter(like="r_hat").to_numpy()))
        self.ess_ = float(np.min(table["worst"].filter(like="ess").to_numpy()))
        self.divergences_ = int(table.filter(like="chain").loc["divergences"].sum())

    def _sampler(self) -> Sampler:
        if self.sampler not in SAMPLERS:
            raise ValueError(f"unknown sampler {self.sampler!r}; known ones are {', '.join(SAMPLERS)}.")
        name = "max_depth" if self.sampler == "nuts" else "n_leapfrog"
        return Sampler(self.sampler, check_count(name, getattr(self, name)))

    def _target_accept(self) -> float:
        rate = check_positive("target_accept", self.target_accept)
        if rate >= 1:
            raise ValueError(f"`target_accept` must be between 0 and 1; got {self.target_accept!r}.")
        return rate

    def get_state(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Weights of every network, scales, noise and diagnostics."""
        arrays, values = super().get_state()
        arrays |= {f"diagnostics.{name}": self.diagnostics_[name].to_numpy() for name in self.diagnostics_}
        return arrays, {**values, "diagnosed": self.diagnostics_.index.tolist()}

    def set_state(self, arrays: dict[str, np.ndarray], values: dict[str, Any]) -> None:
        """Put back what `get_state` gave."""
        super().set_state(arrays, values)
        own = SavedState(arrays, values).below("diagnostics.")
        columns = {name: own.array(name, "rows", finite=False) for name in own.arrays}
        self._set_diagnostics(pd.DataFrame(columns, index=own.value("diagnosed", list)))


def _check_size(networks: int, weights: int) -> None:
    if networks * weights > _MOST_NUMBERS:
        raise ValueError(
            f"{networks} networks of {weights} weights would need {4 * networks * weights / 2**30:.1f} GiB; "
            "lower `max_draws`, or make the network smaller."
        )


def _keep_finite(draws: Draws) -> Draws:
    """Without the chains that have infinite or undefined draws: some is a warning, all an error."""
    fine, C = finite_chains(draws), len(draws.positions)
    advice = "Lower `learning_rate` or `prior_variance`, or look for outliers in the data."
    if not fine:
        raise DivergedError(f"{'the only chain' if C == 1 else f'all {C} chains'} became undefined. {advice}")
    if len(fine) < C:
        warnings.warn(f"{C - len(fine)} of {C} chains became undefined and were dropped. {advice}", stacklevel=4)
    return Draws(*(values[fine] for values in draws))


def _history(draws: Draws, thin: int) -> pd.DataFrame:
    """A row for each kept draw."""
    C, N = draws.log_density.shape
    number = np.arange(1, N + 1)
    every = {
        "chain": np.broadcast_to(np.arange(1, C + 1)[:, None], (C, N)),
        "draw": np.broadcast_to(number, (C, N)),
        "log_density": draws.log_density,
        "acceptance": draws.acceptance,
        "leapfrog": draws.leapfrog,
        "divergent": draws.divergent,
    }
    return as_history({name: values[:, number % thin == 0].ravel() for name, values in every.items()})
