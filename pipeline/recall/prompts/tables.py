"""Columns of the prompts room."""

from sqlalchemy import Column, ForeignKey, Integer, Table, Text

from afterword.pipeline.core.store.tables import group_tables

session_snapshots = Table(
    "session_snapshots",
    group_tables,
    Column("session_id", Integer, ForeignKey("sessions.id", ondelete="CASCADE"), primary_key=True),
    Column("surface", Text, primary_key=True),
    Column("body", Text, nullable=False),
    Column("memory_ids", Text, nullable=False),
    Column("made_at", Integer, nullable=False),
)

turn_tags = Table(
    "turn_tags",
    group_tables,
    Column("turn_id", Integer, ForeignKey("turns.id", ondelete="CASCADE"), primary_key=True),
    Column("dimensions", Text, nullable=False),
    Column("proposed", Text),
    Column("chosen_at", Integer, nullable=False),
)
