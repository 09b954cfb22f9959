"""Keep what the searches of the profile `paper` chose, for the profile `quick` (`unabases.paper.catalogue.profiles`).

First run `unabases reproduce` with the profile `paper` for gap-search, luna-heads, and consistency with the methods
"LUNA (paper)", "LUNA" and "NLM, MAP". Then run `python -m benchmarks.chosen STORE...`.
"""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import unabases.paper
from unabases.paper.catalogue.profiles import CHOSEN
from unabases.paper.store import ResultStore, Row
from unabases.storage import write_whole

SEARCHED = ("gamma", "lam", "schedule")
DIGITS = 3


def main(stores: list[str]) -> None:
    """Take over what the searches in these stores chose, experiment by experiment."""
    found = dict(CHOSEN)
    for store in stores:
        found |= chosen_parameters(ResultStore(store).rows())
    text = json.dumps(found, indent=2, ensure_ascii=False, sort_keys=True)
    write_whole(Path(unabases.paper.__file__).with_name("chosen.json"), f"{text}\n".encode())


def chosen_parameters(rows: Iterable[Row]) -> dict[str, dict[str, dict[str, dict[str, Any]]]]:
    """What searches chose for the first split in the profile `paper`, by experiment, data set and method.

    The rows are those of experiments, and of their searches under the name `"NAME/search"`.
    """
    rows = [row for row in rows if row.profile == "paper" and row.split == 0]
    searched = {(row.experiment.removesuffix("/search"), row.method) for row in rows if "/search" in row.experiment}
    found: dict[str, dict[str, dict[str, dict[str, Any]]]] = {}
    for row in rows:
        if (row.experiment, row.method) in searched and not row.failed:
            own = {name: short(row.settings[name]) for name in SEARCHED if name in row.settings}
            found.setdefault(row.experiment, {}).setdefault(row.dataset, {}).setdefault(row.method, own)
    return found


def short(value: Any) -> Any:
    """A number to three digits."""
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


if __name__ == "__main__":
    main(sys.argv[1:])
