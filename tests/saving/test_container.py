import io
import json
import os
import pickle
import re

import numpy as np
import pytest
import safetensors.numpy
from hypothesis import given, settings
from hypothesis import strategies as st

from unabases.saving.container import FORMAT, KEY, ModelFileError, pack, package_version, read_bytes, unpack, writable

CONTENT = {"class": "A", "values": {"a": 0.1, "name": "größe"}}
ARRAYS = {
    "z": np.arange(6.0).reshape(2, 3),
    "a": np.asfortranarray(np.arange(12, dtype=np.float32).reshape(3, 4)),
    "n": np.array(3.0),
    "flag": np.array([True, False, True]),
    "none": np.zeros((0, 2), dtype=np.int64),
    "view": np.arange(24.0).reshape(4, 6)[::2, 1::2],
    "big": np.array([1.0, 2.0], dtype=">f8"),
}
DATA = pack(CONTENT, ARRAYS)


TEXT = json.loads(DATA[8 : 8 + int.from_bytes(DATA[:8], "little")])["__metadata__"][KEY]


def with_text(text: str, **more: str) -> bytes:
    """The same tensors with another description."""
    return safetensors.numpy.save(safetensors.numpy.load(DATA), metadata={KEY: text, **more})


def test_everything_comes_back_in_order():
    content, arrays = unpack(DATA, "file")
    assert {key: content[key] for key in CONTENT} == CONTENT
    assert content["format"] == FORMAT
    assert content["written_by"] == package_version()
    assert list(arrays) == list(ARRAYS)
    for name, array in ARRAYS.items():
        np.testing.assert_array_equal(arrays[name], array, strict=name != "big")
        assert arrays[name].flags.writeable
        assert arrays[name].flags.owndata


def test_memory_order_comes_back():
    _, arrays = unpack(DATA, "file")
    assert arrays["a"].flags.f_contiguous
    assert arrays["z"].flags.c_contiguous


def test_other_readers_of_safetensors_see_the_same_arrays():
    for name, array in safetensors.numpy.load(DATA).items():
        np.testing.assert_array_equal(array, ARRAYS[name])


def test_equal_content_gives_equal_bytes():
    assert pack(dict(reversed(CONTENT.items())), ARRAYS) == DATA


def test_arrays_that_are_not_numbers_are_refused():
    with pytest.raises(TypeError, match=r"'f' has dtype object.*expected one of bool, int8"):
        pack({}, {"f": np.array([print])})


@given(st.integers(0, len(DATA) - 1))
@settings(max_examples=200, deadline=None)
def test_every_truncation_is_refused(length):
    with pytest.raises(ModelFileError, match=r"truncated: expected|empty|bytes long"):
        unpack(DATA[:length], "file")


@given(st.integers(0, len(DATA) - 1), st.integers(1, 255))
@settings(max_examples=400, deadline=None)
def test_a_flipped_byte_is_refused_or_means_the_same(position, flip):
    edited = bytearray(DATA)
    edited[position] ^= flip
    try:
        content, arrays = unpack(bytes(edited), "file")
    except ModelFileError:
        return
    # Spaces between the words of the safetensors header carry nothing.
    expected_content, expected_arrays = unpack(DATA, "file")
    assert content == expected_content
    assert list(arrays) == list(expected_arrays)
    assert all(arrays[name].tobytes() == expected_arrays[name].tobytes() for name in arrays)


def test_a_flipped_byte_in_the_data_is_called_a_change():
    edited = bytearray(DATA)
    edited[-1] ^= 1
    with pytest.raises(ModelFileError, match=r"changed after it was written.*checksum is \w{64}.*save it again"):
        unpack(bytes(edited), "file")


@pytest.mark.parametrize(
    "edit",
    [
        lambda text: text.replace('"a":0.1', '"a":0.2'),
        lambda text: text.replace('"A"', '"B"'),
        lambda text: text.replace('["a","F"]', '["a","C"]'),
        lambda text: text.replace('"a":0.1', '"a": 0.1'),
        lambda text: text.replace('"a":0.1', '"a":NaN'),
        lambda text: text.replace('"a":0.1', '"a":0.1,"a":0.1'),
        lambda text: re.sub('"checksum":"[0-9a-f]*",', "", text),
        lambda text: text.replace('"format":1', '"format":0'),
        lambda text: text.replace('"format":1', '"format":true'),
        lambda text: text.replace('"format":1', '"format":"1"'),
        lambda text: text[:-1],
        lambda text: "[" * 100_000,
        lambda text: "[]",
        lambda text: "",
    ],
)
def test_a_changed_description_is_refused(edit):
    assert edit(TEXT) != TEXT
    unpack(with_text(TEXT), "file")
    with pytest.raises(ModelFileError, match="changed"):
        unpack(with_text(edit(TEXT)), "file")


def test_more_metadata_is_a_change():
    with pytest.raises(ModelFileError, match="changed"):
        unpack(with_text(TEXT, note="mine"), "file")


@pytest.mark.parametrize(
    "swap",
    [
        lambda t: {**t, "z": t["z"].reshape(3, 2)},
        lambda t: {**t, "z": t["z"].view(np.int64)},
        lambda t: {("y" if name == "z" else name): array for name, array in t.items()},
        lambda t: {name: array for name, array in t.items() if name != "z"},
        lambda t: {**t, "more": t["z"]},
    ],
    ids=["shape", "dtype", "name", "removed", "added"],
)
def test_a_changed_tensor_is_refused(swap):
    edited = safetensors.numpy.save(swap(safetensors.numpy.load(DATA)), metadata={KEY: TEXT})
    with pytest.raises(ModelFileError, match="changed"):
        unpack(edited, "file")


def test_a_newer_format_says_who_wrote_it_and_what_to_do():
    newer = json.dumps({**json.loads(TEXT), "format": FORMAT + 1, "written_by": "9.8.7", "else": "unknown"})
    with pytest.raises(ModelFileError, match=rf"format {FORMAT + 1}, written by unabases 9\.8\.7.*Upgrade"):
        unpack(with_text(newer), "file")


class Trap:
    """Unpickling it would be noticed."""

    def __reduce__(self):
        return pytest.fail, ("the file was run",)


def zipped() -> bytes:
    file = io.BytesIO()
    np.savez(file, a=np.ones(3))
    return file.getvalue()


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "is empty"),
        (b"abc", "only 3 bytes long"),
        (b"x,y\n1,2\n3,4\n", "a text file"),
        (b'{"class": "LUNA", "values": {}}', "a text file"),
        (pickle.dumps(Trap()), "a pickle file"),
        (zipped(), "a zip archive"),
        (bytes(range(255, 0, -1)), "of an unknown kind"),
        (b"\x10" + bytes(7) + b"{not JSON at all", "header is damaged"),
        (b"\x02" + bytes(7) + b"{}", "no 'unabases'"),
        (safetensors.numpy.save({"w": np.ones(3)}), "no 'unabases'"),
        (safetensors.numpy.save({"w": np.ones(3)}, metadata={"format": "pt"}), "no 'unabases'"),
        (safetensors.numpy.save({"w": np.ones(3)}, metadata={KEY: "hello"}), "changed or damaged"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_foreign_files_are_told_apart(data, what):
    with pytest.raises(ModelFileError, match=rf"^file .*{what}"):
        unpack(data, "file")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes")
def test_pipes_and_devices_are_neither_read_nor_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe.una")
    (tmp_path / "link.una").symlink_to("/dev/zero")
    for name in ("pipe.una", "link.una"):
        with pytest.raises(ModelFileError, match="is not a file"):  # and it does not wait
            read_bytes(tmp_path / name)
        with pytest.raises(ModelFileError, match="no ordinary file"):
            writable(tmp_path / name)


@pytest.mark.parametrize("start", [b"", b"a,b,c\n", b"\x89PNG"], ids=["zeros", "text", "picture"])
def test_a_huge_file_that_is_something_else_is_not_read_to_its_end(tmp_path, start):
    path = tmp_path / "huge.una"
    with open(path, "wb") as file:
        file.write(start)
        file.truncate(2**40)  # takes no room on the disk
    assert len(read_bytes(path)) <= 2**16
    with pytest.raises(ModelFileError, match="not a model"):
        unpack(read_bytes(path), "huge.una")


def test_what_was_added_to_the_end_of_a_file_is_seen_and_not_read(tmp_path):
    path, data = tmp_path / "longer.una", pack({"a": 1}, {"w": np.ones(3)})
    path.write_bytes(data)
    assert read_bytes(path) == data
    with open(path, "r+b") as file:
        file.truncate(2**40)
    assert len(data) < len(read_bytes(path)) <= 2**16
    with pytest.raises(ModelFileError, match="damaged"):
        unpack(read_bytes(path), "longer.una")
