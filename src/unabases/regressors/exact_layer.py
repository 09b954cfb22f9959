"""Step II: the exact linear layer on given features, one posterior for each output."""

from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float

from unabases import linear


class ExactLayer(NamedTuple):
    """Statistics of the rows seen, and what follows from them for each of p outputs."""

    statistics: linear.Statistics
    posteriors: tuple[linear.Posterior, ...]
    log_evidence: float

    @property
    def alpha(self) -> Float[np.ndarray, " p"]:
        """Prior variance of each output's weights."""
        return np.array([posterior.alpha for posterior in self.posteriors])

    @property
    def sigma2(self) -> Float[np.ndarray, " p"]:
        """Noise variance of each output."""
        return np.array([posterior.sigma2 for posterior in self.posteriors])


def fit_layer(
    Phi: Float[np.ndarray, "n k"],
    y: Float[np.ndarray, "n p"],
    *,
    alpha: Float[np.ndarray, " p"] | None,
    sigma2: Float[np.ndarray, " p"] | None,
) -> ExactLayer:
    """Condition on all rows; a variance that is None is chosen by evidence, for each output on its own."""
    statistics = linear.accumulate(Phi, y)
    alphas, sigma2s = choose_variances(statistics, alpha, sigma2)
    pairs = list(zip(y.T, alphas, sigma2s, strict=True))
    posteriors = tuple(linear.condition(Phi, column, alpha=a, sigma2=s) for column, a, s in pairs)
    evidence = sum(linear.log_evidence(Phi, column, alpha=a, sigma2=s) for column, a, s in pairs)
    return ExactLayer(statistics, posteriors, float(evidence))


def layer_from(
    statistics: linear.Statistics,
    *,
    alpha: Float[np.ndarray, " p"] | None,
    sigma2: Float[np.ndarray, " p"] | None,
) -> ExactLayer:
    """The same from sufficient statistics alone."""
    alphas, sigma2s = choose_variances(statistics, alpha, sigma2)
    triples = list(enumerate(zip(alphas, sigma2s, strict=True)))
    posteriors = tuple(linear.condition_on(statistics, alpha=a, sigma2=s, output=j) for j, (a, s) in triples)
    evidence = sum(linear.log_evidence_from(statistics, alpha=a, sigma2=s, output=j) for j, (a, s) in triples)
    return ExactLayer(statistics, posteriors, float(evidence))


def layer_arrays(layer: ExactLayer, tag: str = "") -> dict[str, np.ndarray]:
    """Statistics and posteriors as named arrays, to be saved; `tag` tells several layers apart."""
    arrays = {f"statistics.{tag}{name}": np.asarray(value) for name, value in layer.statistics._asdict().items()}
    for j, posterior in enumerate(layer.posteriors):
        arrays |= {f"posterior.{tag}{j}.{name}": np.asarray(value) for name, value in posterior._asdict().items()}
    return arrays


def layer_from_arrays(arrays: dict[str, np.ndarray], log_evidence: float, tag: str = "") -> ExactLayer:
    """The layer that `layer_arrays` named."""
    statistics = linear.Statistics(**_fields(linear.Statistics, arrays, f"statistics.{tag}"))
    posteriors = tuple(
        linear.Posterior(**_fields(linear.Posterior, arrays, f"posterior.{tag}{j}."))
        for j in range(statistics.b.shape[1])
    )
    return ExactLayer(statistics, posteriors, float(log_evidence))


def _fields(kind: Any, arrays: dict[str, np.ndarray], prefix: str) -> dict[str, Any]:
    """The fields of a named tuple that were saved as arrays, numbers as numbers again."""
    values = {field: arrays[prefix + field] for field in kind._fields}
    return {field: float(value) if value.ndim == 0 else value for field, value in values.items()}


def choose_variances(
    statistics: linear.Statistics,
    alpha: Float[np.ndarray, " p"] | None,
    sigma2: Float[np.ndarray, " p"] | None,
) -> tuple[Float[np.ndarray, " p"], Float[np.ndarray, " p"]]:
    """Fill in by evidence whichever variance is None."""
    if alpha is not None and sigma2 is not None:
        return alpha, sigma2
    spectrum = linear.spectrum(statistics)
    chosen = [
        linear.maximise_evidence(
            spectrum,
            alpha=None if alpha is None else float(alpha[j]),
            sigma2=None if sigma2 is None else float(sigma2[j]),
            output=j,
        )
        for j in range(statistics.b.shape[1])
    ]
    return np.array([c.alpha for c in chosen]), np.array([c.sigma2 for c in chosen])
