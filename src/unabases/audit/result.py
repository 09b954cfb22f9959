"""An audit of a table: what it found, as tables, pictures and files."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float

from unabases.metrics import risk_coverage
from unabases.predictive import Normal
from unabases.storage import write_whole

__all__ = ["MULTIPLE", "AuditResult", "change_text", "defer_table", "group_name", "risk_curve"]

MULTIPLE = 10.0  # times training: from here on a change is told as a multiple
_SHARES = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5)  # deferred
_POINTS = 200  # of a risk-coverage curve
_FIELDS = (  # of the CSV file
    *("kind", "column", "value", "column_2", "value_2", "rows", "share", "share_training"),
    *("relative", "lower", "upper", "relative_training", "p", "named"),
)


@dataclass(frozen=True, eq=False, repr=False)
class AuditResult:
    """What `audit` found. Relative stds are fractions: 0.2 means that the epistemic std is 20 % above the reference.

    Attributes
    ----------
    overall
        `relative` epistemic std of all audited rows, its interval `lower` to `upper`, the p-value `p`.
    columns
        A line for each column, the one first that best tells unfamiliar rows from others, with its strongest value.
    values, pairs
        A line for each value and pair of values: audited `rows`, their `share` and that among the reference rows,
        `relative` epistemic std with its interval, the same of reference rows with that value, `p` for all lines
        at once, and whether it is `named` as under-represented.
    least_familiar
        The rows with the largest epistemic std.
    named_rows, row_threshold
        How many rows are unlike the training data, and the epistemic std above which they are; of such rows at most
        `level` are expected to be like it.
    risk
        Mean absolute error of the share of rows that the model is surest of; None without outcomes.
    deferral
        What deferring a share of the rows does to the error of the others; None without outcomes.
    """

    target: str
    method: str
    level: float
    rows: int
    sampled: int
    empty: int
    overall: dict[str, float]
    columns: pd.DataFrame
    values: pd.DataFrame
    pairs: pd.DataFrame
    least_familiar: pd.DataFrame
    named_rows: int
    row_threshold: float
    std: Float[np.ndarray, " n"]
    reference_std: Float[np.ndarray, " m"]
    risk: pd.DataFrame | None
    deferral: pd.DataFrame | None
    unknown_levels: dict[str, Any]

    @property
    def named(self) -> pd.DataFrame:
        """Values and pairs that are under-represented, the most evident first."""
        both: list[Any] = [
            table for table in (self.values[self.values["named"]], self.pairs[self.pairs["named"]]) if len(table)
        ]
        table: Any = pd.concat(both) if both else self.values[self.values["named"]]
        return table.sort_values("evidence", ascending=False, ignore_index=True)

    @property
    def largest(self) -> float:
        """Largest relative epistemic std among what is named, the whole table included if it is; 0 if nothing is."""
        found = self.named["relative"].tolist()
        if self.overall["p"] <= self.level:
            found.append(self.overall["relative"])
        return max(0.0, *found) if found else 0.0

    def summary(self) -> str:
        """The findings in a few lines of text."""
        o = self.overall
        lines = [
            f"{self.rows} rows, {int(o['reference_rows'])} reference rows; epistemic std {change_text(o['relative'])} "
            f"({change_text(o['lower'])} to {change_text(o['upper'])}) relative to training, p = {o['p']:.2g}",
            f"{self.named_rows} single rows are named as unlike the training data",
        ]
        named = self.named
        lines.append(f"under-represented values and pairs: {len(named)}" if len(named) else "no value is named")
        for line in named.head(10).to_dict("records"):
            lines.append(f"  {group_name(line)}: {change_text(line['relative'])}, p = {line['p']:.2g}")
        return "\n".join(lines)

    def plot(self) -> Any:
        """A Matplotlib figure: familiarity of all rows, relative std of values, and error against share kept."""
        from unabases.audit.figures import audit_figure

        return audit_figure(self)

    def to_html(self, path: Path | str) -> Path:
        """Write a page that needs no other file."""
        from unabases.audit.page import audit_page

        return _write(_in_a_directory(path), audit_page(self))

    def to_csv(self, path: Path | str) -> Path:
        """Write the lines of `values` and `pairs`, after one for the whole table."""
        whole = {"kind": "table", "rows": self.rows, "share": 1.0, "share_training": 1.0, "relative_training": 0.0}
        whole |= {name: self.overall[name] for name in ("relative", "lower", "upper", "p")}
        whole["named"] = bool(self.overall["p"] <= self.level)
        tables = [pd.DataFrame([whole])]
        for kind, table in (("value", self.values), ("pair", self.pairs)):
            tables += [table.assign(kind=kind)] if len(table) else []
        return _write(_in_a_directory(path), pd.concat(tables).reindex(columns=list(_FIELDS)).to_csv(index=False))

    def __repr__(self) -> str:
        return f"AuditResult({self.rows} rows, {len(self.named)} values or pairs named, {self.named_rows} rows named)"


def risk_curve(std: Float[np.ndarray, " n"], error: Float[np.ndarray, " n"]) -> pd.DataFrame:
    """Share kept and mean absolute error of those, in the order of epistemic std, at a few hundred shares."""
    known = np.isfinite(error)
    prediction = Normal(error[known], std[known], 0.0)
    curve = risk_coverage(prediction, np.zeros(len(prediction)), error="mae", by="epistemic")
    places = np.unique(np.linspace(0, len(curve.kept) - 1, _POINTS).round().astype(int))
    return pd.DataFrame({"kept": curve.kept[places], "mae": curve.risk[places]})


def defer_table(
    std: Float[np.ndarray, " n"], error: Float[np.ndarray, " n"], max_error: float | None = None
) -> pd.DataFrame:
    """Shares deferred, the std above which, and the mean absolute error of the others; last, for a wanted error."""
    known = np.isfinite(error)
    std, error = std[known], error[known]
    order = np.argsort(std, kind="stable")
    mean = np.cumsum(error[order]) / np.arange(1, len(order) + 1)
    kept = [max(1, round((1 - share) * len(order))) for share in _SHARES]
    if max_error is not None:
        good = np.flatnonzero(mean <= max_error)
        kept.append(int(good[-1]) + 1 if len(good) else 0)
    lines = [
        {
            "deferred": 1 - k / len(order),
            "threshold": std[order[k - 1]] if k else -np.inf,
            "mae": mean[k - 1] if k else np.nan,
            "wanted": np.nan if i < len(_SHARES) else max_error,
        }
        for i, k in enumerate(kept)
    ]
    return pd.DataFrame(lines)


def change_text(value: float) -> str:
    """A relative change as text: in per cent, from ten times on as a multiple.

    Examples
    --------
    >>> change_text(0.34), change_text(232.6), change_text(float("nan"))
    ('+34 %', '× 234', '–')
    """
    if not np.isfinite(value):
        return "–"
    return f"× {1 + value:,.0f}" if value >= MULTIPLE - 1 else f"{100 * value:+.0f} %"


def group_name(line: Mapping[Any, Any]) -> str:
    """Columns and values of a line of `values` or `pairs`."""
    second = line.get("column_2", "")
    both = isinstance(second, str) and second
    return f"{line['column']} = {line['value']}" + (f" and {second} = {line['value_2']}" if both else "")


def _in_a_directory(path: Path | str) -> Path:
    path = Path(path)
    if not path.parent.is_dir():
        raise ValueError(f"cannot write {path}: there is no directory {path.parent}; make it first.")
    return path


def _write(path: Path, text: str) -> Path:
    write_whole(path, text.encode("utf-8"))
    return path
