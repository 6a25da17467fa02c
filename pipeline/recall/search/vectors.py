"""Find the memories nearest a query in meaning: exactly while they are few, then by an index.

The index only proposes candidates. sqlite-vec compares them inside the reader's own transaction,
so the answer is right for a row that was deleted, superseded or restored a moment ago.
"""

import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import UnavailableError
from afterword.pipeline.recall.search import vector_rows
from afterword.pipeline.recall.search.model import ArmScores
from afterword.pipeline.recall.search.vector_codes import VectorCodes, Vectors
from afterword.pipeline.recall.search.vector_extension import load_extension

EXACT_ROWS: Final = 1_000
"""Rows up to which every one is compared: 2 us a row of 384 numbers, and no memory is used."""

_READ_AT_ONCE: Final = 4_096
"""Vectors read at once while an index is built."""

SPARE: Final = 1.25
"""Candidates compared per row wanted: the order of the bytes is only nearly the exact one."""

LET_THROUGH: Final = 16
"""Rows that pass the bits, per row wanted."""

LEAST_THROUGH: Final = 3_200
SHARE_THROUGH: Final = 32
"""Rows that pass the bits at least: so many, or one of 32, whichever is more.

Of the exact first 20 among 100,000 rows shaped like e5's, 1,600 keep 97.8 %, 3,200 keep 99.3 %.
"""

_MOST_INDEX_BYTES: Final = 1 << 30
"""Bytes one index may use: 2.3 million vectors of 384 numbers."""

Similarity = Callable[..., ArmScores]
"""`vector_rows.similarity` to one query, of some memories or of all."""

_NOTHING: Final = ArmScores(np.empty(0, np.int64), np.empty(0, np.float64))


class VectorIndex:
    """The vectors of one store as one process searches them; threads may share it.

    Args:
        most_bytes: bytes its index may use; a store whose vectors need more is searched by words.
        few: rows up to which there is no index.
    """

    def __init__(self, most_bytes: int = _MOST_INDEX_BYTES, few: int = EXACT_ROWS) -> None:
        self._most_bytes, self._few = most_bytes, few
        self._lock = threading.Lock()
        self._codes: VectorCodes | None = None
        self._key = (0, 0)
        self._seen = 0
        self._too_large = False
        self._emitted: set[str] = set()

    @property
    def nbytes(self) -> int:
        """Return the bytes the index uses, 0 while there is none."""
        codes = self._codes
        return 0 if codes is None else codes.nbytes

    def similar(
        self,
        conn: Connection,
        model_id: int,
        query_vector: bytes,
        as_of: int | None,
        most: int,
        also: Sequence[int] | NDArray[np.int64] = (),
    ) -> ArmScores:
        """Return the cosine similarity of the rows nearest a query, best first.

        Damaged or missing vectors only make the answer shorter: a search has words too.

        Args:
            model_id: the model that made the vectors.
            query_vector: the query's vector by the same model, little-endian float32.
            as_of: compare the rows visible at this moment, and nothing later; microseconds.
            most: how many of the nearest; where rows are few, all of them are returned.
            also: further memories to compare, though they may not be near.
        """
        query = np.frombuffer(query_vector, "<f4")
        length = np.linalg.norm(query)
        if not 0 < length < np.inf:
            return _NOTHING
        try:
            load_extension(conn)
            similarity = partial(vector_rows.similarity, conn, model_id, query_vector, as_of)
            with self._lock:
                codes = self._current(conn, model_id, len(query))
            if codes is None:
                return _ordered(similarity())
            near = self._nearest(codes, query / length, as_of, most, similarity)
            others = np.setdiff1d(np.asarray(also, np.int64), near.ids) if len(also) else None
            return _ordered(near if others is None else _joined(near, similarity(others)))
        except UnavailableError as error:
            self._emit_once(str(error))
        except DBAPIError as error:  # a table that is missing or damaged
            self._emit_once(str(error.orig))
        return _NOTHING

    def _nearest(
        self,
        codes: VectorCodes,
        query: Vectors,
        as_of: int | None,
        most: int,
        similarity: Similarity,
    ) -> ArmScores:
        """Compare more and more candidates, until enough of them are visible."""
        with self._lock:
            known = codes.size if as_of is None else codes.known_until(as_of)
        wanted = int(most * SPARE)
        if known <= self._few:  # as it was searched at that moment
            wanted = most = known
        while True:
            with self._lock:
                candidates = self._candidates(codes, query, as_of, wanted)
            scores = similarity(
                np.unique(candidates)
            )  # a row that was embedded again is there twice
            if len(scores.ids) >= most or wanted >= known:
                scores = _ordered(scores)
                return ArmScores(scores.ids[:most], scores.scores[:most])
            wanted *= 2

    def _candidates(
        self, codes: VectorCodes, query: Vectors, as_of: int | None, wanted: int
    ) -> NDArray[np.int64]:
        if as_of is not None:
            return codes.nearest_at(query, wanted, as_of)
        through = max(LEAST_THROUGH, codes.size // SHARE_THROUGH, LET_THROUGH * wanted)
        return codes.nearest(query, wanted, through)

    def _current(self, conn: Connection, model_id: int, dimensions: int) -> VectorCodes | None:
        """Return the index, extended to what this transaction sees; None where rows are few."""
        key = (model_id, dimensions)
        if self._key != key:
            self._key, self._codes, self._seen, self._too_large = key, None, 0, False
        if self._too_large:
            raise self._refusal()
        newest = vector_rows.newest(conn)
        if self._codes is not None and newest <= self._seen:
            return self._codes  # also for a transaction older than the index: it compares again
        if self._codes is None:
            if vector_rows.count(conn, model_id, self._few + 1) <= self._few:
                return None
            self._seen = 0
        codes = self._codes or VectorCodes(dimensions, room=vector_rows.count(conn, model_id))
        while stored := vector_rows.after(conn, model_id, dimensions, self._seen, _READ_AT_ONCE):
            codes.add(stored.ids, stored.known_at, stored.vectors)
            self._seen = stored.number
            if codes.nbytes > self._most_bytes:
                # An index that was extended may contain removed rows; one just made does not.
                self._too_large, self._codes = self._codes is None, None
                raise self._refusal()
        self._codes, self._seen = codes, max(self._seen, newest)
        return codes

    def _refusal(self) -> UnavailableError:
        return UnavailableError(
            f"an index of the vectors needs more than {self._most_bytes >> 20} MB; raise "
            "AFTERWORD_RECALL_INDEX_MB"
        )

    def _emit_once(self, reason: str) -> None:
        if reason not in self._emitted:
            self._emitted.add(reason)
            emit("vectors.failed", reason=reason)


def _joined(some: ArmScores, others: ArmScores) -> ArmScores:
    return ArmScores(
        np.concatenate((some.ids, others.ids)), np.concatenate((some.scores, others.scores))
    )


def _ordered(scores: ArmScores) -> ArmScores:
    order = np.lexsort((scores.ids, -scores.scores))
    return ArmScores(scores.ids[order], scores.scores[order])
