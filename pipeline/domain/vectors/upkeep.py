"""Keep vectors usable: remove an old model's once the new one's are complete, and bad ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, inspect

from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.store.migrate import statements, steps
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.memory.tables import memory_vectors
from afterword.pipeline.domain.vectors import rows as vector_rows
from afterword.pipeline.domain.vectors.rows import MEMORY_VECTORS, Embeddable
from afterword.pipeline.gateway.embedding.model import Embedder

REMOVED_AT_ONCE: Final = 1_000
"""Vectors one transaction removes: some 10 ms, then other writers can write."""

_MADE_BY: Final = 8
"""The migration that creates the table of vectors: by its first and its last statement."""


@dataclass(frozen=True, slots=True)
class RepairReport:
    """What a repair removed or made.

    Args:
        orphaned: vectors whose memory or model is gone, removed.
        misshapen: vectors of another length than their model's, removed.
        table_missing: there was no table of vectors, and now there is an empty one.
    """

    orphaned: int
    misshapen: int
    table_missing: bool


def drop_other_models(
    store: Store, embedder: Embedder, tables: Sequence[Embeddable] = (MEMORY_VECTORS,)
) -> int:
    """Remove other models' vectors once each row has one of this embedder's model.

    Args:
        tables: all that have vectors in this store.

    Returns:
        How many vectors were removed; none while rows still wait for theirs.
    """
    with reading(store) as conn:
        model_id = vector_rows.find_model(conn, embedder)
        if model_id is None:
            return 0
        if not all(vector_rows.can_replace_others(conn, model_id, of) for of in tables):
            return 0
    removed = 0
    for of in tables:
        while some := _remove_some(store, model_id, of):
            removed += some
    with writing(store) as conn:
        vector_rows.forget_others(conn, model_id)
    emit("embedding.model_changed", group=store.name, model=embedder.model, removed=removed)
    return removed


def repair_vectors(conn: Connection) -> RepairReport:
    """Remove vectors that cannot be compared; the next backfill asks for them again."""
    if not inspect(conn).has_table(memory_vectors.name):
        (made_by,) = (step for step in steps("group") if step.number == _MADE_BY)
        create, *_ = statements(made_by.sql)
        # Under its own name at once: SQLite renames nothing while a trigger names a missing table.
        named = create.replace("memory_vectors_numbered", f'"{memory_vectors.name}"')
        conn.exec_driver_sql(named)
        return RepairReport(0, 0, table_missing=True)
    orphaned = vector_rows.remove_orphans(conn)
    return RepairReport(orphaned, vector_rows.remove_misshapen(conn), table_missing=False)


def _remove_some(store: Store, model_id: int, of: Embeddable) -> int:
    with writing(store) as conn:
        return vector_rows.remove_others(conn, model_id, REMOVED_AT_ONCE, of)
