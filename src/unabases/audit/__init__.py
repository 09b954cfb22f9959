"""Find what the training data lacks: unfamiliar groups and rows, predictions to defer, and why a row is unfamiliar."""

from unabases.audit.auditing import Reference, audit
from unabases.audit.deferral import DeferralPolicy
from unabases.audit.epistemic import leave_one_out_std
from unabases.audit.explain import Explanation, explain
from unabases.audit.groups import GroupFindings, Scored, find_groups
from unabases.audit.result import AuditResult
from unabases.audit.settings import AuditSettings
from unabases.audit.unfamiliar_rows import conformal_p_values

__all__ = [
    "AuditResult",
    "AuditSettings",
    "DeferralPolicy",
    "Explanation",
    "GroupFindings",
    "Reference",
    "Scored",
    "audit",
    "conformal_p_values",
    "explain",
    "find_groups",
    "leave_one_out_std",
]
