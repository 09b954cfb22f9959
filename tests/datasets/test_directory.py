from pathlib import Path

import platformdirs
import pytest

from unabases.datasets import data_dir, load_table


def test_argument_comes_before_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("UNABASES_DATA_DIR", "elsewhere")
    assert data_dir(tmp_path) == data_dir(str(tmp_path)) == tmp_path


def test_environment_comes_before_the_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("UNABASES_DATA_DIR", str(tmp_path))
    assert data_dir() == tmp_path


@pytest.mark.parametrize("value", [None, ""])
def test_cache_is_last_and_not_created(monkeypatch, tmp_path, value):
    if value is None:
        monkeypatch.delenv("UNABASES_DATA_DIR", raising=False)
    else:
        monkeypatch.setenv("UNABASES_DATA_DIR", value)
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda name: str(tmp_path / name))
    assert data_dir() == tmp_path / "unabases" / "data"
    assert not any(tmp_path.iterdir())


def test_home_is_expanded(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert data_dir("~/sets") == Path(tmp_path) / "sets"


def test_a_home_that_nobody_has_is_told():
    for use in (data_dir, lambda path: load_table(path, "price")):
        with pytest.raises(ValueError, match=r"the home directory in '~nobody.*' cannot be found"):
            use("~nobody-has-this-name/t.csv")
