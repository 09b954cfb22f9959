"""A network that is linear in its weights, for which every posterior is known in closed form."""

import equinox as eqx
import numpy as np

RNG = np.random.default_rng(3)
X = RNG.standard_normal((40, 2))
Y = X @ [1.0, -2.0] + 0.5 + 0.3 * RNG.standard_normal(40)
NEW = RNG.standard_normal((15, 2)) * 2
SIGMA2 = 0.09
PHI = np.column_stack([X, np.ones(40)])
PHI_NEW = np.column_stack([NEW, np.ones(15)])


class Identity(eqx.Module):
    def __call__(self, x):
        return x


def identity(d, *, key):
    return Identity()


def exact_posterior(prior_variances, Phi=PHI, y=Y, sigma2=SIGMA2):
    """Mean and covariance of the weights (inputs, then bias) under independent priors."""
    precision = Phi.T @ Phi / sigma2 + np.diag(1 / np.broadcast_to(prior_variances, Phi.shape[1]))
    covariance = np.linalg.inv(precision)
    return covariance @ Phi.T @ y / sigma2, covariance


LINEAR = {
    "features": identity,
    "sigma2": SIGMA2,
    "standardize": False,
    "max_steps": 1500,
    "learning_rate": 0.05,
    "random_state": 0,
}
"""Parameters with which an ensemble's members are linear models."""


def ridge(gamma, weight):
    """Minimiser of Σ weight (y − Φw)² / 2σ² + γ‖w‖²."""
    A = (PHI * weight[:, None]).T @ PHI / SIGMA2 + 2 * gamma * np.eye(3)
    return np.linalg.solve(A, PHI.T @ (weight * Y) / SIGMA2)
