"""Every figure, in the order of the report, drawn from the stored results."""

from unabases.paper.report.figures.beside import BESIDE_FIGURES
from unabases.paper.report.figures.cubic_gap import ALL_METHODS_FIGURE, HEADS_FIGURE, PRIOR_FIGURE, RESTART_FIGURES
from unabases.paper.report.figures.faces import FACES_FIGURE, RISES_FIGURE
from unabases.paper.report.figures.honesty import HONESTY_FIGURES, LOCKED_HONESTY_FIGURES
from unabases.paper.report.figures.methods import CALIBRATION_FIGURES, CONSISTENCY_FIGURE, COST_FIGURE
from unabases.paper.report.figures.record import FigureSpec, Picture
from unabases.paper.report.figures.searches import ENDS_FIGURE, SEARCHES_FIGURE
from unabases.paper.report.figures.transfer import TRANSFER_FIGURE
from unabases.paper.report.rows import Results

__all__ = ["FIGURES", "OTHER_FIGURES", "all_pictures"]

FIGURES: tuple[FigureSpec, ...] = (
    PRIOR_FIGURE,
    HEADS_FIGURE,
    ALL_METHODS_FIGURE,
    CONSISTENCY_FIGURE,
    *RESTART_FIGURES,
    *BESIDE_FIGURES,
    *CALIBRATION_FIGURES,
    TRANSFER_FIGURE,
    COST_FIGURE,
    SEARCHES_FIGURE,
    ENDS_FIGURE,
    RISES_FIGURE,
    FACES_FIGURE,
)
"""Those of the paper's experiments."""
OTHER_FIGURES: tuple[FigureSpec, ...] = (*HONESTY_FIGURES, *LOCKED_HONESTY_FIGURES)


def all_pictures(results: Results) -> list[Picture]:
    """Draw every figure for which there are rows; those of experiments that the paper lacks are absent without."""
    shown = [*FIGURES, *(spec for spec in OTHER_FIGURES if results.of(spec.experiment))]
    return [_picture(spec, results) for spec in shown]


def _picture(spec: FigureSpec, results: Results) -> Picture:
    own, ours = results.of(spec.experiment), results.of(spec.ours)
    about = f"; {spec.ours}: {results.about(spec.ours)}" if own and ours else ""
    return Picture(spec, results.about(spec.experiment) + about, spec.draw((*own, *ours) if own else ()))
