"""Audits: how often a planted group is named, by its size, and how often anything is named when nothing was planted.

A Gaussian process learns from 200 rows of two inputs. Among 400 audited rows a group is moved by 1.5 standard
deviations along one input; `site` tells which rows these are; three other columns say nothing. Reference rows,
held out, are 100 or 1000. "Ours" is the share of 100 runs in which the group is named, at the level 5 %, and "theirs"
that in which anything else is; without a group, "ours" is the share of 200 runs in which anything is.
"""

from functools import cache

import numpy as np
import pandas as pd

from benchmarks import row
from unabases import GaussianProcess
from unabases.audit import AuditSettings, Scored, find_groups

LEVEL = 0.05
SIZES = (4, 8, 20, 40, 100, 200)


def run(quick: bool) -> list[dict]:
    runs, power_runs, n_permutations = (10, 10, 99) if quick else (200, 100, 499)
    rows = []
    for m in (100, 1000):
        alarms = [any(one(seed, m, 0, n_permutations)) for seed in range(runs)]
        chance = 2 * float(np.sqrt(LEVEL * (1 - LEVEL) / runs))
        rows.append(row(f"no group, {m} reference rows", float(np.mean(alarms)), unit="", most=LEVEL + chance))
        for size in SIZES:
            named, others = zip(*(one(seed, m, size, n_permutations) for seed in range(power_runs)), strict=True)
            what = f"{size} of 400 rows, {m} reference rows"
            rows.append(row(what, float(np.mean(named)), float(np.mean(others)), unit=""))
    return rows


def one(seed: int, m: int, size: int, n_permutations: int) -> tuple[bool, bool]:
    """Whether the group is named, and whether anything else is."""
    model, rng = fitted(seed), np.random.default_rng([seed, m, size])
    new, reference = rng.normal(size=(400, 2)), rng.normal(size=(m, 2))
    new[:size, 0] += 1.5
    scored = [
        Scored(model.predict_dist(part).epistemic_std, columns(rng, len(part), moved))
        for part, moved in ((new, size), (reference, 0))
    ]
    by = ["site", "kind", "size", "colour"]
    settings = AuditSettings(least_rows=4, n_permutations=n_permutations)
    found = find_groups(*scored, by, level=LEVEL, settings=settings, rng=rng)
    single = found.values[found.values["named"]]
    planted = single["value"] == "new"
    return bool(planted.any()), bool((~planted).any() or found.pairs["named"].any())


@cache
def fitted(seed: int) -> GaussianProcess:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(200, 2))
    y = np.sin(X[:, 0]) + 0.1 * rng.normal(size=200)
    return GaussianProcess(restarts=0, sigma2=0.01, random_state=0).fit(X, y)


def columns(rng: np.random.Generator, n: int, moved: int) -> pd.DataFrame:
    """Where a row is from, and what says nothing."""
    site = np.where(np.arange(n) < moved, "new", rng.choice(["east", "west"], n))
    kind, colour = rng.choice(list("abcd"), n), rng.choice(["red", "blue"], n)
    texts = {name: pd.Series(part, dtype=object) for name, part in (("site", site), ("kind", kind), ("colour", colour))}
    return pd.DataFrame({**texts, "size": rng.normal(size=n)})
