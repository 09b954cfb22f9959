from tests.paper.catalogue import trials


def test_consistency_is_over_twenty_restarts_of_one_data_set():
    for profile in ("quick", "paper"):
        found = trials("consistency", profile)
        assert {trial.split for trial in found} == {0}
        assert {trial.seed for trial in found} == set(range(20))
