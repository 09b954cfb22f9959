"""What the pictures of an audit show; `unabases.plotting.audit` draws them."""

from typing import TYPE_CHECKING, Any

import numpy as np

from unabases.audit.result import AuditResult
from unabases.audit.words import MULTIPLE, group_name

if TYPE_CHECKING:
    from unabases.plotting.audit import Familiarity, GroupChanges, RiskCurve

__all__ = ["familiarity", "group_changes", "risk"]

MOST_VALUES = 24  # in a picture


def familiarity(result: AuditResult) -> "Familiarity":
    """Show how familiar audited rows and reference rows are."""
    from unabases.plotting.audit import Familiarity

    return Familiarity(result.target, result.std, result.reference_std, result.row_threshold)


def group_changes(result: AuditResult) -> "GroupChanges":
    """Show the relative std of the values with the most evidence."""
    from unabases.plotting.audit import GroupChanges

    table: Any = result.values[result.values["rows"] > 0].head(MOST_VALUES)
    names = ("relative", "lower", "upper", "relative_training")
    relative, lower, upper, training = (table[name].to_numpy(dtype=float) for name in names)
    large = len(table) > 0 and max(relative.max(), np.nanmax(upper, initial=0.0)) >= MULTIPLE - 1
    labels = [group_name(line) for line in table.to_dict("records")]
    named = table["named"].to_numpy(dtype=bool)
    return GroupChanges(labels, relative, lower, upper, training, named, as_multiples=bool(large))


def risk(result: AuditResult) -> "RiskCurve | None":
    """Show the error of the rows kept; None without outcomes."""
    from unabases.plotting.audit import RiskCurve

    if result.risk is None:
        return None
    return RiskCurve(result.target, result.risk["kept"].to_numpy(), result.risk["mae"].to_numpy())
