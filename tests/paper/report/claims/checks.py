"""Look up one claim by its name, and rows with other scores."""

from unabases.paper.report.claims import all_claims
from unabases.paper.report.rows import gather


def claim(name, rows):
    return next(found for found in all_claims(gather(rows)) if found.name == name)


def changed(rows, method, **scores):
    """The rows with some scores of a method replaced; a function is called with the row."""
    return [
        r._replace(scores=r.scores | {k: v(r) if callable(v) else v for k, v in scores.items()})
        if r.method == method
        else r
        for r in rows
    ]
