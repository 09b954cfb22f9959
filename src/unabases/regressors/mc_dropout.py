"""Dropout kept on at prediction: each pass through the network is a function."""

from typing import Any

import equinox as eqx
import jax
import numpy as np
from jaxtyping import Float

from unabases.objectives.dropout import Dropout, count_units, masked_network
from unabases.regressors.networks.network import gamma_parameter, leaves_of, refill, restarts_parameter
from unabases.regressors.networks.sampled import AbstractSampled
from unabases.regressors.networks.step_one import Prepared, train_starts
from unabases.regressors.shared.base import check_count, check_positive
from unabases.regressors.shared.parameters import estimator, parameter
from unabases.regressors.shared.saved_state import SavedState


@estimator
class MCDropout(AbstractSampled):
    """One network trained with dropout, which stays on at prediction: where passes disagree, the model is unsure.

    Each pass drops the same units for every row, so a pass is a function. A fitted model always uses the same passes:
    asking twice gives the same answer, and a part of the rows gets the same predictions as all of them.

    Units of every hidden layer are dropped. With `features` of your own only the features are, unless your map has a
    method `masked`.

    Attributes
    ----------
    network_ : Heads
        The trained network, in standardised units.
    {sigma2_, history_}
    tau_ : float or array
        The noise precision 1 / `sigma2_`, which Gal and Ghahramani call τ.

    References
    ----------
    Gal, Ghahramani (2016). Dropout as a Bayesian approximation: representing model uncertainty in deep learning.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.linspace(-1, 1, 40)[:, None]
    >>> model = MCDropout(n_passes=50, max_steps=200, sigma2=0.01, random_state=0).fit(X, X[:, 0] ** 2)
    >>> model.predict_dist(X).members.shape
    (50, 40)
    """

    rate: Any = parameter(
        0.05, "Model", "float", "Probability that a unit is dropped, in training and prediction; below 1."
    )
    n_passes: Any = parameter(
        1000, "Sampling", "int", "Passes through the network for a prediction. Cost of predictions grows in proportion."
    )
    gamma: Any = gamma_parameter(
        0.01,
        "Weight penalty γ on the squared weights, for standardised data. In the terms of Gal and Ghahramani it is "
        "(1 − rate) l² / 2, with l the length scale of the prior.",
    )
    restarts: Any = restarts_parameter()

    def _learn(self, data: Prepared) -> None:
        rate = check_positive("rate", self.rate, zero=True)
        if rate >= 1:
            raise ValueError(f"`rate` is a probability below 1; got {self.rate!r}.")
        passes = check_count("n_passes", self.n_passes)
        objective = Dropout(
            sigma2=data.sigma2,
            gamma=np.float64(check_positive("gamma", self.gamma, zero=True)),
            rate=np.float64(rate),
        )
        start = train_starts(objective, data, restarts=check_count("restarts", self.restarts))
        self.network_, self.history_ = start.params, start.history
        kept = data.rng.random((passes, count_units(self.network_))) >= rate
        self.masks_ = (kept / (1 - rate)).astype(np.float32)
        self._set_noise(data.sigma2)
        self._describe()

    def _n_functions(self) -> int:
        return len(self.masks_)

    def _functions(self, Z: Float[np.ndarray, "b d"]) -> Float[np.ndarray, "M b p"]:
        return np.asarray(_pass_through(self.network_, self.masks_, Z))

    def get_state(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Weights, masks, scales and noise."""
        arrays, values = self._sampled_state()
        arrays |= {f"network.{i}": np.asarray(leaf) for i, leaf in enumerate(leaves_of(self.network_))}
        return {**arrays, "masks": self.masks_}, values

    def set_state(self, arrays: dict[str, np.ndarray], values: dict[str, Any]) -> None:
        """Put back what `get_state` gave."""
        saved = self._read_sampled(SavedState(arrays, values))
        self.network_ = refill(self._network_shapes(), saved.numbered("network."))
        saved.sizes["units"] = count_units(self.network_)
        self.masks_ = saved.array("masks", "passes units", "not negative", dtype=np.float32)
        self._describe()

    def _describe(self) -> None:
        self.tau_ = 1 / self.sigma2_


@eqx.filter_jit
def _pass_through(network: Any, masks: Any, Z: Any) -> Any:
    """Values (T, n, p) of T passes, one at a time."""
    return jax.lax.map(lambda mask: jax.vmap(lambda x: masked_network(network, x, mask))(Z), masks)
