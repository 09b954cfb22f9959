import io

from rich.console import Console
from rich.progress import Progress

from unabases.selection.progress import SearchProgress


def shown(monkeypatch, enabled):
    out = io.StringIO()
    real = Progress.__init__
    console = Console(file=out, width=120)
    monkeypatch.setattr(Progress, "__init__", lambda self, *a, **k: real(self, *a, **{**k, "console": console}))
    with SearchProgress("Search", 5, enabled=enabled) as bar:
        bar.advance(2, None)
        bar.advance(3, -1.25)
    return out.getvalue()


def test_it_shows_trials_done_and_the_best_value(monkeypatch):
    text = shown(monkeypatch, enabled=True)
    assert "Search" in text
    assert "5/5" in text
    assert "best log-likelihood -1.25" in text


def test_it_is_silent_unless_enabled(monkeypatch):
    assert shown(monkeypatch, enabled=False).strip() == ""
