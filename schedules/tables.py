"""The tables of the schedule."""

from sqlalchemy import Column, Integer, Table, Text

from afterword.pipeline.core.store.tables import group_tables

cron_entries = Table(
    "cron_entries",
    group_tables,
    Column("entry", Text, primary_key=True),
    Column("spec", Text, nullable=False),
    Column("since", Integer, nullable=False),
    Column("last_slot", Integer),
    Column("missed", Integer, nullable=False),
)

cron_ticks = Table(
    "cron_ticks",
    group_tables,
    Column("entry", Text, primary_key=True),
    Column("slot", Integer, primary_key=True),
    Column("fired_at", Integer, nullable=False),
)
"""A tick is a unique row, stored in the transaction of its job: each slot fires once, whatever the
number of dispatchers."""
