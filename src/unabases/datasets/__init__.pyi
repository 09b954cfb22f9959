# The public names and where they come from: `unabases.lazy` imports each when it is first used.

from unabases.datasets.base import Dataset
from unabases.datasets.chunks import Chunks, chunks_of
from unabases.datasets.directory import data_dir
from unabases.datasets.drawn import DRAWN_SETS, Drawn, ExactPosterior, draw_process, draw_shape, load_drawn
from unabases.datasets.faces import FACES_SETS, Faces, FacesSplit, load_faces, load_faces_split
from unabases.datasets.files import fetch
from unabases.datasets.gaps import GAP_SETS, Gap, GapSplit, Split, gap_splits, load_gap, make_gap, split
from unabases.datasets.mnist import Mnist, load_mnist
from unabases.datasets.problems import Problem, branin, hartmann6
from unabases.datasets.published import PublishedSplit, load_published_gap, load_standard_split
from unabases.datasets.synthetic import SyntheticGap, cubic, cubic_gap, squiggle, squiggle_gap
from unabases.datasets.table import from_frame, load_table
from unabases.datasets.tails import Tail, make_tail, tail_splits
from unabases.datasets.uci import UCI, load_uci

__all__ = [
    "DRAWN_SETS",
    "FACES_SETS",
    "GAP_SETS",
    "UCI",
    "Chunks",
    "Dataset",
    "Drawn",
    "ExactPosterior",
    "Faces",
    "FacesSplit",
    "Gap",
    "GapSplit",
    "Mnist",
    "Problem",
    "PublishedSplit",
    "Split",
    "SyntheticGap",
    "Tail",
    "branin",
    "chunks_of",
    "cubic",
    "cubic_gap",
    "data_dir",
    "draw_process",
    "draw_shape",
    "fetch",
    "from_frame",
    "gap_splits",
    "hartmann6",
    "load_drawn",
    "load_faces",
    "load_faces_split",
    "load_gap",
    "load_mnist",
    "load_published_gap",
    "load_standard_split",
    "load_table",
    "load_uci",
    "make_gap",
    "make_tail",
    "split",
    "squiggle",
    "squiggle_gap",
    "tail_splits",
]
