"""Rows as a text file."""

import gzip
import json

import pytest

from unabases.paper.rows_file import read_rows, rows_of, worth_keeping, write_rows
from unabases.paper.store import Row, StoreError


def row(seed, **provenance):
    settings = {"hidden_layer_sizes": [50, 20], "lam": 0.1, "name": "ü"}
    scores = {"rmse": 1 / 3, "eurc": 2.0}
    own = {"python": "3.12", "machine": {"cores": 2}, "finished_at": f"day {seed}", "warnings": ["w"], **provenance}
    return Row("e", "d", seed, "LUNA", seed, settings, "quick", "", scores, {"x": [1.0] * 99}, 0.25, own)


def test_rows_come_back_without_curves_and_with_six_digits(tmp_path):
    rows = [row(0), row(1), row(2, python="3.13")]
    write_rows(tmp_path / "rows.jsonl.gz", rows)
    found = read_rows(tmp_path / "rows.jsonl.gz")
    wanted = [one._replace(curves={}, scores={**one.scores, "rmse": 0.333333}) for one in rows]
    assert found == wanted


def test_curves_that_figures_draw_are_kept_with_four_digits_and_equal_ones_once(tmp_path):
    drawn = {"calibration": {"expected": [0.1, 0.2], "observed": [1 / 3, 0.5]}, "more": [1.0]}
    rows = [row(seed)._replace(experiment="uci-gap", curves=drawn) for seed in range(3)]
    rows.append(row(3)._replace(experiment="luna-heads", curves={"heads": [[1.0, 2.0], [0.1, 0.2]], "noise": 3.0}))
    write_rows(tmp_path / "rows.jsonl.gz", rows)
    found = read_rows(tmp_path / "rows.jsonl.gz")
    assert found[2].curves == {"calibration": {"expected": [0.1, 0.2], "observed": [0.3333, 0.5]}}
    assert found[3].curves == rows[3].curves
    head = json.loads(gzip.decompress((tmp_path / "rows.jsonl.gz").read_bytes()).splitlines()[0])
    assert len(head["lists"]) == 3


def test_files_of_the_format_before_are_read(tmp_path):
    text = b'{"format": "unabases rows 1", "settings": [{}], "shared": [{}]}'
    (tmp_path / "rows.jsonl.gz").write_bytes(gzip.compress(text))
    assert read_rows(tmp_path / "rows.jsonl.gz") == []


def test_what_rows_have_in_common_is_written_once(tmp_path):
    write_rows(tmp_path / "rows.jsonl.gz", [row(seed) for seed in range(5)])
    head, *lines = gzip.decompress((tmp_path / "rows.jsonl.gz").read_bytes()).splitlines()
    assert json.loads(head)["shared"] == [{"python": "3.12", "machine": {"cores": 2}}]
    assert len(json.loads(head)["settings"]) == 1
    assert len(lines) == 5


@pytest.mark.parametrize("text", ["", "no json", '{"format": "another"}', "[1]"])
def test_other_files_are_refused_by_name(tmp_path, text):
    (tmp_path / "rows.jsonl.gz").write_bytes(gzip.compress(text.encode()) if text else b"")
    with pytest.raises(StoreError, match=r"rows\.jsonl\.gz"):
        read_rows(tmp_path / "rows.jsonl.gz")


def test_an_earlier_file_hides_the_cells_that_it_has_and_keeps_all_of_its_own(tmp_path):
    first = [row(0)._replace(settings={"n_features": k}, curves={}) for k in (5, 10)]
    second = [row(seed)._replace(settings={"n_features": 50}, curves={}) for seed in (0, 1)]
    paths = [tmp_path / name for name in ("a.jsonl.gz", "b.jsonl.gz", "absent.sqlite")]
    write_rows(paths[0], first)
    write_rows(paths[1], second)
    assert [(one.seed, one.settings["n_features"]) for one in rows_of(paths)] == [(0, 5), (0, 10), (1, 50)]


def test_every_run_of_a_locked_half_stays_on_record(tmp_path):
    def locked(day, experiment="honesty-locked"):
        return row(0, code="abc", finished_at=day)._replace(experiment=experiment, curves={})

    new, old = tmp_path / "new.jsonl.gz", tmp_path / "old.jsonl.gz"
    write_rows(new, [locked("Wednesday")])
    write_rows(old, [locked("Tuesday"), locked("Monday", "honesty-locked/earlier")])
    record = [
        ("honesty-locked", "Wednesday"),
        ("honesty-locked/earlier", "Tuesday"),
        ("honesty-locked/earlier", "Monday"),
    ]

    def runs(*paths):
        return [(one.experiment, one.provenance["finished_at"]) for one in rows_of(paths)]

    assert runs(new, old) == record
    write_rows(new, rows_of([new, old]))
    assert runs(new, old) == record  # nothing is there twice


def test_runs_of_a_locked_half_that_are_not_shown_are_kept_once():
    shown = row(0)._replace(experiment="accuracy-locked", profile="paper")
    other = row(0)._replace(experiment="accuracy-locked", profile="quick")
    earlier, open_half = other._replace(experiment="accuracy-locked/earlier"), row(1)
    assert worth_keeping([shown], [other, shown, earlier, open_half]) == [shown, other, earlier]
