"""From a fresh process to the first fitted model, with an empty and with a filled compilation cache.

Times are processor seconds. What is imported beside JAX (NumPy, SciPy, pandas, scikit-learn, Equinox, Optax) and the
training itself, which is the second fit, leave little to save: compiled programs have to be found and loaded.
"""

import importlib
import itertools
import json
import statistics
import sys
import tempfile
import time

from benchmarks import in_new_process, row

OTHERS = ("jax", "equinox", "optax", "pandas", "scipy.linalg", "scipy.optimize", "sklearn.base")  # what a fit needs


def run(quick: bool) -> list[dict]:
    cold, warm = [], []
    for _ in range(1 if quick else 3):
        with tempfile.TemporaryDirectory() as cache:
            for times in (cold, warm):
                times.append(in_new_process("benchmarks.first_fit", UNABASES_COMPILATION_CACHE=cache))
    median = lambda times, key: statistics.median(each[key] for each in times)  # noqa: E731
    jax = median([in_new_process("benchmarks.first_fit", "jax") for _ in cold], "import")
    others = median([in_new_process("benchmarks.first_fit", *OTHERS) for _ in cold], "import")
    whole = median(warm, "import") + median(warm, "first")
    return [
        row(f"import {', '.join(OTHERS)}, beside `import jax`", others, jax, ratio=others / jax),
        row("import and first fit, filled cache, beside `import jax`", whole, jax, ratio=whole / jax, most=2),
        row("import unabases.LUNA", median(cold + warm, "import")),
        row("first LUNA().fit on Cubic Gap, empty cache", median(cold, "first")),
        row("first LUNA().fit on Cubic Gap, filled cache", median(warm, "first")),
        row("second fit in the same process", median(cold + warm, "second")),
    ]


def import_all(names: list[str]) -> dict:
    """Seconds to import some packages; only true in a fresh process."""
    begin = time.process_time()
    for name in names:
        importlib.import_module(name)
    return {"import": time.process_time() - begin}


def fit_twice() -> dict:
    """Seconds to import, to fit and to fit again; only true in a fresh process."""
    marks = [time.process_time()]
    from unabases import LUNA
    from unabases.datasets import cubic_gap

    marks.append(time.process_time())
    data = cubic_gap()
    for _ in range(2):
        LUNA(random_state=0).fit(data.X_train, data.y_train)
        marks.append(time.process_time())
    return dict(zip(("import", "first", "second"), (b - a for a, b in itertools.pairwise(marks)), strict=True))


if __name__ == "__main__":
    print(json.dumps(import_all(sys.argv[1:]) if sys.argv[1:] else fit_twice()))
