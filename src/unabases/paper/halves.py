"""Which data may be looked at while settings are chosen, and which only when they are settled.

Every pair of data set and split belongs to one half, by two rules:

1. A data set is open to development if `DEVELOPMENT_SETS` names it. Any other set is locked, all of its splits, also
   one that nobody has thought of yet: to develop on another set, this list has to be changed, which a reviewer sees.
2. Of a set that is open, splits with an even number are for development, and those with an odd number are locked.

So about half of the sets are never seen before the end, and each set has splits on which nothing was chosen. An
experiment names its half; rows of the other half are refused when they are loaded.

The sets open to development are those that were known when the rule was made (tables that an example or a complaint
named, functions that a model failed on), and one table of several thousand rows.

The experiment `honesty` has two further kinds of sets, for which the same rules are read like this:

3. A gap or a tail of a table, such as `"yacht-gap-4"`, belongs where its table does with the number of the column for
   that of the split: even columns of an open table are for development, however the other rows are divided.
4. Functions drawn at random, such as `"drawn-rbf-1-short-quiet"`, are open if `DEVELOPMENT_DRAWN` names their set, and
   of those the even seeds. A quiet set and its noisy twin have the same functions, so they stand there as one.
"""

import re
from typing import NamedTuple

__all__ = [
    "DEVELOPMENT",
    "DEVELOPMENT_DRAWN",
    "DEVELOPMENT_SETS",
    "HALVES",
    "LOCKED",
    "Cut",
    "SetName",
    "check_half",
    "cut_of",
    "drawn_set",
    "half_of",
    "set_name",
]

DEVELOPMENT, LOCKED = "development", "locked"
HALVES = (DEVELOPMENT, LOCKED)
DEVELOPMENT_SETS = frozenset(
    {
        *("boston", "concrete", "energy", "kin8nm", "yacht"),  # UCI
        *("breast-cancer", "diabetes", "wine"),  # scikit-learn
        *("chirp", "heavy-tails", "interactions", "sine-of-square", "skewed", "step", "varying-noise"),  # functions
    }
)
DEVELOPMENT_DRAWN = frozenset(
    {
        *("rbf-1-short", "rbf-1-medium", "rbf-1-long", "rbf-2-short", "rbf-2-medium", "rbf-2-long", "rbf-5-medium"),
        *("rbf-5-long", "rbf-10-medium", "rbf-10-long", "matern-1", "matern-2", "matern-5", "linear-1", "periodic-1"),
        *("periodic-2", "chirp-1", "chirp-5", "step-1", "step-5", "piecewise-linear-1", "piecewise-linear-2"),
        "interaction-2",
    }
)
"""Sets of drawn functions that are open to development, without the level of their noise."""


class Cut(NamedTuple):
    """Rows held out of a table along one of its columns."""

    table: str
    kind: str
    """`"gap"`, the middle third, or `"tail"`, the outer sixths."""
    column: int


def cut_of(dataset: str) -> Cut | None:
    """Take apart the name of a gap or a tail; None for any other name.

    Parameters
    ----------
    dataset
        The name of a table, what is held out, and the number of the column, from 0.

    Examples
    --------
    >>> cut_of("yacht-gap-4"), cut_of("yacht")
    (Cut(table='yacht', kind='gap', column=4), None)
    """
    found = re.fullmatch(r"(.+)-(gap|tail)-(\d+)", dataset)
    return None if found is None else Cut(found[1], found[2], int(found[3]))


def drawn_set(dataset: str) -> str | None:
    """The name in `unabases.datasets.DRAWN_SETS` that a name of drawn functions stands for; None for any other name.

    Parameters
    ----------
    dataset
        `drawn-` and the name of the set, so that a drawn chirp is told from the known function of that name.

    Examples
    --------
    >>> drawn_set("drawn-chirp-1"), drawn_set("chirp")
    ('chirp-1', None)
    """
    return dataset.removeprefix("drawn-") if dataset.startswith("drawn-") else None


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
        Name of the set; a sample of a table belongs where its table does, and a gap or a tail where its column does.
    split
        Number of the split, or the seed of synthetic data. A gap or a tail belongs to one half with all splits.

    Returns
    -------
    str
        `DEVELOPMENT` or `LOCKED`.

    Examples
    --------
    >>> half_of("yacht", 0), half_of("yacht", 1), half_of("protein-1000", 0)
    ('development', 'locked', 'locked')
    >>> half_of("yacht-gap-4", 1), half_of("yacht-tail-5", 0), half_of("protein-gap-4", 0)
    ('development', 'locked', 'locked')
    >>> half_of("drawn-matern-1", 0), half_of("drawn-matern-1", 1), half_of("drawn-matern-10", 0)
    ('development', 'locked', 'locked')
    """
    cut, drawn = cut_of(dataset), drawn_set(dataset)
    if cut is not None:
        is_open, split = cut.table in DEVELOPMENT_SETS, cut.column
    elif drawn is not None:
        is_open = re.sub("-(quiet|noisy)$", "", drawn) in DEVELOPMENT_DRAWN
    else:
        is_open = set_name(dataset).table in DEVELOPMENT_SETS
    return DEVELOPMENT if is_open and split % 2 == 0 else LOCKED


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
