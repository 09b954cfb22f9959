"""Effective samples per second of a Bayesian network: `HamiltonianBNN` and NumPyro's NUTS on the same posterior.

Both use the Cubic Gap data, one hidden layer of 50 ReLU units, the same prior and noise, four chains, and equally many
warm-up steps and draws. The sample size is the smallest over function values at the training rows, by one estimator
for both; times do not include compilation.
"""

import time
import warnings

import jax
import jax.numpy as jnp
import numpy as np

from benchmarks import row
from unabases import HamiltonianBNN
from unabases.datasets import cubic_gap
from unabases.regressors.networks.convergence import effective_size

WIDTH = 50


def run(quick: bool) -> list[dict]:
    try:
        import numpyro
        import numpyro.distributions as dist
        from numpyro.infer import MCMC, NUTS
    except ImportError as error:
        raise ImportError("this benchmark needs NumPyro; run `make bench`, which sets it up.") from error
    warmup, samples, chains = (100, 100, 2) if quick else (500, 500, 4)
    data = cubic_gap(random_state=0)
    X = (data.X_train - data.X_train.mean()) / data.X_train.std()
    spread = data.y_train.std()
    y, sigma2 = (data.y_train - data.y_train.mean()) / spread, data.sigma2 / spread**2
    model = HamiltonianBNN(
        n_warmup=warmup, n_samples=samples, n_chains=chains, max_draws=chains * samples, hidden_layer_sizes=(WIDTH,),
        sigma2=sigma2, standardize=False, random_state=0,
    )  # fmt: skip
    v = model.prior_variance

    def fit() -> float:
        begin = time.perf_counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(X, y)
        return time.perf_counter() - begin

    fit()
    mine = fit()
    values = model.predict_dist(X).members.reshape(chains, samples, len(X))
    ours = float(np.min(effective_size(values)))

    def numpyro_model(X: jax.Array, y: jax.Array) -> None:
        d = X.shape[1]
        W1 = numpyro.sample("W1", dist.Normal(0, np.sqrt(v / d)).expand([WIDTH, d]).to_event(2))
        b1 = numpyro.sample("b1", dist.Normal(0, np.sqrt(v)).expand([WIDTH]).to_event(1))
        W2 = numpyro.sample("W2", dist.Normal(0, np.sqrt(v / WIDTH)).expand([WIDTH]).to_event(1))
        b2 = numpyro.sample("b2", dist.Normal(0, np.sqrt(v)))
        f = numpyro.deterministic("f", jax.nn.relu(X @ W1.T + b1) @ W2 + b2)
        numpyro.sample("y", dist.Normal(f, np.sqrt(sigma2)), obs=y)

    sampler = MCMC(
        NUTS(numpyro_model, target_accept_prob=model.target_accept, max_tree_depth=model.max_depth),
        num_warmup=warmup, num_samples=samples, num_chains=chains, chain_method="vectorized", progress_bar=False,
    )  # fmt: skip
    arguments = (jnp.asarray(X, jnp.float32), jnp.asarray(y, jnp.float32))
    sampler.run(jax.random.key(0), *arguments)
    begin = time.perf_counter()
    sampler.run(jax.random.key(1), *arguments)
    f = np.asarray(sampler.get_samples(group_by_chain=True)["f"])
    other = time.perf_counter() - begin
    theirs = float(np.min(effective_size(f)))
    rates = ours / mine, theirs / other
    return [
        row("effective samples a second", *rates, unit="/s", ratio=rates[0] / rates[1]),
        row("effective samples, the least", ours, theirs, unit=""),
        row("time without compilation", mine, other),
        row("function std at the centre of the gap", gap_std(model.predict_dist(np.zeros((1, 1))).members),
            gap_std(numpyro_at_zero(sampler)), unit=""),
    ]  # fmt: skip


def numpyro_at_zero(sampler) -> np.ndarray:
    """Values of NumPyro's networks at x = 0, the same posterior by another program."""
    draws = {name: np.asarray(value) for name, value in sampler.get_samples().items()}
    return np.sum(np.maximum(draws["b1"], 0) * draws["W2"], axis=1) + draws["b2"]


def gap_std(values: np.ndarray) -> float:
    return float(np.std(values))
