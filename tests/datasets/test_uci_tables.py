import re

import pytest

from unabases.datasets.uci_tables import UCI


@pytest.mark.parametrize("name", list(UCI))
def test_facts_about_a_table_agree_with_each_other(name):
    table = UCI[name]
    columns = list(table.units)
    checksums = [table.sha256] if table.unpacked_sha256 is None else [table.sha256, table.unpacked_sha256]
    assert all(re.fullmatch("[0-9a-f]{64}", checksum) for checksum in checksums)
    assert table.rows > 0
    assert set(table.leave_out) <= set(columns[:-1])
    assert table.text_columns is None or sorted(table.text_columns) == sorted(columns)
    assert all((table.source, table.licence, table.citation, table.remote))


def test_units_belong_to_their_columns():
    assert UCI["boston"].units["PTRATIO"] == "pupils per teacher"
    assert UCI["boston"].units["DIS"] is None
    assert UCI["concrete"].units["fine_aggregate"] == "kg/m³"
    assert list(UCI["power_plant"].units.items())[:2] == [("AT", "°C"), ("V", "cm Hg")]
    assert list(UCI["yacht"].units.values()) == ["dimensionless"] * 7
    assert list(UCI["naval"].units)[-2:] == ["turbine_decay", "compressor_decay"]
