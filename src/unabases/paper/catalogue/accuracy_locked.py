"""The locked half of `accuracy`: run when settings are settled, and every run stays on record."""

from unabases.paper.catalogue.accuracy import accuracy
from unabases.paper.halves import LOCKED

EXPERIMENT = accuracy(
    LOCKED,
    ("iris", "bumps"),
    name="accuracy-locked",
    title="Accuracy with default settings, locked half",
    question="Is UNA as good as the best on data on which nothing was chosen?",
    shows="The same on sets and splits that were kept back; only by this name",
)
