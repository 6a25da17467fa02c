"""Search memories by text; whatever the text, the answer is a list."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.memory.alive import read_moment
from afterword.pipeline.domain.memory.checks import check_limit
from afterword.pipeline.domain.vectors.rows import find_model
from afterword.pipeline.gateway.embedding.model import Embedder
from afterword.pipeline.recall.search import rows
from afterword.pipeline.recall.search.checks import check_scope
from afterword.pipeline.recall.search.explain import explanations
from afterword.pipeline.recall.search.model import MAX_HITS, ArmScores, Fusion, Hit, Scope
from afterword.pipeline.recall.search.query import pieces, readable
from afterword.pipeline.recall.search.query_embedding import PATIENCE_S, ask
from afterword.pipeline.recall.search.ranking import NEAREST, Ranking, best, rank
from afterword.pipeline.recall.search.substring import contain
from afterword.pipeline.recall.search.vectors import VectorIndex


def search(
    store: Store,
    query: str,
    *,
    limit: int = 20,
    category: str | None = None,
    type: str | None = None,
    tags: Sequence[str] = (),
    session_id: str | None = None,
    after: datetime | None = None,
    before: datetime | None = None,
    include_superseded: bool = False,
    typed: bool = False,
    as_of: datetime | None = None,
    explain: bool = False,
    fusion: Fusion = "scaled",
    embedder: Embedder | None = None,
    index: VectorIndex | None = None,
    patience_s: float = PATIENCE_S,
) -> list[Hit]:
    """Find memories, the most relevant first; deleted ones never.

    Args:
        query: any text; the first 500 characters are read. Empty: the memories made last.
        limit: up to `MAX_HITS`.
        category: with the next seven the scope, see `Scope`.
        as_of: find what stood at this moment, ranked by what was known then; aware.
        explain: say of each hit why it came where it came.
        embedder: asked for the question's vector; without one, or without an answer in time,
            words alone decide.
        index: this process's vectors of the store; made for this search alone if missing.
        patience_s: how long to wait for the question's vector; seconds.

    Raises:
        InvalidInputError: the scope, limit or moment is wrong; never because of the query.
    """
    check_limit(limit, MAX_HITS)
    scope = Scope(category, type, tags, session_id, after, before, include_superseded, typed)
    check_scope(scope)
    asked = readable(query)
    vector = ask(embedder, asked, store.name, patience_s)
    with reading(store) as conn:
        moment = read_moment(conn, as_of)
        if not asked:
            return [Hit(row, 0, 0) for row in rows.newest(conn, scope, moment, limit)]
        similar = near(conn, embedder, vector, moment, index)
        found = rank(store, conn, asked, include_superseded, moment, fusion, similar)
        if found.is_empty:
            return _by_pieces(conn, asked, scope, moment, limit)
        return _hits(conn, found, best(conn, found, scope, moment, limit), moment, explain)


def near(
    conn: Connection,
    embedder: Embedder | None,
    vector: bytes | None,
    as_of: int | None,
    index: VectorIndex | None,
) -> ArmScores | None:
    """Return what is near a question in meaning; None where there is no vector to compare."""
    if embedder is None or vector is None:
        return None
    model_id = find_model(conn, embedder)
    if model_id is None:
        return None
    return (index or VectorIndex()).similar(conn, model_id, vector, as_of, NEAREST)


def _by_pieces(
    conn: Connection, asked: str, scope: Scope, as_of: int | None, limit: int
) -> list[Hit]:
    found = contain(conn, pieces(asked), scope, as_of, limit)
    memories = rows.read(conn, [row_id for row_id, _ in found], as_of)
    return [
        Hit(memory, held, held / found[0][1])
        for memory, (_, held) in zip(memories, found, strict=True)
    ]


def _hits(
    conn: Connection, found: Ranking, ids: list[int], as_of: int | None, explain: bool
) -> list[Hit]:
    memories = rows.read(conn, ids, as_of)  # those that are there, whatever was known of them
    ids = [memory.id for memory in memories]
    scores = [float(found.score[row_id]) for row_id in ids]
    reasons = explanations(found, ids) if explain else [None] * len(ids)
    return [
        Hit(memory, score, score / scores[0], reason)
        for memory, score, reason in zip(memories, scores, reasons, strict=True)
    ]
