"""The picture of a scale: how likely left-out rows are, against the factor on the epistemic variance."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes

from unabases.plotting.style import FAINT, TRUTH, looks_for, plain_axes
from unabases.regressors import GapCalibrated

__all__ = ["LeftOutPanel", "draw_left_out", "left_out_panel"]

_DEPTH = 4.0  # nats below the best that the picture shows


class LeftOutPanel(NamedTuple):
    """What the picture shows of one output.

    Parameters
    ----------
    factors
        Factors on the epistemic variance.
    losses
        For each slab or fold, by what was left out: log-likelihood per row at each factor, less that at its best one.
    chosen
        The factor in use.
    """

    factors: Float[np.ndarray, " factors"]
    losses: dict[str, Float[np.ndarray, " factors"]]
    chosen: float


def left_out_panel(model: GapCalibrated, output: int = 0) -> LeftOutPanel:
    """Collect what `draw_left_out` shows.

    Parameters
    ----------
    model
        A fitted model.
    output
        Which output, if there are several.
    """
    chosen = np.atleast_1d(model.epistemic_factor_)
    if not 0 <= output < len(chosen):
        raise ValueError(f"`output` must be from 0 to {len(chosen) - 1}, got {output}.")
    losses = {}
    for line, row in model.left_out_.iterrows():
        if row.get("output", 0) == output:
            curve = model.curves_[line].to_numpy()
            name = f"{row['where']}, {row['rows']} rows"
            again = sum(known.startswith(name) for known in losses)  # two random directions, say
            losses[f"{name} ({again + 1})" if again else name] = curve - curve.max()
    return LeftOutPanel(model.curves_.index.to_numpy(), losses, float(chosen[output]))


def draw_left_out(ax: Axes, model: GapCalibrated, output: int = 0) -> Axes:
    """Draw how likely each left-out slab is for every factor on the epistemic variance, and the factor chosen.

    Each curve is 0 at the factor that its slab would choose alone, and says how many nats per row another one costs.
    The chosen factor is a compromise between them and 1. A flat curve says little; curves with peaks far apart say that
    one factor cannot suit all of the space.

    Parameters
    ----------
    ax
        Axes to draw on.
    model
        A fitted model.
    output
        Which output, if there are several.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from unabases import GaussianProcess
    >>> X = np.linspace(-1, 1, 40)[:, None]
    >>> model = GapCalibrated(GaussianProcess(restarts=0), random_state=0).fit(X, np.sin(3 * X[:, 0]) + 0.1 * X[:, 0])
    >>> ax = draw_left_out(Figure().subplots(), model)
    >>> ax.get_xlabel()
    'factor on the epistemic variance'
    """
    panel = left_out_panel(model, output)
    plain_axes(ax)
    ax.axvline(1.0, color=FAINT, linewidth=1)
    for name, look in looks_for(panel.losses).items():
        ax.plot(panel.factors, panel.losses[name], color=look.colour, linestyle=look.line, linewidth=1.2, label=name)
        best = np.argmax(panel.losses[name])
        ax.plot(panel.factors[best], 0.0, color=look.colour, marker=look.marker, markersize=4)
    ax.axvline(panel.chosen, color=TRUTH, linewidth=1.6, label=f"chosen: {panel.chosen:.3g}")
    ax.set(xlabel="factor on the epistemic variance", ylabel="log-likelihood below the best, nats per row")
    ax.set(xscale="log", ylim=(-_DEPTH, 0.15))
    ax.legend(loc="lower right", fontsize=7)
    return ax
