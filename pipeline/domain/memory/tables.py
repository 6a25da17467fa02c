"""Columns of the memory area."""

from sqlalchemy import REAL, Column, ForeignKey, Integer, LargeBinary, Table, Text

from afterword.pipeline.core.store.tables import group_tables

memories = Table(
    "memories",
    group_tables,
    Column("id", Integer, primary_key=True),
    Column("uid", Text, nullable=False, unique=True),
    Column("category", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("metadata", Text, nullable=False),
    Column("source", Text),
    Column("origin", Text, nullable=False),
    Column("type", Text),
    Column("behavioral", Integer, nullable=False),
    Column("tags", Text, nullable=False),
    Column("session_id", Text),
    Column("scenario_id", Text),
    Column("occurred_at", Integer),
    Column("known_at", Integer, nullable=False),
    Column("created_at", Integer, nullable=False),
    Column("updated_at", Integer, nullable=False),
    Column("deleted_at", Integer),
    Column("superseded_by", Integer, ForeignKey("memories.id", ondelete="SET NULL")),
    Column("superseded_at", Integer),
    Column("stale_at", Integer),
    Column("embedding_state", Text, nullable=False),
    Column("embedding_error", Text),
    Column("grams", Text, nullable=False),
)

memory_purges = Table(
    "memory_purges",
    group_tables,
    Column("id", Integer, primary_key=True),
    Column("at", Integer, nullable=False),
    Column("deleted", Integer, nullable=False),
    Column("superseded", Integer, nullable=False),
    Column("horizon", Integer, nullable=False),
)

injection_flags = Table(
    "injection_flags",
    group_tables,
    Column("id", Integer, primary_key=True),
    Column("object_table", Text, nullable=False),
    Column("object_id", Integer, nullable=False),
    Column("families", Text, nullable=False),
    Column("flagged_at", Integer, nullable=False),
    Column("cleared_at", Integer),
)

memory_absences = Table(
    "memory_absences",
    group_tables,
    Column("id", Integer, primary_key=True),
    Column("memory_id", Integer, ForeignKey("memories.id", ondelete="CASCADE"), nullable=False),
    Column("gone_at", Integer, nullable=False),
    Column("back_at", Integer),
    Column("cause", Text, nullable=False),
)

memory_edges = Table(
    "memory_edges",
    group_tables,
    Column("id", Integer, primary_key=True),
    Column("src_table", Text, nullable=False),
    Column("src_id", Integer, nullable=False),
    Column("dst_entity_kind", Text, nullable=False),
    Column("dst_entity_key", Text, nullable=False),
    Column("edge_type", Text, nullable=False),
    Column("weight", REAL, nullable=False),
    Column("known_at", Integer, nullable=False),
    Column("created_at", Integer, nullable=False),
    Column("src_category", Text),
    Column("src_at", Integer),
)

memory_vectors = Table(
    "memory_vectors",
    group_tables,
    Column("id", Integer, primary_key=True),
    Column("memory_id", Integer, ForeignKey("memories.id", ondelete="CASCADE"), nullable=False),
    Column(
        "model_id", Integer, ForeignKey("embedding_models.id", ondelete="CASCADE"), nullable=False
    ),
    Column("vector", LargeBinary, nullable=False),
)

user_profile = Table(
    "user_profile",
    group_tables,
    Column("id", Integer, primary_key=True),
    Column("key", Text, nullable=False),
    Column("value", Text, nullable=False),
    Column("updated_at", Integer, nullable=False),
    Column("superseded_at", Integer),
)
