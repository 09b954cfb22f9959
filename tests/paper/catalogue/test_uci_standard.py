from tests.paper.catalogue import trials


def test_the_standard_tables_have_twenty_splits_of_six_sets():
    found = trials("uci-standard")
    assert len(found) == 9 * 6 * 20
    assert len({trial.dataset for trial in found}) == 6
