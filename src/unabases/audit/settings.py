"""The finer choices of an audit."""

from dataclasses import dataclass

__all__ = ["AuditSettings"]

_MANY_COLUMNS = 12


@dataclass(frozen=True)
class AuditSettings:
    """The finer choices of an audit; the defaults suit most tables.

    Parameters
    ----------
    bins : int
        Number of ranges into which a column of numbers is cut.
    pairs : bool, optional
        Whether to look at pairs of columns too. By default, if there are at most 12 columns.
    least_rows : int
        A group with fewer rows, audited and reference rows together, is shown but not tested.
    most_rows : int
        Tests and curves use at most this many rows, drawn at random. All rows of a longer table still count when
        single rows are judged.
    n_permutations : int
        Number of random permutations of the tests. No p-value is smaller than 1 / (n_permutations + 1).
    defer_share : float
        Say of each group how many of its rows would be deferred if at most this share of rows like the training data
        is; as in `unabases predict`.
    max_error : float, optional
        A mean absolute error to aim for; the audit then says what share of the rows to defer for it.

    Examples
    --------
    >>> AuditSettings(bins=10, pairs=False).least_rows
    10
    """

    bins: int = 5
    pairs: bool | None = None
    least_rows: int = 10
    most_rows: int = 50_000
    n_permutations: int = 2000
    defer_share: float = 0.1
    max_error: float | None = None

    def __post_init__(self) -> None:
        for name, least in (("bins", 2), ("least_rows", 1), ("most_rows", 2), ("n_permutations", 1)):
            if not getattr(self, name) >= least:
                raise ValueError(f"`{name}` must be at least {least}, got {getattr(self, name)!r}.")
        if not 0 < self.defer_share < 1:
            raise ValueError(f"`defer_share` must lie between 0 and 1, got {self.defer_share!r}.")
        if self.max_error is not None and not self.max_error > 0:
            raise ValueError(f"`max_error` must be positive, got {self.max_error!r}.")

    def look_at_pairs(self, n_columns: int) -> bool:
        """Decide whether to look at pairs of so many columns."""
        return n_columns <= _MANY_COLUMNS if self.pairs is None else self.pairs
