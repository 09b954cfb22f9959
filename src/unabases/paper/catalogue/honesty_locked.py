"""The locked half of `honesty`: run when settings are settled, and every run stays on record."""

from unabases.paper.catalogue.honesty import honesty
from unabases.paper.halves import LOCKED

EXPERIMENT = honesty(
    LOCKED,
    ("yacht-gap-5", "yacht-tail-5", "drawn-linear-2"),
    name="honesty-locked",
    title="Where there is no data, locked half",
    question="Which methods know it on columns and functions on which nothing was chosen?",
    shows="The same on columns, tables and functions that were kept back; only by this name",
)
