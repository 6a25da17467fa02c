"""Columns of the switches."""

from sqlalchemy import Column, Integer, Table, Text

from pipeline.store.tables import instance_tables

switches = Table(
    "switches",
    instance_tables,
    Column("task", Text, primary_key=True),
    Column("mode", Text, nullable=False),
    Column("note", Text, nullable=False),
    Column("changed_at", Integer, nullable=False),
)
