"""Columns of the circuits."""

from sqlalchemy import Column, Integer, Table, Text

from afterword.pipeline.core.store.tables import instance_tables

circuits = Table(
    "circuits",
    instance_tables,
    Column("service", Text, primary_key=True),
    Column("model", Text, primary_key=True),
    Column("setup", Text, primary_key=True),
    Column("state", Text, nullable=False),
    Column("failures", Integer, nullable=False),
    Column("refusals", Integer, nullable=False),
    Column("openings", Integer, nullable=False),
    Column("reason", Text, nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("changed_at", Integer, nullable=False),
    Column("reopens_at", Integer),
)
