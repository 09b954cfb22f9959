"""Every regressor on the Cubic Gap data, over several seeds: what each knows in the gap, and what it costs."""

import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from unabases.datasets import SyntheticGap, cubic_gap
from unabases.paper.scoring import GRID, SCORES, TITLES, gap_scores
from unabases.predictive import AbstractPredictive
from unabases.regressors import AbstractRegressor, DivergedError, all_regressors
from unabases.regressors.presets import from_preset

SETTINGS = ("defaults", "paper", "as-printed")
OnFit = Callable[[str, int], None]  # method, seed: just fitted

# In the order of the figure: label, class, parameters that set the variant apart, what the paper says of the gap.
VARIANTS: tuple[tuple[str, str, dict[str, Any], str], ...] = (
    ("GP", "GaussianProcess", {}, "gold standard"),
    ("BNN, HMC", "HamiltonianBNN", {}, "gold standard"),
    ("LUNA", "LUNA", {}, "resembles the gold standards"),
    ("Anchored ensemble", "AnchoredEnsemble", {}, "resembles the gold standards"),
    ("Linearised Laplace", "LinearisedLaplace", {}, "resembles the gold standards"),
    ("NLM, MAP", "NeuralLinear", {"objective": "map"}, "little uncertainty"),
    ("NLM, MLE", "NeuralLinear", {"objective": "mle"}, "differs from restart to restart"),
    ("NLM, marginal", "NeuralLinear", {"objective": "marginal"}, "differs from restart to restart"),
    ("Bootstrap ensemble", "BootstrapEnsemble", {}, "little uncertainty"),
    ("Vanilla ensemble", "VanillaEnsemble", {}, "little uncertainty"),
    ("MC dropout", "MCDropout", {}, "little uncertainty"),
    ("Mean-field VI", "MeanFieldVI", {}, "little uncertainty"),
    ("SNGP", "SNGP", {}, "little uncertainty"),
    ("RFF SNGP", "RandomFourierSNGP", {}, "little uncertainty"),
)


class Comparison(NamedTuple):
    """A row for each method and seed, and what the first seed's picture shows."""

    rows: pd.DataFrame
    data: SyntheticGap
    grid: np.ndarray
    curves: dict[str, AbstractPredictive]


def make_method(label: str, settings: str = "defaults", **more: Any) -> AbstractRegressor:
    """The regressor of a label, with defaults or the paper's settings."""
    if settings not in SETTINGS:
        raise ValueError(f"unknown settings {settings!r}; known ones are {', '.join(SETTINGS)}.")
    known = {variant[0]: variant for variant in VARIANTS}
    if label not in known:
        raise ValueError(f"unknown method {label!r}; known ones are {'; '.join(known)}.")
    _, name, own, _ = known[label]
    if settings == "defaults":
        return all_regressors()[name](**own, **more)
    return from_preset("cubic-gap", name, as_printed=settings == "as-printed", **own, **more)


def compare(
    seeds: Sequence[int] = range(10),
    settings: str = "defaults",
    methods: Sequence[str] | None = None,
    on_fit: OnFit | None = None,
) -> Comparison:
    """Fit every method to the data of each seed, with the true noise given, and score it on and off the gap."""
    labels = [variant[0] for variant in VARIANTS] if methods is None else list(methods)
    first, rows, curves = cubic_gap(random_state=seeds[0]), [], {}
    for label in labels:
        for seed in seeds:
            data = cubic_gap(random_state=seed)
            model = make_method(label, settings, sigma2=data.sigma2, random_state=seed)
            rows.append({"method": label, "seed": seed, **fit_and_score(model, data)})
            if seed == seeds[0] and not rows[-1]["failed"]:
                curves[label] = model.predict_dist(GRID)
            if on_fit is not None:
                on_fit(label, seed)
    return Comparison(pd.DataFrame(rows), first, GRID, curves)


def fit_and_score(model: AbstractRegressor, data: SyntheticGap) -> dict[str, Any]:
    """Scores on and off the gap; where training diverges they are NaN and `failed` says why."""
    begin = time.perf_counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            model.fit(data.X_train, data.y_train)
        except DivergedError as error:
            return {**dict.fromkeys(SCORES, np.nan), "fit_seconds": np.nan, "warnings": "", "failed": str(error)}
    seconds = time.perf_counter() - begin
    scores = gap_scores(model, data)
    said = "; ".join(sorted({str(warning.message) for warning in caught}))
    return {**scores, "fit_seconds": seconds, "warnings": said, "failed": ""}


def summarise(rows: pd.DataFrame) -> pd.DataFrame:
    """Mean and standard deviation over seeds, a row a method in the order they came, and what the paper says."""
    said = {variant[0]: variant[3] for variant in VARIANTS}
    table = []
    for label, part in rows.groupby("method", sort=False):
        line: dict[str, Any] = {"method": label}
        for column in SCORES:
            line[column] = f"{part[column].mean():.2f} ± {part[column].std(ddof=0):.2f}"
        line["least EURC"] = f"{100 * part['eurc'].min():+.0f} %"
        line["eurc"] = f"{100 * part['eurc'].mean():+.0f} ± {100 * part['eurc'].std(ddof=0):.0f} %"
        diverged = int(np.sum(part["failed"].to_numpy() != ""))
        line["diverged"] = f"{diverged} of {len(part)}" if diverged else "none"
        line["the paper"] = said[str(label)]
        table.append(line)
    return pd.DataFrame(table).rename(columns=dict(zip(SCORES, TITLES, strict=True)))
