"""The job `embed_memories`: get a vector for each text worth one, outside any transaction."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from afterword.pipeline.core.jobs.add import add_many
from afterword.pipeline.core.jobs.lease import Leases
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.vectors import rows as vector_rows
from afterword.pipeline.domain.vectors.rows import MEMORY_VECTORS, Embeddable, PendingText
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.embedding.model import Embedder

MIN_WORD_CHARACTERS: Final = 3
"""Letters and digits below which a text is `skipped`: it is too short to have a meaning."""

_MAX_REASON_CHARS: Final = 500
"""Characters kept of the reason why a row failed."""

_WORTH_EMBEDDING: Final = re.compile(rf"(?:[^\W_][\W_]*){{{MIN_WORD_CHARACTERS}}}")


def embed_memories(store: Store, leases: Leases, embedder: Embedder, now: datetime) -> None:
    """Embed the leased memories that still want it, and end their jobs; see `embed_texts`."""
    embed_texts(MEMORY_VECTORS, store, leases, embedder, now)


def backfill_embeddings(
    store: Store, embedder: Embedder, now: datetime, limit: int, *, retry_failed: bool = True
) -> int:
    """Add jobs for memories without a vector that have no job; see `backfill_texts`."""
    return backfill_texts(MEMORY_VECTORS, store, embedder, now, limit, retry_failed)


def embed_texts(
    of: Embeddable, store: Store, leases: Leases, embedder: Embedder, now: datetime
) -> None:
    """Embed the leased rows of a table that still want it, and end their jobs.

    A batch that fails is raised as a whole, and the ledger runs its rows one by one; a single row
    the service will never take is marked `failed` with the reason, and its job ends.

    Raises:
        UnavailableError: the service did not answer; the rows stay as they were.
        BudgetExceededError: nothing was asked; the rows stay as they were.
        LeaseLostError: the jobs run elsewhere by now; nothing was written.
    """
    ids = [lease.payload[of.row_key] for lease in leases]
    with reading(store) as conn:
        rows = vector_rows.unembedded(conn, ids, vector_rows.find_model(conn, embedder), of)
    wanted = [row for row in rows if is_worth_embedding(row.content)]
    skipped = [row for row in rows if not is_worth_embedding(row.content)]
    try:
        vectors = _ask(embedder, wanted, store.address, of)
    except InvalidInputError as error:
        if len(leases) > 1:
            raise
        _mark_failed(store, leases, wanted, str(error), of)
        return
    with writing(store, finishing=leases) as conn:
        for row in skipped:
            vector_rows.settle(conn, row, "skipped", of=of)
        if vectors:
            model_id = vector_rows.keep_model(conn, embedder, now)
            for row, vector in zip(wanted, vectors, strict=True):
                vector_rows.keep_vector(conn, row, model_id, vector, of)


def backfill_texts(
    of: Embeddable,
    store: Store,
    embedder: Embedder,
    now: datetime,
    limit: int,
    retry_failed: bool,
) -> int:
    """Add jobs for rows of a table without a vector of this embedder's model that have no job.

    Rows with a dead job are left to `redrive`.

    Args:
        limit: jobs added at most; count.
        retry_failed: also for rows a service refused; a schedule leaves them to a person.

    Returns:
        How many were added; repeated, none.
    """
    with writing(store) as conn:
        model_id = vector_rows.find_model(conn, embedder)
        ids = vector_rows.without_job(conn, model_id, retry_failed, limit, of)
        return add_many(conn, of.kind, [{of.row_key: row_id} for row_id in ids], now)


def is_worth_embedding(content: str) -> bool:
    """Say whether a text has enough letters and digits to be worth a vector."""
    return bool(_WORTH_EMBEDDING.search(content))


def _ask(
    embedder: Embedder, rows: Sequence[PendingText], group: str, of: Embeddable
) -> list[bytes]:
    if not rows:
        return []
    return embedder.embed([row.content for row in rows], group, of.kind.name)


def _mark_failed(
    store: Store, leases: Leases, rows: Sequence[PendingText], reason: str, of: Embeddable
) -> None:
    with writing(store, finishing=leases) as conn:
        for row in rows:
            vector_rows.settle(conn, row, "failed", reason[:_MAX_REASON_CHARS], of)
