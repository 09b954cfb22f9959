import hashlib

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from unabases.datasets import UCI, load_uci

TABLE = b"froude_number,resistance\n0.1,0.30000000000000004\n0.2,7\n"


@pytest.fixture
def small_yacht(tmp_path, monkeypatch):
    """A made-up table where the yacht file is expected."""
    (tmp_path / "uci").mkdir()
    (tmp_path / "uci" / "yacht.csv").write_bytes(TABLE)
    monkeypatch.setitem(UCI, "yacht", UCI["yacht"]._replace(sha256=hashlib.sha256(TABLE).hexdigest()))
    return tmp_path


def test_reads_header_inputs_and_last_column(small_yacht):
    data = load_uci("yacht", small_yacht)
    assert (data.name, data.columns, data.target) == ("yacht", ("froude_number",), "resistance")
    assert_array_equal(data.X, [[0.1], [0.2]])
    assert_array_equal(data.y, [0.1 + 0.2, 7])  # to the last bit
    assert data.licence == "CC BY 4.0"


def test_finds_the_directory_in_the_environment(small_yacht, monkeypatch):
    monkeypatch.setenv("UNABASES_DATA_DIR", str(small_yacht))
    assert load_uci("yacht").n == 2


@pytest.mark.parametrize("content", [TABLE[:-1], TABLE.replace(b"7", b"8"), TABLE.replace(b"\n", b"\r\n"), b""])
def test_an_edited_or_truncated_file_is_refused(small_yacht, content):
    path = small_yacht / "uci" / "yacht.csv"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"yacht\.csv \(\d+ bytes\) is not the expected file.*sha256.*replace it"):
        load_uci("yacht", small_yacht)


def test_a_missing_file_says_what_to_put_where(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        load_uci("concrete", tmp_path)
    for part in (
        UCI["concrete"].sha256,
        "unabases data fetch concrete",
        str(tmp_path / "uci" / "concrete.csv"),
        "UNABASES_DATA_DIR",
        "`directory`",
    ):
        assert part in str(caught.value)


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(ValueError, match=r"'abalone'.*boston, concrete, yacht, energy, kin8nm, wine_red"):
        load_uci("abalone")


@pytest.mark.parametrize(
    ("name", "n", "d", "target", "mean"),
    [
        ("boston", 506, 13, "MEDV", 22.533),
        ("concrete", 1030, 8, "strength", 35.818),
        ("yacht", 308, 6, "resistance", None),
        ("energy", 768, 8, "heating_load", 22.307),
        ("kin8nm", 8192, 8, "y", 0.7143),
        ("wine_red", 1599, 11, "quality", 5.636),
        ("power_plant", 9568, 4, "PE", None),
        ("protein", 45730, 9, "RMSD", None),
        ("naval", 11934, 16, "compressor_decay", None),
    ],
)
def test_real_tables(data_directory, name, n, d, target, mean):
    data = load_uci(name, data_directory)
    assert (data.n, data.d, data.target) == (n, d, target)
    assert np.isfinite(data.X).all()
    assert set(data.units) == {*data.columns, data.target}
    assert (*data.columns, data.target) == tuple(c for c in UCI[name].units if c not in UCI[name].leave_out)
    assert data.citation
    assert data.source
    if mean is not None:
        assert_allclose(data.y.mean(), mean, rtol=1e-4)


def test_real_columns_are_where_their_names_say(data_directory):
    for name, column, mean in (
        ("boston", "RM", 6.285),
        ("boston", "LSTAT", 12.653),
        ("boston", "PTRATIO", 18.456),
        ("concrete", "cement", 281.17),
        ("concrete", "superplasticizer", 6.205),
    ):
        assert_allclose(load_uci(name, data_directory).frame()[column].mean(), mean, rtol=1e-4)
    froude = np.unique(load_uci("yacht", data_directory).frame()["froude_number"])
    assert_allclose(froude, np.arange(5, 19) * 0.025)


def test_units_are_given_or_unknown(data_directory):
    concrete = load_uci("concrete", data_directory)
    assert (concrete.units["cement"], concrete.target_unit) == ("kg/m³", "MPa")
    assert load_uci("kin8nm", data_directory).target_unit is None


def test_ranges_agree_with_the_stated_units(data_directory):
    """The ranges that UCI gives for the power plant; percentages up to 100; areas in squares of 3.5 m."""
    plant = load_uci("power_plant", data_directory).frame()
    for column, low, high in (("AT", 1.81, 37.11), ("AP", 992.89, 1033.30), ("RH", 25.56, 100.16), ("V", 25.36, 81.56)):
        assert (plant[column].min(), plant[column].max()) == (low, high)
    boston = load_uci("boston", data_directory)
    for column in (c for c, unit in boston.units.items() if unit == "%"):
        assert 20 < boston.frame()[column].max() <= 100
    energy = load_uci("energy", data_directory)
    for column in (c for c, unit in energy.units.items() if unit == "m²"):
        assert not np.any(energy.frame()[column] % 12.25)


def test_naval_leaves_the_other_decay_out_unless_asked(data_directory):
    usual, everything = (load_uci("naval", data_directory, all_inputs=x) for x in (False, True))
    assert "turbine_decay" not in usual.columns
    assert everything.columns == (*usual.columns, "turbine_decay")
    assert_array_equal(everything.X[:, :-1], usual.X)
    assert_array_equal(np.unique(everything.X[:, -1]).round(3), np.arange(975, 1001) / 1000)
    assert_array_equal(np.unique(usual.y).round(3), np.arange(950, 1001) / 1000)
    assert_array_equal(usual.frame()["gt_compressor_inlet_air_temperature"].unique(), [288])
    assert_array_equal(usual.frame()["starboard_propeller_torque"], usual.frame()["port_propeller_torque"])


def test_duplicate_rows_are_those_of_the_originals(data_directory):
    counts = {"concrete": 25, "wine_red": 240, "power_plant": 41, "protein": 1711}
    for name, n in counts.items():
        assert load_uci(name, data_directory).frame().duplicated().sum() == n
