"""MNIST: handwritten digits."""

import os
from typing import NamedTuple

import numpy as np
from jaxtyping import UInt8

from unabases.datasets.files import read_files
from unabases.datasets.registry import entry

__all__ = ["Mnist", "load_mnist", "read_idx"]


class Mnist(NamedTuple):
    """Images of digits (0 = background, 255 = ink) with their labels 0 to 9, in the order of the files."""

    train_images: UInt8[np.ndarray, "train 28 28"]
    train_labels: UInt8[np.ndarray, " train"]
    test_images: UInt8[np.ndarray, "test 28 28"]
    test_labels: UInt8[np.ndarray, " test"]
    source: str
    licence: str
    citation: str


def load_mnist(directory: str | os.PathLike[str] | None = None, *, download: bool = True) -> Mnist:
    """Load the 60,000 training and 10,000 test images of handwritten digits from `mnist/*-ubyte.gz`.

    Parameters
    ----------
    directory, download : path-like, bool
        The data directory (see `data_dir`), and whether to download the files if they are missing (11 MB).

    Returns
    -------
    Mnist
        Images and labels.
    """
    found = entry("mnist")
    arrays = [read_idx(content) for content in read_files("mnist", directory, download)]
    return Mnist(
        *arrays,
        source=found.origin,
        licence=found.licence,
        citation="LeCun, Y., Bottou, L., Bengio, Y. and Haffner, P. (1998). Gradient-based learning applied to "
        "document recognition. Proceedings of the IEEE 86, 2278-2324.",
    )


def read_idx(content: bytes) -> UInt8[np.ndarray, "..."]:
    """Decode an unpacked IDX file of bytes: two zeros, type 8, the number of axes, their lengths, the values."""
    if len(content) < 4 or content[:3] != b"\0\0\x08":
        raise ValueError(f"not an IDX file of bytes: it starts with {content[:4]!r}.")
    start = 4 + 4 * content[3]
    shape = tuple(int.from_bytes(content[i : i + 4], "big") for i in range(4, start, 4))
    if len(content) != start + int(np.prod(shape)):
        raise ValueError(f"an IDX file of shape {shape} has {start + int(np.prod(shape))} bytes, got {len(content)}.")
    return np.frombuffer(content, dtype=np.uint8, offset=start).reshape(shape).copy()
