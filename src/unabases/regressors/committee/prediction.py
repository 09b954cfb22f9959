"""What a fitted committee says: the prediction of its members together, and functions drawn from them."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float
from sklearn.utils import check_random_state

from unabases import linear
from unabases.predictive import AbstractPredictive, Transformed
from unabases.predictive.checks import refuse_infinite
from unabases.regressors.committee.members import MemberFeatures, in_cache, many
from unabases.regressors.committee.prediction_shape import AbstractSkewed
from unabases.regressors.committee.variances import Variances, widened
from unabases.regressors.knowledge.obeying_functions import moments_of_draws
from unabases.regressors.networks.exact_layer import ExactLayer
from unabases.regressors.shared.base import check_count
from unabases.regressors.shared.parameters import estimator
from unabases.training import on_all_cores


class _Members:
    """Attributes that `fit` sets; apart, since fields of an estimator are parameters."""

    members_: list[MemberFeatures]
    layers_: list[ExactLayer]
    variances_: Variances
    noise_: Float[np.ndarray, " p"]
    """Noise variance of each output, standardised."""


class _Mixture(NamedTuple):
    """What members say of the function at some rows."""

    designs: list[np.ndarray]
    means: Float[np.ndarray, "K n p"]
    variances: Float[np.ndarray, "K n p"]
    wide: Float[np.ndarray, "K n p"]
    """Variances of the members as wide as they are taken to be."""

    @property
    def mean(self) -> Float[np.ndarray, "n p"]:
        """Of all members."""
        return self.means.mean(axis=0)

    @property
    def variance(self) -> Float[np.ndarray, "n p"]:
        """Within members and between them."""
        return self.wide.mean(axis=0) + self.means.var(axis=0)


def _means(
    learned: Float[np.ndarray, "n l"], K: Float[np.ndarray, "n c"], weights: list[tuple[np.ndarray, np.ndarray]]
) -> Float[np.ndarray, "n p"]:
    """Mean of each output, from features of a network and covariances with the centres of a kernel."""
    return np.stack([learned @ network + K @ kernel for network, kernel in weights], axis=1)


@estimator
class AbstractCommittee(_Members, AbstractSkewed):
    """Members with features of their own and exact last layers, whose mixture is the prediction."""

    def _rows_at_once(self) -> int:
        return 2**15

    def _predict_rows(self, X: np.ndarray, covariance: bool) -> AbstractPredictive:
        Z = self.x_scale_.apply(X)
        noise = np.outer(self._louder(Z), self.noise_)
        if self.draws_ is not None and self.centres_ is not None:
            mean, std, root = moments_of_draws(self._designs_at(Z), self.draws_, self.centres_)
            return self._shape(mean, std, noise, root if covariance else None)
        said = self._mixture(Z, covariance)
        mean, std, root = said.mean, np.sqrt(said.variance), self._root(Z, said) if covariance else None
        if self.repeats_ is None:
            return self._shape(mean, std, noise, root)
        now = self.repeats_.recall(Z, mean, std**2, noise)
        root = None if root is None else now.root(root)
        return self._shape(now.mean, np.sqrt(now.variance), now.noise, root, now.df)

    def _designs_at(self, Z: Float[np.ndarray, "n d"]) -> list[np.ndarray]:
        """The features of each member."""
        designs = on_all_cores(lambda member: self._design(member, Z), self.members_, worthwhile=many(Z))
        refuse_infinite(*designs)
        return designs

    def _mixture(self, Z: Float[np.ndarray, "n d"], keep: bool = False) -> _Mixture:
        """What members say, each by its own last layer; their features are kept only if asked for."""
        means, variances = np.empty((2, len(self.members_), len(Z), len(self.noise_)))

        def predict(i: int) -> Float[np.ndarray, "n k"] | None:
            member, posteriors, ratio = self.members_[i], self.layers_[i].posteriors, self.variances_.ratio
            learned, inverse = member.of_network(Z), member.kernel.inverse_for(len(Z))
            inverses = [linear.worthwhile_inverse(posterior.L, len(Z)) for posterior in posteriors]
            weights = [member.dual(posterior.m, ratio) for posterior in posteriors]
            designs = []
            for rows in in_cache(len(Z)):
                K = member.kernel.covariance(Z[rows])
                means[i, rows] = _means(learned[rows], K, weights)
                F = linear.solve_rows(member.kernel.factor, K, inverse, overwrite=True)
                missing = member.kernel.missing(Z[rows], F)
                Phi = np.hstack([learned[rows], np.sqrt(ratio) * F], dtype=np.float64)
                refuse_infinite(Phi)
                for j, (posterior, by, kernel) in enumerate(
                    zip(posteriors, inverses, self._kernel_variance().tolist(), strict=True)
                ):
                    R = linear.solve_rows(posterior.L, Phi, by, overwrite=not keep and j + 1 == len(posteriors))
                    variances[i, rows, j] = np.einsum("ij,ij->i", R, R) + kernel * missing
                if keep:
                    designs.append(Phi)
            return np.concatenate(designs) if keep else None

        designs = on_all_cores(predict, range(len(self.members_)), worthwhile=many(Z))
        kept = [design for design in designs if design is not None]
        return _Mixture(kept, means, variances, widened(variances, self.variances_.sigma2, self.variances_.factor))

    def _mean_rows(self, X: np.ndarray) -> Float[np.ndarray, "n *p"] | None:
        if self.draws_ is not None or self.repeats_ is not None or self.curve_ is not None:
            return None  # the mean depends on how sure the members are
        Z, ratio = self.x_scale_.apply(X), self.variances_.ratio
        means = np.empty((len(self.members_), len(Z), len(self.noise_)))

        def predict(i: int) -> None:
            member, posteriors = self.members_[i], self.layers_[i].posteriors
            learned, weights = member.of_network(Z), [member.dual(posterior.m, ratio) for posterior in posteriors]
            for rows in in_cache(len(Z)):
                means[i, rows] = _means(learned[rows], member.kernel.covariance(Z[rows]), weights)

        on_all_cores(predict, range(len(self.members_)), worthwhile=many(Z))
        mean = self.y_scale_.undo(means.mean(axis=0))
        refuse_infinite(means, mean)
        return self._shaped(mean)

    def _root(self, Z: Float[np.ndarray, "n d"], said: _Mixture) -> Float[np.ndarray, "p n r"]:
        """R with R Rᵀ the covariance of the mixture: within members, what the kernel's features lack, and between."""
        apart, wider = said.means - said.mean, np.sqrt(said.wide / said.variances)
        roots = [[apart[:, :, j].T] for j in range(apart.shape[2])]
        for i, (member, layer, Phi) in enumerate(zip(self.members_, self.layers_, said.designs, strict=True)):
            lacking = member.kernel.missing_root(Z)
            for j, (posterior, kernel) in enumerate(zip(layer.posteriors, self._kernel_variance(), strict=True)):
                within = np.concatenate([linear.root(posterior, Phi), np.sqrt(kernel) * lacking], axis=1)
                roots[j].append(wider[i, :, j, None] * within)
        return np.stack([np.concatenate(parts, axis=1) for parts in roots]) / np.sqrt(len(apart))

    def sample_prior(self, X: Any, n: int = 1, random_state: Any = None) -> np.ndarray:
        """`n` functions drawn before seeing data, at the rows of X: shape (n, rows) or (n, rows, p)."""
        return self._sample(X, n, random_state, self._draw_prior, remember=False)

    def sample_posterior(self, X: Any, n: int = 1, random_state: Any = None) -> np.ndarray:
        """`n` functions drawn after seeing data, each from a member: shape (n, rows) or (n, rows, p)."""
        return self._sample(X, n, random_state, self._draw_posterior, remember=True)

    def _kernel_variance(self) -> Float[np.ndarray, " p"]:
        """Prior variance of the kernel's weights, for each output."""
        return self.variances_.ratio * self.variances_.alpha

    def _design(self, member: MemberFeatures, Z: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n k"]:
        return member(Z, self.variances_.ratio)

    def _sample(self, X: Any, n: int, random_state: Any, draw: Callable, remember: bool) -> np.ndarray:
        """`n` functions, each of a member that is drawn first."""
        Z = self.x_scale_.apply(self._validate_predict(X))
        rng = np.random.default_rng(check_random_state(random_state).randint(0, 2**31 - 1, size=4))
        samples = np.empty((check_count("n", n, least=0), len(Z), len(self.noise_)))
        chosen = rng.integers(len(self.members_), size=n)
        for i in np.unique(chosen).tolist():
            mine, member = np.flatnonzero(chosen == i), self.members_[i]
            Phi, lacking = self._design(member, Z), member.kernel.missing_root(Z)
            for j, kernel in enumerate(self._kernel_variance().tolist()):
                beside = np.sqrt(kernel) * rng.standard_normal((len(mine), len(Z))) @ lacking.T
                samples[mine, :, j] = draw(i, j, Z, Phi, beside, rng)
        noise, zero, df = np.outer(self._louder(Z), self.noise_), np.zeros((len(Z), len(self.noise_))), None
        if remember and self.repeats_ is not None:
            now = self.repeats_.recall(Z, zero, self._mixture(Z).variance, noise)
            samples, noise, df = now.functions(samples, rng), now.noise, now.df
        if self.curve_ is None:
            return self._shaped(self.y_scale_.undo(samples))
        around = self._shape(zero, zero, noise, df=df)
        assert isinstance(around, Transformed)
        return around.expected(self._shaped(self.y_scale_.undo(samples)))

    def _draw_prior(
        self, i: int, j: int, Z: np.ndarray, Phi: np.ndarray, beside: Float[np.ndarray, "n rows"], rng: Any
    ) -> Float[np.ndarray, "n rows"]:
        """Functions of a member and output before seeing data; `beside` is what the kernel's features lack."""
        return linear.sample_prior(Phi, self.variances_.alpha[j], len(beside), rng) + beside

    def _draw_posterior(
        self, i: int, j: int, Z: np.ndarray, Phi: np.ndarray, beside: Float[np.ndarray, "n rows"], rng: Any
    ) -> Float[np.ndarray, "n rows"]:
        """The same after seeing data, their distance from the mean widened as the prediction's is."""
        if self.draws_ is not None:
            W = self.draws_[i][j]
            return W[rng.integers(len(W), size=len(beside))] @ Phi.T
        posterior = self.layers_[i].posteriors[j]
        mean, known = linear.predict(posterior, Phi)
        variance = known + self._kernel_variance()[j] * self.members_[i].kernel.missing(Z)
        wider = np.sqrt(widened(variance, self.variances_.sigma2[j], self.variances_.factor[j]) / variance)
        return mean + wider * (linear.sample_posterior(posterior, Phi, len(beside), rng) - mean + beside)
