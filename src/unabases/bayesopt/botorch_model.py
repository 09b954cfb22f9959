"""A fitted neural linear model inside BoTorch, with gradients; needs the extra `botorch`."""

import functools
from typing import Any

import equinox as eqx
import jax
import numpy as np

from unabases.regressors.networks.last_layer import AbstractLastLayer
from unabases.regressors.networks.network import in_float64
from unabases.training import bucket, pad_rows

__all__ = ["botorch_model"]


def botorch_model(regressor: Any, *, negate: bool = False) -> Any:
    """Turn a fitted neural linear model into a BoTorch model, for use with any acquisition of BoTorch.

    `posterior(X)` is the posterior of f and differentiable in X. JAX computes the features and their gradients; the
    exact posterior of the last layer is computed by PyTorch, in double precision on the CPU.

    Parameters
    ----------
    regressor : LUNA, NeuralLinear or another neural linear model
        A fitted model with one output.
    negate : bool
        If True, model −y. BoTorch maximises, so use this to minimise y.

    Returns
    -------
    botorch.models.model.Model
        The model.

    See Also
    --------
    unabases.bayesopt.BayesOpt : Bayesian optimisation without BoTorch.
    """
    try:
        import botorch  # noqa: F401  # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise ImportError("this needs BoTorch: pip install 'unabases[botorch]'.") from error
    if not isinstance(regressor, AbstractLastLayer):
        raise TypeError(f"`regressor` must be a neural linear model, such as LUNA or NeuralLinear; got {regressor!r}.")
    if regressor.encoder_ is not None:
        raise ValueError("BoTorch gives rows of numbers, but this model was fitted to a table with other columns.")
    regressor._validate_predict(np.zeros((1, getattr(regressor, "n_features_in_", 1))))
    if len(regressor.layer_.posteriors) != 1:
        raise ValueError(f"the model has {len(regressor.layer_.posteriors)} outputs; fit one model per output.")
    return _model_class()(regressor, negate)


@functools.cache
def _model_class() -> Any:
    """The class of the model, defined when first used, since BoTorch is optional."""
    import torch  # pyright: ignore[reportMissingImports]
    from botorch.models.model import Model  # pyright: ignore[reportMissingImports]
    from botorch.posteriors.gpytorch import GPyTorchPosterior  # pyright: ignore[reportMissingImports]
    from gpytorch.distributions import MultivariateNormal  # pyright: ignore[reportMissingImports]
    from linear_operator import to_linear_operator  # pyright: ignore[reportMissingImports]

    class Features(torch.autograd.Function):
        """φ of rows, with gradients by JAX."""

        @staticmethod
        def forward(ctx: Any, X: Any, phi: Any) -> Any:
            ctx.save_for_backward(X)
            ctx.phi = phi
            return torch.from_numpy(_features(phi, X.detach().numpy()))

        @staticmethod
        def backward(ctx: Any, *slopes: Any) -> Any:
            (X,) = ctx.saved_tensors
            return torch.from_numpy(_pull_back(ctx.phi, X.numpy(), slopes[0].numpy())), None

    class UnabasesModel(Model):
        """A linear head on fixed features."""

        def __init__(self, regressor: AbstractLastLayer, negate: bool):
            super().__init__()
            posterior, scale = regressor.layer_.posteriors[0], regressor.y_scale_
            sign = -1.0 if negate else 1.0
            self.phi = in_float64(regressor.phi_)
            numbers = {
                "center": regressor.x_scale_.center,
                "spread": regressor.x_scale_.spread,
                "m": sign * scale.spread[0] * posterior.m,
                "L": posterior.L / scale.spread[0],
                "offset": np.array(sign * scale.center[0]),
                "noise": np.array(posterior.sigma2 * scale.spread[0] ** 2),
            }
            for name, value in numbers.items():
                self.register_buffer(name, torch.tensor(value, dtype=torch.double))

        @property
        def num_outputs(self) -> int:
            return 1

        @property
        def batch_shape(self) -> Any:
            return torch.Size([])

        def posterior(
            self,
            X: Any,
            output_indices: Any = None,
            observation_noise: Any = False,
            posterior_transform: Any = None,
        ) -> Any:
            """Joint posterior of f, or of y with `observation_noise`, at the q rows of each batch."""
            Z: Any = (X.double() - self.center) / self.spread
            h: Any = Features.apply(Z.reshape(-1, Z.shape[-1]), self.phi)
            h = h.reshape(*Z.shape[:-1], -1)
            Phi = torch.cat([h, torch.ones_like(h[..., :1])], dim=-1)
            R = torch.linalg.solve_triangular(self.L, Phi.mT, upper=False)
            covariance = R.mT @ R
            if observation_noise is not False:
                noise = self.noise if observation_noise is True else observation_noise.double().squeeze(-1)
                covariance = covariance + torch.diag_embed(noise.expand(covariance.shape[:-1]))
            # As an operator it is factorised only where needed, with a little on the diagonal if rows are nearly equal.
            normal = MultivariateNormal(Phi @ self.m + self.offset, to_linear_operator(covariance))
            posterior = GPyTorchPosterior(normal)
            return posterior if posterior_transform is None else posterior_transform(posterior)

    return UnabasesModel


def _features(phi: Any, Z: np.ndarray) -> np.ndarray:
    with jax.enable_x64(True):
        return np.array(_apply(phi, pad_rows(Z, bucket(len(Z)))))[: len(Z)]


def _pull_back(phi: Any, Z: np.ndarray, slopes: np.ndarray) -> np.ndarray:
    size = bucket(len(Z))
    with jax.enable_x64(True):
        return np.array(_apply_back(phi, pad_rows(Z, size), pad_rows(slopes, size)))[: len(Z)]


@eqx.filter_jit
def _apply(phi: Any, Z: Any) -> Any:
    return jax.vmap(phi)(Z)


@eqx.filter_jit
def _apply_back(phi: Any, Z: Any, slopes: Any) -> Any:
    return jax.vjp(jax.vmap(phi), Z)[1](slopes)[0]
