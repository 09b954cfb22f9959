"""Fit to rows that do not fit into memory: features from a sample, exact last layers from all rows."""

import abc
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

import numpy as np

from unabases import linear
from unabases.datasets.chunks import as_chunks
from unabases.datasets.row_sample import RowSample, SampledRows
from unabases.linear import Statistics
from unabases.regressors.networks.exact_layer import add_statistics
from unabases.regressors.networks.network import AbstractNetwork
from unabases.regressors.networks.on_dask import is_dask, predict_on_dask, sample_on_dask, statistics_on_dask
from unabases.regressors.shared.base import check_count
from unabases.regressors.shared.parameters import estimator
from unabases.regressors.shared.weights import WeightedRows, part_of
from unabases.training import on_all_cores, rows_progress

SAMPLE = 2**17  # rows that features are trained on
_BLOCK, _AT_ONCE = 2**14, 8  # rows whose features are held at once; blocks whose statistics are
_ROUNDING = 1e-9  # share of a sum of weights
_OFTEN = 60.0  # seconds between two calls of `on_part`

Streamed = TypeVar("Streamed", bound="AbstractStreamed")


@estimator
class AbstractStreamed(AbstractNetwork):
    """Learn from chunks of rows, in bounded memory.

    A regressor with exact last layers supplies `_designs_of` and `_set_statistics`.
    """

    def fit(self: Streamed, X: Any, y: Any, sample_weight: Any = None) -> Streamed:
        """Learn from data.

        Parameters
        ----------
        X
            Rows of shape (n, d): an array, or a table with columns of numbers, categories, text and dates. Values may
            be missing. A Dask table or array is learned from as by `fit_stream`, partition by partition.
        y
            Targets of shape (n,), or (n, p) for p outputs; a Dask collection if `X` is one.
        sample_weight
            How often each row counts, shape (n,): 2 is the row twice, 0 is no row. None for once each. A Dask
            collection if `X` is one.
        """
        if not is_dask(X):
            return super().fit(X, y, sample_weight)
        found = sample_on_dask(X, y, self._sample_size(None), _seed(self.random_state), sample_weight)
        self.fit(found.X, found.y, found.weight)
        if self.is_enough(found):
            return self
        return self.set_statistics(statistics_on_dask(self, X, y, sample_weight))

    def predict(self, X: Any, return_std: bool = False, return_cov: bool = False) -> Any:
        """Mean of y at each row, with the standard deviation or covariance of y (noise included) on demand.

        `predict_dist` tells the uncertainty of the model from the noise. Of a Dask table or array, every partition is
        predicted where it is, when the result is computed.

        Parameters
        ----------
        X
            Rows of shape (n, d): an array or a table, with the columns seen in `fit`.
        return_std
            Whether to return the standard deviation of y too.
        return_cov
            Whether to return the covariance of y between rows too; not together with `return_std`.

        Returns
        -------
        array, or tuple of two arrays
            The mean, of the shape of the targets; with what was asked for.
        """
        if is_dask(X) and not return_cov:
            return predict_on_dask(self, X, return_std)
        return super().predict(X, return_std, return_cov)

    def partial_fit(self: Streamed, X: Any, y: Any, sample_weight: Any = None) -> Streamed:
        """Learn from a part of the rows, which go on coming: `fit` at the first call, `update` at all later ones.

        So the first part decides the features, the scales and the variances, and should be typical of all rows. Later
        parts are added to the last layer exactly: the model is the same whether they come at once or one by one, but
        its features learn nothing more from them. Call `fit` to learn everything afresh.

        Parameters
        ----------
        X, y
            Rows and targets as `fit` takes them.
        sample_weight
            How often each row counts, shape (n,); None for once.

        Returns
        -------
        self
            The fitted model.

        Examples
        --------
        >>> from unabases import NeuralLinear
        >>> X = np.linspace(-1, 1, 60)[:, None]
        >>> model = NeuralLinear(max_steps=100, sigma2=0.01, random_state=0)
        >>> for start in range(3):
        ...     model = model.partial_fit(X[start::3], X[start::3, 0] ** 2)
        >>> model.rows_seen
        60
        """
        if self.__sklearn_is_fitted__():
            return self.update(X, y, sample_weight)
        return self.fit(X, y, sample_weight)

    @abc.abstractmethod
    def update(self: Streamed, X: Any, y: Any, sample_weight: Any = None) -> Streamed:
        """Add rows to the last layers, exactly."""

    def fit_stream(self: Streamed, chunks: Any, *, sample_rows: int | None = None) -> Streamed:
        """Learn from rows that come in chunks, however many there are, in bounded memory.

        Everything but the last layers is learned from a random sample of the rows, as `fit` does. Then the last layers
        are conditioned on all rows, exactly, in one more pass over the chunks. If there are at most `sample_rows` rows,
        this is `fit`. So it is for `UNA` if the sample has its `layer_rows`, with which its last layers are content.

        Parameters
        ----------
        chunks
            Pairs (X, y) of rows and their targets, as `fit` takes them, or triples (X, y, weight) that say how often
            each row counts. They are read twice; what can be read only once, such as a generator, is kept in a
            temporary file. `unabases.datasets.chunks_of` makes chunks from files, Arrow data sets and arrays on disk.
        sample_rows : int, optional
            Rows of the sample: by default 131,072, or `layer_rows` of `UNA` if these are more.

        Returns
        -------
        self
            The fitted model.

        Examples
        --------
        >>> from unabases import LUNA
        >>> rng = np.random.default_rng(0)
        >>> def read():
        ...     for _ in range(3):
        ...         X = rng.uniform(-1, 1, (1000, 1))
        ...         yield X, np.sin(3 * X[:, 0])
        >>> model = LUNA(max_steps=100, random_state=0).fit_stream(read(), sample_rows=500)
        >>> model.predict([[0.5]]).round(1).tolist()
        [1.0]
        """
        chunks = as_chunks(chunks)
        sample = RowSample(self._sample_size(sample_rows), seed=_seed(self.random_state))
        with self._progress("reading rows", chunks.rows) as on_rows:
            for X, y, *weight in chunks:
                sample.add(X, y, weight=weight[0] if weight else None)
                on_rows(len(X))
        found = sample.result()
        self.fit(found.X, found.y, found.weight)
        return self if self.is_enough(found) else self.refit_stream(chunks, found.seen)

    def refit_stream(
        self: Streamed,
        chunks: Any,
        rows: int | None = None,
        *,
        resume: bool = False,
        on_part: Callable[[Any], None] | None = None,
    ) -> Streamed:
        """Replace the last layers by those of other rows, which come in chunks; features and variances stay.

        Parameters
        ----------
        chunks
            Pairs (X, y) of rows and their targets, or triples (X, y, weight); they are read once.
        rows : int, optional
            How many rows there are, for the progress bar.
        resume : bool
            Whether the model has learned from the first of these chunks already, and goes on after them.
        on_part : callable, optional
            Called about once a minute with the model, which has then learned from all rows so far: to save it.
        """
        totals = self._statistics() if resume else None
        known, read, last = self._statistics()[0].n if resume else 0.0, 0.0, time.monotonic()
        with self._progress("last layers", rows) as on_rows:
            for X, y, *weight in chunks:
                own = weight[0] if weight else None
                read += len(y) if own is None else float(np.sum(own))
                on_rows(len(y))
                if resume and read <= known * (1 + _ROUNDING):
                    continue
                part = self.statistics_of(X, y, own)
                totals = part if totals is None else add_statistics(totals, part)
                if on_part is not None and time.monotonic() - last >= _OFTEN:
                    on_part(self.set_statistics(totals))
                    last = time.monotonic()
        if totals is None:
            raise ValueError("`chunks` is empty; a generator can be read only once.")
        return self.set_statistics(totals)

    def statistics_of(self, X: Any, y: Any, sample_weight: Any = None) -> list[Statistics]:
        """All that the last layers need to know about some rows; those of several chunks add up (`add_statistics`).

        A row of weight w counts as w rows.
        """
        Z, t, weight = self._new_rows(X, y, sample_weight)

        def sum_up(start: int) -> list[Statistics]:
            block = slice(start, start + _BLOCK)
            rows = WeightedRows(Z[block], t[block], part_of(weight, block))
            return [linear.accumulate(*design) for design in self._designs_of(rows)]

        totals: list[Statistics] = []
        for first in range(0, max(len(Z), 1), _AT_ONCE * _BLOCK):
            starts = range(first, max(min(len(Z), first + _AT_ONCE * _BLOCK), 1), _BLOCK)
            for part in on_all_cores(sum_up, starts, worthwhile=len(starts) > 1):
                totals = add_statistics(totals, part) if totals else part
        return totals

    def set_statistics(self: Streamed, statistics: Iterable[Statistics]) -> Streamed:
        """Make the last layers those of the rows with these statistics; features and variances stay."""
        self._set_statistics(list(statistics))
        return self

    @property
    def rows_seen(self) -> int:
        """How many rows the last layers have learned from; the sum of their weights, rounded, if they have any."""
        return round(self._statistics()[0].n)

    def is_enough(self, sample: SampledRows) -> bool:
        """Whether a model of this sample needs no other rows: it has all, or as many as its last layers ask for."""
        most = self._enough_rows()
        return len(sample.numbers) == sample.seen or (most is not None and len(sample.numbers) >= most)

    def _enough_rows(self) -> int | None:
        """Rows that last layers learn from at most; None for all."""
        return None

    def _sample_size(self, asked: int | None) -> int:
        if asked is not None:
            return check_count("sample_rows", asked, least=2)
        return max(SAMPLE, self._enough_rows() or 0)

    def _progress(self, label: str, rows: int | None) -> Any:
        return rows_progress(f"{type(self).__name__}: {label}", rows, enabled=bool(self.verbose))

    @abc.abstractmethod
    def _designs_of(self, rows: WeightedRows) -> Iterator[WeightedRows]:
        """Features, targets and weights of standardised rows, for each last layer."""

    @abc.abstractmethod
    def _statistics(self) -> list[Statistics]:
        """Those that each last layer was conditioned on."""

    @abc.abstractmethod
    def _set_statistics(self, statistics: list[Statistics]) -> None:
        """Condition each last layer on the rows with these statistics."""


def _seed(random_state: Any) -> int:
    return random_state if isinstance(random_state, int) else 0
