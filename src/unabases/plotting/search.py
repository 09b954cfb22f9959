"""Pictures of a search over hyper-parameters: how likely and how diverse each trial was, and which one was taken."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float
from matplotlib.axes import Axes

from unabases.plotting.style import EPISTEMIC, TRUTH
from unabases.selection.rules import Keep, kept_trials, sound_trials

__all__ = ["SearchPanel", "draw_search", "search_panel"]

_KEPT, _OTHER, _TAKEN = EPISTEMIC, "#999999", TRUTH


class SearchPanel(NamedTuple):
    """What is drawn of each complete trial of a search.

    Parameters
    ----------
    log_likelihood
        Validation log-likelihood per row.
    diversity
        Mean squared cosine between the heads; 0 is most diverse.
    kept, taken
        Which trials were likely enough to be considered, and which one was chosen.
    """

    log_likelihood: Float[np.ndarray, " trials"]
    diversity: Float[np.ndarray, " trials"]
    kept: Bool[np.ndarray, " trials"]
    taken: Bool[np.ndarray, " trials"]


def search_panel(results: pd.DataFrame, best_index: int, keep: Keep = 0.1) -> SearchPanel:
    """Collect what a picture of a `LUNASearch` shows.

    Parameters
    ----------
    results, best_index
        The attributes `results_` and `best_index_` of a fitted search.
    keep
        The parameter `keep` of that search.
    """
    complete: Any = results.loc[results["state"] == "complete"]
    if "diversity" not in complete:
        raise ValueError("these trials have no diversity: the picture is for the results of a `LUNASearch`.")
    return SearchPanel(
        complete["log_likelihood"].to_numpy(dtype=np.float64),
        complete["diversity"].to_numpy(dtype=np.float64),
        np.asarray(complete.index.isin(kept_trials(sound_trials(results), keep).index)),
        np.asarray(complete.index == best_index),
    )


def draw_search(ax: Axes, panel: SearchPanel) -> Axes:
    """Draw log-likelihood against diversity for each trial: those kept are filled, the one taken is a star.

    Trials far below the best are drawn as triangles at the lower edge, so that they do not squeeze the others.

    Parameters
    ----------
    ax
        Axes to draw on.
    panel
        What `search_panel` returned.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> trials = pd.DataFrame({"log_likelihood": [-2.5, -2.4], "diversity": [0.1, 0.9], "state": "complete"})
    >>> draw_search(Figure().subplots(), search_panel(trials, 0, keep=1.0)).get_ylabel()
    'validation log-likelihood per row'
    """
    best = panel.log_likelihood.max()
    spread = max(best - float(np.median(panel.log_likelihood)), 1e-3)
    floor = best - 4 * spread
    below = panel.log_likelihood < floor
    for shown, label, style in (
        (below, "far below", {"marker": "v", "s": 18, "color": _OTHER}),
        (~panel.kept & ~below, "trial", {"s": 22, "facecolors": "none", "edgecolors": _OTHER}),
        (panel.kept, "kept", {"s": 28, "color": _KEPT}),
        (panel.taken, "taken", {"s": 160, "marker": "*", "color": _TAKEN, "zorder": 3}),
    ):
        ax.scatter(panel.diversity[shown], np.maximum(panel.log_likelihood[shown], floor), label=label, **style)
    ax.set_xlabel("mean squared cosine between heads (0: most diverse)")
    ax.set_ylabel("validation log-likelihood per row")
    ax.legend(fontsize=8)
    return ax
