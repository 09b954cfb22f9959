"""Exact Bayesian linear regression: statistics of rows, posterior, prediction, evidence."""

from unabases.linear.conditioning import IllConditionedWarning
from unabases.linear.evidence import (
    Evidence,
    Spectrum,
    log_evidence,
    log_evidence_from,
    maximise_evidence,
    spectrum,
    spectrum_evidence,
)
from unabases.linear.posterior import (
    Posterior,
    condition,
    condition_on,
    covariance,
    forget,
    predict,
    root,
    sample_posterior,
    sample_prior,
    update,
)
from unabases.linear.statistics import Statistics, accumulate, add, stream, subtract, weighted_rows, with_bias
from unabases.linear.triangular import solve_rows, worthwhile_inverse

__all__ = [
    "Evidence",
    "IllConditionedWarning",
    "Posterior",
    "Spectrum",
    "Statistics",
    "accumulate",
    "add",
    "condition",
    "condition_on",
    "covariance",
    "forget",
    "log_evidence",
    "log_evidence_from",
    "maximise_evidence",
    "predict",
    "root",
    "sample_posterior",
    "sample_prior",
    "solve_rows",
    "spectrum",
    "spectrum_evidence",
    "stream",
    "subtract",
    "update",
    "weighted_rows",
    "with_bias",
    "worthwhile_inverse",
]
