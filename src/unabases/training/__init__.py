"""The training loop."""

from unabases.training.batches import bucket, make_batch, pad_rows
from unabases.training.compilation import use_compilation_cache
from unabases.training.cores import on_all_cores, one_thread_each
from unabases.training.devices import refuse_no_device
from unabases.training.forks import ForkedError, refuse_fork
from unabases.training.loop import OnChunk, Trained, train
from unabases.training.progress import rows_progress, training_progress, working
from unabases.training.recipe import AUTO, LEARNING_RATES, Optimizer, Recipe

__all__ = [
    "AUTO",
    "LEARNING_RATES",
    "ForkedError",
    "OnChunk",
    "Optimizer",
    "Recipe",
    "Trained",
    "bucket",
    "make_batch",
    "on_all_cores",
    "one_thread_each",
    "pad_rows",
    "refuse_fork",
    "refuse_no_device",
    "rows_progress",
    "train",
    "training_progress",
    "use_compilation_cache",
    "working",
]
