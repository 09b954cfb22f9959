"""Where a fit of UNA spends its time: processor seconds of each part, of all cores together.

    python -m benchmarks.una_parts [--rows 200 1000 10000]

The table is that of `many_rows`. A part that is called within another counts in both. Last comes scikit-learn's network
of the same widths, which stops early.
"""

import argparse
import time
from collections.abc import Callable
from typing import Any
from unittest import mock

from benchmarks.many_rows import WIDTHS, compile_for, make_rows, peer, processor_seconds
from unabases import UNA
from unabases.regressors import una
from unabases.regressors.committee import choices, prediction_shape

PARTS = (
    (prediction_shape, "choose_scales", "on which scales inputs and targets are seen"),
    (una, "fit_kernels", "kernels"),
    (una, "train_runs", "training of the networks"),
    (una, "choose_by_left_out", "choices by rows left out"),
    (choices, "choose_variances", "of these, the variances"),
    (una.UNA, "_condition_all", "last layers"),
    (una.UNA, "_spread", "spread between members"),
)


def timed(function: Callable, spent: dict[str, float], name: str) -> Callable:
    """The function, which adds its processor seconds to those spent under a name."""

    def run(*args: Any, **settings: Any) -> Any:
        began = time.process_time()
        try:
            return function(*args, **settings)
        finally:
            spent[name] += time.process_time() - began

    return run


def main() -> None:
    """Print the parts of a fit for each number of rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", nargs="*", type=int, default=[200, 1000, 10_000])
    for n in parser.parse_args().rows:
        X, y = make_rows(n)
        compile_for(UNA, X, y)
        spent = {said: 0.0 for _, _, said in PARTS}
        patches = [
            mock.patch.object(where, name, timed(getattr(where, name), spent, said)) for where, name, said in PARTS
        ]
        for patch in patches:
            patch.start()
        whole = processor_seconds(lambda X=X, y=y: UNA(random_state=0).fit(X, y))
        mock.patch.stopall()
        print(f"{n:,} rows: {whole:.1f} s")
        for said, seconds in spent.items():
            print(f"  {said}: {seconds:.2f} s", flush=True)
        network = processor_seconds(lambda X=X, y=y: peer(WIDTHS["UNA"]).fit(X, y))
        print(
            f"  beside it, scikit-learn's network: {network:.1f} s, so {whole / network:.2f} times as much", flush=True
        )


if __name__ == "__main__":
    main()
