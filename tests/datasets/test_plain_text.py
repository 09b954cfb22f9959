import gzip

import pytest

from unabases.datasets import UCI
from unabases.datasets.plain_text import as_csv, table_file
from unabases.datasets.registry import entry


def test_numbers_are_written_with_the_fewest_digits():
    text = b"  5.4000000e+02\t0.0  -0.015119208\n1e-05 10.0333333333333 1872790.507  \n\n"
    assert as_csv(text, ("a", "b", "c"), ("a", "b", "c")) == (
        b"a,b,c\n540,0,-0.015119208\n1e-05,10.0333333333333,1872790.507\n"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [(b"1 2\n3\n", "not a table of numbers"), (b"<html>\n", "not a table of numbers"), (b"1 2 3\n", "has 3 columns")],
)
def test_something_else_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        as_csv(text, ("a", "b"), ("a", "b"))


def test_the_two_decays_of_naval_change_places():
    (file,) = entry("naval").files
    text = " ".join(map(str, range(18))).encode()
    header, row, _ = gzip.decompress(table_file(file, text)).decode().split("\n")
    assert header.endswith("fuel_flow,turbine_decay,compressor_decay")
    assert row.endswith("15,17,16")


@pytest.mark.parametrize("style", ["%r", "%.17e"])
@pytest.mark.parametrize("name", list(UCI))
def test_the_files_can_be_had_from_text_byte_by_byte(data_directory, name, style):
    """However the text writes the numbers, as long as it gives them exactly, the file's bytes are the same."""
    (file,) = entry(name).files
    content = (data_directory / file.path).read_bytes()
    content = gzip.decompress(content) if file.path.endswith(".gz") else content
    header, *rows = content.decode().splitlines()
    order = [header.split(",").index(column) for column in file.text_columns]
    values = [[float(x) for x in row.split(",")] for row in rows]
    text = "\n".join(" ".join(style % row[i] for i in order) for row in values)
    assert as_csv(text.encode(), file.text_columns, file.columns) == content
