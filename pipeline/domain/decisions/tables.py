"""Columns of the roles area."""

from sqlalchemy import REAL, Column, ForeignKey, Integer, LargeBinary, Table, Text

from afterword.pipeline.core.store.tables import group_tables

decision_contexts = Table(
    "decision_contexts",
    group_tables,
    Column("id", Integer, primary_key=True),
    Column("hash", Text, nullable=False, unique=True),
    Column("body", Text, nullable=False),
    Column("known_at", Integer, nullable=False),
)

role_memory = Table(
    "role_memory",
    group_tables,
    Column("id", Integer, primary_key=True),
    Column("uid", Text, nullable=False, unique=True),
    Column("role_id", Text, nullable=False),
    Column("skill_id", Text, nullable=False),
    Column("record_key", Text),
    Column("session_id", Text),
    Column("scenario_id", Text),
    Column("origin", Text, nullable=False),
    Column("decision", Text, nullable=False),
    Column("inputs", Text, nullable=False),
    Column("asset", Text),
    Column("asset_key", Text),
    Column("direction", Text, nullable=False),
    Column("confidence", REAL),
    Column("context_hash", Text, ForeignKey("decision_contexts.hash", ondelete="SET NULL")),
    Column("decided_at", Integer, nullable=False),
    Column("known_at", Integer, nullable=False),
    Column("superseded_by", Integer, ForeignKey("role_memory.id", ondelete="SET NULL")),
    Column("superseded_at", Integer),
    Column("state", Text, nullable=False),
    Column("reason", Text),
    Column("why", Text),
    Column("state_at", Integer, nullable=False),
    Column("retry_at", Integer),
    Column("tries", Integer, nullable=False),
    Column("mark", Text),
    Column("mark_note", Text),
    Column("marked_at", Integer),
    Column("outcome", Text),
    Column("measured", Text),
    Column("classification", Text),
    Column("narrative", Text),
    Column("classified_by", Text),
    Column("classified_at", Integer),
    Column("lesson", Text),
    Column("lesson_by", Text),
    Column("reflected_at", Integer),
    Column("embedding_state", Text, nullable=False),
    Column("embedding_error", Text),
)
"""Without `reflection`, which is computed: the lesson, or where there is none the narrative."""

role_vectors = Table(
    "role_vectors",
    group_tables,
    Column("id", Integer, primary_key=True),
    Column(
        "role_memory_id", Integer, ForeignKey("role_memory.id", ondelete="CASCADE"), nullable=False
    ),
    Column(
        "model_id", Integer, ForeignKey("embedding_models.id", ondelete="CASCADE"), nullable=False
    ),
    Column("vector", LargeBinary, nullable=False),
)

role_shadows = Table(
    "role_shadows",
    group_tables,
    Column("id", Integer, primary_key=True),
    Column(
        "role_memory_id", Integer, ForeignKey("role_memory.id", ondelete="CASCADE"), nullable=False
    ),
    Column("task", Text, nullable=False),
    Column("at", Integer, nullable=False),
    Column("said_by", Text, nullable=False),
    Column("classification", Text),
    Column("said", Text, nullable=False),
)

role_stats = Table(
    "role_stats",
    group_tables,
    Column("role_id", Text, primary_key=True),
    Column("state", Text, primary_key=True),
    Column("reason", Text, primary_key=True),
    Column("outcome", Text, primary_key=True),
    Column("classification", Text, primary_key=True),
    Column("classified_by", Text, primary_key=True),
    Column("decisions", Integer, nullable=False),
    Column("ever", Integer, nullable=False),
)
"""Kept by triggers on `role_memory`."""
