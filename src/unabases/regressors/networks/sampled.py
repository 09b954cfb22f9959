"""What all regressors share that predict with many functions: ensembles, posterior samples, dropout passes."""

import abc
from typing import Any

import equinox as eqx
import jax
import numpy as np
import pandas as pd
from jaxtyping import Float

from unabases.predictive import Mixture
from unabases.predictive.checks import refuse_infinite
from unabases.regressors.networks.network import AbstractNetwork, is_shape_or_array, leaves_of, refill
from unabases.regressors.networks.step_one import history_arrays, history_from
from unabases.regressors.shared.saved_state import SavedState, StateError
from unabases.training import bucket, pad_rows

_VALUES = 2**23  # function values held at once while predicting


class AbstractSampled(AbstractNetwork):
    """The prediction is an equal mixture of functions with the noise: a subclass supplies `_functions`."""

    noise_: np.ndarray  # noise variance of each output, standardised
    history_: pd.DataFrame

    @abc.abstractmethod
    def _functions(self, Z: Float[np.ndarray, "b d"]) -> Float[np.ndarray, "M b p"]:
        """Values of every function at standardised rows, in float32."""

    @abc.abstractmethod
    def _n_functions(self) -> int:
        """M."""

    def _rows_at_once(self) -> int:
        return max(16, 2 ** int(np.log2(_VALUES / self._n_functions() / len(self.noise_))))

    def _predict_rows(self, X: np.ndarray, covariance: bool) -> Mixture:
        size, parts = self._rows_at_once(), []
        for i in range(0, len(X), size):
            Z = self.x_scale_.apply(X[i : i + size]).astype(np.float32)
            padded = pad_rows(Z, bucket(len(Z)) if len(X) <= size else size)  # few shapes, each compiled once
            parts.append(np.asarray(self._functions(padded), dtype=np.float64)[:, : len(Z)])
        values = self.y_scale_.undo(np.concatenate(parts, axis=1))
        refuse_infinite(np.abs(values).max(axis=0))
        noise_std = np.sqrt(self.noise_) * self.y_scale_.spread
        return Mixture(self._shaped(values), self._shaped(np.broadcast_to(noise_std, values.shape[1:])))

    def _set_noise(self, sigma2: Float[np.ndarray, " p"]) -> None:
        """Remember the noise, and show it in the user's units."""
        self.noise_ = np.asarray(sigma2, dtype=np.float64)
        self.sigma2_ = self._per_output(self.noise_ * self.y_scale_.spread**2)

    def _sampled_state(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """What every regressor of this kind remembers."""
        arrays, values = self._common_state()
        arrays |= {"noise": self.noise_}
        arrays |= history_arrays(self.history_)
        return arrays, values

    def _read_sampled(self, saved: SavedState) -> SavedState:
        """Put back what `_sampled_state` gave; what is left to read."""
        self._read_common(saved)
        self._set_noise(saved.array("noise", "p", "positive"))
        self.history_ = history_from(saved)
        return saved


class AbstractStack(AbstractSampled):
    """The functions are whole networks, stacked in `networks_`: a subclass only has to learn them."""

    networks_: Any  # features with one head, every array with a leading axis of networks

    def _n_functions(self) -> int:
        return len(self.networks_.W)

    def _functions(self, Z: Float[np.ndarray, "b d"]) -> Float[np.ndarray, "M b p"]:
        return np.asarray(evaluate_stack(self.networks_, Z))

    def get_state(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Weights of every network, scales and noise."""
        arrays, values = self._sampled_state()
        arrays |= {f"networks.{i}": np.asarray(leaf) for i, leaf in enumerate(leaves_of(self.networks_))}
        return arrays, values

    def set_state(self, arrays: dict[str, np.ndarray], values: dict[str, Any]) -> None:
        """Put back what `get_state` gave; the parameters must make a network of the same shape."""
        stacked = self._read_sampled(SavedState(arrays, values)).numbered("networks.")
        if not stacked or np.ndim(stacked[0]) == 0 or len(stacked[0]) == 0:
            raise StateError("there has to be at least one network")

        def several(leaf: Any) -> Any:
            if not is_shape_or_array(leaf):
                return leaf
            return jax.ShapeDtypeStruct((len(stacked[0]), *leaf.shape), leaf.dtype)

        self.networks_ = refill(jax.tree.map(several, self._network_shapes()), stacked)


@eqx.filter_jit
def evaluate_stack(networks: Any, Z: Any) -> Any:
    """Values (M, n, p) of M stacked networks, one network at a time."""
    arrays, static = eqx.partition(networks, eqx.is_array)
    return jax.lax.map(lambda own: jax.vmap(eqx.combine(own, static))(Z)[:, 0], arrays)
