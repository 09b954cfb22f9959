"""An exact Bayesian last layer on a million rows of 51 features: from a stream, beside scikit-learn's BayesianRidge.

Both choose their variances by evidence. Making the rows is not counted; scikit-learn has them all in memory.
"""

import json
import sys
import time
from collections.abc import Iterator

import numpy as np

from benchmarks import extra_memory, in_new_process, median_seconds, row

FEATURES, CHUNK = 51, 8192


def run(quick: bool) -> list[dict]:
    from sklearn.linear_model import BayesianRidge

    n, repeats = (100_000, 3) if quick else (1_000_000, 3)
    children = [in_new_process("benchmarks.conditioning", n) for _ in range(repeats)]
    ours = float(np.median([child["seconds"] for child in children]))
    Phi, y = (np.concatenate(part) for part in zip(*Chunks(n), strict=True))
    theirs = BayesianRidge(fit_intercept=False)  # the bias is a feature already
    other = median_seconds(1 if n >= 1_000_000 else repeats, lambda: theirs.fit(Phi, y))[0]
    np.testing.assert_allclose(children[0]["m"], theirs.coef_, atol=1e-3)
    memory = float(np.max([child["megabytes"] for child in children]))
    return [
        row(f"{n:,}×{FEATURES}: statistics, variances, posterior", ours, other, ratio=other / ours, least=10.0),
        row("extra memory at its peak", memory, unit="MB", most=200.0),
    ]


class Chunks:
    """Rows made a chunk at a time, the same at each pass; remembers how long making them took."""

    def __init__(self, n: int):
        self.n, self.spent = n, 0.0

    def __iter__(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Features with the constant last, and targets."""
        rng = np.random.default_rng(0)
        w = rng.standard_normal(FEATURES)
        for begin in range(0, self.n, CHUNK):
            started = time.perf_counter()
            Phi = rng.standard_normal((min(CHUNK, self.n - begin), FEATURES))
            Phi[:, -1] = 1.0
            y = Phi @ w + rng.standard_normal(len(Phi))
            self.spent += time.perf_counter() - started
            yield Phi, y


def condition(n: int) -> dict:
    """Ours, timed and weighed; to be run in a process of its own."""
    from unabases import linear

    linear.stream(Chunks(2 * CHUNK))  # threads of the linear algebra library start here
    chunks, found = Chunks(n), {}
    with extra_memory(found):
        started = time.perf_counter()
        statistics = linear.stream(chunks)
        chosen = linear.maximise_evidence(linear.spectrum(statistics))
        posterior = linear.condition_on(statistics, alpha=chosen.alpha, sigma2=chosen.sigma2)
        elapsed = time.perf_counter() - started - chunks.spent
    return {"seconds": elapsed, "m": posterior.m.tolist(), **found}


if __name__ == "__main__":
    print(json.dumps(condition(int(sys.argv[1]))))
