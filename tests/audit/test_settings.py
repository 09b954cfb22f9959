import pytest

from unabases.audit import AuditSettings


@pytest.mark.parametrize(
    ("pairs", "n", "expected"), [(None, 12, True), (None, 13, False), (True, 99, True), (False, 2, False)]
)
def test_pairs_are_looked_at_if_there_are_few_columns_or_if_asked_for(pairs, n, expected):
    assert AuditSettings(pairs=pairs).look_at_pairs(n) is expected


@pytest.mark.parametrize(("name", "value"), [("bins", 1), ("least_rows", 0), ("most_rows", 1), ("n_permutations", 0)])
def test_a_setting_that_makes_no_sense_is_refused(name, value):
    with pytest.raises(ValueError, match=f"`{name}` must be at least"):
        AuditSettings(**{name: value})


@pytest.mark.parametrize("value", [0.0, -1.0, float("nan")])
def test_an_error_to_aim_for_is_positive(value):
    with pytest.raises(ValueError, match="`max_error` must be positive"):
        AuditSettings(max_error=value)
