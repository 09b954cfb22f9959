"""Members that are told values: what they know then, and how clearly they spoke against them before."""

from collections.abc import Callable, Sequence

import numpy as np
from jaxtyping import Float
from scipy.stats import chi2

from unabases.regressors.committee.variances import Moments, Variances
from unabases.regressors.knowledge.known_values import KnownDesign, KnownSums, known_design


def seen_by_all(member: Moments, known: KnownDesign, sigma2: Float[np.ndarray, " p"]) -> Moments:
    """A member that saw what is known beside its rows, for a noise variance near `sigma2`."""
    gram, moment = member.gram.copy(), member.moment.copy()
    for j, noise in enumerate(sigma2.tolist()):
        Phi, values, std = known.output(j)
        weight = noise / std**2
        gram += (Phi.T * weight) @ Phi / len(sigma2)
        moment[:, j] += (Phi.T * weight) @ values
    return member._replace(gram=gram, moment=moment)


def chances_of(
    known: Sequence[KnownSums],
    designs: Sequence[Callable[[np.ndarray], np.ndarray]],
    members: Sequence[Moments],
    chosen: Variances,
) -> list[float]:
    """How clearly members that were not told yet speak against each statement: the median of their chances."""
    pairs = list(zip(designs, members, strict=True))
    return [
        float(np.median([chance_of(member, known_design([one], features), chosen) for features, member in pairs]))
        for one in known
    ]


def chance_of(member: Moments, known: KnownDesign, chosen: Variances) -> float:
    """How probable it is that what a member saw speaks as clearly as it does against what is known.

    Small if the member, who was not told, would have predicted something else. With several outputs, the smallest.
    """
    scale = np.ones(len(member.gram))
    scale[member.of_network :] = np.sqrt(chosen.ratio)
    gram, chances = scale[:, None] * member.gram * scale, [1.0]
    for j, (alpha, sigma2) in enumerate(zip(chosen.alpha, chosen.sigma2, strict=True)):
        Phi, values, std = known.output(j)
        if not len(Phi):
            continue
        Phi = Phi * scale
        wide = alpha * max(float(chosen.factor[j]), 1.0)
        inverse = np.linalg.inv(gram / sigma2 + np.eye(len(gram)) / wide)
        error = values - Phi @ inverse @ (scale * member.moment[:, j]) / sigma2
        distance = error @ np.linalg.solve(Phi @ inverse @ Phi.T + np.diag(std**2), error)
        chances.append(float(chi2.sf(distance, len(error))))
    return min(chances)
