"""A network whose noise may vary or have outliers, and whose targets may be skewed: how its predictions are shaped."""

from typing import Any

import numpy as np
from jaxtyping import Float

from unabases.predictive import AbstractPredictive, StudentT, Transformed
from unabases.predictive.checks import refuse_infinite
from unabases.predictive.curve import Curve
from unabases.regressors.heavy_tails import TAILS, Tails, normal_tails
from unabases.regressors.knowing import AbstractKnowing
from unabases.regressors.parameters import estimator, parameter
from unabases.regressors.repeat_noise import REPEATS
from unabases.regressors.repeats import Repeats
from unabases.regressors.saved_curve import read_curve
from unabases.regressors.saved_state import SavedState, StateError
from unabases.regressors.scaling import fit_scale
from unabases.regressors.target_curve import TARGETS, choose_curve
from unabases.regressors.varying_noise import NoisePattern, loudness
from unabases.regressors.weights import weighted_mean

_NOISES = ("auto", "constant", "varying")


class _Noise:
    """Attributes that `fit` sets; apart, since fields of an estimator are parameters."""

    noise_pattern_: NoisePattern | None
    tails_: Tails | None
    repeats_: Repeats | None
    curve_: Curve | None
    steepness_: Float[np.ndarray, " p"]
    """Mean squared slope of the way back from the curve, at the training targets."""


@estimator
class AbstractSkewed(_Noise, AbstractKnowing):
    """What noise does around the function: where it is louder, how heavy its tails are, and on which scale of y."""

    noise: Any = parameter(
        "auto",
        "Noise and prior",
        '{"auto", "constant", "varying"}',
        "Whether the noise is the same everywhere or varies with the inputs. By default it varies if that predicts "
        "left-out rows clearly better, and `sigma2` is not given.",
    )
    tails: Any = parameter(
        "auto",
        "Noise and prior",
        '{"auto", "normal"}',
        "Whether predictions may have heavier tails than a normal distribution, so that a few outliers do not widen "
        "all intervals; those of regions without data may be heavier still. By default they have if that predicts "
        "left-out rows better or rows are few, and `sigma2` is not given.",
    )
    repeats: Any = parameter(
        "auto",
        "Noise and prior",
        '{"auto", "ignore"}',
        "Whether rows with exactly the inputs of training rows are predicted by what these had of their own as well, "
        "such as copies. By default they are if that predicts left-out rows clearly better, and neither `sigma2` nor "
        "`terms` are given. Predictions of other rows are the same.",
    )
    target: Any = parameter(
        "auto",
        "Noise and prior",
        '{"auto", "identity", "log", "yeo-johnson"}',
        "The scale on which targets are learned. Predictions are in your units whatever it is; on a curved scale they "
        "are skewed, and their noise grows or shrinks with y. By default it is straight unless a curve clearly gains, "
        "and neither `sigma2` nor `terms` are given.",
    )

    fitted_attributes = {  # noqa: RUF012  (texts, never changed)
        "noise_pattern_": (
            "NoisePattern or None",
            "How the noise variance varies with the inputs, relative to `sigma2_`; None if it is constant.",
        ),
        "tails_": (
            "Tails or None",
            "Degrees of freedom of the Student t distribution of predictions, where all is noise and where the "
            "function is unknown, and the factor on the noise variance that goes with them, one for each output; "
            "None if they are normal.",
        ),
        "repeats_": (
            "Repeats or None",
            "What rows with the same inputs have of their own beyond the function, and the share of the noise that is "
            "left between them; None if they agree no better than the function explains.",
        ),
        "curve_": ("Curve or None", "The curved scale that targets are learned on; None if it is straight."),
    }

    def _scale_targets(
        self, y: Float[np.ndarray, "n p"], Z: Float[np.ndarray, "n d"], weight: Float[np.ndarray, " n"] | None
    ) -> Float[np.ndarray, "n p"]:
        for name, known in (("noise", _NOISES), ("tails", TAILS), ("repeats", REPEATS), ("target", TARGETS)):
            if getattr(self, name) not in known:
                raise ValueError(f"`{name}` must be one of {', '.join(map(repr, known))}; got {getattr(self, name)!r}.")
        straight = self._needs_straight_targets()
        if straight and self.target not in ("auto", "identity"):
            raise ValueError(f'{straight}, so targets cannot be learned with `target={self.target!r}`; use "identity".')
        self.curve_ = None if straight else choose_curve(Z, y, self.target, weight)
        if self.curve_ is not None:
            self.y_scale_ = fit_scale(self.curve_.bend(y), bool(self.standardize), weight)
            self.steepness_ = weighted_mean(np.exp(-2 * self.curve_.log_slope(y)), weight)
        return self._bend(y)

    def _needs_straight_targets(self) -> str:
        """Why targets must be learned in the units of y; empty if they need not."""
        if not isinstance(self.sigma2, str):
            return "`sigma2` is given, and on a curved scale the noise has no one variance in the units of y"
        return "`terms` are statements in the units of y" if self.terms else ""

    def _bend(self, y: Float[np.ndarray, "n p"]) -> Float[np.ndarray, "n p"]:
        """Targets in the user's units on the scale that is learned."""
        return self.y_scale_.apply(y if self.curve_ is None else self.curve_.bend(y))

    def _louder(self, Z: Float[np.ndarray, "n d"]) -> Float[np.ndarray, " n"]:
        """Noise variance of each row, relative to the average."""
        return loudness(self.noise_pattern_, Z)

    def _shape(
        self,
        mean: Float[np.ndarray, "n p"],
        std: Float[np.ndarray, "n p"],
        sigma2: Float[np.ndarray, "n p"],
        root: Float[np.ndarray, "p n k"] | None = None,
        df: Float[np.ndarray, "n p"] | None = None,
    ) -> AbstractPredictive:
        """A prediction in the user's units: normal, unless tails are heavy or the scale is curved.

        Degrees of freedom that are given count where they are numbers.
        """
        normal = self._as_normal(mean, std, sigma2, root)
        tails = self.tails_ if df is None or self.tails_ is not None else normal_tails(mean.shape[1])
        if tails is not None:
            usual = tails.df if tails.alike else tails.at(std**2, sigma2)
            df = usual if df is None else np.where(np.isnan(df), usual, df)
            df = df[..., 0] if self.vector_output_ else df
            normal = StudentT(normal.mean, normal.epistemic_std, normal.noise_std, df, normal.root)
        if self.curve_ is None:
            return normal
        skewed = Transformed(normal, self.curve_)
        refuse_infinite(*skewed.ends)
        return skewed

    def _noise_arrays(self) -> dict[str, np.ndarray]:
        """All that was learned of the noise, to be saved."""
        parts = {"tails": self.tails_, "curve": self.curve_, "pattern": self.noise_pattern_, "repeats": self.repeats_}
        known = {name: part._asdict() for name, part in parts.items() if part is not None}
        arrays = {f"{name}.{field}": np.asarray(array) for name, part in known.items() for field, array in part.items()}
        return arrays if self.curve_ is None else arrays | {"steepness": self.steepness_}

    def _read_noise(self, saved: SavedState) -> None:
        """Put back what `_noise_arrays` named."""
        self.noise_pattern_ = NoisePattern.from_arrays(saved.finite_arrays("pattern."))
        if not np.all(self._louder(np.zeros((1, self._width))) > 0):
            raise StateError("the pattern of the noise has to be positive")
        self.tails_ = Tails.read(saved.below("tails."))
        self.repeats_ = Repeats.read(saved.below("repeats."))
        self.curve_ = read_curve(saved.below("curve."))
        if self.curve_ is not None:
            self.steepness_ = saved.array("steepness", "p", "positive")
