"""Since when a group has work for the job that adds missing vectors."""

from datetime import datetime
from typing import Protocol

from sqlalchemy import Connection

from afterword.pipeline.core.jobs.has_work import UNKNOWN_START, WorkQuery
from afterword.pipeline.domain.memory import audit_log
from afterword.pipeline.domain.memory.has_work import HasUpkeep, used_since
from afterword.pipeline.domain.vectors import rows
from afterword.pipeline.gateway.embedding.model import Embedder


class HasEmbedder(HasUpkeep, Protocol):
    """A process with an embedder; None while embeddings are disabled."""

    @property
    def embedder(self) -> Embedder | None:
        """Return the embedder; None while embeddings are disabled."""
        ...


def vectors_missing(process: HasEmbedder, conn: Connection, query: WorkQuery) -> datetime | None:
    """Return work after the group was used, or if its file has no vectors of this model yet."""
    if process.embedder is None:
        return None
    is_new = rows.find_model(conn, process.embedder) is None
    if is_new and audit_log.last_at(conn) is not None:
        return UNKNOWN_START
    return used_since(process, conn, query)
