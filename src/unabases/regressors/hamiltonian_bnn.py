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
from unabases.regressors.base import check_count, check_positive
from unabases.regressors.chains import (
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
from unabases.regressors.convergence import diagnostics_table, warn_unless_converged
from unabases.regressors.sampled import AbstractStack, evaluate_stack
from unabases.regressors.step_one import (
    DivergedError,
    Plan,
    as_history,
    check_finite,
    init_starts,
    split_rows,
    stack_members,
    take_member,
    train_members,
)
from unabases.training import bucket, make_batch, pad_rows, training_progress

_ROWS = 100  # training rows at which functions are watched for convergence
_MOST_NUMBERS = 2**28  # weights held in all draws together: 1 GiB


class HamiltonianBNN(AbstractStack):
    """Bayesian neural network whose posterior over all weights is sampled by NUTS or HMC: slow, and the yardstick.

    The prior is N(0, v) on every weight, the likelihood N(y; f(x), σ²). Each chain begins at the end of a short
    training towards a mode of this posterior, from its own draw of the prior; it then adapts its step size and a
    diagonal metric. Weights of a network can be permuted without changing it, so convergence is judged by the log
    density and by the functions at training rows.

    Parameters
    ----------
    sampler
        `"nuts"`, which finds the length of each trajectory itself, or `"hmc"`.
    n_chains, n_warmup, n_samples
        How many chains; of each, the iterations that adapt and are thrown away, and those that sample.
    max_draws
        How many networks are kept at most; of more draws, only every second, third, … is.
    target_accept
        Acceptance rate that the step size is adapted to; more means smaller steps and fewer divergences.
    n_leapfrog
        HMC only: the most leapfrog steps of a trajectory. Each takes a random number from half of them up.
    max_depth
        NUTS only: how often a trajectory may double; 10 would allow 1023 leapfrog steps.
    prior_variance
        Prior variance of a bias, and of a weight times the inputs its layer sums (see `by_fan_in`).
    by_fan_in
        Whether the variance of a layer's weights is divided by how many inputs it sums.
    hidden_layer_sizes, activation, features, sigma2
        As in `NeuralLinear`; the noise is a given number or `"residual"`. All rows enter each iteration.
    max_steps, learning_rate, decay, batch_size, optimizer, early_stopping, validation_fraction, patience
        As in `NeuralLinear`, for the training that each chain begins with.
    standardize, random_state, verbose
        As in `NeuralLinear`.

    Attributes
    ----------
    networks_, sigma2_
        The kept draws, stacked, chain by chain; the noise variance in y's units squared.
    history_
        For each kept draw its chain, its number, the log density (standardised units, up to a constant), the
        acceptance rate, the leapfrog steps and whether it diverged.
    r_hat_, ess_
        Largest split R-hat and smallest effective sample size of the kept draws, over log density and functions.
    divergences_
        How many iterations after the warm-up diverged.
    diagnostics_
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

    def __init__(
        self,
        *,
        sampler="nuts",
        n_chains=4,
        n_warmup=500,
        n_samples=500,
        max_draws=1000,
        target_accept=0.8,
        n_leapfrog=500,
        max_depth=9,
        hidden_layer_sizes=(50,),
        activation="relu",
        features=None,
        prior_variance=4.0,
        by_fan_in=True,
        sigma2="residual",
        max_steps=500,
        learning_rate=1e-2,
        decay="cosine",
        batch_size=None,
        optimizer="adam",
        early_stopping=False,
        validation_fraction=0.1,
        patience=10,
        standardize=True,
        random_state=None,
        verbose=False,
    ):
        self.sampler = sampler
        self.n_chains = n_chains
        self.n_warmup = n_warmup
        self.n_samples = n_samples
        self.max_draws = max_draws
        self.target_accept = target_accept
        self.n_leapfrog = n_leapfrog
        self.max_depth = max_depth
        self.hidden_layer_sizes = hidden_layer_sizes
        self.activation = activation
        self.features = features
        self.prior_variance = prior_variance
        self.by_fan_in = by_fan_in
        self.sigma2 = sigma2
        self.max_steps = max_steps
        self.learning_rate = learning_rate
        self.decay = decay
        self.batch_size = batch_size
        self.optimizer = optimizer
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.patience = patience
        self.standardize = standardize
        self.random_state = random_state
        self.verbose = verbose

    def _learn(self, Z: np.ndarray, t: np.ndarray, sigma2: np.ndarray, plan: Plan, rng: np.random.Generator) -> None:
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
        modes = self._modes(network, variances, count, Z, t, sigma2, plan, rng)
        batch = make_batch(Z, t)
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

    def _modes(
        self,
        network: Any,
        variances: Any,
        count: int,
        Z: np.ndarray,
        t: np.ndarray,
        sigma2: np.ndarray,
        plan: Plan,
        rng: np.random.Generator,
    ) -> np.ndarray:
        """Weights after short trainings towards the mode, each from its own draw of the prior, as rows."""
        held_out, rest = split_rows(len(Z), plan, rng)
        drawn = [sample_weights(variances, network, rng) for _ in range(count)]
        stack = stack_members(drawn)
        zero = jax.tree.map(lambda leaf: np.zeros(leaf.shape, np.float32), variances)
        objective = Anchored(sigma2=sigma2, anchor=zero, variances=variances)
        trained = train_members([objective] * count, stack, Z, t, rest=rest, held_out=held_out, plan=plan, rng=rng)
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
        prefix = "diagnostics."
        columns = {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
        self._set_diagnostics(pd.DataFrame(columns, index=values["diagnosed"]))


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
