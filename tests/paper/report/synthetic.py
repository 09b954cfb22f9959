"""Rows of every experiment, made up, with scores that are known."""

import numpy as np

from unabases.datasets import GAP_SETS, cubic_gap, squiggle_gap
from unabases.paper.methods import (
    ANCHORED,
    BOOSTING,
    BOOTSTRAP,
    DROPOUT,
    GP,
    LUNA,
    LUNA_PAPER,
    MEAN_FIELD,
    METHODS,
    NLM_MAP,
    NLM_MARGINAL,
    NLM_MLE,
    QUANTILES,
    RANDOM_SEARCH,
    RIDGE,
    SNGP,
    UNA,
    VANILLA,
)
from unabases.paper.store import Row

PROVENANCE = {
    "code": "0123456789abcdef",
    "packages": {"unabases": "0.1.0", "jax": "0.8.1"},
    "python": "3.12.3",
    "machine": {"system": "Linux", "processor": "x86_64", "cores": 2},
    "finished_at": "2026-01-02T03:04:05+00:00",
    "warnings": [],
}
PAPER_METHODS = (BOOTSTRAP, VANILLA, ANCHORED, NLM_MAP, GP, DROPOUT, SNGP, MEAN_FIELD, LUNA_PAPER)
REGRESSORS = [method.label for method in METHODS.values() if method.regressor]
LEVELS = [percent / 100 for percent in range(5, 100, 5)]
GRID = np.linspace(-5, 5, 101)


def row(experiment="uci-gap", dataset="yacht-froude", method=LUNA_PAPER, split=0, seed=None, scores=None, **more):
    given = {
        "settings": {"regressor": "LUNA", "lam": 1.0, "hidden_layer_sizes": [50, 20]},
        "profile": "quick",
        "failed": "",
        "curves": {},
        "seconds": 2.0,
        "provenance": PROVENANCE,
        **more,
    }
    seed = split if seed is None else seed
    return Row(experiment, dataset, split, method, seed, scores=dict(scores or {}), **given)


def around(mean, std, n=3):
    """n values with exactly this mean and population standard deviation."""
    base = np.linspace(-1, 1, n)
    return (mean + std * base / base.std()).tolist() if n > 1 else [mean]


def gap_rows(methods=(*PAPER_METHODS, LUNA), datasets=tuple(GAP_SETS), n=3, profile="quick"):
    """EURC 0.5 ± 0.1, RMSE 3 ± 0.3 and so on, a little apart for each method."""
    rows = []
    for place, method in enumerate(methods):
        for number, dataset in enumerate(datasets):
            values = {
                "rmse": around(3 + 0.1 * place, 0.3, n),
                "rmse_gap": around(4 + 0.1 * place, 0.4, n),
                "log_likelihood": around(-2.5 - 0.05 * place, 0.1, n),
                "log_likelihood_gap": around(-3 - 0.05 * place, 0.1, n),
                "mae": around(2, 0.1, n),
                "epistemic": around(1, 0.1, n),
                "epistemic_gap": around(1.5, 0.2, n),
                "eurc": around(0.5 if number != 3 else -0.1, 0.1, n),
                "crps": around(1.5, 0.1, n),
                "crps_gap": around(2.5, 0.1, n),
                "coverage_90": around(0.88, 0.02, n),
                "coverage_90_gap": around(0.8, 0.02, n),
                "calibration_error": around(0.05, 0.01, n),
                "calibration_error_gap": around(0.08, 0.01, n),
                "fit_seconds": around(2.0 * (place + 1), 0.5, n),
                "predict_seconds": around(0.01, 0.001, n),
            }
            for split in range(n):
                curve = {"expected": LEVELS, "observed": [level**1.2 for level in LEVELS]}
                inside = {"expected": LEVELS, "observed": [level**0.7 for level in LEVELS]}
                scores = {name: value[split] for name, value in values.items()}
                curves = {"calibration": curve, "calibration_gap": inside}
                rows.append(row("uci-gap", dataset, method, split, scores=scores, curves=curves, profile=profile))
    return rows


def standard_rows(n=2):
    rows = []
    for dataset in ("boston", "concrete", "yacht", "kin8nm", "energy", "wine_red"):
        for place, method in enumerate(PAPER_METHODS):
            for split in range(n):
                scores = {
                    "rmse": 3 + 0.1 * place + 0.2 * split,
                    "log_likelihood": -2.6 - 0.01 * place - 0.1 * split,
                    "crps": 1.5,
                    "coverage_90": 0.9,
                    "calibration_error": 0.04,
                    "fit_seconds": 1.0,
                    "predict_seconds": 0.01,
                }
                curves = {"calibration": {"expected": LEVELS, "observed": LEVELS}}
                rows.append(row("uci-standard", dataset, method, split, scores=scores, curves=curves))
    return rows


def curves(width, **more):
    """A cubic mean with a band that is `width` in the middle of the gap."""
    data = cubic_gap()
    return {
        "grid": GRID.tolist(),
        "mean": (GRID**3).tolist(),
        "epistemic": (0.7 + width * np.exp(-(GRID**2))).tolist(),
        "noise": [3.0] * len(GRID),
        "X_train": data.X_train[:, 0].tolist(),
        "y_train": data.y_train.tolist(),
        **more,
    }


def functions(width, n=12):
    rng = np.random.default_rng(0)
    return [(GRID**3 + a * width * np.exp(-(GRID**2)) * 3).tolist() for a in rng.standard_normal(n)]


def gap_scores(eurc, **more):
    return {
        "rmse": 3.1,
        "log_likelihood": -2.55,
        "epistemic_data": 0.7,
        "epistemic_gap": 0.7 * (1 + eurc),
        "eurc": eurc,
        **more,
    }


def cubic_rows(n=2):
    rows = []
    for place, method in enumerate(REGRESSORS):
        for split in range(n):
            drawn = curves(2.0 * place) if split == 0 else {}
            scores = gap_scores(0.5 * place + 0.1 * split)
            rows.append(row("cubic-gap", "cubic-gap", method, split, scores=scores, curves=drawn))
    return rows


def prior_rows(n=2):
    rows = []
    for method, bend, change in ((f"{NLM_MAP}, γ = 0", 40.0, 3.0), (f"{NLM_MAP}, γ = 10", 1.0, 0.2)):
        for seed in range(n):
            scores = gap_scores(change, prior_variation_gap=bend + seed, prior_variation_data=bend / 2)
            drawn = curves(5 * change, prior_samples=functions(bend)) if seed == 0 else {}
            rows.append(row("map-prior", "cubic-gap", method, 0, seed, scores, curves=drawn))
    return rows


def heads_rows():
    drawn = curves(15.0, heads=functions(20.0, n=20))
    return [row("luna-heads", "cubic-gap", LUNA_PAPER, scores=gap_scores(20.0), curves=drawn)]


def consistency_rows(n=20, luna=3.0):
    spread = {LUNA_PAPER: (luna, luna + 30), NLM_MLE: (0.1, 5.0), NLM_MAP: (-0.2, 0.8), NLM_MARGINAL: (-0.3, 2.0)}
    return [
        row("consistency", "cubic-gap", method, 0, seed, gap_scores(low + (high - low) * seed / (n - 1)))
        for method, (low, high) in spread.items()
        for seed in range(n)
    ]


def restart_rows(n=5):
    settings = {
        "regularisation": ("γ = 0", "γ = 0.1", "γ = 1", "γ = 10"),
        "width": ("L = 5", "L = 100"),
        "depth": ("1 layer", "3 layers"),
        "marginal-0.1": ("α = 0.1", "α = 10"),
        "marginal-1": ("α = 0.1", "α = 10"),
        "luna": (LUNA_PAPER,),
    }
    return [
        row("restarts", figure, label, 0, seed, gap_scores(0.6 * seed), curves=curves(2.0 * seed))
        for figure, labels in settings.items()
        for label in labels
        for seed in range(n)
    ]


def transfer_rows(n=3):
    data = squiggle_gap()
    X, y = np.concatenate([data.X_train, data.X_gap_train])[:, 0], np.concatenate([data.y_train, data.y_gap_train])
    rows = [row("transfer", "squiggle-gap", "data", curves={"X": X.tolist(), "y": y.tolist()}, settings={})]
    for method, level in ((LUNA_PAPER, -3.0), (NLM_MAP, -4.0), (SNGP, -3.8)):
        for k in (5, 10, 20, 50, 100):
            for split in range(n):
                scores = {"log_likelihood": level + 0.1 * np.log(k) + 0.05 * split, "rmse": 8.0}
                rows.append(row("transfer", "squiggle-gap", method, split, scores=scores, settings={"n_features": k}))
    return rows


def faces_rows(n=3):
    """LUNA +30 ± 5 % against +2 ± 1 %, MAP +10 ± 5 %, on women; nothing on ages."""
    rows = []
    for dataset, rises in (("faces-men", (0.3, 0.1)), ("faces-ages", (0.02, 0.02))):
        for method, rise in zip((LUNA, NLM_MAP), rises, strict=True):
            values = zip(around(rise, 0.05, n), around(0.02, 0.01, n), strict=True)
            for split, (lacked, like) in enumerate(values):
                scores = {"mae": 8.3, "mae_gap": 10.5, "epistemic_train": 1.8, "rise": like, "rise_gap": lacked}
                scores |= {"auroc": 0.5 + rise, "fit_seconds": 20.0}
                shares = np.linspace(0.8, 1.2, 201) * 1.8
                drawn = {"train": shares, "test": shares, "gap": (1 + lacked) * shares} if split == 0 else {}
                rows.append(row("faces", dataset, method, split, scores=scores, curves=drawn))
    return rows


def bayesopt_rows():
    """Ten searches of Branin and three that tune a machine: LUNA best, random search worst."""
    rows = []
    for dataset, seeds, level in (("branin", 10, 0.01), ("svm", 3, 1.2)):
        for place, method in enumerate((LUNA, NLM_MAP, RANDOM_SEARCH)):
            for seed in range(seeds):
                regret = [level * (place + 1) * k for k in (20, 4, 1 + 0.12 * seed)]
                took = 0.0 if method == RANDOM_SEARCH else 0.2 * (place + 1)
                scores = {"regret": regret[-1], "best": regret[-1], "seconds_per_step": took}
                drawn = {"regret": regret, "seconds": [took] * 3}
                spent = {**PROVENANCE, "cpu_seconds": 3.0 * (place + 1) + seed}
                rows.append(row("bayesopt", dataset, method, 0, seed, scores, curves=drawn, provenance=spent))
    return rows


ACCURACY_SETS = ("boston", "yacht", "diabetes", "wine", "breast-cancer", "step")


def accuracy_rows(n=2, experiment="accuracy", datasets=ACCURACY_SETS):
    """UNA first, then GP, boosting and ridge: each has errors a tenth larger than the one before."""
    rows = []
    for place, method in enumerate((UNA, GP, BOOSTING, RIDGE)):
        for dataset in datasets:
            values = around(1 + 0.1 * place, 0.05, n), around(-0.2 - 0.1 * place, 0.05, n)
            for split, (error, level) in enumerate(zip(*values, strict=True)):
                scores = {"rmse": error, "log_likelihood": level, "crps": 0.6 * error, "mean_std": 1.1}
                scores |= {"coverage_90": 0.9, "fit_seconds": 1.0 + place}
                scores |= {"rmse_ratio": 1.2 + 0.1 * place} if dataset == "step" else {}
                rows.append(row(experiment, dataset, method, 2 * split, scores=scores))
    return rows


HONESTY_METHODS = (UNA, GP, LUNA, NLM_MAP, QUANTILES)
HONESTY_CUTS = ("boston-gap-4", "boston-gap-10", "boston-tail-4", "yacht-gap-4", "yacht-tail-4")
HONESTY_DRAWN = ("drawn-rbf-1-long-noisy", "drawn-matern-1", "drawn-step-1")


def honesty_rows(experiment="honesty", cuts=HONESTY_CUTS, drawn=HONESTY_DRAWN):
    """UNA first, then the others: each 0.1 nats below the one before, and half as unsure where there is no data."""
    rows = []
    for place, method in enumerate(HONESTY_METHODS):
        for dataset in cuts:
            level = (0.0 if "yacht" in dataset else -2.0) - 0.1 * place
            scores = {"fit_seconds": 1.0 + place}
            for end, drop in (("", 0.0), (f"_{dataset.split('-')[1]}", 0.5)):
                scores[f"log_likelihood{end}"] = level - drop
                scores |= {f"{name}{end}": 1 + 0.1 * place for name in ("crps", "interval_score", "rmse")}
                scores[f"coverage_90{end}"] = 0.9 if place == 0 else 0.8
                if end:
                    scores |= {f"retention_area{end}": 1.0 + place, f"prediction_rejection_ratio{end}": 0.5}
                    scores |= {} if method == QUANTILES else {f"auroc{end}": 0.9, f"eurc{end}": 2.0}
            rows.append(row(experiment, dataset, method, 0, scores=scores))
        rows += [_drawn_row(experiment, dataset, method, 0.5**place) for dataset in drawn]
    return rows


def _drawn_row(experiment, dataset, method, ratio):
    scores, known, grid = {}, "step" not in dataset, np.linspace(-2, 2, 41)
    for end in ("", "_gap", "_outside"):
        scores[f"log_likelihood{end}"] = -1.0
        if method != QUANTILES:
            scores[f"epistemic_coverage_90{end}"] = 0.9 * ratio
            scores |= {f"epistemic_ratio{end}": ratio} if known else {}
        if known:
            scores |= {f"exact_log_likelihood{end}": -0.5, f"exact_epistemic_coverage_90{end}": 0.91}
    std = 0.1 + np.abs(grid)
    curves = {"grid": grid, "truth": grid, "mean": grid, "epistemic": ratio * std, "noise": 0.1 + 0 * grid}
    curves |= {"X_train": grid[:10], "y_train": grid[:10], "gap": [-0.3, 0.3], "sigma": 0.1}
    curves |= {"exact_mean": grid, "exact_std": std} if known else {}
    return row(experiment, dataset, method, 0, scores=scores, curves=curves)


def all_rows(n_restarts=5):
    return [
        *gap_rows(),
        *standard_rows(),
        *cubic_rows(),
        *prior_rows(),
        *heads_rows(),
        *consistency_rows(),
        *restart_rows(n_restarts),
        *transfer_rows(),
        *faces_rows(),
        *bayesopt_rows(),
        *accuracy_rows(),
        *accuracy_rows(experiment="accuracy-locked", datasets=("iris", "wine_red")),
        *honesty_rows(),
        *honesty_rows("honesty-locked", ("yacht-gap-5", "yacht-tail-5"), ("drawn-rbf-1-medium-noisy",)),
    ]
