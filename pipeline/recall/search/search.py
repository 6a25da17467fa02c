"""Search memories by text; whatever the text, the answer is a list."""

from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.memory.checks import check_limit
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.recall.search import rows
from afterword.pipeline.recall.search.checks import check_relevance, check_scope
from afterword.pipeline.recall.search.explain import explanations
from afterword.pipeline.recall.search.model import MAX_HITS, Hit, Scope
from afterword.pipeline.recall.search.options import SearchOptions
from afterword.pipeline.recall.search.query import pieces, readable
from afterword.pipeline.recall.search.query_embedding import embed_query
from afterword.pipeline.recall.search.ranking import Ranking, best, rank


def search(
    store: Store,
    query: str,
    scope: Scope = Scope(),  # noqa: B008  # frozen
    options: SearchOptions = SearchOptions(),  # noqa: B008  # frozen
    *,
    as_of: datetime | None = None,
    after: tuple[int, int] | None = None,
) -> list[Hit]:
    """Find memories, the most relevant first; deleted ones never.

    Args:
        query: any text; the first 500 characters are read. Empty: the memories last updated.
        scope: which memories it may find.
        options: how many, how they are compared, and with what.
        as_of: find what was visible at this moment, ranked by what was known then; aware.
        after: the place of the last hit of the page before; see `recall.search.pages`. Without a
            query only.

    Raises:
        InvalidInputError: the scope, limit or moment is wrong; never because of the query.
    """
    check_limit(options.limit, MAX_HITS)
    check_relevance(options.min_relevance)
    check_scope(scope)
    query = readable(query)
    vector = embed_query(query, store.name, options)
    with reading(store) as conn:
        moment = read_moment(conn, as_of)
        if not query:
            newest = rows.newest(conn, scope, moment, options.limit, after)
            return [Hit(row, 0, 0) for row in newest]
        ranking = rank(store, conn, query, vector, scope, options, moment)
        if ranking.is_empty:
            return _by_pieces(conn, query, scope, options, moment)
        ids = best(conn, ranking, scope, options, moment)
        return _hits(conn, ranking, ids, options, moment)


def _by_pieces(
    conn: Connection, query: str, scope: Scope, options: SearchOptions, as_of: int | None
) -> list[Hit]:
    """Return the memories that contain pieces of a query no word of which is indexed."""
    wanted = pieces(query)
    counted = rows.containing(conn, wanted, scope, as_of, options.limit)
    memories = rows.read(conn, [row_id for row_id, _ in counted], as_of)
    hits = [
        Hit(memory, count, count / len(wanted))
        for memory, (_, count) in zip(memories, counted, strict=True)
    ]
    return [hit for hit in hits if hit.relevance >= options.min_relevance]


def _hits(
    conn: Connection, ranking: Ranking, ids: list[int], options: SearchOptions, as_of: int | None
) -> list[Hit]:
    memories = rows.read(conn, ids, as_of)  # an index may name a row that is gone for good
    ids = [memory.id for memory in memories]
    reasons = explanations(ranking, ids) if options.explain else [None] * len(ids)
    own = ranking.fits_itself
    return [
        Hit(
            memory,
            float(ranking.score[memory.id]),
            float(ranking.relevance[memory.id]),
            not own[memory.id],
            reason,
        )
        for memory, reason in zip(memories, reasons, strict=True)
    ]
