"""Columns of the switches."""

from sqlalchemy import Column, Integer, Table, Text

from afterword.pipeline.core.store.tables import instance_tables

switch_changes = Table(
    "switch_changes",
    instance_tables,
    Column("id", Integer, primary_key=True),
    Column("task", Text, nullable=False),
    Column("mode", Text, nullable=False),
    Column("note", Text, nullable=False),
    Column("changed_at", Integer, nullable=False),
)
