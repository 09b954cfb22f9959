import numpy as np
import pandas as pd
import pytest

from tests.audit.conftest import people
from unabases import audit
from unabases.audit import AuditSettings, DeferralPolicy
from unabases.audit.result import defer_table, risk_curve


def test_error_and_deferral_follow_from_the_outcomes(men_only, found):
    table = people(400, seed=1)
    predicted = men_only.predict(table)
    error = np.abs(predicted["mean"] - table["age"]).to_numpy()
    assert found.risk["mae"].iloc[-1] == pytest.approx(error.mean())
    order = np.argsort(predicted["epistemic_std"].to_numpy())
    assert found.deferral["mae"].iloc[3] == pytest.approx(error[order[:320]].mean())  # a fifth deferred
    wanted = found.deferral.iloc[-1]
    assert wanted["mae"] <= 0.1
    assert error[order[: round((1 - wanted["deferred"]) * 400) + 1]].mean() > 0.1
    assert (
        audit(men_only, table.drop(columns="age"), ["gender"], settings=AuditSettings(n_permutations=50)).risk is None
    )


def test_unknown_outcomes_do_not_count():
    std, error = np.array([1.0, 2.0, 3.0]), np.array([1.0, np.nan, 3.0])
    assert risk_curve(std, error)["mae"].tolist() == [1.0, 2.0]
    assert defer_table(std, error)["mae"].iloc[0] == 2.0
    assert np.isnan(defer_table(std, error, max_error=0.5)["mae"].iloc[-1])


def test_the_csv_file_has_every_group(found, tmp_path):
    table = pd.read_csv(found.to_csv(tmp_path / "audit.csv"))
    assert table["kind"].value_counts().to_dict() == {
        "table": 1,
        "value": len(found.values),
        "pair": len(found.pairs),
    }
    line = table[(table["column"] == "gender") & (table["value"] == "f") & (table["kind"] == "value")].iloc[0]
    assert line["relative"] == pytest.approx(found.named["relative"].iloc[0])
    assert bool(line["named"])
    assert table["deferred"].iloc[0] == found.deferred.sum()
    assert table["deferred"].dtype == np.int64  # a whole number in every line


def test_the_summary_names_what_was_found(found):
    text = found.summary()
    first, whole, rows, numbers = text.splitlines()
    assert first.startswith("gender = f: 52 % of your rows, none of the training rows; the model is 10 times less sure")
    assert whole.startswith("All 400 rows: the model is 5.9 times less sure")
    assert rows == f"{found.named_rows} of 400 rows are unlike the training data, each on its own"
    assert "relative to training" in numbers


def test_what_is_deferred_is_what_the_policy_defers(men_only, found):
    table = people(400, seed=1)
    policy = DeferralPolicy.of(men_only, share=0.1)
    defer = policy.defer(table)
    assert found.deferred.sum() == defer.sum()
    counts = found.values[found.values["column"] == "gender"].set_index("value")["deferred"].to_dict()
    assert counts == {g: int((defer & (table["gender"] == g).to_numpy()).sum()) for g in "fm"}


def test_what_is_left_of_a_group_without_the_named_ones(men_only, found):
    table = people(400, seed=1)
    men = table[table["gender"] == "m"].assign(std=lambda rows: men_only.predict(rows)["epistemic_std"])
    left = men.groupby("region")["std"]
    lines = found.values[found.values["column"] == "region"].set_index("value")
    assert lines["rows_rest"].to_dict() == left.size().to_dict()
    wanted = left.mean() / found.reference_std.mean() - 1
    np.testing.assert_allclose(lines["relative_rest"][wanted.index], wanted, rtol=1e-6)


def test_a_dict_for_programs_holds_the_card_and_the_tables(found):
    given = found.to_dict()
    assert given["card"] == found.card()
    assert len(given["values"]) == len(found.values)
    assert given["named"][0]["value"] == "f"
    assert given["deferred_share"] == found.deferred.mean()
    assert given["least_familiar"][0]["row"] == found.least_familiar["row"].iloc[0] + 1


def test_a_missing_directory_is_told(found, tmp_path):
    with pytest.raises(ValueError, match="there is no directory"):
        found.to_html(tmp_path / "no" / "audit.html")
