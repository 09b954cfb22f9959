"""The paper's settings of every regressor in each kind of experiment, with the place where the paper gives them.

`printed` is what the paper states, in its own training terms. `instead` replaces what does not train and what the paper
leaves to a search, and `why` says so. Where neither names a parameter, its default holds. The noise is not part of a
preset, because it belongs to the data: the true variance on synthetic data, the residual variance elsewhere.
"""

from typing import Any, NamedTuple

from unabases.bayesopt.defaults import SETTINGS
from unabases.paper.methods import LUNA, LUNA_PAPER, find_method
from unabases.paper.spec import Method, Search
from unabases.regressors.luna import AS_IN_PAPER


class Preset(NamedTuple):
    """Settings of one regressor in one kind of experiment."""

    source: str
    printed: dict[str, Any]
    instead: dict[str, Any] = {}  # noqa: RUF012  (never changed)
    why: str = ""


_ADAM: dict[str, Any] = {"optimizer": "adam", "learning_rate": 1e-2, "decay": "cosine", "batch_size": None}
_SGD: dict[str, Any] = {"optimizer": "sgd", "decay": "constant"}
_TWO: dict[str, Any] = {"hidden_layer_sizes": (50, 50)}
_ARCHITECTURE, _HYPER, _REAL = "Appendix, Architecture", "Appendix, Hyper-parameters", "Appendix, Real Data"
_BOTH = f"{_ARCHITECTURE}; {_HYPER}"
_SEARCHED = "the paper searches it; the default stands in until a search is made"
BETWEEN: dict[str, Any] = {**AS_IN_PAPER, "where": "between", "n_points": 64}
"""LUNA as printed, but with heads pushed apart between the training inputs: the label "LUNA" in these experiments."""
_PLACES = {
    label: {name: made[name] for name in ("where", "n_points")}
    for label, made in ((LUNA_PAPER, AS_IN_PAPER), (LUNA, BETWEEN))
}
_SNGP = {**_TWO, **_SGD, "length_scale": 1.0}
_FOURIER = {**_TWO, **_SGD, "activation": "tanh", "norm_bound": 10.0, "gamma": 1e-6, "batch_size": 10}
_ANCHORED = {**_TWO, **_SGD, "n_members": 5, "by_fan_in": False, "init_variance": 0.5, "perturb_targets": False}

_CUBIC = {
    "LUNA": Preset(_ARCHITECTURE, {**AS_IN_PAPER, **_TWO, "n_heads": 20}, why=f"γ, λ: {_SEARCHED}"),
    "NeuralLinear": Preset(_ARCHITECTURE, _TWO, why=f"γ: {_SEARCHED}"),
    "GaussianProcess": Preset(_ARCHITECTURE, {"kernel": "matern"}, why="evidence starts at its length scale of 1"),
    "HamiltonianBNN": Preset(_ARCHITECTURE, {"hidden_layer_sizes": (50,)}),
    "LinearisedLaplace": Preset(_ARCHITECTURE, {**_TWO, "activation": "tanh"}),
    "MCDropout": Preset(_HYPER, {**_TWO, "n_passes": 1000}, why=f"the rate: {_SEARCHED}"),
    "MeanFieldVI": Preset(_ARCHITECTURE, _TWO, why="the paper names the method (BBVI) and gives no settings"),
    "SNGP": Preset(
        _BOTH,
        {**_SNGP, "norm_bound": 20.0, "max_steps": 1000, "learning_rate": 0.1},
        {**_ADAM, "max_steps": 2000},
        "gradient descent at the printed rate diverges",
    ),
    "RandomFourierSNGP": Preset(
        _BOTH,
        {**_FOURIER, "n_fourier": 500, "max_steps": 500, "learning_rate": 1e-3},
        why="its scaling coefficient m belongs to a streamed covariance; ours is exact and has none",
    ),
    "AnchoredEnsemble": Preset(
        _BOTH, {**_ANCHORED, "prior_variance": 10.0, "max_steps": 1563, "learning_rate": 2e-5, "batch_size": 32}
    ),
    "BootstrapEnsemble": Preset(_BOTH, {**_TWO, "n_members": 50, "gamma": 0.0}),
    "VanillaEnsemble": Preset(_ARCHITECTURE, {**_TWO, "n_members": 50, "gamma": 0.0}, why="as the bootstrap ensemble"),
}

_GAP = {
    **_CUBIC,
    "MCDropout": Preset(_REAL, {**_TWO, "n_passes": 1000, "rate": 0.05}, why="the larger of the two rates it tries"),
    "SNGP": Preset(_REAL, {**_SNGP, "norm_bound": 5.0, "max_steps": 5000, "learning_rate": 1e-2}),
    "RandomFourierSNGP": Preset(
        _REAL,
        {**_FOURIER, "n_fourier": 200, "max_steps": 2700, "learning_rate": 1e-3},
        why="the steps are 100 epochs of 270 rows; m as on the Cubic Gap data",
    ),
    "AnchoredEnsemble": Preset(
        _REAL,
        {**_ANCHORED, "prior_variance": 1.0, "max_steps": 10_000, "learning_rate": 1e-5},
        {**_ADAM, "by_fan_in": True, "init_variance": None, "max_steps": 2000},
        "at the printed rate the networks stay far from the data, as the paper found of its first settings",
    ),
    "BootstrapEnsemble": Preset(_REAL, {**_TWO, "n_members": 25, "gamma": 0.0}),
    "VanillaEnsemble": Preset(_REAL, {**_TWO, "n_members": 25, "gamma": 0.0}, why="as the bootstrap ensemble"),
}

_THREE: dict[str, Any] = {"hidden_layer_sizes": (50, 50, 50)}
_FEW: dict[str, Any] = {"sigma2": 1e-4, "max_steps": 500}  # the noise as a share of the variance of what was told
_TEN = {**_FEW, "n_members": 10}
_OURS = "noise, steps and members for the few rows of a search are ours"
_BAYESOPT = {
    "LUNA": Preset(_ARCHITECTURE, {**AS_IN_PAPER, **_THREE, "n_heads": 50}, SETTINGS, "the default of `BayesOpt`"),
    "NeuralLinear": Preset(_ARCHITECTURE, _THREE, _FEW, f"α, γ: {_SEARCHED}; {_OURS}"),
    "GaussianProcess": Preset(_HYPER, {"kernel": "rbf"}, {"restarts": 1}, "its length scale by evidence, not a grid"),
    "MCDropout": Preset(
        _HYPER,
        {**_THREE, "n_passes": 50},
        {"sigma2": 1e-2, "max_steps": 2000},
        f"the rate: {_SEARCHED}; {_OURS}: with 500 steps it learns too little to leave a slope",
    ),
    "MeanFieldVI": Preset(_ARCHITECTURE, _THREE, {**_FEW, "sigma2": 1e-2}, _OURS),
    "SNGP": Preset(_ARCHITECTURE, {**_THREE, "length_scale": 1.0}, _FEW, f"c: {_SEARCHED}; {_OURS}"),
    "RandomFourierSNGP": Preset(
        _ARCHITECTURE, {**_THREE, "activation": "tanh", "n_fourier": 200}, why=f"c, γ: {_SEARCHED}"
    ),
    "AnchoredEnsemble": Preset(_HYPER, {**_THREE, "prior_variance": 10.0, "perturb_targets": False}, _TEN, _OURS),
    "BootstrapEnsemble": Preset(_HYPER, _THREE, _TEN, f"γ: {_SEARCHED}; {_OURS}"),
    "VanillaEnsemble": Preset(_ARCHITECTURE, _THREE, _TEN, _OURS),
}

PRESETS: dict[str, dict[str, Preset]] = {
    "cubic-gap": _CUBIC,
    "uci-gap": _GAP,
    "uci-standard": _GAP,
    "bayesopt": _BAYESOPT,
}


def preset_settings(experiment: str, label: str, *, as_printed: bool = False) -> dict[str, Any]:
    """The paper's settings of a method in one kind of experiment.

    Parameters
    ----------
    experiment
        One of `PRESETS`: `"cubic-gap"`, `"uci-gap"`, `"uci-standard"` or `"bayesopt"`.
    label
        The method, by its label in `unabases.paper.methods`.
    as_printed
        If True, keep printed settings even where they do not train.

    Returns
    -------
    dict
        Parameters of the method's regressor.

    Examples
    --------
    >>> preset_settings("uci-gap", "Bootstrap ensemble")
    {'hidden_layer_sizes': (50, 50), 'n_members': 25, 'gamma': 0.0}
    """
    if experiment not in PRESETS:
        raise ValueError(f"unknown experiment {experiment!r}; known ones are {', '.join(PRESETS)}.")
    method, known = find_method(label), PRESETS[experiment]
    if method.regressor not in known:
        raise ValueError(f"no settings of {label!r} for {experiment}; there are some for {', '.join(known)}.")
    preset = known[method.regressor]
    instead = {} if as_printed else preset.instead
    return {**method.settings, **preset.printed, **instead, **_PLACES.get(method.label, {})}


def preset_method(experiment: str, label: str, search: Search | None = None, **more: Any) -> Method:
    """A method with the paper's settings, ready for the `methods` of an `Experiment`.

    Parameters
    ----------
    experiment, label
        As for `preset_settings`.
    search
        What to search; by default what the paper searches of this method on any data.
    more
        Further parameters of the regressor; they win.

    Examples
    --------
    >>> preset_method("uci-gap", "LUNA", n_heads=7).settings["n_heads"]
    7
    """
    method = find_method(label)
    return Method(label, method.regressor, {**preset_settings(experiment, label), **more}, search or method.search)
