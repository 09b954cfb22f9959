"""Sampling bias: under-represented groups and rows, deferral, and why a model is unsure about a row."""

from unabases.audit.deferral import DeferralPolicy
from unabases.audit.explain import Explanation, explain
from unabases.audit.groups import GroupFindings, Scored, find_groups
from unabases.audit.prediction import leave_one_out_std
from unabases.audit.result import AuditResult
from unabases.audit.rows import conformal_p_values
from unabases.audit.run import audit

__all__ = [
    "AuditResult",
    "DeferralPolicy",
    "Explanation",
    "GroupFindings",
    "Scored",
    "audit",
    "conformal_p_values",
    "explain",
    "find_groups",
    "leave_one_out_std",
]
