"""Columns of the facts area."""

from sqlalchemy import Column, ForeignKey, Integer, Table, Text

from afterword.pipeline.core.store.tables import group_tables

facts = Table(
    "facts",
    group_tables,
    Column("memory_id", Integer, ForeignKey("memories.id", ondelete="CASCADE"), primary_key=True),
    Column("state", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("said_at", Integer, nullable=False),
    Column("judged_to", Integer),
    Column("fingerprint", Text),
    Column("retired_by", Integer, ForeignKey("memories.id", ondelete="SET NULL")),
    Column("shadow_judged_to", Integer),
)

memory_consolidation_events = Table(
    "memory_consolidation_events",
    group_tables,
    Column("id", Integer, primary_key=True),
    Column("at", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("memory_id", Integer, nullable=False),
    Column("other_id", Integer),
    Column("version", Integer, nullable=False),
    Column("decided_by", Text, nullable=False),
    Column("undoes", Integer, ForeignKey("memory_consolidation_events.id")),
    Column("detail", Text, nullable=False),
    Column("said", Text, nullable=False),
)
