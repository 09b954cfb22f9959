"""What an audit found, as tables, pictures and files."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float

from unabases.audit.groups import GroupStds
from unabases.audit.words import (
    RowFacts,
    change_text,
    group_sentence,
    interval_text,
    is_multiple,
    less_sure,
    rows_sentence,
    share_text,
)
from unabases.datasets.writing import check_directory, write_chunks
from unabases.metrics import risk_coverage
from unabases.predictive import Normal
from unabases.storage import write_whole

__all__ = ["EARLIER_FIELDS", "FIELDS", "AuditResult", "defer_table", "risk_curve"]

_SHARES = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5)  # deferred
_POINTS = 200  # of a risk-coverage curve
EARLIER_FIELDS = (  # of the CSV file, also of those that earlier versions wrote
    *("kind", "column", "value", "column_2", "value_2", "rows", "share", "share_training"),
    *("relative", "lower", "upper", "relative_training", "p", "named"),
)
FIELDS = (*EARLIER_FIELDS, "deferred", "relative_rest")
_NAMED = 10  # groups that the summary tells


@dataclass(frozen=True, eq=False, repr=False)
class AuditResult:
    """What `audit` found: under-represented groups and rows, and what deferral would do.

    Relative stds are fractions: 0.2 means that the epistemic std is 20 % above that of the reference rows.

    Attributes
    ----------
    target, method : str
        What the model predicts, and the name of its regressor.
    level : float
        The chance of naming any group wrongly, at most.
    rows, sampled, empty : int
        Rows audited; rows used for tests and curves; rows left out because of missing values.
    overall : dict
        For all audited rows: `relative` epistemic std, its interval from `lower` to `upper`, and the p-value `p`.
    columns : DataFrame
        A line for each column with its strongest value. The column that best tells unfamiliar rows from others comes
        first.
    values, pairs : DataFrame
        A line for each value and each pair of values: audited `rows`, their `share`, the share among reference rows
        (`share_training`), `relative` epistemic std with its interval, the same for reference rows with that value
        (`relative_training`) and for the `rows_rest` rows that are in no named group (`relative_rest`), how many are
        `deferred`, a p-value `p` corrected for the number of lines, and `named`: whether it is under-represented.
    least_familiar : DataFrame
        The rows with the largest epistemic std.
    named_rows, row_threshold : int, float
        How many rows are unlike the training data, and the epistemic std above which a row is. On average at most a
        share `level` of these rows is like the training data after all.
    beyond : int
        How many rows are less familiar than every reference row.
    deferred, defer_above, defer_share : array of bool, float, float
        Which of the sampled rows would be deferred, for their epistemic std or an unknown category; the std above which
        a row is, and the share of rows like the training data that are, at most.
    group_stds : dict
        For pictures, by column and value: some epistemic stds of audited and of reference rows.
    std, reference_std : array
        Epistemic stds of the sampled rows and of the reference rows.
    risk : DataFrame or None
        Mean absolute error of the share of rows that the model is surest of; None without outcomes.
    deferral : DataFrame or None
        The error of the other rows if a share is deferred; None without outcomes.
    unknown_levels : dict
        Categories that the model has never seen, by column, with how often each occurs.
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
    beyond: int
    deferred: Bool[np.ndarray, " n"]
    defer_above: float
    defer_share: float
    group_stds: dict[tuple[str, str], GroupStds]
    std: Float[np.ndarray, " n"]
    reference_std: Float[np.ndarray, " m"]
    risk: pd.DataFrame | None
    deferral: pd.DataFrame | None
    unknown_levels: dict[str, Any]

    @property
    def named(self) -> pd.DataFrame:
        """The under-represented values and pairs, those with the most evidence first."""
        both: list[Any] = [
            table for table in (self.values[self.values["named"]], self.pairs[self.pairs["named"]]) if len(table)
        ]
        table: Any = pd.concat(both) if both else self.values[self.values["named"]]
        return table.sort_values("evidence", ascending=False, ignore_index=True)

    @property
    def largest(self) -> float:
        """The largest relative epistemic std of anything named, the whole table included; 0 if nothing is named."""
        found = self.named["relative"].tolist()
        if self.overall["p"] <= self.level:
            found.append(self.overall["relative"])
        return max(0.0, *found) if found else 0.0

    def card(self) -> list[str]:
        """Return the findings as sentences to forward: what is under-represented, all rows together, and single rows.

        Returns
        -------
        list of str
            A sentence for each named group, at most ten, or one that nothing is named; then one for the whole table,
            and one for single rows.
        """
        named, o = self.named, self.overall
        lines = [group_sentence(line) for line in named.head(_NAMED).to_dict("records")]
        if len(named) > _NAMED:
            lines.append(f"And {len(named) - _NAMED} more under-represented groups")
        if not lines:
            whole = self.overall["p"] <= self.level
            lines = ["No value is named as under-represented" + (", but the table as a whole is" if whole else "")]
        deferred = f"{share_text(float(np.mean(self.deferred)))} deferred"
        usual = f" (of rows like the training data at most {100 * self.defer_share:g} %)"
        lines.append(f"All {self.rows:,} rows: the model is {less_sure(o['relative'])}; {deferred}{usual}")
        judged = self.rows - self.empty
        facts = RowFacts(judged, int(o["reference_rows"]), self.named_rows, self.beyond, self.level)
        return [*lines, rows_sentence(facts)]

    def summary(self) -> str:
        """Return the findings as a few lines of text: the sentences of `card`, then the numbers behind them."""
        o = self.overall
        change = change_text(o["relative"], multiple=is_multiple(o["upper"]))
        numbers = (
            f"{self.rows} rows, {int(o['reference_rows'])} reference rows; epistemic std {change} "
            f"({interval_text(o['lower'], o['upper'])}) relative to training, p = {o['p']:.2g}"
        )
        return "\n".join([*self.card(), numbers])

    def to_dict(self) -> dict[str, Any]:
        """Return the findings as plain numbers and text, for a program: what `unabases audit --json` prints.

        Returns
        -------
        dict
            `card`, `overall`, `deferred_share`, `named`, `values`, `pairs`, `named_rows`, `least_familiar` (rows are
            counted from 1), `deferral` and `unknown_levels`, with a dict for each line of a table.
        """
        return {
            **{name: getattr(self, name) for name in ("target", "method", "level", "rows", "sampled", "empty")},
            "card": self.card(),
            "overall": self.overall,
            "deferred_share": float(np.mean(self.deferred)),
            "named": self.named.to_dict("records"),
            "values": self.values.to_dict("records"),
            "pairs": self.pairs.to_dict("records"),
            "named_rows": self.named_rows,
            "least_familiar": self.least_familiar.assign(row=self.least_familiar["row"] + 1).to_dict("records"),
            "deferral": None if self.deferral is None else self.deferral.to_dict("records"),
            "unknown_levels": {name: dict(levels) for name, levels in self.unknown_levels.items()},
        }

    def plot(self) -> Any:
        """Draw how familiar the rows are, the relative std of values, and the error of the rows kept.

        Returns
        -------
        matplotlib.figure.Figure
            A figure with two panels, or three if outcomes are known.
        """
        from unabases.audit.pictures import familiarity, group_changes, risk
        from unabases.plotting.audit import audit_figure

        panels = (familiarity(self), group_changes(self), risk(self))
        return audit_figure(*(panel for panel in panels if panel is not None))

    def to_html(self, path: Path | str) -> Path:
        """Write an HTML page that needs no other file, and return its path."""
        from unabases.audit.page import audit_page

        path = check_directory(Path(path))
        write_whole(path, audit_page(self).encode())
        return path

    def to_csv(self, path: Path | str, *, keep_formulas: bool = False) -> Path:
        """Write a CSV file with a line for the whole table, each value and each pair, and return its path.

        Text such as `=1+1` gets an apostrophe, so that no spreadsheet runs it, unless `keep_formulas` is True.
        """
        path = Path(path)
        whole = {"kind": "table", "rows": self.rows, "share": 1.0, "share_training": 1.0, "relative_training": 0.0}
        whole |= {name: self.overall[name] for name in ("relative", "lower", "upper", "p")}
        whole["named"] = bool(self.overall["p"] <= self.level)
        whole["deferred"] = round(float(np.mean(self.deferred)) * (self.rows - self.empty))
        tables = [pd.DataFrame([whole])]
        for kind, table in (("value", self.values), ("pair", self.pairs)):
            tables += [table.assign(kind=kind)] if len(table) else []
        with write_chunks(path, keep_formulas=keep_formulas) as write:
            write(pd.concat(tables, ignore_index=True).reindex(columns=list(FIELDS)))
        return path

    def __repr__(self) -> str:
        return f"AuditResult({self.rows} rows, {len(self.named)} values or pairs named, {self.named_rows} rows named)"


def risk_curve(std: Float[np.ndarray, " n"], error: Float[np.ndarray, " n"]) -> pd.DataFrame:
    """Compute the mean absolute error of the rows with the smallest epistemic stds, for up to 200 shares of them."""
    known = np.isfinite(error)
    prediction = Normal(error[known], std[known], 0.0)
    curve = risk_coverage(prediction, np.zeros(len(prediction)), error="mae", by="epistemic")
    places = np.unique(np.linspace(0, len(curve.kept) - 1, _POINTS).round().astype(int))
    return pd.DataFrame({"kept": curve.kept[places], "mae": curve.risk[places]})


def defer_table(
    std: Float[np.ndarray, " n"], error: Float[np.ndarray, " n"], max_error: float | None = None
) -> pd.DataFrame:
    """List shares to defer, the std above which, and the error of the others; the last line is for `max_error`."""
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
