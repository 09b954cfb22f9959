"""All that a committee chooses by the rows that its members left out, step by step."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from unabases.regressors.committee.few_rows import heavier_for_few, widen_for_few
from unabases.regressors.committee.heavy_tails import Tails, choose_tails, log_densities
from unabases.regressors.committee.members import MemberFeatures, Split, left_out_errors, many, moments_of
from unabases.regressors.committee.repeat_noise import RepeatNoise, find_repeat_noise
from unabases.regressors.committee.told_members import chances_of, seen_by_all
from unabases.regressors.committee.variances import Moments, Variances, choose_variances, choose_width
from unabases.regressors.committee.varying_noise import NoisePattern, find_pattern, loudness
from unabases.regressors.knowledge.known_values import KnownSums, known_design
from unabases.regressors.shared.weights import WeightedRows, weighted_mean
from unabases.training import on_all_cores

__all__ = ["Asked", "Choice", "TrainedMembers", "choose_by_left_out"]


class Asked(NamedTuple):
    """What the user gave, and what is left to choose."""

    sigma2: Float[np.ndarray, " p"]
    """Noise variances; NaN where they are to be chosen."""
    kernel: Float[np.ndarray, " p"] | None = None
    """Prior variance of the kernel's weights, if it is given."""
    noise: str = "auto"
    tails: str = "auto"
    repeats: str = "auto"
    even: bool = False
    """Whether functions must not be widened in some places and not in others, as a sum must not."""


class Choice(NamedTuple):
    """What was chosen."""

    variances: Variances
    pattern: NoisePattern | None
    """How the noise varies; None if it is constant."""
    tails: Tails | None
    """How heavy its tails are; None if they are normal."""
    chances: list[float]
    """For each statement about values: how probable it is that rows speak against it as these do, if it is true."""
    repeats: RepeatNoise | None = None
    """How much rows with the same inputs agree; None if no better than others."""
    score: float = np.nan
    """Mean log density of rows left out at random, standardised; NaN if there are none."""


class TrainedMembers(NamedTuple):
    """Members as they trained, the rows that each of them saw and left out, and values that all of them know."""

    members: Sequence[MemberFeatures]
    splits: Sequence[Split]
    rows: WeightedRows
    known: Sequence[KnownSums] = ()

    def moments(self, pattern: NoisePattern | None, near: Float[np.ndarray, " p"] | None) -> list[Moments]:
        """What each knows from its rows and, if the noise variance is near a given one, from values that are known."""
        Z, t, weight = self.rows
        pairs = list(zip(self.members, self.splits, strict=True))
        found = on_all_cores(lambda pair: moments_of(*pair, Z, t, pattern, weight), pairs, worthwhile=many(Z))
        if near is None:
            return found
        return [
            seen_by_all(one, known_design(self.known, member), near)
            for one, member in zip(found, self.members, strict=True)
        ]


def choose_by_left_out(folds: TrainedMembers, slabs: TrainedMembers, asked: Asked) -> Choice:
    """Choose the variances, again if values are known or the noise is found to vary, then tails, repeats and width.

    What few rows chose is made wider in the end.

    Parameters
    ----------
    folds
        Members that left rows out at random: they decide all but the factor.
    slabs
        Members that left a region out: they decide how wide to be far from the data.
    asked
        What is to be chosen.
    """
    pattern = near = tails = None
    moments = folds.moments(pattern, near)
    variances, chances = choose_variances(moments, asked.sigma2, asked.kernel), []
    if folds.known:
        chances = chances_of(folds.known, folds.members, moments, variances)
        near = variances.sigma2  # what values that are known weigh depends on the noise
        moments = folds.moments(pattern, near)
        variances = choose_variances(moments, asked.sigma2, asked.kernel)
    estimated = bool(np.all(np.isnan(asked.sigma2)))
    errors = left_out_errors(moments, folds.splits, folds.rows.X, variances)
    if errors is not None and (asked.noise == "varying" or (asked.noise == "auto" and estimated)):
        pattern = find_pattern(errors, variances.sigma2, surely=asked.noise == "varying")
        if pattern is not None:
            moments = folds.moments(pattern, near)
            variances = choose_variances(moments, asked.sigma2, asked.kernel)
            errors = left_out_errors(moments, folds.splits, folds.rows.X, variances)
    heavier = asked.tails == "auto" and estimated
    if errors is not None and heavier:
        noise = np.outer(loudness(pattern, errors.Z), variances.sigma2)
        tails = choose_tails(errors.squares, errors.epistemic, noise, errors.weight)
    score, repeats = np.nan, None
    if errors is not None:
        noise = np.outer(loudness(pattern, errors.Z), variances.sigma2)
        likely = log_densities(errors.squares, errors.epistemic, noise, tails)
        score = float(weighted_mean(likely.sum(axis=1), errors.weight))
    if errors is not None and estimated and asked.repeats == "auto":
        repeats = find_repeat_noise(moments, folds.splits, folds.rows, variances, tails, heavier)
    stated = asked.kernel is not None
    factor, tails = choose_width(slabs.moments(pattern, near), variances, tails, heavier, stated, asked.even)
    n = len(folds.rows.X)
    if heavier:
        tails = heavier_for_few(tails, n, len(factor))
    if not stated:
        variances = widen_for_few(variances, n, np.isnan(asked.sigma2))
    return Choice(variances._replace(factor=factor), pattern, tails, chances, repeats, score)
