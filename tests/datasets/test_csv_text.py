import bz2
import codecs
import csv
import gzip
import lzma
import zipfile

import pytest

from unabases.datasets.csv_text import read_header, read_rows

TEXT = 'a,b\n1,"x,\n""y"""\n\n 2 ,\n'


def written(tmp_path, content, name="t.csv"):
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return tmp_path / name


def rows_of(path, **options):
    return [
        (line, row)
        for piece in read_rows(path, **options)
        for line, row in zip(piece.lines, zip(*piece.columns, strict=True), strict=True)
    ]


def test_cells_stay_as_written_and_rows_know_their_lines(tmp_path):
    path = written(tmp_path, TEXT)
    assert read_header(path) == ["a", "b"]
    assert rows_of(path) == [(2, ("1", 'x,\n"y"')), (5, (" 2 ", ""))]


@pytest.mark.parametrize("rows", [1, 3, 4096, 5000])
def test_pieces_of_any_size_hold_the_same_rows_and_lines(tmp_path, rows):
    lines = [["n", "text"], *([str(i), "a\r\nb" if i % 700 == 3 else "c"] for i in range(9000))]
    with open(tmp_path / "t.csv", "w", newline="") as file:
        csv.writer(file).writerows(lines)
    found = rows_of(tmp_path / "t.csv", rows=rows)
    assert [list(row) for _, row in found] == lines[1:]
    before = 0
    for place, (line, row) in enumerate(found):
        assert line == place + 2 + before
        before += "\n" in row[1]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_any_line_ending_and_a_mark_at_the_start(tmp_path, end):
    path = written(tmp_path, b"\xef\xbb\xbf" + f"a;b{end}1;2{end}   {end}3;4".encode())
    assert rows_of(path, separator=";") == [(2, ("1", "2")), (4, ("3", "4"))]


@pytest.mark.parametrize(("name", "pack"), [("t.csv.gz", gzip), ("t.csv.BZ2", bz2), ("t.csv.xz", lzma)])
def test_packed_files_are_unpacked_and_damaged_ones_are_told(tmp_path, name, pack):
    packed = pack.compress(TEXT.encode())
    assert rows_of(written(tmp_path, packed, name)) == rows_of(written(tmp_path, TEXT))
    for damaged in (packed[:-12], b"no " + packed):
        with pytest.raises(ValueError, match="is cut short or damaged"):
            rows_of(written(tmp_path, damaged, name))


def test_zip_files_hold_one_table(tmp_path):
    for count in (1, 2):
        with zipfile.ZipFile(tmp_path / f"{count}.zip", "w") as file:
            for place in range(count):
                file.writestr(f"{place}.csv", TEXT)
    assert rows_of(tmp_path / "1.zip") == rows_of(written(tmp_path, TEXT))
    with pytest.raises(ValueError, match="must hold one file, a table; it holds 2"):
        rows_of(tmp_path / "2.zip")
    with pytest.raises(ValueError, match="is cut short or damaged"):
        rows_of(written(tmp_path, b"PK\x03\x04", "3.zip"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is empty"),
        ("\n \n", "is empty"),
        ("sep=;\na,b\n1,2\n", "begins with 'sep=;', a note for spreadsheets"),
        ("a,b\n1,2\n\n1,2,3\n", "line 4 of .* has 3 fields, but the header has 2.*The line: 1, 2, 3"),
        ('a,b\n"\n",2\n1\n', "line 4 of .* has 1 fields, but the header has 2"),
        ('a,b\n1,2\n"3,4\n5,6\n', "the row that begins in line 3 of .* cannot be read"),
        ('a,b\n1,"2"x\n', "the row that begins in line 2 of .* cannot be read"),
        ("a,b\n1,2\n3,é\n".encode("latin-1"), r"line 3 of .* is not UTF-8 \(byte 0xe9\).*iconv"),
        ("a,b\n1,é\n".encode("utf-16"), "looks like UTF-16 text"),
        ("a,b\n1,2\n".encode("utf-16-le"), "looks like UTF-16 text"),
        ("a\0,b\n1,2\n", "looks like no text, or text with characters of code 0"),
        ("a,b\n1,2\n3,x\0\n", "line 3 of .* has characters of code 0"),
        (b"t.csv" + bytes(252) + b"ustar  " + bytes(249) + b"a,b\n1,2\n", "looks like a tar archive; take the table"),
        (gzip.compress(b"a,b\n1,2\n", mtime=0), r"looks like a gzip file; give it a name that ends in \.csv\.gz"),
        (b"PK\x03\x04\xff\xfe", "looks like a zip or Excel file"),
        (b"\x28\xb5\x2f\xfd a,b", "packed by zstd; unpack it"),
        (b"ARROW1\0\0\xff\xff", "looks like a Feather or Arrow file"),
        ('[\n {"a": 1, "b": 2},\n {"a": 3, "b": 4}]', "looks like JSON; save it as CSV"),
        ('{"a": [1, 3]}', "looks like JSON; save it as CSV"),
        (codecs.BOM_UTF8 + b"\r\n<!DOCTYPE html>\n<title>Sign in, please</title>", "looks like a web page"),
        ("a;b\n0,5;1,5\n", "line 2 of .* has 3 fields, but the header has 1.*`separator` should be ';'"),
        ("# made today\na,b\n1,2\n", "line 2 of .* has 2 fields, but the header has 1.*Is `separator` right"),
    ],
)
def test_what_is_no_table_is_refused_with_its_line(tmp_path, content, message):
    with pytest.raises(ValueError, match=message):
        rows_of(written(tmp_path, content))


@pytest.mark.parametrize("separator", ["", ",,", '"', "\n"])
def test_a_separator_is_one_character(tmp_path, separator):
    with pytest.raises(ValueError, match="`separator` must be one character"):
        read_header(written(tmp_path, TEXT), separator)


def test_a_tab_can_be_spelled(tmp_path):
    assert read_header(written(tmp_path, "a\tb\n"), r"\t") == ["a", "b"]
