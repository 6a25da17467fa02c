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

budget_reservations = Table(
    "budget_reservations",
    instance_tables,
    Column("uid", Text, primary_key=True),
    Column("category", Text, nullable=False),
    Column("group_name", Text, nullable=False),
    Column("task", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("estimate_micro_usd", Integer, nullable=False),
    Column("day_key", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("outside", Integer, nullable=False),
    Column("created_at", Integer, nullable=False),
    Column("expires_at", Integer, nullable=False),
)

budget_windows = Table(
    "budget_windows",
    instance_tables,
    Column("scope", Text, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("window_key", Text, primary_key=True),
    Column("spent_micro_usd", Integer, nullable=False),
    Column("warned_at", Integer),
)

budget_switch = Table(
    "budget_switch",
    instance_tables,
    Column("only", Integer, primary_key=True),
    Column("stopped_at", Integer, nullable=False),
    Column("note", Text, nullable=False),
)
