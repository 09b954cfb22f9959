"""Which data may be looked at while settings are chosen, and which only when they are settled.

Every pair of data set and split belongs to one half, by two rules:

1. A data set is open to development if `DEVELOPMENT_SETS` names it. Any other set is locked, all of its splits, also
   one that nobody has thought of yet: to develop on another set, this list has to be changed, which a reviewer sees.
2. Of a set that is open, splits with an even number are for development, and those with an odd number are locked.

So about half of the sets are never seen before the end, and each set has splits on which nothing was chosen. An
experiment names its half; rows of the other half are refused when they are loaded.

The sets open to development are those that were known when the rule was made (tables that an example or a complaint
named, functions that a model failed on), and one table of several thousand rows.
"""

import re
from typing import NamedTuple

__all__ = ["DEVELOPMENT", "DEVELOPMENT_SETS", "HALVES", "LOCKED", "SetName", "check_half", "half_of", "set_name"]

DEVELOPMENT, LOCKED = "development", "locked"
HALVES = (DEVELOPMENT, LOCKED)
DEVELOPMENT_SETS = frozenset(
    {
        *("boston", "concrete", "energy", "kin8nm", "yacht"),  # UCI
        *("breast-cancer", "diabetes", "wine"),  # scikit-learn
        *("chirp", "heavy-tails", "interactions", "sine-of-square", "skewed", "step", "varying-noise"),  # functions
    }
)


class SetName(NamedTuple):
    """The name of a data set, taken apart."""

    table: str
    rows: int | None
    """How many rows are drawn from a large table; None if all are used."""


def set_name(dataset: str) -> SetName:
    """Take apart a name such as `"protein-1000"`: a thousand rows of the table `"protein"`.

    Parameters
    ----------
    dataset
        The name of a table, or that and a number of rows.

    Examples
    --------
    >>> set_name("protein-1000"), set_name("breast-cancer")
    (SetName(table='protein', rows=1000), SetName(table='breast-cancer', rows=None))
    """
    found = re.fullmatch(r"(.+)-(\d+)", dataset)
    return SetName(dataset, None) if found is None else SetName(found[1], int(found[2]))


def half_of(dataset: str, split: int) -> str:
    """Say which half a split of a data set belongs to.

    Parameters
    ----------
    dataset
        Name of the set; a sample of a table belongs where its table does.
    split
        Number of the split, or the seed of synthetic data.

    Returns
    -------
    str
        `DEVELOPMENT` or `LOCKED`.

    Examples
    --------
    >>> half_of("yacht", 0), half_of("yacht", 1), half_of("protein-1000", 0)
    ('development', 'locked', 'locked')
    """
    return DEVELOPMENT if set_name(dataset).table in DEVELOPMENT_SETS and split % 2 == 0 else LOCKED


def check_half(half: str, dataset: str, split: int) -> None:
    """Refuse a split that belongs to the other half.

    Parameters
    ----------
    half
        The half that is being worked on.
    dataset, split
        As in `half_of`.
    """
    own = half_of(dataset, split)
    if own != half:
        raise ValueError(
            f"split {split} of {dataset} belongs to the {own} half, and this is the {half} half; "
            "unabases.paper.halves says what belongs where."
        )
