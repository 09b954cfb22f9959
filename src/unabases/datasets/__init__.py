"""Data sets as records, loaders that find and check their files, and gaps cut into them."""

from unabases.datasets.base import Dataset
from unabases.datasets.directory import data_dir
from unabases.datasets.gaps import GAP_SETS, Gap, GapSplit, Split, load_gap, make_gap, split
from unabases.datasets.synthetic import SyntheticGap, cubic, cubic_gap
from unabases.datasets.uci import UCI, load_uci

__all__ = [
    "GAP_SETS",
    "UCI",
    "Dataset",
    "Gap",
    "GapSplit",
    "Split",
    "SyntheticGap",
    "cubic",
    "cubic_gap",
    "data_dir",
    "load_gap",
    "load_uci",
    "make_gap",
    "split",
]
