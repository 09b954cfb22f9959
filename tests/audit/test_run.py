"""Whole audits: of tables, of regressors with arrays, streamed, and their files."""

import re
import weakref
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from unabases import GaussianProcess, NeuralLinear, TableModel, audit
from unabases.audit import leave_one_out_std
from unabases.audit.result import defer_table, risk_curve

REGRESSOR = {"restarts": 0, "sigma2": 0.01}


def people(n, seed, women=0.5):
    """Women's inputs lie elsewhere; gender itself is not an input."""
    rng = np.random.default_rng(seed)
    woman = rng.random(n) < women
    frame = pd.DataFrame(
        {
            "a": rng.normal(size=n) + 3.0 * woman,
            "b": rng.normal(size=n),
            "gender": np.where(woman, "f", "m"),
            "region": rng.choice(["north", "south", "<east> & $x$"], n),
        }
    )
    frame["age"] = np.sin(frame["a"]) + 0.5 * frame["b"] + 0.1 * rng.normal(size=n)
    return frame


def fitted(frame, seed=0, **options):
    options = {"keep": ["gender", "region"], "holdout": 0.5, "random_state": seed, **options}
    return TableModel.fit(frame, "age", regressor=GaussianProcess(**REGRESSOR), **options)


@pytest.fixture(scope="module")
def men_only():
    return fitted(people(500, seed=0, women=0.0))


@pytest.fixture(scope="module")
def found(men_only):
    return audit(men_only, people(400, seed=1), ["gender", "region", "b"], n_permutations=500, max_error=0.1)


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
        result = audit(model, whole.iloc[order[120:]], ["gender", "region", "a"], level=level, n_permutations=200)
        alarms += len(result.named) > 0
    assert alarms <= stats.binom.ppf(0.99, 20, level)


def test_pieces_and_the_whole_give_the_same_audit(men_only, found):
    table = people(400, seed=1)
    options = {"n_permutations": 500, "max_error": 0.1}
    pieces = (table.iloc[i : i + 90] for i in range(0, 400, 90))
    again = audit(men_only, pieces, ["gender", "region", "b"], **options)
    pd.testing.assert_frame_equal(again.values, found.values)
    pd.testing.assert_frame_equal(again.least_familiar, found.least_familiar)
    assert again.named_rows == found.named_rows


def test_never_more_than_two_pieces_are_alive(men_only):
    alive, pieces = [], []

    def watched():
        for seed in range(6):
            piece = people(40, seed)
            pieces.append(weakref.ref(piece))
            alive.append(sum(one() is not None for one in pieces))
            yield piece.set_axis(range(40 * seed, 40 * seed + 40))

    result = audit(men_only, watched(), ["gender"], most_rows=50, n_permutations=20)
    assert (result.rows, result.sampled, len(alive)) == (240, 50, 6)
    assert max(alive) <= 2


def test_a_long_table_is_sampled_for_tests_and_counted_whole(men_only):
    table = people(400, seed=1)
    result = audit(men_only, [table.iloc[:150], table.iloc[150:]], ["gender"], most_rows=100, n_permutations=100)
    assert (result.rows, result.sampled, len(result.std)) == (400, 100, 100)
    std = men_only.predict(table)["epistemic_std"]
    assert result.named_rows == int((std > result.row_threshold).sum()) > 0
    assert_allclose(result.least_familiar["epistemic_std"], np.sort(std)[::-1][:20])
    assert set(result.std) <= set(std)


def test_the_least_familiar_rows_can_be_found_again(men_only, found):
    table = people(400, seed=1)
    top = found.least_familiar.iloc[0]
    assert top["b"] == table["b"].iloc[int(top["row"])]
    assert top["epistemic_std"] == pytest.approx(men_only.predict(table)["epistemic_std"].max())


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
    assert audit(men_only, table.drop(columns="age"), ["gender"], n_permutations=50).risk is None


def test_unknown_outcomes_do_not_count():
    std, error = np.array([1.0, 2.0, 3.0]), np.array([1.0, np.nan, 3.0])
    assert risk_curve(std, error)["mae"].tolist() == [1.0, 2.0]
    assert defer_table(std, error)["mae"].iloc[0] == 2.0
    assert np.isnan(defer_table(std, error, max_error=0.5)["mae"].iloc[-1])


def test_by_default_all_known_columns_are_audited(men_only):
    result = audit(men_only, people(100, seed=2).assign(extra=1.0), n_permutations=20)
    assert set(result.columns["column"]) == {"a", "b", "gender", "region"}


def test_columns_that_the_model_does_not_know_can_be_audited_by(men_only):
    table = people(300, seed=3)
    table["site"] = np.where(table["gender"] == "f", 1.0, 0.0)
    result = audit(men_only, table, ["site", "b"], n_permutations=200)
    assert result.named["column"].tolist() == ["site"]
    assert result.values["share_training"].isna().any()


def test_columns_named_like_facts_stay_apart(men_only):
    table = people(60, seed=4).assign(mean=1.0, row="x")
    top = audit(men_only, table, ["mean", "row"], n_permutations=20).least_familiar
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
        table = audit(model, new, ["gender"], reference=frame[100:], y=new["age"], n_permutations=100)
        arrays = audit(
            model,
            new[["a", "b"]],
            {"gender": new["gender"].to_numpy()},
            reference=frame[["a", "b"]][100:],
            reference_by={"gender": frame["gender"][100:]},
            y=new["age"],
            n_permutations=100,
        )
        pd.testing.assert_frame_equal(table.values, arrays.values)
        assert table.named["value"].tolist() == ["f"]

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({}, "give one of `reference`"),
            ({"reference": np.zeros((5, 2)), "by": ["gender"]}, "`by` has names, but `X` is no table"),
            ({"reference": np.zeros((5, 2)), "by": {"g": [1, 2]}}, "column 'g' has 2 rows but `X` has 3"),
            ({"reference": np.zeros((5, 2)), "level": 2.0}, "`level` must lie between 0 and 1"),
        ],
    )
    def test_what_makes_no_sense_is_refused(self, bare, options, message):
        with pytest.raises(ValueError, match=message):
            audit(bare[1], np.zeros((3, 2)), **options)

    def test_several_outputs_are_refused(self):
        X = np.random.default_rng(0).normal(size=(30, 2))
        model = GaussianProcess(**REGRESSOR).fit(X, X)
        with pytest.raises(ValueError, match="2 outputs; an audit needs one"):
            audit(model, X, reference=X)


@pytest.mark.parametrize(
    ("by", "message"),
    [
        (["planet"], "no column 'planet' to audit by; the table has a, b"),
        (["age"], "'age' is the target"),
        ("gender", "must be a list of names"),
    ],
)
def test_columns_that_cannot_be_audited_by_are_refused(men_only, by, message):
    with pytest.raises(ValueError, match=message):
        audit(men_only, people(20, seed=0), by)


@pytest.fixture(scope="module")
def trained():
    """A neural linear model of the first 60 of 400 rows."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 3))
    y = np.sin(X[:, 0]) + 0.3 * rng.normal(size=400)
    model = NeuralLinear(
        hidden_layer_sizes=(20, 20), max_steps=100, sigma2=0.09, prior_variance=1.0, random_state=0
    ).fit(X[:60], y[:60])
    return model, X, y


class TestSeenRows:
    """Rows that were trained on are more certain than fresh ones, and leaving each out corrects for it."""

    def test_leaving_a_row_out_is_forgetting_it(self, trained):
        model, X, y = trained
        state = model.get_state()
        expected = []
        for i in (0, 7, 31):
            model.forget(X[i : i + 1], y[i : i + 1])
            expected.append(model.predict_dist(X[i : i + 1]).epistemic_std[0])
            model.set_state(*state)
        assert_allclose(leave_one_out_std(model, X[[0, 7, 31]]), expected, rtol=1e-6)

    def test_seen_rows_look_too_familiar_and_left_out_ones_do_not(self, trained):
        model, X, _ = trained
        seen, fresh = (model.predict_dist(part).epistemic_std.mean() for part in (X[:60], X[60:]))
        corrected = leave_one_out_std(model, X[:60]).mean()
        assert seen < 0.93 * fresh
        assert abs(np.log(corrected / fresh)) < 0.6 * abs(np.log(seen / fresh))  # the features still saw the rows

    def test_training_rows_can_be_the_reference(self, trained):
        model, X, _ = trained
        result = audit(model, X[60:], training=X[:60], n_permutations=200)
        assert result.overall["p"] > 0.05
        assert audit(model, X[60:] + 3.0, training=X[:60], n_permutations=200).overall["p"] < 0.05

    def test_other_models_and_other_rows_are_refused(self, trained):
        model, X, y = trained
        with pytest.raises(TypeError, match="GaussianProcess has no Bayesian last layer"):
            leave_one_out_std(GaussianProcess(**REGRESSOR).fit(X[:30], y[:30]), X[:30])
        with pytest.raises(ValueError, match="the model was not trained on them"):
            leave_one_out_std(model, 100 * X[:3])


class TestFiles:
    def test_the_page_is_whole_escaped_and_needs_nothing_else(self, found, tmp_path):
        found = type(found)(**{**vars(found), "unknown_levels": {"region": Counter({"<script>": 3})}})
        text = found.to_html(tmp_path / "audit.html").read_text(encoding="utf-8")
        assert text.startswith("<!DOCTYPE html>")
        assert text.rstrip().endswith("</html>")
        assert "&lt;east&gt; &amp; $x$" in text
        assert "<east>" not in text
        assert "<script" not in text
        assert text.count('src="data:image/svg+xml;base64,') == text.count("<img ") == 3
        assert not re.search(r'(src|href)="(?!data:)', text)
        assert "Under-represented in the training data: <b>gender = f</b>" in text
        assert "for an error of 0.1" in text

    def test_the_csv_file_has_every_group(self, found, tmp_path):
        table = pd.read_csv(found.to_csv(tmp_path / "audit.csv"))
        assert table["kind"].value_counts().to_dict() == {
            "table": 1,
            "value": len(found.values),
            "pair": len(found.pairs),
        }
        line = table[(table["column"] == "gender") & (table["value"] == "f") & (table["kind"] == "value")].iloc[0]
        assert line["relative"] == pytest.approx(found.named["relative"].iloc[0])
        assert bool(line["named"])

    def test_a_picture_has_a_panel_for_each_question(self, found):
        figure = found.plot()
        assert [ax.get_title() for ax in figure.axes] == ["How familiar the rows are", "Values of columns", "Error of the rows kept"]  # fmt: skip  # noqa: E501

    @pytest.mark.parametrize(("factor", "scale", "unit"), [(100.0, "log", 1), (0.01, "linear", 100)])
    def test_large_changes_are_drawn_as_multiples(self, found, factor, scale, unit):
        values = found.values.assign(**{name: factor * found.values[name] for name in ("relative", "lower", "upper")})
        changed = type(found)(**{**vars(found), "values": values})
        ax = changed.plot().axes[1]
        words = "epistemic std, training = 1" if unit == 1 else "epistemic std relative to training, %"
        assert (ax.get_xscale(), ax.get_xlabel()) == (scale, words)
        drawn = np.asarray(ax.collections[1].get_offsets())[:, 0]
        shown = values[values["rows"] > 0]["relative"].head(24).to_numpy()
        assert drawn == pytest.approx(1 + shown if unit == 1 else 100 * shown)
        assert ("gender = f: ×" in changed.summary()) == (unit == 1)

    def test_the_summary_names_what_was_found(self, found):
        text = found.summary()
        assert "gender = f: × 10" in text
        assert "relative to training" in text

    def test_a_page_without_findings_says_so(self, men_only, tmp_path):
        quiet = audit(men_only, people(60, seed=9, women=0.0), ["region"], n_permutations=50)
        assert "No value is named" in quiet.to_html(tmp_path / "quiet.html").read_text()
        assert quiet.largest == 0

    def test_a_missing_directory_is_told(self, found, tmp_path):
        with pytest.raises(ValueError, match="there is no directory"):
            found.to_html(tmp_path / "no" / "audit.html")
