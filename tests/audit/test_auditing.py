"""Whole audits, of tables and of regressors with arrays."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from tests.audit.conftest import REGRESSOR, fitted, people
from unabases import GaussianProcess, audit
from unabases.audit import AuditSettings, Reference


def test_a_group_that_training_lacks_is_named_first(found):
    assert found.columns["column"].iloc[0] == "gender"
    assert found.named[["column", "value"]].iloc[0].tolist() == ["gender", "f"]
    assert set(found.named["column"]) == {"gender"}
    assert found.named_rows > 50
    assert found.overall["p"] < 0.01
    assert found.largest == pytest.approx(found.named["relative"].max())


def test_false_alarms_over_twenty_splits_of_a_table_with_nothing_planted():
    """Women are rarer and less familiar, but as rare where the model was trained."""
    level, alarms = 0.1, 0
    whole = people(400, seed=5, women=0.25)
    for seed in range(20):
        order = np.random.default_rng(seed).permutation(400)
        model = fitted(whole.iloc[order[:120]], seed)
        result = audit(
            model,
            whole.iloc[order[120:]],
            ["gender", "region", "a"],
            level=level,
            settings=AuditSettings(n_permutations=200),
        )
        alarms += len(result.named) > 0
    assert alarms <= stats.binom.ppf(0.99, 20, level)


def test_by_default_all_known_columns_are_audited(men_only):
    result = audit(men_only, people(100, seed=2).assign(extra=1.0), settings=AuditSettings(n_permutations=20))
    assert set(result.columns["column"]) == {"a", "b", "gender", "region"}


def test_columns_that_the_model_does_not_know_can_be_audited_by(men_only):
    table = people(300, seed=3)
    table["site"] = np.where(table["gender"] == "f", 1.0, 0.0)
    result = audit(men_only, table, ["site", "b"], settings=AuditSettings(n_permutations=200))
    assert result.named["column"].tolist() == ["site"]
    assert result.values["share_training"].isna().any()


def test_columns_named_like_facts_stay_apart(men_only):
    table = people(60, seed=4).assign(mean=1.0, row="x")
    top = audit(men_only, table, ["mean", "row"], settings=AuditSettings(n_permutations=20)).least_familiar
    assert (top["mean (column)"] == 1.0).all()
    assert (top["row (column)"] == "x").all()
    assert top["row"].max() < 60


@pytest.fixture(scope="module")
def bare():
    """People and a regressor of some of them, without a table."""
    frame = people(300, seed=0, women=0.0)
    return frame, GaussianProcess(**REGRESSOR).fit(frame[["a", "b"]][:100], frame["age"][:100])


class TestRegressor:
    def test_tables_and_arrays_give_the_same(self, bare):
        frame, model = bare
        new = people(300, seed=1)
        table = audit(
            model, new, ["gender"], reference=frame[100:], y=new["age"], settings=AuditSettings(n_permutations=100)
        )
        arrays = audit(
            model,
            new[["a", "b"]],
            {"gender": new["gender"].to_numpy()},
            reference=Reference(frame[["a", "b"]][100:], by={"gender": frame["gender"][100:]}),
            y=new["age"],
            settings=AuditSettings(n_permutations=100),
        )
        pd.testing.assert_frame_equal(table.values, arrays.values)
        assert table.named["value"].tolist() == ["f"]

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({}, "needs `reference`"),
            ({"reference": np.zeros((5, 2)), "by": ["gender"]}, "`by` has names, but `X` is not a table"),
            ({"reference": np.zeros((5, 2)), "by": {"g": [1, 2]}}, "column 'g' has 2 rows but `X` has 3"),
            ({"reference": np.zeros((5, 2)), "level": 2.0}, "`level` must lie between 0 and 1"),
            ({"reference": np.zeros((5, 2)), "y": [1.0]}, r"outcome for each of the 3 rows .* shape \(1,\)"),
            ({"reference": np.zeros((5, 2)), "y": np.zeros((3, 2))}, r"shape \(3, 2\)"),
        ],
    )
    def test_what_makes_no_sense_is_refused(self, bare, options, message):
        with pytest.raises(ValueError, match=message):
            audit(bare[1], np.zeros((3, 2)), **options)

    def test_several_outputs_are_refused(self):
        X = np.random.default_rng(0).normal(size=(30, 2))
        model = GaussianProcess(**REGRESSOR).fit(X, X)
        with pytest.raises(ValueError, match="2 outputs, but audits take one"):
            audit(model, X, reference=X)


@pytest.mark.parametrize(
    ("by", "message"),
    [
        (["planet"], "the table has no column 'planet'; its columns are a, b"),
        (["age"], "'age' is the target"),
        ("gender", "must be a list of names"),
    ],
)
def test_columns_that_cannot_be_audited_by_are_refused(men_only, by, message):
    with pytest.raises(ValueError, match=message):
        audit(men_only, people(20, seed=0), by)


def test_a_model_of_a_table_does_not_audit_arrays(men_only):
    with pytest.raises(ValueError, match="audits pandas tables, or pieces of one; got ndarray"):
        audit(men_only, np.zeros((3, 2)))
    with pytest.raises(ValueError, match="no rows to audit"):
        audit(men_only, None)


def test_dates_are_shown_as_dates(men_only):
    """In groups and beside the least familiar rows, for a column of a table and for one beside arrays."""
    table = people(60, seed=4).assign(day=pd.date_range("2026-01-01", periods=60))
    quick = AuditSettings(n_permutations=20, bins=2)
    new, usual = (frame[["a", "b"]].to_numpy() for frame in (table, people(40, seed=5, women=0.0)))
    alone = GaussianProcess(**REGRESSOR).fit(usual, usual[:, 0])
    for result in (
        audit(men_only, table, ["day"], settings=quick),
        audit(alone, new, {"day": table["day"]}, reference=usual, settings=quick),
    ):
        assert set(result.values["value"]) == {"2026-01-01 to 2026-01-30", "2026-01-31 to 2026-03-01"}
        assert result.least_familiar["day"].str.fullmatch(r"2026-\d\d-\d\d").all()
