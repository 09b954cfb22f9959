"""Results in one SQLite file: a row for each trial, written as it ends, safe to stop and to share.

Three tables. `results` holds what a trial gave, under the hash of its spec and of the code that it ran. `plans` says
which of them an experiment in a profile consists of now: it is rewritten when a run begins, so that rows of an earlier
spec or of earlier code are never read beside later ones, and a trial that two profiles have in common is run once.
`claims` says who is at work on what, until when.
"""

import contextlib
import json
import os
import socket
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

DEFAULT_STORE = Path("reproduction/results.sqlite")
LEASE = 60.0  # seconds for which a claim holds unless it is renewed
_BUSY = 30.0  # seconds to wait for another process that is writing
_FORMAT = 1  # of the file
_KEYS = ("experiment", "dataset", "split", "method", "seed", "profile", "failed")
OF_A_TRIAL = ("code", "finished_at", "cpu_seconds", "warnings")  # of provenance; the rest many trials have in common
_SCHEMA = """
CREATE TABLE IF NOT EXISTS results (
    key TEXT PRIMARY KEY, experiment TEXT NOT NULL, dataset TEXT NOT NULL, split INTEGER NOT NULL, method TEXT NOT NULL,
    seed INTEGER NOT NULL, settings TEXT NOT NULL, failed TEXT NOT NULL, scores TEXT NOT NULL, curves TEXT NOT NULL,
    seconds REAL NOT NULL, provenance TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS plans (
    experiment TEXT NOT NULL, profile TEXT NOT NULL, key TEXT NOT NULL, place INTEGER NOT NULL,
    PRIMARY KEY (experiment, profile, key)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS claims (key TEXT PRIMARY KEY, owner TEXT NOT NULL, expires REAL NOT NULL) WITHOUT ROWID;
"""


class StoreError(RuntimeError):
    """The file of results cannot be read or written; the message says what to do."""


class Row(NamedTuple):
    """What one trial gave."""

    experiment: str
    dataset: str
    split: int
    method: str
    seed: int
    settings: dict[str, Any]
    """Every parameter of the model as it was fitted, those that a search chose included."""
    profile: str
    failed: str
    """Why there are no scores; empty when all went well."""
    scores: dict[str, float]
    curves: dict[str, Any]
    """Lists to draw, by name."""
    seconds: float
    provenance: dict[str, Any]
    """Versions of the code and of packages, the machine, warnings, and when it ended."""


class ResultStore:
    """Rows in a SQLite file, which is made when it is absent; several processes may use it at once.

    Parameters
    ----------
    path
        The file. Beside it SQLite keeps two more, `-wal` and `-shm`, while somebody uses it.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     store = ResultStore(Path(directory) / "results.sqlite")
    ...     store.set_plan("demo", "tiny", ["a", "b"])
    ...     store.put("a", Row("demo", "toy", 0, "GP", 0, {}, "", "", {"rmse": 1.5}, {}, 0.1, {}))
    ...     store.frame("demo")[["method", "rmse"]].to_dict("records"), store.missing(["a", "b"])
    ([{'method': 'GP', 'rmse': 1.5}], ['b'])
    """

    def __init__(self, path: str | os.PathLike[str]):
        self.path = Path(path)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"cannot make the directory of {self.path} ({error}); choose another place.") from error
        with self._connection() as connection:
            (found,) = connection.execute("PRAGMA user_version").fetchone()
            if found not in (0, _FORMAT):
                raise StoreError(f"{self.path} has format {found}, this version reads {_FORMAT}; choose another file.")
            connection.execute("PRAGMA journal_mode = WAL")
            if found == 0:
                connection.executescript(f"{_SCHEMA} PRAGMA user_version = {_FORMAT};")

    # ------------------------------------------------------------------------------------------------- reading

    def rows(self, experiment: str | None = None, profile: str | None = None) -> list[Row]:
        """Results of the plans made last, in their order: of one experiment, of one profile, or of all."""
        with self._connection() as connection:
            found = connection.execute(
                "SELECT p.experiment, dataset, split, method, seed, settings, profile, failed, scores, curves, "
                "seconds, provenance FROM plans p JOIN results r USING (key) "
                "WHERE p.experiment = coalesce(?, p.experiment) AND profile = coalesce(?, profile) "
                "ORDER BY p.experiment, profile, place",
                (experiment, profile),
            ).fetchall()
        return [_as_row(*values) for values in found]

    def frame(self, experiment: str | None = None, profile: str | None = None) -> pd.DataFrame:
        """The same as a table: what names a row, `failed`, `seconds`, and a column for each score."""
        records = [
            {**{name: getattr(row, name) for name in _KEYS}, "seconds": row.seconds, **row.scores}
            for row in self.rows(experiment, profile)
        ]
        return pd.DataFrame(records, columns=None if records else pd.Index([*_KEYS, "seconds"]))

    def get(self, key: str) -> Row | None:
        """The result under a key, whether or not it is part of a plan; its profile is then empty."""
        with self._connection() as connection:
            found = connection.execute(
                "SELECT experiment, dataset, split, method, seed, settings, '', failed, scores, curves, seconds, "
                "provenance FROM results WHERE key = ?",
                (key,),
            ).fetchone()
        return None if found is None else _as_row(*found)

    def missing(self, keys: Iterable[str], *, or_failed: bool = False) -> list[str]:
        """Those of the keys without a result, or, on demand, with one that says that the trial failed."""
        query = "SELECT 1 FROM results WHERE key = ?" + (" AND failed = ''" if or_failed else "")
        with self._connection() as connection:
            return [key for key in keys if connection.execute(query, (key,)).fetchone() is None]

    def failed(self, keys: Iterable[str]) -> list[str]:
        """Those of the keys whose trial failed."""
        query = "SELECT 1 FROM results WHERE key = ? AND failed != ''"
        with self._connection() as connection:
            return [key for key in keys if connection.execute(query, (key,)).fetchone() is not None]

    # ------------------------------------------------------------------------------------------------- writing

    def set_plan(self, experiment: str, profile: str, keys: Sequence[str]) -> None:
        """Say of which trials an experiment consists now; results of others stay in the file, unread."""
        values = [(experiment, profile, key, place) for place, key in enumerate(keys)]
        with self._writing() as connection:
            connection.execute("DELETE FROM plans WHERE experiment = ? AND profile = ?", (experiment, profile))
            connection.executemany("INSERT INTO plans VALUES (?, ?, ?, ?)", values)

    def put(self, key: str, row: Row) -> None:
        """Keep a result, in one transaction. What is there and went well stays, as a trial gives the same again."""
        values = (
            *(key, row.experiment, row.dataset, row.split, row.method, row.seed, _as_text(row.settings), row.failed),
            *(_as_text(row.scores), _as_text(row.curves), row.seconds, _as_text(row.provenance)),
        )
        with self._writing() as connection:
            connection.execute("DELETE FROM results WHERE key = ? AND failed != ''", (key,))
            connection.execute(f"INSERT OR IGNORE INTO results VALUES ({', '.join('?' * len(values))})", values)
            connection.execute("DELETE FROM claims WHERE key = ?", (key,))

    def drop(self, keys: Iterable[str]) -> None:
        """Forget results, so that they are made anew."""
        with self._writing() as connection:
            connection.executemany("DELETE FROM results WHERE key = ?", [(key,) for key in keys])

    # -------------------------------------------------------------------------------------------------- claims

    def claim(self, keys: Sequence[str], owner: str) -> bool:
        """Say that `owner` works on all of these, unless one of them is somebody else's: then on none.

        A claim ends with its result, with `release`, after `LEASE` seconds without `renew`, or with its owner's
        process if that ran on this machine.
        """
        now = time.time()
        with self._writing() as connection:
            for key in keys:
                held = connection.execute("SELECT owner, expires FROM claims WHERE key = ?", (key,)).fetchone()
                if held is not None and held[0] != owner and held[1] > now and _may_live(held[0]):
                    return False
            connection.executemany(
                "INSERT OR REPLACE INTO claims VALUES (?, ?, ?)", [(key, owner, now + LEASE) for key in keys]
            )
        return True

    def renew(self, owner: str) -> None:
        """Let an owner's claims hold for another `LEASE` seconds."""
        with self._writing() as connection:
            connection.execute("UPDATE claims SET expires = ? WHERE owner = ?", (time.time() + LEASE, owner))

    def release(self, owner: str, keys: Sequence[str] | None = None) -> None:
        """Give up what an owner has claimed: some keys, or all."""
        with self._writing() as connection:
            if keys is None:
                connection.execute("DELETE FROM claims WHERE owner = ?", (owner,))
            else:
                pairs = [(owner, key) for key in keys]
                connection.executemany("DELETE FROM claims WHERE owner = ? AND key = ?", pairs)

    # --------------------------------------------------------------------------------------------------- parts

    @contextlib.contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """A connection of its own for each use: none is shared by threads, none stays open."""
        try:
            connection = sqlite3.connect(self.path, timeout=_BUSY, isolation_level=None)
            try:
                connection.execute("PRAGMA synchronous = FULL")
                yield connection
            finally:
                connection.close()
        except sqlite3.Error as error:
            raise StoreError(f"{self.path}: {error}; {_advice(error)}") from error

    @contextlib.contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that is kept whole or not at all."""
        with self._connection() as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection  # an error on the way closes the connection, which undoes what was begun
            connection.execute("COMMIT")


def new_owner() -> str:
    """A name for whoever claims: where it runs, as which process, and since when."""
    return f"{socket.gethostname()} {os.getpid()} {time.time_ns()}"


def _may_live(owner: str) -> bool:
    """False when the owner's process is known to have ended."""
    host, pid, _ = owner.rsplit(" ", 2)
    if host != socket.gethostname() or os.name != "posix":
        return True
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True


def _advice(error: sqlite3.Error) -> str:
    said = str(error)
    if "full" in said:
        return "free some space and run again: what is stored stays, and the run goes on from there."
    if "locked" in said or "busy" in said:
        return f"another process has been writing for {_BUSY:.0f} seconds; run again when it is done."
    if "not a database" in said or "malformed" in said:
        return "the file is not one of results, or damaged; choose another."
    return "check that the file and its directory can be written."


def _as_text(values: dict[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def _as_row(experiment, dataset, split, method, seed, settings, profile, failed, scores, curves, seconds, provenance):
    return Row(
        *(experiment, dataset, split, method, seed, json.loads(settings), profile, failed, json.loads(scores)),
        *(json.loads(curves), seconds, json.loads(provenance)),
    )
