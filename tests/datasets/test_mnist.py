import gzip
import hashlib

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from unabases.datasets import load_mnist
from unabases.datasets.files import state
from unabases.datasets.mnist import read_idx
from unabases.datasets.registry import entry

MD5 = [
    "6bbc9ace898e44ae57da46a324031adb",
    "a25bea736e30d166cdddb491f175f624",
    "2646ac647ad5339dbf082846283269ea",
    "27ae3e4e09519cfbb04c329615203637",
]


@pytest.fixture(scope="module")
def with_mnist(data_directory):
    if state("mnist", data_directory) == "missing":
        pytest.skip(f"needs real data: {data_directory} lacks mnist/*-ubyte.gz")
    return data_directory


def test_an_idx_file_by_hand():
    content = b"\0\0\x08\x03" + b"\0\0\0\x01" + b"\0\0\0\x02" + b"\0\0\0\x03" + bytes([1, 2, 3, 4, 5, 255])
    assert_array_equal(read_idx(content), [[[1, 2, 3], [4, 5, 255]]])
    with pytest.raises(ValueError, match=r"shape \(1, 2, 3\) has 22 bytes, got 21"):
        read_idx(content[:-1])
    with pytest.raises(ValueError, match="not an IDX file"):
        read_idx(b"\0\0\x0d\x01\0\0\0\0")


def test_the_digits(with_mnist):
    data = load_mnist(with_mnist)
    assert data.train_images.shape == (60_000, 28, 28)
    assert data.test_images.shape == (10_000, 28, 28)
    assert data.train_images.dtype == np.uint8
    assert np.bincount(data.train_labels).tolist() == [5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949]
    assert np.bincount(data.test_labels).tolist() == [980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009]
    assert data.train_labels[:5].tolist() == [5, 0, 4, 1, 9]  # as everybody knows
    assert abs(data.train_images.mean() / 255 - 0.1307) < 1e-4
    assert data.licence
    assert data.source


def test_the_unpacked_bytes_are_the_originals(with_mnist):
    for file, md5 in zip(entry("mnist").files, MD5, strict=True):
        unpacked = gzip.decompress((with_mnist / file.path).read_bytes())
        assert hashlib.md5(unpacked).hexdigest() == md5
        assert hashlib.sha256(unpacked).hexdigest() == file.unpacked_sha256
