import numpy as np
import pandas as pd
import pytest

from tests.audit.conftest import people
from unabases import audit
from unabases.audit import AuditSettings
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


def test_the_summary_names_what_was_found(found):
    text = found.summary()
    assert "gender = f: × 10" in text
    assert "relative to training" in text


def test_a_missing_directory_is_told(found, tmp_path):
    with pytest.raises(ValueError, match="there is no directory"):
        found.to_html(tmp_path / "no" / "audit.html")
