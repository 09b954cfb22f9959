import pytest

from unabases.datasets.registry import HOMES, entry, names
from unabases.datasets.uci_tables import UCI


@pytest.mark.parametrize("name", names())
def test_an_entry_says_what_to_download_and_how_to_check_it(name):
    found = entry(name)
    assert found.name == name
    assert found.licence
    assert found.origin
    for file in found.files:
        assert len(file.sha256) == 64
        assert file.home is None or (file.home in HOMES and file.remote)
        assert not file.path.endswith(".gz") or file.unpacked_sha256


def test_tables_come_first_and_know_their_columns():
    assert names()[: len(UCI)] == tuple(UCI)
    (file,) = entry("naval").files
    assert (file.path, file.rows, len(file.columns)) == ("uci/naval.csv.gz", 11934, 18)
    assert sorted(file.text_columns) == sorted(file.columns)
    assert entry("naval").columns == "16 + 1"


def test_mnist_is_four_files():
    files = entry("mnist").files
    assert [file.remote for file in files] == [file.path.removeprefix("mnist/") for file in files]
    assert len({file.sha256 for file in files} | {file.unpacked_sha256 for file in files}) == 8


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(ValueError, match="'iris'; choose one of boston, concrete"):
        entry("iris")
