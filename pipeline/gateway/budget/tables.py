"""Columns of the budget's ledger."""

from sqlalchemy import Column, Integer, Table, Text

from afterword.pipeline.core.store.tables import instance_tables

llm_usage = Table(
    "llm_usage",
    instance_tables,
    Column("id", Integer, primary_key=True),
    Column("category", Text, nullable=False),
    Column("group_name", Text, nullable=False),
    Column("task", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("input_tokens", Integer, nullable=False),
    Column("output_tokens", Integer, nullable=False),
    Column("cost_micro_usd", Integer, nullable=False),
    Column("date", Text, nullable=False),
    Column("ts", Integer, nullable=False),
    Column("reservation_uid", Text),
    Column("basis", Text, nullable=False),
    Column("note", Text),
)
