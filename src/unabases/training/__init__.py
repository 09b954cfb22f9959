"""The training loop."""

from unabases.training.compilation import use_compilation_cache
from unabases.training.loop import LEARNING_RATES, OnChunk, Optimizer, Recipe, Trained, train
from unabases.training.padding import bucket, make_batch, pad_rows
from unabases.training.progress import training_progress

__all__ = [
    "LEARNING_RATES",
    "OnChunk",
    "Optimizer",
    "Recipe",
    "Trained",
    "bucket",
    "make_batch",
    "pad_rows",
    "train",
    "training_progress",
    "use_compilation_cache",
]
