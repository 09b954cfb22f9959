"""The picture of the demonstration."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float
from matplotlib.figure import Figure

from unabases.datasets import SyntheticGap
from unabases.paper import DemoResult
from unabases.paper.report.gap_figure import draw_gaps, gap_panel


def demo_figure(data: SyntheticGap, grid: Float[np.ndarray, "g 1"], results: Sequence[DemoResult]) -> Figure:
    """One row of panels, one a method, with its gap figures in the title."""
    figure = Figure(figsize=(4.0 * len(results), 3.8), layout="constrained")
    axes = list(figure.subplots(1, len(results), sharey=True, squeeze=False)[0])
    panels = [
        gap_panel(
            result.method,
            grid,
            result.curve,
            f"epistemic std {result.scores['epistemic std, data']:.1f} on the data, "
            f"{result.scores['epistemic std, gap']:.1f} in the gap",
        )
        for result in results
    ]
    draw_gaps(axes, panels, data.X_train, data.y_train, data.gap, data.function(grid[:, 0]), limits=(-110.0, 110.0))
    return figure
