from unabases.training import rows_progress, training_progress, working

from .conftest import fit_ridge


def test_the_progress_bar_shows_label_steps_and_loss(capsys):
    with training_progress("a fit", total=57) as on_chunk:
        fit_ridge(steps=57, chunk=10, on_chunk=on_chunk)
    shown = capsys.readouterr().err
    assert "a fit" in shown
    assert "57/57" in shown
    assert "loss" in shown


def test_no_progress_bar_when_it_is_not_wanted(capsys):
    with training_progress("a fit", total=57, enabled=False) as on_chunk:
        assert on_chunk is None
    assert capsys.readouterr().err == ""


def test_rows_are_counted_if_that_is_wanted(capsys):
    for enabled in (True, False):
        with rows_progress("reading", 30, enabled=enabled) as on_rows:
            on_rows(20)
            on_rows(10)
        assert ("30/30" in capsys.readouterr().err) == enabled


def test_what_cannot_be_counted_is_shown_on_a_terminal_alone(capsys, monkeypatch):
    for terminal, enabled in ((True, True), (True, False), (False, True)):
        monkeypatch.setenv("FORCE_COLOR", "1" if terminal else "")
        with working("last layers", enabled=enabled):
            pass
        assert ("last layers" in capsys.readouterr().err) == (terminal and enabled)
