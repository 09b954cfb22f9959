"""From a fresh process to the first fitted model, with an empty and with a filled compilation cache."""

import itertools
import json
import statistics
import tempfile
import time

from benchmarks import in_new_process, row


def run(quick: bool) -> list[dict]:
    cold, warm = [], []
    for _ in range(1 if quick else 3):
        with tempfile.TemporaryDirectory() as cache:
            for times in (cold, warm):
                times.append(in_new_process("benchmarks.first_fit", UNABASES_COMPILATION_CACHE=cache))
    median = lambda times, key: statistics.median(each[key] for each in times)  # noqa: E731
    return [
        row("import unabases", median(cold + warm, "import")),
        row("first LUNA().fit on Cubic Gap, empty cache", median(cold, "first")),
        row("first LUNA().fit on Cubic Gap, filled cache", median(warm, "first")),
        row("second fit in the same process", median(cold + warm, "second")),
    ]


def fit_twice() -> dict:
    """Seconds to import, to fit and to fit again; only true in a fresh process."""
    marks = [time.perf_counter()]
    from unabases import LUNA
    from unabases.datasets import cubic_gap

    marks.append(time.perf_counter())
    data = cubic_gap()
    for _ in range(2):
        LUNA(random_state=0).fit(data.X_train, data.y_train)
        marks.append(time.perf_counter())
    return dict(zip(("import", "first", "second"), (b - a for a, b in itertools.pairwise(marks)), strict=True))


if __name__ == "__main__":
    print(json.dumps(fit_twice()))
