"""Results in one SQLite file: a row for each trial, written as it ends, safe to stop and to share.

There are three tables. `results` holds the result of each trial, under the hash of its spec and of the code that it
ran. `plans` says which of them an experiment in a profile consists of now; it is rewritten when a run begins, so rows
of an earlier spec or of earlier code are never read beside later ones, and a trial that two profiles share is run once.
`claims` says who works on what, and until when.
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
_JSON = ("settings", "scores", "curves", "provenance")  # fields of a row that are stored as text
_KEYS = ("experiment", "dataset", "split", "method", "seed", "profile", "failed")
OF_A_TRIAL = ("code", "finished_at", "cpu_seconds", "warnings")  # provenance of one trial; many share the rest
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
    """The result of one trial."""

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
    """Rows in a SQLite file, which several processes may use at once.

    Parameters
    ----------
    path
        The file; it is created if it does not exist. While somebody uses it, SQLite keeps two more beside it, `-wal`
        and `-shm`.

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
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if found == 0 and tables - {"results", "plans", "claims"}:
                raise StoreError(f"{self.path} is a database of something else; choose another file.")
            connection.execute("PRAGMA journal_mode = WAL")
            if found == 0:
                connection.executescript(f"{_SCHEMA} PRAGMA user_version = {_FORMAT};")

    # ------------------------------------------------------------------------------------------------- reading

    def rows(self, experiment: str | None = None, profile: str | None = None) -> list[Row]:
        """Results in the order of the current plans: of one experiment, of one profile, or of all."""
        query = f"SELECT p.{', '.join(Row._fields)} FROM plans p JOIN results r USING (key)"
        query += " WHERE p.experiment = coalesce(?, p.experiment) AND profile = coalesce(?, profile)"
        with self._connection() as connection:
            found = connection.execute(f"{query} ORDER BY p.experiment, profile, place", (experiment, profile))
            return [_as_row(values) for values in found]

    def frame(self, experiment: str | None = None, profile: str | None = None) -> pd.DataFrame:
        """The same rows as a table: what names a row, `failed`, `seconds`, and a column for each score."""
        names = (*_KEYS, "seconds")
        records = [
            {**{name: getattr(row, name) for name in names}, **row.scores} for row in self.rows(experiment, profile)
        ]
        return pd.DataFrame(records, columns=None if records else pd.Index(names))

    def get(self, key: str) -> Row | None:
        """The result under a key, whether or not a plan contains it; its profile is empty."""
        columns = ", ".join("''" if name == "profile" else name for name in Row._fields)
        with self._connection() as connection:
            found = connection.execute(f"SELECT {columns} FROM results WHERE key = ?", (key,)).fetchone()
        return None if found is None else _as_row(found)

    def missing(self, keys: Iterable[str], *, or_failed: bool = False) -> list[str]:
        """The keys without a result; with `or_failed`, also those whose trial failed."""
        query = "SELECT 1 FROM results WHERE key = ?" + (" AND failed = ''" if or_failed else "")
        with self._connection() as connection:
            return [key for key in keys if connection.execute(query, (key,)).fetchone() is None]

    def failed(self, keys: Iterable[str]) -> list[str]:
        """The keys whose trial failed."""
        query = "SELECT 1 FROM results WHERE key = ? AND failed != ''"
        with self._connection() as connection:
            return [key for key in keys if connection.execute(query, (key,)).fetchone() is not None]

    def planned(self, experiment: str, profile: str) -> list[str]:
        """The keys of the trials that an experiment consists of now, run or not."""
        query = "SELECT key FROM plans WHERE experiment = ? AND profile = ? ORDER BY place"
        with self._connection() as connection:
            return [key for (key,) in connection.execute(query, (experiment, profile))]

    # ------------------------------------------------------------------------------------------------- writing

    def set_plan(self, experiment: str, profile: str, keys: Sequence[str]) -> None:
        """Say which trials an experiment consists of now; results of others stay in the file, unread."""
        values = [(experiment, profile, key, place) for place, key in enumerate(keys)]
        with self._writing() as connection:
            connection.execute("DELETE FROM plans WHERE experiment = ? AND profile = ?", (experiment, profile))
            connection.executemany("INSERT INTO plans VALUES (?, ?, ?, ?)", values)

    def put(self, key: str, row: Row) -> None:
        """Keep a result, in one transaction. A good result that is already there stays: it would be the same again."""
        fields = {name: _as_text(value) if name in _JSON else value for name, value in row._asdict().items()}
        values = [key, *(value for name, value in fields.items() if name != "profile")]
        with self._writing() as connection:
            connection.execute("DELETE FROM results WHERE key = ? AND failed != ''", (key,))
            connection.execute(f"INSERT OR IGNORE INTO results VALUES ({', '.join('?' * len(values))})", values)
            connection.execute("DELETE FROM claims WHERE key = ?", (key,))

    def drop(self, keys: Iterable[str]) -> None:
        """Forget results, so that their trials are run again."""
        with self._writing() as connection:
            connection.executemany("DELETE FROM results WHERE key = ?", [(key,) for key in keys])

    # -------------------------------------------------------------------------------------------------- claims

    def claim(self, keys: Sequence[str], owner: str) -> bool:
        """Claim all of these keys for `owner`; if somebody else holds one of them, claim none and return False.

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
        """Extend an owner's claims by `LEASE` seconds."""
        with self._writing() as connection:
            connection.execute("UPDATE claims SET expires = ? WHERE owner = ?", (time.time() + LEASE, owner))

    def release(self, owner: str, keys: Sequence[str] | None = None) -> None:
        """Give up what an owner has claimed: some keys, or all."""
        pairs = [(owner, None)] if keys is None else [(owner, key) for key in keys]
        with self._writing() as connection:
            connection.executemany("DELETE FROM claims WHERE owner = ? AND key = coalesce(?, key)", pairs)

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
        return "free some space and run again: what is stored stays, and the run continues from there."
    if "locked" in said or "busy" in said:
        return f"another process has been writing for {_BUSY:.0f} seconds; run again when it is done."
    if "not a database" in said or "malformed" in said:
        return "the file holds no results, or is damaged; choose another."
    return "check that the file and its directory can be written."


def _as_text(values: dict[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def _as_row(values: Sequence[Any]) -> Row:
    return Row(*(json.loads(v) if name in _JSON else v for name, v in zip(Row._fields, values, strict=True)))
