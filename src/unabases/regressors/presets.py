"""The paper's settings for every system and kind of experiment, each with where the paper gives it.

`printed` is what the paper states, in its own training terms; `instead` replaces what does not train, or what the
paper leaves to a search, and `why` says so. Nothing is printed for a value that is absent here: the default holds.
The noise is not part of a preset, since it belongs to the data: the true variance on synthetic data, the residual
variance elsewhere.
"""

from typing import Any, NamedTuple

from unabases.regressors.base import AbstractRegressor
from unabases.regressors.listing import all_regressors


class Preset(NamedTuple):
    """Settings of one system in one kind of experiment."""

    source: str
    printed: dict[str, Any]
    instead: dict[str, Any] = {}  # noqa: RUF012  (never changed)
    why: str = ""


_ADAM: dict[str, Any] = {"optimizer": "adam", "learning_rate": 1e-2, "decay": "cosine", "batch_size": None}
_SGD: dict[str, Any] = {"optimizer": "sgd", "decay": "constant"}
_TWO = {"hidden_layer_sizes": (50, 50)}
_THREE = {"hidden_layer_sizes": (50, 50, 50)}
_ARCHITECTURE, _HYPER, _REAL = "Appendix, Architecture", "Appendix, Hyper-parameters", "Appendix, Real Data"
_SEARCHED = "the paper searches it; the default stands in until a search is made"

_CUBIC = {
    "LUNA": Preset(_ARCHITECTURE, {**_TWO, "n_heads": 20, "where": "data", "n_points": None}, why=f"γ, λ: {_SEARCHED}"),
    "NeuralLinear": Preset(_ARCHITECTURE, _TWO, why=f"γ: {_SEARCHED}"),
    "GaussianProcess": Preset(_ARCHITECTURE, {"kernel": "matern"}, why="evidence starts at its length scale of 1"),
    "HamiltonianBNN": Preset(_ARCHITECTURE, {"hidden_layer_sizes": (50,)}),
    "LinearisedLaplace": Preset(_ARCHITECTURE, {**_TWO, "activation": "tanh"}),
    "MCDropout": Preset(_HYPER, {**_TWO, "n_passes": 1000}, why=f"the rate: {_SEARCHED}"),
    "MeanFieldVI": Preset(_ARCHITECTURE, _TWO, why="the paper names the method (BBVI) and gives no settings"),
    "SNGP": Preset(
        f"{_ARCHITECTURE}; {_HYPER}",
        {**_TWO, **_SGD, "length_scale": 1.0, "norm_bound": 20.0, "max_steps": 1000, "learning_rate": 0.1},
        {**_ADAM, "max_steps": 2000},
        "gradient descent at the printed rate diverges",
    ),
    "RandomFourierSNGP": Preset(
        f"{_ARCHITECTURE}; {_HYPER}",
        {
            **_TWO,
            **_SGD,
            "activation": "tanh",
            "n_fourier": 500,
            "norm_bound": 10.0,
            "gamma": 1e-6,
            "max_steps": 500,
            "learning_rate": 1e-3,
            "batch_size": 10,
        },
        why="its scaling coefficient m belongs to a streamed covariance; ours is exact and has none",
    ),
    "AnchoredEnsemble": Preset(
        f"{_ARCHITECTURE}; {_HYPER}",
        {
            **_TWO,
            **_SGD,
            "n_members": 5,
            "prior_variance": 10.0,
            "by_fan_in": False,
            "init_variance": 0.5,
            "perturb_targets": False,
            "max_steps": 1563,
            "learning_rate": 2e-5,
            "batch_size": 32,
        },
    ),
    "BootstrapEnsemble": Preset(f"{_ARCHITECTURE}; {_HYPER}", {**_TWO, "n_members": 50, "gamma": 0.0}),
    "VanillaEnsemble": Preset(_ARCHITECTURE, {**_TWO, "n_members": 50, "gamma": 0.0}, why="as the bootstrap ensemble"),
}

_GAP = {
    **_CUBIC,
    "MCDropout": Preset(_REAL, {**_TWO, "n_passes": 1000, "rate": 0.05}, why="the larger of the two rates it tries"),
    "SNGP": Preset(
        _REAL,
        {**_TWO, **_SGD, "length_scale": 1.0, "norm_bound": 5.0, "max_steps": 5000, "learning_rate": 1e-2},
    ),
    "RandomFourierSNGP": Preset(
        _REAL,
        {
            **_TWO,
            **_SGD,
            "activation": "tanh",
            "n_fourier": 200,
            "norm_bound": 10.0,
            "gamma": 1e-6,
            "max_steps": 2700,
            "learning_rate": 1e-3,
            "batch_size": 10,
        },
        why="the steps are 100 epochs of 270 rows; m as on the Cubic Gap data",
    ),
    "AnchoredEnsemble": Preset(
        _REAL,
        {
            **_TWO,
            **_SGD,
            "n_members": 5,
            "prior_variance": 1.0,
            "by_fan_in": False,
            "init_variance": 0.5,
            "perturb_targets": False,
            "max_steps": 10_000,
            "learning_rate": 1e-5,
        },
        {**_ADAM, "by_fan_in": True, "init_variance": None, "max_steps": 2000},
        "at the printed rate the networks stay far from the data, as the paper found of its first settings",
    ),
    "BootstrapEnsemble": Preset(_REAL, {**_TWO, "n_members": 25, "gamma": 0.0}),
    "VanillaEnsemble": Preset(_REAL, {**_TWO, "n_members": 25, "gamma": 0.0}, why="as the bootstrap ensemble"),
}

_BAYESOPT = {
    "LUNA": Preset(
        _ARCHITECTURE, {**_THREE, "n_heads": 50, "where": "data", "n_points": None}, why=f"α, γ, λ: {_SEARCHED}"
    ),
    "NeuralLinear": Preset(_ARCHITECTURE, _THREE, why=f"α, γ: {_SEARCHED}"),
    "GaussianProcess": Preset(_HYPER, {"kernel": "rbf"}, why="its length scale by evidence instead of a grid"),
    "MCDropout": Preset(_HYPER, {**_THREE, "n_passes": 50}, why=f"the rate: {_SEARCHED}"),
    "MeanFieldVI": Preset(_ARCHITECTURE, _THREE),
    "SNGP": Preset(_ARCHITECTURE, {**_THREE, "length_scale": 1.0}, why=f"c: {_SEARCHED}"),
    "RandomFourierSNGP": Preset(
        _ARCHITECTURE, {**_THREE, "activation": "tanh", "n_fourier": 200}, why=f"c, γ: {_SEARCHED}"
    ),
    "AnchoredEnsemble": Preset(_HYPER, {**_THREE, "prior_variance": 10.0, "perturb_targets": False}),
    "BootstrapEnsemble": Preset(_HYPER, _THREE, why=f"γ: {_SEARCHED}"),
    "VanillaEnsemble": Preset(_ARCHITECTURE, _THREE),
}

PRESETS: dict[str, dict[str, Preset]] = {
    "cubic-gap": _CUBIC,
    "uci-gap": _GAP,
    "uci-standard": _GAP,
    "bayesopt": _BAYESOPT,
}


def from_preset(experiment: str, regressor: str, *, as_printed: bool = False, **more: Any) -> AbstractRegressor:
    """A regressor with the paper's settings.

    Parameters
    ----------
    experiment
        One of `PRESETS`: `"cubic-gap"`, `"uci-gap"`, `"uci-standard"`, `"bayesopt"`.
    regressor
        Name of a class, as in `all_regressors`.
    as_printed
        Whether to keep even what does not train.
    more
        Further parameters, such as the noise and the seed; they win.

    Examples
    --------
    >>> from_preset("uci-gap", "BootstrapEnsemble", random_state=0).n_members
    25
    """
    if experiment not in PRESETS:
        raise ValueError(f"unknown experiment {experiment!r}; known ones are {', '.join(PRESETS)}.")
    known = PRESETS[experiment]
    if regressor not in known:
        raise ValueError(f"no settings of {regressor!r} for {experiment}; there are some for {', '.join(known)}.")
    preset = known[regressor]
    settings = preset.printed if as_printed else {**preset.printed, **preset.instead}
    return all_regressors()[regressor](**{**settings, **more})
