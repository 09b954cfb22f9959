"""The registry of methods: every label that tables and figures show, with its regressor, settings and look.

The order is that of the tables. An experiment may give a method further settings, and may add words to its label, as in
"LUNA, 50 units"; all other labels are listed here.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from unabases.paper.spec import Search
from unabases.regressors.luna import AS_IN_PAPER

LUNA_PAPER = "LUNA (paper)"  # heads pushed apart at the training inputs, as printed
LUNA = "LUNA"  # the package's own; in the paper's experiments it differs in where its heads are pushed apart alone
LUNA_DEFAULTS = "LUNA, defaults"  # the package's own as a user gets it, where another LUNA stands beside it
UNA = "UNA"  # not in the paper: a committee of networks, each beside a Gaussian process
NLM_MAP, NLM_MLE, NLM_MARGINAL = "NLM, MAP", "NLM, MLE", "NLM, marginal"
GP, HMC, LAPLACE = "GP", "BNN, HMC", "Linearised Laplace"
BOOTSTRAP, VANILLA, ANCHORED = "Bootstrap ensemble", "Vanilla ensemble", "Anchored ensemble"
DROPOUT, MEAN_FIELD, SNGP, RFF_SNGP = "MC dropout", "Mean-field VI", "SNGP", "RFF SNGP"
RANDOM_SEARCH, OPTUNA_TPE, OPTUNA_GP = "Random search", "Optuna TPE", "Optuna GP"
QUANTILES = "Quantile boosting (scikit-learn)"
BOOSTING, EXTRA_TREES, RIDGE = "Boosting (scikit-learn)", "Extra trees (scikit-learn)", "Bayesian ridge (scikit-learn)"
NETWORK, NEIGHBOURS = "Network (scikit-learn)", "Nearest neighbours (scikit-learn)"
ARD_GP, NGBOOST, CATBOOST = "GP with ARD (scikit-learn)", "NGBoost", "CatBoost"
LAPLACE_TORCH, VBLL = "Last-layer Laplace (laplace-torch)", "Variational last layer (vbll)"


@dataclass(frozen=True)
class NamedMethod:
    """What a label stands for, and how it is drawn.

    Parameters
    ----------
    label
        What tables and figures call it.
    colour, marker, line
        Its look, told apart in grey too. Families share a hue of Okabe and Ito (2008), which colour-blind readers tell
        apart; markers differ for all.
    regressor, settings
        The name of its class, and the parameters that set it apart from other methods of that class; none for a method
        that is not a regressor, such as random search.
    printed
        What the paper's tables call it, if they name it.
    in_gap
        What the paper says about its uncertainty in the gap of the Cubic Gap data.
    search
        Which parameters the paper searches, on any data.
    of_paper
        Whether its regressor is one of the paper's, so that the paper's experiments run it.
    """

    label: str
    colour: str
    marker: str
    line: Any
    regressor: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    printed: str = ""
    in_gap: str = ""
    search: Search | None = None
    of_paper: bool = True


_GOLD, _LIKE_GOLD = "gold standard", "resembles the gold standards"
_LUNA_LIKE_GOLD = f"of its own LUNA: {_LIKE_GOLD}"
_LITTLE, _VARIES = "little uncertainty", "differs from restart to restart"
_GAMMA = {"gamma": (1e-2, 1e2, "log")}
_LIKELY = Search(_GAMMA)
_DIVERSE = Search({**_GAMMA, "lam": (1e-2, 1e2, "log"), "schedule": ["none", "sqrt", "sigmoid", "tanh"]}, "diverse")
_MAP, _MLE, _MARGINAL = ({"objective": name} for name in ("map", "mle", "marginal"))
_ALL = (
    NamedMethod(BOOTSTRAP, "#66c2a5", "p", "--", "BootstrapEnsemble", {}, "ENS BOOT", _LITTLE),
    NamedMethod(VANILLA, "#009e73", ">", "-", "VanillaEnsemble", {}, "ENS VAN", _LITTLE),
    NamedMethod(ANCHORED, "#00523b", "d", ":", "AnchoredEnsemble", {}, "ENS ANC", _LIKE_GOLD),
    NamedMethod(NLM_MAP, "#0072b2", "^", "-.", "NeuralLinear", _MAP, "NLM", _LITTLE, _LIKELY),
    NamedMethod(NLM_MLE, "#56b4e9", "v", ":", "NeuralLinear", _MLE, in_gap=_VARIES),
    NamedMethod(NLM_MARGINAL, "#08306b", "<", (0, (1, 1)), "NeuralLinear", _MARGINAL, in_gap=_VARIES),
    NamedMethod(GP, "#000000", "D", "-", "GaussianProcess", {}, "GP", _GOLD),
    NamedMethod(HMC, "#555555", "X", "--", "HamiltonianBNN", in_gap=_GOLD),
    NamedMethod(LAPLACE, "#999999", "h", "-.", "LinearisedLaplace", in_gap=_LIKE_GOLD),
    NamedMethod(DROPOUT, "#e69f00", "P", (0, (5, 1)), "MCDropout", {}, "MCD", _LITTLE),
    NamedMethod(SNGP, "#cc79a7", "*", (0, (4, 2)), "SNGP", {}, "SNGP", _LITTLE),
    NamedMethod(RFF_SNGP, "#882255", "+", (0, (2, 2)), "RandomFourierSNGP", in_gap=_LITTLE),
    NamedMethod(MEAN_FIELD, "#a6761d", "x", (0, (3, 1, 1, 1)), "MeanFieldVI", {}, "BBVI", _LITTLE),
    NamedMethod(LUNA_PAPER, "#b35806", "o", "--", "LUNA", AS_IN_PAPER, "LUNA", _LIKE_GOLD, _DIVERSE),
    NamedMethod(LUNA, "#d55e00", "s", "-", "LUNA", {}, "", _LUNA_LIKE_GOLD, _DIVERSE),
    NamedMethod(UNA, "#c2185b", "8", "-", "UNA", in_gap="not in the paper", of_paper=False),
    NamedMethod(RANDOM_SEARCH, "#b0b0b0", "1", ":"),
    NamedMethod(OPTUNA_TPE, "#5e3c99", "2", "-."),
    NamedMethod(OPTUNA_GP, "#a88bd0", "3", "--"),
)
METHODS: dict[str, NamedMethod] = {method.label: method for method in _ALL}
_OUTSIDE = {
    BOOSTING: "boosting",
    QUANTILES: "quantile boosting",
    EXTRA_TREES: "extra trees",
    NETWORK: "network",
    NEIGHBOURS: "nearest neighbours",
    RIDGE: "bayesian ridge",
    ARD_GP: "ard process",
    NGBOOST: "ngboost",
    CATBOOST: "catboost",
    LAPLACE_TORCH: "laplace-torch",
    VBLL: "vbll",
}
OUTSIDE: dict[str, NamedMethod] = {
    label: NamedMethod(label, "#777777", ".", ":", "Rival", {"model": model}) for label, model in _OUTSIDE.items()
}
"""Methods of other packages, which stand below the others in tables and are not drawn; `unabases.paper.rivals`."""


def find_method(label: str) -> NamedMethod:
    """The method of a label; a variant such as "NLM, MAP, γ = 10" is found under the method that it varies.

    Examples
    --------
    >>> find_method("LUNA, 50 units").label
    'LUNA'
    """
    known = METHODS | OUTSIDE
    bases = [name for name in known if label == name or label.startswith(f"{name}, ")]
    if not bases:
        raise ValueError(f"unknown method {label!r}; known ones are {'; '.join(known)}.")
    return known[max(bases, key=len)]


def paper_methods() -> list[NamedMethod]:
    """The regressors that the paper's experiments compare, in the order of the tables.

    Examples
    --------
    >>> "LUNA (paper)" in {method.label for method in paper_methods()}
    True
    """
    return [method for method in METHODS.values() if method.regressor and method.of_paper]


def ordered(labels: Iterable[str]) -> list[str]:
    """Labels in the order of the tables: a variant after its method, unknown ones last, each once."""
    places = [*METHODS, *OUTSIDE]
    given = list(dict.fromkeys(labels))
    return sorted(given, key=lambda label: _place(label, places))


def _place(label: str, places: list[str]) -> tuple[int, bool]:
    try:
        return places.index(find_method(label).label), label not in places
    except ValueError:
        return len(places), True
