"""An exact Bayesian last layer on a million rows of 51 features: streamed, compared with scikit-learn's BayesianRidge.

Both choose their variances by evidence. The time to make the rows is not counted; scikit-learn has them all in memory.
Each side uses one thread or all of them, whichever is faster: on a busy machine, threads wait for each other.
"""

import json
import os
import sys
import time
from collections.abc import Iterator
from statistics import median

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks import extra_memory, in_new_process, median_seconds, row

FEATURES, CHUNK = 51, 8192
THREADS = sorted({1, os.cpu_count() or 1})


def run(quick: bool) -> list[dict]:
    from sklearn.linear_model import BayesianRidge

    n, repeats = (100_000, 3) if quick else (1_000_000, 3)
    children = {
        threads: [in_new_process("benchmarks.conditioning", n, threads) for _ in range(repeats)] for threads in THREADS
    }
    times = {threads: median(child["seconds"] for child in some) for threads, some in children.items()}
    ours = min(times.values())
    Phi, y = (np.concatenate(part) for part in zip(*Chunks(n), strict=True))
    theirs = BayesianRidge(fit_intercept=False)  # the bias is a feature already
    other_times = {}
    for threads in THREADS:
        with threadpool_limits(threads):
            other_times[threads] = median_seconds(1 if n >= 1_000_000 else repeats, lambda: theirs.fit(Phi, y))[0]
    other = min(other_times.values())
    everything = [child for some in children.values() for child in some]
    np.testing.assert_allclose(everything[0]["m"], theirs.coef_, atol=1e-3)
    memory = max(child["megabytes"] for child in everything)
    return [
        row(f"{n:,}×{FEATURES}: statistics, variances, posterior", ours, other, ratio=other / ours, least=10.0),
        *(
            row(f"the same with {t} thread(s)", times[t], other_times[t], ratio=other_times[t] / times[t])
            for t in THREADS
        ),
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
    rows, threads = map(int, sys.argv[1:])
    with threadpool_limits(threads):
        print(json.dumps(condition(rows)))
