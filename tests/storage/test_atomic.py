import os
import stat
import sys

import pytest

from unabases.storage import atomic, write_whole

posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX file modes and links")


def test_writes_and_replaces(tmp_path):
    path = tmp_path / "file"
    for data in (b"old, and longer", b"new"):
        write_whole(path, data)
        assert path.read_bytes() == data
        assert os.listdir(tmp_path) == ["file"]


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize("error", [OSError("disk full"), KeyboardInterrupt()], ids=["OSError", "interrupt"])
def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, step, error):
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def fail(*args):
        raise error

    monkeypatch.setattr(atomic.os, step, fail)
    with pytest.raises(type(error)):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["file"]


def test_bytes_reach_the_disk_before_the_name(tmp_path, monkeypatch):
    calls = []
    fsync, replace = os.fsync, os.replace
    monkeypatch.setattr(atomic.os, "fsync", lambda fd: (calls.append("fsync"), fsync(fd)))
    monkeypatch.setattr(atomic.os, "replace", lambda a, b: (calls.append("replace"), replace(a, b)))
    write_whole(tmp_path / "file", b"new")
    assert calls[:2] == ["fsync", "replace"]


@posix
def test_a_new_file_follows_the_umask_and_an_old_one_keeps_its_mode(tmp_path):
    path = tmp_path / "file"
    old = os.umask(0o027)
    try:
        write_whole(path, b"new")
    finally:
        os.umask(old)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    path.chmod(0o604)
    write_whole(path, b"newer")
    assert stat.S_IMODE(path.stat().st_mode) == 0o604


@posix
def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "models").mkdir()
    link, target = tmp_path / "latest", tmp_path / "models" / "one"
    target.write_bytes(b"old")
    link.symlink_to(target)
    write_whole(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


@posix
def test_a_pipe_stays_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="no ordinary file"):
        write_whole(tmp_path / "pipe", b"data")
    assert stat.S_ISFIFO(os.stat(tmp_path / "pipe").st_mode)
    assert os.listdir(tmp_path) == ["pipe"]


def test_a_file_that_is_read_only_is_not_replaced(tmp_path, monkeypatch):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    monkeypatch.setattr(atomic.os, "access", lambda path, mode: False)  # which root never sees
    with pytest.raises(PermissionError, match="it is read-only"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["file"]
