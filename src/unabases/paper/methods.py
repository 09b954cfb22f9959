"""The registry of methods: every label that tables and figures show, with its regressor, settings and look.

The order is that of the tables. An experiment may give a method further settings; it never invents a label that is not
listed here.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

LUNA_PAPER = "LUNA (paper)"  # heads pushed apart at the training inputs, as printed
LUNA = "LUNA"  # the package's own: heads pushed apart between the training inputs
NLM_MAP, NLM_MLE, NLM_MARGINAL = "NLM, MAP", "NLM, MLE", "NLM, marginal"
GP, HMC, LAPLACE = "GP", "BNN, HMC", "Linearised Laplace"
BOOTSTRAP, VANILLA, ANCHORED = "Bootstrap ensemble", "Vanilla ensemble", "Anchored ensemble"
DROPOUT, MEAN_FIELD, SNGP, RFF_SNGP = "MC dropout", "Mean-field VI", "SNGP", "RFF SNGP"
RANDOM_SEARCH, OPTUNA_TPE, OPTUNA_GP = "Random search", "Optuna TPE", "Optuna GP"


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
        that is no regressor, such as random search.
    printed
        What the paper's tables call it, if they name it.
    """

    label: str
    colour: str
    marker: str
    line: Any
    regressor: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    printed: str = ""


_AT_DATA = {"where": "data", "n_points": None}
_ALL = (
    NamedMethod(BOOTSTRAP, "#66c2a5", "p", "--", "BootstrapEnsemble", printed="ENS BOOT"),
    NamedMethod(VANILLA, "#009e73", ">", "-", "VanillaEnsemble", printed="ENS VAN"),
    NamedMethod(ANCHORED, "#00523b", "d", ":", "AnchoredEnsemble", printed="ENS ANC"),
    NamedMethod(NLM_MAP, "#0072b2", "^", "-.", "NeuralLinear", {"objective": "map"}, "NLM"),
    NamedMethod(NLM_MLE, "#56b4e9", "v", ":", "NeuralLinear", {"objective": "mle"}),
    NamedMethod(NLM_MARGINAL, "#08306b", "<", (0, (1, 1)), "NeuralLinear", {"objective": "marginal"}),
    NamedMethod(GP, "#000000", "D", "-", "GaussianProcess", printed="GP"),
    NamedMethod(HMC, "#555555", "X", "--", "HamiltonianBNN"),
    NamedMethod(LAPLACE, "#999999", "h", "-.", "LinearisedLaplace"),
    NamedMethod(DROPOUT, "#e69f00", "P", (0, (5, 1)), "MCDropout", printed="MCD"),
    NamedMethod(SNGP, "#cc79a7", "*", (0, (4, 2)), "SNGP", printed="SNGP"),
    NamedMethod(RFF_SNGP, "#882255", "+", (0, (2, 2)), "RandomFourierSNGP"),
    NamedMethod(MEAN_FIELD, "#a6761d", "x", (0, (3, 1, 1, 1)), "MeanFieldVI", printed="BBVI"),
    NamedMethod(LUNA_PAPER, "#d55e00", "o", "-", "LUNA", _AT_DATA, "LUNA"),
    NamedMethod(LUNA, "#8c2d04", "s", "--", "LUNA"),
    NamedMethod(RANDOM_SEARCH, "#b0b0b0", "1", ":"),
    NamedMethod(OPTUNA_TPE, "#5e3c99", "2", "-."),
    NamedMethod(OPTUNA_GP, "#a88bd0", "3", "--"),
)
METHODS: dict[str, NamedMethod] = {method.label: method for method in _ALL}


def find_method(label: str) -> NamedMethod:
    """The method of a label; a variant such as "NLM, MAP, γ = 10" is drawn as the method that it varies."""
    bases = [name for name in METHODS if label == name or label.startswith(f"{name}, ")]
    if not bases:
        known = "; ".join(METHODS)
        raise ValueError(f"unknown method {label!r}; known ones are {known}.")
    return METHODS[max(bases, key=len)]


def ordered(labels: Iterable[str]) -> list[str]:
    """Labels in the order of the tables: a variant after its method, unknown ones last, each once."""
    places = list(METHODS)
    given = list(dict.fromkeys(labels))
    return sorted(given, key=lambda label: _place(label, places))


def _place(label: str, places: list[str]) -> tuple[int, bool]:
    try:
        return places.index(find_method(label).label), label not in METHODS
    except ValueError:
        return len(places), True
