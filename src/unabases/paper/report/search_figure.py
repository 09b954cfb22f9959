"""The picture of a search: how likely and how diverse every trial was, and which one was taken."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float
from matplotlib.axes import Axes

from unabases.selection.rules import Keep, kept_trials, sound_trials

KEPT, OTHER, TAKEN = "#2166ac", "#999999", "#d6604d"


class SearchPanel(NamedTuple):
    """What is shown of each complete trial."""

    log_likelihood: Float[np.ndarray, " trials"]
    diversity: Float[np.ndarray, " trials"]
    kept: Bool[np.ndarray, " trials"]
    taken: Bool[np.ndarray, " trials"]


def search_panel(results: pd.DataFrame, best_index: int, keep: Keep = 0.1) -> SearchPanel:
    """Turn the table of a search and the label of the chosen trial into what a panel shows."""
    complete: Any = results.loc[results["state"] == "complete"]
    if "diversity" not in complete:
        raise ValueError("these trials have no diversity: the picture is for a LUNASearch.")
    return SearchPanel(
        complete["log_likelihood"].to_numpy(dtype=np.float64),
        complete["diversity"].to_numpy(dtype=np.float64),
        np.asarray(complete.index.isin(kept_trials(sound_trials(results), keep).index)),
        np.asarray(complete.index == best_index),
    )


def draw_search(ax: Axes, panel: SearchPanel) -> Axes:
    """Draw validation log-likelihood against diversity; the kept share filled, the choice starred.

    Trials far below the best are drawn at the lower rim, as triangles, so that they do not squeeze the others.
    """
    best = panel.log_likelihood.max()
    spread = max(best - float(np.median(panel.log_likelihood)), 1e-3)
    floor = best - 4 * spread
    height = np.maximum(panel.log_likelihood, floor)
    below = panel.log_likelihood < floor
    other = ~panel.kept & ~below
    ax.scatter(panel.diversity[below], height[below], marker="v", s=18, color=OTHER, label="far below")
    ax.scatter(panel.diversity[other], height[other], s=22, facecolors="none", edgecolors=OTHER, label="trial")
    ax.scatter(panel.diversity[panel.kept], height[panel.kept], s=28, color=KEPT, label="kept")
    ax.scatter(
        panel.diversity[panel.taken], height[panel.taken], s=160, marker="*", color=TAKEN, label="taken", zorder=3
    )
    ax.set_xlabel("mean squared cosine between heads (0: most diverse)")
    ax.set_ylabel("validation log-likelihood per row")
    ax.legend(fontsize=8)
    return ax
