"""A network whose noise may vary or have outliers, and whose targets may be skewed: how its predictions are shaped."""

from typing import Any

import numpy as np
from jaxtyping import Float

from unabases.predictive import AbstractPredictive, StudentT, Transformed
from unabases.predictive.curve import Curve
from unabases.regressors.heavy_tails import TAILS, Tails
from unabases.regressors.knowing import AbstractKnowing
from unabases.regressors.parameters import estimator, parameter
from unabases.regressors.saved_state import SavedState, StateError
from unabases.regressors.scaling import fit_scale
from unabases.regressors.target_curve import TARGETS, choose_curve, read_curve
from unabases.regressors.varying_noise import NoisePattern, loudness
from unabases.regressors.weights import weighted_mean

_NOISES = ("auto", "constant", "varying")


class _Noise:
    """Attributes that `fit` sets; apart, since fields of an estimator are parameters."""

    noise_pattern_: NoisePattern | None
    tails_: Tails | None
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
        "curve_": ("Curve or None", "The curved scale that targets are learned on; None if it is straight."),
    }

    def _scale_targets(
        self, y: Float[np.ndarray, "n p"], Z: Float[np.ndarray, "n d"], weight: Float[np.ndarray, " n"] | None
    ) -> Float[np.ndarray, "n p"]:
        for name, known in (("noise", _NOISES), ("tails", TAILS), ("target", TARGETS)):
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
    ) -> AbstractPredictive:
        """A prediction in the user's units: normal, unless tails are heavy or the scale is curved."""
        normal = self._as_normal(mean, std, sigma2, root)
        if self.tails_ is not None:
            df = self.tails_.df if self.tails_.alike else self.tails_.at(std**2, sigma2)
            df = df[..., 0] if self.vector_output_ else df
            normal = StudentT(normal.mean, normal.epistemic_std, normal.noise_std, df, normal.root)
        return normal if self.curve_ is None else Transformed(normal, self.curve_)

    def _noise_arrays(self) -> dict[str, np.ndarray]:
        """All that was learned of the noise, to be saved."""
        parts = {"tails": self.tails_, "curve": self.curve_, "pattern": self.noise_pattern_}
        known = {name: part._asdict() for name, part in parts.items() if part is not None}
        arrays = {f"{name}.{field}": np.asarray(array) for name, part in known.items() for field, array in part.items()}
        return arrays if self.curve_ is None else arrays | {"steepness": self.steepness_}

    def _read_noise(self, saved: SavedState) -> None:
        """Put back what `_noise_arrays` named."""
        self.noise_pattern_ = NoisePattern.from_arrays(saved.finite_arrays("pattern."))
        if not np.all(self._louder(np.zeros((1, self._width))) > 0):
            raise StateError("the pattern of the noise has to be positive")
        self.tails_ = Tails.read(saved.below("tails."))
        self.curve_ = read_curve(saved.below("curve."))
        if self.curve_ is not None:
            self.steepness_ = saved.array("steepness", "p", "positive")
