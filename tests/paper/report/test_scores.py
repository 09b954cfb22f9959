"""Scores as text."""

from unabases.paper.report.scores import QUANTITIES, mean_std, number, short


def test_numbers_as_text():
    assert mean_std(1.16, 0.42) == "1.16 ± 0.42"
    assert mean_std(0.0756, 0.002) == "0.076 ± 0.002"
    assert mean_std(-0.1109, 0.052, percent=True) == "-11.1 ± 5.2 %"
    assert number(0.0) == "0.00"


def test_small_numbers_keep_two_digits_that_count():
    assert (short(0.000561), short(0.0), short(-0.0042), short(12.0)) == ("0.00056", "0.00", "-0.0042", "12.00")


def test_only_epistemic_uncertainty_has_no_better_direction():
    assert [name for name, quantity in QUANTITIES.items() if quantity.better == 0] == ["epistemic"]
