"""Step II: the exact linear layer on given features, one posterior for each output."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from unabases import linear
from unabases.regressors.shared.saved_state import SavedState, StateError

_SHARE, _LEAST = 0.6, 0.02  # of the evidence's prior variance, and of the mean square: chosen in docs/defaults.md


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
    weight: Float[np.ndarray, " n"] | None = None,
    cautious: bool = False,
) -> ExactLayer:
    """Condition on all rows; a variance that is None is chosen by evidence, for each output on its own.

    A row of weight w counts as w rows. `cautious` is about the evidence's prior variance: see `choose_variances`.
    """
    statistics = linear.accumulate(Phi, y, weight)
    alphas, sigma2s = choose_variances(statistics, alpha, sigma2, cautious)
    rows, targets = linear.weighted_rows(Phi, y, weight)
    chosen = zip(targets.T, alphas, sigma2s, strict=True)
    posteriors = tuple(linear.condition(rows, t, alpha=a, sigma2=s, G=statistics.G) for t, a, s in chosen)
    evidence = sum(
        linear.log_evidence(Phi, t, alpha=own.alpha, sigma2=own.sigma2, weight=weight, posterior=own)
        for t, own in zip(y.T, posteriors, strict=True)
    )
    return ExactLayer(statistics, posteriors, float(evidence))


def layer_from(
    statistics: linear.Statistics,
    *,
    alpha: Float[np.ndarray, " p"] | None,
    sigma2: Float[np.ndarray, " p"] | None,
    cautious: bool = False,
) -> ExactLayer:
    """The same from sufficient statistics alone."""
    alphas, sigma2s = choose_variances(statistics, alpha, sigma2, cautious)
    triples = list(enumerate(zip(alphas, sigma2s, strict=True)))
    posteriors = tuple(linear.condition_on(statistics, alpha=a, sigma2=s, output=j) for j, (a, s) in triples)
    evidence = sum(linear.log_evidence_from(statistics, alpha=a, sigma2=s, output=j) for j, (a, s) in triples)
    return ExactLayer(statistics, posteriors, float(evidence))


def layer_without(layer: ExactLayer, part: linear.Statistics) -> ExactLayer:
    """The layer without some of its rows, at the same variances, to predict these; its evidence is not computed.

    `linear.subtract` also finds out whether these rows can be among the others, which costs more than all the rest.
    Here they are.
    """
    whole = layer.statistics
    rest = whole._replace(G=whole.G - part.G, b=whole.b - part.b, yy=whole.yy - part.yy, n=whole.n - part.n)
    triples = enumerate(zip(layer.alpha, layer.sigma2, strict=True))
    posteriors = tuple(linear.condition_on(rest, alpha=a, sigma2=s, output=j) for j, (a, s) in triples)
    return ExactLayer(rest, posteriors, np.nan)


def layer_arrays(layer: ExactLayer, tag: str = "") -> dict[str, np.ndarray]:
    """Statistics and posteriors as named arrays, to be saved; `tag` tells several layers apart."""
    sums = layer.statistics._asdict()
    if not sums["weighted"]:
        del sums["weighted"]
    arrays = {f"statistics.{tag}{name}": np.asarray(value, dtype=np.float64) for name, value in sums.items()}
    for j, posterior in enumerate(layer.posteriors):
        arrays |= {f"posterior.{tag}{j}.{name}": np.asarray(value) for name, value in posterior._asdict().items()}
    return arrays


def read_layer(saved: SavedState, log_evidence: float, tag: str = "", *, k: int) -> ExactLayer:
    """The layer that `layer_arrays` named, on k features, the constant one included."""
    own = saved.below(f"statistics.{tag}", k=k)
    statistics = linear.Statistics(
        G=own.array("G", "k k"),
        b=own.array("b", "k p"),
        yy=own.array("yy", "p", "not negative"),
        n=own.number("n", "not negative"),
        weighted="weighted" in own.arrays,
    )
    whole = statistics.weighted or statistics.n % 1 == 0
    if not whole or np.any(np.diag(statistics.G) < 0) or not np.allclose(statistics.G, statistics.G.T):
        raise StateError("the statistics of the last layer are not those of any rows")
    read = (saved.below(f"posterior.{tag}{j}.", k=k) for j in range(saved.sizes["p"]))
    posteriors = tuple(
        linear.Posterior(
            m=each.array("m", "k"),
            L=each.factor("L", "k k"),
            alpha=each.number("alpha", "positive"),
            sigma2=each.number("sigma2", "positive"),
        )
        for each in read
    )
    return ExactLayer(statistics, posteriors, log_evidence)


def choose_variances(
    statistics: linear.Statistics,
    alpha: Float[np.ndarray, " p"] | None,
    sigma2: Float[np.ndarray, " p"] | None,
    cautious: bool = False,
) -> tuple[Float[np.ndarray, " p"], Float[np.ndarray, " p"]]:
    """Fill in by evidence whichever variance is None.

    With learned features the evidence is only a guide to the prior variance: a little too large for functions that they
    fit well, and next to nothing for mere noise, as if nothing were unknown. `cautious` takes 0.6 of it, and at least
    0.02 of the targets' mean square, or 0.02 if they are all zero.
    """
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
    alphas = np.array([c.alpha for c in chosen])
    if alpha is None and cautious:
        squares = np.where(statistics.yy > 0, statistics.yy / statistics.n, 1.0)
        alphas = np.maximum(_SHARE * alphas, _LEAST * squares)
    return alphas, np.array([c.sigma2 for c in chosen])


def add_statistics(some: list[linear.Statistics], others: list[linear.Statistics]) -> list[linear.Statistics]:
    """Statistics of two sets of rows together, for each last layer."""
    return [linear.add(*pair) for pair in zip(some, others, strict=True)]
