"""Columns of the sessions area."""

from sqlalchemy import Column, ForeignKey, Integer, Table, Text

from afterword.pipeline.core.store.tables import group_tables

sessions = Table(
    "sessions",
    group_tables,
    Column("id", Integer, primary_key=True),
    Column("uid", Text, nullable=False, unique=True),
    Column("handle", Text, nullable=False, unique=True),
    Column("label", Text),
    Column("started_at", Integer, nullable=False),
    Column("ended_at", Integer),
    Column("stores", Integer, nullable=False),
    Column("supersedes", Integer, nullable=False),
    Column("deletes", Integer, nullable=False),
    Column("origin", Text, nullable=False),
    Column("decisions", Integer, nullable=False),
    Column("trades", Integer, nullable=False),
    Column("methodologies", Integer, nullable=False),
)

turns = Table(
    "turns",
    group_tables,
    Column("id", Integer, primary_key=True),
    Column("uid", Text, nullable=False, unique=True),
    Column("session_id", Integer, ForeignKey("sessions.id", ondelete="CASCADE"), nullable=False),
    Column("message", Text, nullable=False),
    Column("reply", Text),
    Column("tool_calls", Text, nullable=False),
    Column("outcome", Text),
    Column("started_at", Integer, nullable=False),
    Column("busy_until", Integer, nullable=False),
    Column("finished_at", Integer),
)

import_keys = Table(
    "import_keys",
    group_tables,
    Column("memory_id", Integer, primary_key=True),
    Column("record_key", Text, nullable=False, unique=True),
)
