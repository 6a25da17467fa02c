"""Columns of the workspace room."""

from sqlalchemy import Column, ForeignKey, Integer, Table, Text, UniqueConstraint

from afterword.pipeline.core.store.tables import group_tables

workspace_files = Table(
    "workspace_files",
    group_tables,
    Column("id", Integer, primary_key=True),
    Column("folder", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("loaded_at", Integer, nullable=False),
    UniqueConstraint("folder", "name", "digest"),
)

workspace_sessions = Table(
    "workspace_sessions",
    group_tables,
    Column("session_id", Integer, ForeignKey("sessions.id", ondelete="CASCADE"), primary_key=True),
    Column("prefix", Text, nullable=False),
    Column("bootstrap", Text, nullable=False),
    Column("block", Text, nullable=False),
    Column("notes", Text, nullable=False),
    Column("identity", Text, nullable=False),
    Column("file_ids", Text, nullable=False),
    Column("cut_files", Integer, nullable=False),
    Column("faults", Integer, nullable=False),
    Column("loaded_at", Integer, nullable=False),
)

workspace_bootstraps = Table(
    "workspace_bootstraps",
    group_tables,
    Column("id", Integer, primary_key=True),
    Column("file_key", Text, nullable=False, unique=True),
    Column("session_id", Integer, nullable=False),
    Column("claimed_at", Integer, nullable=False),
    Column("ended_at", Integer),
)
