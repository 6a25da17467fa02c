"""The table of erasures."""

from sqlalchemy import Column, Integer, LargeBinary, Table

from afterword.pipeline.core.store.tables import group_tables

erasures = Table(
    "erasures",
    group_tables,
    Column("id", Integer, primary_key=True),
    Column("at", Integer, nullable=False),
    Column("sealed", LargeBinary),
    Column("proved_at", Integer),
)
