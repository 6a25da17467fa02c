"""Why one memory came back for a query, or why it did not."""

from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np
from sqlalchemy import Connection

from afterword.pipeline.clock import iso, to_micros
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.memory import rows as memory_rows
from afterword.pipeline.domain.memory.model import Memory
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.errors import InvalidInputError, NotFoundError
from afterword.pipeline.recall.search import rows
from afterword.pipeline.recall.search.checks import check_scope
from afterword.pipeline.recall.search.explain import explanations
from afterword.pipeline.recall.search.fusion import position
from afterword.pipeline.recall.search.model import MAX_HITS, Explanation, Scope
from afterword.pipeline.recall.search.options import SearchOptions
from afterword.pipeline.recall.search.query import pieces, readable
from afterword.pipeline.recall.search.query_embedding import embed_query
from afterword.pipeline.recall.search.ranking import Ranking, rank, scores_in


@dataclass(frozen=True, slots=True)
class HitExplanation:
    """Where one memory came in a search, or why it did not.

    Args:
        rank: its position among all memories found, from 1; None where it was not found.
        found: how many memories the search found.
        reasons: what kept it out; empty where it was found.
        explanation: what each arm, term and shared asset gave it; None where it is not visible, or
            found by pieces of its text only.
    """

    memory: Memory
    rank: int | None
    found: int
    reasons: tuple[str, ...]
    explanation: Explanation | None


def why(
    store: Store,
    memory: str | int,
    query: str,
    scope: Scope = Scope(),  # noqa: B008  # frozen
    options: SearchOptions = SearchOptions(),  # noqa: B008  # frozen
    *,
    as_of: datetime | None = None,
) -> HitExplanation:
    """Explain one memory's place in a search, with the search's own arguments.

    Args:
        memory: its uid, or its id inside the store; deleted or not.

    Raises:
        NotFoundError: there is no such memory, or was none at that moment.
        InvalidInputError: the query is blank, or the scope or moment is wrong.
    """
    check_scope(scope)
    query = readable(query)
    if not query:
        raise InvalidInputError("query", "is blank", "what was searched for")
    vector = embed_query(query, store.name, options)
    with reading(store) as conn:
        moment = read_moment(conn, as_of)
        row = memory_rows.find(conn, memory)
        if row is None or (moment is not None and to_micros(row.known_at) > moment):
            raise NotFoundError(f"memory {memory!a} does not exist")
        (row,) = memory_rows.as_known(conn, [row], moment)
        ranking = rank(store, conn, query, vector, scope, options, moment)
        explained = _explain(conn, row, ranking, scope, moment)
        if not ranking.is_empty:
            return explained
        hits = rows.containing(conn, pieces(query), scope, moment, MAX_HITS)
        ids = [row_id for row_id, _ in hits]
        if row.id not in ids:
            return replace(explained, found=len(ids))
        return HitExplanation(row, ids.index(row.id) + 1, len(ids), (), None)


def _explain(
    conn: Connection, row: Memory, ranking: Ranking, scope: Scope, as_of: int | None
) -> HitExplanation:
    """Return what became of a memory in a ranking."""
    scores = scores_in(conn, ranking, scope, as_of)
    count = int((scores > 0).sum())
    if not ranking.visible[row.id]:
        return HitExplanation(row, None, count, _hidden_because(row, scope), None)
    (explanation,) = explanations(ranking, [row.id])
    reasons = [] if scores[row.id] else _not_found_because(conn, row, ranking, scope, as_of)
    return HitExplanation(row, position(scores, row.id), count, tuple(reasons), explanation)


def _hidden_because(row: Memory, scope: Scope) -> tuple[str, ...]:
    """Return why a row is not visible, by its own fields."""
    if row.deleted_at:
        return (f"it is deleted since {iso(row.deleted_at)}",)
    if scope.include_superseded:
        return ()
    by = "another memory" if row.superseded_by is None else f"memory {row.superseded_by}"
    since = (
        (f"{by} took its place at", row.superseded_at),
        ("what it was derived from no longer stands since", row.stale_at),
    )
    return tuple(f"{what} {iso(moment)}" for what, moment in since if moment)


def _not_found_because(
    conn: Connection, row: Memory, ranking: Ranking, scope: Scope, as_of: int | None
) -> list[str]:
    """Return why a visible row was not found."""
    reasons = []
    if not rows.some_in_scope(conn, np.array([row.id]), scope, as_of):
        reasons.append("it is not in the scope of the search (category, type, tags, session, time)")
    if ranking.matches is not None and not ranking.matches[row.id]:
        reasons.append("it does not meet the query's own conditions (phrase, AND, NOT, column)")
    if not any(arm.score[row.id] for arm in ranking.arms):
        reasons.append("neither it nor what stands beside it holds a term of the query")
    return reasons
