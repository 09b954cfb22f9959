"""The file of results: what goes in comes out, whoever else is writing and whatever happens."""

import sqlite3
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

from unabases.paper import store as store_module
from unabases.paper.store import ResultStore, Row, StoreError, new_owner


def make_row(seed=0, failed="", experiment="e", **scores):
    return Row(
        experiment,
        "toy",
        1,
        "NLM, MAP",
        seed,
        {"hidden_layer_sizes": [50, 20]},
        "",
        failed,
        scores,
        {"x": [0.5]},
        0.25,
        {"code": "c"},
    )


@pytest.fixture
def store(tmp_path):
    return ResultStore(tmp_path / "new" / "results.sqlite")


def python(code, *arguments):
    return subprocess.Popen([sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)])


def test_a_row_comes_back_as_it_was_with_the_profile_of_its_plan(store):
    row = make_row(rmse=0.1 + 0.2, eurc=float("inf"), worst=float("nan"))
    store.set_plan("e", "quick", ["k"])
    store.put("k", row)
    (found,) = store.rows("e", "quick")
    assert found.scores.pop("worst") != found.scores.get("worst")
    row.scores.pop("worst")
    assert found == row._replace(profile="quick")
    assert store.get("k") is not None
    assert store.get("other") is None


def test_the_table_has_a_column_for_each_score_and_the_order_of_the_plan(store):
    store.set_plan("e", "quick", ["b", "a"])
    store.put("a", make_row(1, rmse=1.0))
    store.put("b", make_row(2, rmse=2.0, eurc=0.5))
    frame = store.frame("e")
    assert frame["seed"].tolist() == [2, 1]
    assert frame["rmse"].tolist() == [2.0, 1.0]
    assert np.isnan(frame["eurc"][1])
    assert {"experiment", "dataset", "split", "method", "seed", "profile", "failed"} <= set(frame)
    assert store.frame("nothing").empty


def test_rows_of_an_earlier_plan_are_not_mixed_with_later_ones(store):
    store.set_plan("e", "quick", ["old-1", "old-2"])
    for key in ("old-1", "old-2"):
        store.put(key, make_row(rmse=9.0))
    store.set_plan("e", "quick", ["new-1", "new-2"])
    store.put("new-1", make_row(rmse=1.0))
    assert [row.scores for row in store.rows("e", "quick")] == [{"rmse": 1.0}]
    assert store.missing(["new-1", "new-2"]) == ["new-2"]


def test_a_plan_lists_its_keys_in_their_order_run_or_not(store):
    store.set_plan("e", "tiny", ["b", "a"])
    store.set_plan("e", "paper", ["c"])
    store.put("a", make_row())
    assert store.planned("e", "tiny") == ["b", "a"]
    assert store.planned("e", "quick") == []


def test_a_trial_that_two_profiles_share_is_stored_once_and_read_in_both(store):
    for profile in ("quick", "paper"):
        store.set_plan("e", profile, ["k"])
    store.put("k", make_row(rmse=1.0))
    assert [row.profile for row in store.rows("e")] == ["paper", "quick"]


def test_what_went_well_stays_and_what_failed_is_replaced(store):
    store.put("good", make_row(rmse=1.0))
    store.put("good", make_row(rmse=2.0))
    store.put("bad", make_row(failed="no"))
    assert store.missing(["good", "bad"]) == []
    assert store.missing(["good", "bad"], or_failed=True) == ["bad"] == store.failed(["good", "bad"])
    store.put("bad", make_row(rmse=3.0))
    assert [store.get(key).scores["rmse"] for key in ("good", "bad")] == [1.0, 3.0]
    store.drop(["good"])
    assert store.missing(["good"]) == ["good"]


def test_a_claim_holds_against_others_until_it_is_released_or_its_result_is_there(store):
    mine, other = new_owner(), new_owner() + "0"
    assert store.claim(["a", "b"], mine)
    assert store.claim(["a"], mine)
    assert not store.claim(["c", "b"], other)
    store.put("b", make_row())
    assert store.claim(["c", "b"], other)
    store.release(mine)
    assert store.claim(["a"], other)


def test_a_claim_ends_when_it_is_not_renewed(store, monkeypatch):
    mine, other = new_owner(), new_owner() + "0"
    assert store.claim(["a", "b"], mine)
    now = time.time()
    monkeypatch.setattr(store_module.time, "time", lambda: now + store_module.LEASE - 1)
    assert not store.claim(["a"], other)
    store.renew(mine)
    monkeypatch.setattr(store_module.time, "time", lambda: now + store_module.LEASE + 1)
    assert not store.claim(["a"], other)
    monkeypatch.setattr(store_module.time, "time", lambda: now + 2 * store_module.LEASE)
    assert store.claim(["a"], other)


def test_a_claim_ends_with_the_process_that_made_it(store):
    code = """
        import sys
        from unabases.paper.store import ResultStore, new_owner
        assert ResultStore(sys.argv[1]).claim(["a"], new_owner())
    """
    assert python(code, store.path).wait() == 0
    assert store.claim(["a"], new_owner())


def test_two_processes_write_at_once_and_nothing_is_lost(store):
    code = """
        import sys
        from unabases.paper.store import ResultStore, Row
        path, name = sys.argv[1:]
        store = ResultStore(path)
        for seed in range(150):
            store.put(f"{name}-{seed}", Row("e", "toy", 0, name, seed, {}, "", "", {"v": seed}, {}, 0.0, {}))
            store.put(f"both-{seed}", Row("e", "toy", 0, "both", seed, {}, "", "", {"v": seed}, {}, 0.0, {}))
    """
    processes = [python(code, store.path, name) for name in ("one", "two")]
    assert [process.wait() for process in processes] == [0, 0]
    keys = [f"{name}-{seed}" for name in ("one", "two", "both") for seed in range(150)]
    store.set_plan("e", "tiny", keys)
    assert store.frame("e").groupby("method")["v"].sum().to_dict() == dict.fromkeys(("one", "two", "both"), 11175)


def test_a_full_disk_says_so_and_keeps_what_was_there(store, monkeypatch):
    store.put("a", make_row(rmse=1.0))
    connect = sqlite3.connect

    def small(*arguments, **options):
        connection = connect(*arguments, **options)
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages}")
        return connection

    monkeypatch.setattr(store_module.sqlite3, "connect", small)
    with pytest.raises(StoreError, match=r"full; free some space and run again"):
        store.put("b", make_row()._replace(curves={"x": [0.123456] * 20_000}))
    monkeypatch.undo()
    assert store.missing(["a", "b"]) == ["b"]
    store.put("b", make_row())
    assert store.missing(["b"]) == []


def test_a_writer_that_takes_too_long_is_named(store, monkeypatch):
    monkeypatch.setattr(store_module, "_BUSY", 0.1)
    other = sqlite3.connect(store.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="another process has been writing"):
        store.put("a", make_row())
    other.close()


def test_a_file_that_is_something_else_is_refused(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("not a database, but long enough to look like one: " * 50)
    with pytest.raises(StoreError, match="choose another"):
        ResultStore(path)
    later = tmp_path / "later.sqlite"
    with sqlite3.connect(later) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreError, match="format 99"):
        ResultStore(later)
    with pytest.raises(StoreError, match="choose another place"):
        ResultStore(path / "results.sqlite")


def test_a_database_of_something_else_is_left_alone(tmp_path):
    path = tmp_path / "photos.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE photos (name TEXT)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"photos\.sqlite is a database of something else"):
        ResultStore(path)
    assert path.read_bytes() == before
