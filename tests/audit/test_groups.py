"""Groups against closed forms, SciPy and brute force; the stated false alarm rate and power by simulation."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from unabases.audit import AuditSettings, Scored, find_groups
from unabases.audit.groups import ratio_interval


def rows(rng, n, rare=0.2, lift=0.0, columns=("site", "x", "z")):
    """Rows of which those at site B, and those with a large x, are less familiar: no bias, if all are drawn so."""
    site = np.where(rng.random(n) < rare, "B", "A")
    x = rng.normal(size=n)
    std = np.exp(0.3 * rng.normal(size=n) + 0.2 * (site == "B") + 0.3 * np.abs(x) + lift * (site == "B"))
    frame = pd.DataFrame({"site": site, "x": x, "z": rng.choice(list("abc"), n)})
    return Scored(std, frame[list(columns)])


def look(new, reference, by=("site", "x", "z"), seed=0, level=0.05, **options):
    settings = AuditSettings(**{"n_permutations": 199, **options})
    return find_groups(new, reference, by, level=level, settings=settings, rng=np.random.default_rng(seed))


def test_a_false_alarm_is_as_rare_as_stated():
    """Familiarity differs between groups, but as in the training data; also with few rows and rare values."""
    level, runs = 0.1, 80
    alarms = 0
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        found = look(rows(rng, 150), rows(rng, 60), level=level, seed=seed, least_rows=3)
        alarms += bool(found.values["named"].any() or found.pairs["named"].any())
    assert alarms <= stats.binom.ppf(0.999, runs, level)


def test_the_whole_table_is_called_unfamiliar_as_rarely_as_stated():
    level, runs = 0.1, 80
    alarms = 0
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        alarms += look(rows(rng, 80), rows(rng, 80), (), seed=seed).overall["p"] <= level
    assert alarms <= stats.binom.ppf(0.999, runs, level)
    assert alarms >= stats.binom.ppf(0.001, runs, level)  # alone in its family it is exact


def test_values_of_a_column_that_the_reference_lacks_are_held_to_the_same_rate():
    level, runs = 0.1, 50
    alarms = 0
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        found = look(rows(rng, 150), Scored(rows(rng, 60).std, None), level=level, seed=seed)
        alarms += bool(found.values["named"].any() or found.pairs["named"].any())
    assert alarms <= stats.binom.ppf(0.999, runs, level)


@pytest.mark.parametrize("known", [True, False])
def test_a_group_that_training_lacks_is_found_and_its_column_comes_first(known):
    rng = np.random.default_rng(0)
    reference = rows(rng, 300, rare=0.0)
    if not known:
        reference = reference._replace(columns=reference.columns.drop(columns="site"))
    found = look(rows(rng, 600, rare=0.3, lift=0.4), reference)
    assert found.columns["column"].iloc[0] == "site"
    named = found.values[found.values["named"]]
    assert named[["column", "value"]].to_numpy().tolist() == [["site", "B"]]
    assert found.values["share_training"].iloc[0] == 0 or not known


def test_a_group_that_training_has_too_little_of_is_found():
    rng = np.random.default_rng(1)
    found = look(rows(rng, 1000, rare=0.5, lift=0.5), rows(rng, 500, rare=0.02, lift=0.5))
    assert found.values.iloc[0][["column", "value", "named"]].tolist() == ["site", "B", True]
    assert found.values.iloc[0]["share_training"] < 0.05


def test_a_group_with_all_rows_is_left_to_the_comparison_with_training():
    rng = np.random.default_rng(2)
    found = look(rows(rng, 300, rare=1.0, lift=0.5), rows(rng, 300, rare=0.05, lift=0.5), ["site"])
    assert found.values.iloc[0][["value", "named"]].tolist() == ["B", True]


def test_a_group_that_the_model_knows_better_is_not_named():
    rng = np.random.default_rng(3)
    found = look(rows(rng, 500, rare=0.7, lift=-0.8), rows(rng, 500, rare=0.1, lift=-0.8))
    assert not found.values["named"].any()


def test_a_pair_is_named_only_if_it_is_more_than_its_parts():
    rng = np.random.default_rng(4)
    new, reference = rows(rng, 1500, columns=("site", "z")), rows(rng, 800, columns=("site", "z"))
    corner = (new.columns["site"] == "B") & (new.columns["z"] == "c")
    lifted = new._replace(std=new.std * np.where(corner, 2.0, 1.0))
    pairs = look(lifted, reference, ("site", "z")).pairs
    assert pairs[pairs["named"]][["value", "value_2"]].to_numpy().tolist() == [["B", "c"]]
    whole = new._replace(std=new.std * np.where(new.columns["site"] == "B", 2.0, 1.0))
    found = look(whole, reference, ("site", "z"))
    assert found.values[found.values["named"]]["value"].tolist() == ["B"]
    assert not found.pairs["named"].any()


def test_the_p_value_is_the_share_of_all_permutations():
    """Four audited and three reference rows: every choice of three, by hand."""
    std = np.array([3.0, 2.5, 2.0, 0.5, 1.0, 0.4, 0.3])
    group = np.array([1, 1, 0, 1, 0, 0, 1], dtype=bool)
    weight = np.clip(2 * stats.rankdata(std) / 8 - 1, 0, None)
    statistics = []
    for z in (weight, weight * group, weight * ~group):
        spread = np.sqrt(z.var(ddof=1) * (1 / 4 + 1 / 3))
        choices = [list(chosen) for chosen in itertools.combinations(range(7), 3)]
        statistics.append([(np.delete(z, chosen).mean() - z[chosen].mean()) / spread for chosen in choices])
    largest = np.max(statistics, axis=0)
    observed = statistics[0][-1]  # the last choice is rows 4, 5, 6
    exact = np.mean(largest >= observed - 1e-9)
    labels = np.where(group, "in", "out")
    new = Scored(std[:4], pd.DataFrame({"g": labels[:4]}))
    reference = Scored(std[4:], pd.DataFrame({"g": labels[4:]}))
    found = look(new, reference, ["g"], least_rows=1, n_permutations=20_000)
    assert found.overall["p"] == pytest.approx(exact, abs=0.01)


def test_intervals_hold_the_ratio_as_often_as_they_should():
    rng = np.random.default_rng(0)
    truth = np.exp(0.2) - 1  # ratio of means of two lognormals with one spread
    inside = 0
    for _ in range(600):
        _, low, high = ratio_interval(np.exp(0.2 + 0.3 * rng.normal(size=25)), np.exp(0.3 * rng.normal(size=40)), 0.1)
        inside += low <= truth <= high
    assert stats.binom.ppf(0.001, 600, 0.9) <= inside <= stats.binom.ppf(0.999, 600, 0.9)


def test_one_row_has_a_ratio_but_no_interval():
    relative, low, high = ratio_interval(np.array([2.0]), np.array([1.0, 1.0]), 0.05)
    assert (relative, np.isnan(low), np.isnan(high)) == (1.0, True, True)


def test_small_groups_are_shown_but_not_tested():
    rng = np.random.default_rng(0)
    new = rows(rng, 100)
    new.columns.loc[0, "site"] = "C"
    found = look(new, rows(rng, 50))
    line = found.values[found.values["value"] == "C"].iloc[0]
    assert line["rows"] == 1
    assert np.isnan(line["p"])
    assert not line["named"]


def test_too_few_rows_are_refused():
    with pytest.raises(ValueError, match="at least 2 rows of either kind, got 1 audited"):
        look(Scored(np.ones(1), None), Scored(np.ones(5), None), ())
