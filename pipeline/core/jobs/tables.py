"""Columns of the ledger."""

from sqlalchemy import Column, Integer, Table, Text

from afterword.pipeline.core.store.tables import group_tables

jobs = Table(
    "jobs",
    group_tables,
    Column("id", Integer, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("key", Text),
    Column("payload", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("priority", Integer, nullable=False),
    Column("available_at", Integer, nullable=False),
    Column("again_at", Integer),
    Column("attempts", Integer, nullable=False),
    Column("deliveries", Integer, nullable=False),
    Column("crashes", Integer, nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("sent_at", Integer),
    Column("leased_at", Integer),
    Column("lease_owner", Text),
    Column("lease_until", Integer),
    Column("waits_for", Text),
    Column("last_error", Text),
    Column("last_traceback", Text),
    Column("created_at", Integer, nullable=False),
    Column("gate", Text),
    Column("asked_micro_usd", Integer, nullable=False),
    Column("batch_limit", Integer),
    Column("excused", Integer, nullable=False),
)

job_runs = Table(
    "job_runs",
    group_tables,
    Column("id", Integer, primary_key=True),
    Column("job_id", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("outcome", Text, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("owner", Text),
    Column("started_at", Integer),
    Column("ended_at", Integer, nullable=False),
    Column("waited_us", Integer, nullable=False),
    Column("ran_us", Integer, nullable=False),
    Column("note", Text),
    Column("pid", Integer),
    Column("exit_status", Integer),
    Column("by_itself", Integer),
    Column("excused_by", Text),
)

job_stats = Table(
    "job_stats",
    group_tables,
    Column("kind", Text, primary_key=True),
    Column("outcome", Text, primary_key=True),
    Column("jobs", Integer, nullable=False),
    Column("waited_us", Integer, nullable=False),
    Column("ran_us", Integer, nullable=False),
)

paused_kinds = Table(
    "paused_kinds",
    group_tables,
    Column("kind", Text, primary_key=True),
    Column("paused_at", Integer, nullable=False),
    Column("note", Text, nullable=False),
)
