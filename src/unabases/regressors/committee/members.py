"""The members of a committee: their features, the kernels that they see the rows with, and what they left out."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float, Int
from scipy.linalg import solve_triangular

from unabases import linear
from unabases.regressors.committee.variances import Moments, Variances, predict_left_out
from unabases.regressors.committee.varying_noise import Errors, NoisePattern, loudness
from unabases.regressors.networks.feature_blocks import apply_rows
from unabases.regressors.processes.smooth_kernel import (
    GivenNumbers,
    KernelFeatures,
    Parts,
    SmoothKernel,
    draw_kernels,
    fit_kernel,
    kernel_features,
    log_posterior,
)
from unabases.regressors.shared.left_out import LeftOut, one_of_each
from unabases.regressors.shared.weights import counts_of, part_of
from unabases.training import on_all_cores

_SAMPLE, _CENTRES = 400, 300  # rows that kernels are fitted to; of these, rows at which features know them exactly
_NEARLY_EXACT = 1e-3  # noise variance, relative to y's, below which more rows tell more of the function
_WIDE = 150  # inputs above which features of so few rows would not even hold all straight lines well
_LARGER_SAMPLE, _MORE_CENTRES = 700, 550
_REFUTED = 2.0  # nats for a row by which a kernel may be less likely than that of the whole sample
_MANY = 200  # rows from which threads are worth their start
_IN_CACHE = 1024  # rows whose kernel features are computed at once
_CONDITIONED, _SCORED = 4096, 1400  # rows of a large table that a member is conditioned on, and predicts


class MemberFeatures(NamedTuple):
    """The features of a member: what its network learned, and what stands for its kernel."""

    phi: Any
    kernel: KernelFeatures

    def __call__(self, Z: Float[np.ndarray, "n d"], ratio: float = 1.0) -> Float[np.ndarray, "n k"]:
        """Φ of standardised rows: the network's features, a column of ones, and the kernel's times √ratio."""
        return self.with_missing(Z, ratio)[0]

    def with_missing(
        self, Z: Float[np.ndarray, "n d"], ratio: float = 1.0
    ) -> tuple[Float[np.ndarray, "n k"], Float[np.ndarray, " n"]]:
        """Φ, and the variance of the kernel that its features lack."""
        learned, inverse = self.of_network(Z), self.kernel.inverse_for(len(Z))
        Phi, missing = np.empty((len(Z), learned.shape[1] + len(self.kernel.centres))), np.empty(len(Z))
        Phi[:, : learned.shape[1]] = learned
        for rows in in_cache(len(Z)):
            F = self.kernel(Z[rows], inverse)
            missing[rows] = self.kernel.missing(Z[rows], F)
            np.multiply(np.sqrt(ratio), F, out=Phi[rows, learned.shape[1] :])
        return Phi, missing

    def dual(self, m: Float[np.ndarray, " k"], ratio: float = 1.0) -> tuple[np.ndarray, Float[np.ndarray, " c"]]:
        """Weights m of all features as those of the network's, and of covariances with the centres of the kernel.

        A mean is then found without the kernel's features, which take most of the time.
        """
        c = len(self.kernel.centres)
        weights = solve_triangular(self.kernel.factor, m[-c:], lower=True, trans=1, check_finite=False)
        return m[:-c], np.sqrt(ratio) * weights

    def of_network(self, Z: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n l"]:
        """The network's features and a column of ones."""
        return linear.with_bias(apply_rows(self.phi, Z.astype(np.float32)))


def in_cache(n: int) -> Iterator[slice]:
    """Parts of n rows that are so small that their features stay in the processor's cache."""
    return (slice(start, min(start + _IN_CACHE, n)) for start in range(0, n, _IN_CACHE))


class Kernels(NamedTuple):
    """The kernel of a sample of all rows, and of the part of it that each member sees."""

    sample: Int[np.ndarray, " m"]
    centres: int
    """How many rows of the sample features know the kernel at exactly."""
    whole: SmoothKernel
    own: list[SmoothKernel]

    def draw(
        self,
        Z: np.ndarray,
        t: np.ndarray,
        n: int,
        rng: np.random.Generator,
        given: GivenNumbers | None,
        weight: Float[np.ndarray, " n"] | None,
    ) -> list[SmoothKernel]:
        """Some kernels that the sample holds possible."""
        rows = self.sample
        return draw_kernels(Z[rows], t[rows], self.whole, n, rng, given, part_of(weight, rows))

    def to_predict_with(
        self, Z: np.ndarray, t: np.ndarray, weight: Float[np.ndarray, " n"] | None
    ) -> list[SmoothKernel]:
        """The kernels of the members, once no row is left out: their own, or that of all where the sample refutes it.

        What differs between kernels makes the committee better. But a member that did not see a narrow peak takes the
        function to be so smooth that it would miss the peak even with all rows.
        """
        sample, own = (Z[self.sample], t[self.sample], part_of(weight, self.sample)), [self.whole, *self.own]
        likely, *others = on_all_cores(lambda kernel: log_posterior(kernel, *sample), own, worthwhile=many(Z))
        least = likely - _REFUTED * t.shape[1] * len(self.sample)
        return [kernel if other >= least else self.whole for kernel, other in zip(self.own, others, strict=True)]


class Split(NamedTuple):
    """Rows that a member is conditioned on and rows that it has to predict, by their numbers."""

    seen: Int[np.ndarray, " n"]
    out: Int[np.ndarray, " m"]


def fit_kernels(
    Z: np.ndarray,
    t: np.ndarray,
    absences: Sequence[LeftOut],
    rng: np.random.Generator,
    given: GivenNumbers | None = None,
    weight: Float[np.ndarray, " n"] | None = None,
    together: Int[np.ndarray, " n"] | None = None,
    parts: Parts | None = None,
) -> Kernels:
    """Fit a kernel to a sample of the rows, and again to the part of it that each member sees.

    Of rows that stay together the sample has one at most: copies would tell it that there is no noise. If the function
    is a sum, `parts` says of which inputs.
    """
    order = rng.permutation(len(Z))
    order = order if together is None else one_of_each(order, together)
    size, centres = (_LARGER_SAMPLE, _MORE_CENTRES) if Z.shape[1] > _WIDE else (_SAMPLE, _CENTRES)
    sample = order[:size]

    def fit(rows: np.ndarray, start: SmoothKernel | None = None) -> SmoothKernel:
        return fit_kernel(Z[rows], t[rows], start, given, part_of(weight, rows), parts)

    whole = fit(sample)
    if whole.noise < _NEARLY_EXACT and len(order) > len(sample):
        sample, centres = order[:_LARGER_SAMPLE], _MORE_CENTRES
        whole = fit(sample, whole)
    seen = [known_rows(sample, absence) for absence in absences]
    return Kernels(sample, centres, whole, on_all_cores(lambda rows: fit(rows, whole), seen, worthwhile=many(Z)))


def many(Z: np.ndarray) -> bool:
    """Whether there are so many rows that members should learn from them on all cores."""
    return len(Z) >= _MANY


def known_rows(sample: Int[np.ndarray, " m"], absence: LeftOut) -> Int[np.ndarray, " k"]:
    """The rows of a sample that a member sees; any rows that it sees if there are none."""
    rows = sample[~absence.rows[sample]]
    return rows if len(rows) else np.flatnonzero(~absence.rows)[:_SAMPLE]


def make_features(
    phi: Any, kernel: SmoothKernel, Z: np.ndarray, rows: Int[np.ndarray, " m"], further: np.ndarray | None = None
) -> MemberFeatures:
    """The features of a member, whose kernel is known exactly at these rows and at further points."""
    centres = Z[rows] if further is None else np.vstack([Z[rows], further])
    return MemberFeatures(phi, kernel_features(kernel, centres))


def split_sample(absence: LeftOut, rng: np.random.Generator) -> Split:
    """What a member saw and left out: all rows of a table, or a sample of a large one."""
    seen, out = np.flatnonzero(~absence.rows), np.flatnonzero(absence.rows)
    return Split(rng.permutation(seen)[:_CONDITIONED], rng.permutation(out)[:_SCORED])


def weigh(
    Phi: Float[np.ndarray, "n k"], t: Float[np.ndarray, "n p"], Z: np.ndarray, pattern: NoisePattern | None
) -> tuple[Float[np.ndarray, "n k"], Float[np.ndarray, "n p"]]:
    """Rows and targets divided by their relative noise std, so that all have the same noise."""
    if pattern is None:
        return Phi, t
    louder = np.sqrt(pattern(Z))[:, None]
    return Phi / louder, t / louder


def moments_of(
    features: MemberFeatures,
    split: Split,
    Z: np.ndarray,
    t: np.ndarray,
    pattern: NoisePattern | None,
    weight: Float[np.ndarray, " n"] | None = None,
) -> Moments:
    """What a member knows from the rows that it saw, and the rows that it has to predict."""
    seen, out = split
    n, (both, missing) = len(seen), features.with_missing(Z[np.concatenate(split)])  # many rows are faster at once
    Phi, values = weigh(both[:n], t[seen], Z[seen], pattern)
    Phi, values = linear.weighted_rows(Phi, values, part_of(weight, seen))
    return Moments(
        gram=Phi.T @ Phi,
        moment=Phi.T @ values,
        features=both[n:].copy(),  # the others are not needed any more
        missing=missing[n:],
        t=t[out],
        of_network=Phi.shape[1] - len(features.kernel.centres),
        louder=loudness(pattern, Z[out]),
        weight=part_of(weight, out),
    )


def left_out_errors(
    members: Sequence[Moments], splits: Sequence[Split], Z: np.ndarray, chosen: Variances
) -> Errors | None:
    """Errors of members on the rows that they left out; None if there is only one member to judge by."""
    if len(members) < 2:
        return None
    found = []
    for i, (member, split) in enumerate(zip(members, splits, strict=True)):
        mean, variance = predict_left_out(member, chosen)
        own = counts_of(member.weight, len(split.out))
        found.append(Errors(Z[split.out], (member.t - mean) ** 2, variance, np.full(len(split.out), i), own))
    whole = Errors(*(np.concatenate(part) for part in zip(*found, strict=True)))
    return whole._replace(weight=None) if members[0].weight is None else whole
