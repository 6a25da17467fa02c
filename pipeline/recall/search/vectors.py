"""Which memories are near a question in meaning: exactly while they are few, by an index beyond.

The index only proposes. What it proposes is compared by sqlite-vec inside the reader's own
transaction, so a row that was deleted, superseded or restored a moment ago is never wrong.
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

FEW: Final = 1_000
"""Rows up to which each one is compared: 2 us a row of 384 numbers, and nothing is held."""

AT_ONCE: Final = 4_096
"""Vectors read at once while an index is made."""

SPARE: Final = 1.25
"""Proposals compared for each one wanted: the order of the bytes is only nearly the exact one."""

LET_THROUGH: Final = 16
"""Rows the bits let through for each one wanted."""

LEAST_THROUGH: Final = 3_200
SHARE_THROUGH: Final = 32
"""Rows the bits let through at least: so many, or one of 32, whichever is more.

Of the exact first 20 among 100,000 rows shaped like e5's, 1,600 keep 97.8 %, 3,200 keep 99.3 %.
"""

MOST_BYTES: Final = 1 << 30
"""Memory one index may hold; 2.3 million vectors of 384 numbers."""

Like = Callable[..., ArmScores]
"""`vector_rows.like` of one question, for some memories or for all."""

NOTHING: Final = ArmScores(np.empty(0, np.int64), np.empty(0, np.float64))


class VectorIndex:
    """The vectors of one store as one process searches them; threads may share it.

    Args:
        most_bytes: memory its index may hold; a store whose vectors need more is searched by words.
        few: rows up to which there is no index.
    """

    def __init__(self, most_bytes: int = MOST_BYTES, few: int = FEW) -> None:
        self._most_bytes, self._few = most_bytes, few
        self._lock = threading.Lock()
        self._codes: VectorCodes | None = None
        self._key = (0, 0)
        self._seen = 0
        self._too_large = False
        self._told: set[str] = set()

    @property
    def nbytes(self) -> int:
        """Return the memory the index holds; bytes, 0 while there is none."""
        codes = self._codes
        return 0 if codes is None else codes.nbytes

    def similar(
        self,
        conn: Connection,
        model_id: int,
        asked: bytes,
        as_of: int | None,
        most: int,
        also: Sequence[int] | NDArray[np.int64] = (),
    ) -> ArmScores:
        """Return the cosine similarity of the rows nearest a question, best first.

        Whatever is wrong with the vectors, the answer is only shorter: a search has words too.

        Args:
            model_id: whose vectors are compared.
            asked: the question's vector by the same model, little-endian float32.
            as_of: rows that stood at this moment, and nothing later; microseconds.
            most: how many of the nearest; where there are few, all of them come.
            also: memories whose similarity is wanted though they may not be near.
        """
        question = np.frombuffer(asked, "<f4")
        length = np.linalg.norm(question)
        if not 0 < length < np.inf:
            return NOTHING
        try:
            load_extension(conn)
            like = partial(vector_rows.like, conn, model_id, asked, as_of)
            with self._lock:
                codes = self._current(conn, model_id, len(question))
            if codes is None:
                return _ordered(like())
            near = self._nearest(codes, question / length, as_of, most, like)
            others = np.setdiff1d(np.asarray(also, np.int64), near.ids) if len(also) else None
            return _ordered(near if others is None else _joined(near, like(others)))
        except UnavailableError as error:
            self._tell_once(str(error))
        except DBAPIError as error:  # a table that is missing or damaged
            self._tell_once(str(error.orig))
        return NOTHING

    def _nearest(
        self, codes: VectorCodes, asked: Vectors, as_of: int | None, most: int, like: Like
    ) -> ArmScores:
        """Compare what the index proposes, until enough of it stands."""
        with self._lock:
            known = codes.size if as_of is None else codes.known_until(as_of)
        wanted = int(most * SPARE)
        if known <= self._few:  # as it was searched at that moment
            wanted = most = known
        while True:
            with self._lock:
                proposed = self._proposed(codes, asked, as_of, wanted)
            found = like(np.unique(proposed))  # a vector that was made again is in there twice
            if len(found.ids) >= most or wanted >= known:
                found = _ordered(found)
                return ArmScores(found.ids[:most], found.scores[:most])
            wanted *= 2

    def _proposed(
        self, codes: VectorCodes, asked: Vectors, as_of: int | None, wanted: int
    ) -> NDArray[np.int64]:
        if as_of is not None:
            return codes.nearest_at(asked, wanted, as_of)
        through = max(LEAST_THROUGH, codes.size // SHARE_THROUGH, LET_THROUGH * wanted)
        return codes.nearest(asked, wanted, through)

    def _current(self, conn: Connection, model_id: int, dimensions: int) -> VectorCodes | None:
        """Return the index with all that this transaction sees; None where the rows are few."""
        key = (model_id, dimensions)
        if self._key != key:
            self._key, self._codes, self._seen, self._too_large = key, None, 0, False
        if self._too_large:
            raise self._refusal()
        newest = vector_rows.newest(conn)
        if self._codes is not None and newest <= self._seen:
            return self._codes  # also for a transaction that began before what is known here
        if self._codes is None:
            if vector_rows.count(conn, model_id, self._few + 1) <= self._few:
                return None
            self._seen = 0
        codes = self._codes or VectorCodes(dimensions, room=vector_rows.count(conn, model_id))
        while stored := vector_rows.after(conn, model_id, dimensions, self._seen, AT_ONCE):
            codes.add(stored.ids, stored.known_at, stored.vectors)
            self._seen = stored.number
            if codes.nbytes > self._most_bytes:
                # What was extended may hold rows that are gone; what was just made does not.
                self._too_large, self._codes = self._codes is None, None
                raise self._refusal()
        self._codes, self._seen = codes, max(self._seen, newest)
        return codes

    def _refusal(self) -> UnavailableError:
        return UnavailableError(
            f"an index of the vectors needs more than {self._most_bytes >> 20} MB; raise "
            "AFTERWORD_RECALL_INDEX_MB"
        )

    def _tell_once(self, reason: str) -> None:
        if reason not in self._told:
            self._told.add(reason)
            emit("vectors.failed", reason=reason)


def _joined(some: ArmScores, others: ArmScores) -> ArmScores:
    return ArmScores(
        np.concatenate((some.ids, others.ids)), np.concatenate((some.scores, others.scores))
    )


def _ordered(found: ArmScores) -> ArmScores:
    order = np.lexsort((found.ids, -found.scores))
    return ArmScores(found.ids[order], found.scores[order])
