"""Whether the data speak against what a model is shown of them, or against the numbers of its prior."""

from collections.abc import Sequence

import numpy as np

from unabases.regressors.knowledge.meaning import Knowledge, Scales, make_knowledge
from unabases.regressors.processes.smooth_kernel import GivenNumbers, kernel_evidence
from unabases.regressors.shared.scaling import fit_scale
from unabases.regressors.shared.weights import WeightedRows, part_of
from unabases.terms import AbstractStatement, AbstractView, FunctionPrior
from unabases.training import one_thread_each

__all__ = ["chances_of_shown", "is_shown"]

_ROWS = 200  # that decide; time grows with their cube


def is_shown(term: AbstractStatement) -> bool:
    """Whether a statement is kept by what the model sees or by the numbers of its prior, whatever the data say."""
    return isinstance(term, AbstractView) or (isinstance(term, FunctionPrior) and term.has_numbers)


@one_thread_each
def chances_of_shown(knowledge: Knowledge, rows: WeightedRows) -> dict[str, float]:
    """At most how probable it is, if a statement is true, that rows speak as clearly against it: for each of this kind.

    A Gaussian process with the statement and one without it are fitted to some of the rows. If the first is right,
    rows that are k times as probable under the second come with a chance of at most 1/k (Markov's inequality, since
    the ratio of the evidences has mean 1). The other statements of this kind hold in both.

    Parameters
    ----------
    knowledge
        All that was said.
    rows
        Rows with all columns of the user, targets in the user's units, and weights.

    References
    ----------
    Kass, Raftery (1995). Bayes factors. JASA 90. Royall (2000). On the probability of observing misleading statistical
    evidence. JASA 95.
    """
    shown = [term for term in knowledge.statements if is_shown(term)]
    if not shown:
        return {}
    some = np.random.default_rng(0).permutation(len(rows.X))[:_ROWS]
    part = WeightedRows(rows.X[some], rows.y[some], part_of(rows.weight, some))
    told = _log_evidence(shown, knowledge, part)
    rest = [[other for other in shown if other is not term] for term in shown]
    return {
        repr(term): float(np.exp(min(told - _log_evidence(others, knowledge, part), 0.0)))
        for term, others in zip(shown, rest, strict=True)
    }


def _log_evidence(terms: Sequence[AbstractStatement], knowledge: Knowledge, rows: WeightedRows) -> float:
    """Of all outputs, for a Gaussian process that knows these statements."""
    own = make_knowledge(terms, knowledge.space)
    X, y, weight = own.shown(rows.X), rows.y, rows.weight
    scales = Scales(fit_scale(X, weight=weight), fit_scale(y, weight=weight))
    Z, t = scales.x.apply(X), scales.y.apply(y)
    numbers, variance = own.given(next((one for one in terms if isinstance(one, FunctionPrior)), None), scales)
    total = 0.0
    for j in range(t.shape[1]):
        given = None
        if numbers is not None and variance is not None:
            given = GivenNumbers(numbers.amplitude * float(variance[j]), numbers.lengths)
        total += kernel_evidence(Z, t[:, [j]], given, weight, own.parts)
    return total
