"""Which LUNA is which: as printed, as the paper's selection rule finds it, and ours; and UNA, which is ours too."""

from collections.abc import Sequence

from unabases.paper.methods import LUNA, LUNA_DEFAULTS, LUNA_PAPER, OPTUNA_GP, OPTUNA_TPE, RANDOM_SEARCH, UNA

__all__ = ["LUNAS", "LUNA_LINES", "is_baseline", "which_lunas"]

LUNA_LINES: dict[str, str] = {
    "paper": "what the paper prints for its LUNA",
    LUNA_PAPER: "the paper's LUNA, run here: heads pushed apart at the training inputs, γ and λ those of the "
    "most diverse of the likely models, as in the paper, where there was a search. Likely is the likeliest tenth of "
    "the trials, as in the paper, or on real tables all within a standard error of the likeliest. It carries the "
    "paper's claims",
    LUNA: "the package's own: heads pushed apart between the training inputs. In the paper's experiments it has the "
    "paper's sizes and selection, elsewhere its defaults",
    LUNA_DEFAULTS: "the package's own exactly as a user gets it",
    UNA: "the package's recommended model, not in the paper: a committee of networks, each beside a Gaussian process",
}
"""What each name stands for, in the order in which a reader meets them."""

LUNAS = (
    "Three models are called LUNA, and they are never mixed. “paper” is what the paper prints for its LUNA. LUNA "
    "(paper) is the paper's LUNA run here; where there was a search, γ and λ are those of the most diverse of the "
    "likely models, as in the paper (on real tables with another measure of what is likely), and defaults elsewhere. "
    "It decides the paper's claims. LUNA is the package's own, and so is UNA, the recommended one, which the paper "
    "does not have."
)

_WITHIN = (
    "γ and λ of the most diverse trial within a standard error of the likeliest (the paper: of the likeliest tenth)"
)
_SELECTED = {
    "uci-gap": _WITHIN,
    "gap-search": f"{_WITHIN}, searched here",
    "uci-standard": "default γ and λ unless each split was searched (see Settings)",
}


def is_baseline(method: str) -> bool:
    """Whether LUNA is compared with a method: no LUNA of any kind, not UNA, and no search without a model of ours.

    Examples
    --------
    >>> [name for name in ("GP", "LUNA (paper)", "LUNA, 50 units", "UNA", "Random search") if is_baseline(name)]
    ['GP']
    """
    return not method.startswith(LUNA) and method not in (UNA, RANDOM_SEARCH, OPTUNA_TPE, OPTUNA_GP)


def which_lunas(experiment: str, methods: Sequence[str], compared: Sequence[str]) -> str:
    """One line that says which claim each LUNA of a table carries; empty if the table has none.

    Parameters
    ----------
    experiment
        Where the rows of the table come from.
    methods
        The labels in it.
    compared
        Those that stand beside the paper's LUNA.

    Examples
    --------
    >>> which_lunas("bayesopt", ["GP", "LUNA"], ["LUNA"])
    "LUNA, the package's own, stands beside the paper's LUNA: the paper's own was not run here."
    """
    said = []
    if LUNA_PAPER in methods:
        chosen = f", {_SELECTED[experiment]}," if experiment in _SELECTED else ""
        said.append(f"{LUNA_PAPER}{chosen} carries the paper's claims")
    if LUNA in methods:
        if LUNA in compared and LUNA_PAPER not in methods:
            return f"{LUNA}, the package's own, stands beside the paper's LUNA: the paper's own was not run here."
        said.append(f"{LUNA} is the package's own on the same terms and carries none of them")
    if LUNA_DEFAULTS in methods:
        said.append(f"{LUNA_DEFAULTS} is the package's own as a user gets it, which estimates the noise itself")
    if UNA in methods:
        said.append(f"{UNA} is the package's recommended model, which the paper does not have")
    return f"{'; '.join(said)}." if said else ""
