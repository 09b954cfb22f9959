"""Every figure of the report: what it shows, in words, and how it is drawn from stored rows."""

import io
from collections.abc import Callable, Sequence
from typing import NamedTuple

from matplotlib.figure import Figure

from unabases.paper.report.faces_figure import COLUMNS, draw_all_faces, faces_panels
from unabases.paper.report.function_figures import (
    RESTARTS,
    draw_cubic_gap,
    draw_heads,
    draw_prior,
    draw_restarts,
    drawable,
)
from unabases.paper.report.gathered import Results, by_method
from unabases.paper.report.grids import GRIDS, make_grid
from unabases.paper.report.method_figures import (
    calibration_panels,
    draw_calibration,
    draw_consistency,
    draw_cost,
    draw_eurc,
)
from unabases.paper.report.regret_figure import draw_searches, problems
from unabases.paper.report.transfer_figure import draw_squiggle, draw_transfer, transfer_lines
from unabases.paper.store import Row

__all__ = ["FIGURES", "Picture", "all_pictures"]


class Picture(NamedTuple):
    """A figure with its words; `figure` is None where its rows are lacking."""

    name: str
    title: str
    caption: str
    alt: str
    experiment: str
    about: str
    figure: Figure | None

    def image(self, kind: str = "png") -> bytes:
        """The figure as a file of this kind; the same rows give the same bytes."""
        assert self.figure is not None, "there is nothing to draw yet"
        stream = io.BytesIO()
        plain = {"CreationDate": None} if kind == "pdf" else {"Software": None}
        self.figure.savefig(stream, format=kind, dpi=130, metadata=plain)
        self.figure.set_layout_engine("none")  # settled by now: other kinds have the same, at half the time
        return stream.getvalue()


def all_pictures(results: Results) -> list[Picture]:
    """Draw every figure for which there are rows."""
    return [
        Picture(name, title, caption, alt, experiment, results.about(experiment), draw(results))
        for name, title, caption, alt, experiment, draw in FIGURES
    ]


def _new(width: float, height: float) -> Figure:
    return Figure(figsize=(width, height), layout="constrained")


def _prior(results: Results) -> Figure | None:
    rows = drawable(results.of("map-prior"), "prior_samples")
    return draw_prior(_new(4.2 * len(by_method(rows)), 6.6), rows) if rows else None


def _heads(results: Results) -> Figure | None:
    rows = drawable(results.of("luna-heads"), "heads")
    return draw_heads(_new(9.0, 3.4 * len(by_method(rows)) + 0.4), rows) if rows else None


def _cubic_gap(results: Results) -> Figure | None:
    rows = drawable(results.of("cubic-gap"))
    return draw_cubic_gap(_new(15.5, 2.9 * -(-len(by_method(rows)) // 5) + 0.3), rows) if rows else None


def _restarts(dataset: str) -> Callable[[Results], Figure | None]:
    def draw(results: Results) -> Figure | None:
        rows = drawable([row for row in results.of("restarts") if row.dataset == dataset])
        if not rows:
            return None
        sizes = [len(part) for part in by_method(rows).values()]
        return draw_restarts(_new(2.3 * min(RESTARTS, max(sizes)) + 0.8, 1.9 * len(sizes) + 0.8), rows)

    return draw


def _transfer(results: Results) -> Figure | None:
    rows = [row for row in results.of("transfer") if not row.failed]
    data = [row for row in rows if row.method == "data" and "X" in row.curves]
    lines = transfer_lines(rows)
    if not lines:
        return None
    figure = _new(11.0, 4.2) if data else _new(6.0, 4.2)
    axes = figure.subplots(1, 2 if data else 1, squeeze=False)[0]
    if data:
        draw_squiggle(axes[0], data[0].curves["X"], data[0].curves["y"])
    draw_transfer(axes[-1], lines)
    return figure


def _eurc(results: Results) -> Figure | None:
    grid = make_grid(GRIDS[0], results)
    return draw_eurc(_new(12.0, 7.4), grid) if grid.run else None


def _calibration(experiment: str) -> Callable[[Results], Figure | None]:
    def draw(results: Results) -> Figure | None:
        panels = calibration_panels(results.of(experiment))
        return draw_calibration(_new(13.5, 2.9 * -(-len(panels) // 5) + 0.2), panels) if panels else None

    return draw


def _cost(results: Results) -> Figure | None:
    rows = _with(results.of("uci-gap"), "fit_seconds")
    if not rows:
        return None
    figure = _new(7.5, 0.38 * len(by_method(rows)) + 1.0)
    draw_cost(figure.subplots(), rows)
    return figure


def _consistency(results: Results) -> Figure | None:
    rows = _with(results.of("consistency"), "eurc")
    if not rows:
        return None
    figure = _new(8.5, 0.42 * len(by_method(rows)) + 1.0)
    draw_consistency(figure.subplots(), rows)
    return figure


def _with(rows: Sequence[Row], score: str) -> list[Row]:
    return [row for row in rows if not row.failed and score in row.scores]


def _bayesopt(results: Results) -> Figure | None:
    rows = results.of("bayesopt")
    count = len(problems(rows))
    return draw_searches(_new(max(6.0, 3.9 * count), 6.6), rows) if count else None


def _faces(results: Results) -> Figure | None:
    rows = results.of("faces")
    counts = [len(faces_panels(rows, dataset)) for dataset in dict.fromkeys(row.dataset for row in rows)]
    if not any(counts):
        return None
    width, height = min(COLUMNS, max(counts)), sum(-(-count // COLUMNS) for count in counts)
    return draw_all_faces(_new(2.9 * width + 0.3, 2.9 * height), rows)


_GRID = "Bands are two standard deviations: dark blue epistemic, pale blue with the noise. The gap is hatched."
_RESTART = "A row a setting, a column a restart on the same data. Each panel says its EURC."
FIGURES: tuple[tuple[str, str, str, str, str, Callable[[Results], Figure | None]], ...] = (
    (
        "map-prior",
        "MAP: prior and posterior",
        "Functions drawn from the prior over the last layer, on features trained without and with a penalty. "
        f"Their bend is the root mean square distance from a chord. {_GRID}",
        "Prior functions above and posterior bands below, for MAP without a weight penalty and with γ = 10.",
        "map-prior",
        _prior,
    ),
    (
        "luna-heads",
        "LUNA: heads and posterior",
        "The auxiliary heads after training, and the posterior on the features that they leave behind: pushed apart at "
        f"the data, as printed, and between them, which is the default. {_GRID}",
        "Left, many heads that fit the data and part in the gap; right, LUNA's posterior band over the gap.",
        "luna-heads",
        _heads,
    ),
    (
        "cubic-gap",
        "Cubic Gap: every method",
        f"The same data for all. {_GRID}",
        "A panel a method over data with a gap, showing how far each band opens there; the table gives the numbers.",
        "cubic-gap",
        _cubic_gap,
    ),
    (
        "consistency",
        "Cubic Gap: EURC over restarts",
        "A mark a restart on the same data. Right of the dashed line a fit counts as one that knows of the gap.",
        "Marks for the EURC of each restart, a row a method; the table of consistency gives the counts.",
        "consistency",
        _consistency,
    ),
    *(
        (
            f"restarts-{dataset}",
            f"Restarts: {title}",
            f"{_RESTART} {_GRID}",
            f"Panels of posterior bands over restarts, {title}; the table of restarts gives the numbers.",
            "restarts",
            _restarts(dataset),
        )
        for dataset, title in (
            ("regularisation", "MAP with several weight penalties γ"),
            ("width", "numbers of features"),
            ("depth", "numbers of layers"),
            ("marginal-0.1", "marginal likelihood with γ = 0.1 and several prior variances α"),
            ("marginal-1", "marginal likelihood with γ = 1 and several prior variances α"),
            ("luna", "LUNA"),
        )
    ),
    (
        "eurc",
        "UCI gap sets: EURC here and in the paper",
        "Table 1 as a picture. Above 0 a method is less sure in the gap than outside it.",
        "A panel a data set with mean and std of EURC for each method, ours filled and the paper's hollow.",
        "uci-gap",
        _eurc,
    ),
    (
        "calibration-gap",
        "UCI gap sets: calibration",
        "How often outcomes fell below the quantile of each stated probability; the mean over all sets and splits. "
        "Below the diagonal left of the middle and above it to the right: intervals too wide; the other way round: too "
        "narrow.",
        "A panel a method with observed against stated probability, outside and inside the gap, beside the diagonal.",
        "uci-gap",
        _calibration("uci-gap"),
    ),
    (
        "calibration-standard",
        "Standard UCI: calibration",
        "The same on ordinary splits.",
        "A panel a method with observed against stated probability beside the diagonal.",
        "uci-standard",
        _calibration("uci-standard"),
    ),
    (
        "transfer",
        "Squiggle Gap: transfer",
        "Features are learned outside the gap, then the last layer alone is fitted to rows from it.",
        "Left, the data with waves in the gap; right, log-likelihood against the number of features, a line a method.",
        "transfer",
        _transfer,
    ),
    (
        "cost",
        "UCI gap sets: cost",
        "Over all data sets and splits.",
        "Bars of the median seconds to fit, a row a method; the table of cost gives the numbers.",
        "uci-gap",
        _cost,
    ),
    (
        "bayesopt",
        "Bayesian optimisation: regret and time",
        "Above, how far the best value so far is from the optimum: the median over searches and their middle half. "
        "Below, how long a method takes to suggest a point and to learn its value, without the evaluation itself; "
        "the first suggestions take no surrogate, and a step now and then compiles. Random search takes no time.",
        "A column a problem with falling lines of regret, a line a method, above lines of seconds per evaluation; the "
        "table of searches gives the numbers.",
        "bayesopt",
        _bayesopt,
    ),
    (
        "faces",
        "Faces: sampling bias",
        "The share of people whose epistemic std is below a multiple of the training rows' mean; of the first split. "
        "Above: trained on men. Below: trained on ages under 30 and over 40. The further right the solid line, the "
        "less sure is the model about people whom its training data lacks.",
        "A panel a method with cumulative shares of people against epistemic std, a line each for rows trained on, "
        "rows like them and rows of people whom training lacks; the table of faces gives the numbers.",
        "faces",
        _faces,
    ),
)
"""Name, title, caption, description for those who do not see it, experiment, and how it is drawn."""
